//! Table of numbered pairs of words: the inner nodes of the state tree.
//!
//! Pairs are stored in order of their numbers, an [`Index`] finds them: about 15 bytes per pair.
//!
//! *Entry points:* [`Nodes::number`] (pair to number, adding new pairs) and [`Nodes::pair`] (number
//! to pair).
//!
//! *Invariant:* different pairs have different numbers, and the pair of a number never changes;
//! equal numbers therefore represent equal subtrees.

use crate::OutOfMemory;
use crate::hash::fold;
use crate::index::Index;
use crate::pages::{PAGE, Pages};

/// A table of pairs.
pub(crate) struct Nodes {
    pairs: Pages,
    len: usize,
    index: Index,
}

/// Two words as one key.
#[inline(always)]
pub(crate) fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

#[inline(always)]
pub(crate) fn hash(key: u64) -> u64 {
    let mixed = fold(key ^ 0x2d35_8dcc_aa6c_78a5, 0x9e37_79b9_7f4a_7c15);
    // The product alone leaves the highest bits of pairs of small words too regular.
    mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ mixed >> 32
}

impl Nodes {
    /// An empty table.
    pub(crate) fn new(limit: u64) -> Result<Nodes, OutOfMemory> {
        Ok(Nodes { pairs: Pages::reserve(limit)?, len: 0, index: Index::new()? })
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        self.pairs.committed() as u64 + self.index.memory()
    }

    /// Whether memory for `more` further pairs is reserved.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let need = self.len + more;
        need * 8 <= self.pairs.committed() && need <= self.index.capacity()
    }

    /// Reserves memory for `more` further pairs with at most `allowance` further bytes.
    #[cold]
    pub(crate) fn reserve(&mut self, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let need = self.len + more;
        // The largest number is never assigned, so that no pair of numbers has all bits set.
        if need >= u32::MAX as usize {
            return Err(OutOfMemory);
        }
        let before = self.memory();
        let have = self.pairs.committed();
        if need * 8 > have {
            let sizes = [have + (have / 8).max(PAGE), 0].map(|bytes| Pages::rounded(bytes.max(need * 8)));
            let fits = |&bytes: &usize| (bytes - have) as u64 <= allowance;
            self.pairs.commit(sizes.into_iter().find(fits).ok_or(OutOfMemory)?)?;
        }
        if need > self.index.capacity() {
            let most = before.saturating_add(allowance).saturating_sub(self.pairs.committed() as u64);
            let have = self.index.capacity();
            let want = if have < 1 << 16 { have * 2 } else { have / 4 * 5 };
            let Nodes { pairs, index, len } = self;
            let pairs = pairs.slice::<u64>();
            index.grow(need, want, most, *len, |number| hash(pairs[number as usize]))?;
        }
        Ok(())
    }

    /// The hash of a pair; prefetches the data that its lookup reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) -> u64 {
        let hash = hash(key);
        self.index.prefetch(hash);
        hash
    }

    /// The number of a pair, existing or new; memory must be reserved.
    #[inline(always)]
    pub(crate) fn number(&mut self, key: u64, hash: u64) -> u32 {
        let pairs = self.pairs.slice_mut::<u64>();
        match self.index.find(hash, |number| pairs[number as usize] == key) {
            Ok(number) => number,
            Err(place) => {
                let number = self.len as u32;
                pairs[self.len] = key;
                self.index.fill(place, hash, number);
                self.len += 1;
                number
            }
        }
    }

    /// The pair of a number assigned before.
    #[inline(always)]
    pub(crate) fn pair(&self, number: u32) -> (u32, u32) {
        let key = self.pairs.slice::<u64>()[number as usize];
        (key as u32, (key >> 32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_keep_their_pairs() {
        let mut nodes = Nodes::new(u64::MAX).unwrap();
        let many = if cfg!(miri) { 200 } else { 20_000 };
        for i in 0..many {
            nodes.reserve(1, u64::MAX).unwrap();
            let key = pair(i / 100, i % 100);
            let hash = nodes.prefetch(key);
            assert_eq!(nodes.number(key, hash), i);
            assert_eq!(nodes.number(key, hash), i);
        }
        for i in 0..many {
            assert_eq!(nodes.pair(i), (i / 100, i % 100));
        }
        assert_eq!(nodes.len(), many as usize);
    }

    #[test]
    fn an_allowance_is_kept() {
        let mut nodes = Nodes::new(u64::MAX).unwrap();
        for allowance in (0..40).map(|i| i * 1000) {
            let before = nodes.memory();
            // It may fail: only what it takes is tested.
            let _ = nodes.reserve(5000, allowance);
            assert!(nodes.memory() <= before + allowance);
        }
    }
}
