//! Example executions of an automaton: short words that it accepts, in words.
//!
//! Paths from the initial state are enumerated by length. A path that returns to one of its states and
//! has all acceptance marks since then is an accepted word. The examples are the shortest ones among those
//! in which different propositions occur.
//!
//! *Entry point:* [`examples`]; [`text`] writes one.
//! *Invariant:* every example is accepted by the automaton.
//! *Cost:* at most [`MOST_PATHS`] paths.

use std::collections::{BTreeSet, HashSet, VecDeque};

use axle_ltl::{Automaton, Lasso};

/// Paths that are examined.
const MOST_PATHS: usize = 4000;

/// The most steps of a path.
const LONGEST: usize = 8;

/// At most `count` short words that an automaton accepts, no two with the same propositions unless there are
/// too few others.
#[must_use]
pub fn examples(automaton: &Automaton, count: usize) -> Vec<Lasso> {
    let all = words(automaton);
    let mut chosen: Vec<&Lasso> = Vec::new();
    let mut seen: BTreeSet<BTreeSet<u64>> = BTreeSet::new();
    for word in &all {
        if chosen.len() < count && seen.insert(letters(word)) {
            chosen.push(word);
        }
    }
    for word in &all {
        if chosen.len() < count && !chosen.contains(&word) {
            chosen.push(word);
        }
    }
    chosen.sort_by_key(|word| word.len());
    chosen.into_iter().cloned().collect()
}

/// A path from the initial state.
#[derive(Clone)]
struct Path {
    states: Vec<u32>,
    /// The letter and the marks of each transition.
    steps: Vec<(u64, u64)>,
}

/// Different accepted words, the shortest first.
fn words(automaton: &Automaton) -> Vec<Lasso> {
    let mut words: Vec<Lasso> = Vec::new();
    let mut known: HashSet<(Vec<u64>, Vec<u64>)> = HashSet::new();
    let start = Path { states: vec![automaton.initial], steps: Vec::new() };
    let mut paths = VecDeque::from([start]);
    let (mut examined, reads) = (0, automaton.reads());
    while let Some(Path { states, steps }) = paths.pop_front() {
        examined += 1;
        if examined > MOST_PATHS {
            break;
        }
        let last = states[states.len() - 1];
        for (at, state) in states[..states.len() - 1].iter().enumerate() {
            let marks = steps[at..].iter().fold(0, |all, (_, marks)| all | marks);
            if *state == last && marks == automaton.all_marks() {
                let letter = |steps: &[(u64, u64)]| steps.iter().map(|(letter, _)| *letter).collect();
                let word = normal(Lasso { prefix: letter(&steps[..at]), cycle: letter(&steps[at..]) });
                if known.insert((word.prefix.clone(), word.cycle.clone())) {
                    words.push(word);
                }
            }
        }
        if steps.len() < LONGEST {
            for transition in &automaton.states[last as usize] {
                // As few propositions as possible hold, or as many.
                let label = transition.label;
                let letters = BTreeSet::from([label.must, label.must | (reads & !label.must_not)]);
                for letter in letters {
                    let (mut states, mut steps) = (states.clone(), steps.clone());
                    states.push(transition.to);
                    steps.push((letter, transition.marks));
                    paths.push_back(Path { states, steps });
                }
            }
        }
    }
    words.sort_by_key(Lasso::len);
    words
}

/// The same word with the shortest cycle and prefix.
fn normal(word: Lasso) -> Lasso {
    let Lasso { mut prefix, mut cycle } = word;
    let periods = (1..=cycle.len()).filter(|period| cycle.len().is_multiple_of(*period));
    let is_period = |period: &usize| (0..cycle.len()).all(|at| cycle[at] == cycle[at % period]);
    if let Some(period) = periods.into_iter().find(is_period) {
        cycle.truncate(period);
    }
    while prefix.last().is_some_and(|last| cycle.last() == Some(last)) {
        prefix.pop();
        cycle.rotate_right(1);
    }
    Lasso { prefix, cycle }
}

fn letters(word: &Lasso) -> BTreeSet<u64> {
    word.prefix.iter().chain(&word.cycle).copied().collect()
}

/// Executions of an automaton that are listed.
const LISTED: usize = 3;

/// Short executions that an automaton accepts, in words.
#[must_use]
pub fn listed(automaton: &Automaton, atoms: &[String]) -> Vec<String> {
    examples(automaton, LISTED).iter().map(|word| text(word, atoms)).collect()
}

/// A word as text: the propositions that hold at each step; the steps in brackets repeat forever.
#[must_use]
pub fn text(word: &Lasso, atoms: &[String]) -> String {
    let step = |letter: &u64| {
        let holds = (0..atoms.len()).filter(|atom| letter >> atom & 1 == 1).map(|atom| atoms[atom].as_str());
        let holds: Vec<&str> = holds.collect();
        if holds.is_empty() { "none".to_string() } else { holds.join(" and ") }
    };
    let prefix = word.prefix.iter().map(step);
    let cycle = word.cycle.iter().map(step).collect::<Vec<String>>().join(", ");
    prefix.chain([format!("[{cycle}]")]).collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use axle_ltl::lasso::{accepts, satisfies};

    use super::*;

    #[test]
    fn examples_satisfy_or_violate_the_formula() {
        for formula in ["[] (a -> <> b)", "<> [] a", "a U (b && !a)", "[] !a", "([] <> a) -> <> b"] {
            let parsed = axle_ltl::parse(formula).expect("a formula");
            let good = axle_ltl::translate(&parsed.formula).expect("an automaton");
            let bad = axle_ltl::translate_negation(&parsed.formula).expect("an automaton");
            for (automaton, is_satisfied) in [(good, true), (bad, false)] {
                let found = examples(&automaton, 3);
                // Only one word over `a` never has it.
                let count = if formula == "[] !a" && is_satisfied { 1 } else { 3 };
                assert_eq!(found.len(), count, "{formula}");
                for word in &found {
                    assert!(accepts(&automaton, word), "{formula}: {word:?}");
                    assert_eq!(satisfies(word, &parsed.formula), is_satisfied, "{formula}: {word:?}");
                }
                let different: BTreeSet<String> = found.iter().map(|word| format!("{word:?}")).collect();
                assert_eq!(different.len(), count);
            }
        }
        assert_eq!(examples(&Automaton::empty(), 3), []);
    }

    #[test]
    fn words_are_written_with_their_propositions() {
        let word = Lasso { prefix: vec![1, 0], cycle: vec![3] };
        assert_eq!(text(&word, &["a".to_string(), "b".to_string()]), "a, none, [a and b]");
        let long = Lasso { prefix: vec![1, 2], cycle: vec![1, 2, 1, 2] };
        assert_eq!(normal(long), Lasso { prefix: Vec::new(), cycle: vec![1, 2] });
    }
}
