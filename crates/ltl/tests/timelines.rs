//! Timelines: the figures of the source, faults of texts, and formula, automaton and oracle against
//! each other.

use axle_ltl::print::{formula as print_formula, table};
use axle_ltl::testing::{Random, timeline as random_timeline, word};
use axle_ltl::timeline::{self, oracle};
use axle_ltl::{lasso, translate};

const DIAL_TONE: &str = "# Figure 5.
timeline dial_tone
e offhook
t dialtone
bar !onhook from offhook to dialtone
";

#[test]
fn figure_5_is_figure_4() {
    let read = timeline::parse(DIAL_TONE).expect("a timeline");
    assert_eq!(read.name, "dial_tone");
    let automaton = timeline::automaton(&read).expect("it is small");
    assert_contains(&table::table(&automaton, &read.atoms), &["true", "offhook", "!dialtone && !onhook"]);
    assert_eq!((automaton.states.len(), automaton.transitions(), automaton.sets), (2, 3, 1));
    let edge = |from: usize, at: usize| automaton.states[from][at];
    assert_eq!((automaton.initial, edge(0, 0).to, edge(0, 0).marks), (0, 0, 0));
    assert_eq!((edge(0, 1).to, edge(1, 0).to, edge(1, 0).marks), (1, 1, 1));
    let violating = timeline::violations(&read);
    assert_eq!(print_formula(&violating, &read.atoms), "<> (offhook && X [] (!onhook && !dialtone))");
    // The translation of the formula has the same states and transitions.
    let translated = translate(&violating).expect("it is small");
    assert_eq!((translated.states.len(), translated.transitions()), (2, 3));
}

fn assert_contains(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "`{part}` in\n{text}"));
}

#[test]
fn formula_automaton_and_oracle_agree() {
    let mut random = Random::new(11);
    let (mut violated, mut satisfied) = (0, 0);
    for _ in 0..10_000 {
        let timeline = random_timeline(&mut random);
        let automaton = timeline::automaton(&timeline).expect("it is small");
        let formula = timeline::formula(&timeline);
        for _ in 0..12 {
            let word = word(&mut random);
            let expected = oracle::violates(&timeline, &word);
            assert_eq!(
                lasso::accepts(&automaton, &word),
                expected,
                "automaton: {timeline:#?}\n{word:?}\n{automaton:?}"
            );
            assert_eq!(
                lasso::satisfies(&word, &formula),
                !expected,
                "formula: {timeline:#?}\n{word:?}\n{formula:?}"
            );
            violated += u32::from(expected);
            satisfied += u32::from(!expected);
        }
    }
    assert!(violated > 20_000 && satisfied > 20_000, "both are exercised: {violated} {satisfied}");
}

/// Texts and words with the verdict that the definition gives.
#[test]
fn examples_have_the_verdicts_of_the_definition() {
    let examples: &[(&str, &[(&str, bool)])] = &[
        // Words as letters of steps; behind the bar the steps that repeat.
        ("e a\nt b", &[("a|.", true), ("a b|.", false), (".|.", false), ("b a|.", true), ("a|b .", false)]),
        // The target at the step of the event is too early.
        ("e a\nt b", &[("ab|.", true), ("ab b|.", false)]),
        ("t b", &[("|.", true), ("b|.", false)]),
        // A bar that is broken makes the execution uninteresting.
        ("e a\nt b\nbar !c from a to b", &[("a . c|.", false), ("a|.", true), ("ac|.", true)]),
        // A required event, and a later target.
        ("e a\nr b\nt c", &[("a|.", true), ("a b|.", true), ("a b c|.", false), ("a c|b", true)]),
        // The bar over the second interval only.
        ("e a\nr b\nt c\nbar d from b to c", &[("a b|.", false), ("a b|d", true), ("a b d c|.", false)]),
        // A forbidden event before the target, which counts only before it.
        ("e a\nx b\nt c", &[("a b c|.", true), ("a c b|.", false), ("a bc|.", false), ("b a c|.", false)]),
        ("e a\nx b", &[("a|.", false), ("a . b|.", true), ("b a|.", false)]),
        ("x b", &[("|.", false), (". b|.", true)]),
    ];
    for (text, words) in examples {
        let read = timeline::parse(text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        for (letters, expected) in *words {
            let step = |letter: &str| -> u64 {
                let holds = |atom: &String| letter.contains(atom.as_str());
                read.atoms.iter().enumerate().map(|(at, atom)| u64::from(holds(atom)) << at).sum()
            };
            let (prefix, cycle) = letters.split_once('|').expect("a cycle");
            let steps = |text: &str| text.split_whitespace().map(step).collect::<Vec<u64>>();
            let word = axle_ltl::Lasso { prefix: steps(prefix), cycle: steps(cycle) };
            assert_eq!(oracle::violates(&read, &word), *expected, "{text}: {letters}");
        }
    }
}

/// Line, column and a part of a message.
type Expected<'a> = (usize, usize, &'a str);

/// Each text with its faults.
#[test]
fn faults_of_a_text_are_reported_together() {
    let texts: &[(&str, &[Expected])] = &[
        ("", &[(1, 1, "events only")]),
        ("e a\n", &[(2, 1, "events only")]),
        ("e a\nt b\ne c\n", &[(2, 3, "not the last mark"), (3, 3, "nothing follows")]),
        ("e a\nt a\n", &[(2, 3, "name of a mark above"), (3, 1, "events only")]),
        ("e a\nt b = <> c\n", &[(2, 7, "temporal operators")]),
        ("e a = \nt b\n", &[(1, 6, "a condition is expected")]),
        ("e a\nt b = c &&\n", &[(2, 11, "expected")]),
        ("a b\nt b\n", &[(1, 1, "cannot begin with `a`")]),
        ("e a\nt b\nbar c from b to a\n", &[(3, 12, "not behind")]),
        ("e a\nt b\nbar c from a to d\n", &[(3, 17, "no mark `d`")]),
        ("e a\nt b\nbar c\n", &[(3, 5, "interval of this bar")]),
        ("e 1\nt b\ntimeline 2\n", &[(1, 3, "begins with its name"), (3, 10, "name of a timeline")]),
        ("timeline a\ntimeline b\nt c\n", &[(2, 10, "has a name already")]),
    ];
    for (text, wanted) in texts {
        let faults = timeline::parse(text).expect_err(text);
        let place = |at: usize| {
            let before = &text[..at];
            (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
        };
        let found: Vec<_> = faults.iter().map(|fault| (place(fault.at.start), &fault.message)).collect();
        assert_eq!(found.len(), wanted.len(), "{text:?}: {found:?}");
        for ((place, message), (line, column, part)) in found.iter().zip(*wanted) {
            assert_eq!(*place, (*line, *column), "{text:?}: {message}");
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
}
