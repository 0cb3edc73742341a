//! Words for what a check found: names that do not change, and sentences.

use axle_evidence::replay::place;
use axle_evidence::report::{
    PropertyReport, ReductionReport, Report, SearchReport, StopReport, ViolationReport,
};
use axle_evidence::words::sentence;
use axle_model::{EdgeId, Model, ProcId};
use axle_search::{Found, Outcome, Reduction, Stop, Violation};
use axle_step::FaultKind;
use axle_step::interpret::long_sequence::LongSequence;
use axle_step::options::MOST_BY_PATH;

use crate::checks::Check;
use crate::config::{Config, Order};
use crate::confirm::Confirmed;
use crate::explored::ReductionStatus;
use crate::vocabulary::with_name;

/// A violation for the report.
pub(crate) fn violation(model: &Model, violation: &Violation, seen: &Confirmed) -> ViolationReport {
    let process = seen.proc.map(|proc| model.process(proc));
    let edge = process.zip(violation.site.edge).and_then(|(process, edge)| process.edges.get(edge.index()));
    let named = process.filter(|_| violation.site.kind != FaultKind::MessagesLeft);
    let mut message = sentence(violation.site.kind, edge);
    if violation.found == Found::Start {
        message.push_str(", in the initial values");
    }
    ViolationReport {
        property: Check::of(violation.site.kind).name().to_string(),
        kind: violation.site.kind.name().to_string(),
        message,
        process: named.map(|process| format!("{}({})", process.name, violation.pid)),
        place: place(model, seen.place),
        statement: edge.map(|edge| edge.text.clone()),
        depth: violation.depth(),
        count: violation.count,
        details: seen.details.clone(),
        path: violation.steps().into_iter().map(Some).collect(),
        cycle: None,
        attempt: None,
    }
}

/// Names the attempt that found a violation, if it is not the exact search.
pub(crate) fn name_finder(violation: &mut ViolationReport, finder: Option<String>) {
    if let Some(finder) = finder {
        violation.details.push(format!("found by: {finder}"));
        violation.attempt = Some(finder);
    }
}

/// How the search was done.
pub(crate) fn search(
    config: &Config,
    outcome: &Outcome<impl Sized>,
    store: &str,
    engine: &str,
    state_bytes: u64,
) -> SearchReport {
    let order = match config.order {
        Order::BreadthFirst => "bfs",
        Order::DepthFirst => "dfs",
        Order::Stateless => "stateless",
        Order::Random => "random",
    };
    SearchReport {
        order: order.to_string(),
        store: store.to_string(),
        approximation: None,
        reduction: None,
        counter_abstraction: false,
        passes: Vec::new(),
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

/// The reduction of the search.
pub(crate) fn reduction(config: &Config, told: ReductionStatus) -> Option<ReductionReport> {
    let (kind, savings, reason) = match told {
        _ if config.reduction == Reduction::None => return None,
        ReductionStatus::Off => return None,
        ReductionStatus::NotApplied(reason) => {
            (Reduction::None, axle_search::Savings::default(), Some(reason.to_string()))
        }
        ReductionStatus::Applied(kind, savings) => (kind, savings, None),
    };
    let kind = match kind {
        Reduction::None => "none",
        Reduction::Ample => "ample",
        Reduction::Stubborn => "stubborn",
        Reduction::Guards => "guards",
    };
    Some(ReductionReport {
        kind: kind.to_string(),
        reason,
        expanded: savings.expanded,
        reduced: savings.reduced,
        passed: savings.compressed,
    })
}

/// Why the search ended early.
pub(crate) fn stop(model: Option<&Model>, stop: Stop, config: &Config) -> StopReport {
    let words = config.vocabulary;
    let (reason, message) = match stop {
        Stop::Errors => {
            let message = match config.limits.errors {
                Some(1) | None => "stopped at the first violation".to_string(),
                Some(n) => format!("stopped after {n} different violations"),
            };
            ("errors", with_name(&message, words.all_violations))
        }
        Stop::Memory => ("memory", with_name("memory limit reached", words.memory)),
        Stop::Time => ("time", with_name("time limit reached", words.time)),
        Stop::Depth => (
            "depth",
            match config.limits.depth {
                Some(depth) => with_name(&format!("search truncated at depth {depth}"), words.depth),
                None => with_name("search truncated at the depth limit", words.depth),
            },
        ),
        Stop::States => ("states", with_name("state limit reached", words.states)),
        Stop::Sequence { proc, edge } => ("sequence", sequence(model, proc, edge)),
        Stop::Interrupted => ("interrupted", "interrupted".to_string()),
        Stop::Checkpoint => (
            "checkpoint",
            "the checkpoint does not match this search: the model, an option or the version of Axle differs"
                .to_string(),
        ),
        Stop::Approximate => {
            ("approximate", "lossy search: no violation found, but states may have been omitted".to_string())
        }
    };
    StopReport { reason: reason.to_string(), message }
}

/// Names the long sequence in which a search was cut, in the reason for its end and in that of each
/// undecided property. `model` is the searched model.
pub(crate) fn name_sequence(report: &mut Report, model: &Model, long: LongSequence) {
    let Some(stop) = &mut report.stop else { return };
    if !["time", "memory", "interrupted"].contains(&stop.reason.as_str()) {
        return;
    }
    let LongSequence { proc, edge, steps } = long;
    let told =
        format!("{}; {} executed {steps} steps from one state", stop.message, named(Some(model), proc, edge));
    let same = |property: &&mut PropertyReport| property.reason.as_ref() == Some(&stop.message);
    for property in report.properties.iter_mut().filter(same) {
        property.reason = Some(told.clone());
    }
    stop.message = told;
}

/// What to say of a sequence that has too many paths.
fn sequence(model: Option<&Model>, proc: ProcId, edge: EdgeId) -> String {
    format!(
        "{} has more than {MOST_BY_PATH} steps, whose paths are not all followed",
        named(model, proc, edge)
    )
}

/// An atomic sequence, by its process and its first statement.
fn named(model: Option<&Model>, proc: ProcId, edge: EdgeId) -> String {
    let process = model.and_then(|model| model.processes.get(proc.index()));
    let first = process.and_then(|process| Some((&process.name, process.edges.get(edge.index())?)));
    match first {
        Some((process, first)) => {
            let at = model.and_then(|model| place(model, *first.origins.first()?));
            let at = at.map_or(String::new(), |at| format!(" ({}:{}:{})", at.file, at.line, at.column));
            format!("the uninterrupted sequence of {process} that begins with `{}`{at}", first.text)
        }
        None => "an uninterrupted sequence".to_string(),
    }
}
