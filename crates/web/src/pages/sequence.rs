//! An error sequence: the execution with a lane for each process, its changes, its chart, and links
//! into the source. Without script it is a table in parts; with script it is a viewer.
//!
//! *Entry point:* [`show`].

use std::ops::Range;

use askama::Template;
use axle_evidence::chart::chart_of;
use axle_evidence::report::{PlaceReport, RowReport};
use axle_evidence::trace::{CallRow, CallTree, Trace, TraceStep, happenings, tags};
use axle_feaver::execute::Witness;
use axle_feaver::results::verdict::Phase;
use axle_outcome::Reason;
use axum::extract::{Path, RawQuery};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

use super::frame::{Answer, Frame, Visitor, render};
use super::marks::{self, Marked};
use super::run::record;
use crate::application::Application;
use crate::fault::Fault;
use crate::form::Form;
use crate::snapshot;
use crate::view::figure;
use crate::view::quantity::counted;
use crate::view::url::{in_url, line_link, line_url};

/// Small steps of a page without script.
const ROWS: usize = 200;

/// Events beyond which a chart is left out: an image of that height is not readable.
const MOST_CHARTED: usize = 300;

/// Lanes beyond which the table shows the process by name.
const MOST_LANES: usize = 6;

/// An execution of the history.
pub struct Sequence {
    /// The property.
    pub property: String,
    /// The constraint.
    pub constraint: String,
    /// The phases that the run has.
    pub phases: Vec<Phase>,
    /// Whether the program does not have the execution of the model.
    pub is_spurious: bool,
    /// The execution.
    pub witness: Witness,
}

#[derive(Template)]
#[template(path = "sequence.html")]
struct Page {
    frame: Frame,
    /// Whether the property has satisfying executions to compare with.
    is_comparable: bool,
    round: i64,
    run: u32,
    phase: &'static str,
    phases: Vec<(&'static str, bool)>,
    property: String,
    property_url: String,
    constraint: String,
    message: String,
    place: Option<(String, String)>,
    details: Vec<String>,
    /// Whether the program was searched and does not have the execution.
    is_spurious: bool,
    /// The rows because of which the execution may be one of the model only.
    doubtful: Vec<Doubtful>,
    length: String,
    cycle: Option<u64>,
    lanes: Vec<String>,
    has_lanes: bool,
    start: Option<String>,
    /// Whether the rows are calls.
    folded: bool,
    rows: Vec<Row>,
    ending: Vec<String>,
    before: Option<usize>,
    after: Option<usize>,
    chart: Option<String>,
    marked: Option<Marked>,
    has_timeline: bool,
}

/// A row of a table that an execution depends on.
struct Doubtful {
    text: String,
    place: Option<(String, String)>,
    is_decisive: bool,
}

/// A small step, or a call.
pub(super) struct Row {
    id: String,
    pub number: String,
    begins_cycle: bool,
    lane: usize,
    pub process: String,
    partner: Option<(usize, String, String)>,
    pub place: Option<(String, String)>,
    /// The indentation below calls, at most 6.
    pub level: u32,
    pub statement: String,
    pub effects: String,
    holds: String,
    faults: Vec<String>,
}

/// Reads an execution.
///
/// # Errors
/// The run has none of this phase.
pub fn read(app: &Application, round: i64, run: u32, phase: Phase) -> Result<Sequence, Fault> {
    let (known, record) = record(app, round, run)?;
    let none = || {
        Fault::missing(format!(
            "Run {run} of round {round} has no execution of the phase '{}'.",
            phase.name()
        ))
    };
    let record = record.ok_or_else(none)?;
    let kept = app.recent.kept(&*app.database, &record, phase)?.ok_or_else(none)?;
    Ok(Sequence {
        property: known.property,
        constraint: known.provisioning,
        phases: record.witnesses.iter().map(|(phase, _)| *phase).collect(),
        is_spurious: kept.outcome.cause == Some(Reason::Spurious),
        witness: kept.outcome.witness.clone().ok_or_else(none)?,
    })
}

/// The phase of a name.
///
/// # Errors
/// There is none.
pub fn phase(name: &str) -> Result<Phase, Fault> {
    let found = Phase::ALL.into_iter().find(|phase| phase.name() == name);
    found.ok_or_else(|| {
        Fault::missing(format!("There is no phase '{name}'; the phases are first, shortest and likeliest."))
    })
}

/// The processes of a trace in the order of their numbers.
#[must_use]
pub fn lanes(trace: &Trace) -> Vec<String> {
    let mut lanes: Vec<(u32, &str)> = Vec::new();
    for step in &trace.steps {
        for mover in std::iter::once(&step.by).chain(&step.partner) {
            if !lanes.iter().any(|(_, name)| *name == mover.process) {
                lanes.push((mover.pid, &mover.process));
            }
        }
    }
    lanes.sort_by_key(|(pid, _)| *pid);
    lanes.into_iter().map(|(_, name)| name.to_string()).collect()
}

/// Shows an execution.
pub async fn show(
    visitor: Visitor,
    Path((round, run, name)): Path<(i64, u32, String)>,
    RawQuery(query): RawQuery,
) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let Sequence { property, constraint, phases, is_spurious, mut witness } = sequence;
    let snapshot = visitor.app.snapshot();
    let stated = snapshot.property(&property);
    let marked = stated.and_then(|stated| marks::of(stated, &witness.trace));
    snapshot.present(&mut witness.trace);
    let trace = &witness.trace;
    let lanes = lanes(trace);
    let total = trace.steps.len();
    let query = Form::parse(query.as_deref().unwrap_or_default());
    let first = first_row(&query, trace);
    let folded = CallTree::is_folded(trace) && query.get("from").is_empty() && query.get("step").is_empty();
    let until = if folded { total } else { (first + ROWS).min(total) };
    let rows = rows(trace, &lanes, folded, first..until);
    let steps = trace.steps.last().map_or(0, |step| step.step);
    let has_timeline = stated
        .is_some_and(|stated| matches!(stated.statement, axle_feaver::project::Statement::Timeline(..)));
    let cycle = trace.cycle.map(|cycle| steps + 1 - cycle.min(steps));
    let violation = &witness.violation;
    let link = |place: &axle_evidence::report::PlaceReport| {
        (format!("{}:{}", place.file, place.line), line_url(place))
    };
    let is_comparable =
        stated.is_none_or(|stated| !matches!(stated.statement, axle_feaver::project::Statement::Safety(_)));
    render(&Page {
        frame: visitor.frame("/rounds", &format!("Error sequence of {property}")),
        is_comparable,
        round,
        run,
        phase: phase.name(),
        phases: phases.iter().map(|one| (one.name(), *one == phase)).collect(),
        property_url: in_url(&property),
        property,
        constraint,
        message: headline(&witness, marked.as_ref()),
        place: violation.place.as_ref().map(link),
        details: violation.details.clone(),
        is_spurious,
        doubtful: violation.rows.iter().map(doubtful).collect(),
        length: counted(steps, "step"),
        cycle,
        has_lanes: lanes.len() <= MOST_LANES,
        lanes,
        start: trace.start.as_ref().and_then(observed).filter(|_| first == 0 && !folded),
        folded,
        rows,
        ending: if until == total { trace.ending.clone() } else { Vec::new() },
        before: (first > 0).then(|| first.saturating_sub(ROWS)),
        after: (until < total).then_some(until),
        chart: drawn(trace),
        marked,
        has_timeline,
    })
}

fn doubtful(row: &RowReport) -> Doubtful {
    let link = |place: &PlaceReport| (format!("{}:{}", place.file, place.line), line_url(place));
    Doubtful { text: row.text.clone(), place: row.place.as_ref().map(link), is_decisive: row.decisive }
}

/// The first row of a page: given as such, or by the step that it has to contain.
fn first_row(query: &Form, trace: &Trace) -> usize {
    let last = trace.steps.len().saturating_sub(1);
    if let Ok(from) = query.get("from").parse::<usize>() {
        return from.min(last);
    }
    let step: Option<u64> = query.get("step").parse().ok();
    let at = step.and_then(|step| trace.steps.iter().position(|one| one.step >= step)).unwrap_or(0);
    at / ROWS * ROWS
}

/// The violation in a sentence.
fn headline(witness: &Witness, marked: Option<&Marked>) -> String {
    let marked = marked.filter(|_| witness.trace.account.is_none());
    marked.map_or_else(|| snapshot::headline(witness), |marked| marked.sentence.clone())
}

fn observed(observed: &axle_evidence::trace::Observed) -> Option<String> {
    (!observed.holds.is_empty()).then(|| observed.holds.join(", "))
}

/// The sequence chart, unless it has too many events or shows the statements of one thread only.
pub(super) fn drawn(trace: &Trace) -> Option<String> {
    let chart = chart_of(trace);
    let is_told = chart.lanes.len() > 1 || trace.lanes.is_some() || !CallTree::has_calls(trace);
    (is_told && chart.events.len() <= MOST_CHARTED).then(|| figure::chart(&chart))
}

/// The calls of the default view, or these small steps.
fn rows(trace: &Trace, lanes: &[String], folded: bool, range: Range<usize>) -> Vec<Row> {
    match folded {
        true => calls(trace, lanes),
        false => range.map(|at| row(trace, at, lanes)).collect(),
    }
}

/// The rows of a short view: calls where they explain more, or the first small steps.
pub(super) fn short_view(trace: &Trace, most: usize) -> Vec<Row> {
    rows(trace, &lanes(trace), CallTree::is_folded(trace), 0..trace.steps.len().min(most))
}

/// The calls of the default view.
fn calls(trace: &Trace, lanes: &[String]) -> Vec<Row> {
    let tree = CallTree::new(trace, axle_evidence::trace::ROWS);
    let of = |(call, is_open): (&CallRow, bool)| {
        let own = row(trace, call.first, lanes);
        let events: Vec<&str> =
            tags(trace, &tree, call).into_iter().map(|event| event.name.as_str()).collect();
        Row {
            level: call.level.min(6),
            statement: call.text.clone(),
            effects: if is_open { String::new() } else { call.effects.join("; ") },
            holds: events.join(", "),
            faults: if is_open { Vec::new() } else { faults(trace, call) },
            ..own
        }
    };
    tree.shown().map(of).collect()
}

fn faults(trace: &Trace, call: &CallRow) -> Vec<String> {
    trace.steps[call.first..=call.last].iter().flat_map(|step| step.faults.iter().cloned()).collect()
}

fn row(trace: &Trace, at: usize, lanes: &[String]) -> Row {
    let step: &TraceStep = &trace.steps[at];
    let lane_of = |process: &str| lanes.iter().position(|lane| lane == process).unwrap_or(0);
    let (id, number) = match step.parts {
        1 => (format!("step-{}", step.step), step.step.to_string()),
        _ if step.part == 1 => (format!("step-{}", step.step), format!("{}.1", step.step)),
        _ => (format!("step-{}-{}", step.step, step.part), format!("{}.{}", step.step, step.part)),
    };
    let before = at.checked_sub(1).map(|before| trace.steps[before].step);
    let begins_cycle =
        trace.cycle.is_some_and(|first| step.step >= first && before.is_none_or(|one| one < first));
    let place = step.by.place.as_ref();
    Row {
        id,
        number,
        begins_cycle,
        lane: lane_of(&step.by.process),
        process: step.by.process.clone(),
        partner: step
            .partner
            .as_ref()
            .map(|partner| (lane_of(&partner.process), partner.process.clone(), partner.statement.clone())),
        place: place.map(line_link),
        level: 0,
        statement: step.by.statement.clone(),
        effects: happenings(step),
        holds: step.observed.as_ref().and_then(observed).unwrap_or_default(),
        faults: step.faults.clone(),
    }
}

/// The trail, from which `axle replay` repeats the execution.
pub async fn trail(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Answer {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let file = format!("attachment; filename=\"round-{round}-run-{run}-{}.trail\"", phase.name());
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (CONTENT_DISPOSITION, file)];
    Ok((headers, sequence.witness.trail).into_response())
}
