//! The trait between successor generation and search, and the buffer that carries successors.
//!
//! Work goes by batches: a search hands over some states, gets all their successors in one buffer, and
//! gives that buffer to the store, which can then prefetch for all of them at once (reference: a dependent
//! cache miss costs 267 to 405 ns, a prefetched one 15 to 22).

use std::fmt;
use std::sync::Arc;

use axle_model::{EdgeId, ProcId};

use crate::fault::Fault;
use crate::layout::Layout;
use crate::movers::Movers;

/// Why successors are missing from a batch: what is there proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    /// They, or what has to be kept to find them, would have taken more than [`Batch::most`].
    Memory,
    /// An uninterrupted sequence has more steps from one state than are followed
    /// ([`MOST_STEPS`](crate::options::MOST_STEPS), [`MOST_INNER`](crate::options::MOST_INNER)).
    Sequence {
        /// The type of the process that began it.
        proc: ProcId,
        /// The edge by which it began.
        edge: EdgeId,
    },
    /// Whoever was asked says that the time is over.
    Time,
    /// Whoever was asked says that someone wants an end.
    Interrupted,
}

/// Whom to ask, now and then, whether a long expansion is still wanted; by default nobody.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<dyn Fn() -> Option<Cut> + Send + Sync>>);

impl Interrupt {
    /// Asks this function, which should be quick: it is called after every few thousand steps inside an
    /// uninterrupted sequence. A reason ends the expansion.
    pub fn new(answer: impl Fn() -> Option<Cut> + Send + Sync + 'static) -> Interrupt {
        Interrupt(Some(Arc::new(answer)))
    }

    /// Asks.
    pub fn ask(&self) -> Option<Cut> {
        self.0.as_ref().and_then(|answer| answer())
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Interrupt(someone)" } else { "Interrupt(nobody)" })
    }
}

/// The successors of a batch of states.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    /// Successor after successor, each as wide as the layout says.
    pub states: Vec<u8>,
    /// For each source in order, how many successors it and those before it have.
    pub ends: Vec<u32>,
    /// What went wrong, by source.
    pub faults: Vec<Fault>,
    /// Who moves in each successor, where [`crate::Options::movers`] asks for it; otherwise empty.
    pub movers: Movers,
    /// The most bytes that `states` may take; none is no limit. Paths through one uninterrupted sequence can have
    /// more ends than there is memory for.
    pub most: Option<usize>,
    /// Who is asked whether a long expansion is to go on.
    pub interrupt: Interrupt,
    /// Why some are missing, where any are: what is here then proves nothing.
    pub cut: Option<Cut>,
}

impl Batch {
    /// Empties the buffer and keeps its memory, its limit and its interrupt.
    pub fn clear(&mut self) {
        self.cut = None;
        self.states.clear();
        self.ends.clear();
        self.faults.clear();
        self.movers.clear();
    }

    /// Takes away all successors and what goes wrong on the way to them; whether there were any. For states at a limit of depth: what
    /// is wrong with the states themselves still counts.
    pub fn without_steps(&mut self) -> bool {
        let some = !self.states.is_empty();
        self.states.clear();
        self.ends.fill(0);
        self.movers.clear();
        self.faults.retain(|fault| fault.successor.is_none());
        some
    }

    /// Says that it is cut where its successors take more than they may.
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

/// The layout has no slot for a process that a step creates. Make room with [`Successors::grow`], widen
/// all stored states with zeros, and expand the batch again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grow {
    /// How many slots the step needs.
    pub slots: usize,
}

/// A successor function. Two calls with the same states give the same successors in the same order:
/// by process number from 0, by edge in order of the location's `out`, a random receive and every partner
/// of a handshake (by process number, then edge) where it belongs; the ends of an uninterrupted sequence
/// in depth-first order.
pub trait Successors {
    /// Where everything lives in a state.
    fn layout(&self) -> &Layout;

    /// The state before the first step, and the faults of the model's prologue (their source is 0).
    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8>;

    /// Appends nothing to, but replaces the contents of `out` by, the successors of `states` (one or more
    /// states, one after the other). Where these do not fit into [`Batch::most`], or a sequence is too long, the
    /// batch is [`Batch::cut`].
    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow>;

    /// Makes room for `slots` process numbers; [`Layout::width`] is then larger.
    fn grow(&mut self, slots: usize);

    /// For every process type and edge, whether the edge has been taken so far.
    fn taken(&self) -> &[Vec<bool>];

    /// What else it counts, for whoever writes down where a search is.
    fn tally(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Counts on from there.
    fn recount(&mut self, tally: [u64; 3]) {
        let _ = tally;
    }
}

/// Whom to expand: all processes, as [`Successors::expand`] does.
pub const EVERYONE: u64 = u64::MAX;

/// A successor function that can be asked for the steps of some processes only.
pub trait Selective: Successors {
    /// Replaces the contents of `out` by the successors of `states`, for each of which `chosen` has a mask: one bit
    /// for each process number below 63 that is to be expanded, or [`EVERYONE`]. Of those chosen, the successors
    /// come in the order in which they come among all; `timeout` is 0 for them, and where none of them can move
    /// there is no successor and nothing is said about an end. Who moves is only said for [`EVERYONE`].
    fn expand_chosen(&mut self, states: &[u8], chosen: &[u64], out: &mut Batch) -> Result<(), Grow>;
}
