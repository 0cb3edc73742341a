//! The interface between engines and searches, in parts that are needed separately: successors,
//! processes, statistics, and the layout of the states of models.
//!
//! *Entry points:* [`Successors::expand`], [`Graph`].
//! *Invariant:* a search reads nothing from a state or from the site of a fault.

use axle_model::ProcId;
use axle_outcome::{FaultSite, ModelSite};

use crate::batch::Batch;
use crate::fault::Fault;
use crate::layout::Layout;

/// The states are too narrow for a successor. The caller must call [`Successors::grow`], widen all
/// stored states with zeros, and expand the batch again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grow {
    /// The size that the step needs, in units of the engine: slots for the processes of a model, blocks
    /// of bytes of a C program.
    pub size: usize,
}

/// A successor function: all that a search needs of an engine to explore its states. Two calls with
/// the same states return the same successors in the same order.
///
/// The order of the engines for models: by process number from 0, then by edge in order of the
/// location's `out`; the messages of a random receive and the partners of a rendezvous (by process
/// number, then edge) follow in place; the ends of an atomic sequence are in depth-first order.
pub trait Successors {
    /// The faults of its steps and states.
    type Site: FaultSite;

    /// Bytes of a state, a multiple of 4.
    fn width(&self) -> usize;

    /// The initial state, and the faults of the initial values (their source is 0).
    fn initial(&mut self, faults: &mut Vec<Fault<Self::Site>>) -> Vec<u8>;

    /// Replaces the contents of `out` by the successors of `states` (one or more states, one after
    /// the other). If these exceed [`Batch::most`], or the callback ends the expansion, [`Batch::cut`]
    /// is set.
    fn expand(&mut self, states: &[u8], out: &mut Batch<Self::Site>) -> Result<(), Grow>;

    /// The size of the states, in the unit of [`Grow`].
    fn size(&self) -> usize;

    /// Increases the width for states of this size.
    fn grow(&mut self, size: usize);
}

/// The processes of the states.
pub trait Processes {
    /// Number of processes that states of the present size can have, for fairness.
    fn slots(&self) -> usize;

    /// Whether a state may come to have more processes, as a checkpoint says.
    fn can_grow(&self) -> bool {
        false
    }

    /// The type of a process in a state; `None` if it is unknown or the process does not exist.
    fn process_type(&self, _state: &[u8], _pid: u32) -> Option<ProcId> {
        None
    }
}

/// A graph that is made from another one and has the same processes.
pub trait Wrapper {
    /// The other graph.
    type Inner: Processes;

    /// The other graph.
    fn inner(&self) -> &Self::Inner;
}

impl<W: Wrapper> Processes for W {
    fn slots(&self) -> usize {
        self.inner().slots()
    }

    fn can_grow(&self) -> bool {
        self.inner().can_grow()
    }

    fn process_type(&self, state: &[u8], pid: u32) -> Option<ProcId> {
        self.inner().process_type(state, pid)
    }
}

/// What a successor function counts.
pub trait Statistics {
    /// For every process type and edge, whether the edge was executed so far.
    fn taken(&self) -> &[Vec<bool>];

    /// Further counters, for checkpoints.
    fn tally(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Restores the counters from a checkpoint.
    fn recount(&mut self, _tally: [u64; 3]) {}
}

/// All that a search can ask of an engine.
pub trait Graph: Successors + Processes + Statistics {}

impl<G: Successors + Processes + Statistics> Graph for G {}

/// A graph of the states of a model.
pub trait ModelGraph: Graph<Site = ModelSite> {
    /// The layout of the states.
    fn layout(&self) -> &Layout;
}

/// Mask of all processes, as expanded by [`Successors::expand`].
pub const EVERYONE: u64 = u64::MAX;

/// A successor function that can expand a subset of the processes.
pub trait Selective: ModelGraph {
    /// Replaces the contents of `out` by the successors of `states`. For each state `chosen` holds
    /// a mask: one bit for each process number below 63 to expand, or [`EVERYONE`]. The successors
    /// are in the order in which they are among all successors. `timeout` is 0 for them; if no
    /// chosen process is enabled, there is no successor and no end-state fault. Executing processes
    /// are reported for [`EVERYONE`] only.
    fn expand_chosen(&mut self, states: &[u8], chosen: &[u64], out: &mut Batch) -> Result<(), Grow>;
}
