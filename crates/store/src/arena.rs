//! Arena: consecutive states in order of insertion, identified by their numbers. The queue of a
//! breadth-first search is a cursor into it.
//!
//! *Entry points:* [`Arena::reserve`], then any number of [`Arena::push`].
//!
//! *Invariant:* state `i` occupies the bytes `i * width .. (i + 1) * width`; the bytes after the
//! last state are 0.

use crate::OutOfMemory;
use crate::pages::{PAGE, Pages};

/// An append-only sequence of states of one width.
pub(crate) struct Arena {
    pages: Pages,
    width: usize,
    len: usize,
}

impl Arena {
    /// An empty arena limited to `limit` bytes.
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

    /// All memory: the states and the bytes after them.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.pages.slice()
    }

    /// A state.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        &self.bytes()[index * self.width..][..self.width]
    }

    /// Reserves memory for `states` states in total, using at most `allowance` further bytes.
    pub(crate) fn reserve(&mut self, states: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = states.checked_mul(self.width).ok_or(OutOfMemory)?;
        self.reserve_bytes(need, allowance)
    }

    fn reserve_bytes(&mut self, need: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let have = self.pages.committed();
        if need <= have {
            return Ok(());
        }
        // Growth by an eighth, so that system calls are few and slack is small; committed memory
        // that was not written to is not resident.
        let generous = Pages::rounded(need.max(have + (have / 8).max(16 * PAGE)));
        let exact = Pages::rounded(need);
        let fits = |bytes: usize| (bytes - have) as u64 <= allowance;
        if fits(generous) && self.pages.commit(generous).is_ok() {
            return Ok(());
        }
        if fits(exact) { self.pages.commit(exact) } else { Err(OutOfMemory) }
    }

    /// Appends a state; memory must be reserved.
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

    /// Widens every state to `width` bytes, padded with zeros, using at most `allowance` further
    /// bytes.
    pub(crate) fn widen(&mut self, width: usize, allowance: u64) -> Result<(), OutOfMemory> {
        debug_assert!(width >= self.width);
        let need = self.len.checked_mul(width).ok_or(OutOfMemory)?;
        self.reserve_bytes(need, allowance)?;
        let old = std::mem::replace(&mut self.width, width);
        let bytes = self.pages.slice_mut::<u8>();
        // From the last to the first, so that no state is overwritten before it was moved.
        for i in (0..self.len).rev() {
            bytes.copy_within(i * old..(i + 1) * old, i * width);
            bytes[i * width + old..(i + 1) * width].fill(0);
        }
        Ok(())
    }
}
