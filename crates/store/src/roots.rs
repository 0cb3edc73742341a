//! The set of root pairs: four bytes an entry, and a few for slack.
//!
//! A line of 64 bytes holds sixteen entries of 32 bits. Which line an entry is in says 28 bits of
//! it less the bits that 32 can make up for ([`crate::quotient`]), so one cache line answers a
//! look-up, exactly, and no other memory is read. What does not fit (its line is full, or its word
//! would be 0, or its numbers are too large) goes to an overflow table of whole keys; with lines
//! four fifths full that is 3 in 100. This is the compact tree database of Laarman, "Optimal
//! compression of combinatorial state vectors" (ISSE 15, 2019), with lines in the place of Cleary's
//! bidirectional probing.
//!
//! *Entry point:* [`Roots::insert`].
//!
//! Growth is in place: lines are ordered by the spread of their entries, so the table is walked
//! from its last line to its first and every entry moves to the right or stays. The peak is the new
//! size.
//!
//! *Invariant:* a line fills from the left and never loses an entry; an entry that has a word is in
//! the overflow only if its line is full. So a look-up reads the overflow only where the line is
//! full.
//!
//! For threads: the line is claimed by a compare-and-swap of its first word that is 0; an entry is
//! one word, so there is nothing to publish. Growth and the overflow take a lock each.

use crate::OutOfMemory;
use crate::hash::{fold, scale};
use crate::line::{match_words, prefetch};
use crate::nodes::pair;
use crate::pages::{Pages, Plain};
use crate::quotient::{MOST_LINES, Quotient, Spread};
use std::marker::PhantomData;

/// Entries a line.
const SLOTS: usize = 16;

/// A cache line of entries; 0 is an empty place.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; SLOTS]);

#[allow(unsafe_code, reason = "says that the type is plain memory")]
// SAFETY: sixteen words fill the 64 bytes; all patterns of bits are values.
unsafe impl Plain for Line {}

/// A set of pairs, none of which has all bits set.
pub(crate) struct Roots<S> {
    pages: Pages,
    lines: usize,
    quotient: Quotient,
    /// Entries in lines.
    main: usize,
    overflow: Overflow,
    family: PhantomData<fn() -> S>,
}

/// Where an entry is looked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Target {
    line: usize,
    /// 0 where the entry can only be in the overflow.
    word: u32,
}

impl<S: Spread> Roots<S> {
    /// An empty set without room.
    pub(crate) fn new(limit: u64) -> Result<Roots<S>, OutOfMemory> {
        Ok(Roots {
            pages: Pages::reserve(limit)?,
            lines: 0,
            quotient: Quotient::new(0),
            main: 0,
            overflow: Overflow::default(),
            family: PhantomData,
        })
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.main + self.overflow.len
    }

    /// One more than the largest left number that has a place in the lines there are.
    pub(crate) fn lefts(&self) -> u64 {
        self.quotient.lefts()
    }

    /// How many entries are not in lines.
    pub(crate) fn misfits(&self) -> usize {
        self.overflow.len
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64 + self.overflow.memory()
    }

    /// The most entries that `lines` lines are to hold: four fifths.
    fn capacity_of(lines: usize) -> usize {
        lines * SLOTS / 5 * 4
    }

    fn lines_for(entries: usize) -> usize {
        entries.saturating_mul(5).div_ceil(4 * SLOTS).max(64)
    }

    /// Whether there is room for `more` more entries.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let grown = self.lines == MOST_LINES || self.len() + more <= Self::capacity_of(self.lines);
        grown && self.overflow.has_room(more)
    }

    /// Makes room for `more` more entries with at most `allowance` bytes more.
    pub(crate) fn reserve(&mut self, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = self.len() + more;
        // Beyond the most lines there are, the overflow takes what comes.
        if need > Self::capacity_of(self.lines) && self.lines < MOST_LINES {
            return self.grow(need, more, allowance);
        }
        self.overflow.reserve(more, allowance)
    }

    /// Where the pair is or would be; fetches it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, left: u32, right: u32) -> Target {
        let (line, word) = self.quotient.encode::<S>(left, right).unwrap_or((0, 0));
        prefetch(self.pages.slice::<Line>(), line);
        Target { line, word }
    }

    /// Inserts the pair with that target and says whether it is new; there is room for it.
    #[inline(always)]
    pub(crate) fn insert(&mut self, left: u32, right: u32, target: Target) -> bool {
        if target.word != 0 {
            let Line(words) = &mut self.pages.slice_mut::<Line>()[target.line];
            if match_words(words, target.word) != 0 {
                return false;
            }
            let empty = match_words(words, 0);
            if empty != 0 {
                words[empty.trailing_zeros() as usize] = target.word;
                self.main += 1;
                return true;
            }
        }
        self.overflow.insert(pair(left, right))
    }

    /// Calls `each` with every pair, in no order that means anything.
    pub(crate) fn for_each<E>(&self, mut each: impl FnMut(u32, u32) -> Result<(), E>) -> Result<(), E> {
        for (at, Line(words)) in self.pages.slice::<Line>()[..self.lines].iter().enumerate() {
            let line = self.quotient.line(at);
            for &word in words.iter().take_while(|&&word| word != 0) {
                let (left, spread) = line.decode(word);
                each(left, S::unspread(left, spread))?;
            }
        }
        self.overflow.keys().try_for_each(|key| each(key as u32, (key >> 32) as u32))
    }

    /// Grows to room for `need` entries or more; `more` of them are still to come.
    #[cold]
    fn grow(&mut self, need: usize, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let have = self.pages.committed();
        // Lines are read and written in order, so that growing often costs little and leaves little slack.
        let want = match self.lines {
            0..8192 => 2 * self.lines,
            8192..32768 => self.lines / 8 * 9,
            _ => self.lines / 16 * 17,
        };
        let least = Self::lines_for(need).min(MOST_LINES);
        let sizes =
            [want.min(MOST_LINES), Self::lines_for(need.saturating_add(need / 32)).min(MOST_LINES), 0];
        // The count of entries by new line, one byte each, is held during growth.
        let cost = |lines: usize| {
            let bytes = Pages::rounded(lines * size_of::<Line>()).saturating_sub(have);
            (bytes + lines) as u64
        };
        for lines in sizes.map(|lines| lines.max(least)) {
            if cost(lines) <= allowance && self.grow_to(lines, more, allowance - cost(lines)).is_ok() {
                return Ok(());
            }
        }
        Err(OutOfMemory)
    }

    /// Grows to `lines` lines, with at most `allowance` bytes for the overflow.
    fn grow_to(&mut self, lines: usize, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let new = Quotient::new(lines);
        let (mut counts, misfits) = self.count(new, lines)?;
        // Everything that can fail comes before anything that changes.
        let mut overflow = Overflow::default();
        overflow.reserve(self.overflow.len + misfits + more, allowance)?;
        self.pages.commit(lines * size_of::<Line>())?;
        let (old, old_lines) = (self.quotient, self.lines);
        let old_overflow = std::mem::replace(&mut self.overflow, overflow);
        (self.quotient, self.lines, self.main) = (new, lines, 0);
        let kept = &mut self.overflow;
        let mut misfit = |left, spread| {
            kept.insert(pair(left, S::unspread(left, spread)));
        };
        for at in (0..old_lines).rev() {
            let slice = self.pages.slice_mut::<Line>();
            let Line(words) = std::mem::replace(&mut slice[at], Line([0; SLOTS]));
            let line = old.line(at);
            for &word in words.iter().take_while(|&&word| word != 0) {
                let (left, spread) = line.decode(word);
                match new.place(left, spread) {
                    // The new line is this one or one to the right, all of which have been read.
                    Some((to, word)) => match counts[to].checked_sub(1) {
                        None => misfit(left, spread),
                        Some(slot) => {
                            counts[to] = slot;
                            let Line(words) = &mut self.pages.slice_mut::<Line>()[to];
                            words[usize::from(slot)] = word;
                            self.main += 1;
                        }
                    },
                    None => misfit(left, spread),
                }
            }
        }
        for key in old_overflow.keys() {
            let (left, right) = (key as u32, (key >> 32) as u32);
            let target = self.prefetch(left, right);
            self.insert(left, right, target);
        }
        Ok(())
    }

    /// How many entries each line will have in a table of `lines` lines, and how many find no place.
    fn count(&self, new: Quotient, lines: usize) -> Result<(Vec<u8>, usize), OutOfMemory> {
        let mut counts: Vec<u8> = Vec::new();
        counts.try_reserve_exact(lines).map_err(|_| OutOfMemory)?;
        counts.resize(lines, 0);
        let mut misfits = 0;
        for (at, Line(words)) in self.pages.slice::<Line>()[..self.lines].iter().enumerate() {
            let line = self.quotient.line(at);
            for &word in words.iter().take_while(|&&word| word != 0) {
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

/// Whole keys, open addressing with linear probing; three quarters full at most.
#[derive(Default)]
struct Overflow {
    /// [`Overflow::EMPTY`] is an empty place.
    table: Vec<u64>,
    len: usize,
}

impl Overflow {
    const EMPTY: u64 = u64::MAX;

    fn memory(&self) -> u64 {
        8 * self.table.capacity() as u64
    }

    fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.table.iter().copied().filter(|&key| key != Overflow::EMPTY)
    }

    /// Places that keep the table three quarters full, and one always empty.
    fn places(&self, more: usize) -> usize {
        (self.len + more).saturating_mul(4) / 3 + 2
    }

    fn has_room(&self, more: usize) -> bool {
        self.places(more) <= self.table.len()
    }

    fn reserve(&mut self, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        if self.has_room(more) {
            return Ok(());
        }
        let need = self.places(more);
        // Old and new exist together for a moment, and both count.
        let fits = |&size: &usize| 8 * size as u64 <= allowance;
        let size = [need.max(self.table.len() / 2 * 3), need].into_iter().find(fits).ok_or(OutOfMemory)?;
        let mut table = Vec::new();
        table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
        table.resize(size, Overflow::EMPTY);
        let old = std::mem::replace(self, Overflow { table, len: 0 });
        for key in old.keys() {
            self.insert(key);
        }
        Ok(())
    }

    /// Inserts a key and says whether it is new; there is room for it.
    fn insert(&mut self, key: u64) -> bool {
        let mut at = scale(fold(key ^ 0x8bb8_4b93_962e_acc9, 0x9e37_79b9_7f4a_7c15), self.table.len());
        loop {
            match self.table[at] {
                Overflow::EMPTY => break,
                found if found == key => return false,
                _ => at = if at + 1 < self.table.len() { at + 1 } else { 0 },
            }
        }
        self.table[at] = key;
        self.len += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quotient::Feistel;
    use crate::quotient::bad::{Identity, Mirror};
    use std::collections::HashSet;

    fn add<S: Spread>(roots: &mut Roots<S>, left: u32, right: u32) -> bool {
        roots.reserve(1, u64::MAX).unwrap();
        let target = roots.prefetch(left, right);
        roots.insert(left, right, target)
    }

    fn against_hash_set<S: Spread>(lefts: u32, rights: u32, count: u32) {
        let mut roots = Roots::<S>::new(u64::MAX).unwrap();
        let mut obvious = HashSet::new();
        let mut x = 1u64;
        for _ in 0..if cfg!(miri) { count.min(1500) } else { count } {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let left = (x >> 33) as u32 % lefts;
            let right = (x >> 13) as u32 % rights;
            assert_eq!(add(&mut roots, left, right), obvious.insert((left, right)));
        }
        assert_eq!(roots.len(), obvious.len());
        let mut listed = HashSet::new();
        roots
            .for_each(|left, right| {
                assert!(listed.insert((left, right)), "listed twice");
                Ok::<(), ()>(())
            })
            .unwrap();
        assert_eq!(listed, obvious);
    }

    #[test]
    fn is_a_set() {
        against_hash_set::<Feistel>(1, 1 << 28, 60_000);
        against_hash_set::<Feistel>(200, 200, 60_000);
        against_hash_set::<Feistel>(50_000, 50_000, 60_000);
        against_hash_set::<Feistel>(u32::MAX, 3, 60_000);
        against_hash_set::<Feistel>(u32::MAX, u32::MAX, 60_000);
    }

    #[test]
    fn is_a_set_when_everything_crowds() {
        against_hash_set::<Identity>(100, 300, 30_000);
        against_hash_set::<Identity>(3, 30_000, 30_000);
        against_hash_set::<Mirror>(100, 300, 30_000);
        against_hash_set::<Mirror>(u32::MAX, u32::MAX, 30_000);
    }

    #[test]
    fn little_overflows() {
        let mut roots = Roots::<Feistel>::new(u64::MAX).unwrap();
        for i in 0..if cfg!(miri) { 3000 } else { 300_000u32 } {
            add(&mut roots, i / 1000, i % 1000 * 3);
            assert!(
                roots.overflow.len * 20 <= roots.len() + 400,
                "{} of {}",
                roots.overflow.len,
                roots.len()
            );
        }
    }

    #[test]
    fn an_allowance_is_kept_and_failure_changes_nothing() {
        for limit in (1..60).map(|i| i * 3000u64) {
            let mut roots = Roots::<Identity>::new(limit).unwrap();
            let mut inserted = 0;
            loop {
                let before = roots.memory();
                if roots.reserve(50, limit - before).is_err() {
                    break;
                }
                assert!(roots.memory() <= limit);
                for _ in 0..50 {
                    let target = roots.prefetch(inserted, 7);
                    assert!(roots.insert(inserted, 7, target));
                    inserted += 1;
                }
            }
            assert_eq!(roots.len(), inserted as usize);
            for i in 0..inserted {
                let target = roots.prefetch(i, 7);
                assert!(!roots.insert(i, 7, target));
            }
        }
    }
}
