//! An error sequence beside a short execution that satisfies the same property.
//!
//! The satisfying execution is searched on demand and kept until the project changes.
//!
//! *Entry points:* [`show`], [`search`].

use askama::Template;
use axle_evidence::round::Example;
use axle_evidence::trace::{Trace, TraceStep, happenings};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use serde::Deserialize;

use super::frame::{Answer, Frame, Visitor, render};
use super::sequence::{phase, read};
use crate::application::Application;
use crate::pages::fault::Fault;
use crate::view::alignment::{Pair, align};
use crate::view::quantity::counted;
use crate::view::url::{in_url, line_link};

/// Rows that are listed.
const MOST_ROWS: usize = 600;

/// Equal rows at the beginning that are listed; of more, the last [`KEPT`] are.
const MOST_EQUAL: usize = 12;
const KEPT: usize = 3;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    frame: Frame,
    address: String,
    property: String,
    property_url: String,
    constraint: String,
    searched: bool,
    shows: String,
    summary: String,
    /// The number of equal steps at the beginning that are not listed.
    omitted: usize,
    rows: Vec<Row>,
    cut: bool,
}

/// A row: the steps of both executions.
struct Row {
    kind: &'static str,
    word: &'static str,
    first: Option<Cell>,
    second: Option<Cell>,
}

impl Row {
    fn sides(&self) -> [Option<&Cell>; 2] {
        [self.first.as_ref(), self.second.as_ref()]
    }
}

/// A step.
struct Cell {
    number: String,
    process: String,
    statement: String,
    place: Option<(String, String)>,
    effects: String,
    holds: String,
    starts_cycle: bool,
}

/// The answer of `axle diagnose --satisfying`.
#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    example: Option<Example>,
}

/// The name of the present version of a run.
fn version(app: &Application, property: &str, constraint: &str) -> Result<String, Fault> {
    let snapshot = app.snapshot();
    let run = snapshot.runs_of(property).find(|run| run.constraint == constraint);
    let run = run.ok_or_else(|| Fault::missing("The project has no such run any more."))?;
    Ok(format!("{} {} {}", run.name, run.key.hash, snapshot.generation))
}

/// Shows the comparison, or the button that starts the search.
pub async fn show(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let version = version(&visitor.app, &sequence.property, &sequence.constraint)?;
    let known = visitor.app.examples.get(&version);
    let searched = known.is_some();
    let example = known.flatten();
    let (rows, omitted, summary) = match &example {
        Some(example) => compared(&sequence.witness.trace, &example.trace),
        None => (Vec::new(), 0, String::new()),
    };
    let cut = rows.len() > MOST_ROWS;
    render(&Page {
        frame: visitor.frame("/rounds", &format!("Comparison for {}", sequence.property)),
        address: format!("/rounds/{round}/runs/{run}/{}", phase.name()),
        property_url: in_url(&sequence.property),
        property: sequence.property,
        constraint: sequence.constraint,
        searched,
        shows: example.as_ref().map(|example| example.shows.clone()).unwrap_or_default(),
        summary,
        omitted,
        rows: rows.into_iter().take(MOST_ROWS).collect(),
        cut,
    })
}

/// Searches for the satisfying execution.
pub async fn search(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let (property, constraint) = (sequence.property, sequence.constraint);
    let version = version(&visitor.app, &property, &constraint)?;
    if visitor.app.examples.get(&version).is_none() {
        let answer = visitor.blocking(move |app| Ok(app.rounds.satisfying(&property, &constraint))).await?;
        let text = answer.map_err(|problem| Fault::new(StatusCode::CONFLICT, problem))?;
        let found: Found = serde_json::from_str(&text)
            .map_err(|fault| Fault::internal(&format!("the answer cannot be read: {fault}")))?;
        visitor.app.examples.keep(version, found.example);
    }
    Ok(Redirect::to(&format!("/rounds/{round}/runs/{run}/{}/compare", phase.name())).into_response())
}

/// What makes two steps the same.
fn label(step: &TraceStep) -> (&str, &str, Option<&str>) {
    let partner = step.partner.as_ref().map(|partner| partner.statement.as_str());
    (&step.by.process, &step.by.statement, partner)
}

fn compared(first: &Trace, second: &Trace) -> (Vec<Row>, usize, String) {
    let labels = |trace: &'_ Trace| -> Vec<String> {
        trace.steps.iter().map(|step| format!("{:?}", label(step))).collect()
    };
    let pairs = align(&labels(first), &labels(second));
    let same = |pair: &&Pair| match pair {
        Pair::Both(one, other) => happenings(&first.steps[*one]) == happenings(&second.steps[*other]),
        _ => false,
    };
    let equal = pairs.iter().take_while(same).count();
    let omitted = if equal > MOST_EQUAL { equal - KEPT } else { 0 };
    let rows = pairs[omitted..].iter().map(|pair| row(first, second, *pair)).collect();
    let steps = |trace: &Trace| trace.steps.last().map_or(0, |step| step.step);
    let begin = match equal {
        0 => "They differ from the first step on".to_string(),
        equal => format!("The first {} are the same in both", counted(equal as u64, "row")),
    };
    let common = pairs.iter().filter(|pair| matches!(pair, Pair::Both(..))).count();
    let summary = format!(
        "The violating execution has {}, the satisfying one {}. {begin}; {} are common in all.",
        counted(steps(first), "step"),
        counted(steps(second), "step"),
        counted(common as u64, "row")
    );
    (rows, omitted, summary)
}

fn row(first: &Trace, second: &Trace, pair: Pair) -> Row {
    let (one, other) = match pair {
        Pair::Both(one, other) => (Some(cell(first, one)), Some(cell(second, other))),
        Pair::First(one) => (Some(cell(first, one)), None),
        Pair::Second(other) => (None, Some(cell(second, other))),
    };
    let (kind, word) = match (&one, &other) {
        (Some(one), Some(other)) if one.effects == other.effects => ("same", "same"),
        (Some(_), Some(_)) => ("differs", "other effect"),
        (Some(_), None) => ("first", "only violating"),
        _ => ("second", "only satisfying"),
    };
    Row { kind, word, first: one, second: other }
}

fn cell(trace: &Trace, at: usize) -> Cell {
    let step = &trace.steps[at];
    let before = at.checked_sub(1).map(|before| trace.steps[before].step);
    let place = step.by.place.as_ref().filter(|place| !place.file.starts_with('<'));
    Cell {
        number: if step.parts == 1 { step.step.to_string() } else { format!("{}.{}", step.step, step.part) },
        process: step.by.process.clone(),
        statement: step.by.statement.clone(),
        place: place.map(line_link),
        effects: happenings(step),
        holds: step.observed.as_ref().map(|observed| observed.holds.join(", ")).unwrap_or_default(),
        starts_cycle: trace
            .cycle
            .is_some_and(|first| step.step >= first && before.is_none_or(|before| before < first)),
    }
}
