//! Lossy state set: it stores fingerprints or bits instead of states, and estimates its coverage.
//!
//! A batch is hashed and its cache lines are prefetched; then each state is looked up. New states
//! are queued uncompacted until they are taken (`waiting.rs`), unless the search has a stack of its
//! own ([`LossySet::without_queue`]). The expected number of omissions is computed from the load of
//! the store at each insertion, and measured on a sample (`omission.rs`, `sample.rs`).
//!
//! *Entry point:* [`LossySet`].
//!
//! *Invariant:* A state reported as known may be new; a state reported as new is new.

use crate::bitstate::Bits;
use crate::fingerprint::{Print, Prints};
use crate::hash_compact::Table;
use crate::omission::{Coverage, Kind, bitstate_collision, fingerprint_collision};
use crate::sample::Sample;
use crate::waiting::Waiting;
use crate::{OutOfMemory, StateSet};

/// Number of states between prefetch and lookup.
const BLOCK: usize = 64;

/// Representation of states in a lossy set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Fingerprints of 64 bits.
    HashCompact,
    /// Fingerprints of 128 bits.
    HashCompact128,
    /// Bits in an array.
    Bitstate {
        /// Bytes of the array.
        bytes: u64,
        /// Number of bits per state.
        functions: u32,
    },
}

enum Filter {
    Narrow(Table<u64>),
    Wide(Table<u128>),
    Bits(Bits),
}

/// A state set that may report a new state as known.
pub struct LossySet {
    width: usize,
    limit: u64,
    prints: Prints,
    filter: Filter,
    sample: Sample,
    waiting: Waiting,
    queued: bool,
    stored: u64,
    expected: f64,
    /// Fingerprints of the current block.
    block: Vec<Print>,
}

impl LossySet {
    /// An empty set for states of `width` bytes (a multiple of 4) that uses at most `limit` bytes.
    /// Sets with different seeds use independent hash functions.
    pub fn with_limit(width: usize, limit: u64, method: Method, seed: u64) -> Result<LossySet, OutOfMemory> {
        assert!(width > 0 && width.is_multiple_of(4), "a state is a positive number of 4-byte words");
        let prints = Prints::new(seed, width);
        let sample = Sample::new(limit / 32);
        let room = limit.saturating_sub(prints.memory() + own_share(limit));
        let filter = match method {
            Method::HashCompact => Filter::Narrow(Table::new(room)?),
            Method::HashCompact128 => Filter::Wide(Table::new(room)?),
            Method::Bitstate { bytes, functions } => {
                let bits = Bits::new(bytes.min(room), functions)?;
                if bits.memory() > limit {
                    return Err(OutOfMemory);
                }
                Filter::Bits(bits)
            }
        };
        Ok(LossySet {
            width,
            limit,
            prints,
            filter,
            sample,
            waiting: Waiting::default(),
            queued: true,
            stored: 0,
            expected: 0.0,
            block: Vec::with_capacity(BLOCK),
        })
    }

    /// Disables the queue: [`StateSet::take`] returns nothing. For searches with a stack of their
    /// own.
    pub fn without_queue(mut self) -> LossySet {
        self.queued = false;
        self
    }

    /// The current probability that a new state is omitted, given the load of the store.
    fn chance(&self) -> f64 {
        match &self.filter {
            Filter::Narrow(table) => fingerprint_collision(64, table.len() as u64),
            Filter::Wide(table) => fingerprint_collision(128, table.len() as u64),
            Filter::Bits(bits) => {
                (bits.ones() as f64 / bits.len() as f64).powi(bits.functions().try_into().unwrap_or(i32::MAX))
            }
        }
    }

    /// Coverage estimate of the set.
    pub fn coverage(&self) -> Coverage {
        let (kind, bits, functions, ones) = match &self.filter {
            Filter::Narrow(_) => (Kind::HashCompact, 64, 1, 0),
            Filter::Wide(_) => (Kind::HashCompact128, 128, 1, 0),
            Filter::Bits(bits) => (Kind::Bitstate, bits.len(), bits.functions(), bits.ones()),
        };
        let predicted = match kind {
            Kind::HashCompact | Kind::HashCompact128 => fingerprint_collision(bits as u32, self.stored),
            Kind::Bitstate => bitstate_collision(bits, functions, self.stored),
        };
        Coverage {
            kind,
            bits,
            functions,
            ones,
            stored: self.stored,
            predicted,
            expected: self.expected,
            threshold: self.sample.threshold(),
            sample: self.sample.sorted(),
        }
    }

    /// Bytes of all parts except the filter.
    fn beside(&self) -> u64 {
        let block = (self.block.capacity() * size_of::<Print>()) as u64;
        self.prints.memory() + self.sample.memory() + self.waiting.memory() + block
    }

    /// Reserves memory for `more` states.
    fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        let queue = if self.queued { self.waiting.most(more, self.width) } else { 0 };
        let left = self.limit.checked_sub(self.beside() + queue).ok_or(OutOfMemory)?;
        match &mut self.filter {
            Filter::Narrow(table) => table.reserve(more, left)?,
            Filter::Wide(table) => table.reserve(more, left)?,
            Filter::Bits(_) => {}
        }
        if self.filter_memory() > left { Err(OutOfMemory) } else { Ok(()) }
    }

    fn filter_memory(&self) -> u64 {
        match &self.filter {
            Filter::Narrow(table) => table.memory(),
            Filter::Wide(table) => table.memory(),
            Filter::Bits(bits) => bits.memory(),
        }
    }

    /// Hashes some states and prefetches their cache lines.
    fn announce(&mut self, states: &[u8]) {
        self.block.clear();
        for state in states.chunks_exact(self.width) {
            let print = self.prints.of(state);
            match &self.filter {
                Filter::Narrow(table) => table.prefetch(&print),
                Filter::Wide(table) => table.prefetch(&print),
                Filter::Bits(bits) => bits.prefetch(&print),
            }
            self.block.push(print);
        }
    }
}

/// Bytes of a limit reserved for all parts except the filter.
fn own_share(limit: u64) -> u64 {
    (limit / 16).min(1 << 20)
}

impl StateSet for LossySet {
    fn width(&self) -> usize {
        self.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        self.reserve(states.len() / self.width)?;
        for block in states.chunks(BLOCK * self.width) {
            self.announce(block);
            let chance = self.chance();
            let before = self.stored;
            for (print, state) in self.block.iter().zip(block.chunks_exact(self.width)) {
                let new = match &mut self.filter {
                    Filter::Narrow(table) => table.insert(print)?,
                    Filter::Wide(table) => table.insert(print)?,
                    Filter::Bits(bits) => bits.insert(print),
                };
                fresh.push(new);
                self.stored += u64::from(new);
                if self.sample.picks(print.key) {
                    self.sample.note(print.key, new);
                }
                if new && self.queued {
                    self.waiting.push(state);
                }
            }
            // For each state found new, this expected number of new states was reported as known.
            let missed_for_each = chance / (1.0 - chance).max(f64::MIN_POSITIVE);
            self.expected += (self.stored - before) as f64 * missed_for_each;
        }
        Ok(())
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        (0..max).take_while(|_| self.waiting.pop(self.width, out)).count()
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        // Keys, and twice the format of the queued states.
        if self.memory() + 64 * (width - self.width) as u64 + 64 * width as u64 > self.limit {
            return Err(OutOfMemory);
        }
        self.width = width;
        self.prints.widen(width);
        self.waiting.widen(width);
        Ok(())
    }

    fn len(&self) -> u64 {
        self.stored
    }

    fn memory(&self) -> u64 {
        self.filter_memory() + self.beside()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference_set::{self, Shape};

    const ROOMY: Method = Method::Bitstate { bytes: 1 << 16, functions: 12 };

    fn set(width: usize, method: Method) -> LossySet {
        LossySet::with_limit(width, u64::MAX, method, 7).unwrap()
    }

    #[test]
    fn with_room_enough_it_is_a_set_and_a_queue() {
        for method in [Method::HashCompact, Method::HashCompact128, ROOMY] {
            reference_set::random(|width| set(width, method), Shape::default());
        }
    }

    #[test]
    fn with_room_enough_it_grows() {
        for width in [4, 8, 12, 64, 260] {
            reference_set::walk(&mut set(width, Method::HashCompact), reference_set::many());
            reference_set::walk(&mut set(width, Method::HashCompact128), reference_set::many());
            let bits = Method::Bitstate { bytes: 1 << 20, functions: 30 };
            reference_set::walk(&mut set(width, bits), reference_set::many());
        }
    }

    #[test]
    fn keeps_every_limit() {
        for width in [4, 16, 132] {
            for limit in (0..14).map(|i| i * 60_000) {
                for method in [Method::HashCompact, Method::HashCompact128] {
                    if let Ok(mut set) = LossySet::with_limit(width, limit, method, 1) {
                        reference_set::limit(&mut set, limit);
                    }
                }
            }
        }
    }

    /// Inserts counters until there are `states` of them, or until memory is exhausted.
    fn count_up(set: &mut LossySet, states: u32) {
        for i in 0..states {
            if set.insert(&[i.to_le_bytes(), 77u32.to_le_bytes()].concat(), &mut Vec::new()).is_err() {
                break;
            }
        }
    }

    #[test]
    fn an_array_with_a_limit_keeps_it() {
        for limit in [50_000, 200_000, 3_000_000] {
            let method = Method::Bitstate { bytes: limit / 2, functions: 3 };
            let mut set = LossySet::with_limit(8, limit, method, 1).unwrap();
            count_up(&mut set, 100_000);
            assert!(set.memory() <= limit, "{} of {limit}", set.memory());
        }
    }

    #[test]
    fn what_is_missed_is_what_is_reckoned_and_measured() {
        let states = if cfg!(miri) { 2_000u32 } else { 100_000 };
        let (mut missed_in_all, mut expected, mut sampled, mut in_samples) = (0.0, 0.0, 0, 0.0);
        for seed in 0..4 {
            let method = Method::Bitstate { bytes: u64::from(states) / 2, functions: 2 };
            let mut set = LossySet::with_limit(8, u64::MAX, method, seed).unwrap().without_queue();
            count_up(&mut set, states);
            let coverage = set.coverage();
            missed_in_all += f64::from(states) - coverage.stored as f64;
            expected += coverage.expected;
            sampled += coverage.sample.len();
            in_samples += coverage.omitted() as f64;
        }
        // States are omitted independently of each other, given the load of the array.
        assert!(
            (missed_in_all - expected).abs() < 5.0 * expected.sqrt() + 0.02 * expected,
            "{missed_in_all} {expected}"
        );
        let in_samples_expected = missed_in_all / (4.0 * f64::from(states)) * sampled as f64;
        assert!(
            (in_samples - in_samples_expected).abs() < 5.0 * in_samples_expected.sqrt(),
            "{in_samples} {in_samples_expected}"
        );
        assert!(in_samples_expected > 100.0, "there is something to compare");
    }

    #[test]
    fn independent_functions_miss_different_states() {
        let missed = |seed| {
            let method = Method::Bitstate { bytes: 10_000, functions: 2 };
            let mut set = LossySet::with_limit(4, u64::MAX, method, seed).unwrap().without_queue();
            let mut fresh = Vec::new();
            (0..20_000u32).for_each(|i| set.insert(&i.to_le_bytes(), &mut fresh).unwrap());
            fresh
        };
        let (one, two) = (missed(1), missed(2));
        assert_eq!(one, missed(1));
        let missed = |fresh: &[bool]| fresh.iter().filter(|fresh| !**fresh).count() as f64;
        let both = one.iter().zip(&two).filter(|(a, b)| !**a && !**b).count() as f64;
        // The probability grows with the load; within a twentieth of the states it is almost
        // constant.
        let expected: f64 =
            one.chunks(1000).zip(two.chunks(1000)).map(|(a, b)| missed(a) * missed(b) / 1000.0).sum();
        assert!(expected > 50.0 && (both - expected).abs() < 5.0 * expected.sqrt(), "{both} {expected}");
    }
}
