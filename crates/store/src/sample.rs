//! Sample of the generated states, used to measure the coverage of a lossy store.
//!
//! States are selected by a key that is independent of the store's hash functions: those below a
//! threshold, which is halved whenever the sample is too large. For each selected state, the sample
//! records whether the store found it new at its first insertion. If not, the store has omitted it.
//!
//! *Entry point:* [`Sample::note`].
//!
//! *Source:* M. Wegman's adaptive sampling; P. Flajolet, On adaptive sampling, Computing 43, 1990.
//!
//! *Invariant:* the sample contains every generated state below the threshold, independently of
//! earlier thresholds.

use std::collections::HashMap;

/// Maximum number of states in a sample.
const MOST: usize = 8192;

/// A sample.
pub(crate) struct Sample {
    threshold: u64,
    most: usize,
    /// For each key, whether the state was found new.
    states: HashMap<u64, bool>,
}

impl Sample {
    /// An empty sample that uses approximately at most `limit` bytes.
    pub(crate) fn new(limit: u64) -> Sample {
        // A hash table with twice as many entries of 17 bytes.
        let most = usize::try_from(limit / 40).unwrap_or(MOST).clamp(16, MOST);
        Sample { threshold: u64::MAX, most, states: HashMap::new() }
    }

    /// Whether a state belongs to the sample.
    #[inline(always)]
    pub(crate) fn picks(&self, key: u64) -> bool {
        key <= self.threshold
    }

    /// Records the store's answer for a state of the sample.
    #[cold]
    pub(crate) fn note(&mut self, key: u64, fresh: bool) {
        self.states.entry(key).or_insert(fresh);
        while self.states.len() > self.most {
            self.threshold /= 2;
            let threshold = self.threshold;
            self.states.retain(|&key, _| key <= threshold);
        }
    }

    /// The threshold: keys below it are in the sample.
    pub(crate) fn threshold(&self) -> u64 {
        self.threshold
    }

    /// The whole sample, in order of the keys.
    pub(crate) fn sorted(&self) -> Vec<(u64, bool)> {
        let mut all: Vec<(u64, bool)> = self.states.iter().map(|(&key, &fresh)| (key, fresh)).collect();
        all.sort_unstable();
        all
    }

    /// Approximate number of bytes used.
    pub(crate) fn memory(&self) -> u64 {
        (self.states.capacity() * 18) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::mix;

    #[test]
    fn is_what_is_below_the_threshold() {
        let mut sample = Sample::new(40 * 100);
        for i in 0..10_000u64 {
            let key = mix(i);
            if sample.picks(key) {
                sample.note(key, i % 3 == 0);
            }
            if sample.picks(mix(i / 2)) {
                // A second insertion changes nothing.
                sample.note(mix(i / 2), true);
            }
        }
        let all: Vec<(u64, bool)> = (0..10_000u64).map(|i| (mix(i), i % 3 == 0)).collect();
        let mut want: Vec<_> = all.into_iter().filter(|(key, _)| *key <= sample.threshold()).collect();
        want.sort_unstable();
        assert_eq!(sample.sorted(), want);
        assert!((25..=100).contains(&want.len()), "{}", want.len());
    }
}
