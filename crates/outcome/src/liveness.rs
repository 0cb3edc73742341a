//! The result of a search for an execution that a claim accepts.

use serde::{Deserialize, Serialize};

use crate::claim::{Atom, Claim};
use crate::fault_kind::FaultKind;
use crate::lasso::{Lasso, Prefix};
use crate::limits::Stop;
use crate::safety::Memory;

/// Assumption about the scheduler. A process is *enabled* in a state if some successor is one of
/// its transitions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub enum Fairness {
    /// No assumption.
    #[default]
    None,
    /// Weak fairness: a process that is continuously enabled from some point on is executed
    /// infinitely often.
    Weak,
    /// Strong fairness: a process that is enabled infinitely often is executed infinitely often.
    Strong,
}

/// Search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub enum Algorithm {
    /// Strongly connected components: any acceptance condition, any fairness assumption.
    #[default]
    Components,
    /// Nested depth-first search: two bits per state, at most one acceptance set, no fairness.
    NestedDfs,
}

/// Counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Finding {
    /// An infinite (fair) execution that meets every acceptance set infinitely often.
    Cycle(Lasso),
    /// The claim terminates: after the steps of the prefix, by this edge of its location.
    ClaimEnd(Prefix, u32),
    /// An assertion of the claim fails: after the steps of the prefix, on this edge of its
    /// location.
    ClaimAssertion(Prefix, u32),
}

/// An atom whose evaluation failed; its value was taken as false.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AtomFault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The atom.
    pub atom: Atom,
    /// Path to the state in which the evaluation failed.
    pub prefix: Prefix,
}

/// Coverage of the claim by the search, for vacuity detection.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ClaimCoverage {
    /// For each location, whether the claim reached it.
    pub locations: Vec<bool>,
    /// For each location and edge, whether its guard was ever true.
    pub edges: Vec<Vec<bool>>,
}

impl ClaimCoverage {
    /// Coverage before the search.
    pub fn none(claim: &Claim) -> ClaimCoverage {
        ClaimCoverage {
            locations: vec![false; claim.locations.len()],
            edges: claim.locations.iter().map(|location| vec![false; location.edges.len()]).collect(),
        }
    }
}

/// Result of a search for one claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LivenessOutcome {
    /// Counterexample, if one was found. The claim is unsatisfied if this and `stop` are `None` and
    /// `faults` is empty.
    pub finding: Option<Finding>,
    /// Atoms whose evaluation failed where their value was required: one entry per kind and atom.
    pub faults: Vec<AtomFault>,
    /// Number of product states stored.
    pub states: u64,
    /// Number of transitions of the product.
    pub transitions: u64,
    /// Coverage of the claim.
    pub coverage: ClaimCoverage,
    /// Reason for an incomplete search, other than a counterexample.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was executed.
    pub taken: Vec<Vec<bool>>,
    /// Memory use at the end: states and search structures.
    pub memory: Memory,
}

impl LivenessOutcome {
    /// Result of a search that stopped before its first state.
    pub fn nothing(claim: &Claim, stop: Stop) -> LivenessOutcome {
        LivenessOutcome {
            finding: None,
            faults: Vec::new(),
            states: 0,
            transitions: 0,
            coverage: ClaimCoverage::none(claim),
            stop: Some(stop),
            taken: Vec::new(),
            memory: Memory::default(),
        }
    }
}
