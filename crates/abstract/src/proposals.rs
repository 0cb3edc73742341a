//! Proposals of maps: for each variable that the property or a guard compares with numbers, the maps whose
//! classes these comparisons suggest, coarse ones first.
//!
//! *Entry point:* [`proposals`].
//! *Source:* Clarke, Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994 (abstractions from the
//! atomic formulas of the property).
//! *Invariant:* none: whether a proposal is a congruence is decided by [`crate::homomorphism::conflicts`].

use std::collections::{BTreeMap, BTreeSet};

use axle_decide::model::Problem;
use axle_decide::term::{BinaryOp, FALSE, Term, TermId, Terms, signed};
use axle_relation::Relation;

use crate::atoms::atoms;
use crate::homomorphism::{Map, Mapped};
use crate::place::{Places, support};

/// What conditions compare a variable with.
#[derive(Default)]
struct Compared {
    /// Numbers from which on a comparison has another value.
    cuts: BTreeSet<i64>,
    /// Numbers that the variable is equal to or not.
    values: BTreeSet<i64>,
    /// Whether there are other conditions, such as those on single bits.
    others: bool,
}

/// The proposed maps, each of one variable.
#[must_use]
pub fn proposals(problem: &Problem, relation: &Relation, bads: &[usize]) -> Vec<Mapped> {
    let mut terms = problem.system.terms.clone();
    let mut found = Vec::new();
    for bad in bads {
        atoms(&mut terms, problem.system.bads[*bad].condition, &mut found);
    }
    for command in problem.commands.iter().filter(|command| command.enabled != FALSE) {
        atoms(&mut terms, command.enabled, &mut found);
    }
    let places = Places::new(problem, relation, &[]);
    let mut compared: BTreeMap<u32, Compared> = BTreeMap::new();
    for atom in found {
        if let [variable] = support(problem, &terms, &[atom])[..]
            && places.tracks(variable).is_none()
        {
            let state = &problem.system.states[variable as usize];
            compared.entry(variable).or_default().add(&terms, atom, (state.variable, state.ty.signed));
        }
    }
    let maps = compared.into_iter().flat_map(|(variable, compared)| {
        compared.maps().into_iter().map(move |map| Mapped { variable, map })
    });
    maps.collect()
}

impl Compared {
    /// Adds a condition on the variable.
    fn add(&mut self, terms: &Terms, atom: TermId, (variable, is_signed): (TermId, bool)) {
        let number = |term: TermId| {
            let width = terms.width(term);
            terms.value(term).map(|value| if is_signed { signed(width, value) as i64 } else { value as i64 })
        };
        let (op, a, b) = match terms.get(atom) {
            Term::Binary(op @ (BinaryOp::Eq | BinaryOp::SLt | BinaryOp::ULt), a, b) => (op, a, b),
            _ => return self.others = true,
        };
        match (op, number(a).filter(|_| b == variable), number(b).filter(|_| a == variable)) {
            (BinaryOp::Eq, Some(value), _) | (BinaryOp::Eq, _, Some(value)) => {
                self.values.insert(value);
            }
            (_, _, Some(bound)) => {
                self.cuts.insert(bound);
            }
            (_, Some(bound), _) => {
                self.cuts.insert(bound.saturating_add(1));
            }
            _ => self.others = true,
        }
    }

    /// The maps, those with fewer classes first.
    fn maps(&self) -> Vec<Map> {
        let mut maps = Vec::new();
        let is_about_zero = |number: &i64| (0..=1).contains(number);
        if self.values.contains(&0) {
            maps.push(Map::Zero);
        }
        if self.others {
            maps.push(Map::Parity);
        }
        if self.cuts.iter().any(is_about_zero) {
            maps.push(Map::Sign);
        }
        if !self.values.is_empty() && self.values != BTreeSet::from([0]) {
            maps.push(Map::Values(self.values.iter().copied().collect()));
        }
        let of_values = self.values.iter().flat_map(|value| [*value, value.saturating_add(1)]);
        let bounds: BTreeSet<i64> = self.cuts.iter().copied().chain(of_values).collect();
        if !self.cuts.is_empty() {
            maps.push(Map::Intervals(bounds.into_iter().collect()));
        }
        maps
    }
}
