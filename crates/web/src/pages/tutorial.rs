//! The tutorial: the first steps in a project, each with its screen and whether it has been done.
//!
//! *Entry point:* [`show`].

use askama::Template;
use axle_feaver::project::Statement;

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::sequence_url;
use crate::snapshot::Snapshot;
use crate::view::state::State;
use crate::view::url::{in_url, path_in_url};

#[derive(Template)]
#[template(path = "tutorial.html")]
struct Page {
    frame: Frame,
    steps: Vec<Step>,
    done: usize,
}

/// A step.
struct Step {
    title: &'static str,
    text: &'static str,
    /// The address of its screen and the words of the link; none while it cannot be done.
    link: Option<(String, &'static str)>,
    is_done: bool,
}

/// Shows the tutorial.
pub async fn show(visitor: Visitor) -> Answer {
    let rounds = visitor.blocking(|app| Ok(app.database.rounds(2)?.len())).await?;
    let snapshot = visitor.app.snapshot();
    let steps = steps(&snapshot, rounds);
    let done = steps.iter().filter(|step| step.is_done).count();
    render(&Page { frame: visitor.frame("/tutorial", "Tutorial"), steps, done })
}

fn steps(snapshot: &Snapshot, rounds: usize) -> Vec<Step> {
    let project = snapshot.project.as_ref();
    let document = project.and_then(|project| project.requirements.first());
    let stated =
        |property: &&axle_feaver::project::Property| !matches!(property.statement, Statement::Safety(_));
    let property = snapshot.properties().iter().find(stated).map(|one| one.name.value.clone());
    let violated = snapshot.runs.iter().find(|run| {
        matches!(run.known.state, State::Violated | State::KnownFault) && run.known.place.is_some()
    });
    let sequence = violated.and_then(|run| sequence_url(&run.known));
    let is_checked = snapshot.runs.iter().any(|run| run.known.verdict.is_some());
    let has_changed = rounds > 1;
    let to = |address: &str, words: &'static str| Some((address.to_string(), words));
    vec![
        Step {
            title: "Look at the software",
            text: "The model is what Axle verifies: C sources or Promela models, and feature flags whose values \
                   vary. Axle reads the files of the project again whenever they change.",
            link: to("/model", "Model"),
            is_done: project.is_some() && snapshot.errors() == 0,
        },
        Step {
            title: "Read a requirement",
            text: "Requirements are text documents. Each section lists the properties that make it precise; a \
                   section without one is marked.",
            link: document.map(|one| (format!("/requirements/{}", path_in_url(&one.path)), "Requirements")),
            is_done: document.is_some(),
        },
        Step {
            title: "State a property",
            text: "Draw a timeline: an event, and the event that has to follow. The formula, the automaton of \
                   violations and example executions are shown while you draw. The property is a file of the \
                   project.",
            link: to("/properties/new", "New property"),
            is_done: property.is_some(),
        },
        Step {
            title: "Check it",
            text: "A round checks properties. A run is one property under one constraint on the feature flags. \
                   Each run has a bar in the tracker: rough searches first, then an exhaustive one.",
            link: property.map(|name| (format!("/properties/{}", in_url(&name)), "Property")),
            is_done: is_checked,
        },
        Step {
            title: "Read an error sequence",
            text: "A red bar leads to an execution that violates the property. The headline says what happened, \
                   the list shows calls and messages; j and k choose a row, e unfolds a call, f shows all.",
            link: sequence.map(|address| (address, "Error sequence")),
            is_done: violated.is_some(),
        },
        Step {
            title: "Change the software and check again",
            text: "After a change of a file, Changes lists the properties that it affects. Verdicts that still \
                   apply are carried over.",
            link: to("/changes", "Changes"),
            is_done: has_changed,
        },
        Step {
            title: "Ask a question",
            text: "Diagnose answers whether some execution reaches a line of the source or shows the events of a \
                   test.",
            link: to("/diagnose", "Diagnose"),
            is_done: false,
        },
    ]
}
