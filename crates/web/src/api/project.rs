//! The project and its properties as JSON.

use axle_feaver::project::{Expected, Property, Statement};
use axle_ltl::print::formula;
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::fault::Fault;
use crate::pages::frame::Visitor;
use crate::snapshot::{RunState, Snapshot};

#[derive(Serialize)]
struct Project<'a> {
    schema: u32,
    name: &'a str,
    /// The version of files and history that the answer is about.
    generation: u64,
    runs: usize,
    properties: usize,
    states: Vec<Total>,
    problems: Vec<Problem<'a>>,
    running: Option<i64>,
    last_event: i64,
}

#[derive(Serialize)]
struct Total {
    state: &'static str,
    runs: usize,
}

#[derive(Serialize)]
struct Problem<'a> {
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    help: &'a [String],
}

#[derive(Serialize)]
struct Item<'a> {
    name: &'a str,
    path: &'a str,
    feature: Option<&'a str>,
    tags: &'a [String],
    expected: &'static str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    constraint: &'a str,
    state: &'static str,
    key: &'a str,
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    changed: &'a [String],
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    vacuity: &'a [String],
    cycle: Option<u8>,
    states: u64,
    seconds: f64,
    message: Option<&'a str>,
    steps: Option<u64>,
    round: Option<i64>,
    run: Option<u32>,
    at: Option<i64>,
    phases: Vec<&'static str>,
}

/// The project.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let pulse = *visitor.app.pulse.borrow();
    let count = |state: crate::view::state::State| {
        snapshot.runs.iter().filter(|run| run.known.state == state).count()
    };
    let states = crate::view::state::State::ALL.into_iter();
    json(&Project {
        schema: SCHEMA,
        name: snapshot.name(),
        generation: snapshot.generation,
        runs: snapshot.runs.len(),
        properties: snapshot.properties().len(),
        states: states.map(|state| Total { state: state.name(), runs: count(state) }).collect(),
        problems: (snapshot.problems.iter())
            .map(|one| Problem {
                severity: if one.is_error { "error" } else { "warning" },
                code: one.code,
                message: &one.message,
                file: one.place.as_ref().map(|(file, _)| file.as_str()),
                line: one.place.as_ref().map(|(_, line)| *line),
                help: &one.help,
            })
            .collect(),
        running: pulse.running,
        last_event: pulse.event,
    })
}

#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    properties: Vec<Item<'a>>,
}

/// All properties.
pub async fn properties(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let properties = snapshot.properties().iter().map(|property| item(&snapshot, property, false));
    json(&List { schema: SCHEMA, properties: properties.collect() })
}

/// A property.
pub async fn property(visitor: Visitor, Path(name): Path<String>) -> Data {
    let snapshot = visitor.app.snapshot();
    let property = snapshot.property(&name);
    let property =
        property.ok_or_else(|| Fault::missing(format!("The project has no property '{name}'.")))?;
    json(&item(&snapshot, property, true))
}

fn item<'a>(snapshot: &'a Snapshot, property: &'a Property, is_full: bool) -> Item<'a> {
    let runs: Vec<&RunState> = snapshot.runs_of(&property.name.value).collect();
    let state = runs.iter().map(|run| run.known.state).min().unwrap_or_default();
    Item {
        name: &property.name.value,
        path: &property.path,
        feature: property.feature.as_deref(),
        tags: &property.tags,
        expected: match property.expected {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
        },
        state: state.name(),
        words: is_full.then_some(property.words.as_str()),
        formula: is_full.then(|| stated(&property.statement)).flatten(),
        runs: runs.into_iter().map(run).collect(),
    }
}

fn stated(statement: &Statement) -> Option<String> {
    match statement {
        Statement::Formula(text) => Some(text.value.clone()),
        Statement::Timeline(line, _) => Some(formula(&axle_ltl::timeline::formula(line), &line.atoms)),
        Statement::Never(..) | Statement::Safety(_) => None,
    }
}

fn run(run: &RunState) -> Run<'_> {
    let known = &run.known;
    Run {
        constraint: &run.constraint,
        state: known.state.name(),
        key: &run.key.hash,
        verdict: known.verdict.map(|verdict| verdict.name()),
        changed: &known.changed,
        reason: known.reason.as_deref(),
        vacuity: &known.vacuity,
        cycle: known.cycle,
        states: known.states,
        seconds: known.seconds,
        message: known.message.as_deref(),
        steps: known.steps,
        round: known.place.map(|(round, _)| round.0),
        run: known.place.map(|(_, run)| run),
        at: known.at.map(|at| at.0),
        phases: known.phases.iter().map(|phase| phase.name()).collect(),
    }
}
