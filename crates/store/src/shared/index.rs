//! The index of a shared table: a lock-free hash table from hashes to numbers.
//!
//! It has the cache lines of [`crate::index`]: twelve entries with an 8-bit tag and a 32-bit number
//! each. A full line overflows into its buddy and then into the following pairs. The number
//! decides: a slot belongs to the thread that changes its number from 0 by compare-and-swap. The
//! tag, which only avoids state comparisons, is set afterwards.
//!
//! *Entry point:* [`Lines::place`].
//!
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Boosting multi-core reachability performance
//! with shared hash tables, FMCAD 2010; here numbers are published instead of hashes.
//!
//! *Invariants,* which imply that equal states get one entry in every interleaving:
//! * A number other than 0 never changes, and is published after the bytes that it denotes
//!   (release; readers acquire).
//! * A tag is 0, or that of the state in its slot, whose number is then visible too (release and
//!   acquire: a writer of eight tags writes those that it has read, and its own). 0 is no
//!   information, because a tag may be lost.
//! * A search visits the slots of its probe sequence in order, and tries to claim a slot only if
//!   all slots before it belong to other states. It skips a slot only if the tag differs or the
//!   state of its number differs; for a slot without a tag it obtains the number by trying to claim
//!   the slot.
//!
//! *Soundness:* let two threads insert equal states, and let the first to succeed claim slot `p`.
//! The other thread has not skipped `p` before, since it would have claimed it. When it visits `p`,
//! it either sees the tag and compares, or its compare-and-swap fails and returns the number, and
//! it compares. In both cases it finds the state. No step waits for another thread.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::OutOfMemory;
use crate::hash::{scale, tag};
use crate::line::{match_tag_words, prefetch, prefetch_to_write};
use crate::pages::{LARGE, Pages};

/// Number of entries per line.
const PLACES: usize = 12;

/// The bits of the slots in a set of matching tags; the last four bytes are unused.
const ALL: u32 = 0xfff;

/// A cache line of the index.
#[repr(C, align(64))]
struct Line {
    /// A tag for each slot; 0 if it is not set.
    tags: [AtomicU64; 2],
    /// The number of the state plus 1; 0 if the slot is free.
    numbers: [AtomicU32; PLACES],
}

impl Line {
    #[inline(always)]
    fn tags(&self) -> [u64; 2] {
        [self.tags[0].load(Ordering::Acquire), self.tags[1].load(Ordering::Acquire)]
    }

    /// Sets a tag without an atomic read-modify-write operation, which would wait for all preceding
    /// writes of this thread. A tag set concurrently by another thread is lost, permanently.
    #[inline(always)]
    fn set_tag(&self, place: usize, tag: u8) {
        let tags = &self.tags[place / 8];
        tags.store(tags.load(Ordering::Acquire) | u64::from(tag) << (place % 8 * 8), Ordering::Release);
    }
}

/// A hash table of numbers, filled by many threads.
pub(super) struct SharedIndex {
    pages: Pages,
    /// Number of lines, even.
    lines: usize,
}

impl SharedIndex {
    /// An empty index without capacity.
    pub fn new() -> Result<SharedIndex, OutOfMemory> {
        Ok(SharedIndex { pages: Pages::zeroed(0)?, lines: 0 })
    }

    /// Maximum number of entries: seven eighths of the slots.
    pub fn capacity(&self) -> usize {
        self.lines * PLACES * 7 / 8
    }

    /// Number of lines for `entries` entries.
    fn lines_for(entries: usize) -> usize {
        entries.saturating_mul(8).div_ceil(7 * PLACES).next_multiple_of(2).max(64)
    }

    /// Bytes of an index for `entries` entries.
    pub fn bytes_for(entries: usize) -> u64 {
        Pages::rounded(SharedIndex::lines_for(entries).saturating_mul(size_of::<Line>())) as u64
    }

    /// Bytes committed.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// The lines, to be borrowed once for many operations.
    #[inline(always)]
    pub fn lines(&self) -> Lines<'_> {
        // SAFETY: at least `lines * 64` bytes from the base, which is page-aligned, are committed
        // and were initialised to 0, and every bit pattern is a `Line`. They are only used as
        // lines, whose fields are atomic, so any number of threads may hold this slice; growth
        // takes `&mut self`.
        Lines(unsafe { std::slice::from_raw_parts(self.pages.base().cast(), self.lines) })
    }

    /// Empties the index and resizes it for `entries` entries. After an error it is unchanged.
    pub fn renew(&mut self, entries: usize, most: u64) -> Result<(), OutOfMemory> {
        let lines = SharedIndex::lines_for(entries);
        let bytes = lines * size_of::<Line>();
        let used = self.lines * size_of::<Line>();
        if self.pages.committed() >= LARGE && self.pages.reaches(bytes) && self.pages.commit(bytes).is_ok() {
            // Clearing existing pages is cheaper than mapping new ones, which the system clears
            // too.
            self.pages.slice_mut::<u8>()[..used].fill(0);
        } else {
            // New pages are not touched before the old ones are released, so they do not count as
            // memory.
            self.pages = Pages::room(bytes, most)?;
        }
        self.lines = lines;
        Ok(())
    }

    /// Commits the memory of the index, each huge page by one of the participating threads.
    /// Otherwise all threads would touch all pages in hash order, and first by reads, for which the
    /// system maps a zero page.
    pub fn prepare(&self) {
        self.pages.prepare(usize::MAX);
    }
}

/// The lines of an index while it does not grow; a separate type, so that the compiler knows that
/// concurrent writes do not change the slice.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a>(&'a [Line]);

/// The line after `at` in a probe sequence; `second` tells whether `at` was the second of its pair.
#[inline(always)]
fn next(lines: usize, at: usize, second: &mut bool) -> usize {
    let mut at = at ^ 1;
    if *second {
        at = (at & !1) + 2 + (at & 1);
        at = if at >= lines { at - lines } else { at };
    }
    *second = !*second;
    at
}

impl Lines<'_> {
    /// Prefetches the first line of the probe sequence of `hash`.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        prefetch(self.0, scale(hash, self.0.len()));
    }

    /// A number whose tag matches the hash, in the first line of the probe sequence; it is likely
    /// the right one.
    #[inline(always)]
    pub fn guess(self, hash: u64) -> Option<u32> {
        let line = &self.0[scale(hash, self.0.len())];
        let mask = match_tag_words(line.tags(), tag(hash)) & ALL;
        // Loaded speculatively, before a match is known, to avoid the dependency.
        let place = (mask | 1 << (PLACES - 1)).trailing_zeros() as usize;
        let number = line.numbers[place.min(PLACES - 1)].load(Ordering::Acquire);
        if mask != 0 {
            return number.checked_sub(1);
        }
        // The state is likely new, so this line will be written.
        prefetch_to_write(self.0, scale(hash, self.0.len()));
        None
    }

    /// The number under `hash` for which `is_it` holds. If none exists, `own` is entered and `None`
    /// is returned. `publish` is called before `own` becomes visible to other threads, and possibly
    /// without that. `lost` counts lost races. The index must not be full
    /// ([`SharedIndex::capacity`]).
    #[inline(always)]
    pub fn place(
        self,
        hash: u64,
        own: u32,
        mut publish: impl FnMut(),
        is_it: impl Fn(u32) -> bool,
        lost: &mut u64,
    ) -> Option<u32> {
        let lines = self.0;
        let tag = tag(hash);
        let mut at = scale(hash, lines.len());
        let (mut second, mut published) = (false, false);
        loop {
            let line = &lines[at];
            let tags = line.tags();
            let mut mask = match_tag_words(tags, tag) & ALL;
            while mask != 0 {
                let number = line.numbers[mask.trailing_zeros() as usize].load(Ordering::Acquire);
                if let Some(number) = number.checked_sub(1)
                    && is_it(number)
                {
                    return Some(number);
                }
                mask &= mask - 1;
            }
            let mut free = match_tag_words(tags, 0) & ALL;
            if free != 0 && !published {
                publish();
                published = true;
            }
            while free != 0 {
                let place = free.trailing_zeros() as usize;
                let taken =
                    line.numbers[place].compare_exchange(0, own + 1, Ordering::AcqRel, Ordering::Acquire);
                match taken {
                    Ok(_) => {
                        line.set_tag(place, tag);
                        return None;
                    }
                    Err(number) => {
                        *lost += 1;
                        if is_it(number - 1) {
                            return Some(number - 1);
                        }
                    }
                }
                free &= free - 1;
            }
            at = next(lines.len(), at, &mut second);
        }
    }

    /// Enters the number of a state that is not in the index, while no lookups take place.
    #[inline(always)]
    pub fn enter(self, hash: u64, own: u32) {
        let lines = self.0;
        let mut at = scale(hash, lines.len());
        let mut second = false;
        loop {
            let line = &lines[at];
            let mut free = match_tag_words(line.tags(), 0) & ALL;
            while free != 0 {
                let place = free.trailing_zeros() as usize;
                let number = &line.numbers[place];
                if number.compare_exchange(0, own + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                    line.set_tag(place, tag(hash));
                    return;
                }
                free &= free - 1;
            }
            at = next(lines.len(), at, &mut second);
        }
    }
}
