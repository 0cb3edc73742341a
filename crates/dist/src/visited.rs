//! The visited states of a worker: in memory, or on disk.
//!
//! *Entry point:* [`Visited`].
//!
//! *Invariant:* after [`Visited::settle`] both have the same states, and return those of the last level.

use axle_store::{AutoSet, OutOfMemory, Packed, StateSet};

use crate::delayed::DelayedSet;
use crate::failure::Failure;
use crate::report::Halt;

/// The states that a worker has stored.
pub(crate) enum Visited {
    /// In memory: a state is new or not when it is inserted.
    Memory(Box<Packed<AutoSet>>),
    /// On disk: a state is new or not at the end of its level.
    Disk(Box<DelayedSet>),
}

impl Visited {
    /// An empty set in memory for states of `width` bytes.
    pub fn in_memory(width: usize, limit: u64) -> Result<Visited, OutOfMemory> {
        Packed::with_limit(width, limit, AutoSet::with_limit).map(|set| Visited::Memory(Box::new(set)))
    }

    /// A set that stays empty, for a worker that ends before its first insertion.
    pub fn none(width: usize) -> Visited {
        Visited::in_memory(width, u64::MAX).expect("an empty set has no limit")
    }

    /// Whether it is on disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(self, Visited::Disk(_))
    }

    /// Whether it is compressed as a tree.
    pub fn is_tree(&self) -> bool {
        match self {
            Visited::Memory(set) => set.inner().is_tree(),
            Visited::Disk(_) => false,
        }
    }

    /// Why the last call has failed; none if memory was the reason.
    pub fn take_halt(&mut self) -> Option<Halt> {
        match self {
            Visited::Memory(_) => None,
            Visited::Disk(set) => set.take_halt(),
        }
    }

    /// Ends a level: calls `each` for the new states that no insertion has reported, and returns their number.
    pub fn settle(&mut self, each: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<u64, Halt> {
        match self {
            Visited::Memory(_) => Ok(0),
            Visited::Disk(set) => set.settle(each),
        }
    }
}

impl StateSet for Visited {
    fn width(&self) -> usize {
        match self {
            Visited::Memory(set) => set.width(),
            Visited::Disk(set) => set.width(),
        }
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        match self {
            Visited::Memory(set) => set.insert(states, fresh),
            Visited::Disk(set) => set.insert(states, fresh),
        }
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        match self {
            Visited::Memory(set) => set.insert_successors(states, ends, fresh),
            Visited::Disk(set) => set.insert_successors(states, ends, fresh),
        }
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        match self {
            Visited::Memory(set) => set.take(max, out),
            Visited::Disk(set) => set.take(max, out),
        }
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        match self {
            Visited::Memory(set) => set.widen(width),
            Visited::Disk(set) => set.widen(width),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Visited::Memory(set) => set.len(),
            Visited::Disk(set) => set.len(),
        }
    }

    fn memory(&self) -> u64 {
        match self {
            Visited::Memory(set) => set.memory(),
            Visited::Disk(set) => set.memory(),
        }
    }
}
