//! Intersections of sets of small numbers.

use fixedbitset::FixedBitSet;

/// Whether the intersection of two sets contains a number that is not in a third one.
pub trait Meets {
    /// Whether the intersection with `other` contains a number that is not in `but`. The sets have the
    /// same bound.
    fn meets(&self, other: &Self, but: &Self) -> bool;
}

impl Meets for FixedBitSet {
    fn meets(&self, other: &FixedBitSet, but: &FixedBitSet) -> bool {
        let words = self.as_slice().iter().zip(other.as_slice()).zip(but.as_slice());
        words.into_iter().any(|((own, other), but)| own & other & !but != 0)
    }
}
