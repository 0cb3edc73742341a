//! The index of an arena: a hash table from hashes to state numbers, with one cache line per
//! lookup.
//!
//! Open addressing over lines of 64 bytes. A line holds twelve entries, each with an 8-bit tag
//! (part of the hash) and a 32-bit number. All tags of a line are compared at once, and only a
//! state with a matching tag is compared. A full line overflows into its buddy (the other line of
//! the same 128 bytes, which the processor prefetches), then into the pairs that follow.
//!
//! *Entry point:* [`Index::find`].
//!
//! The number of lines is arbitrary: a line is selected by scaling the hash, so the index can grow
//! by any factor. It grows by rebuilding from the arena, which is read in order. The new lines are
//! reserved first and the old ones released before the new ones are touched, so the peak is the new
//! size; a large index remains in place and is cleared.
//!
//! *Invariant:* entries are never removed, and a line is filled from its first slot to its last, so
//! an empty slot ends every search. A tag is never 0.
//!
//! *Concurrency:* `shared/index.rs` is the lock-free version.

use crate::hash::{scale, tag};
use crate::line::{match_tags, prefetch};
use crate::pages::{LARGE, Pages, Plain};
use crate::{LEAST_GROWTH, OutOfMemory};

/// Number of entries per line.
const PLACES: usize = 12;

/// A cache line of the index.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// A tag for each slot, 0 if it is empty; the last four bytes are unused.
    tags: [u8; 16],
    /// The numbers of the states.
    numbers: [u32; PLACES],
}

#[allow(unsafe_code, reason = "says that the type is plain memory")]
// SAFETY: 16 bytes and twelve words fill the 64 bytes; all bit patterns are valid.
unsafe impl Plain for Line {}

/// The empty slot at which a search ended.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    line: usize,
    slot: usize,
}

/// A hash table of numbers.
pub(crate) struct Index {
    pages: Pages,
    /// Number of lines, even.
    lines: usize,
}

impl Index {
    /// Maximum number of entries in `lines` lines: 7 of 8 slots, or 3 of 4 in a very small index.
    fn capacity_of(lines: usize) -> usize {
        lines * PLACES * 7 / 8
    }

    /// Number of lines for `entries` entries.
    fn lines_for(entries: usize) -> usize {
        // The smallest index fills a page.
        entries.saturating_mul(8).div_ceil(7 * PLACES).next_multiple_of(2).max(64)
    }

    /// Bytes of an index for `entries` entries.
    pub(crate) fn bytes_for(entries: usize) -> usize {
        Pages::rounded(Index::lines_for(entries).saturating_mul(size_of::<Line>()))
    }

    /// An empty index without capacity.
    pub(crate) fn new() -> Result<Index, OutOfMemory> {
        Ok(Index { pages: Pages::zeroed(0)?, lines: 0 })
    }

    /// Maximum number of entries.
    #[inline(always)]
    pub(crate) fn capacity(&self) -> usize {
        Index::capacity_of(self.lines)
    }

    /// Bytes committed.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// The lines, to be borrowed once for many operations.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[Line] {
        &self.pages.slice::<Line>()[..self.lines]
    }

    /// Prefetches the first line of the probe sequence of `hash`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.pages.slice::<Line>(), scale(hash, self.lines));
    }

    /// A number from the first line of the probe sequence, and whether its tag matches the hash; it
    /// is then likely the right one.
    #[inline(always)]
    pub(crate) fn guess(&self, hash: u64) -> (u32, bool) {
        let line = &self.lines()[scale(hash, self.lines)];
        let mask = match_tags(&line.tags, tag(hash)) & 0xfff;
        // Without a match, the number in the last slot.
        let place = (mask | 1 << (PLACES - 1)).trailing_zeros();
        (line.numbers[(place as usize).min(PLACES - 1)], mask != 0)
    }

    /// The number under `hash` for which `is_it` holds, or the slot for it.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, Place> {
        let lines = self.lines();
        let tag = tag(hash);
        let mut at = scale(hash, lines.len());
        let mut second = false;
        loop {
            let line = &lines[at];
            let mut mask = match_tags(&line.tags, tag) & 0xfff;
            while mask != 0 {
                let number = line.numbers[mask.trailing_zeros() as usize];
                if is_it(number) {
                    return Ok(number);
                }
                mask &= mask - 1;
            }
            let empty = match_tags(&line.tags, 0) & 0xfff;
            if empty != 0 {
                return Err(Place { line: at, slot: empty.trailing_zeros() as usize });
            }
            at ^= 1;
            if second {
                at = (at & !1) + 2 + (at & 1);
                at = if at >= lines.len() { at - lines.len() } else { at };
            }
            second = !second;
        }
    }

    /// Fills the slot at which a search for `hash` ended.
    #[inline(always)]
    pub(crate) fn fill(&mut self, place: Place, hash: u64, number: u32) {
        let line = &mut self.pages.slice_mut::<Line>()[place.line];
        line.numbers[place.slot] = number;
        line.tags[place.slot] = tag(hash);
    }

    /// Grows to `need` entries by rebuilding: `hash` returns the hash of each number below `len`.
    /// The index uses at most `most` bytes (the old one is released), preferably enough for `want`
    /// entries.
    pub(crate) fn grow(
        &mut self,
        need: usize,
        want: usize,
        most: u64,
        len: usize,
        hash: impl Fn(u32) -> u64,
    ) -> Result<(), OutOfMemory> {
        let fits = |entries: usize| Index::bytes_for(entries) as u64 <= most;
        let more = |part: usize| need.saturating_add(need / part);
        let entries = [want.max(need), more(16), more(LEAST_GROWTH)];
        let entries = entries.into_iter().find(|&n| fits(n)).ok_or(OutOfMemory)?;
        let lines = Index::lines_for(entries);
        let bytes = lines * size_of::<Line>();
        let in_place = self.pages.committed() >= LARGE && self.pages.reaches(bytes);
        if in_place && self.pages.commit(bytes).is_ok() {
            // Clearing existing pages is cheaper than mapping new ones, which the system clears
            // too.
            self.pages.slice_mut::<Line>()[..self.lines].fill(Line { tags: [0; 16], numbers: [0; PLACES] });
        } else {
            // New pages, from here on huge ones. They are not touched before the old ones are
            // released, so they do not count as memory.
            self.pages = Pages::room(bytes, most)?;
        }
        self.lines = lines;
        self.refill(len, hash);
        Ok(())
    }

    /// An index of the same size without entries. Its memory is not touched yet.
    pub(crate) fn emptied(&self) -> Result<Index, OutOfMemory> {
        Ok(Index { pages: Pages::room(self.lines * size_of::<Line>(), u64::MAX)?, lines: self.lines })
    }

    /// Fills an empty index with all numbers below `len`; its capacity must suffice.
    pub(crate) fn refill(&mut self, len: usize, hash: impl Fn(u32) -> u64) {
        const AHEAD: usize = 32;
        let mut hashes = [0; AHEAD];
        for start in (0..len).step_by(AHEAD) {
            let end = len.min(start + AHEAD);
            for number in start..end {
                hashes[number - start] = hash(number as u32);
                self.prefetch(hashes[number - start]);
            }
            for number in start..end {
                if let Err(place) = self.find(hashes[number - start], |_| false) {
                    self.fill(place, hashes[number - start], number as u32);
                }
            }
        }
    }
}
