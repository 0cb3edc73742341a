//! Concurrent set of root pairs: the lines of [`crate::roots`], filled by compare-and-swap.
//!
//! An entry is one 32-bit word, which together with its line identifies the pair
//! ([`crate::quotient`]). Hence nothing must be published separately, and a lookup reads one cache
//! line. An entry without a free slot in its line goes into an overflow [`Table`] of whole keys.
//! Growth is in place and sequential: some ten nanoseconds per entry.
//!
//! *Entry point:* [`SharedRoots::insert`].
//!
//! *Invariants:* A line is filled from the left and never loses an entry; an entry that has a word
//! is in the overflow only if its line is full. A thread tries to claim a slot only if all slots
//! before it in the line hold other entries. Of two threads with the same entry, one therefore
//! claims a slot and the other finds the entry there, as in `index.rs`. A line that is full of
//! other entries remains so, so both threads put their entry into the overflow.

use std::sync::atomic::{AtomicU64, Ordering};

use super::table::{BLOCK, Full, Open, Placed, Table, without};
use crate::line::{half_shift, match_word_pairs, prefetch};
use crate::nodes::{hash, pair};
use crate::pages::{Pages, Plain};
use crate::quotient::{Feistel, MOST_LINES, Quotient, Spread};
use crate::{LEAST_GROWTH, OutOfMemory};

/// Number of entries per line.
const SLOTS: usize = 16;

/// A cache line of entries, two in each 64-bit word; 0 is a free slot.
#[repr(C, align(64))]
struct Line([AtomicU64; SLOTS / 2]);

/// Layout of a line for exclusive access.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Own([u32; SLOTS]);

// SAFETY: sixteen words fill the 64 bytes; all bit patterns are valid.
unsafe impl Plain for Own {}

/// Position of an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Target {
    line: usize,
    /// 0 if the entry can only be in the overflow.
    word: u32,
}

/// A set of pairs; the pair with all bits set is excluded.
pub(super) struct SharedRoots {
    pages: Pages,
    lines: usize,
    quotient: Quotient,
    pub overflow: Table,
    /// Numbers of the overflow that are unused.
    hole: Open,
    /// Number of entries, excluding those that threads have not reported yet.
    entries: AtomicU64,
    limit: u64,
}

/// The hash of a row of the overflow.
fn hash_of_row(row: &[u8]) -> u64 {
    row.first_chunk::<8>().map_or(0, |key| hash(u64::from_le_bytes(*key)))
}

impl SharedRoots {
    /// An empty set without capacity.
    pub fn new(limit: u64) -> Result<SharedRoots, OutOfMemory> {
        Ok(SharedRoots {
            pages: Pages::reserve(limit)?,
            lines: 0,
            quotient: Quotient::new(0),
            overflow: Table::new(8, limit)?,
            hole: Open::default(),
            entries: AtomicU64::new(0),
            limit,
        })
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        self.pages.committed() as u64 + self.overflow.memory()
    }

    /// Enters the overflow rows into their index again after it was emptied.
    pub fn refill(&self, holes: &[Open]) {
        let all: Vec<Open> = holes.iter().chain([&self.hole]).cloned().collect();
        self.overflow.refill_all(&all, None, hash_of_row);
    }

    /// Reports `more` entries inserted by a thread; returns false if the maximum load is reached.
    pub fn tell(&self, more: u64) -> bool {
        let entries = self.entries.fetch_add(more, Ordering::Relaxed) + more;
        self.lines == MOST_LINES || entries <= SharedRoots::capacity_of(self.lines)
    }

    /// Maximum number of entries in lines: four fifths of the slots.
    fn capacity_of(lines: usize) -> u64 {
        lines as u64 * SLOTS as u64 / 5 * 4
    }

    fn lines(&self) -> &[Line] {
        // SAFETY: at least `lines * 64` bytes from the page-aligned base are committed and were
        // initialised to 0; while the set is shared they are only used as atomic words. `Own` is
        // used under `&mut self` only.
        unsafe { std::slice::from_raw_parts(self.pages.base().cast(), self.lines) }
    }

    /// Position of the pair, whether present or not; prefetches it.
    #[inline(always)]
    pub fn prefetch(&self, left: u32, right: u32) -> Target {
        let (line, word) = self.quotient.encode::<Feistel>(left, right).unwrap_or((0, 0));
        prefetch(self.lines(), line);
        Target { line, word }
    }

    /// Inserts the pair at its position and returns whether it is new. `open` is the thread's block
    /// of the overflow.
    #[inline(always)]
    pub fn insert(
        &self,
        (left, right): (u32, u32),
        target: Target,
        open: &mut Open,
        lost: &mut u64,
    ) -> Result<bool, Full> {
        if target.word != 0 {
            let Line(line) = &self.lines()[target.line];
            let mut pairs = std::array::from_fn(|i| line[i].load(Ordering::Relaxed));
            if match_word_pairs(&pairs, target.word) != 0 {
                return Ok(false);
            }
            let mut free = match_word_pairs(&pairs, 0);
            while free != 0 {
                let place = free.trailing_zeros() as usize;
                let (pair, shift) = (&mut pairs[place / 2], half_shift(place));
                // The other half of the word may be claimed concurrently; the attempt for this half
                // is repeated.
                while (*pair >> shift) as u32 == 0 {
                    let full = *pair | u64::from(target.word) << shift;
                    let taken =
                        line[place / 2].compare_exchange(*pair, full, Ordering::Relaxed, Ordering::Relaxed);
                    match taken {
                        Ok(_) => return Ok(true),
                        Err(now) => *pair = now,
                    }
                }
                *lost += 1;
                if (*pair >> shift) as u32 == target.word {
                    return Ok(false);
                }
                free &= free - 1;
            }
        }
        self.insert_over(pair(left, right), open, lost)
    }

    #[cold]
    fn insert_over(&self, key: u64, open: &mut Open, lost: &mut u64) -> Result<bool, Full> {
        if open.next == open.end {
            self.overflow.claim(open)?;
        }
        let placed =
            self.overflow.look().insert::<8>(open, hash(key), &key.to_le_bytes(), |a, b| a == b, lost);
        Ok(matches!(placed, Placed::New(_)))
    }

    /// Reserves memory for more entries and for `blocks` blocks of the overflow with at most
    /// `allowance` further bytes. `holes` are the open blocks of the overflow; returns true if
    /// threads must discard them.
    pub fn grow(&mut self, blocks: u32, allowance: u64, holes: &[Open]) -> Result<bool, OutOfMemory> {
        let entries = *self.entries.get_mut() + u64::from(blocks * BLOCK);
        if entries > SharedRoots::capacity_of(self.lines) && self.lines < MOST_LINES {
            let before = self.memory();
            self.grow_lines(entries, blocks, allowance, holes)?;
            let used = self.memory().saturating_sub(before);
            self.overflow.grow(blocks, allowance.saturating_sub(used))?;
            return Ok(true);
        }
        self.overflow.grow(blocks, allowance)?;
        Ok(false)
    }

    fn grow_lines(
        &mut self,
        entries: u64,
        blocks: u32,
        allowance: u64,
        holes: &[Open],
    ) -> Result<(), OutOfMemory> {
        let have = self.pages.committed();
        // Growth is sequential and therefore rare, even if memory is short.
        let least = (entries.saturating_mul(5).div_ceil(4 * SLOTS as u64)).max(64) as usize;
        let sizes = [self.lines / 2 * 3, least + least / 16, least + least / LEAST_GROWTH];
        // The number of entries per new line, one byte each, is stored during growth.
        let cost =
            |lines: usize| (Pages::rounded(lines * size_of::<Own>()).saturating_sub(have) + lines) as u64;
        for lines in sizes.map(|lines| lines.max(least).min(MOST_LINES)) {
            if cost(lines) <= allowance && self.grow_to(lines, blocks, allowance - cost(lines), holes).is_ok()
            {
                return Ok(());
            }
        }
        Err(OutOfMemory)
    }

    /// Grows to `lines` lines, with at most `allowance` bytes for the overflow.
    fn grow_to(
        &mut self,
        lines: usize,
        blocks: u32,
        allowance: u64,
        holes: &[Open],
    ) -> Result<(), OutOfMemory> {
        let new = Quotient::new(lines);
        let (mut counts, misfits) = self.count(new, lines)?;
        // All operations that can fail precede all modifications.
        let mut overflow = Table::new(8, self.limit)?;
        let most = self.overflow.claimed() as usize + misfits;
        overflow.grow((most as u32).div_ceil(BLOCK) + 1 + blocks, allowance)?;
        overflow.filled();
        self.pages.commit(lines * size_of::<Own>())?;
        let (old, old_lines, old_hole) = (self.quotient, self.lines, std::mem::take(&mut self.hole));
        let old_overflow = std::mem::replace(&mut self.overflow, overflow);
        (self.quotient, self.lines) = (new, lines);
        let (kept, mut open) = (&self.overflow, Open::default());
        let mut misfit = |key: u64| {
            // The capacity suffices for all of them.
            if open.next == open.end && kept.claim(&mut open).is_err() {
                return;
            }
            kept.look().insert::<8>(&mut open, hash(key), &key.to_le_bytes(), |a, b| a == b, &mut 0);
        };
        for at in (0..old_lines).rev() {
            let slice = self.pages.slice_mut::<Own>();
            let Own(words) = std::mem::replace(&mut slice[at], Own([0; SLOTS]));
            let line = old.line(at);
            for &word in words.iter().take_while(|&&word| word != 0) {
                let (left, spread) = line.decode(word);
                // The new line is this one or one to the right; all of these have been read.
                let place = new.place(left, spread).filter(|&(to, _)| counts[to] > 0);
                match place {
                    Some((to, word)) => {
                        counts[to] -= 1;
                        let Own(words) = &mut self.pages.slice_mut::<Own>()[to];
                        words[usize::from(counts[to])] = word;
                    }
                    None => misfit(pair(left, Feistel::unspread(left, spread))),
                }
            }
        }
        for number in 0..old_overflow.claimed() {
            if holes.iter().chain([&old_hole]).any(|hole| (hole.next..hole.end).contains(&number)) {
                continue;
            }
            let key =
                old_overflow.look().row::<8>(number).first_chunk().map_or(0, |key| u64::from_le_bytes(*key));
            let (left, right) = (key as u32, (key >> 32) as u32);
            let target = new.encode::<Feistel>(left, right);
            let place = target.and_then(|(to, word)| {
                let Own(words) = &mut self.pages.slice_mut::<Own>()[to];
                Some((words.iter_mut().find(|word| **word == 0)?, word))
            });
            match place {
                Some((free, word)) => *free = word,
                None => misfit(key),
            }
        }
        self.hole = open;
        Ok(())
    }

    /// Calls `take` with each pair. `holes` are the open blocks of the overflow; no thread may be
    /// active.
    pub fn each<E>(
        &self,
        holes: &[Open],
        mut take: impl FnMut((u32, u32)) -> Result<(), E>,
    ) -> Result<(), E> {
        for (at, Line(pairs)) in self.lines().iter().enumerate() {
            let line = self.quotient.line(at);
            let word = |place: usize| (pairs[place / 2].load(Ordering::Relaxed) >> half_shift(place)) as u32;
            for word in (0..SLOTS).map(word).take_while(|&word| word != 0) {
                let (left, spread) = line.decode(word);
                take((left, Feistel::unspread(left, spread)))?;
            }
        }
        let all: Vec<Open> = holes.iter().chain([&self.hole]).copied().collect();
        for number in without(0..self.overflow.claimed(), &all).into_iter().flatten() {
            let key = self.overflow.look().row::<8>(number).first_chunk();
            let key = key.map_or(0, |key| u64::from_le_bytes(*key));
            take((key as u32, (key >> 32) as u32))?;
        }
        Ok(())
    }

    /// Number of entries per line in a table of `lines` lines, and number of entries without a
    /// slot.
    fn count(&self, new: Quotient, lines: usize) -> Result<(Vec<u8>, usize), OutOfMemory> {
        let mut counts: Vec<u8> = Vec::new();
        counts.try_reserve_exact(lines).map_err(|_| OutOfMemory)?;
        counts.resize(lines, 0);
        let mut misfits = 0;
        for (at, Line(pairs)) in self.lines().iter().enumerate() {
            let line = self.quotient.line(at);
            let word = |place: usize| (pairs[place / 2].load(Ordering::Relaxed) >> half_shift(place)) as u32;
            let words = (0..SLOTS).map(word);
            for word in words.take_while(|&word| word != 0) {
                let (left, spread) = line.decode(word);
                match new.place(left, spread) {
                    Some((to, _)) if usize::from(counts[to]) < SLOTS => counts[to] += 1,
                    Some(_) | None => misfits += 1,
                }
            }
        }
        Ok((counts, misfits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The unused rest of an open block is not entries, in particular not the pair of two zeros.
    #[test]
    fn what_was_never_put_in_is_new_after_growth() {
        let mut roots = SharedRoots::new(u64::MAX).unwrap();
        roots.grow(1, u64::MAX, &[]).unwrap();
        let put = |roots: &SharedRoots, open: &mut Open, (left, right)| {
            roots.insert((left, right), roots.prefetch(left, right), open, &mut 0).ok()
        };
        let (large, mut open) = ((u32::MAX - 1, 1), Open::default());
        assert_eq!(put(&roots, &mut open, large), Some(true));
        assert!(open.next > 0 && open.next < open.end, "no line has room for such numbers");
        roots.tell(1 << 20);
        assert_eq!(roots.grow(1, u64::MAX, &[open]), Ok(true));
        let mut open = Open::default();
        assert_eq!(put(&roots, &mut open, large), Some(false));
        assert_eq!(put(&roots, &mut open, (0, 0)), Some(true));
        assert_eq!(put(&roots, &mut open, (0, 0)), Some(false));
    }
}
