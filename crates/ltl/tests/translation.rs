//! Automaton against direct evaluation, over random formulas and random lasso words.

use axle_ltl::{Formula, Lasso, lasso, translate, translate_negation};

/// A small generator of random numbers (xorshift, Marsaglia 2003), so that a seed names a test.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }
}

fn formula(random: &mut Random, operators: u64) -> Formula {
    if operators == 0 {
        return match random.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            n => Formula::Atom((n % 4) as u32),
        };
    }
    let rest = operators - 1;
    let one = |random: &mut Random| Box::new(formula(random, rest));
    let unary = random.below(10);
    match unary {
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

fn word(random: &mut Random) -> Lasso {
    let mut letters = |n: u64| (0..n).map(|_| random.below(16)).collect::<Vec<u64>>();
    let (p, c) = (letters(1)[0] % 5, letters(1)[0] % 5 + 1);
    Lasso { prefix: letters(p), cycle: letters(c) }
}

/// `formulas` random formulas, each with its negation, against `words` random words each.
fn compare(seed: u64, formulas: u64, words: u64) {
    let mut random = Random(seed);
    for _ in 0..formulas {
        let size = random.below(13);
        let formula = formula(&mut random, size);
        let (Ok(yes), Ok(no)) = (translate(&formula), translate_negation(&formula)) else {
            panic!("12 operators and 4 propositions always fit: {formula:?}");
        };
        for _ in 0..words {
            let word = word(&mut random);
            let expected = lasso::satisfies(&word, &formula);
            assert_eq!(lasso::accepts(&yes, &word), expected, "{formula:?}\n{word:?}\n{yes:?}");
            assert_eq!(lasso::accepts(&no, &word), !expected, "negation of {formula:?}\n{word:?}\n{no:?}");
        }
    }
}

#[test]
fn automaton_agrees_with_evaluation() {
    compare(0x9E37_79B9_7F4A_7C15, 2_000, 20);
}
