//! An error sequence beside the execution that is nearest to it among those that satisfy the property.
//!
//! The satisfying execution is searched on demand and kept until the project changes.
//!
//! *Entry points:* [`show`], [`search`].

use askama::Template;
use axle_evidence::trace::{Trace, common_steps};
use axle_feaver::results::key::Hash;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};

use super::frame::{Answer, Frame, Visitor, render};
use super::sequence::{Sequence, phase, read};
use crate::application::Application;
use crate::examples::Found;
use crate::fault::Fault;
use crate::view::comparison::{Cell, Comparison, Row, compared};
use crate::view::quantity::counted;
use crate::view::url::in_url;

/// Rows that are listed.
const MOST_ROWS: usize = 600;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    frame: Frame,
    address: String,
    property: String,
    property_url: String,
    constraint: String,
    /// The result of the search, if there was one.
    found: Option<Found>,
    lengths: String,
    common: String,
    remarks: Vec<String>,
    differing: [Option<Cell>; 2],
    /// The number of equal steps at the beginning that are not listed.
    omitted: usize,
    rows: Vec<Row>,
    cut: bool,
}

/// The name of a comparison: the violating execution and the present version of its run.
fn version(app: &Application, sequence: &Sequence) -> Result<String, Fault> {
    let (property, constraint) = (&sequence.property, &sequence.constraint);
    let snapshot = app.snapshot();
    let run = snapshot.runs_of(property).find(|run| run.constraint == *constraint);
    let run = run.ok_or_else(|| Fault::missing("The project has no such run any more."))?;
    let trail = Hash::of(sequence.witness.trail.as_bytes());
    Ok(format!("{} {} {} {trail}", run.name, run.key.hash, snapshot.generation))
}

/// The result of the search for a sequence, if there was one.
///
/// # Errors
/// The project has no such run any more.
pub(crate) fn known(app: &Application, sequence: &Sequence) -> Result<Option<Found>, Fault> {
    Ok(app.examples.get(&version(app, sequence)?))
}

/// Shows the comparison, or the button that starts the search.
pub async fn show(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let found = known(&visitor.app, &sequence)?;
    let violating = &sequence.witness.trace;
    let example = found.as_ref().and_then(|found| found.example.as_ref());
    let common = example.map_or(0, |example| common_steps(violating, &example.trace));
    let compared = example.map(|example| compared(violating, &example.trace, common)).unwrap_or_default();
    let cut = compared.rows.len() > MOST_ROWS;
    render(&Page {
        frame: visitor.frame("/rounds", &format!("Comparison for {}", sequence.property)),
        address: format!("/rounds/{round}/runs/{run}/{}", phase.name()),
        property_url: in_url(&sequence.property),
        lengths: example.map(|example| lengths(violating, &example.trace)).unwrap_or_default(),
        common: in_words(&compared, common),
        remarks: found.as_ref().map(remarks).unwrap_or_default(),
        property: sequence.property,
        constraint: sequence.constraint,
        found,
        differing: compared.differing,
        omitted: compared.omitted,
        rows: compared.rows.into_iter().take(MOST_ROWS).collect(),
        cut,
    })
}

/// Searches for the satisfying execution.
pub async fn search(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let version = version(&visitor.app, &sequence)?;
    if visitor.app.examples.get(&version).is_none() {
        let found = visitor.blocking(move |app| Ok(ask(app, &sequence))).await??;
        visitor.app.examples.keep(version, found);
    }
    Ok(Redirect::to(&format!("/rounds/{round}/runs/{run}/{}/compare", phase.name())).into_response())
}

/// Asks for the nearest satisfying execution, or for a short one if the software has changed since the
/// violating one was found.
fn ask(app: &Application, sequence: &Sequence) -> Result<Found, Fault> {
    let (property, constraint) = (&sequence.property, &sequence.constraint);
    let answer = app.rounds.satisfying(property, constraint, Some(&sequence.witness.trail));
    let (text, obstacle) = match answer {
        Ok(text) => (text, None),
        Err(problem) => match app.rounds.satisfying(property, constraint, None) {
            Ok(text) => (text, Some(problem)),
            // Then the trail is not the reason.
            Err(problem) => return Err(Fault::new(StatusCode::CONFLICT, problem)),
        },
    };
    let found: Found = serde_json::from_str(&text)
        .map_err(|fault| Fault::internal(&format!("the answer cannot be read: {fault}")))?;
    Ok(Found { obstacle, ..found })
}

fn lengths(violating: &Trace, satisfying: &Trace) -> String {
    let steps = |trace: &Trace| counted(trace.steps.last().map_or(0, |step| step.step), "step");
    format!("The violating execution has {}, the satisfying one {}.", steps(violating), steps(satisfying))
}

/// The common steps in a sentence.
fn in_words(compared: &Comparison, common: u64) -> String {
    let next = common + 1;
    match (common, compared.contains_first) {
        (0, _) => "The executions differ from the first step on:".to_string(),
        (1, false) => "The first step is the same; they differ at step 2:".to_string(),
        (_, false) => format!("The first {common} steps are the same; they differ at step {next}:"),
        (_, true) => format!(
            "The satisfying execution contains the violating one with a pass of its cycle: the first \
             {common} steps are the same. It leaves the cycle at step {next}:"
        ),
    }
}

/// What is to be known about the satisfying execution.
fn remarks(found: &Found) -> Vec<String> {
    let mut remarks = Vec::new();
    match (&found.nearest, &found.obstacle) {
        (Some(nearest), _) => {
            remarks.push(match nearest.longest {
                true => "No satisfying execution has a longer common beginning.".to_string(),
                false => "This is the longest common beginning found within the limits; a longer one may \
                          exist."
                    .to_string(),
            });
            if nearest.premise == Some(false) {
                remarks.push(
                    "In no satisfying execution does the situation arise that the property is about."
                        .to_string(),
                );
            }
        }
        (None, Some(obstacle)) => remarks.push(format!(
            "This is a short satisfying execution of the present software; the nearest one was not searched \
             for: {obstacle}"
        )),
        (None, None) => {}
    }
    remarks
}
