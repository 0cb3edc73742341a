//! The negation of a formula pushed inwards, one rule a line, for a person who wants to see why the
//! automaton looks for what it looks for.

use super::formula;
use crate::formula::Formula;

/// One line of the derivation: the formula so far, and the rule that made it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The formula in Spin's notation.
    pub formula: String,
    /// The rule, in words; empty for the first line.
    pub rule: String,
}

/// From `!(f)` to the form in which only propositions are negated.
pub fn negation(f: &Formula, atoms: &[String]) -> Vec<Line> {
    let mut current = f.clone().negated();
    let mut lines = vec![Line { formula: formula(&current, atoms), rule: String::new() }];
    while let Some((next, rule)) = push(&current) {
        lines.push(Line { formula: formula(&next, atoms), rule: rule.to_owned() });
        current = next;
    }
    lines
}

/// Applies the outermost rule that applies, leftmost first.
fn push(f: &Formula) -> Option<(Formula, &'static str)> {
    if let Formula::Not(inner) = f
        && let Some(done) = push_negation(inner)
    {
        return Some(done);
    }
    let unary =
        |make: fn(Box<Formula>) -> Formula, a: &Formula| push(a).map(|(a, rule)| (make(Box::new(a)), rule));
    let binary = |make: fn(Box<Formula>, Box<Formula>) -> Formula, a: &Formula, b: &Formula| match push(a) {
        Some((a, rule)) => Some((make(Box::new(a), Box::new(b.clone())), rule)),
        None => push(b).map(|(b, rule)| (make(Box::new(a.clone()), Box::new(b)), rule)),
    };
    match f {
        Formula::True | Formula::False | Formula::Atom(_) => None,
        Formula::Not(a) => unary(Formula::Not, a),
        Formula::Next(a) => unary(Formula::Next, a),
        Formula::Always(a) => unary(Formula::Always, a),
        Formula::Eventually(a) => unary(Formula::Eventually, a),
        Formula::And(a, b) => binary(Formula::And, a, b),
        Formula::Or(a, b) => binary(Formula::Or, a, b),
        Formula::Implies(a, b) => binary(Formula::Implies, a, b),
        Formula::Equivalent(a, b) => binary(Formula::Equivalent, a, b),
        Formula::Until(a, b) => binary(Formula::Until, a, b),
        Formula::WeakUntil(a, b) => binary(Formula::WeakUntil, a, b),
        Formula::Release(a, b) => binary(Formula::Release, a, b),
    }
}

fn push_negation(inner: &Formula) -> Option<(Formula, &'static str)> {
    let not = |a: &Formula| Box::new(a.clone().negated());
    Some(match inner {
        Formula::Atom(_) => return None,
        Formula::True => (Formula::False, "!true = false"),
        Formula::False => (Formula::True, "!false = true"),
        Formula::Not(a) => ((**a).clone(), "!!p = p"),
        Formula::And(a, b) => (Formula::Or(not(a), not(b)), "!(p && q) = !p || !q"),
        Formula::Or(a, b) => (Formula::And(not(a), not(b)), "!(p || q) = !p && !q"),
        Formula::Implies(a, b) => (Formula::And(a.clone(), not(b)), "!(p -> q) = p && !q"),
        Formula::Equivalent(a, b) => (Formula::Equivalent(a.clone(), not(b)), "!(p <-> q) = p <-> !q"),
        Formula::Next(a) => (Formula::Next(not(a)), "!X p = X !p"),
        Formula::Always(a) => (Formula::Eventually(not(a)), "![]p = <>!p"),
        Formula::Eventually(a) => (Formula::Always(not(a)), "!<>p = []!p"),
        Formula::Until(a, b) => (Formula::Release(not(a), not(b)), "!(p U q) = !p V !q"),
        Formula::Release(a, b) => (Formula::Until(not(a), not(b)), "!(p V q) = !p U !q"),
        Formula::WeakUntil(a, b) => {
            let neither = Formula::And(not(a), not(b));
            (Formula::Until(not(b), Box::new(neither)), "!(p W q) = !q U (!p && !q)")
        }
    })
}
