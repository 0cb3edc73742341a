//! State fingerprints: 128 bits for lossy stores, and a key for sampling.
//!
//! Three multilinear sums as in `hash.rs`, each with its own keys. Two of them have keys derived
//! from a seed, so that searches with different seeds use independent functions. The third has
//! fixed keys, so that the samples of searches can be compared. Two different states agree in one
//! sum with probability 2^-64.
//!
//! *Entry point:* [`Prints::of`].
//!
//! *Source:* J. L. Carter and M. N. Wegman, Universal classes of hash functions, JCSS 18, 1979.
//!
//! *Invariant:* zero bytes at the end of a state do not change its fingerprint, so a set can be
//! widened.

use crate::hash::fold;

/// The fingerprint of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Print {
    /// Two halves that depend on the seed.
    pub low: u64,
    pub high: u64,
    /// Independent of the seed.
    pub key: u64,
}

/// Three functions with different keys.
const LANES: usize = 3;

/// A family of hash functions selected by a seed.
pub(crate) struct Prints {
    seeds: [u64; LANES],
    /// For every eight bytes of a state, a key for each function.
    keys: Vec<[u64; LANES]>,
}

impl Prints {
    /// The functions of a seed, for states of `width` bytes.
    pub(crate) fn new(seed: u64, width: usize) -> Prints {
        // The last function is the same for all seeds.
        let seeds =
            [mix(seed ^ 0x6a09_e667_f3bc_c908), mix(seed ^ 0xbb67_ae85_84ca_a73b), 0x3c6e_f372_fe94_f82b];
        let mut prints = Prints { seeds, keys: Vec::new() };
        prints.widen(width);
        prints
    }

    /// Prepares the functions for states of `width` bytes.
    pub(crate) fn widen(&mut self, width: usize) {
        let from = self.keys.len() as u64;
        let to = width.div_ceil(8) as u64;
        self.keys.extend((from..to).map(|position| {
            self.seeds.map(|seed| mix(seed.wrapping_add((position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))))
        }));
    }

    /// The fingerprint of a state; its width must be a multiple of 4 within the prepared width.
    #[inline]
    pub(crate) fn of(&self, state: &[u8]) -> Print {
        let mut sums = [0u128; LANES];
        let (words, tail) = state.as_chunks::<8>();
        let mut add = |word: u64, keys: &[u64; LANES]| {
            for (sum, key) in sums.iter_mut().zip(keys) {
                *sum = sum.wrapping_add(u128::from(word) * u128::from(*key));
            }
        };
        for (word, keys) in words.iter().zip(&self.keys) {
            add(u64::from_le_bytes(*word), keys);
        }
        if let (Some(half), Some(keys)) = (tail.first_chunk::<4>(), self.keys.get(words.len())) {
            add(u64::from(u32::from_le_bytes(*half)), keys);
        }
        let [low, high, key] = sums
            .map(|sum| fold(sum as u64 ^ 0x8bb8_4b93_962e_acc9, (sum >> 64) as u64 ^ 0x4b33_a62e_d433_d4a3));
        Print { low: mix(low), high: mix(high), key: mix(key) }
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        (self.keys.capacity() * size_of::<[u64; LANES]>()) as u64
    }
}

/// A bijection with full avalanche (the finaliser of splitmix64).
#[inline(always)]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_do_not_count() {
        let mut state: Vec<u8> = (1..=20).collect();
        let before = Prints::new(5, 20).of(&state);
        let mut prints = Prints::new(5, 20);
        for width in (20..200).step_by(4) {
            state.resize(width, 0);
            prints.widen(width);
            assert_eq!(prints.of(&state), before, "width {width}");
        }
    }

    #[test]
    fn seeds_change_all_but_the_key() {
        let state = [7u8; 40];
        let (one, two) = (Prints::new(1, 40).of(&state), Prints::new(2, 40).of(&state));
        assert!(one.low != two.low && one.high != two.high && one.key == two.key);
        assert!(one.low != one.high && one.low != one.key);
    }

    #[test]
    fn small_changes_spread() {
        let prints = Prints::new(3, 40);
        let base = prints.of(&[0; 40]);
        let mut flips = [[0u32; 64]; 3];
        for bit in 0..320 {
            let mut state = [0; 40];
            state[bit / 8] ^= 1 << (bit % 8);
            let print = prints.of(&state);
            let pairs = [(print.low, base.low), (print.high, base.high), (print.key, base.key)];
            for (flips, (a, b)) in flips.iter_mut().zip(pairs) {
                (0..64).for_each(|i| flips[i] += ((a ^ b) >> i & 1) as u32);
            }
        }
        assert!(flips.as_flattened().iter().all(|n| (110..210).contains(n)), "{flips:?}");
    }
}
