//! An error sequence as JSON: the execution with its lanes.

use axle_evidence::report::ViolationReport;
use axle_evidence::trace::{CallRow, CallTree, ROWS, RowKind, Trace};
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;
use crate::pages::marks::{self, Mark};
use crate::pages::sequence::{lanes, phase, read};

#[derive(Serialize)]
struct Sequence<'a> {
    schema: u32,
    round: i64,
    run: u32,
    phase: &'static str,
    phases: Vec<&'static str>,
    property: &'a str,
    constraint: &'a str,
    violation: &'a ViolationReport,
    lanes: Vec<String>,
    marks: Vec<Mark>,
    /// The tree of calls, without texts and effects of statements; empty if the execution has no calls.
    rows: Vec<CallRow>,
    /// The position of the step that matters.
    focus: usize,
    trace: &'a Trace,
}

/// An execution of a run.
pub async fn show(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Data {
    let phase = phase(&name)?;
    let found = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let snapshot = visitor.app.snapshot();
    let marked = snapshot.property(&found.property);
    let marked = marked.and_then(|property| marks::of(property, &found.witness.trace));
    let mut trace = found.witness.trace.clone();
    snapshot.present(&mut trace);
    json(&Sequence {
        schema: SCHEMA,
        round,
        run,
        phase: phase.name(),
        phases: found.phases.iter().map(|phase| phase.name()).collect(),
        property: &found.property,
        constraint: &found.constraint,
        violation: &found.witness.violation,
        lanes: lanes(&trace),
        marks: marked.map_or_else(Vec::new, |marked| marked.marks),
        rows: rows(&trace),
        focus: trace.focus(),
        trace: &trace,
    })
}

fn rows(trace: &Trace) -> Vec<CallRow> {
    if !CallTree::has_calls(trace) {
        return Vec::new();
    }
    let mut rows = CallTree::new(trace, ROWS).rows;
    for row in rows.iter_mut().filter(|row| row.kind == RowKind::Statement) {
        (row.text, row.effects) = (String::new(), Vec::new());
    }
    rows
}

/// An execution in the Informal Trace Format.
pub async fn itf(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Data {
    let phase = phase(&name)?;
    let found = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let mut trace = found.witness.trace;
    visitor.app.snapshot().present(&mut trace);
    let description = format!("{}@{}: {}", found.property, found.constraint, found.witness.violation.message);
    json(&axle_evidence::itf::itf(&trace, &description))
}
