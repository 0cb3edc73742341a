//! Stable names and sentences for the results of a check.

use axle_evidence::replay::place;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{ReductionReport, Report, SearchReport, StopReport, ViolationReport};
use axle_evidence::words::sentence;
use axle_explicit::ReductionStatus;
use axle_model::Model;
use axle_outcome::{CutSequence, Reason, StopReason};
use axle_question::EngineId;
use axle_question::checks::Check;
use axle_question::config::{Config, Order};
use axle_search::{Found, Outcome, Reduction, Stop, Violation};
use axle_step::FaultKind;
use axle_step::interpret::long_sequence::LongSequence;

use crate::judgement::confirm::Confirmed;

/// A violation for the report.
pub fn violation(model: &Model, violation: &Violation, seen: &Confirmed) -> ViolationReport {
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
        rows: Vec::new(),
    }
}

/// Names the attempt that found a violation, if it is not the exact search.
pub fn name_finder(violation: &mut ViolationReport, finder: Option<String>) {
    if let Some(finder) = finder {
        violation.details.push(format!("found by: {finder}"));
        violation.attempt = Some(finder);
    }
}

/// How the search was done.
pub fn search(
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
        abstraction: None,
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
pub fn stop(model: Option<&Model>, stop: Stop, config: &Config) -> StopReport {
    StopReport::new(stop, &reason(stop, config), &Words { names: config.vocabulary, model })
}

/// The same as data.
pub fn reason(stop: Stop, config: &Config) -> Reason {
    match (stop, config.other_engine()) {
        (Stop::Uncertified, Some(engine)) => {
            let program = config.program.as_ref().filter(|_| engine == EngineId::PROGRAM);
            let program = program.and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
            let by = program.map_or_else(|| engine.to_string(), |name| name.into_owned());
            Reason::Uncertified { by: Some(by) }
        }
        (Stop::NotApplicable, Some(engine)) => match config.option_beyond(engine) {
            Some(option) => {
                let what = format!("the engine {engine} does not support {option}");
                Reason::NotSupported { what, place: None }
            }
            None => Reason::of_stop(stop, &config.limits),
        },
        _ => Reason::of_stop(stop, &config.limits),
    }
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

#[cfg(test)]
mod tests {
    use axle_search::Stop;

    use super::*;
    use axle_evidence::vocabulary::Vocabulary;

    use crate::judgement::run_report::weak_fairness;

    #[test]
    fn messages_name_settings_only_as_the_front_end_does() {
        static NAMED: Vocabulary =
            Vocabulary { time: "--time", weak_fairness: "a check box", ..*Vocabulary::NONE };
        let config = Config { vocabulary: &NAMED, ..Config::default() };
        assert_eq!(stop(None, Stop::Time, &config).message, "time limit reached (--time)");
        assert_eq!(stop(None, Stop::Memory, &config).message, "memory limit reached");
        let hint = weak_fairness(&NAMED);
        assert_eq!(hint, "with weak process fairness (a check box) this cycle is excluded");
        for reason in [Stop::Errors, Stop::Memory, Stop::Time, Stop::Depth, Stop::States] {
            let message = stop(None, reason, &Config::default()).message;
            assert!(!message.contains("--") && !message.contains('('), "{message}");
        }
    }
}
