//! The random numbers for generated programs and inputs: SplitMix64. Each input has its own stream,
//! identified by seed and number, so it can be regenerated alone.
//!
//! *Entry point:* [`Random::of`].
//! *Source:* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

/// A type of numbers from 0 on.
pub trait Number {
    /// As 64 bits.
    fn wide(self) -> u64;
    /// Of 64 bits that are in range.
    fn of(wide: u64) -> Self;
}

macro_rules! number {
    ($($name:ty),*) => {
        $(impl Number for $name {
            fn wide(self) -> u64 {
                self as u64
            }

            fn of(wide: u64) -> $name {
                wide as $name
            }
        })*
    };
}

number!(i32, i64, u8, u16, u32, u64, usize);

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of input `index` of `seed`.
    pub fn of(seed: u64, index: u64) -> Random {
        let mut outer = Random(seed ^ 0x5851_f42d_4c95_7f2d);
        let mixed = outer.number() ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut inner = Random(mixed);
        Random(inner.number())
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where `bound` is 0.
    pub fn below<N: Number>(&mut self, bound: N) -> N {
        N::of(((u128::from(self.number()) * u128::from(bound.wide())) >> 64) as u64)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A small number from 1 to `most`; each further value is half as likely.
    pub fn few(&mut self, most: usize) -> usize {
        let mut count = 1;
        while count < most && self.one_in(2) {
            count += 1;
        }
        count
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
