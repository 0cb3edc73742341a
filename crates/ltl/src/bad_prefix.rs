//! Bad prefixes: finite words that no infinite word satisfying a formula begins with.
//!
//! Idea: in the automaton of a formula, states with an empty language are removed. The subset
//! construction over the remaining states, with acceptance ignored, is a deterministic automaton
//! that reaches the empty set exactly on bad prefixes. A formula is a safety property if every word
//! that violates it has a bad prefix.
//!
//! *Entry points:* [`monitor`]; [`is_bad`], which decides the same without a monitor.
//! *Source:* A. Bauer, M. Leucker, C. Schallhart, Runtime verification for LTL and TLTL, ACM TOSEM
//! 20, 2011, section 3; O. Kupferman and M. Y. Vardi, Model checking of safety properties, Formal
//! Methods in System Design 19, 2001.
//! *Invariant:* a finite word leads to [`Monitor::bad`] if and only if it is a bad prefix.
//! *Cost:* exponential in the states of the automaton; bounded by [`MOST_STATES`] and
//! [`MOST_LABELS`].

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cube, Transition};
use crate::effort::Effort;
use crate::formula::Formula;
use crate::lasso::is_empty;
use crate::scc::components;
use crate::translate::{translate, translate_within};

/// States of a monitor at most.
pub const MOST_STATES: usize = 200;

/// Transitions out of one state of a monitor at most.
pub const MOST_LABELS: usize = 256;

/// A complete deterministic automaton over finite words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    /// For each state, its transitions: exactly one matches each valuation. State 0 is the initial
    /// state.
    pub states: Vec<Vec<(Cube, u32)>>,
    /// The state of bad prefixes, which has no transitions; none if the formula has no bad prefix.
    pub bad: Option<u32>,
    /// Whether every word that violates the formula has a bad prefix.
    pub is_safety: bool,
}

impl Monitor {
    /// The length of the shortest bad prefix of a word, given as valuations of the propositions.
    pub fn shortest(&self, word: impl IntoIterator<Item = u64>) -> Option<usize> {
        let bad = self.bad?;
        let mut at = 0;
        if at == bad {
            return Some(0);
        }
        for (index, valuation) in word.into_iter().enumerate() {
            let out = &self.states[at as usize];
            at = out.iter().find(|(label, _)| label.holds(valuation)).map_or(bad, |(_, to)| *to);
            if at == bad {
                return Some(index + 1);
            }
        }
        None
    }
}

/// The monitor of a formula. `None` if it or the automaton of the formula exceeds a limit.
pub fn monitor(formula: &Formula) -> Option<Monitor> {
    monitor_within(formula, &mut Effort::of(Effort::OPTIONAL))
}

/// The same within an effort.
pub fn monitor_within(formula: &Formula, effort: &mut Effort<'_>) -> Option<Monitor> {
    let automaton = live(&translate_within(formula, true, effort).ok()?);
    let start: Vec<u32> = automaton.initial_set();
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut sets = vec![start.clone()];
    numbers.insert(start, 0);
    let mut states = Vec::new();
    while states.len() < sets.len() {
        let set = sets[states.len()].clone();
        let mut out = Vec::new();
        for (label, to) in regions(&automaton.0, &set, effort)? {
            let known = numbers.len() as u32;
            let number = *numbers.entry(to.clone()).or_insert(known);
            if number == known {
                sets.push(to);
            }
            out.push((label, number));
        }
        states.push(out);
        if sets.len() > MOST_STATES {
            return None;
        }
    }
    let bad = sets.iter().position(Vec::is_empty).map(|bad| bad as u32);
    if let Some(bad) = bad {
        states[bad as usize].clear();
    }
    let is_safety = is_closed(formula, &states, bad, effort)?;
    Some(Monitor { states, bad, is_safety })
}

/// An automaton without the states that have an empty language.
struct Live(Automaton, bool);

impl Live {
    /// The initial states: none if the language is empty.
    fn initial_set(&self) -> Vec<u32> {
        if self.1 { vec![self.0.initial] } else { Vec::new() }
    }
}

/// Removes the transitions into states with an empty language.
fn live(automaton: &Automaton) -> Live {
    let scc = components(automaton);
    let all = automaton.all_marks();
    // Unreachable states have no component.
    let accepting = |state: usize| scc.of[state] != u32::MAX && scc.accepting(scc.of[state], all);
    let mut alive: Vec<bool> = (0..automaton.states.len()).map(accepting).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (from, out) in automaton.states.iter().enumerate() {
            if !alive[from] && out.iter().any(|t| alive[t.to as usize]) {
                alive[from] = true;
                changed = true;
            }
        }
    }
    let mut kept = automaton.clone();
    kept.states.iter_mut().for_each(|out| out.retain(|t| alive[t.to as usize]));
    Live(kept, alive[automaton.initial as usize])
}

/// Disjoint labels that cover all valuations, each with the states that a set of states leads to.
fn regions(automaton: &Automaton, set: &[u32], effort: &mut Effort<'_>) -> Option<Vec<(Cube, Vec<u32>)>> {
    let mut regions: Vec<(Cube, Vec<u32>)> = vec![(Cube::TRUE, Vec::new())];
    for t in set.iter().flat_map(|&state| &automaton.states[state as usize]) {
        effort.spend(regions.len(), 64).ok()?;
        let mut split = Vec::with_capacity(regions.len());
        for (label, to) in regions {
            if to.contains(&t.to) || label.and(t.label).is_none() {
                split.push((label, to));
                continue;
            }
            // The valuations outside the label of the transition, one literal after the other.
            let mut inside = label;
            for atom in 0..64 {
                let bit = 1u64 << atom;
                let is_known = (inside.must | inside.must_not) & bit != 0;
                if is_known || (t.label.must | t.label.must_not) & bit == 0 {
                    continue;
                }
                let holds = Cube { must: inside.must | bit, ..inside };
                let fails = Cube { must_not: inside.must_not | bit, ..inside };
                let (next, outside) = if t.label.must & bit != 0 { (holds, fails) } else { (fails, holds) };
                split.push((outside, to.clone()));
                inside = next;
            }
            let mut to = to;
            to.push(t.to);
            to.sort_unstable();
            split.push((inside, to));
        }
        regions = split;
        if regions.len() > MOST_LABELS {
            return None;
        }
    }
    Some(regions)
}

/// Whether no word without a bad prefix violates the formula.
fn is_closed(
    formula: &Formula,
    states: &[Vec<(Cube, u32)>],
    bad: Option<u32>,
    effort: &mut Effort<'_>,
) -> Option<bool> {
    let violating = translate_within(formula, false, effort).ok()?;
    let width = violating.states.len() as u32;
    let mut product = Automaton {
        initial: violating.initial,
        states: vec![Vec::new(); states.len() * violating.states.len()],
        sets: violating.sets,
    };
    if bad == Some(0) {
        return Some(true);
    }
    for (at, out) in states.iter().enumerate() {
        for (from, transitions) in violating.states.iter().enumerate() {
            effort.spend(out.len(), transitions.len()).ok()?;
            let here = at * violating.states.len() + from;
            for (label, to) in out.iter().filter(|(_, to)| Some(*to) != bad) {
                let both = |t: &Transition| {
                    Some(Transition { label: t.label.and(*label)?, to: to * width + t.to, marks: t.marks })
                };
                product.states[here].extend(transitions.iter().filter_map(both));
            }
        }
    }
    Some(is_empty(&product))
}

/// Operators of a formula up to which [`is_bad`] rewrites it.
const MOST_OPERATORS: usize = 5_000;

/// Whether a finite word is a bad prefix, decided by formula progression and without a monitor: the
/// formula is rewritten to the formula that the rest of the word has to satisfy, which must be
/// unsatisfiable. `None` if that formula is too large.
pub fn is_bad(formula: &Formula, word: impl IntoIterator<Item = u64>) -> Option<bool> {
    let mut rest = formula.clone();
    for valuation in word {
        rest = progressed(&rest, valuation);
        if rest == Formula::False {
            return Some(true);
        }
        if rest.operators() > MOST_OPERATORS {
            return None;
        }
    }
    translate(&rest).ok().map(|automaton| is_empty(&automaton))
}

/// The formula that a word has to satisfy from its second position on in order to satisfy
/// `formula`.
///
/// *Source:* F. Bacchus and F. Kabanza, Using temporal logics to express search control knowledge
/// for planning, Artificial Intelligence 116, 2000, section 4.2.
fn progressed(formula: &Formula, valuation: u64) -> Formula {
    let now = |f: &Formula| progressed(f, valuation);
    match formula {
        Formula::True => Formula::True,
        Formula::False => Formula::False,
        Formula::Atom(atom) if valuation >> atom & 1 == 1 => Formula::True,
        Formula::Atom(_) => Formula::False,
        Formula::Not(a) => not(now(a)),
        Formula::And(a, b) => and(now(a), now(b)),
        Formula::Or(a, b) => or(now(a), now(b)),
        Formula::Implies(a, b) => or(not(now(a)), now(b)),
        Formula::Equivalent(a, b) => {
            let (a, b) = (now(a), now(b));
            or(and(a.clone(), b.clone()), and(not(a), not(b)))
        }
        Formula::Next(a) => (**a).clone(),
        Formula::Always(a) => and(now(a), formula.clone()),
        Formula::Eventually(a) => or(now(a), formula.clone()),
        Formula::Until(a, b) | Formula::WeakUntil(a, b) => or(now(b), and(now(a), formula.clone())),
        Formula::Release(a, b) => and(now(b), or(now(a), formula.clone())),
    }
}

fn not(a: Formula) -> Formula {
    match a {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(a) => *a,
        a => Formula::Not(Box::new(a)),
    }
}

/// A conjunction; operands that occur in it already are not repeated.
fn and(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::False, _) | (_, Formula::False) => Formula::False,
        (Formula::True, a) | (a, Formula::True) => a,
        (a, b) if conjuncts(&b).contains(&&a) => b,
        (a, b) if conjuncts(&a).contains(&&b) => a,
        (a, b) => Formula::And(Box::new(a), Box::new(b)),
    }
}

/// A disjunction; operands that occur in it already are not repeated.
fn or(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::True, _) | (_, Formula::True) => Formula::True,
        (Formula::False, a) | (a, Formula::False) => a,
        (a, b) if disjuncts(&b).contains(&&a) => b,
        (a, b) if disjuncts(&a).contains(&&b) => a,
        (a, b) => Formula::Or(Box::new(a), Box::new(b)),
    }
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        one => vec![one],
    }
}

fn disjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::Or(a, b) => [disjuncts(a), disjuncts(b)].concat(),
        one => vec![one],
    }
}
