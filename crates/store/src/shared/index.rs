//! The index of a shared table: from a hash to a number, for many threads at once and without a
//! lock.
//!
//! The same lines as in [`crate::index`]: twelve entries, a tag of 8 bits and a number of 32 bits
//! each, a full line spilling into its buddy and then into the pairs that follow. What decides is
//! the number: a place belongs to whoever changes its number from 0 by compare-and-swap, and the
//! tag, which only saves looking at states, is set after that.
//!
//! *Entry point:* [`Lines::place`].
//!
//! Sources: the lockless table of A. Laarman, J. van de Pol and M. Weber, Boosting multi-core
//! reachability performance with shared hash tables, FMCAD 2010, with numbers in the place of
//! hashes as what is published.
//!
//! Invariants, from which it follows that equal states get one entry, whatever the order of events:
//! * a number, once it is not 0, never changes, and is published after the bytes that it stands for (release; whoever
//!   reads it acquires);
//! * a tag is 0, or that of the state in its place, whose number is then there too (release and acquire again: who writes
//!   eight tags writes those that it has read, and its own); 0 says nothing, as a tag may have been lost;
//! * a search looks at the places of its way in order, and tries to take a place only where all places before it on
//!   the way were taken by other states. For it passes a place only if it has a tag that differs, or a number whose state
//!   differs; and it learns the number of a place without tag by trying to take it.
//!
//! So let two threads search for places for equal states, and let the first to succeed do so at
//! place `p`. The other has not passed `p` before that (it would have taken it), and when it comes
//! to `p` it sees the tag, and compares; or no tag, and its compare-and-swap fails and gives the
//! number, and it compares. Either way it finds the state. No step waits for another thread.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::OutOfMemory;
use crate::hash::{scale, tag};
use crate::line::{match_tag_words, prefetch, prefetch_to_write};
use crate::pages::{LARGE, Pages};

/// Entries a line.
const PLACES: usize = 12;

/// The bits of the places in a set of matching tags; the last four bytes are spare.
const ALL: u32 = 0xfff;

/// A cache line of the index.
#[repr(C, align(64))]
struct Line {
    /// A tag a place, 0 where there is none yet.
    tags: [AtomicU64; 2],
    /// One more than the number of the state, 0 where the place is free.
    numbers: [AtomicU32; PLACES],
}

impl Line {
    #[inline(always)]
    fn tags(&self) -> [u64; 2] {
        [self.tags[0].load(Ordering::Acquire), self.tags[1].load(Ordering::Acquire)]
    }

    /// Not one atomic operation, which would wait for all that this thread has written: a tag that another thread sets
    /// in between is lost, and its place is one without tag for good.
    #[inline(always)]
    fn set_tag(&self, place: usize, tag: u8) {
        let tags = &self.tags[place / 8];
        tags.store(tags.load(Ordering::Acquire) | u64::from(tag) << (place % 8 * 8), Ordering::Release);
    }
}

/// A hash table of numbers that many threads fill.
pub(super) struct SharedIndex {
    pages: Pages,
    /// Number of lines, even.
    lines: usize,
}

impl SharedIndex {
    /// An empty index without room.
    pub fn new() -> Result<SharedIndex, OutOfMemory> {
        Ok(SharedIndex { pages: Pages::zeroed(0)?, lines: 0 })
    }

    /// How many entries there is room for: seven of eight places.
    pub fn capacity(&self) -> usize {
        self.lines * PLACES * 7 / 8
    }

    /// How many lines hold `entries` entries.
    fn lines_for(entries: usize) -> usize {
        entries.saturating_mul(8).div_ceil(7 * PLACES).next_multiple_of(2).max(64)
    }

    /// Bytes that an index for `entries` entries takes.
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
        // SAFETY: at least `lines * 64` bytes from the base, which is page-aligned, are committed and began as 0, and
        // every pattern of bits is a `Line`. They are only ever used as lines, whose fields are atomic, so that
        // any number of threads may hold this slice; growth takes `&mut self`.
        Lines(unsafe { std::slice::from_raw_parts(self.pages.base().cast(), self.lines) })
    }

    /// Becomes an empty index with room for `entries` entries. After an error it is as it was.
    pub fn renew(&mut self, entries: usize, most: u64) -> Result<(), OutOfMemory> {
        let lines = SharedIndex::lines_for(entries);
        let bytes = lines * size_of::<Line>();
        let used = self.lines * size_of::<Line>();
        if self.pages.committed() >= LARGE && self.pages.reaches(bytes) && self.pages.commit(bytes).is_ok() {
            // Clearing what is there costs less than new pages, which the system clears too.
            self.pages.slice_mut::<u8>()[..used].fill(0);
        } else {
            // New pages are not touched before the old ones are gone, so they are not yet memory.
            self.pages = Pages::room(bytes, most)?;
        }
        self.lines = lines;
        Ok(())
    }

    /// Has the system find memory for the index, each huge page for one of the threads that come here together: in the order
    /// of hashes all of them would come to all pages at once, and read first, for which the system has a page of zeros.
    pub fn prepare(&self) {
        self.pages.prepare(usize::MAX);
    }
}

/// The lines of an index while it does not grow. Apart from the index, so that the compiler sees that what threads do
/// does not change which lines they are.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a>(&'a [Line]);

/// The line after `at` on the way of a search; `second` says whether that one was the other of its pair.
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
    /// Fetches the line where a search for `hash` starts.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        prefetch(self.0, scale(hash, self.0.len()));
    }

    /// A number whose tag agrees with the hash, in the line where a search starts: then it is likely the right one.
    #[inline(always)]
    pub fn guess(self, hash: u64) -> Option<u32> {
        let line = &self.0[scale(hash, self.0.len())];
        let mask = match_tag_words(line.tags(), tag(hash)) & ALL;
        // Read before it is known whether one agrees, so that nothing waits for that: where none does, for nothing.
        let place = (mask | 1 << (PLACES - 1)).trailing_zeros() as usize;
        let number = line.numbers[place.min(PLACES - 1)].load(Ordering::Acquire);
        if mask != 0 {
            return number.checked_sub(1);
        }
        // It is likely new, so that this line will be written.
        prefetch_to_write(self.0, scale(hash, self.0.len()));
        None
    }

    /// The number under `hash` for which `is_it` holds; where there is none, `own` is entered and none returned.
    /// `publish` is called before `own` can be seen by others, and may be called without that. `lost` counts the
    /// times when another thread was faster. There has to be room ([`SharedIndex::capacity`]).
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

    /// Enters a number that is not there, and no other for the same state, while nothing is looked up.
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
