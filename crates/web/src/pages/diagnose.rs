//! Inquiries about the software: whether it can show a sequence of events, or reach a line.
//!
//! *Entry points:* [`show`], [`ask`], [`answered`].

use std::sync::Arc;

use askama::Template;
use axle_evidence::trace::Trace;
use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use serde::Deserialize;

use super::frame::{Answer, Frame, Visitor, render};
use super::sequence::{Row, drawn, short_view};
use crate::fault::Fault;
use crate::form::Form;
use crate::inquiries::Answered;
use crate::program::Inquiry;
use crate::snapshot::Snapshot;
use crate::view::quantity::{ago, counted};

/// The longest sequence in bytes.
const LONGEST: usize = 64 << 10;

/// Earlier questions that are listed.
const MOST_EARLIER: usize = 12;

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
    earlier: Vec<Earlier>,
    /// The project has changed since the answer.
    is_outdated: bool,
}

/// An earlier question.
struct Earlier {
    id: u64,
    question: String,
    summary: String,
    feasible: bool,
    at: String,
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
    page(&visitor, question, String::new())
}

/// `FILE:LINE` of a form, which may have the file in a field of its own.
fn line_of(form: &Form) -> String {
    let line = form.get("line").trim();
    match form.get("file") {
        "" => line.to_string(),
        file => format!("{file}:{line}"),
    }
}

fn page(visitor: &Visitor, question: Inquiry, problem: String) -> Answer {
    render(&filled(visitor, question, problem, None, false))
}

fn filled(
    visitor: &Visitor,
    question: Inquiry,
    problem: String,
    verdict: Option<Verdict>,
    is_outdated: bool,
) -> Page {
    let snapshot = visitor.app.snapshot();
    let constraints = snapshot.project.as_ref().map_or_else(Vec::new, |project| {
        project.constraints.iter().map(|one| one.name.value.clone()).collect()
    });
    let frame = visitor.frame("/diagnose", "Diagnose");
    Page { frame, question, constraints, problem, verdict, earlier: earlier(visitor), is_outdated }
}

/// Shows the answer to an earlier question.
pub async fn answered(visitor: Visitor, Path(id): Path<u64>) -> Answer {
    let missing = || Fault::missing("The server has no such answer any more. Ask again.");
    let known = visitor.app.inquiries.get(id).ok_or_else(missing)?;
    let mut found: Found = serde_json::from_str(&known.answer)
        .map_err(|fault| Fault::internal(&format!("the answer cannot be read: {fault}")))?;
    visitor.app.snapshot().present(&mut found.trace);
    let verdict = verdict(found, &known.question.line);
    let is_outdated = known.generation != visitor.app.snapshot().generation;
    render(&filled(&visitor, known.question.clone(), String::new(), Some(verdict), is_outdated))
}

/// The questions that were answered, the latest first.
fn earlier(visitor: &Visitor) -> Vec<Earlier> {
    let now = visitor.app.timestamp();
    let row = |one: Arc<Answered>| {
        let events = one.question.events.lines().collect::<Vec<&str>>().join(", ");
        let subject = if events.is_empty() { one.question.line.clone() } else { events };
        let question = match one.question.constraint.as_str() {
            "" => subject,
            constraint => format!("{subject} under {constraint}"),
        };
        Earlier {
            id: one.id,
            question: question.chars().take(120).collect(),
            summary: one.summary.clone(),
            feasible: one.is_yes,
            at: ago(one.at, now),
        }
    };
    visitor.app.inquiries.all().into_iter().take(MOST_EARLIER).map(row).collect()
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
    let readable = |text: String| match serde_json::from_str::<Found>(&text) {
        Ok(found) => Ok((text, found)),
        Err(fault) => Err(format!("The answer cannot be read: {fault}.")),
    };
    match answer.and_then(readable) {
        Ok((answer, found)) => {
            let id = visitor.app.inquiries.keep(Answered {
                id: 0,
                summary: summary(&found, &question.line),
                is_yes: found.feasible && found.reason.is_none(),
                question,
                answer,
                at: visitor.app.timestamp(),
                generation: snapshot.generation,
            });
            Ok(Redirect::to(&format!("/diagnose/{id}")).into_response())
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
    let page = page(visitor, question, problem)?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// The answer to a question about events, or about a line, in a sentence.
fn summary(found: &Found, line: &str) -> String {
    let all = found.events.len();
    let steps = found.trace.steps.last().map_or(0, |step| step.step);
    let length = counted(steps, "step");
    match (found.feasible, &found.reason, line) {
        (true, None, "") => format!("The software shows all of it, in {length}."),
        (true, None, line) => format!("An execution reaches {line}, in {length}."),
        (true, Some(reason), _) => format!("Not decided: the model shows it, in {length}; {reason}."),
        (false, Some(reason), "") => {
            format!("Not decided: {} of {all} events are feasible; {reason}.", found.prefix)
        }
        (false, Some(reason), line) => format!("Not decided whether an execution reaches {line}: {reason}."),
        (false, None, "") => format!("The software follows {} of {all} events.", found.prefix),
        (false, None, line) => format!("No execution reaches {line}."),
    }
}

/// The answer to a question about events, or about a line.
fn verdict(found: Found, line: &str) -> Verdict {
    let summary = summary(&found, line);
    let has_steps = !found.trace.steps.is_empty();
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
        chart: has_steps.then(|| drawn(&found.trace)).flatten(),
    }
}
