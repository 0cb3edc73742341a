//! Order of the words of a state at the leaves of its tree.
//!
//! The number of pairs of a node is the number of combinations of the words below it. The best
//! order depends on the model (for example, a process beside its channel) and can be three times
//! better than another one. It is found by local search: on a sample of the states, words are
//! swapped as long as fewer pairs are expected below the root. Spare words are zero in every state
//! and take part in swaps.
//!
//! *Entry point:* [`choose`].
//!
//! *Source:* R. Rudell, Dynamic variable ordering for ordered binary decision diagrams, ICCAD 1993
//! (the swap neighbourhood); here with the number of distinct pairs as the cost.
//!
//! *Invariant:* The result is a permutation, so it affects memory only, never the contents of the
//! set.

/// Maximum number of leaves for swaps: the effort is quadratic.
const MOST_LEAVES: usize = 24;

/// Minimum and maximum number of states of a sample; tests use small values.
const SAMPLE: std::ops::RangeInclusive<usize> = if cfg!(test) { 8..=256 } else { 1024..=1 << 14 };

/// Required improvement of a swap, so that sampling noise does not decide.
const WORTH: f64 = 0.99;

/// Sample size for `states` states.
pub(crate) fn sample_size(states: usize) -> usize {
    (states / 8).clamp(*SAMPLE.start(), *SAMPLE.end()).min(states)
}

/// For each word of a state and each spare word, its leaf among `all`. `sample` contains some of
/// the `states` states, of `words` words each.
pub(crate) fn choose(sample: &[u32], words: usize, all: usize, states: usize) -> Vec<u32> {
    let leaf_of = spread(words, all);
    let count = sample.len() / words;
    if !(3..=MOST_LEAVES).contains(&all) || count < *SAMPLE.start() {
        return leaf_of;
    }
    let column = |word: usize| sample.iter().skip(word).step_by(words).copied().collect::<Vec<u32>>();
    debug_assert_eq!(sample.len(), count * words, "whole states");
    let columns: Vec<Vec<u32>> = (0..words).map(column).collect();
    let in_turn: Vec<u32> = (0..all as u32).collect();
    let mut climbs: Vec<Climb> =
        [leaf_of, in_turn].into_iter().map(|order| Climb::new(&columns, order, states)).collect();
    climbs.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    climbs.truncate(1);
    climbs.pop().map_or_else(|| spread(words, all), Climb::run)
}

/// An order and its cost.
struct Climb {
    /// Number of states of the whole set.
    states: usize,
    /// For each word, its leaf.
    leaf_of: Vec<u32>,
    /// For each node of the tree, numbered as in a heap, the values of the sample.
    nodes: Vec<Vec<u32>>,
    /// For each node, the expected number of pairs.
    pairs: Vec<f64>,
    /// Hash table of the pairs of one node; 0 is a free slot.
    seen: Vec<u64>,
}

impl Climb {
    fn new(columns: &[Vec<u32>], leaf_of: Vec<u32>, states: usize) -> Climb {
        let all = leaf_of.len();
        let rows = columns.first().map_or(0, Vec::len);
        let mut nodes = vec![vec![0; rows]; 2 * all];
        for (column, &leaf) in columns.iter().zip(&leaf_of) {
            nodes[all + leaf as usize].clone_from(column);
        }
        let seen = vec![0; 2 * rows.next_power_of_two()];
        let mut climb = Climb { states, leaf_of, nodes, pairs: vec![0.0; 2 * all], seen };
        (2..all).rev().for_each(|node| climb.number(node));
        climb
    }

    fn cost(&self) -> f64 {
        self.pairs.iter().sum()
    }

    /// Numbers the pairs at a node and counts them.
    fn number(&mut self, node: usize) {
        let mut at = std::mem::take(&mut self.nodes[node]);
        self.seen.fill(0);
        let (mask, mut count) = (self.seen.len() - 1, 0);
        let (left, right) = (&self.nodes[2 * node], &self.nodes[2 * node + 1]);
        for (to, (&left, &right)) in at.iter_mut().zip(left.iter().zip(right)) {
            let pair = u64::from(left) << 32 | u64::from(right);
            // Rare hash collisions are acceptable: the result is an estimate.
            let mixed = (pair ^ pair >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ mixed >> 32) | 1 << 63;
            *to = mixed as u32;
            let mut place = mixed as usize & mask;
            while self.seen[place] != mixed && self.seen[place] != 0 {
                place = (place + 1) & mask;
            }
            count += usize::from(self.seen[place] == 0);
            self.seen[place] = mixed;
        }
        self.pairs[node] = expected(count, at.len(), self.states);
        self.nodes[node] = at;
    }

    /// Swaps two leaves and renumbers the nodes above them.
    fn trade(&mut self, a: usize, b: usize) {
        let all = self.leaf_of.len();
        self.nodes.swap(all + a, all + b);
        for leaf in &mut self.leaf_of {
            if *leaf == a as u32 {
                *leaf = b as u32;
            } else if *leaf == b as u32 {
                *leaf = a as u32;
            }
        }
        let (mut above_a, mut above_b) = ((all + a) / 2, (all + b) / 2);
        // Bottom-up, each node once: the larger number is never above the smaller.
        while above_a != above_b {
            let node = above_a.max(above_b);
            if node > 1 {
                self.number(node);
            }
            if above_a > above_b {
                above_a /= 2;
            } else {
                above_b /= 2;
            }
        }
    }

    /// Swaps leaves as long as the cost decreases.
    fn run(mut self) -> Vec<u32> {
        let all = self.leaf_of.len();
        let mut cost = self.cost();
        loop {
            let before = cost;
            for a in 0..all {
                for b in a + 1..all {
                    if (all + a) / 2 == (all + b) / 2 {
                        continue;
                    }
                    self.trade(a, b);
                    let traded = self.cost();
                    if traded < WORTH * cost {
                        cost = traded;
                    } else {
                        self.trade(a, b);
                    }
                }
            }
            if cost > WORTH * before {
                return self.leaf_of;
            }
        }
    }
}

/// Expected number of distinct values of `states` states if a sample of `rows` states has `seen`
/// values, under the assumption of equal frequencies: `seen = all (1 - exp(-rows / all))`.
fn expected(seen: usize, rows: usize, states: usize) -> f64 {
    let (seen, rows, most) = (seen as f64, rows as f64, states as f64);
    let (mut low, mut high) = (seen, most.max(seen));
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if middle * -(-rows / middle).exp_m1() < seen {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Words from left to right, with spare words at the ends of both halves, so that the split into
/// halves is the same as without spare words.
fn spread(words: usize, all: usize) -> Vec<u32> {
    let mut leaves = Vec::with_capacity(all);
    let mut stack = vec![(1, false)];
    while let Some((node, right)) = stack.pop() {
        if node >= all {
            leaves.push(((node - all) as u32, right));
        } else {
            stack.push((2 * node + 1, right || node == 1));
            stack.push((2 * node, right));
        }
    }
    let (left, right) = leaves.split_at(leaves.iter().filter(|leaf| !leaf.1).count());
    let in_left = words.div_ceil(2).min(left.len()).max(words.saturating_sub(right.len()));
    let used = left[..in_left].iter().chain(&right[..words - in_left]);
    let spare = left[in_left..].iter().chain(&right[words - in_left..]);
    used.chain(spare).map(|leaf| leaf.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_permutation(order: &[u32]) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..order.len() as u32)
    }

    #[test]
    fn every_order_is_a_permutation() {
        for all in 1..70 {
            for words in 1..=all {
                let order = spread(words, all);
                assert!(order.len() == all && is_permutation(&order), "{words} of {all}: {order:?}");
            }
        }
    }

    /// Words 0 and 2 are correlated, and so are 1 and 3: pairs of adjacent words would be as many
    /// as states.
    #[test]
    fn words_that_go_together_come_together() {
        let states: Vec<u32> =
            (0..64u32).flat_map(|a| (0..64u32).flat_map(move |b| [a, b, 7 * a, 9 * b])).collect();
        let order = choose(&states, 4, 4, 4096);
        assert!(is_permutation(&order));
        let half = |word: usize| order[word] / 2;
        assert!(half(0) == half(2) && half(1) == half(3) && half(0) != half(1), "{order:?}");
    }

    #[test]
    fn what_a_sample_says_about_the_whole() {
        assert!((expected(100, 100_000, 1_000_000) - 100.0).abs() < 1.0);
        // All of a thousand values were new: as many as there are states.
        assert!(expected(1000, 1000, 50_000) > 49_000.0);
        // A million values, of which ten thousand rows contain 9950.
        let all = expected(9950, 10_000, 100_000_000);
        assert!((0.9e6..1.1e6).contains(&all), "{all}");
    }
}
