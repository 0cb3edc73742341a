//! The abstract states as an invariant: a certificate of `decide` over the predicates.
//!
//! The cubes at their places form a decision tree over the bits of the tracked variables and the
//! predicates; each path of the tree to no cube is a clause.
//!
//! *Entry point:* [`invariant`].
//! *Invariant:* none of its own: the certificate is checked by initiation, consecution and safety.

use axle_decide::circuit::Bit;
use axle_decide::definition::Definition;
use axle_decide::invariant::{Clause, Invariant, Literal, Word};

use crate::cube::Truth;
use crate::post::Abstraction;
use crate::reach::Reached;

/// The most clauses of an invariant.
const MOST_CLAUSES: usize = 200_000;

/// The invariant that the state is in one of the cubes that were reached, at its place; none if it has too
/// many clauses.
pub(crate) fn invariant(abstraction: &Abstraction<'_>, reached: &Reached) -> Option<Invariant> {
    let system = &abstraction.problem.system;
    let terms = &abstraction.formulas.terms;
    let words = abstraction.predicates.list.iter();
    let words: Option<Vec<Word>> =
        words.map(|predicate| Definition::new(system, terms, *predicate).map(Word::Term)).collect();
    let mut bits = Vec::new();
    for of in &abstraction.places.variables {
        bits.extend((0..system.states[*of as usize].ty.bits).map(|bit| Bit { of: *of, bit }));
    }
    let of_predicates = (0..abstraction.predicates.list.len() as u32)
        .map(|number| Bit { of: system.states.len() as u32 + number, bit: 0 });
    bits.extend(of_predicates);
    let mut cubes: Vec<Vec<Truth>> = Vec::new();
    for node in &reached.nodes {
        let mut cube = Vec::with_capacity(bits.len());
        for (of, value) in abstraction.places.variables.iter().zip(abstraction.places.values(node.place)) {
            let width = system.states[*of as usize].ty.bits;
            cube.extend((0..width).map(|bit| Truth::of(value >> bit & 1 == 1)));
        }
        cube.extend(&node.cube);
        cubes.push(cube);
    }
    let mut clauses = abstraction.problem.facts.clone();
    let all: Vec<&[Truth]> = cubes.iter().map(Vec::as_slice).collect();
    exclude(&bits, &all, 0, &mut Vec::new(), &mut clauses)?;
    Some(Invariant { depth: 1, distinct: false, words: words?, clauses })
}

/// Adds a clause for each path from a node of the tree to no cube; none if they are too many.
fn exclude(
    bits: &[Bit],
    cubes: &[&[Truth]],
    at: usize,
    path: &mut Clause,
    clauses: &mut Vec<Clause>,
) -> Option<()> {
    if cubes.is_empty() {
        clauses.push(path.clone());
        return (clauses.len() <= MOST_CLAUSES).then_some(());
    }
    if cubes.iter().any(|cube| cube[at..].iter().all(|of| *of == Truth::Unknown)) {
        return Some(());
    }
    for value in [false, true] {
        let inside: Vec<&[Truth]> =
            cubes.iter().copied().filter(|cube| cube[at].known() != Some(!value)).collect();
        // A bit on which all cubes agree is no decision on the path to them.
        let decides = inside.len() < cubes.len();
        if decides {
            path.push(Literal { bit: bits[at], value: !value });
        }
        exclude(bits, &inside, at + 1, path, clauses)?;
        if decides {
            path.pop();
        }
    }
    Some(())
}
