//! `cargo xtask ltl-words`: automata against direct evaluation, over random formulas and random lasso words.
//!
//! A pair is a formula of up to 12 operators (`X` included) over 4 propositions, and a word; a pair agrees where
//! the automaton of the formula accepts the word just if the formula holds of it, and that of the negation just
//! if not. With it goes the test for stutter invariance, against words that are stretched. The suite of `axle-ltl`
//! runs a fixed part of this; main function: [`run`].

use axle_ltl::testing::{Random, formula, stretched, word};
use axle_ltl::{Formula, lasso, stutter, translate, translate_negation};

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
        let stretched = stretched(random, &word);
        lasso::satisfies(&word, formula) != lasso::satisfies(&stretched, formula)
    })
}
