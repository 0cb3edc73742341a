//! Words for what a check found: names that do not change, and sentences.

use axle_evidence::report::{PlaceReport, SearchReport, StopReport, ViolationReport};
use axle_model::{Edge, Effect, Model, Origin};
use axle_search::{Found, Outcome, Stop, Violation};
use axle_step::FaultKind;

use crate::checks::Check;
use crate::config::{Config, Order};
use crate::confirm::Confirmed;

/// The stable name of a kind of fault.
pub fn kind_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => "assertion",
        FaultKind::InvalidEnd => "invalid-end",
        FaultKind::IndexOutOfRange => "index-out-of-range",
        FaultKind::DivisionByZero => "division-by-zero",
        FaultKind::NoChannel => "no-channel",
        FaultKind::TooFewArguments => "too-few-arguments",
        FaultKind::TooFewPatterns => "too-few-patterns",
        FaultKind::TooManyArguments => "too-many-arguments",
        FaultKind::RendezvousPoll => "rendezvous-poll",
        FaultKind::RendezvousInDeterministic => "rendezvous-in-d_step",
        FaultKind::DeterministicBlocks => "d_step-blocks",
        FaultKind::EndlessSequence => "endless-sequence",
        FaultKind::NotDeterministic => "not-deterministic",
        FaultKind::TooManyProcesses => "too-many-processes",
        FaultKind::TooManyChannels => "too-many-channels",
        FaultKind::NoProcess => "no-process",
        FaultKind::BadPriority => "bad-priority",
        FaultKind::Truncation => "truncation",
        FaultKind::MessagesLeft => "messages-left",
    }
}

/// What went wrong, in a sentence without its place.
fn sentence(kind: FaultKind, edge: Option<&Edge>) -> String {
    let text = match kind {
        FaultKind::Assertion => return assertion(edge),
        FaultKind::InvalidEnd => "no process can move, and one is not where it may rest",
        FaultKind::IndexOutOfRange => "an index is outside its array",
        FaultKind::DivisionByZero => "division by zero",
        FaultKind::NoChannel => "a channel variable refers to no channel",
        FaultKind::TooFewArguments => "a send gives fewer values than the channel's messages have",
        FaultKind::TooFewPatterns => "a receive takes fewer values than the channel's messages have",
        FaultKind::TooManyArguments => "a message has more values than the channel's messages have",
        FaultKind::RendezvousPoll => "a rendezvous channel holds no message to look at",
        FaultKind::RendezvousInDeterministic => "a send on a rendezvous channel inside d_step",
        FaultKind::DeterministicBlocks => "d_step cannot go on",
        FaultKind::EndlessSequence => "an indivisible sequence goes round for ever",
        FaultKind::NotDeterministic => "a process declared deterministic has a choice",
        FaultKind::TooManyProcesses => "one process more than may exist at once",
        FaultKind::TooManyChannels => "one channel more than may exist at once",
        FaultKind::NoProcess => "a reference to a process that does not exist or is of another type",
        FaultKind::BadPriority => "a priority outside 1 to 255",
        FaultKind::Truncation => "a value loses bits where it is stored",
        FaultKind::MessagesLeft => "everything has come to its end, and a channel still holds messages",
    };
    text.to_string()
}

fn assertion(edge: Option<&Edge>) -> String {
    let mut texts = edge.into_iter().flat_map(|edge| &edge.effects).filter_map(|effect| match effect {
        Effect::Assert(_, text) => Some(text),
        _ => None,
    });
    match (texts.next(), texts.next()) {
        (Some(text), None) => format!("assertion violated: {text}"),
        // Several in one step: the trace tells which.
        _ => "assertion violated".to_string(),
    }
}

/// A violation for the report.
pub(crate) fn violation(model: &Model, violation: &Violation, seen: &Confirmed) -> ViolationReport {
    let process = seen.proc.map(|proc| model.process(proc));
    let edge = process.zip(violation.edge).and_then(|(process, edge)| process.edges.get(edge.index()));
    let named = process.filter(|_| violation.kind != FaultKind::MessagesLeft);
    let mut message = sentence(violation.kind, edge);
    if violation.found == Found::Start {
        message.push_str(", in the initial values");
    }
    ViolationReport {
        property: Check::of(violation.kind).name().to_string(),
        kind: kind_name(violation.kind).to_string(),
        message,
        process: named.map(|process| format!("{}({})", process.name, violation.pid)),
        place: place(model, seen.place),
        statement: edge.map(|edge| edge.text.clone()),
        depth: violation.depth(),
        count: violation.count,
        details: Vec::new(),
        path: violation.steps(),
    }
}

/// A place for the report; none for what stands nowhere.
pub(crate) fn place(model: &Model, origin: Origin) -> Option<PlaceReport> {
    let file = model.files.get(origin.file.index()).filter(|_| origin.line > 0)?;
    let Origin { line, column, end_line, end_column, .. } = origin;
    Some(PlaceReport { file: file.clone(), line, column, end_line, end_column })
}

/// How the search was done.
pub(crate) fn search(
    config: &Config,
    outcome: &Outcome,
    store: &str,
    engine: &str,
    state_bytes: u64,
) -> SearchReport {
    let order = match config.order {
        Order::BreadthFirst => "bfs",
        Order::DepthFirst => "dfs",
    };
    SearchReport {
        order: order.to_string(),
        store: store.to_string(),
        engine: engine.to_string(),
        states: outcome.states,
        transitions: outcome.transitions,
        depth: outcome.depth,
        state_bytes,
        states_memory: outcome.memory.states,
        paths_memory: outcome.memory.paths,
        seconds: 0.0,
    }
}

/// Why the search ended early.
pub(crate) fn stop(stop: Stop, config: &Config) -> StopReport {
    let (reason, message) = match stop {
        Stop::Errors => {
            let message = match config.limits.errors {
                Some(1) | None => {
                    "the search stopped at the first violation; --errors all goes on".to_string()
                }
                Some(n) => format!("the search stopped at {n} different violations; --errors all goes on"),
            };
            ("errors", message)
        }
        Stop::Memory => ("memory", "the memory limit was met; --memory raises it".to_string()),
        Stop::Time => ("time", "the time limit was met; --time raises it".to_string()),
        Stop::Depth => {
            ("depth", "runs longer than the depth limit were cut off; --depth raises it".to_string())
        }
        Stop::States => ("states", "the limit on states was met; --states raises it".to_string()),
        Stop::Interrupted => ("interrupted", "the search was interrupted".to_string()),
    };
    StopReport { reason: reason.to_string(), message }
}
