//! The accesses that a state records, and the sets of those that happen before the next operation of
//! each thread. `observers/happens_before.rs` keeps them up to date.
//!
//! *Invariant:* the bit sets refer to the accesses of the same state.

use crate::state::access::Span;
use crate::state::value::Place;

/// Stands for the lock of sections that are atomic.
pub(crate) const SECTION: Place = (0, 0);

/// A set of recorded accesses: bit i stands for `accesses[i]`.
pub type Accesses = u128;

/// How an access counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Kind {
    /// Atomic.
    pub atomic: bool,
    /// Atomic with an order weaker than sequential consistency.
    pub weak: bool,
    /// A relaxed read-modify-write that commutes with others of its kind, and whose result is
    /// unused.
    pub counter: bool,
}

impl Kind {
    /// The kind as a number of three bits.
    pub fn bits(self) -> u8 {
        u8::from(self.atomic) | u8::from(self.weak) << 1 | u8::from(self.counter) << 2
    }

    pub fn of_bits(bits: u8) -> Kind {
        Kind { atomic: bits & 1 != 0, weak: bits & 2 != 0, counter: bits & 4 != 0 }
    }

    /// Whether whatever conflicts or contends with an access of the other kind does so with one of
    /// this kind.
    pub fn covers(self, other: Kind) -> bool {
        !self.atomic || other.atomic && (self.weak || !other.weak) && (!self.counter || other.counter)
    }
}

/// A recorded access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The bytes.
    pub span: Span,
    /// Atomic, and how.
    pub kind: Kind,
    /// The object that stands for the thread.
    pub thread: u32,
    /// Code and step.
    pub site: u32,
}

/// What happens before a thread's next operation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct View {
    /// Accesses that happen before the thread's next operation.
    pub seen: Accesses,
    /// Accesses that an acquire fence adds: those released by what relaxed loads have read.
    pub pending: Accesses,
    /// Accesses that happened before the last release fence: relaxed stores release them.
    pub fenced: Accesses,
}

impl View {
    /// The same after the accesses were put in another order; see [`renumbered`].
    pub fn renumbered(self, kept: &[usize]) -> View {
        View {
            seen: renumbered(self.seen, kept),
            pending: renumbered(self.pending, kept),
            fenced: renumbered(self.fenced, kept),
        }
    }
}

/// Whether an access belongs to one of the sets of a thread.
pub(crate) fn holds(view: &View, index: usize) -> bool {
    (view.seen | view.pending | view.fenced) >> index & 1 == 1
}

/// The set after the accesses were put in another order: `order[i]` is the old number of access i.
pub(crate) fn renumbered(set: Accesses, order: &[usize]) -> Accesses {
    order.iter().enumerate().fold(0, |new, (at, &old)| new | (set >> old & 1) << at)
}

/// What an acquire operation on an object adds to a thread's set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Release {
    /// The atomic object or the lock.
    pub place: Place,
    /// The thread whose operation heads the release sequence, by its object; 0 for locks and
    /// threads that are gone.
    pub thread: u32,
    /// The accesses that happen before the operation.
    pub seen: Accesses,
}

/// The part of a state that decides about happens-before; empty in programs without weak memory
/// orders.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HappensBefore {
    /// The accesses that may still be part of a race.
    pub accesses: Vec<Recorded>,
    /// What locks and atomic objects release.
    pub releases: Vec<Release>,
}

/// Contention on atomic objects that a search has met.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contention {
    places: Vec<Place>,
    /// An operation weaker than sequential consistency that contends: code and step.
    pub(crate) weak: Option<u32>,
}

impl Contention {
    /// Adds an atomic object that contention was met on.
    pub fn add(&mut self, place: Place) {
        if self.places.len() < 2 && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Adds what another search has met.
    pub fn join(&mut self, other: &Contention) {
        other.places.iter().for_each(|&place| self.add(place));
        self.weak = self.weak.or(other.weak);
    }

    /// The weak operation, where executions that are not sequentially consistent may exist.
    pub fn weak_site(&self) -> Option<u32> {
        self.weak.filter(|_| self.places.len() > 1)
    }
}
