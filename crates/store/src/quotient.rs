//! Quotienting: a bijection from pairs of numbers to a home line and a remainder.
//!
//! A hash table whose hash function is a bijection need not store the part of the key that the
//! position encodes. The key is a pair `(left, right)` with `right` below 2^28. One round of a
//! Feistel network, keyed by `left`, maps `right` to a 28-bit value `spread` that determines the
//! line; `(spread, left)` determines the pair.
//!
//! *Entry points:* [`Spread::spread`] and [`Spread::unspread`].
//!
//! *Source:* J. G. Cleary, Compact hash tables using bidirectional linear probing, IEEE
//! Transactions on Computers C-33, 1984.
//!
//! Lines are in the order of `spread`, so their number is arbitrary, and a table grows by moving
//! entries to the right, in order. [`Quotient`] computes, for a number of lines, the 32-bit word
//! that identifies an entry within its line.
//!
//! *Invariant:* `decode(encode(left, right)) == (left, right)` for every pair that
//! [`Quotient::encode`] accepts. Exactness does not depend on probability.

/// Number of bits of `right` and of its image.
const BITS: u32 = 28;

/// Upper bound (exclusive) of `right`.
const RIGHTS: u64 = 1 << BITS;

const MASK: u32 = (1 << BITS) - 1;

/// Maximum number of lines of a table.
pub(crate) const MOST_LINES: usize = 1 << BITS;

/// A family of bijections on 28 bits, one for each `left`.
pub(crate) trait Spread {
    /// The image of `right` (below 2^28).
    fn spread(left: u32, right: u32) -> u32;

    /// The `right` whose image is `spread`.
    fn unspread(left: u32, spread: u32) -> u32;
}

/// The family used by the sets.
pub(crate) struct Feistel;

const FIRST: u32 = 0x5bd_1e95;
const SECOND: u32 = 0xb2a_e35d;

/// The multiplicative inverse of an odd `factor`, modulo 2^32 (Newton's iteration).
const fn inverse(factor: u32) -> u32 {
    let mut x = factor;
    let mut i = 0;
    while i < 5 {
        x = x.wrapping_mul(2u32.wrapping_sub(factor.wrapping_mul(x)));
        i += 1;
    }
    x
}

/// Two numbers of 28 bits that depend on `left`.
#[inline(always)]
fn round_keys(left: u32) -> (u32, u32) {
    let mixed = (u64::from(left) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = mixed ^ mixed >> 29;
    let mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 36) as u32, (mixed >> 8) as u32 & MASK)
}

impl Spread for Feistel {
    #[inline(always)]
    fn spread(left: u32, right: u32) -> u32 {
        let (before, after) = round_keys(left);
        let mut x = right ^ before;
        x ^= x >> 15;
        x = x.wrapping_mul(FIRST) & MASK;
        x ^= x >> 14;
        x = x.wrapping_mul(SECOND) & MASK;
        x ^= x >> 15;
        x.wrapping_add(after) & MASK
    }

    #[inline(always)]
    fn unspread(left: u32, spread: u32) -> u32 {
        let (before, after) = round_keys(left);
        let mut x = spread.wrapping_sub(after) & MASK;
        // A shift by half of the bits or more is its own inverse.
        x ^= x >> 15;
        x = x.wrapping_mul(inverse(SECOND)) & MASK;
        x ^= x >> 14;
        x = x.wrapping_mul(inverse(FIRST)) & MASK;
        x ^= x >> 15;
        x ^ before
    }
}

/// Encoding of entries in a table with a certain number of lines.
#[derive(Clone, Copy)]
pub(crate) struct Quotient {
    lines: u64,
    /// Upper bound (exclusive) of `left`. As a line covers at most `ceil(2^28 / lines)` values of
    /// `spread`, all entries of a line differ modulo 2^32.
    lefts: u64,
    /// `ceil(2^64 / lefts)`: a multiplication by it divides any 32-bit number exactly (Granlund and
    /// Montgomery, "Division by invariant integers using multiplication", PLDI 1994).
    reciprocal: u64,
}

impl Quotient {
    /// For a table of 1 to [`MOST_LINES`] lines.
    pub(crate) fn new(lines: usize) -> Quotient {
        let lines = lines as u64;
        let lefts = (1 << 32) / RIGHTS.div_ceil(lines.max(1));
        Quotient { lines, lefts, reciprocal: (1u128 << 64).div_ceil(u128::from(lefts)) as u64 }
    }

    /// Upper bound (exclusive) of `left`.
    pub(crate) fn lefts(&self) -> u64 {
        self.lefts
    }

    /// The value of `spread` for a pair, if the pair can be encoded.
    #[inline(always)]
    pub(crate) fn spread<S: Spread>(&self, left: u32, right: u32) -> Option<u32> {
        let small = u64::from(left) < self.lefts && u64::from(right) < RIGHTS;
        small.then(|| S::spread(left, right))
    }

    /// The line of an entry and the word that identifies it there; `None` if the word would be 0.
    #[inline(always)]
    pub(crate) fn place(&self, left: u32, spread: u32) -> Option<(usize, u32)> {
        let line = (u64::from(spread) * self.lines) >> BITS;
        let word = (u64::from(spread) * self.lefts + u64::from(left)) as u32;
        (word != 0).then_some((line as usize, word))
    }

    /// The line and the word of a pair, if it can be encoded.
    #[inline(always)]
    pub(crate) fn encode<S: Spread>(&self, left: u32, right: u32) -> Option<(usize, u32)> {
        self.place(left, self.spread::<S>(left, right)?)
    }

    /// The common data of all entries of a line.
    #[inline(always)]
    pub(crate) fn line(&self, line: usize) -> LineQuotient {
        let first = ((line as u64) << BITS).div_ceil(self.lines);
        let base = (first * self.lefts) as u32;
        LineQuotient { first, base, lefts: self.lefts, reciprocal: self.reciprocal }
    }
}

/// Decoder of the entries of one line.
#[derive(Clone, Copy)]
pub(crate) struct LineQuotient {
    /// The least `spread` of the line.
    first: u64,
    /// The word of this value with `left` 0.
    base: u32,
    lefts: u64,
    reciprocal: u64,
}

impl LineQuotient {
    /// `left` and `spread` of an entry.
    #[inline(always)]
    pub(crate) fn decode(&self, word: u32) -> (u32, u32) {
        let offset = u64::from(word.wrapping_sub(self.base));
        let quotient = ((u128::from(offset) * u128::from(self.reciprocal)) >> 64) as u64;
        ((offset - quotient * self.lefts) as u32, (self.first + quotient) as u32)
    }
}

#[cfg(test)]
pub(crate) mod bad {
    //! Degenerate bijections for tests.

    use super::{MASK, Spread};

    /// The identity: all pairs of a small model are in the first line.
    pub(crate) struct Identity;

    impl Spread for Identity {
        fn spread(_: u32, right: u32) -> u32 {
            right
        }
        fn unspread(_: u32, spread: u32) -> u32 {
            spread
        }
    }

    /// Maps small values to the end.
    pub(crate) struct Mirror;

    impl Spread for Mirror {
        fn spread(_: u32, right: u32) -> u32 {
            MASK - right
        }
        fn unspread(_: u32, spread: u32) -> u32 {
            MASK - spread
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn samples() -> impl Iterator<Item = u32> {
        let mut x = 12345u32;
        let random = std::iter::repeat_with(move || {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            x >> (x & 31)
        });
        [0, 1, 2, 15, 16, 1000, MASK - 1, MASK].into_iter().chain(random.take(400))
    }

    #[test]
    fn spreading_is_undone() {
        for left in samples() {
            for right in samples().map(|x| x & MASK) {
                let there = Feistel::spread(left, right);
                assert!(there <= MASK);
                assert_eq!(Feistel::unspread(left, there), right);
                // The inverse direction: the function is surjective.
                let back = Feistel::unspread(left, right);
                assert!(back <= MASK);
                assert_eq!(Feistel::spread(left, back), right);
            }
        }
    }

    #[test]
    fn decoding_undoes_encoding_for_any_number_of_lines() {
        for lines in [1, 2, 3, 7, 64, 1000, 1 << 14, 123_457, MOST_LINES - 1, MOST_LINES] {
            let quotient = Quotient::new(lines);
            let mut encoded = 0;
            for left in samples().chain([15, 16, 17]) {
                for right in samples() {
                    let Some((line, word)) = quotient.encode::<Feistel>(left, right) else { continue };
                    encoded += 1;
                    assert!(line < lines && word != 0);
                    let (left_again, spread) = quotient.line(line).decode(word);
                    assert_eq!((left_again, Feistel::unspread(left, spread)), (left, right));
                }
            }
            assert!(encoded > 100, "{lines} lines: only {encoded} pairs can be encoded");
        }
    }

    #[test]
    fn the_ends_of_lines_are_told_apart() {
        // The first and last `spread` of adjacent lines, with the smallest and largest `left`.
        for lines in [3u64, 64, 1000, 77_777] {
            let quotient = Quotient::new(lines as usize);
            for line in [0, 1, lines / 2, lines - 2] {
                let edge = ((line + 1) << BITS).div_ceil(lines) as u32;
                let mut seen = HashSet::new();
                for spread in [edge - 1, edge] {
                    for left in [0, 1, quotient.lefts as u32 - 1] {
                        let Some(place) = quotient.place(left, spread) else { continue };
                        assert!(seen.insert(place));
                        assert_eq!(place.0 as u64, line + u64::from(spread == edge));
                        assert_eq!(quotient.line(place.0).decode(place.1), (left, spread));
                    }
                }
            }
        }
    }

    #[test]
    fn multiplication_divides() {
        for lines in (1..3000).chain([1 << 20, 12_345_678, MOST_LINES / 2, MOST_LINES]) {
            let quotient = Quotient::new(lines);
            let line = LineQuotient { first: 0, base: 0, ..quotient.line(0) };
            let lefts = quotient.lefts;
            for word in samples().chain([u32::MAX, u32::MAX - 1]) {
                // At random words and directly beside multiples.
                let multiple = (u64::from(word) / lefts * lefts) as u32;
                for word in [word, multiple, multiple.wrapping_sub(1), multiple.wrapping_add(1)] {
                    let wide = u64::from(word);
                    assert_eq!(line.decode(word), ((wide % lefts) as u32, (wide / lefts) as u32));
                }
            }
        }
    }

    #[test]
    fn more_lines_encode_more() {
        let mut lefts = 0;
        for lines in 1..5000 {
            let quotient = Quotient::new(lines);
            assert!(quotient.lefts >= lefts);
            // Enough for every entry to have a `left` of its own, at four fifths of 16 entries per
            // line.
            assert!(quotient.lefts >= lines as u64 * 13, "{lines}");
            lefts = quotient.lefts;
        }
    }
}
