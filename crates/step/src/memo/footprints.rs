//! Memoisation by footprint: results of computations, indexed by the bits of a state on which they
//! depend. Each decision tree holds the results of one computation.
//!
//! The interpreter records the bits that a move reads or writes (`super::parts`). A state that
//! agrees in these bits has the same move, which changes the same bits. As the bits read depend on
//! the values of other bits (an array index), a node tests the bits common to all entries below it
//! and distinguishes the rest further down. A node that turns out to test too many bits is reduced,
//! and its subtree is discarded. A state is a row of words, packed or unpacked, as the caller
//! chooses.
//!
//! *Entry points:* [`Footprints::get`], [`Footprints::put`].
//!
//! *Source:* as in `parts.rs`.
//!
//! *Invariant:* the path to a leaf compares all bits on which its entry depends.

/// Maximum number of nodes and words of keys and results; beyond it all entries are discarded.
const MOST: usize = 1 << 23;

/// Maximum distance of the tested bits for a table indexed by value rather than by hash.
const DENSE: u32 = 6;

/// Marks an entry that denotes a node. All entries are incremented by 1, so that 0 means none.
const NODE: u64 = 1 << 63;

/// A node that tests some bits of a state; aligned to a cache line, since memory latency dominates.
#[derive(Clone, Default, Debug)]
#[repr(align(64))]
struct Node {
    /// The bits, by word: those of the first word, usually the only one, and of the others.
    mask: u64,
    word: u32,
    others: Box<[(u32, u64)]>,
    /// By value: one entry each; by hash: slots of an entry and its bits, whose number is a power
    /// of two.
    table: Box<[u64]>,
    /// By hash: the number of slots minus 1, and the number of occupied slots.
    last: u32,
    taken: u32,
    /// If the only word has few bits: the lowest of them, and `table` is indexed by value.
    dense: Option<u8>,
    /// Whether a state has reached the node.
    known: bool,
}

impl Node {
    fn bits(&self) -> impl Iterator<Item = (usize, u64)> {
        let all = std::iter::once((self.word, self.mask)).chain(self.others.iter().copied());
        all.map(|(word, mask)| (word as usize, mask))
    }

    /// Sets the tested bits and discards all entries.
    fn look_at(&mut self, mask: &[u64]) {
        let mut bits = (0..).zip(mask.iter().copied()).filter(|&(_, mask)| mask != 0);
        let (word, mask) = bits.next().unwrap_or_default();
        let others: Box<[(u32, u64)]> = bits.collect();
        let (low, span) = match mask {
            0 => (0, 0),
            mask => (mask.trailing_zeros(), 64 - mask.leading_zeros() - mask.trailing_zeros()),
        };
        let dense = (others.is_empty() && span <= DENSE).then_some(low as u8);
        *self = Node { known: true, word, mask, others, dense, ..Node::default() };
        self.make_room(if dense.is_some() { 1 << span } else { 4 });
    }

    fn make_room(&mut self, places: usize) {
        self.table = vec![0; places * self.stride()].into();
        (self.last, self.taken) = (places as u32 - 1, 0);
    }

    /// Number of words per slot.
    #[inline]
    fn stride(&self) -> usize {
        if self.dense.is_some() { 1 } else { 2 + self.others.len() }
    }

    /// The slot of a state, occupied or free.
    #[inline]
    fn place(&self, row: &[u64]) -> usize {
        let first = row[self.word as usize] & self.mask;
        if let Some(low) = self.dense {
            return (first >> low) as usize;
        }
        let mix = |hash: u64| {
            let hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^ (hash >> 32)
        };
        let others = || self.others.iter().map(|&(word, mask)| row[word as usize] & mask);
        let hash = others().fold(mix(first), |hash, bits| mix(hash ^ bits));
        let (mut place, last, stride) = (hash as usize, self.last as usize, self.stride());
        loop {
            place &= last;
            let there = &self.table[place * stride..][..stride];
            if there[0] == 0 || (there[1] == first && others().eq(there[2..].iter().copied())) {
                return place * stride;
            }
            place += 1;
        }
    }

    /// Inserts the entry of a state, which must not have one.
    fn insert(&mut self, row: &[u64], entry: u64) {
        if self.dense.is_none() && 2 * self.taken > self.last {
            let (table, mut row) = (std::mem::take(&mut self.table), row.to_vec());
            self.make_room(4 * (self.last as usize + 1));
            for there in table.chunks_exact(self.stride()).filter(|there| there[0] != 0) {
                self.bits().zip(&there[1..]).for_each(|((word, _), key)| row[word] = *key);
                self.insert(&row, there[0]);
            }
        }
        let place = self.place(row);
        self.table[place] = entry;
        if self.dense.is_none() {
            let bits: Vec<u64> = self.bits().map(|(word, mask)| row[word] & mask).collect();
            self.table[place + 1..][..bits.len()].copy_from_slice(&bits);
        }
        self.taken += 1;
    }
}

/// A set of memoised results.
#[derive(Clone, Default, Debug)]
pub struct Footprints {
    nodes: Vec<Node>,
    results: Vec<u64>,
    /// Approximate size in words.
    size: usize,
}

impl Footprints {
    /// Empty trees.
    pub fn new(trees: usize) -> Footprints {
        Footprints { nodes: vec![Node::default(); trees], ..Footprints::default() }
    }

    /// Whether the maximum size is reached.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.size > MOST
    }

    /// Adds `count` trees and returns the number of the first.
    pub fn trees(&mut self, count: usize) -> u32 {
        self.nodes.resize(self.nodes.len() + count, Node::default());
        self.size += 16 * count;
        (self.nodes.len() - count) as u32
    }

    /// Stores a result and returns its start and end.
    pub fn keep(&mut self, result: &[u64]) -> (u32, u32) {
        let start = self.results.len();
        self.results.extend_from_slice(result);
        self.size += result.len();
        (start as u32, self.results.len() as u32)
    }

    /// The stored result.
    #[inline]
    pub fn result(&self, (start, end): (u32, u32)) -> &[u64] {
        &self.results[start as usize..end as usize]
    }

    /// The entry of a tree for all states that agree with this one in the bits on which it depends.
    #[inline]
    pub fn get(&self, tree: u32, row: &[u64]) -> Option<(u32, u32)> {
        let mut node = &self.nodes[tree as usize];
        while node.known {
            let entry = node.table[node.place(row)].checked_sub(1)?;
            if entry & NODE == 0 {
                return Some(((entry >> 32) as u32, entry as u32));
            }
            node = &self.nodes[(entry ^ NODE) as usize];
        }
        None
    }

    /// Adds an entry of two numbers, the first below 2^31, to a tree for all states that agree with
    /// this one in the bits of a mask. The tree must not contain an entry for it.
    pub fn put(&mut self, tree: u32, row: &[u64], mask: &[u64], (one, other): (u32, u32)) {
        let (mut at, mut left) = (tree as usize, mask.to_vec());
        loop {
            let node = &mut self.nodes[at];
            let mut looks = vec![0; left.len()];
            match node.known {
                true => node.bits().for_each(|(word, mask)| looks[word] = mask & left[word]),
                false => looks.clone_from(&left),
            }
            if !node.known || node.bits().any(|(word, mask)| looks[word] != mask) {
                node.look_at(&looks);
            }
            left.iter_mut().zip(&looks).for_each(|(left, looks)| *left &= !looks);
            self.size += node.stride() * 2;
            match node.table[node.place(row)].checked_sub(1) {
                Some(entry) if entry & NODE != 0 => at = (entry ^ NODE) as usize,
                Some(_) => return,
                None if left.iter().all(|&word| word == 0) => {
                    return node.insert(row, (u64::from(one) << 32 | u64::from(other)) + 1);
                }
                None => {
                    let next = self.trees(1);
                    self.nodes[at].insert(row, (NODE | u64::from(next)) + 1);
                    at = next as usize;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_generate::Random;

    /// The bits on which the result depends: the first byte selects another one.
    fn depends(row: &[u64]) -> [u64; 3] {
        let byte = (row[0] & 0xff) as usize % 23 + 1;
        let mut mask = [0xff, 0, 0];
        mask[byte / 8] |= 0xff << (8 * (byte % 8));
        mask
    }

    #[test]
    fn what_was_put_is_found_where_all_agrees_that_it_depends_on() {
        let (mut known, mut random) = (Footprints::new(2), Random::of(5, 0));
        let mut expected = std::collections::HashMap::new();
        let (mut found, mut new) = (0, 0);
        for _ in 0..60_000 {
            let row = [(); 3].map(|()| random.number() & 0x0303_0303_0303_0303);
            let mask = depends(&row);
            let tree = random.below(2);
            let key = (tree, mask, [0, 1, 2].map(|word| row[word] & mask[word]));
            match known.get(tree, &row) {
                Some(there) => {
                    assert_eq!(Some(&there), expected.get(&key));
                    found += 1;
                }
                None => {
                    let there = known.keep(&[new, new]);
                    known.put(tree, &row, &mask, there);
                    assert_eq!(known.get(tree, &row), Some(there));
                    assert_eq!(known.result(there), [new, new]);
                    expected.insert(key, there);
                    new += 1;
                }
            }
        }
        assert!(new < 200 && found > 50_000, "{found} found, {new} new");
    }
}
