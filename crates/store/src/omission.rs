//! Omission probability of lossy stores.
//!
//! With `m` bits, `k` functions and `r` states stored, a bit is 0 with probability `(1 - 1/m)^(k
//! r)`. Hence a new state is reported as known with probability `(1 - e^(-k r / m))^k`, which is
//! minimal for `k = ln 2 * m / r` ([`bitstate_collision`], [`best_functions`]). Fingerprints of `b`
//! bits are the case of one function and `m = 2^b` ([`fingerprint_collision`]). The formula holds
//! for the last state and is an upper bound for earlier ones. Probabilities of independent searches
//! multiply ([`missed_by_all`]).
//!
//! *Source:* G. J. Holzmann, Software Model Checking, lecture notes, 2000, sections 3.5 and 3.6,
//! after B. H. Bloom, 1970.

/// The probability that a new state is reported as known, after `stored` states with `functions`
/// functions each in an array of `bits` bits.
pub fn bitstate_collision(bits: u64, functions: u32, stored: u64) -> f64 {
    let k = f64::from(functions);
    let filled = -(-k * stored as f64 / bits.max(1) as f64).exp_m1();
    filled.powf(k)
}

/// The same for fingerprints of `bits` bits.
pub fn fingerprint_collision(bits: u32, stored: u64) -> f64 {
    (stored as f64 * (-f64::from(bits)).exp2()).min(1.0)
}

/// The number of functions that minimises omissions, between 1 and `most`.
pub fn best_functions(bits: u64, states: u64, most: u32) -> u32 {
    let best = std::f64::consts::LN_2 * bits as f64 / states.max(1) as f64;
    (best.round() as u32).clamp(1, most.max(1))
}

/// The probability that all of several independent searches omit a state, from that of each.
pub fn missed_by_all(each: impl IntoIterator<Item = f64>) -> f64 {
    each.into_iter().product()
}

/// Coverage estimate of a store.
#[derive(Clone, PartialEq, Debug)]
pub struct Coverage {
    /// Representation of states.
    pub kind: Kind,
    /// Number of bits of a fingerprint, or of the array.
    pub bits: u64,
    /// Number of bits per state in the array; 1 for fingerprints.
    pub functions: u32,
    /// Number of bits set in the array; 0 for fingerprints.
    pub ones: u64,
    /// Number of states found new.
    pub stored: u64,
    /// The probability that a further new state is omitted, by the formula.
    pub predicted: f64,
    /// Expected number of omitted states among those generated, by the load at each insertion.
    pub expected: f64,
    /// States with a key below this threshold are in the sample.
    pub threshold: u64,
    /// The keys of the sample in order, each with whether the state was found new at its first
    /// insertion.
    pub sample: Vec<(u64, bool)>,
}

/// Representation of states in a lossy store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Fingerprints of 64 bits.
    HashCompact,
    /// Fingerprints of 128 bits.
    HashCompact128,
    /// Bits in an array.
    Bitstate,
}

impl Coverage {
    /// Number of sampled states omitted at their first insertion.
    pub fn omitted(&self) -> u64 {
        self.sample.iter().filter(|(_, stored)| !stored).count() as u64
    }

    /// Fraction of the generated states that was stored, measured on the sample.
    pub fn measured(&self) -> f64 {
        match self.sample.len() {
            0 => 1.0,
            all => 1.0 - self.omitted() as f64 / all as f64,
        }
    }
}

/// Combined estimate of several searches with the same sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Together {
    /// Number of states stored by at least one search, estimated from the sample.
    pub stored: f64,
    /// Total number of states, estimated from those stored by exactly one or two searches; at least
    /// `stored`. Source: A. Chao, Estimating the population size for capture-recapture data,
    /// Biometrics 43, 1987, with the correction for small samples.
    pub all: f64,
}

/// Compares the samples of searches with independent functions; each is a threshold and a sample as
/// in [`Coverage`].
pub fn together<'a>(searches: impl IntoIterator<Item = (u64, &'a [(u64, bool)])>) -> Together {
    let searches: Vec<_> = searches.into_iter().collect();
    let threshold = searches.iter().map(|(threshold, _)| *threshold).min().unwrap_or(u64::MAX);
    let mut stored: Vec<u64> = (searches.iter())
        .flat_map(|(_, sample)| sample.iter())
        .filter(|(key, stored)| *stored && *key <= threshold)
        .map(|(key, _)| *key)
        .collect();
    stored.sort_unstable();
    let (mut union, mut once, mut twice) = (0f64, 0f64, 0f64);
    for group in stored.chunk_by(|a, b| a == b) {
        union += 1.0;
        once += f64::from(u8::from(group.len() == 1));
        twice += f64::from(u8::from(group.len() == 2));
    }
    let runs = searches.len() as f64;
    let unseen = match runs < 2.0 {
        true => 0.0,
        false => (runs - 1.0) / runs * once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0)),
    };
    let scale = 2f64.powi(64) / (threshold as f64 + 1.0);
    Together { stored: union * scale, all: (union + unseen) * scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::mix;

    #[test]
    fn the_figures_of_the_lecture_notes() {
        // m = 10^9, r = 10^7: with two functions 4 * 10^-4, with 69 near the least, 10^-21.
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
        assert!(close(bitstate_collision(1_000_000_000, 2, 10_000_000), 3.92e-4));
        assert!(close(bitstate_collision(1_000_000_000, 69, 10_000_000).log10(), -20.9));
        assert_eq!(best_functions(1_000_000_000, 10_000_000, 100), 69);
        assert_eq!(best_functions(1_000_000_000, 10_000_000, 16), 16);
        assert_eq!(best_functions(10, 10_000_000, 16), 1);
        assert!(close(fingerprint_collision(64, 10_000_000), 5.42e-13));
        assert_eq!(fingerprint_collision(0, 5), 1.0);
        assert!(close(missed_by_all([0.1, 0.2, 0.3]), 0.006));
        assert_eq!(bitstate_collision(64, 3, 0), 0.0);
    }

    #[test]
    fn searches_together_say_how_much_all_of_them_missed() {
        // A hundred thousand states, of which each search finds 70 percent at random.
        let searches: Vec<Vec<(u64, bool)>> = (0..3u64)
            .map(|run| (0..100_000u64).map(|i| (mix(i + 1), mix(i * 3 + run + 1_000_000) % 10 < 7)).collect())
            .collect();
        let estimate = together(searches.iter().map(|sample| (u64::MAX, &sample[..])));
        assert!((estimate.stored / 97_300.0 - 1.0).abs() < 0.01, "{estimate:?}");
        assert!((estimate.all / 100_000.0 - 1.0).abs() < 0.02, "{estimate:?}");
        let one = together([(u64::MAX, &searches[0][..])]);
        assert_eq!(one.stored, one.all);
        let halved = together(searches.iter().map(|sample| (u64::MAX / 4, &sample[..])));
        assert!((halved.stored / 97_300.0 - 1.0).abs() < 0.03, "{halved:?}");
    }
}
