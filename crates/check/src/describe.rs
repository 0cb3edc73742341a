//! Words for what a check found: names that do not change, and sentences.

use axle_evidence::replay::place;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{ReductionReport, Report, SearchReport, StopReport, ViolationReport};
use axle_evidence::words::sentence;
use axle_model::Model;
use axle_outcome::{CutSequence, Reason, StopReason};
use axle_search::{Found, Outcome, Reduction, Stop, Violation};
use axle_step::FaultKind;
use axle_step::interpret::long_sequence::LongSequence;

use crate::attempt::EngineId;
use crate::checks::Check;
use crate::config::{Config, Order};
use crate::confirm::Confirmed;
use crate::explored::ReductionStatus;

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
        kind: violation.site.kind.into(),
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
        answered_by: EngineId::EXPLICIT.to_string(),
        proof: None,
        order: order.to_string(),
        store: store.to_string(),
        approximation: None,
        reduction: None,
        counter_abstraction: false,
        passes: Vec::new(),
        engine: engine.to_string(),
        states: outcome.states.into(),
        transitions: outcome.transitions.into(),
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
    StopReport::new(stop, &reason(stop, config), &Words { names: config.vocabulary, model })
}

/// The same as data.
pub(crate) fn reason(stop: Stop, config: &Config) -> Reason {
    Reason::of_stop(stop, &config.limits)
}

/// Names the long sequence in which a search was cut, in the reason for its end and in that of each
/// undecided property. `model` is the searched model.
pub(crate) fn name_sequence(report: &mut Report, model: &Model, config: &Config, long: LongSequence) {
    let stop = match report.stop.as_ref().map(|stop| stop.reason) {
        Some(StopReason::Time) => Stop::Time,
        Some(StopReason::Memory) => Stop::Memory,
        Some(StopReason::Interrupted) => Stop::Interrupted,
        Some(_) | None => return,
    };
    let LongSequence { proc, edge, steps } = long;
    let plain = reason(stop, config);
    let cut = plain.clone().in_sequence(CutSequence { proc, edge, steps });
    let words = Words { names: config.vocabulary, model: Some(model) };
    for property in report.properties.iter_mut().filter(|one| one.cause.as_ref() == Some(&plain)) {
        property.leave_open(cut.clone(), &words);
    }
    report.stop = Some(StopReport::new(stop, &cut, &words));
}
