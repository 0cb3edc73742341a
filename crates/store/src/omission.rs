//! How much a store that may take one state for another is expected to miss.
//!
//! With `m` bits, `k` functions and `r` states stored, a bit is still 0 with probability `(1 -
//! 1/m)^(k r)`, so a new state is taken for a known one with probability `(1 - e^(-k r / m))^k`,
//! which is least for `k = ln 2 * m / r` ([`bitstate_collision`], [`best_functions`]). Fingerprints
//! of `b` bits are the case of one function and `m = 2^b` ([`fingerprint_collision`]). These bound
//! the chance of the last state; those before had a better one. Independent functions in several
//! searches multiply their chances ([`missed_by_all`]).
//!
//! *Source:* G. J. Holzmann, Software Model Checking, lecture notes, 2000, sections 3.5 and 3.6,
//! after B. H. Bloom, 1970.

/// The probability that a new state is taken for a known one, where `stored` states have set bits in an array of
/// `bits` bits by `functions` functions each.
pub fn bitstate_collision(bits: u64, functions: u32, stored: u64) -> f64 {
    let k = f64::from(functions);
    let filled = -(-k * stored as f64 / bits.max(1) as f64).exp_m1();
    filled.powf(k)
}

/// The same where every state leaves a fingerprint of `bits` bits.
pub fn fingerprint_collision(bits: u32, stored: u64) -> f64 {
    (stored as f64 * (-f64::from(bits)).exp2()).min(1.0)
}

/// The number of functions for which fewest states are missed, between 1 and `most`.
pub fn best_functions(bits: u64, states: u64, most: u32) -> u32 {
    let best = std::f64::consts::LN_2 * bits as f64 / states.max(1) as f64;
    (best.round() as u32).clamp(1, most.max(1))
}

/// The probability that each of several independent searches misses a state, from that of each.
pub fn missed_by_all(each: impl IntoIterator<Item = f64>) -> f64 {
    each.into_iter().product()
}

/// What a store says of what it missed.
#[derive(Clone, PartialEq, Debug)]
pub struct Coverage {
    /// How states were kept.
    pub kind: Kind,
    /// Bits of a fingerprint, or of the array.
    pub bits: u64,
    /// Bits of the array that each state sets; 1 for fingerprints.
    pub functions: u32,
    /// Bits of the array that are set; 0 for fingerprints.
    pub ones: u64,
    /// States that were found new.
    pub stored: u64,
    /// The probability that a state more would have been missed, by the formula.
    pub predicted: f64,
    /// How many of the states that came up are expected to have been missed, by how full the store was each time.
    pub expected: f64,
    /// Which states were looked at closely: all with a key below this.
    pub threshold: u64,
    /// The keys of these, in order, each with whether the state was found new when it came up first.
    pub sample: Vec<(u64, bool)>,
}

/// How a store that is not exact keeps states.
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
    /// States looked at closely that were missed when they came up first.
    pub fn omitted(&self) -> u64 {
        self.sample.iter().filter(|(_, stored)| !stored).count() as u64
    }

    /// The share of the states that came up that was stored, measured on those looked at closely.
    pub fn measured(&self) -> f64 {
        match self.sample.len() {
            0 => 1.0,
            all => 1.0 - self.omitted() as f64 / all as f64,
        }
    }
}

/// What several searches that looked closely at the same states say together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Together {
    /// States that some search stored, estimated from those looked at closely.
    pub stored: f64,
    /// States that there are, by how many were stored by one search or two only (A. Chao, Estimating the population
    /// size for capture-recapture data, Biometrics 43, 1987; with the correction for few). No less than `stored`.
    pub all: f64,
}

/// Compares what searches with independent functions have stored; each is a threshold and a sample as in [`Coverage`].
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
        // A hundred thousand states, of which each search finds seven in ten, by chance.
        let searches: Vec<Vec<(u64, bool)>> = (0..3u64)
            .map(|run| (0..100_000u64).map(|i| (mix(i + 1), mix(i * 3 + run + 1_000_000) % 10 < 7)).collect())
            .collect();
        let told = together(searches.iter().map(|sample| (u64::MAX, &sample[..])));
        assert!((told.stored / 97_300.0 - 1.0).abs() < 0.01, "{told:?}");
        assert!((told.all / 100_000.0 - 1.0).abs() < 0.02, "{told:?}");
        let one = together([(u64::MAX, &searches[0][..])]);
        assert_eq!(one.stored, one.all);
        let halved = together(searches.iter().map(|sample| (u64::MAX / 4, &sample[..])));
        assert!((halved.stored / 97_300.0 - 1.0).abs() < 0.03, "{halved:?}");
    }
}
