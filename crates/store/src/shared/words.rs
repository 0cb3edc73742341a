//! Atomic words that many threads share, zero at first, in memory that grows in place.
//!
//! For what a search knows of each state beside the set: huge pages that nobody touches before they
//! are used, where a vector would be moved and zeroed by one thread.
//!
//! *Entry points:* [`SharedWords::grow`], [`SharedWords::at`].
//!
//! *Invariant:* a word is only ever used as an atomic one, and is 0 until somebody writes it.

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
    /// No words, and addresses for so many bytes of them.
    pub fn new(limit: u64) -> Result<SharedWords, OutOfMemory> {
        Ok(SharedWords { pages: Pages::reserve(limit)?, len: 0 })
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// Makes room for so many words; never makes it smaller.
    pub fn grow(&mut self, len: usize) -> Result<(), OutOfMemory> {
        if len > self.len {
            self.pages.commit(len.checked_mul(size_of::<u64>()).ok_or(OutOfMemory)?)?;
            self.len = len;
        }
        Ok(())
    }

    /// So many words will be used soon: the system finds memory for them now, so that nobody waits for it.
    pub fn prepare(&self, len: usize) {
        self.pages.prepare(len.saturating_mul(size_of::<u64>()));
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: `len` words from the page-aligned base are committed and began as 0; they are only ever used as
        // atomic words, so that any number of threads may hold this slice. Growth takes `&mut self`.
        unsafe { std::slice::from_raw_parts(self.pages.base().cast(), self.len) }
    }

    /// A word; panics where there is none.
    #[inline(always)]
    pub fn at(&self, index: usize) -> &AtomicU64 {
        &self.words()[index]
    }

    /// Fetches a word that will be asked for soon.
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
