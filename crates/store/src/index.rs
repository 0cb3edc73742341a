//! The index of an arena: from a hash to the number of a state, one cache line a look-up.
//!
//! Open addressing over lines of 64 bytes. A line holds twelve entries, a tag of 8 bits (part of
//! the hash) and a number of 32 bits each; all tags of a line are compared at once, and only a
//! state whose tag agrees is looked at. A full line spills into its buddy (the other line of the
//! same 128 bytes, which the processor fetches along), then into the pairs that follow.
//!
//! *Entry point:* [`Index::find`].
//!
//! Lines are counted, not doubled: a line is chosen by scaling the hash to their number, so the
//! index can grow by any factor. It grows by rebuilding from the arena, which is read in order: the
//! new lines are reserved first, the old ones given back before the new ones are touched, so the
//! peak is the new size; a large index stays where it is and is cleared.
//!
//! *Invariant:* entries are never removed, and a line is filled from its first place to its last;
//! so an empty place ends every search. A tag is never 0.
//!
//! For threads: a place is claimed by a compare-and-swap of its tag from 0, after the state has
//! been written to the arena; the spare word of each line is kept for a lock or a generation.

use crate::OutOfMemory;
use crate::hash::{scale, tag};
use crate::line::{match_tags, prefetch};
use crate::pages::{LARGE, Pages, Plain};

/// Entries a line.
const PLACES: usize = 12;

/// A cache line of the index.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// A tag a place, 0 where it is empty; the last four bytes are spare.
    tags: [u8; 16],
    /// The numbers of the states.
    numbers: [u32; PLACES],
}

#[allow(unsafe_code, reason = "says that the type is plain memory")]
// SAFETY: 16 bytes and twelve words fill the 64 bytes; all patterns of bits are values.
unsafe impl Plain for Line {}

/// An empty place, where a search ended.
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
    /// The most entries in `lines` lines: 7 of 8, or in a very small index 3 of 4.
    fn capacity_of(lines: usize) -> usize {
        lines * PLACES * 7 / 8
    }

    /// How many lines hold `entries` entries.
    fn lines_for(entries: usize) -> usize {
        // The smallest index fills a page.
        entries.saturating_mul(8).div_ceil(7 * PLACES).next_multiple_of(2).max(64)
    }

    /// Bytes that an index for `entries` entries takes.
    pub(crate) fn bytes_for(entries: usize) -> usize {
        Pages::rounded(Index::lines_for(entries).saturating_mul(size_of::<Line>()))
    }

    /// An empty index without room.
    pub(crate) fn new() -> Result<Index, OutOfMemory> {
        Ok(Index { pages: Pages::zeroed(0)?, lines: 0 })
    }

    /// How many entries there is room for.
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

    /// Fetches the line where a search for `hash` starts.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.pages.slice::<Line>(), scale(hash, self.lines));
    }

    /// A number from the line where a search starts, and whether its tag agrees with the hash: then it is
    /// likely the right one.
    #[inline(always)]
    pub(crate) fn guess(&self, hash: u64) -> (u32, bool) {
        let line = &self.lines()[scale(hash, self.lines)];
        let mask = match_tags(&line.tags, tag(hash)) & 0xfff;
        // Where none agrees, the number in the last place.
        let place = (mask | 1 << (PLACES - 1)).trailing_zeros();
        (line.numbers[(place as usize).min(PLACES - 1)], mask != 0)
    }

    /// The number under `hash` for which `is_it` holds, or the place where it belongs.
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

    /// Fills the place that a search for `hash` ended at.
    #[inline(always)]
    pub(crate) fn fill(&mut self, place: Place, hash: u64, number: u32) {
        let line = &mut self.pages.slice_mut::<Line>()[place.line];
        line.numbers[place.slot] = number;
        line.tags[place.slot] = tag(hash);
    }

    /// Makes room for `need` entries by rebuilding: `hash` gives the hash of each number below `len`. The
    /// index will be at most `most` bytes large (the old one is given back) and wants room for `want`.
    pub(crate) fn grow(
        &mut self,
        need: usize,
        want: usize,
        most: u64,
        len: usize,
        hash: impl Fn(u32) -> u64,
    ) -> Result<(), OutOfMemory> {
        let fits = |entries: usize| Index::bytes_for(entries) as u64 <= most;
        let entries = [want.max(need), need.saturating_add(need / 16), need];
        let entries = entries.into_iter().find(|&n| fits(n)).ok_or(OutOfMemory)?;
        let lines = Index::lines_for(entries);
        let bytes = lines * size_of::<Line>();
        let in_place = self.pages.committed() >= LARGE && self.pages.reaches(bytes);
        if in_place && self.pages.commit(bytes).is_ok() {
            // Clearing what is there costs less than new pages, which the system clears too.
            self.pages.slice_mut::<Line>()[..self.lines].fill(Line { tags: [0; 16], numbers: [0; PLACES] });
        } else {
            // New pages, huge ones from here on. They are not touched before the old ones are gone, so they are
            // not yet memory.
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

    /// Fills an empty index with all numbers below `len`; there is room for them.
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
