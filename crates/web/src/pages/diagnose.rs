//! Inquiries about the software: whether it can show a sequence of events, or reach a line.
//!
//! *Entry points:* [`show`], [`ask`].

use askama::Template;
use axle_evidence::trace::Trace;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::frame::{Answer, Frame, Visitor, render};
use super::sequence::{Row, drawn, short_view};
use crate::fault::Fault;
use crate::form::Form;
use crate::program::Inquiry;
use crate::snapshot::Snapshot;
use crate::view::quantity::counted;

/// The longest sequence in bytes.
const LONGEST: usize = 64 << 10;

/// Steps of an answer that are listed.
const MOST_STEPS: usize = 300;

#[derive(Template)]
#[template(path = "diagnose.html")]
struct Page {
    frame: Frame,
    question: Inquiry,
    constraints: Vec<String>,
    problem: String,
    verdict: Option<Verdict>,
}

/// The answer of `axle diagnose --json`.
#[derive(Deserialize)]
struct Found {
    feasible: bool,
    events: Vec<String>,
    prefix: usize,
    #[serde(default)]
    possible: Vec<String>,
    #[serde(default)]
    silent: bool,
    #[serde(default)]
    reason: Option<String>,
    trace: Trace,
}

/// An answer for the page.
struct Verdict {
    feasible: bool,
    summary: String,
    /// Text and mark of each event.
    events: Vec<(String, &'static str)>,
    possible: Vec<String>,
    silent: bool,
    steps: Vec<Row>,
    chart: Option<String>,
}

/// Shows the form; the query may fill it in.
pub async fn show(visitor: Visitor, RawQuery(query): RawQuery) -> Answer {
    let form = Form::parse(query.as_deref().unwrap_or_default());
    let question = Inquiry {
        events: form.get("events").chars().take(LONGEST).collect(),
        line: line_of(&form),
        constraint: form.get("constraint").to_string(),
    };
    page(&visitor, question, String::new(), None)
}

/// `FILE:LINE` of a form, which may have the file in a field of its own.
fn line_of(form: &Form) -> String {
    let line = form.get("line").trim();
    match form.get("file") {
        "" => line.to_string(),
        file => format!("{file}:{line}"),
    }
}

fn page(visitor: &Visitor, question: Inquiry, problem: String, verdict: Option<Verdict>) -> Answer {
    let snapshot = visitor.app.snapshot();
    let constraints = snapshot.project.as_ref().map_or_else(Vec::new, |project| {
        project.constraints.iter().map(|one| one.name.value.clone()).collect()
    });
    let frame = visitor.frame("/diagnose", "Diagnose");
    render(&Page { frame, question, constraints, problem, verdict })
}

/// Answers a question.
pub async fn ask(visitor: Visitor, body: String) -> Answer {
    let form = Form::parse(&body);
    let question = Inquiry {
        events: form.get("events").replace("\r\n", "\n").trim().to_string(),
        line: line_of(&form),
        constraint: form.get("constraint").to_string(),
    };
    let snapshot = visitor.app.snapshot();
    if let Some(problem) = check(&snapshot, &question)? {
        return refused(&visitor, question, problem.to_string());
    }
    let asked = question.clone();
    let answer = visitor.blocking(move |app| Ok(app.rounds.diagnose(&asked))).await?;
    match answer.and_then(|text| {
        serde_json::from_str::<Found>(&text).map_err(|fault| format!("The answer cannot be read: {fault}."))
    }) {
        Ok(mut found) => {
            snapshot.present(&mut found.trace);
            let verdict = verdict(found, &question.line);
            page(&visitor, question, String::new(), Some(verdict))
        }
        Err(problem) => refused(&visitor, question, problem),
    }
}

/// What is wrong with a question, in a sentence.
///
/// # Errors
/// It names a constraint that the project does not have.
pub(crate) fn check(snapshot: &Snapshot, question: &Inquiry) -> Result<Option<&'static str>, Fault> {
    let constraints = snapshot.project.iter().flat_map(|project| &project.constraints);
    let mut names = constraints.map(|one| one.name.value.as_str());
    if !question.constraint.is_empty() && !names.any(|name| name == question.constraint) {
        return Err(Fault::invalid("The project has no such constraint."));
    }
    Ok(match (question.events.is_empty(), question.line.is_empty()) {
        (true, true) => Some("Write the events of a test, one a line, or a line of the source."),
        (false, false) => Some("Ask either about events or about a line."),
        _ if question.events.len() > LONGEST => Some("The sequence is longer than 64 KiB."),
        _ => None,
    })
}

fn refused(visitor: &Visitor, question: Inquiry, problem: String) -> Answer {
    let page = page(visitor, question, problem, None)?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// The answer to a question about events, or about a line.
fn verdict(found: Found, line: &str) -> Verdict {
    let all = found.events.len();
    let steps = found.trace.steps.last().map_or(0, |step| step.step);
    let length = counted(steps, "step");
    let summary = match (found.feasible, &found.reason, line) {
        (true, None, "") => format!("The software shows all of it, in {length}."),
        (true, None, line) => format!("An execution reaches {line}, in {length}."),
        (true, Some(reason), _) => format!("Not decided: the model shows it, in {length}; {reason}."),
        (false, Some(reason), "") => {
            format!("Not decided: {} of {all} events are feasible; {reason}.", found.prefix)
        }
        (false, Some(reason), line) => format!("Not decided whether an execution reaches {line}: {reason}."),
        (false, None, "") => format!("The software follows {} of {all} events.", found.prefix),
        (false, None, line) => format!("No execution reaches {line}."),
    };
    let mark = |index: usize| match index {
        index if index < found.prefix => "ok",
        index if index == found.prefix && !found.feasible => "not possible here",
        _ => "",
    };
    Verdict {
        feasible: found.feasible && found.reason.is_none(),
        summary,
        events: (found.events.iter().enumerate())
            .filter(|_| line.is_empty())
            .map(|(index, text)| (text.clone(), mark(index)))
            .collect(),
        possible: found.possible,
        silent: found.silent,
        steps: short_view(&found.trace, MOST_STEPS),
        chart: (steps > 0).then(|| drawn(&found.trace)).flatten(),
    }
}
