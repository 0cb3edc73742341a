//! What a search comes back with. A violation is named by positions alone: which successor of the initial
//! state, which successor of that, and so on; the order of successors is fixed, so a replay needs no more.

use axle_model::{EdgeId, ProcId};
use axle_step::FaultKind;

use crate::limits::Stop;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// States stored, the initial one included.
    pub states: u64,
    /// Transitions: successors of all expanded states, those that lead to known states included, and the way
    /// into the initial state, which Spin counts too.
    pub transitions: u64,
    /// Breadth-first: the number of steps to the farthest state. Depth-first: the longest path walked.
    pub depth: u64,
    /// What went wrong: one entry for each kind, process type and statement, in the order found.
    pub violations: Vec<Violation>,
    /// How often something went wrong, repetitions of the same included.
    pub found: u64,
    /// Why the search ended before it had seen everything; none where it has seen everything.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was taken.
    pub taken: Vec<Vec<bool>>,
    /// Memory in use at the end.
    pub memory: Memory,
}

impl Outcome {
    /// That of a search that ended before its first state.
    pub fn nothing(stop: Stop, taken: Vec<Vec<bool>>) -> Outcome {
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

/// Something that went wrong, and the way there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What went wrong.
    pub kind: FaultKind,
    /// The number of the process in which it went wrong.
    pub pid: u32,
    /// The type of that process, where the state around the fault still tells.
    pub proc: Option<ProcId>,
    /// The edge that was executed or tried; none for faults of a whole state.
    pub edge: Option<EdgeId>,
    /// From the initial state to the state that was being expanded: the position of each step among the
    /// successors of the state before it, counted from 0.
    pub path: Vec<u32>,
    /// At which point of the expansion it was found.
    pub found: Found,
    /// How often the same went wrong in the whole search: same kind, process type and edge.
    pub count: u64,
}

/// At which point of an expansion a fault was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Found {
    /// Before the first step, in the initial values.
    Start,
    /// In the state at the end of the path, or in a step from it that leads to no state.
    State,
    /// In the step from there to its successor at this position.
    Step(u32),
}

impl Violation {
    /// Steps from the initial state to the fault, the step at fault included.
    pub fn depth(&self) -> u64 {
        self.path.len() as u64 + u64::from(matches!(self.found, Found::Step(_)))
    }

    /// The path with the step at fault at its end, where that step leads to a state.
    pub fn steps(&self) -> Vec<u32> {
        let mut steps = self.path.clone();
        if let Found::Step(position) = self.found {
            steps.push(position);
        }
        steps
    }
}

/// Bytes of memory that a search holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    /// The set of states.
    pub states: u64,
    /// What is needed to find the way back to a state: the search tree, or the stack.
    pub paths: u64,
}

impl Memory {
    /// All of it.
    pub fn total(self) -> u64 {
        self.states + self.paths
    }
}
