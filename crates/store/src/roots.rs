//! The set of root pairs: a compact hash table with four bytes per entry plus slack.
//!
//! A line of 64 bytes holds sixteen 32-bit entries. The line of an entry encodes those bits of the
//! key that the entry itself does not ([`crate::quotient`]), so a lookup is exact and reads one
//! cache line. Entries that do not fit (their line is full, their word would be 0, or their numbers
//! are too large) go to an overflow table of whole keys: 3 in 100 with lines four fifths full.
//!
//! *Entry point:* [`Roots::insert`].
//!
//! *Source:* A. Laarman, Optimal compression of combinatorial state vectors, ISSE 15, 2019 (compact
//! tree database); here with lines instead of Cleary's bidirectional probing.
//!
//! Growth is in place: lines are ordered by the hashes of their entries, so the table is processed
//! from its last line to its first, and every entry moves to the right or stays. The peak is the
//! new size.
//!
//! *Invariant:* a line is filled from the left and never loses an entry; an entry that has a word
//! is in the overflow only if its line is full. A lookup therefore reads the overflow only if the
//! line is full.
//!
//! *Concurrency:* `shared/roots.rs` is the lock-free version.

use crate::hash::scale;
use crate::line::{match_words, prefetch};
use crate::nodes::{hash, pair};
use crate::pages::{Pages, Plain};
use crate::quotient::{MOST_LINES, Quotient, Spread};
use crate::{LEAST_GROWTH, OutOfMemory};
use std::marker::PhantomData;

/// Number of entries per line.
const SLOTS: usize = 16;

/// A cache line of entries; 0 is a free slot.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; SLOTS]);

#[allow(unsafe_code, reason = "says that the type is plain memory")]
// SAFETY: sixteen words fill the 64 bytes; all bit patterns are valid.
unsafe impl Plain for Line {}

/// A set of pairs; the pair with all bits set is excluded.
pub(crate) struct Roots<S> {
    pages: Pages,
    lines: usize,
    quotient: Quotient,
    /// Number of entries in lines.
    main: usize,
    overflow: Overflow,
    family: PhantomData<fn() -> S>,
}

/// Position of an entry.
#[derive(Clone, Copy, Default)]
pub(crate) struct Target {
    line: usize,
    /// 0 if the entry can only be in the overflow.
    word: u32,
}

impl<S: Spread> Roots<S> {
    /// An empty set without capacity.
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

    /// Upper bound (exclusive) of left numbers representable in the current number of lines.
    pub(crate) fn lefts(&self) -> u64 {
        self.quotient.lefts()
    }

    /// Number of entries in the overflow.
    pub(crate) fn misfits(&self) -> usize {
        self.overflow.len
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64 + self.overflow.memory()
    }

    /// Maximum number of entries of `lines` lines: four fifths of the slots.
    fn capacity_of(lines: usize) -> usize {
        lines * SLOTS / 5 * 4
    }

    fn lines_for(entries: usize) -> usize {
        entries.saturating_mul(5).div_ceil(4 * SLOTS).max(64)
    }

    /// Whether memory for `more` further entries is reserved.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let grown = self.lines == MOST_LINES || self.len() + more <= Self::capacity_of(self.lines);
        grown && self.overflow.has_room(more)
    }

    /// Reserves memory for `more` further entries with at most `allowance` further bytes.
    pub(crate) fn reserve(&mut self, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = self.len() + more;
        // At the maximum number of lines, the overflow takes all further entries.
        if need > Self::capacity_of(self.lines) && self.lines < MOST_LINES {
            return self.grow(need, more, allowance);
        }
        self.overflow.reserve(more, allowance)
    }

    /// Reserves memory for as many entries as another set has, with at most `allowance` further bytes.
    ///
    /// Its entries come in the order of their hash values. In a table that grew while they come, all of them would
    /// belong to its first lines and, in the overflow, to its first slots: the time would be quadratic.
    pub(crate) fn reserve_for(&mut self, other: &Roots<S>, allowance: u64) -> Result<(), OutOfMemory> {
        let lines = Self::lines_for(other.len()).min(MOST_LINES);
        let left = allowance.checked_sub(self.cost(lines)).ok_or(OutOfMemory)?;
        self.grow_to(lines, other.overflow.len, left)
    }

    /// Position of the pair, whether present or not; prefetches it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, left: u32, right: u32) -> Target {
        let (line, word) = self.quotient.encode::<S>(left, right).unwrap_or((0, 0));
        prefetch(self.pages.slice::<Line>(), line);
        Target { line, word }
    }

    /// Inserts the pair at its position and returns whether it is new; memory must be reserved.
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

    /// Calls `each` with every pair, in unspecified order.
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

    /// Grows to at least `need` entries, `more` of which are still to come.
    #[cold]
    fn grow(&mut self, need: usize, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        // Lines are read and written in order, so frequent growth costs little and leaves little
        // slack.
        let want = match self.lines {
            0..8192 => 2 * self.lines,
            8192..32768 => self.lines / 8 * 9,
            _ => self.lines / 16 * 17,
        };
        // Near the limit the table grows less, but not by a few entries: each growth reads all of them.
        let with = |more: usize| Self::lines_for(need.saturating_add(more)).min(MOST_LINES);
        let sizes = [want.min(MOST_LINES), with(need / 32), with(need / LEAST_GROWTH)];
        let least = with(0);
        for lines in sizes.map(|lines| lines.max(least)) {
            let left = allowance.checked_sub(self.cost(lines));
            if left.is_some_and(|left| self.grow_to(lines, more, left).is_ok()) {
                return Ok(());
            }
        }
        Err(OutOfMemory)
    }

    /// Bytes that a growth to `lines` lines needs: the lines, and for each the number of its entries, which is
    /// stored during growth.
    fn cost(&self, lines: usize) -> u64 {
        let bytes = Pages::rounded(lines * size_of::<Line>()).saturating_sub(self.pages.committed());
        (bytes + lines) as u64
    }

    /// Grows to `lines` lines, with at most `allowance` bytes for the overflow.
    fn grow_to(&mut self, lines: usize, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let new = Quotient::new(lines);
        let (mut counts, misfits) = self.count(new, lines)?;
        // All operations that can fail precede all modifications.
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
                    // The new line is this one or one to the right; all of these have been read.
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

    /// Number of entries per line in a table of `lines` lines, and number of entries without a
    /// slot.
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

/// Whole keys, open addressing with linear probing; at most three quarters full.
#[derive(Default)]
struct Overflow {
    /// [`Overflow::EMPTY`] is a free slot.
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

    /// Number of slots for a load of three quarters, with at least one free slot.
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
        // The old and the new table exist together temporarily, and both count.
        let fits = |&size: &usize| 8 * size as u64 <= allowance;
        let least = need.saturating_add(need / LEAST_GROWTH);
        let size = [need.max(self.table.len() / 2 * 3), least].into_iter().find(fits).ok_or(OutOfMemory)?;
        let mut table = Vec::new();
        table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
        table.resize(size, Overflow::EMPTY);
        let old = std::mem::replace(self, Overflow { table, len: 0 });
        for key in old.keys() {
            self.insert(key);
        }
        Ok(())
    }

    /// Inserts a key and returns whether it is new; memory must be reserved.
    fn insert(&mut self, key: u64) -> bool {
        let mut at = scale(hash(key), self.table.len());
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
    use axle_generate::Random;
    use std::collections::HashSet;

    fn add<S: Spread>(roots: &mut Roots<S>, left: u32, right: u32) -> bool {
        roots.reserve(1, u64::MAX).unwrap();
        let target = roots.prefetch(left, right);
        roots.insert(left, right, target)
    }

    fn against_hash_set<S: Spread>(lefts: u32, rights: u32, count: u32) {
        let mut roots = Roots::<S>::new(u64::MAX).unwrap();
        let mut obvious = HashSet::new();
        let mut random = Random::of(1, 0);
        for _ in 0..if cfg!(miri) { count.min(1500) } else { count } {
            let (left, right) = (random.below(lefts), random.below(rights));
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

    /// Each growth reads all entries: near a limit, a table that grew by a few would do little else (1,388 growths).
    #[test]
    fn growths_near_a_limit_are_few() {
        // Large pages: what is left of the last one allows growths that cost no memory.
        let limit = if cfg!(miri) { 100_000 } else { 8_000_000 };
        let mut roots = Roots::<Feistel>::new(limit).unwrap();
        let (mut random, mut growths, mut lines) = (Random::of(1, 0), 0, roots.lines);
        for number in 0.. {
            // A search reserves for all successors of a batch, and few of them are new.
            if roots.reserve(1000, limit.saturating_sub(roots.memory())).is_err() {
                break;
            }
            growths += usize::from(std::mem::replace(&mut lines, roots.lines) != roots.lines);
            let left = random.below(1 << 16);
            let target = roots.prefetch(left, number);
            roots.insert(left, number, target);
        }
        assert!(roots.memory() > limit / 2, "{} bytes are used", roots.memory());
        assert!(growths < 100, "{growths} growths for {} entries", roots.len());
    }

    /// Misfits are pairs of numbers, which are dense: linear probing needs a hash function that spreads them.
    #[test]
    fn dense_pairs_are_found_near_their_places() {
        for (lefts, rights) in [(1 << 8, 1 << 8), (1 << 13, 1 << 3), (1 << 3, 1 << 13)] {
            for (left_factor, right_factor) in [(1, 1), (16, 1), (1, 16), (1 << 10, 1), (1, 1 << 10)] {
                let mut overflow = Overflow::default();
                overflow.reserve((lefts * rights) as usize, u64::MAX).unwrap();
                let all =
                    |left: u32| (0..rights).map(move |right| pair(left * left_factor, right * right_factor));
                (0..lefts).flat_map(all).for_each(|key| assert!(overflow.insert(key)));
                let slots = overflow.table.len();
                let taken = overflow.table.iter().enumerate().filter(|(_, key)| **key != Overflow::EMPTY);
                let away = taken.map(|(at, &key)| (at + slots - scale(hash(key), slots)) % slots);
                let mean = away.sum::<usize>() as f64 / f64::from(lefts * rights);
                // The expectation at three quarters is 1.5 (Knuth, The Art of Computer Programming 3, 6.4).
                assert!(mean < 3.0, "{lefts} * {left_factor}, {rights} * {right_factor}: {mean}");
            }
        }
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
