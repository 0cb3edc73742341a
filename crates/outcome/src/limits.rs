//! Resource limits and the reasons for an incomplete search. An incomplete search proves nothing.

use axle_model::{EdgeId, ProcId};
use serde::{Deserialize, Serialize};

/// Resource limits; `None` is unlimited. Time is limited by the caller
/// of the engine, who cancels it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory for states and paths together.
    pub memory: Option<u64>,
    /// Number of steps from the initial state.
    pub depth: Option<u64>,
    /// Number of stored states; exceeded by less than one batch of successors.
    pub states: Option<u64>,
    /// Number of distinct violations after which the search stops.
    pub errors: Option<u64>,
}

/// Reason for an incomplete search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Stop {
    /// The requested number of violations was found.
    Errors,
    /// The memory limit was reached.
    Memory,
    /// The time limit was reached.
    Time,
    /// Paths longer than the depth limit exist; every state within the limit was visited
    /// (breadth-first).
    Depth,
    /// The limit on the number of states was reached.
    States,
    /// The search was cancelled.
    Interrupted,
    /// An atomic sequence has more paths than are followed one by one, and every path is required.
    Sequence {
        /// Type of the process that started the sequence.
        proc: ProcId,
        /// First edge of the sequence.
        edge: EdgeId,
    },
    /// The checkpoint belongs to a different search.
    Checkpoint,
    /// The level log of a search by several workers belongs to a different search, is damaged, or cannot
    /// be written.
    LevelLog,
    /// No space is left on disk for the level log or for visited states.
    Disk,
    /// A worker of the search was lost, or a message between workers was damaged.
    Workers,
    /// The search ended but may have missed states: its store is lossy, or it sampled random
    /// executions.
    Approximate,
    /// The engine does not apply to the question.
    NotApplicable,
    /// Steps create more processes than this number, the most of any transition relation.
    Processes(u32),
    /// The transition relation is too large to be built.
    Relation,
    /// The engine answered without a trace or an invariant that was accepted.
    Uncertified,
    /// No further predicate refutes a counterexample of the abstraction that no execution follows.
    Predicates,
}

/// Reason for an incomplete search, without its data: the form in reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "as in Stop")]
pub enum StopReason {
    Errors,
    Memory,
    Time,
    Depth,
    States,
    Interrupted,
    Sequence,
    Checkpoint,
    LevelLog,
    Disk,
    Workers,
    Approximate,
    NotApplicable,
    Uncertified,
    Predicates,
}

impl StopReason {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Errors => "errors",
            StopReason::Memory => "memory",
            StopReason::Time => "time",
            StopReason::Depth => "depth",
            StopReason::States => "states",
            StopReason::Interrupted => "interrupted",
            StopReason::Sequence => "sequence",
            StopReason::Checkpoint => "checkpoint",
            StopReason::LevelLog => "level-log",
            StopReason::Disk => "disk",
            StopReason::Workers => "workers",
            StopReason::Approximate => "approximate",
            StopReason::NotApplicable => "not-applicable",
            StopReason::Uncertified => "uncertified",
            StopReason::Predicates => "predicates",
        }
    }

    /// Whether the end of the time cut the search, or a cancellation.
    pub fn is_end_of_time(self) -> bool {
        matches!(self, StopReason::Time | StopReason::Interrupted)
    }
}

impl From<Stop> for StopReason {
    fn from(stop: Stop) -> StopReason {
        match stop {
            Stop::Errors => StopReason::Errors,
            Stop::Memory => StopReason::Memory,
            Stop::Time => StopReason::Time,
            Stop::Depth => StopReason::Depth,
            Stop::States => StopReason::States,
            Stop::Interrupted => StopReason::Interrupted,
            Stop::Sequence { .. } => StopReason::Sequence,
            Stop::Checkpoint => StopReason::Checkpoint,
            Stop::LevelLog => StopReason::LevelLog,
            Stop::Disk => StopReason::Disk,
            Stop::Workers => StopReason::Workers,
            Stop::Approximate => StopReason::Approximate,
            Stop::NotApplicable | Stop::Processes(_) | Stop::Relation => StopReason::NotApplicable,
            Stop::Uncertified => StopReason::Uncertified,
            Stop::Predicates => StopReason::Predicates,
        }
    }
}

impl Stop {
    /// What the engine does not support, if that is the reason.
    pub fn unsupported(self) -> Option<String> {
        match self {
            Stop::NotApplicable => Some("the selected engine does not apply".to_string()),
            Stop::Processes(most) => Some(format!(
                "steps create more than {most} processes, which only the explicit engine represents"
            )),
            Stop::Relation => Some("the model is too large for a transition relation".to_string()),
            _ => None,
        }
    }

    /// Whether a search that stopped for this reason can be resumed under higher limits.
    pub fn can_go_on(self) -> bool {
        match self {
            Stop::Memory | Stop::Time | Stop::States | Stop::Interrupted | Stop::Disk => true,
            Stop::Errors
            | Stop::Depth
            | Stop::Sequence { .. }
            | Stop::Approximate
            | Stop::Checkpoint
            | Stop::LevelLog
            | Stop::Workers
            | Stop::NotApplicable
            | Stop::Processes(_)
            | Stop::Relation
            | Stop::Uncertified
            | Stop::Predicates => false,
        }
    }
}
