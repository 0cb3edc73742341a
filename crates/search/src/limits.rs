//! How far a search may go, and why it ended early. A search that ended early proves nothing.

use axle_model::{EdgeId, ProcId};
use axle_step::{Cut, FaultKind};

/// What a search is asked to do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// How far it may go.
    pub limits: Limits,
    /// Faults of these kinds are passed over in silence.
    pub ignored: Vec<FaultKind>,
}

/// How far a search may go. None is no limit. Time is the [`Monitor`](crate::Monitor)'s business.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Bytes of memory, for states and paths together.
    pub memory: Option<u64>,
    /// Steps from the initial state.
    pub depth: Option<u64>,
    /// States stored; passed by less than one batch of successors.
    pub states: Option<u64>,
    /// Different violations after which to stop.
    pub errors: Option<u64>,
}

impl Limits {
    /// The most bytes that the successors of one batch may take, when the search holds `held` bytes: what else
    /// they need on their way into the set, and the set for them, is several times as much.
    pub(crate) fn most_in_flight(&self, held: u64) -> Option<usize> {
        const SHARE: u64 = 8;
        self.memory.map(|limit| usize::try_from(limit.saturating_sub(held) / SHARE).unwrap_or(usize::MAX))
    }
}

/// Why a search ended before it had seen everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// As many violations were found as were asked for.
    Errors,
    /// The memory limit was met.
    Memory,
    /// The time limit was met.
    Time,
    /// Some paths are longer than the depth limit; everything within it was seen (breadth-first).
    Depth,
    /// The limit on states was met.
    States,
    /// Someone asked for an end.
    Interrupted,
    /// An uninterrupted sequence has more steps from one state than are followed.
    Sequence {
        /// The type of the process that began it.
        proc: ProcId,
        /// The edge by which it began.
        edge: EdgeId,
    },
    /// The checkpoint that it was to go on from is not one of this search.
    Checkpoint,
    /// The search came to its end, but by its nature it may have missed states: its store may take a new state for a
    /// known one, or it walked at random.
    Approximate,
}

impl Stop {
    /// Whether a search that ended so can go on from where it was, under wider limits.
    pub fn can_go_on(self) -> bool {
        match self {
            Stop::Memory | Stop::Time | Stop::States | Stop::Interrupted => true,
            Stop::Errors | Stop::Depth | Stop::Sequence { .. } | Stop::Approximate | Stop::Checkpoint => {
                false
            }
        }
    }
}

impl From<Cut> for Stop {
    fn from(cut: Cut) -> Stop {
        match cut {
            Cut::Memory => Stop::Memory,
            Cut::Sequence { proc, edge } => Stop::Sequence { proc, edge },
            Cut::Time => Stop::Time,
            Cut::Interrupted => Stop::Interrupted,
        }
    }
}
