//! `cargo xtask ltl-words`: compares automata with direct evaluation, for random formulas and
//! random lasso words.
//!
//! A pair is a formula with up to 12 operators (`X` included) over 4 propositions, and a word. The
//! automaton of the formula must accept the word if and only if the word satisfies the formula, and
//! the automaton of the negation if and only if it does not. The test for stutter invariance is
//! compared on stuttered words. The test suite of `axle-ltl` runs a fixed part of this.
//!
//! *Entry point:* [`run`].

use axle_ltl::testing::{Random, formula, stretched, word};
use axle_ltl::{Formula, lasso, stutter, translate, translate_negation};

/// Arguments of `cargo xtask ltl-words`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of pairs.
    #[arg(long, default_value_t = 1_000_000)]
    pairs: u64,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Number of words per formula.
const WORDS: u64 = 10;

/// Number of pairs between tests of stutter invariance, which are slower.
const EACH: u64 = 50;

/// Runs the comparison.
pub fn run(args: &Args) -> Result<(), String> {
    let mut random = Random::new(args.seed);
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
                    return Err(format!("{formula:?} distinguishes stuttered words"));
                }
                Ok(true) => invariant += 1,
                Ok(false) => variant += 1,
                Err(fault) => return Err(format!("{fault:?} of {formula:?}")),
            }
        }
    }
    println!("{pairs} pairs: no mismatch; {invariant} formulas are stutter-invariant, {variant} are not");
    Ok(())
}

/// Whether the formula distinguishes some word from a stuttered version.
fn told_apart(random: &mut Random, formula: &Formula) -> bool {
    (0..100).any(|_| {
        let word = word(random);
        let stretched = stretched(random, &word);
        lasso::satisfies(&word, formula) != lasso::satisfies(&stretched, formula)
    })
}
