//! The answers of an engine as plain data: violations, lassos, coverage, limits and the reasons for
//! an incomplete search. Everything can be serialised and compared, and nothing contains a sentence
//! for people: reports are made from it elsewhere.
//!
//! *Entry points:* [`Outcome`] (faults of states and transitions), [`LivenessOutcome`] (a claim).

pub mod claim;
pub mod fault_kind;
pub mod fault_site;
pub mod lasso;
pub mod limits;
pub mod liveness;
pub mod progress;
pub mod safety;

pub use claim::Claim;
pub use fault_kind::FaultKind;
pub use fault_site::{FaultSite, ModelSite};
pub use lasso::{Lasso, LassoStep, Prefix};
pub use limits::{Limits, Stop};
pub use liveness::{Algorithm, AtomFault, ClaimCoverage, Fairness, Finding, LivenessOutcome};
pub use progress::Progress;
pub use safety::{Found, Memory, Outcome, Violation, ViolationKey};

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
