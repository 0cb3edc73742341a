//! The atoms of a condition: the comparisons that it is a Boolean combination of.
//!
//! A choice inside a comparison, as in a read of an array, is a combination of comparisons without it.
//!
//! *Entry points:* [`atoms`], [`conjuncts`].
//! *Invariant:* the values of the atoms determine the value of the condition.

use axle_decide::term::{BinaryOp, Term, TermId, Terms};
use rustc_hash::FxHashSet;

/// The most atoms that a comparison with choices is divided into; beyond, it is an atom itself.
const MOST_SPLIT: usize = 64;

/// The atoms of a condition, each without negation.
pub(crate) fn atoms(terms: &mut Terms, condition: TermId, found: &mut Vec<TermId>) {
    let mut seen = FxHashSet::default();
    let mut known: FxHashSet<TermId> = found.iter().copied().collect();
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) || terms.value(id).is_some() {
            continue;
        }
        match terms.get(id) {
            Term::Not(a) => stack.push(a),
            Term::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => stack.extend([b, a]),
            Term::Binary(BinaryOp::Eq, a, b) if terms.width(a) == 1 => stack.extend([b, a]),
            Term::If(c, a, b) => stack.extend([b, a, c]),
            Term::Binary(op, a, b) if op.is_comparison() => match split(terms, op, a, b) {
                Some(parts) => stack.extend(parts),
                None => {
                    let atom = terms.canonical(id);
                    if terms.value(atom).is_none() && known.insert(atom) {
                        found.push(atom);
                    }
                }
            },
            _ => {
                if known.insert(id) {
                    found.push(id);
                }
            }
        }
    }
}

/// The conditions and comparisons of which a comparison with choices consists; none without choices.
fn split(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<Vec<TermId>> {
    let mut conditions = Vec::new();
    let (left, right) = (leaves(terms, a, &mut conditions)?, leaves(terms, b, &mut conditions)?);
    if conditions.is_empty() || left.len() * right.len() > MOST_SPLIT {
        return None;
    }
    let mut parts = conditions;
    for x in &left {
        for y in &right {
            parts.push(terms.binary(op, *x, *y));
        }
    }
    Some(parts)
}

/// The values that a term chooses from, with the conditions appended; none if there are too many.
fn leaves(terms: &Terms, term: TermId, conditions: &mut Vec<TermId>) -> Option<Vec<TermId>> {
    let (mut leaves, mut stack) = (Vec::new(), vec![term]);
    while let Some(id) = stack.pop() {
        match terms.get(id) {
            Term::If(condition, a, b) => {
                conditions.push(condition);
                stack.extend([b, a]);
            }
            _ if leaves.contains(&id) => {}
            _ => leaves.push(id),
        }
        if leaves.len() + stack.len() + conditions.len() > MOST_SPLIT {
            return None;
        }
    }
    Some(leaves)
}

/// The conjuncts of a condition.
pub(crate) fn conjuncts(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let (mut parts, mut stack) = (Vec::new(), vec![condition]);
    while let Some(id) = stack.pop() {
        match terms.get(id) {
            Term::Binary(BinaryOp::And, a, b) => stack.extend([b, a]),
            Term::Not(a) => match terms.get(a) {
                Term::Binary(BinaryOp::Or, x, y) => {
                    let (x, y) = (terms.not(x), terms.not(y));
                    stack.extend([y, x]);
                }
                _ => parts.push(id),
            },
            _ => parts.push(id),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}
