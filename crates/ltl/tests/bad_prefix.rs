//! Monitors of random formulas against progression and against all short continuations of random
//! words.

use axle_ltl::bad_prefix::{is_bad, monitor};
use axle_ltl::lasso::satisfies;
use axle_ltl::testing::{Random, formula, word};
use axle_ltl::{Formula, Lasso, parse};

/// Formulas and words of the comparisons.
const CASES: u64 = 1_500;

fn parsed(text: &str) -> Formula {
    parse(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}")).formula
}

/// The propositions that occur, as a list of valuations of them alone.
fn valuations(formula: &Formula) -> Vec<u64> {
    let read = axle_ltl::translate(formula).map_or(15, |automaton| automaton.reads());
    (0..16u64).filter(|valuation| valuation & !read == 0).collect()
}

/// Whether some continuation of the word with a cycle of at most two letters after at most two more
/// satisfies the formula.
fn continues(formula: &Formula, word: &[u64]) -> bool {
    let letters = valuations(formula);
    let mut middles: Vec<Vec<u64>> = vec![Vec::new()];
    middles.extend(letters.iter().map(|&a| vec![a]));
    middles.extend(letters.iter().flat_map(|&a| letters.iter().map(move |&b| vec![a, b])));
    let cycles: Vec<Vec<u64>> = middles[1..].to_vec();
    middles.iter().any(|middle| {
        let prefix = [word, middle].concat();
        cycles.iter().any(|cycle| satisfies(&Lasso { prefix: prefix.clone(), cycle: cycle.clone() }, formula))
    })
}

#[test]
fn monitors_agree_with_progression_and_with_continuations() {
    let mut random = Random::new(23);
    let (mut bad, mut good) = (0, 0);
    for _ in 0..CASES {
        let operators = 1 + random.below(5);
        let formula = formula(&mut random, operators);
        let Some(monitor) = monitor(&formula) else { continue };
        let word = word(&mut random);
        let letters: Vec<u64> = [&word.prefix[..], &word.cycle[..]].concat();
        let shortest = monitor.shortest(letters.iter().copied());
        for length in 0..=letters.len() {
            let expected = shortest.is_some_and(|shortest| length >= shortest);
            assert_eq!(
                is_bad(&formula, letters[..length].iter().copied()),
                Some(expected),
                "{formula:?} {letters:?}"
            );
        }
        match shortest {
            Some(_) => {
                bad += 1;
                assert!(!continues(&formula, &letters), "{formula:?} {letters:?}");
            }
            None if operators <= 3 => {
                good += 1;
                assert!(continues(&formula, &letters), "{formula:?} {letters:?}");
            }
            None => {}
        }
    }
    assert!(bad > 200 && good > 200, "{bad} bad prefixes, {good} others");
}

#[test]
fn violating_words_of_safety_properties_have_bad_prefixes() {
    let mut random = Random::new(7);
    let (mut safe, mut others) = (0, 0);
    for _ in 0..CASES {
        let operators = 1 + random.below(5);
        let formula = formula(&mut random, operators);
        let Some(monitor) = monitor(&formula) else { continue };
        let word = word(&mut random);
        if satisfies(&word, &formula) {
            continue;
        }
        let rounds = monitor.states.len() + 1;
        let letters = word.prefix.iter().chain(word.cycle.iter().cycle().take(word.cycle.len() * rounds));
        let shortest = monitor.shortest(letters.copied());
        if monitor.is_safety {
            safe += 1;
            assert!(shortest.is_some(), "{formula:?} {word:?}");
        }
        others += u32::from(shortest.is_none());
    }
    assert!(safe > 200 && others > 50, "{safe} safety properties, {others} words without a bad prefix");
}

#[test]
fn safety_is_semantic() {
    for (text, is_safety, has_bad) in [
        ("[] p", true, true),
        ("<> p", false, false),
        ("[] <> p", false, false),
        ("[] (p -> <> q)", false, false),
        ("p W q", true, true),
        ("p U q", false, true),
        ("[] p && <> q", false, true),
        ("[] (p -> X q)", true, true),
        // Safety, although `<>` occurs: the second part follows from the first.
        ("[] p && <> p", true, true),
        ("true", true, false),
        ("false", true, true),
    ] {
        let monitor = monitor(&parsed(text)).expect(text);
        assert_eq!((monitor.is_safety, monitor.bad.is_some()), (is_safety, has_bad), "{text}");
    }
}
