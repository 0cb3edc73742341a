//! Sets of small numbers, as words.

/// A set of numbers below a fixed bound.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bits(pub Vec<u64>);

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    /// Inserts a number.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether the set contains a number.
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Union with another set of the same bound.
    pub fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    /// Whether the intersection of two sets contains a number that is not in `but`.
    pub fn meets(&self, other: &Bits, but: &Bits) -> bool {
        self.0.iter().zip(&other.0).zip(&but.0).any(|((a, b), but)| a & b & !but != 0)
    }
}
