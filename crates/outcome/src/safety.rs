//! The result of a search for faults of states and transitions.
//!
//! A violation is identified by positions: the index of a successor of the initial state, the index
//! of a successor of that state, and so on. The order of successors is fixed, so positions suffice
//! for a replay.

use axle_model::ProcId;
use serde::{Deserialize, Serialize};

use crate::fault_site::ModelSite;
use crate::limits::Stop;

/// Identity of a violation: site and process type. A process number replaces the process type
/// if the type is unknown.
pub type ViolationKey<I = ModelSite> = (I, Result<ProcId, u32>);

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome<I = ModelSite> {
    /// Number of states stored, including the initial state.
    pub states: u64,
    /// Number of transitions: successors of all expanded states, including known ones, plus the
    /// transition into the initial state, which Spin counts too.
    pub transitions: u64,
    /// Breadth-first: distance of the farthest state. Depth-first: length of the longest path.
    pub depth: u64,
    /// Violations: one entry per site and process type, in the order found.
    pub violations: Vec<Violation<I>>,
    /// Number of violations found, including repetitions.
    pub found: u64,
    /// Reason for an incomplete search; `None` if the search is complete.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was executed.
    pub taken: Vec<Vec<bool>>,
    /// Memory use at the end.
    pub memory: Memory,
}

impl<I> Outcome<I> {
    /// Result of a search that stopped before its first state.
    pub fn nothing(stop: Stop, taken: Vec<Vec<bool>>) -> Outcome<I> {
        Outcome {
            states: 0,
            transitions: 0,
            depth: 0,
            violations: Vec::new(),
            found: 0,
            stop: Some(stop),
            taken,
            memory: Memory::default(),
        }
    }
}

/// A violation with its trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violation<I = ModelSite> {
    /// Kind and place of the fault.
    pub site: I,
    /// Number of the process that caused the fault.
    pub pid: u32,
    /// Type of that process, if the state identifies it.
    pub proc: Option<ProcId>,
    /// Path from the initial state to the expanded state: for each step, the position among the
    /// successors of the preceding state, counted from 0.
    pub path: Vec<u32>,
    /// Point of the expansion at which the fault occurred.
    pub found: Found,
    /// Number of violations with the same site and process type in the whole search.
    pub count: u64,
}

/// Point of an expansion at which a fault occurred.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Found {
    /// Before the first step, in the initial values.
    Start,
    /// In the state at the end of the path, or in a step from it without a target state.
    State,
    /// In the step to the successor at this position.
    Step(u32),
}

impl<I: Copy> Violation<I> {
    /// Identity: two violations with equal keys are the same one, found in different executions.
    pub fn key(&self) -> ViolationKey<I> {
        (self.site, self.proc.ok_or(self.pid))
    }

    /// Number of steps from the initial state to the fault, including the failing step.
    pub fn depth(&self) -> u64 {
        self.path.len() as u64 + u64::from(matches!(self.found, Found::Step(_)))
    }

    /// The path, extended by the failing step if that step has a target state.
    pub fn steps(&self) -> Vec<u32> {
        let mut steps = self.path.clone();
        if let Found::Step(position) = self.found {
            steps.push(position);
        }
        steps
    }
}

/// Bytes of memory used by a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// State set.
    pub states: u64,
    /// Search tree or stack, from which traces are reconstructed.
    pub paths: u64,
}

impl Memory {
    /// Sum of all parts.
    pub fn total(self) -> u64 {
        self.states + self.paths
    }
}
