//! What was computed before, by the bits of a state that it depends on: some trees, of which each
//! keeps the results of one computation.
//!
//! *Entry points:* [`Footprints::get`], [`Footprints::put`].
//!
//! Idea: the interpreter says which bits it looked at or changed when it made a move
//! ([`super::watch`]). A state that agrees in these has the same move, and it changes the same
//! bits. Which bits are looked at depends on the values of others (where an index points to), so a
//! node looks at those that all depend on which came there, and tells the rest apart further down.
//! A node that finds that it looks at too much looks at less from then on, and forgets what is
//! below it. A state is a row of words, as it is or packed; how is a matter of those who ask.
//!
//! *Source:* as in `watch.rs`.
//! *Invariant:* on the way to a leaf all bits are compared that it was put there with.

/// Nodes, words of keys and of results after which all is forgotten: so many are not asked for again soon.
const MOST: usize = 1 << 23;

/// A table by value rather than by hash where the bits lie so near to each other.
const DENSE: u32 = 6;

/// Set in an entry that names a node. All entries are plus 1, so that 0 is none.
const NODE: u64 = 1 << 63;

/// Looks at some bits of a state. A line of the cache, since most of the time goes into waiting for it.
#[derive(Clone, Default, Debug)]
#[repr(align(64))]
struct Node {
    /// The bits, by word: those of the first, mostly the only one, and of the others.
    mask: u64,
    word: u32,
    others: Box<[(u32, u64)]>,
    /// By value an entry each; by hash an entry and the bits that lead to it, in a number of places that is a power of two.
    table: Box<[u64]>,
    /// By hash: one less than the number of places, and how many are taken.
    last: u32,
    taken: u32,
    /// Where the only word has few bits: the lowest of them, and `table` is by value.
    dense: Option<u8>,
    /// Whether a state has come there yet.
    known: bool,
}

impl Node {
    fn bits(&self) -> impl Iterator<Item = (usize, u64)> {
        let all = std::iter::once((self.word, self.mask)).chain(self.others.iter().copied());
        all.map(|(word, mask)| (word as usize, mask))
    }

    /// From now on it looks at these bits, and knows nothing.
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

    /// Words of a place.
    #[inline]
    fn stride(&self) -> usize {
        if self.dense.is_some() { 1 } else { 2 + self.others.len() }
    }

    /// Where the entry of a state is, or goes.
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

    /// Where a state leads to from now on, which was not known.
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

/// What was computed.
#[derive(Clone, Default, Debug)]
pub struct Footprints {
    nodes: Vec<Node>,
    results: Vec<u64>,
    /// Words of all, about.
    size: usize,
}

impl Footprints {
    /// Nothing yet, with so many trees.
    pub fn new(trees: usize) -> Footprints {
        Footprints { nodes: vec![Node::default(); trees], ..Footprints::default() }
    }

    /// Whether it is time to forget all.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.size > MOST
    }

    /// So many new trees: the number of the first.
    pub fn trees(&mut self, count: usize) -> u32 {
        self.nodes.resize(self.nodes.len() + count, Node::default());
        self.size += 16 * count;
        (self.nodes.len() - count) as u32
    }

    /// Keeps some words, a result: two numbers for it.
    pub fn keep(&mut self, result: &[u64]) -> (u32, u32) {
        let start = self.results.len();
        self.results.extend_from_slice(result);
        self.size += result.len();
        (start as u32, self.results.len() as u32)
    }

    /// What was kept.
    #[inline]
    pub fn result(&self, (start, end): (u32, u32)) -> &[u64] {
        &self.results[start as usize..end as usize]
    }

    /// What was put into a tree for all states that agree with this one in what it depends on.
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

    /// Puts two numbers, the first below 2^31, into a tree for all states that agree with this one in the bits of
    /// a mask; there are none for it yet.
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

    /// What a state depends on here: its first byte says which other one counts.
    fn depends(row: &[u64]) -> [u64; 3] {
        let byte = (row[0] & 0xff) as usize % 23 + 1;
        let mut mask = [0xff, 0, 0];
        mask[byte / 8] |= 0xff << (8 * (byte % 8));
        mask
    }

    #[test]
    fn what_was_put_is_found_where_all_agrees_that_it_depends_on() {
        let (mut known, mut random) = (Footprints::new(2), 5u64);
        let mut told = std::collections::HashMap::new();
        let (mut found, mut new) = (0, 0);
        for _ in 0..60_000 {
            let row = [(); 3].map(|()| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                random >> 20 & 0x0303_0303_0303_0303
            });
            let mask = depends(&row);
            let tree = (random >> 40 & 1) as u32;
            let key = (tree, mask, [0, 1, 2].map(|word| row[word] & mask[word]));
            match known.get(tree, &row) {
                Some(there) => {
                    assert_eq!(Some(&there), told.get(&key));
                    found += 1;
                }
                None => {
                    let there = known.keep(&[new, new]);
                    known.put(tree, &row, &mask, there);
                    assert_eq!(known.get(tree, &row), Some(there));
                    assert_eq!(known.result(there), [new, new]);
                    told.insert(key, there);
                    new += 1;
                }
            }
        }
        assert!(new < 200 && found > 50_000, "{found} found, {new} new");
    }
}
