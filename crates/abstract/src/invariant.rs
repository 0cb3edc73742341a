//! The abstract states as an invariant: a certificate of `decide` over the predicates.
//!
//! *Entry point:* [`invariant`].
//! *Invariant:* none of its own: the certificate is checked by initiation, consecution and safety.

use std::collections::BTreeMap;

use axle_decide::circuit::Bit;
use axle_decide::definition::Definition;
use axle_decide::invariant::{Invariant, Literal, Word};
use axle_decide::term::{FALSE, TRUE, TermId};

use crate::cube::Truth;
use crate::post::Abstraction;
use crate::reach::Reached;

/// The invariant that the state is in one of the cubes that were reached, at its place.
pub(crate) fn invariant(abstraction: &mut Abstraction<'_>, reached: &Reached) -> Option<Invariant> {
    let mut cubes: BTreeMap<_, Vec<&[Truth]>> = BTreeMap::new();
    for node in &reached.nodes {
        cubes.entry(node.place).or_default().push(&node.cube);
    }
    let mut places = Vec::new();
    for (place, cubes) in cubes {
        let values = abstraction.places.values(place).to_vec();
        let problem = abstraction.problem;
        let terms = &mut abstraction.formulas.terms;
        let at = abstraction.places.variables.iter().zip(values).fold(TRUE, |at, (of, value)| {
            let state = &problem.system.states[*of as usize];
            let value = terms.constant(state.ty.bits, u128::from(value));
            let is = terms.equal(state.variable, value);
            terms.conjunction(at, is)
        });
        let inside = tree(terms, &abstraction.predicates.list, &cubes, 0);
        places.push(abstraction.formulas.terms.conjunction(at, inside));
    }
    let whole = abstraction.formulas.terms.balanced(places);
    let system = &abstraction.problem.system;
    let definition = Definition::new(system, &abstraction.formulas.terms, whole)?;
    let bit = Bit { of: system.states.len() as u32, bit: 0 };
    let mut clauses = abstraction.problem.facts.clone();
    clauses.push(vec![Literal { bit, value: true }]);
    Some(Invariant { depth: 1, distinct: false, words: vec![Word::Term(definition)], clauses })
}

/// The disjunction of cubes, as a decision tree over the predicates from one on.
fn tree(
    terms: &mut axle_decide::term::Terms,
    predicates: &[TermId],
    cubes: &[&[Truth]],
    at: usize,
) -> TermId {
    if cubes.is_empty() {
        return FALSE;
    }
    if at == predicates.len() || cubes.iter().any(|cube| cube[at..].iter().all(|of| *of == Truth::Unknown)) {
        return TRUE;
    }
    let with = |value: Truth| -> Vec<&[Truth]> {
        cubes.iter().copied().filter(|cube| cube[at] == value || cube[at] == Truth::Unknown).collect()
    };
    let (positive, negative) = (with(Truth::True), with(Truth::False));
    let positive = tree(terms, predicates, &positive, at + 1);
    let negative = tree(terms, predicates, &negative, at + 1);
    terms.choose(predicates[at], positive, negative)
}
