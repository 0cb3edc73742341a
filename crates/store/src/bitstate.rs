//! Bitstate hashing: a state is represented by bits set in an array.
//!
//! Each of `k` hash functions selects a bit of the array; a state whose bits are all set is
//! considered known. Hence a state costs a few bits independently of its width, and the array never
//! overflows: the omission probability grows with its load. The functions are derived from the
//! state's fingerprint like values of a random generator, each over the whole array.
//!
//! *Entry point:* [`Bits::insert`].
//!
//! *Source:* B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 13,
//! 1970; G. J. Holzmann, An analysis of bitstate hashing, Formal Methods in System Design 13, 1998.
//!
//! *Invariant:* a set bit remains set, and `ones` is the number of set bits.

use crate::OutOfMemory;
use crate::fingerprint::{Print, mix};
use crate::hash::scale;
use crate::line::prefetch;
use crate::pages::Pages;

/// An array of bits.
pub(crate) struct Bits {
    pages: Pages,
    bits: usize,
    functions: u32,
    ones: u64,
}

impl Bits {
    /// An array of `bytes` bytes with `functions` hash functions.
    pub(crate) fn new(bytes: u64, functions: u32) -> Result<Bits, OutOfMemory> {
        let bytes = usize::try_from(bytes).map_err(|_| OutOfMemory)?.max(8);
        let pages = Pages::zeroed(bytes)?;
        // Exactly the requested size, so that measurements are comparable.
        Ok(Bits { pages, bits: bytes / 8 * 64, functions: functions.max(1), ones: 0 })
    }

    /// The bits of a state.
    #[inline(always)]
    fn places(&self, print: &Print) -> impl Iterator<Item = usize> + use<> {
        let (bits, step, mut at) = (self.bits, print.high | 1, print.low);
        (0..self.functions).map(move |_| {
            at = at.wrapping_add(step);
            scale(mix(at), bits)
        })
    }

    /// Prefetches the lines with the bits of a state.
    #[inline(always)]
    pub(crate) fn prefetch(&self, print: &Print) {
        let words = self.pages.slice::<u64>();
        self.places(print).for_each(|place| prefetch(words, place / 64));
    }

    /// Sets the bits of a state; returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&mut self, print: &Print) -> bool {
        let places = self.places(print);
        let words = self.pages.slice_mut::<u64>();
        let mut set = 0;
        for place in places {
            let (word, bit) = (&mut words[place / 64], 1 << (place % 64));
            set += u64::from(*word & bit == 0);
            *word |= bit;
        }
        self.ones += set;
        set > 0
    }

    /// Number of bits in the array.
    pub(crate) fn len(&self) -> u64 {
        self.bits as u64
    }

    /// Number of bits set.
    pub(crate) fn ones(&self) -> u64 {
        self.ones
    }

    /// Number of hash functions.
    pub(crate) fn functions(&self) -> u32 {
        self.functions
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        self.pages.committed() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::omission::bitstate_collision;

    fn print(i: u64) -> Print {
        Print { low: mix(2 * i + 1), high: mix(2 * i), key: 0 }
    }

    #[test]
    fn what_was_inserted_is_known() {
        let mut bits = Bits::new(1 << 12, 4).unwrap();
        for i in 0..500 {
            bits.insert(&print(i));
            assert!(!bits.insert(&print(i)));
        }
        let counted: u32 = bits.pages.slice::<u64>().iter().map(|word| word.count_ones()).sum();
        assert_eq!(bits.ones(), u64::from(counted));
    }

    #[test]
    fn strangers_are_taken_for_known_as_often_as_the_formula_says() {
        for functions in [1, 2, 3, 7] {
            for ratio in [2, 4, 8, 16] {
                let states = if cfg!(miri) { 500 } else { 20_000 };
                let mut bits = Bits::new(states * ratio / 8, functions).unwrap();
                (0..states).for_each(|i| {
                    bits.insert(&print(i));
                });
                let expected = bitstate_collision(bits.len(), functions, states);
                let words = bits.pages.slice::<u64>();
                let tries = 200_000;
                let known = (states..states + tries)
                    .filter(|&i| bits.places(&print(i)).all(|at| words[at / 64] >> (at % 64) & 1 == 1))
                    .count() as f64;
                let (mean, spread) = (expected * tries as f64, (expected * tries as f64).sqrt());
                // The number of set bits also varies between arrays.
                let slack = if cfg!(miri) { 0.3 } else { 0.03 } * mean;
                assert!(
                    (known - mean).abs() < 5.0 * spread + slack + 5.0,
                    "{functions} {ratio}: {known} {mean}"
                );
            }
        }
    }
}
