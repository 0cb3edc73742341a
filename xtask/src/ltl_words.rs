//! `cargo xtask ltl-words`: automata against direct evaluation, over random formulas and random lasso words.
//!
//! A pair is a formula of up to 12 operators (`X` included) over 4 propositions, and a word; a pair agrees where
//! the automaton of the formula accepts the word just if the formula holds of it, and that of the negation just
//! if not. With it goes the test for stutter invariance, against words that are stretched. The suite of `axle-ltl`
//! runs a fixed part of this; main function: [`run`].

use axle_ltl::{Formula, Lasso, lasso, stutter, translate, translate_negation};

#[derive(clap::Args)]
pub struct Args {
    /// How many pairs.
    #[arg(long, default_value_t = 1_000_000)]
    pairs: u64,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Words for each formula.
const WORDS: u64 = 10;

/// Pairs between two tests of stutter invariance, which takes longer.
const EACH: u64 = 50;

/// Runs the comparison.
pub fn run(args: &Args) -> Result<(), String> {
    let mut random = Random(args.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut pairs, mut invariant, mut variant) = (0, 0u64, 0u64);
    while pairs < args.pairs {
        let size = random.below(13);
        let formula = formula(&mut random, size);
        let (Ok(yes), Ok(no)) = (translate(&formula), translate_negation(&formula)) else {
            return Err(format!("no automaton of {formula:?}"));
        };
        for _ in 0..WORDS {
            let word = word(&mut random);
            let expected = lasso::satisfies(&word, &formula);
            if lasso::accepts(&yes, &word) != expected || lasso::accepts(&no, &word) == expected {
                return Err(format!("mismatch: {formula:?}\non {word:?}, which is {expected}"));
            }
            pairs += 1;
        }
        if pairs % EACH == 0 && size <= 8 {
            match stutter::is_stutter_invariant(&formula) {
                Ok(true) if told_apart(&mut random, &formula) => {
                    return Err(format!("{formula:?} tells a state from the same state twice"));
                }
                Ok(true) => invariant += 1,
                Ok(false) => variant += 1,
                Err(fault) => return Err(format!("{fault:?} of {formula:?}")),
            }
        }
    }
    println!(
        "{pairs} pairs: no mismatch; {invariant} formulas that do not mind repeated states, {variant} that do"
    );
    Ok(())
}

/// Whether some word and the same word with letters repeated differ.
fn told_apart(random: &mut Random, formula: &Formula) -> bool {
    (0..100).any(|_| {
        let word = word(random);
        let mut stretched = word.clone();
        for letters in [&mut stretched.prefix, &mut stretched.cycle] {
            let longer = |letter: &u64| std::iter::repeat_n(*letter, 1 + random.below(3) as usize);
            *letters = letters.iter().flat_map(longer).collect();
        }
        lasso::satisfies(&word, formula) != lasso::satisfies(&stretched, formula)
    })
}

/// Random numbers (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
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

fn word(random: &mut Random) -> Lasso {
    let (before, round) = (random.below(5), random.below(5) + 1);
    let mut letters = |n: u64| (0..n).map(|_| random.below(16)).collect::<Vec<u64>>();
    Lasso { prefix: letters(before), cycle: letters(round) }
}
