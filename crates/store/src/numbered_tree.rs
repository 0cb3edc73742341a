//! Tree compression with numbered states, for searches that keep data for each state by number.
//!
//! A state is a binary tree over its words, as in [`crate::tree`], and the number of its root pair
//! is the number of the state: about 15 bytes per state, independent of its width. (The smaller
//! root table of [`crate::tree`] assigns no numbers.)
//!
//! *Entry point:* [`NumberedTree::insert_numbered`](crate::Numbered::insert_numbered): only the
//! nodes above words that differ from the source, or from the state before, are looked up.
//!
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Parallel recursive state compression for free,
//! SPIN 2011 (incremental insertion).
//!
//! Nodes are numbered as in a heap: node `i` has the children `2i` and `2i + 1`, node `n + j` is
//! word `j` of `n`. A set is rebuilt when its states are widened beyond its spare words.
//!
//! *Invariant:* equal states have equal root pairs and different states different ones, because the
//! numbers in a table never change. Pairs below the root without a state may exist (after a failed
//! call); root pairs without a state may not.

use crate::nodes::{Nodes, pair};
use crate::numbered::Numbered;
use crate::packed::Rewrite;
use crate::{OutOfMemory, StateSet};

/// Maximum number of states handed out whose trees are kept.
const KEEP: usize = 256;

/// A set of numbered states with tree compression.
pub struct NumberedTree {
    width: usize,
    /// Words of a state, spare words included; at least two.
    words: usize,
    /// The pairs below the root.
    inner: Nodes,
    /// The root pairs, by the number of their state.
    roots: Nodes,
    limit: u64,
    /// Number of states taken.
    taken: usize,
    /// The trees of the states handed out last: `2 * words` values each.
    sources: Vec<u32>,
    /// The tree of the state inserted last, and whether there is one.
    row: Vec<u32>,
    has_row: bool,
    /// Nodes of `row` whose pair has to be looked up.
    stale: Vec<bool>,
    /// The root pairs of a batch.
    keys: Vec<u64>,
}

impl NumberedTree {
    /// An empty set for states of `width` bytes (a multiple of 4) that never uses more than `limit`
    /// bytes.
    pub fn with_limit(width: usize, limit: u64) -> Result<NumberedTree, OutOfMemory> {
        NumberedTree::with_words(width, (width / 4).max(2), limit)
    }

    fn with_words(width: usize, words: usize, limit: u64) -> Result<NumberedTree, OutOfMemory> {
        assert!(width > 0 && width.is_multiple_of(4), "a state is a positive number of 4-byte words");
        assert!(width <= 4 * words, "the words of a state, and some to spare");
        let set = NumberedTree {
            width,
            words,
            inner: Nodes::new(limit)?,
            roots: Nodes::new(limit)?,
            limit,
            taken: 0,
            sources: Vec::new(),
            row: vec![0; 2 * words],
            has_row: false,
            stale: vec![false; words],
            keys: Vec::new(),
        };
        if set.memory() > limit { Err(OutOfMemory) } else { Ok(set) }
    }

    fn allowance(&self) -> u64 {
        self.limit.saturating_sub(self.memory())
    }

    /// Computes the root pairs of states. After a failure the set of states is unchanged.
    fn fold(&mut self, states: &[u8], ends: &[u32]) -> Result<(), OutOfMemory> {
        let (words, size) = (self.words, 2 * self.words);
        let mut source = 0;
        for (at, state) in states.chunks_exact(self.width).enumerate() {
            while ends.get(source).is_some_and(|&end| end as usize <= at) {
                source += 1;
            }
            if !self.inner.has_room(words) {
                let allowance = self.allowance();
                self.inner.reserve(words, allowance)?;
            }
            let known = self.sources.get(source * size..(source + 1) * size);
            match known.filter(|_| source < ends.len()) {
                Some(known) => self.row.copy_from_slice(known),
                None if self.has_row => {}
                None => {
                    self.row.fill(0);
                    self.stale.fill(true);
                }
            }
            let leaves = state.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            for (leaf, word) in leaves.enumerate() {
                let node = words + leaf;
                if self.row[node] != word {
                    self.row[node] = word;
                    self.stale[node / 2] = true;
                }
            }
            // A row is valid only when all of its nodes are.
            self.has_row = false;
            for node in (2..words).rev() {
                if !std::mem::take(&mut self.stale[node]) {
                    continue;
                }
                let key = pair(self.row[2 * node], self.row[2 * node + 1]);
                let number = self.inner.number(key, self.inner.prefetch(key));
                if self.row[node] != number {
                    self.row[node] = number;
                    self.stale[node / 2] = true;
                }
            }
            self.has_row = true;
            self.keys.push(pair(self.row[2], self.row[3]));
        }
        Ok(())
    }

    /// Appends the words of a state, spare ones included, to `row` as a tree.
    fn unfold(&self, number: u32, row: &mut [u32]) {
        (row[2], row[3]) = self.roots.pair(number);
        for node in 2..self.words {
            (row[2 * node], row[2 * node + 1]) = self.inner.pair(row[node]);
        }
    }

    /// Appends a state that is given by its tree.
    fn append_row(&self, row: &[u32], out: &mut Vec<u8>) {
        let leaves = &row[self.words..][..self.width / 4];
        leaves.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }

    /// Replaces every state by the one of `width` bytes that `map` appends for it, in a tree over
    /// `words` words. After an error the set is unchanged.
    fn replace(
        &mut self,
        width: usize,
        words: usize,
        map: &mut dyn FnMut(&[u8], &mut Vec<u8>),
    ) -> Result<(), OutOfMemory> {
        let mut new = NumberedTree::with_words(width, words, self.allowance())?;
        let (mut row, mut state, mut changed) = (vec![0; 2 * self.words], Vec::new(), Vec::new());
        let mut numbers = Vec::new();
        for number in 0..self.roots.len() as u32 {
            state.clear();
            changed.clear();
            numbers.clear();
            self.unfold(number, &mut row);
            self.append_row(&row, &mut state);
            map(&state, &mut changed);
            new.insert_numbered(&changed, &[], &mut numbers)?;
            debug_assert_eq!(numbers, [number], "the map is injective");
        }
        (new.limit, new.taken) = (self.limit, self.taken);
        *self = new;
        Ok(())
    }
}

impl StateSet for NumberedTree {
    fn width(&self) -> usize {
        self.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        self.insert_successors(states, &[], fresh)
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        let mut known = self.roots.len() as u32;
        let mut numbers = Vec::with_capacity(states.len() / self.width);
        self.insert_numbered(states, ends, &mut numbers)?;
        fresh.extend(numbers.into_iter().map(|number| {
            let is_new = number == known;
            known += u32::from(is_new);
            is_new
        }));
        Ok(())
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        let count = max.min(self.roots.len() - self.taken);
        let numbers: Vec<u32> = (self.taken as u32..(self.taken + count) as u32).collect();
        self.append_states(&numbers, out);
        self.taken += count;
        count
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        if width > 4 * self.words {
            // Spare words are zero in every state and cost almost nothing.
            let words = width / 4 + (width / 4).div_ceil(4);
            self.replace(width, words, &mut |state, out| {
                let start = out.len();
                out.extend_from_slice(state);
                out.resize(start + width, 0);
            })?;
        }
        self.width = width;
        Ok(())
    }

    fn len(&self) -> u64 {
        self.roots.len() as u64
    }

    fn memory(&self) -> u64 {
        let words = self.sources.capacity() + self.row.capacity() + 2 * self.keys.capacity();
        self.inner.memory() + self.roots.memory() + 4 * words as u64 + self.stale.capacity() as u64
    }
}

impl Rewrite for NumberedTree {
    /// A rewrite rebuilds the set, and the assignment of bits to words determines the compression.
    fn is_rewritten_fast(&self) -> bool {
        false
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        self.replace(self.width, self.words, map)
    }
}

impl Numbered for NumberedTree {
    fn insert_numbered(
        &mut self,
        states: &[u8],
        ends: &[u32],
        numbers: &mut Vec<u32>,
    ) -> Result<(), OutOfMemory> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        let count = states.len() / self.width;
        if self.keys.capacity() < count {
            self.keys = Vec::new();
            if 8 * count as u64 > self.allowance() {
                return Err(OutOfMemory);
            }
            self.keys.try_reserve_exact(count).map_err(|_| OutOfMemory)?;
        }
        if !self.roots.has_room(count) {
            let allowance = self.allowance();
            self.roots.reserve(count, allowance)?;
        }
        self.keys.clear();
        self.fold(states, ends)?;
        // The remaining operations cannot fail.
        const AHEAD: usize = 16;
        let mut hashes = [0; AHEAD];
        let ahead = AHEAD.min(count);
        for at in 0..count + ahead {
            if at >= ahead {
                numbers.push(self.roots.number(self.keys[at - ahead], hashes[(at - ahead) % AHEAD]));
            }
            if at < count {
                hashes[at % AHEAD] = self.roots.prefetch(self.keys[at]);
            }
        }
        Ok(())
    }

    fn append_states(&mut self, numbers: &[u32], out: &mut Vec<u8>) {
        let size = 2 * self.words;
        // Trees are kept if memory permits; otherwise the insertion of successors is slower.
        let keep = if numbers.len() <= KEEP { numbers.len() * size } else { 0 };
        let mut sources = std::mem::take(&mut self.sources);
        sources.clear();
        if sources.capacity() < keep {
            sources = Vec::new();
            if 4 * keep as u64 <= self.allowance() {
                sources.reserve_exact(keep);
            }
        }
        let mut row = vec![0; size];
        for &number in numbers {
            self.unfold(number, &mut row);
            self.append_row(&row, out);
            if sources.len() + size <= sources.capacity() {
                sources.extend_from_slice(&row);
            }
        }
        self.sources = sources;
    }

    fn clear(&mut self) -> Result<(), OutOfMemory> {
        // Two empty sets need little, but the limit holds for them together.
        (self.inner, self.roots) = (Nodes::new(self.limit)?, Nodes::new(self.limit)?);
        *self = NumberedTree::with_words(self.width, self.words, self.limit)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference_set::{self, Shape};
    use crate::{Packed, PlainTable};
    use axle_generate::Random;

    #[test]
    fn is_a_set_and_a_queue() {
        let tree = |width| NumberedTree::with_limit(width, u64::MAX).unwrap();
        reference_set::random(tree, Shape::default());
        let packed = |width| Packed::with_limit(width, u64::MAX, NumberedTree::with_limit).unwrap();
        reference_set::random(packed, Shape::default());
    }

    #[test]
    fn numbers_are_those_of_plain_states() {
        let mut tree = NumberedTree::with_limit(20, u64::MAX).unwrap();
        let mut plain = PlainTable::with_limit(20, u64::MAX).unwrap();
        let (mut random, mut width) = (Random::of(1, 0), 20);
        for round in 0..40u32 {
            let (mut states, mut ends) = (Vec::new(), Vec::new());
            if round > 0 {
                let numbers: Vec<u32> = (0..4).map(|i| (i * 7) % plain.len() as u32).collect();
                let mut own = Vec::new();
                plain.append_states(&numbers, &mut own);
                let mut same = Vec::new();
                tree.append_states(&numbers, &mut same);
                assert_eq!(own, same);
                for (at, source) in own.chunks_exact(width).enumerate() {
                    for change in 0..3 {
                        let mut state = source.to_vec();
                        state[random.below(width)] = random.below(5) + change;
                        states.extend_from_slice(&state);
                    }
                    ends.push(3 * (at as u32 + 1));
                }
            } else {
                states = vec![0; width];
            }
            let (mut of_tree, mut of_plain) = (Vec::new(), Vec::new());
            tree.insert_numbered(&states, &ends, &mut of_tree).unwrap();
            plain.insert_numbered(&states, &ends, &mut of_plain).unwrap();
            assert_eq!(of_tree, of_plain);
            if round % 10 == 9 {
                width += 12;
                tree.widen(width).unwrap();
                plain.widen(width).unwrap();
            }
        }
        assert!(plain.len() > 100);
        tree.clear().unwrap();
        assert_eq!((tree.len(), tree.width()), (0, width));
    }

    #[test]
    fn grows_and_is_widened() {
        for width in [4, 8, 12, 64, 260] {
            let mut set = NumberedTree::with_limit(width, u64::MAX).unwrap();
            reference_set::walk(&mut set, reference_set::many());
        }
    }

    #[test]
    fn a_limit_is_kept() {
        for width in [4, 16, 132] {
            for limit in (0..20).map(|i| i * 40_000) {
                if let Ok(mut set) = NumberedTree::with_limit(width, limit) {
                    reference_set::limit(&mut set, limit);
                }
            }
        }
    }
}
