//! The abstract states as an invariant: a certificate of `decide` over the predicates.
//!
//! The places that were reached form a decision tree over the bits of the tracked variables, and the cubes
//! at a place one over the predicates; each path of a tree to no state is a clause. Where cubes with
//! unknown values make a tree large, their disjunction is a word of the certificate.
//!
//! *Entry points:* [`invariant`] for the checker, [`conditions`] for readers.
//! *Invariant:* none of its own: the certificate is checked by initiation, consecution and safety.

use std::collections::BTreeMap;

use axle_decide::circuit::Bit;
use axle_decide::definition::Definition;
use axle_decide::invariant::{Clause, Invariant, Literal, Word};
use axle_decide::term::TRUE;

use crate::cegar::AtPlace;
use crate::cube::{Truth, merged};
use crate::display::{negation, text};
use crate::place::PlaceId;
use crate::post::Abstraction;
use crate::reach::Reached;

/// The most clauses about the cubes at a place, for each cube.
const MOST_CLAUSES: usize = 40;

/// The invariant that the state is in one of the cubes that were reached, at its place.
pub(crate) fn invariant(abstraction: &mut Abstraction<'_>, reached: &Reached) -> Option<Invariant> {
    let system = &abstraction.problem.system;
    let terms = &mut abstraction.formulas.terms;
    let predicates = &abstraction.predicates.list;
    let words: Option<Vec<Word>> =
        predicates.iter().map(|of| Definition::new(system, terms, *of).map(Word::Term)).collect();
    let mut words = words?;
    let first_word = system.states.len() as u32;
    let mut tracked = Vec::new();
    for of in &abstraction.places.variables {
        tracked.extend((0..system.states[*of as usize].ty.bits).map(|bit| Bit { of: *of, bit }));
    }
    let of_predicates: Vec<Bit> =
        (0..predicates.len() as u32).map(|number| Bit { of: first_word + number, bit: 0 }).collect();
    let mut cubes: BTreeMap<PlaceId, Vec<&[Truth]>> = BTreeMap::new();
    for node in &reached.nodes {
        cubes.entry(node.place).or_default().push(&node.cube);
    }
    let places: Vec<Vec<Truth>> = (cubes.keys())
        .map(|place| {
            let values = abstraction.places.variables.iter().zip(abstraction.places.values(*place));
            let bits = values.flat_map(|(of, value)| {
                let width = system.states[*of as usize].ty.bits;
                (0..width).map(move |bit| Truth::of(value >> bit & 1 == 1))
            });
            bits.collect()
        })
        .collect();
    let mut clauses = abstraction.problem.facts.clone();
    let all: Vec<&[Truth]> = places.iter().map(Vec::as_slice).collect();
    exclude(&tracked, &all, 0, &mut Vec::new(), &mut clauses, usize::MAX)?;
    for (place, cubes) in places.iter().zip(cubes.values()) {
        let elsewhere = tracked.iter().zip(place);
        let elsewhere: Clause =
            elsewhere.map(|(bit, value)| Literal { bit: *bit, value: *value != Truth::True }).collect();
        let mut own = Vec::new();
        let most = MOST_CLAUSES * cubes.len();
        if exclude(&of_predicates, cubes, 0, &mut Vec::new(), &mut own, most).is_none() {
            let any = cubes.iter().map(|cube| {
                predicates.iter().zip(*cube).fold(TRUE, |all, (predicate, value)| {
                    let literal = match value {
                        Truth::True => *predicate,
                        Truth::False => terms.not(*predicate),
                        Truth::Unknown => TRUE,
                    };
                    terms.conjunction(all, literal)
                })
            });
            let any: Vec<_> = any.collect();
            let any = terms.balanced(any);
            let bit = Bit { of: first_word + words.len() as u32, bit: 0 };
            words.push(Word::Term(Definition::new(system, terms, any)?));
            own = vec![vec![Literal { bit, value: true }]];
        }
        clauses.extend(own.into_iter().map(|clause| [elsewhere.clone(), clause].concat()));
    }
    Some(Invariant { depth: 1, distinct: false, words, clauses })
}

/// The cubes that were reached at each place, as conditions.
pub(crate) fn conditions(abstraction: &Abstraction<'_>, reached: &Reached) -> Vec<AtPlace> {
    let mut cubes: BTreeMap<PlaceId, Vec<Vec<Truth>>> = BTreeMap::new();
    for node in &reached.nodes {
        cubes.entry(node.place).or_default().push(node.cube.clone());
    }
    let (system, terms) = (&abstraction.problem.system, &abstraction.formulas.terms);
    let predicates: Vec<[String; 2]> = (abstraction.predicates.list.iter())
        .map(|predicate| {
            let own = text(system, terms, *predicate);
            // The negation has the same text in parentheses, unless it is a comparison.
            [negation(system, terms, *predicate, &own), own]
        })
        .collect();
    let at_place = |(place, cubes): (PlaceId, Vec<Vec<Truth>>)| {
        let tracked = abstraction.places.variables.iter().copied();
        let values = tracked.zip(abstraction.places.values(place).iter().copied()).collect();
        let cubes = merged(cubes);
        let is_single = cubes.len() == 1;
        let written = cubes.iter().map(|cube| {
            let literals = predicates
                .iter()
                .zip(cube)
                .filter_map(|(texts, truth)| truth.known().map(|value| texts[usize::from(value)].as_str()));
            let literals: Vec<&str> = literals.collect();
            match literals.len() {
                0 => "true".to_owned(),
                1 => literals.concat(),
                _ if is_single => literals.join(" && "),
                _ => format!("({})", literals.join(" && ")),
            }
        });
        let condition = written.collect::<Vec<_>>().join(" || ");
        AtPlace { values, condition }
    };
    cubes.into_iter().map(at_place).collect()
}

/// Adds a clause for each path from a node of the tree to no cube; none if there are more than `most`.
fn exclude(
    bits: &[Bit],
    cubes: &[&[Truth]],
    at: usize,
    path: &mut Clause,
    clauses: &mut Vec<Clause>,
    most: usize,
) -> Option<()> {
    if cubes.is_empty() {
        clauses.push(path.clone());
        return (clauses.len() <= most).then_some(());
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
        exclude(bits, &inside, at + 1, path, clauses, most)?;
        if decides {
            path.pop();
        }
    }
    Some(())
}
