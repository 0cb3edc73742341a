//! States one after the other in order of insertion, each under its number.
//!
//! The queue of a breadth-first search is a cursor into this.
//!
//! *Entry points:* [`Arena::reserve`], then any number of [`Arena::push`].
//! *Invariant:* state `i` fills the bytes `i * width .. (i + 1) * width`; the bytes after the last
//! state are 0.

use crate::OutOfMemory;
use crate::pages::{PAGE, Pages};

/// An append-only sequence of states of one width.
pub(crate) struct Arena {
    pages: Pages,
    width: usize,
    len: usize,
}

impl Arena {
    /// An empty arena that will not grow beyond `limit` bytes.
    pub(crate) fn new(width: usize, limit: u64) -> Result<Arena, OutOfMemory> {
        Ok(Arena { pages: Pages::reserve(limit)?, width, len: 0 })
    }

    /// Number of states.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes committed.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// All memory, states and what is after them.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.pages.slice()
    }

    /// A state.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        &self.bytes()[index * self.width..][..self.width]
    }

    /// Makes room for `states` states altogether, using at most `allowance` bytes more than now.
    pub(crate) fn reserve(&mut self, states: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = states.checked_mul(self.width).ok_or(OutOfMemory)?;
        self.reserve_bytes(need, allowance)
    }

    fn reserve_bytes(&mut self, need: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let have = self.pages.committed();
        if need <= have {
            return Ok(());
        }
        // An eighth more at a time, so that calls to the system are few and slack is small; memory that
        // was committed but not written to is not resident.
        let generous = Pages::rounded(need.max(have + (have / 8).max(16 * PAGE)));
        let exact = Pages::rounded(need);
        let fits = |bytes: usize| (bytes - have) as u64 <= allowance;
        if fits(generous) && self.pages.commit(generous).is_ok() {
            return Ok(());
        }
        if fits(exact) { self.pages.commit(exact) } else { Err(OutOfMemory) }
    }

    /// Appends a state of `self`'s width; room was reserved for it.
    #[inline(always)]
    pub(crate) fn push(&mut self, state: &[u8]) {
        let at = self.len * self.width;
        self.pages.slice_mut::<u8>()[at..at + state.len()].copy_from_slice(state);
        self.len += 1;
    }

    /// Replaces a state.
    pub(crate) fn set(&mut self, index: usize, state: &[u8]) {
        let at = index * self.width;
        self.pages.slice_mut::<u8>()[at..at + self.width].copy_from_slice(state);
    }

    /// Makes every state `width` bytes wide, zeros at its end, using at most `allowance` bytes more.
    pub(crate) fn widen(&mut self, width: usize, allowance: u64) -> Result<(), OutOfMemory> {
        debug_assert!(width >= self.width);
        let need = self.len.checked_mul(width).ok_or(OutOfMemory)?;
        self.reserve_bytes(need, allowance)?;
        let old = std::mem::replace(&mut self.width, width);
        let bytes = self.pages.slice_mut::<u8>();
        // From the last to the first, so that no state is written over before it has moved.
        for i in (0..self.len).rev() {
            bytes.copy_within(i * old..(i + 1) * old, i * width);
            bytes[i * width + old..(i + 1) * width].fill(0);
        }
        Ok(())
    }
}
