//! Partition of the states: which worker stores a state and expands it.
//!
//! A multilinear hash assigns each state to one of 4,096 shards, and a table assigns each shard to a
//! worker. The shard of a state does not depend on the number of workers, so a search can be resumed
//! with another number.
//!
//! *Entry point:* [`Owner::of`].
//!
//! *Source:* J. L. Carter and M. N. Wegman, Universal classes of hash functions, JCSS 18, 1979;
//! U. Stern and D. L. Dill, Parallelizing the Murphi verifier, CAV 1997 (partition by hash).
//!
//! *Invariant:* a state and the same state with zero words appended have the same shard, because
//! workers widen their states at different times. The keys differ from those of the stores: within a
//! shard the hash values of a store remain uniform.

use axle_outcome::WorkerProgress;

/// Number of shards.
pub const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 12;

/// Start of the sequence of keys, which is not that of the stores.
const SEED: u64 = 0x5851_f42d_4c95_7f2d;

/// The key of a word: output of the splitmix64 generator.
pub(crate) fn key(seed: u64, position: u64) -> u64 {
    let mut x = seed.wrapping_add((position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) | 1
}

/// The multilinear hash of a state within the prepared keys.
#[inline]
pub(crate) fn multilinear(state: &[u8], keys: &[u64]) -> u64 {
    debug_assert!(state.len() <= 4 * keys.len(), "the hash is prepared for narrower states");
    let (words, _) = state.as_chunks::<4>();
    words.iter().zip(keys).fold(0u64, |sum, (word, key)| {
        // The high half of a 64-bit product would be lost; the key is 64 bits, the word 32.
        sum.wrapping_add(u64::from(u32::from_le_bytes(*word)).wrapping_mul(*key))
    })
}

/// The assignment of states to workers.
#[derive(Clone, Debug)]
pub struct Owner {
    keys: Vec<u64>,
    workers: Vec<u32>,
    /// Number of shards of each worker.
    shards: Vec<u64>,
}

impl Owner {
    /// The assignment to `workers` workers, in equal parts.
    ///
    /// # Panics
    ///
    /// If there is no worker, or there are more than [`SHARDS`].
    pub fn new(workers: usize) -> Owner {
        assert!((1..=SHARDS).contains(&workers), "between one and {SHARDS} workers");
        let mut shards = vec![0; workers];
        let owner_of = |shard| shard * workers / SHARDS;
        (0..SHARDS).for_each(|shard| shards[owner_of(shard)] += 1);
        let workers = (0..SHARDS).map(|shard| owner_of(shard) as u32).collect();
        Owner { keys: Vec::new(), workers, shards }
    }

    /// The progress of each worker, given its states and bytes of memory.
    pub fn progress(&self, stored: &[(u64, u64)]) -> Vec<WorkerProgress> {
        let all = stored.iter().zip(&self.shards);
        all.map(|(&(states, memory), &shards)| WorkerProgress { shards, states, memory }).collect()
    }

    /// Prepares the hash for states of `width` bytes.
    pub fn prepare(&mut self, width: usize) {
        let known = self.keys.len();
        self.keys.extend((known..width.div_ceil(4)).map(|position| key(SEED, position as u64)));
    }

    /// The shard of a state within the prepared width, a multiple of 4 bytes.
    #[inline]
    pub fn shard(&self, state: &[u8]) -> usize {
        let sum = multilinear(state, &self.keys);
        (sum >> (64 - SHARD_BITS)) as usize
    }

    /// The worker that stores a state.
    #[inline]
    pub fn of(&self, state: &[u8]) -> usize {
        self.workers[self.shard(state)] as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn zeros_at_the_end_change_no_shard(words in prop::collection::vec(any::<u32>(), 1..40), more in 0..30usize) {
            let mut owner = Owner::new(7);
            let mut state: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            owner.prepare(state.len());
            let (shard, worker) = (owner.shard(&state), owner.of(&state));
            state.resize(state.len() + 4 * more, 0);
            owner.prepare(state.len());
            prop_assert_eq!((owner.shard(&state), owner.of(&state)), (shard, worker));
        }

        #[test]
        fn a_shard_does_not_depend_on_the_number_of_workers(words in prop::collection::vec(any::<u32>(), 1..9), workers in 1..=SHARDS) {
            let state: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let (mut one, mut many) = (Owner::new(1), Owner::new(workers));
            one.prepare(state.len());
            many.prepare(state.len());
            prop_assert_eq!(one.shard(&state), many.shard(&state));
            prop_assert_eq!(one.of(&state), 0);
            prop_assert!(many.of(&state) < workers);
        }
    }

    /// Counters of 64 values each are the narrow, regular states for which a weak hash fails.
    #[test]
    fn shards_are_balanced() {
        for workers in [2, 3, 8, 100] {
            let mut owner = Owner::new(workers);
            owner.prepare(8);
            let mut counts = vec![0u32; workers];
            for number in 0..1u32 << 18 {
                let [a, b, c] = [number & 63, number >> 6 & 63, number >> 12];
                let state = [a as u8, 0, b as u8, 0, c as u8, 0, 0, 0];
                counts[owner.of(&state)] += 1;
            }
            let mean = f64::from(1u32 << 18) / workers as f64;
            let [least, most] = [counts.iter().min(), counts.iter().max()].map(|n| f64::from(*n.unwrap()));
            assert!(least > 0.8 * mean && most < 1.2 * mean, "{workers}: {least} to {most} of {mean}");
        }
    }
}
