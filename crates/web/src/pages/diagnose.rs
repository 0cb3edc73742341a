//! Inquirys about the software: whether it can show a sequence of events, or reach a line.
//!
//! *Entry points:* [`show`], [`ask`].

use askama::Template;
use axle_evidence::chart::chart_of;
use axle_evidence::trace::{Trace, happenings};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::frame::{Answer, Frame, Visitor, render};
use crate::fault::Fault;
use crate::form::Form;
use crate::program::Inquiry;
use crate::view::figure;
use crate::view::quantity::counted;
use crate::view::url::line_url;

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
    steps: Vec<(String, String, String, String, String)>,
    chart: Option<String>,
}

/// Shows the form.
pub async fn show(visitor: Visitor) -> Answer {
    page(&visitor, Inquiry::default(), String::new(), None)
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
        line: form.get("line").trim().to_string(),
        constraint: form.get("constraint").to_string(),
    };
    let snapshot = visitor.app.snapshot();
    let is_known = snapshot
        .project
        .as_ref()
        .is_some_and(|project| project.constraints.iter().any(|one| one.name.value == question.constraint));
    if !question.constraint.is_empty() && !is_known {
        return Err(Fault::invalid("The project has no such constraint."));
    }
    let problem = match (question.events.is_empty(), question.line.is_empty()) {
        (true, true) => "Write the events of a test, one a line, or a line of the source.",
        (false, false) => "Ask either about events or about a line.",
        _ if question.events.len() > LONGEST => "The sequence is longer than 64 KiB.",
        _ => "",
    };
    if !problem.is_empty() {
        return refused(&visitor, question, problem.to_string());
    }
    let asked = question.clone();
    let answer = visitor.blocking(move |app| Ok(app.rounds.diagnose(&asked))).await?;
    match answer.and_then(|text| {
        serde_json::from_str(&text).map_err(|fault| format!("The answer cannot be read: {fault}."))
    }) {
        Ok(found) => page(&visitor, question, String::new(), Some(verdict(found))),
        Err(problem) => refused(&visitor, question, problem),
    }
}

fn refused(visitor: &Visitor, question: Inquiry, problem: String) -> Answer {
    let page = page(visitor, question, problem, None)?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

fn verdict(found: Found) -> Verdict {
    let all = found.events.len();
    let steps = found.trace.steps.last().map_or(0, |step| step.step);
    let summary = match (found.feasible, &found.reason) {
        (true, _) => format!("The software shows all of it, in {}.", counted(steps, "step")),
        (false, Some(reason)) => {
            format!("Not decided: {} of {all} events are feasible; {reason}.", found.prefix)
        }
        (false, None) => format!("The software follows {} of {all} events.", found.prefix),
    };
    let mark = |index: usize| match index {
        index if index < found.prefix => "ok",
        index if index == found.prefix && !found.feasible => "not possible here",
        _ => "",
    };
    let row = |step: &axle_evidence::trace::TraceStep| {
        let place = step.by.place.as_ref();
        (
            step.step.to_string(),
            step.by.process.clone(),
            place.map(line_url).unwrap_or_default(),
            step.by.statement.clone(),
            happenings(step),
        )
    };
    Verdict {
        feasible: found.feasible,
        summary,
        events: found.events.iter().enumerate().map(|(index, text)| (text.clone(), mark(index))).collect(),
        possible: found.possible,
        silent: found.silent,
        steps: found.trace.steps.iter().take(MOST_STEPS).map(row).collect(),
        chart: (steps > 0 && steps <= MOST_STEPS as u64).then(|| figure::chart(&chart_of(&found.trace))),
    }
}
