//! Automaton against direct evaluation, over random formulas and random lasso words.

use axle_ltl::testing::{Random, formula, stretched, word};
use axle_ltl::{lasso, translate, translate_negation};

/// `formulas` random formulas, each with its negation, against `words` random words each.
fn compare(seed: u64, formulas: u64, words: u64) {
    let mut random = Random::new(seed);
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
    compare(1, 2_000, 20);
}

#[test]
fn degeneralised_automata_accept_the_same() {
    let mut random = Random::new(2);
    for _ in 0..1_000 {
        let size = random.below(10);
        let formula = formula(&mut random, size);
        let Ok(automaton) = translate(&formula) else { panic!("{formula:?} is small") };
        let one = axle_ltl::degeneralise::degeneralise(&automaton);
        let on_states = axle_ltl::degeneralise::state_based(&automaton);
        assert!(one.sets == 1 && on_states.sets <= 1);
        for out in &on_states.states {
            assert!(out.windows(2).all(|t| t[0].marks == t[1].marks), "the mark belongs to the state");
        }
        for _ in 0..20 {
            let word = word(&mut random);
            let expected = lasso::satisfies(&word, &formula);
            assert_eq!(lasso::accepts(&one, &word), expected, "{formula:?}\n{word:?}");
            assert_eq!(lasso::accepts(&on_states, &word), expected, "{formula:?}\n{word:?}\n{on_states:?}");
        }
    }
}

/// Stutter invariance against brute force: repeat letters of short words in every way and compare.
#[test]
fn stutter_invariance_agrees_with_brute_force() {
    let mut random = Random::new(3);
    let (mut variant, mut invariant) = (0, 0);
    for _ in 0..1_500 {
        let size = random.below(6);
        let formula = formula(&mut random, size);
        let Ok(answer) = axle_ltl::stutter::is_stutter_invariant(&formula) else { continue };
        let mut told_apart = false;
        // Most formulas that tell them apart do so soon; a fine one may need a word that is rare.
        for _ in 0..if answer { 400 } else { 40_000 } {
            if told_apart {
                break;
            }
            let word = word(&mut random);
            let stretched = stretched(&mut random, &word);
            told_apart = lasso::satisfies(&word, &formula) != lasso::satisfies(&stretched, &formula);
        }
        assert_eq!(answer, !told_apart, "{formula:?}");
        variant += u32::from(told_apart);
        invariant += u32::from(!told_apart && formula.has_next());
    }
    assert!(variant > 100 && invariant > 50, "both answers are exercised: {variant} {invariant}");
}

/// Stutter invariance of automata against that of the formulas from which they come: the answer yes
/// is always correct, and most formulas without `X` get it.
#[test]
fn automata_are_found_stutter_invariant_only_if_their_formulas_are() {
    let mut random = Random::new(4);
    let (mut found, mut without_next, mut variant) = (0, 0, 0);
    for _ in 0..3_000 {
        let size = random.below(7);
        let formula = formula(&mut random, size);
        let (Ok(automaton), Ok(invariant)) =
            (translate(&formula), axle_ltl::stutter::is_stutter_invariant(&formula))
        else {
            continue;
        };
        let automaton = axle_ltl::degeneralise::state_based(&automaton);
        let answer = axle_ltl::stutter::is_surely_stutter_invariant(&automaton);
        assert!(invariant || !answer, "{formula:?}\n{automaton:?}");
        if !formula.has_next() {
            without_next += 1;
            found += u32::from(answer);
        }
        variant += u32::from(!invariant);
    }
    assert!(found * 10 > without_next * 9 && variant > 200, "{found} of {without_next}, {variant} variant");
}
