//! Random formulas and random lasso words, for tests here and elsewhere (feature `testing`). A
//! [`Random`] that begins with the same number gives the same ones in the same order.
//!
//! *Entry points:* [`formula`], [`timeline`], [`word`].

use crate::timeline::{Bar, Mark, MarkKind, Timeline};
use crate::{Formula, Lasso};

/// Random numbers (xorshift; Marsaglia, "Xorshift RNGs", Journal of Statistical Software 2003).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that begin with `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}

/// How many propositions [`formula`] and [`word`] know.
pub const PROPOSITIONS: u64 = 4;

/// A formula of so many operators, `X` among them.
pub fn formula(random: &mut Random, operators: u64) -> Formula {
    if operators == 0 {
        return match random.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            n => Formula::Atom((n % PROPOSITIONS) as u32),
        };
    }
    let rest = operators - 1;
    let one = |random: &mut Random| Box::new(formula(random, rest));
    match random.below(10) {
        0 => return Formula::Not(one(random)),
        1 => return Formula::Next(one(random)),
        2 | 3 => return Formula::Always(one(random)),
        4 | 5 => return Formula::Eventually(one(random)),
        _ => {}
    }
    let left = random.below(rest + 1);
    let a = Box::new(formula(random, left));
    let b = Box::new(formula(random, rest - left));
    match random.below(7) {
        0 => Formula::And(a, b),
        1 => Formula::Or(a, b),
        2 => Formula::Implies(a, b),
        3 => Formula::Equivalent(a, b),
        4 => Formula::Until(a, b),
        5 => Formula::WeakUntil(a, b),
        _ => Formula::Release(a, b),
    }
}

/// A word of up to four letters and then one to five that come again and again.
pub fn word(random: &mut Random) -> Lasso {
    let (before, round) = (random.below(5), random.below(5) + 1);
    let mut letters = |n: u64| (0..n).map(|_| random.below(1 << PROPOSITIONS)).collect::<Vec<u64>>();
    Lasso { prefix: letters(before), cycle: letters(round) }
}

/// The word with each letter repeated one to three times.
pub fn stretched(random: &mut Random, word: &Lasso) -> Lasso {
    let mut longer = |letters: &[u64]| -> Vec<u64> {
        letters.iter().flat_map(|&letter| std::iter::repeat_n(letter, 1 + random.below(3) as usize)).collect()
    };
    Lasso { prefix: longer(&word.prefix), cycle: longer(&word.cycle) }
}

/// A timeline with at most five marks and three bars over the propositions of [`word`].
pub fn timeline(random: &mut Random) -> Timeline {
    let literal = |random: &mut Random| {
        let atom = Formula::Atom(random.below(PROPOSITIONS) as u32);
        match random.below(6) {
            0 => atom.negated(),
            1 => Formula::Or(Box::new(atom), Box::new(Formula::Atom(random.below(PROPOSITIONS) as u32))),
            _ => atom,
        }
    };
    let count = 1 + random.below(5) as usize;
    let mark = |random: &mut Random, at: usize| {
        let kind = match random.below(5) {
            _ if at + 1 == count && random.below(4) > 0 => MarkKind::Target,
            0 => MarkKind::Forbidden,
            1 => MarkKind::Required,
            _ if at + 1 == count => MarkKind::Forbidden,
            _ => MarkKind::Event,
        };
        Mark { name: format!("m{at}"), kind, condition: literal(random), line: at as u32 + 1 }
    };
    let marks: Vec<Mark> = (0..count).map(|at| mark(random, at)).collect();
    let bars = (0..random.below(4)).filter_map(|_| {
        let (from, to) = (random.below(count as u64) as usize, random.below(count as u64) as usize);
        (from < to).then(|| Bar { condition: literal(random), from, to })
    });
    let bars = bars.collect();
    let atoms: Vec<String> = (0..PROPOSITIONS).map(|atom| format!("p{atom}")).collect();
    let places = vec![0; atoms.len()];
    Timeline { name: "random".to_string(), marks, bars, atoms, places }
}
