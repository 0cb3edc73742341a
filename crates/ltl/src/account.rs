//! Why an execution violates a formula: the observations that decide it, in the order in which the
//! formula refers to them.
//!
//! *Entry point:* [`account`].
//! *Source:* I. Beer, S. Ben-David, H. Chockler, A. Orni and R. Trefler, "Explaining Counterexamples
//! Using Causality", CAV 2009: the decisive observations of a violation are those of the subformulas
//! whose values decide the value of the formula.
//! *Invariant:* every word that has the same observations at the same positions violates the formula,
//! where the observations are about formulas without temporal operators.
//! *Cost:* the truth of each subformula at each position.

use crate::formula::Formula;
use crate::lasso::{Lasso, truth};
use crate::prologue::prologue;

/// An observation that decides the value of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The formula that is observed.
    pub formula: Formula,
    /// How long it has the value.
    pub extent: Extent,
    /// The value.
    pub holds: bool,
    /// The position at which it has the value, or from which on.
    pub position: usize,
}

/// How long a formula has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// At a position.
    There,
    /// From a position on, forever.
    Forever,
}

/// The observations for which a word violates a formula; none if it satisfies the formula.
#[must_use]
pub fn account(word: &Lasso, formula: &Formula) -> Option<Vec<Observation>> {
    let mut found = Vec::new();
    let explanation = Explanation { word };
    if explanation.value(formula, 0) {
        return None;
    }
    // A prologue says nothing about the behaviour behind it.
    let behind = prologue(formula)
        .and_then(|(end, inner)| Some((explanation.first(&Formula::Atom(end), 0, true)?, inner)));
    let (at, formula) = behind.unwrap_or((0, formula));
    explanation.explain(formula, at, false, &mut found);
    found.dedup();
    Some(found)
}

struct Explanation<'w> {
    word: &'w Lasso,
}

impl Explanation<'_> {
    fn value(&self, formula: &Formula, at: usize) -> bool {
        truth(self.word, formula).get(at).copied().unwrap_or(false)
    }

    /// The first position from one on, along the cycle, at which a formula has a value.
    fn first(&self, formula: &Formula, from: usize, wanted: bool) -> Option<usize> {
        let values = truth(self.word, formula);
        let mut at = from;
        // Every later position is reached within the length of the word.
        for _ in 0..=self.word.len() {
            if values[at] == wanted {
                return Some(at);
            }
            at = self.word.next(at);
        }
        None
    }

    /// The observations that give a formula its value at a position.
    fn explain(&self, formula: &Formula, at: usize, holds: bool, out: &mut Vec<Observation>) {
        let there = |out: &mut Vec<Observation>| out.push(observation(formula, Extent::There, holds, at));
        if is_state(formula) {
            return there(out);
        }
        match (formula, holds) {
            (Formula::Not(a), _) => self.explain(a, at, !holds, out),
            (Formula::And(a, b), true) | (Formula::Or(a, b), false) => self.both(a, b, (at, holds), out),
            (Formula::And(a, b), false) | (Formula::Or(a, b), true) => self.either(a, b, (at, holds), out),
            (Formula::Implies(a, b), false) => {
                self.explain(a, at, true, out);
                self.explain(b, at, false, out);
            }
            (Formula::Implies(a, b), true) => match self.value(a, at) {
                false => self.explain(a, at, false, out),
                true => self.explain(b, at, true, out),
            },
            (Formula::Equivalent(a, b), _) => {
                self.explain(a, at, self.value(a, at), out);
                self.explain(b, at, self.value(b, at), out);
            }
            (Formula::Next(a), _) => self.explain(a, self.word.next(at), holds, out),
            (Formula::Always(a), false) | (Formula::Eventually(a), true) => {
                let first = self.first(a, at, holds).unwrap_or(at);
                self.explain(a, first, holds, out);
            }
            (Formula::Always(a), true) | (Formula::Eventually(a), false) => {
                out.push(observation(a, Extent::Forever, holds, at));
            }
            (Formula::Until(a, b) | Formula::WeakUntil(a, b), false) => {
                // The left side ends before the right side begins, or the right side never begins.
                match (self.first(a, at, false), self.first(b, at, true)) {
                    (Some(end), _) if self.before(at, end, b) => {
                        self.explain(a, end, false, out);
                        self.explain(b, end, false, out);
                    }
                    _ => out.push(observation(b, Extent::Forever, false, at)),
                }
            }
            (Formula::Until(a, b) | Formula::WeakUntil(a, b), true) => match self.first(b, at, true) {
                Some(end) => self.explain(b, end, true, out),
                None => out.push(observation(a, Extent::Forever, true, at)),
            },
            (Formula::Release(_, b), false) => {
                let end = self.first(b, at, false).unwrap_or(at);
                self.explain(b, end, false, out);
            }
            (Formula::Release(a, b), true) => match self.first(b, at, false).and(self.first(a, at, true)) {
                Some(end) => self.explain(a, end, true, out),
                None => out.push(observation(b, Extent::Forever, true, at)),
            },
            (Formula::True | Formula::False | Formula::Atom(_), _) => there(out),
        }
    }

    /// Whether a formula is false from a position to another one, both included.
    fn before(&self, from: usize, to: usize, formula: &Formula) -> bool {
        let values = truth(self.word, formula);
        let mut at = from;
        for _ in 0..=self.word.len() {
            if values[at] {
                return false;
            }
            if at == to {
                return true;
            }
            at = self.word.next(at);
        }
        false
    }

    fn both(&self, a: &Formula, b: &Formula, (at, holds): (usize, bool), out: &mut Vec<Observation>) {
        self.explain(a, at, holds, out);
        self.explain(b, at, holds, out);
    }

    /// One side decides; one without temporal operators is easier to see.
    fn either(&self, a: &Formula, b: &Formula, (at, holds): (usize, bool), out: &mut Vec<Observation>) {
        let decides = |side: &Formula| self.value(side, at) == holds;
        let side = match (decides(a), decides(b)) {
            (true, true) if is_state(b) && !is_state(a) => b,
            (true, _) => a,
            (false, _) => b,
        };
        self.explain(side, at, holds, out);
    }
}

fn observation(formula: &Formula, extent: Extent, holds: bool, position: usize) -> Observation {
    // The negation is part of the observation.
    match formula {
        Formula::Not(inner) => observation(inner, extent, !holds, position),
        formula => Observation { formula: formula.clone(), extent, holds, position },
    }
}

/// Whether a formula has no temporal operators.
fn is_state(formula: &Formula) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => true,
        Formula::Not(a) => is_state(a),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Equivalent(a, b) => {
            is_state(a) && is_state(b)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use crate::print::formula as print;

    /// The observations as text: `p@1`, `!q@2..`.
    fn of(text: &str, prefix: &[u64], cycle: &[u64]) -> Option<String> {
        let parsed = parse(text).expect("a formula");
        let word = Lasso { prefix: prefix.to_vec(), cycle: cycle.to_vec() };
        let shown = |one: &Observation| {
            let sign = if one.holds { "" } else { "!" };
            let forever = if one.extent == Extent::Forever { ".." } else { "" };
            format!("{sign}{}@{}{forever}", print(&one.formula, &parsed.atoms), one.position)
        };
        let found = account(&word, &parsed.formula)?;
        Some(found.iter().map(shown).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_decisive_observations_are_named() {
        for (text, prefix, cycle, wanted) in [
            ("[] p", &[1, 1][..], &[0, 1][..], Some("!p@2")),
            ("[] p", &[1], &[1], None),
            ("[] (p -> <> q)", &[0, 1, 0], &[0], Some("p@1 !q@1..")),
            ("[] (p -> X q)", &[0, 1], &[0], Some("p@1 !q@2")),
            ("<> p", &[0], &[0], Some("!p@0..")),
            ("p U q", &[1, 0], &[0], Some("!p@1 !q@1")),
            ("p U q", &[1, 1], &[1], Some("!q@0..")),
            ("p W q", &[1, 1], &[0], Some("!p@2 !q@2")),
            ("!(<> (p && X [] q))", &[0, 1, 2], &[2], Some("p@1 q@2..")),
            ("[] p && [] q", &[3, 1], &[3], Some("!q@1")),
            ("(!p) W (p && [] q)", &[2, 1], &[3], Some("!q@1")),
            ("[] (p || !q)", &[1, 2], &[1], Some("!p || !q@1")),
        ] {
            assert_eq!(of(text, prefix, cycle).as_deref(), wanted, "{text}");
        }
    }
}
