//! State hashing: multilinear, so that zero words at the end have no influence.
//!
//! The hash is the sum over all 8-byte words of `word * key` in 128 bits, with a random key for
//! each position: two different states have the same sum with probability 2^-64. One further
//! multiplication folds the sum into 64 bits.
//!
//! *Entry point:* [`StateHash::hash`].
//!
//! *Source:* J. L. Carter and M. N. Wegman, Universal classes of hash functions, JCSS 18, 1979; in
//! the form of D. Lemire and O. Kaser, Strongly universal string hashing is fast, Computer Journal
//! 57, 2014.
//!
//! *Invariant:* a state and the same state with zero bytes appended have the same hash, so widening
//! a set does not change its index. Hash values influence only the speed of a set, not its answers.

/// A hash function on states; see the module's invariant. Sets are generic over it, so that tests
/// can use degenerate functions.
pub(crate) trait StateHash {
    /// Prepares the function for states of `width` bytes.
    fn prepare(&mut self, width: usize);

    /// The hash of a state. Its width is a multiple of 4 within the prepared width.
    fn hash(&self, state: &[u8]) -> u64;

    /// Bytes of memory used by the function when prepared for states of `width` bytes.
    fn memory(&self, _width: usize) -> u64 {
        0
    }
}

/// The part of a hash stored in an index with each number: never 0, which marks a free slot.
#[inline(always)]
pub(crate) fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The keys of the first positions, as compile-time constants for the specialised loops.
const FIRST: [u64; 16] = {
    let mut keys = [0; 16];
    let mut i = 0;
    while i < 16 {
        keys[i] = key(i as u64);
        i += 1;
    }
    keys
};

/// The key of a position: output `position` of the splitmix64 generator, made odd.
const fn key(position: u64) -> u64 {
    let mut x = (position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) | 1
}

/// The hash function described above.
#[derive(Default)]
pub(crate) struct Multilinear {
    /// Keys by position; empty while the constants suffice.
    keys: Vec<u64>,
}

impl StateHash for Multilinear {
    fn prepare(&mut self, width: usize) {
        let words = width.div_ceil(8);
        if words > FIRST.len() {
            self.keys.reserve_exact(words.saturating_sub(self.keys.len()));
            self.keys.extend((self.keys.len()..words).map(|i| key(i as u64)));
        }
    }

    #[inline(always)]
    fn hash(&self, state: &[u8]) -> u64 {
        let keys = if state.len() <= 8 * FIRST.len() { &FIRST } else { &self.keys[..] };
        let mut sum = 0u128;
        let (words, tail) = state.as_chunks::<8>();
        for (word, key) in words.iter().zip(keys) {
            sum = sum.wrapping_add(u128::from(u64::from_le_bytes(*word)) * u128::from(*key));
        }
        if let Some(half) = tail.first_chunk::<4>() {
            let word = u64::from(u32::from_le_bytes(*half));
            sum = sum.wrapping_add(u128::from(word) * u128::from(keys[words.len()]));
        }
        fold(sum as u64 ^ 0x8bb8_4b93_962e_acc9, (sum >> 64) as u64 ^ 0x4b33_a62e_d433_d4a3)
    }

    fn memory(&self, width: usize) -> u64 {
        let words = width.div_ceil(8);
        if words > FIRST.len() { 8 * words as u64 } else { 0 }
    }
}

/// Both halves of the product combined.
#[inline(always)]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Maps a hash to `0..n`, evenly and in order (Lemire, "Fast random integer generation in an
/// interval", 2019): `n` need not be a power of two.
#[inline(always)]
pub(crate) fn scale(hash: u64, n: usize) -> usize {
    ((u128::from(hash) * n as u128) >> 64) as usize
}

#[cfg(test)]
pub(crate) mod bad {
    //! Degenerate hash functions for tests.

    use super::StateHash;

    /// Constant hash.
    #[derive(Default)]
    pub(crate) struct Same;

    impl StateHash for Same {
        fn prepare(&mut self, _: usize) {}
        fn hash(&self, _: &[u8]) -> u64 {
            u64::MAX
        }
    }

    /// Four slots and one tag: the two low bits of the first byte become the highest bits.
    #[derive(Default)]
    pub(crate) struct Four;

    impl StateHash for Four {
        fn prepare(&mut self, _: usize) {}
        fn hash(&self, state: &[u8]) -> u64 {
            u64::from(state[0]) << 62
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_of(state: &[u8]) -> u64 {
        let mut hasher = Multilinear::default();
        hasher.prepare(state.len());
        hasher.hash(state)
    }

    #[test]
    fn zeros_at_the_end_do_not_count() {
        let mut state: Vec<u8> = (1..=20).collect();
        let hash = hash_of(&state);
        for width in (20..600).step_by(4) {
            state.resize(width, 0);
            assert_eq!(hash_of(&state), hash, "width {width}");
        }
    }

    #[test]
    fn small_changes_spread() {
        // Every single-bit change affects the hash, and every output bit flips in about half of all
        // changes.
        let base = [0u8; 40];
        let mut flips = [0u32; 64];
        for bit in 0..320 {
            let mut state = base;
            state[bit / 8] ^= 1 << (bit % 8);
            let diff = hash_of(&state) ^ hash_of(&base);
            (0..64).for_each(|i| flips[i] += (diff >> i & 1) as u32);
        }
        assert!(flips.iter().all(|&n| (110..210).contains(&n)), "{flips:?}");
    }

    #[test]
    fn scale_stays_inside_and_keeps_order() {
        for n in [1, 2, 3, 1000, 1 << 40] {
            assert_eq!(scale(0, n), 0);
            assert_eq!(scale(u64::MAX, n), n - 1);
            assert!(scale(1 << 62, n) <= scale(1 << 63, n));
        }
    }
}
