//! The vocabulary of answers, as plain data: answers and verdicts of properties, witnesses, reasons for
//! an open answer, violations, lassos, exact counts, coverage, limits. Everything can be serialised and
//! compared, and nothing contains a sentence for people: reports are made from it elsewhere.
//!
//! *Entry points:* [`Answer`] and [`join`] (a property), [`Outcome`] (a search for faults of states and
//! transitions), [`LivenessOutcome`] (a search for a claim).

pub mod absence;
pub mod claim;
pub mod count;
pub mod fault_kind;
pub mod fault_site;
pub mod join;
pub mod kinds;
pub mod lasso;
pub mod limits;
pub mod liveness;
mod names;
pub mod place;
pub mod progress;
pub mod reason;
pub mod safety;
pub mod verdict;

pub use absence::observes_absence;
pub use claim::Claim;
pub use count::Count;
pub use fault_kind::FaultKind;
pub use fault_site::{FaultSite, ModelSite};
pub use join::{Abstraction, Attempted, Confirmation, Contradiction, Label, join};
pub use kinds::{ViolationKind, WarningKind};
pub use lasso::{Lasso, LassoStep, Prefix};
pub use limits::{Limits, Stop, StopReason};
pub use liveness::{Algorithm, AtomFault, ClaimCoverage, Fairness, Finding, LivenessOutcome};
pub use place::Place;
pub use progress::{AbstractionProgress, Progress, WorkerProgress};
pub use reason::{CutSequence, InputClass, Limit, Reason};
pub use safety::{Found, Memory, Outcome, Violation, ViolationKey};
pub use verdict::{Answer, Counterexample, Method, Proof, Steps, Verdict, Witness};

#[cfg(test)]
mod tests {
    use axle_model::{EdgeId, ProcId};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    fn read_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let text = serde_json::to_string(value).expect("plain data can be written");
        let read: T = serde_json::from_str(&text).expect("what is written can be read");
        assert_eq!(&read, value, "{text}");
    }

    #[test]
    fn stop_reasons_have_the_names_of_reports() {
        let stops = [Stop::Errors, Stop::Memory, Stop::Time, Stop::Depth, Stop::States, Stop::Interrupted];
        let sequence = Stop::Sequence { proc: ProcId(1), edge: EdgeId(0) };
        for stop in stops.into_iter().chain([
            sequence,
            Stop::Checkpoint,
            Stop::LevelLog,
            Stop::Disk,
            Stop::Workers,
            Stop::Approximate,
            Stop::NotApplicable,
            Stop::Processes(64),
            Stop::Relation,
            Stop::Uncertified,
            Stop::Predicates,
        ]) {
            let reason = StopReason::from(stop);
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.name()));
            read_back(&reason);
        }
    }

    #[test]
    fn answers_are_serialisable() {
        read_back(&Answer::Proved(Proof {
            method: Method::InductiveInvariant,
            excludes: Counterexample::Prefix,
            is_checked: true,
        }));
        let steps = Steps::Positions { path: vec![Some(1), None], cycle: 1 };
        read_back(&Answer::Refuted(Witness { shape: Counterexample::Blocked, steps }));
        read_back(&Answer::Open(Reason::OmittedSteps { row: Some("under: C: (n) -> false".into()) }));
        read_back(&Verdict::Unknown);
    }

    #[test]
    fn outcomes_are_serialisable() {
        let violation = Violation {
            site: ModelSite { kind: FaultKind::Assertion, edge: Some(EdgeId(3)) },
            pid: 1,
            proc: Some(ProcId(2)),
            path: vec![0, 4],
            found: Found::Step(5),
            count: 6,
        };
        let stop = Stop::Sequence { proc: ProcId(1), edge: EdgeId(0) };
        read_back(&violation.key());
        read_back(&Outcome {
            violations: vec![violation],
            ..Outcome::<ModelSite>::nothing(stop, vec![vec![true]])
        });
        let step = LassoStep { edge: 1, system: None };
        let lasso = Lasso { start: 0, prefix: Vec::new(), cycle: vec![step] };
        let outcome = LivenessOutcome::nothing(&Claim::non_progress(), Stop::Approximate);
        read_back(&LivenessOutcome { finding: Some(Finding::Cycle(lasso)), ..outcome });
        read_back(&Claim::accepting());
        read_back(&(Fairness::Strong, Algorithm::NestedDfs, Limits::default(), Progress::default()));
    }
}
