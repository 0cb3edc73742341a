//! Sets of small numbers, as words.

/// A set of numbers below a bound that is given when it is made.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bits(pub Vec<u64>);

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    /// Puts a number in.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether a number is in.
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Puts in all of another set of the same bound.
    pub fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    /// Whether two sets have a number in common that `but` does not have.
    pub fn meets(&self, other: &Bits, but: &Bits) -> bool {
        self.0.iter().zip(&other.0).zip(&but.0).any(|((a, b), but)| a & b & !but != 0)
    }
}
