//! Substitution of variables by terms of the same table: the weakest precondition of an assignment.
//!
//! *Entry point:* [`Substitution::term`].
//! *Source:* Dijkstra, "A Discipline of Programming", 1976 (the axiom of assignment).
//! *Invariant:* the value of a substituted term in a state is that of the term where the variables have
//! the values of their replacements in the state.

use rustc_hash::FxHashMap;

use crate::term::{Term, TermId, Terms};

/// A simultaneous substitution, with the terms that it was applied to.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<TermId, TermId>,
}

impl Substitution {
    /// Replaces variables by terms.
    pub fn new(replaced: impl IntoIterator<Item = (TermId, TermId)>) -> Substitution {
        Substitution { map: replaced.into_iter().collect() }
    }

    /// A term in which the variables are replaced. Variables without replacement stay.
    pub fn term(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let map = &self.map;
        for id in terms.order(root, |id| map.contains_key(&id)) {
            let operator = terms.get(id);
            let replaced = match operator {
                Term::Variable(_) | Term::Const(_) => id,
                _ => {
                    let mut changed = false;
                    terms.operands(id, |operand| changed |= self.map[&operand] != operand);
                    let width = terms.width(id);
                    // A term of which nothing changes stays as it is, whatever the rules have become.
                    if changed { terms.apply(operator, width, |operand| self.map[&operand]) } else { id }
                }
            };
            self.map.insert(id, replaced);
        }
        self.map[&root]
    }
}
