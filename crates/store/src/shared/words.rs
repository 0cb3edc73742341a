//! Shared atomic words, initially zero, in memory that grows in place.
//!
//! They hold data per state beside a set. Memory is reserved in huge pages and committed on first
//! use, whereas a vector would be moved and zeroed by one thread.
//!
//! *Entry points:* [`SharedWords::grow`], [`SharedWords::at`].
//!
//! *Invariant:* a word is only accessed atomically, and is 0 until it is written.

use std::sync::atomic::AtomicU64;

use crate::OutOfMemory;
use crate::line::prefetch;
use crate::pages::Pages;

/// A list of atomic words.
pub struct SharedWords {
    pages: Pages,
    len: usize,
}

impl SharedWords {
    /// An empty list with address space for `limit` bytes.
    pub fn new(limit: u64) -> Result<SharedWords, OutOfMemory> {
        Ok(SharedWords { pages: Pages::reserve(limit)?, len: 0 })
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// Grows the list to `len` words; never shrinks it.
    pub fn grow(&mut self, len: usize) -> Result<(), OutOfMemory> {
        if len > self.len {
            self.pages.commit(len.checked_mul(size_of::<u64>()).ok_or(OutOfMemory)?)?;
            self.len = len;
        }
        Ok(())
    }

    /// Commits the memory of the first `len` words, so that no thread waits for it later.
    pub fn prepare(&self, len: usize) {
        self.pages.prepare(len.saturating_mul(size_of::<u64>()));
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: `len` words from the page-aligned base are committed and were initialised to 0;
        // they are only used as atomic words, so any number of threads may hold this slice. Growth
        // takes `&mut self`.
        unsafe { std::slice::from_raw_parts(self.pages.base().cast(), self.len) }
    }

    /// A word; panics if the index is out of range.
    #[inline(always)]
    pub fn at(&self, index: usize) -> &AtomicU64 {
        &self.words()[index]
    }

    /// Prefetches a word.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        prefetch(self.words(), index);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn words_begin_as_zero_and_stay() {
        let mut words = SharedWords::new(1 << 30).unwrap();
        assert!(words.is_empty() && words.memory() == 0);
        for len in [10, 5, 1000, 1 << 20] {
            words.grow(len).unwrap();
            assert!(words.len() >= len && words.memory() >= 8 * len as u64);
            assert_eq!(words.at(len - 1).fetch_add(1, Ordering::Relaxed), 0);
        }
        words.prefetch(usize::MAX);
        assert_eq!([4, 9, 10, 999].map(|at| words.at(at).load(Ordering::Relaxed)), [1, 1, 0, 1]);
    }
}
