//! Interface between successor generation and search: the successor trait and the buffer of
//! successors.
//!
//! Work is done in batches: a search passes some states, receives all their successors in one
//! buffer, and passes this buffer to the store, which prefetches for all of them at once. A
//! dependent cache miss costs 267 to 405 ns, a prefetched one 15 to 22 ns.
//!
//! *Entry point:* [`Successors::expand`].

use std::fmt;
use std::sync::Arc;

use axle_model::ProcId;
use axle_outcome::{FaultSite, ModelSite, Stop};

use crate::fault::Fault;
use crate::layout::Layout;
use crate::movers::Movers;

/// Reason why successors are missing from a batch. An incomplete batch proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    /// The successors, or the data needed to compute them, would exceed [`Batch::most`].
    Memory,
    /// The time limit was reached, as reported by the cancellation callback.
    Time,
    /// The search was cancelled, as reported by the cancellation callback.
    Interrupted,
}

impl From<Cut> for Stop {
    fn from(cut: Cut) -> Stop {
        match cut {
            Cut::Memory => Stop::Memory,
            Cut::Time => Stop::Time,
            Cut::Interrupted => Stop::Interrupted,
        }
    }
}

/// Cancellation callback, polled every few thousand steps of a long expansion. Default: none.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<dyn Fn() -> Option<Cut> + Send + Sync>>);

impl Interrupt {
    /// Installs a callback, which should be fast: it is called every few thousand steps inside an
    /// atomic sequence. A returned reason ends the expansion.
    pub fn new(answer: impl Fn() -> Option<Cut> + Send + Sync + 'static) -> Interrupt {
        Interrupt(Some(Arc::new(answer)))
    }

    /// Polls the callback.
    pub fn ask(&self) -> Option<Cut> {
        self.0.as_ref().and_then(|answer| answer())
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Interrupt(callback)" } else { "Interrupt(none)" })
    }
}

/// The successors of a batch of states.
#[derive(Clone, Debug)]
pub struct Batch<I = ModelSite> {
    /// All successors, one after the other, each of the layout's width.
    pub states: Vec<u8>,
    /// For each source in order, the number of successors of it and of all sources before it.
    pub ends: Vec<u32>,
    /// Faults, by source.
    pub faults: Vec<Fault<I>>,
    /// The executing processes of each successor if [`crate::Options::movers`] is set; otherwise
    /// empty.
    pub movers: Movers,
    /// Maximum number of bytes of `states`; `None` is unlimited. The paths through one atomic
    /// sequence may have more ends than fit in memory.
    pub most: Option<usize>,
    /// Cancellation callback for long expansions.
    pub interrupt: Interrupt,
    /// Reason why successors are missing; `None` if the batch is complete.
    pub cut: Option<Cut>,
}

impl<I> Default for Batch<I> {
    fn default() -> Self {
        Batch {
            states: Vec::new(),
            ends: Vec::new(),
            faults: Vec::new(),
            movers: Movers::default(),
            most: None,
            interrupt: Interrupt::default(),
            cut: None,
        }
    }
}

impl<I> Batch<I> {
    /// Empties the buffer and keeps its memory, its limit and its callback.
    pub fn clear(&mut self) {
        self.cut = None;
        self.states.clear();
        self.ends.clear();
        self.faults.clear();
        self.movers.clear();
    }

    /// Removes all successors and the faults of the steps to them; returns whether there were any.
    /// For states at a depth limit: faults of the states themselves remain.
    pub fn without_steps(&mut self) -> bool {
        let some = !self.states.is_empty();
        self.states.clear();
        self.ends.fill(0);
        self.movers.clear();
        self.faults.retain(|fault| fault.successor.is_none());
        some
    }

    /// Marks the batch as cut if its successors exceed the limit.
    pub(crate) fn keep_to_limit(&mut self) {
        if self.most.is_some_and(|most| self.states.len() > most) {
            self.cut = self.cut.or(Some(Cut::Memory));
        }
    }

    /// The successors of source `source`, as positions in the batch.
    pub fn range(&self, source: usize) -> std::ops::Range<usize> {
        let start = if source == 0 { 0 } else { self.ends[source - 1] as usize };
        start..self.ends[source] as usize
    }
}

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
