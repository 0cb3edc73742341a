//! Hash compaction: a table of state fingerprints instead of states.
//!
//! Two states with the same fingerprint are identified. Fingerprints are in increasing order, each
//! in the first free slot at or after its home slot, which its upper bits determine (ordered linear
//! probing). Therefore the table grows in place: all entries are moved to the end and redistributed
//! from the front. If it cannot grow, it is filled almost completely.
//!
//! *Entry point:* [`Table::insert`].
//!
//! *Source:* P. Wolper and D. Leroy, Reliable hashing without collision detection, CAV 1993; O.
//! Amble and D. E. Knuth, Ordered hash tables, The Computer Journal 17, 1974.
//!
//! *Invariant:* no slot between the home slot of a fingerprint and its slot is empty, and 0 is not
//! a fingerprint.

use crate::OutOfMemory;
use crate::fingerprint::Print;
use crate::hash::scale;
use crate::line::prefetch;
use crate::pages::{PAGE, Pages, Plain};

/// Entry type of a table.
pub(crate) trait Word: Plain + Ord + Default + std::fmt::Debug {
    /// The stored part of a fingerprint; never 0.
    fn of(print: &Print) -> Self;
    /// Its highest bits.
    fn top(self) -> u64;
}

impl Word for u64 {
    #[inline(always)]
    fn of(print: &Print) -> u64 {
        print.low.max(1)
    }

    #[inline(always)]
    fn top(self) -> u64 {
        self
    }
}

impl Word for u128 {
    #[inline(always)]
    fn of(print: &Print) -> u128 {
        (u128::from(print.low) << 64 | u128::from(print.high)).max(1)
    }

    #[inline(always)]
    fn top(self) -> u64 {
        (self >> 64) as u64
    }
}

/// Bytes of a new table.
const FIRST: usize = 8 * PAGE;

/// Load factor in percent at which a table grows ...
const FULL: usize = 80;

/// ... and load factor at which a table that cannot grow is full.
const BRIM: usize = 97;

/// A set of fingerprints.
pub(crate) struct Table<W> {
    pages: Pages,
    len: usize,
    limit: u64,
    /// Whether the table was refused more memory.
    last: bool,
    kind: std::marker::PhantomData<W>,
}

impl<W: Word> Table<W> {
    /// An empty table limited to `limit` bytes.
    pub(crate) fn new(limit: u64) -> Result<Table<W>, OutOfMemory> {
        if limit < FIRST as u64 {
            return Err(OutOfMemory);
        }
        let mut pages = Pages::reserve(limit)?;
        pages.commit(FIRST)?;
        Ok(Table { pages, len: 0, limit, last: false, kind: std::marker::PhantomData })
    }

    fn slots(&self) -> &[W] {
        self.pages.slice()
    }

    /// Number of home slots; the slots after them hold entries displaced from the end.
    fn homes(slots: usize) -> usize {
        slots - slots / 64 - 64
    }

    /// Number of fingerprints.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }

    /// Reserves memory for `more` fingerprints within `limit` bytes.
    pub(crate) fn reserve(&mut self, more: usize, limit: u64) -> Result<(), OutOfMemory> {
        self.limit = self.limit.min(limit);
        while (self.len + more) * 100 > self.slots().len() * FULL {
            if self.last || self.grow().is_err() {
                self.last = true;
                let fits = (self.len + more) * 100 <= self.slots().len() * BRIM;
                return if fits { Ok(()) } else { Err(OutOfMemory) };
            }
        }
        Ok(())
    }

    /// Prefetches the home slot of a fingerprint.
    #[inline(always)]
    pub(crate) fn prefetch(&self, print: &Print) {
        let slots = self.slots();
        prefetch(slots, scale(W::of(print).top(), Self::homes(slots.len())));
    }

    /// Inserts a fingerprint and returns whether it is new; the table must not be full.
    #[inline]
    pub(crate) fn insert(&mut self, print: &Print) -> Result<bool, OutOfMemory> {
        let word = W::of(print);
        let slots = self.pages.slice_mut::<W>();
        let empty = W::default();
        let start = scale(word.top(), Self::homes(slots.len()));
        for at in start..slots.len() {
            let other = slots[at];
            if other == word {
                return Ok(false);
            }
            if other == empty {
                slots[at] = word;
                self.len += 1;
                return Ok(true);
            }
            if other > word {
                // Shift the entries behind it.
                let Some(gap) = slots[at..].iter().position(|slot| *slot == empty) else { break };
                slots.copy_within(at..at + gap, at + 1);
                slots[at] = word;
                self.len += 1;
                return Ok(true);
            }
        }
        Err(OutOfMemory)
    }

    /// Grows by half, or up to the limit.
    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let have = self.pages.committed();
        let most = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let mut want = Pages::rounded(have / 2 * 3);
        if want > most {
            // Whole huge pages, so that the committed memory equals the requested memory.
            want = if most >= crate::pages::LARGE {
                most & !(crate::pages::HUGE - 1)
            } else {
                most & !(PAGE - 1)
            };
        }
        if want < have + have / 16 || Pages::rounded(want) as u64 > self.limit {
            return Err(OutOfMemory);
        }
        // A region that must move exists twice temporarily.
        if !self.pages.reaches(want) && (have + want) as u64 > self.limit {
            return Err(OutOfMemory);
        }
        let old = self.slots().len();
        self.pages.commit(want)?;
        let slots = self.pages.slice_mut::<W>();
        let (new, empty) = (slots.len(), W::default());
        let mut from = new;
        for at in (0..old).rev() {
            let word = slots[at];
            if word != empty {
                slots[at] = empty;
                from -= 1;
                slots[from] = word;
            }
        }
        let (homes, mut free) = (Self::homes(new), 0);
        for at in from..new {
            let word = slots[at];
            slots[at] = empty;
            // An entry never moves backwards, so no unread entry is overwritten.
            let to = scale(word.top(), homes).max(free).min(at);
            slots[to] = word;
            free = to + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::mix;
    use std::collections::HashSet;

    fn print(i: u64) -> Print {
        Print { low: mix(i), high: mix(i ^ 0x55), key: 0 }
    }

    fn fill<W: Word>(limit: u64, most: u64) -> (Table<W>, u64) {
        let mut table = Table::<W>::new(limit).unwrap();
        let mut count = 0;
        while count < most && table.reserve(1, limit).is_ok() {
            assert_eq!(table.insert(&print(count)), Ok(true), "{count}");
            count += 1;
        }
        (table, count)
    }

    #[test]
    fn what_was_inserted_is_found_however_often_it_grew() {
        let most = if cfg!(miri) { 5_000 } else { 200_000 };
        let (mut small, count) = fill::<u64>(u64::MAX, most);
        let (mut large, _) = fill::<u128>(u64::MAX, most);
        for i in 0..count {
            assert_eq!(small.insert(&print(i)), Ok(false));
            assert_eq!(large.insert(&print(i)), Ok(false));
        }
        assert_eq!((small.len(), large.len()), (count as usize, count as usize));
        let sorted = |slots: &[u64]| {
            let words: Vec<u64> = slots.iter().copied().filter(|&w| w != 0).collect();
            words.is_sorted() && words.iter().collect::<HashSet<_>>().len() == words.len()
        };
        assert!(sorted(small.slots()));
    }

    #[test]
    fn is_filled_to_the_brim_and_no_further() {
        for limit in [FIRST as u64, 100_000, 1_000_000, 5_000_000, 11_000_000] {
            let (table, count) = fill::<u64>(limit, u64::MAX);
            assert!(table.memory() <= limit);
            assert!(count * 8 * 100 >= (limit - limit / 3) * 80, "{count} in {limit}");
            let (table, wide) = fill::<u128>(limit, u64::MAX);
            assert!(table.memory() <= limit && wide > count / 2 - count / 8);
        }
    }

    #[test]
    fn equal_upper_bits_are_told_apart() {
        let mut table = Table::<u128>::new(u64::MAX).unwrap();
        for high in (0..100).rev() {
            table.reserve(1, u64::MAX).unwrap();
            assert_eq!(table.insert(&Print { low: 1 << 63, high, key: 0 }), Ok(true));
        }
        for high in 0..100 {
            assert_eq!(table.insert(&Print { low: 1 << 63, high, key: 0 }), Ok(false));
        }
    }
}
