//! The project and its properties as JSON.

use axle_feaver::execute::Disagreement;
use axle_feaver::project::{Expected, Property, Statement};
use axle_feaver::results::verdict::Machine;
use axle_ltl::print::formula;
use axle_outcome::Count;
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::alarms::{self, Alarm};
use crate::fault::Fault;
use crate::pages::frame::Visitor;
use crate::snapshot::{self, BrokenState, RunState, Snapshot};
use crate::view::state::State;

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
    alarms: Vec<Alarm>,
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
    expected: Option<&'static str>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    problems: Vec<Problem<'a>>,
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
    states: &'a Count,
    seconds: f64,
    message: Option<&'a str>,
    steps: Option<u64>,
    round: Option<i64>,
    run: Option<u32>,
    at: Option<i64>,
    phases: Vec<&'static str>,
    machine: Option<&'a Machine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disagreement: Option<&'a Disagreement>,
}

/// The project.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let pulse = *visitor.app.pulse.borrow();
    let count = |state: State| match state {
        State::InError => snapshot.broken.len(),
        state => snapshot.runs.iter().filter(|run| run.known.state == state).count(),
    };
    let states = State::ALL.into_iter();
    json(&Project {
        schema: SCHEMA,
        name: snapshot.name(),
        generation: snapshot.generation,
        runs: snapshot.runs.len(),
        properties: snapshot.valid_properties().count() + snapshot.broken.len(),
        states: states.map(|state| Total { state: state.name(), runs: count(state) }).collect(),
        problems: snapshot.problems.iter().map(problem).collect(),
        alarms: alarms::all(&visitor.app, &snapshot),
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
    let properties = snapshot.valid_properties().map(|property| item(&snapshot, property, false));
    let broken = snapshot.broken.iter().map(|one| broken_item(one, false));
    let mut all: Vec<Item> = properties.chain(broken).collect();
    all.sort_by_key(|item| item.path);
    json(&List { schema: SCHEMA, properties: all })
}

/// A property.
pub async fn property(visitor: Visitor, Path(name): Path<String>) -> Data {
    let snapshot = visitor.app.snapshot();
    if let Some(broken) = snapshot.broken_of(&name).next() {
        return json(&broken_item(broken, true));
    }
    let property = snapshot.property(&name);
    let property =
        property.ok_or_else(|| Fault::missing(format!("The project has no property '{name}'.")))?;
    json(&item(&snapshot, property, true))
}

fn problem(one: &snapshot::Problem) -> Problem<'_> {
    Problem {
        severity: if one.is_error { "error" } else { "warning" },
        code: one.code,
        message: &one.message,
        file: one.place.as_ref().map(|(file, _)| file.as_str()),
        line: one.place.as_ref().map(|(_, line)| *line),
        help: &one.help,
    }
}

/// A property in error: it has no runs of the present version.
fn broken_item(broken: &BrokenState, is_full: bool) -> Item<'_> {
    let property = &broken.property;
    Item {
        name: &property.name,
        path: &property.path,
        feature: property.feature.as_deref(),
        tags: &[],
        expected: None,
        state: State::InError.name(),
        words: is_full.then_some(property.words.as_str()),
        formula: None,
        problems: broken.problems.iter().map(problem).collect(),
        runs: Vec::new(),
    }
}

fn item<'a>(snapshot: &'a Snapshot, property: &'a Property, is_full: bool) -> Item<'a> {
    let runs: Vec<&RunState> = snapshot.runs_of(&property.name.value).collect();
    let state = snapshot.state_of_property(&property.name.value);
    Item {
        name: &property.name.value,
        path: &property.path,
        feature: property.feature.as_deref(),
        tags: &property.tags,
        expected: Some(match property.expected {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
        }),
        state: state.name(),
        words: is_full.then_some(property.words.as_str()),
        formula: is_full.then(|| stated(&property.statement)).flatten(),
        problems: Vec::new(),
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
        states: &known.states,
        seconds: known.seconds,
        message: known.message.as_deref(),
        steps: known.steps,
        round: known.place.map(|(round, _)| round.0),
        run: known.place.map(|(_, run)| run),
        at: known.at.map(|at| at.0),
        phases: known.phases.iter().map(|phase| phase.name()).collect(),
        machine: known.machine.as_ref(),
        disagreement: known.disagreement.as_ref(),
    }
}
