//! Logical times of a search: a level of the breadth-first search and a sub-round within it, in one
//! number whose order is that of the search.
//!
//! *Entry point:* [`Time`].
//!
//! *Invariant:* every later sub-round of a level and every sub-round of a later level has a greater
//! number.

/// Bits of the sub-round.
const ROUND_BITS: u32 = 24;

/// A logical time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Time(u64);

impl Time {
    /// The first sub-round of a level.
    ///
    /// # Panics
    ///
    /// If the level has more than 40 bits.
    pub fn of_level(level: u64) -> Time {
        assert!(level < 1 << (64 - ROUND_BITS), "a search has fewer than 2^40 levels");
        Time(level << ROUND_BITS)
    }

    /// The time as one number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The level.
    pub fn level(self) -> u64 {
        self.0 >> ROUND_BITS
    }

    /// The next sub-round of the same level.
    ///
    /// # Panics
    ///
    /// If the level has 2^24 sub-rounds, each of which expands thousands of states.
    pub fn next_round(self) -> Time {
        let next = Time(self.0 + 1);
        assert!(next.level() == self.level(), "a level has fewer than 2^24 sub-rounds");
        next
    }

    /// The first sub-round of the next level.
    pub fn next_level(self) -> Time {
        Time::of_level(self.level() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_ordered_by_level_and_sub_round() {
        let mut last = Time::default();
        for level in 0..50 {
            assert_eq!(last.level(), level);
            for _ in 0..20 {
                let next = last.next_round();
                assert!(next > last && next.level() == level);
                last = next;
            }
            let next = last.next_level();
            assert!(next > last && next == Time::of_level(level + 1));
            last = next;
        }
    }

    #[test]
    #[should_panic(expected = "sub-rounds")]
    fn sub_rounds_do_not_reach_the_next_level() {
        let _ = Time(Time::of_level(4).number() - 1).next_round();
    }
}
