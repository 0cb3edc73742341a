//! Conditions on states as guards of a claim, in disjunctive normal form.
//!
//! *Entry points:* [`guard`] translates a condition, [`seen_true`] evaluates the coverage of a
//! claim. *Invariant:* a guard is satisfied in exactly the states in which its condition holds.

use axle_ltl::Formula;
use axle_search::LivenessOutcome;
use axle_search::claim::{Claim, Cube, Edge, Guard, Literal};

/// The most cubes of a guard.
const MOST_CUBES: usize = 1_000;

/// A condition on a state, or its negation, as a guard; none where that would be too long.
pub(crate) fn guard(condition: &Formula, holds: bool) -> Option<Guard> {
    let both = |a: Guard, b: Guard| {
        let pairs = a.0.iter().flat_map(|x| b.0.iter().map(move |y| (x, y)));
        let few = a.0.len() * b.0.len() <= MOST_CUBES;
        few.then(|| Guard(pairs.map(|(x, y)| Cube(x.0.iter().chain(&y.0).copied().collect())).collect()))
    };
    let either = |a: Guard, b: Guard| {
        let few = a.0.len() + b.0.len() <= MOST_CUBES;
        few.then(|| Guard(a.0.into_iter().chain(b.0).collect()))
    };
    match condition {
        Formula::True | Formula::False => Some(match (*condition == Formula::True) == holds {
            true => Guard::always(),
            false => Guard::default(),
        }),
        Formula::Atom(atom) => Some(Guard::literal(*atom, holds)),
        Formula::Not(a) => guard(a, !holds),
        Formula::And(a, b) if holds => both(guard(a, true)?, guard(b, true)?),
        Formula::And(a, b) => either(guard(a, false)?, guard(b, false)?),
        Formula::Or(a, b) if holds => either(guard(a, true)?, guard(b, true)?),
        Formula::Or(a, b) => both(guard(a, false)?, guard(b, false)?),
        Formula::Implies(a, b) if holds => either(guard(a, false)?, guard(b, true)?),
        Formula::Implies(a, b) => both(guard(a, true)?, guard(b, false)?),
        Formula::Equivalent(a, b) => {
            let with = both(guard(a, true)?, guard(b, holds)?)?;
            either(with, both(guard(a, false)?, guard(b, !holds)?)?)
        }
        // Not a condition on a state.
        Formula::Next(_)
        | Formula::Always(_)
        | Formula::Eventually(_)
        | Formula::Until(..)
        | Formula::WeakUntil(..)
        | Formula::Release(..) => None,
    }
}

/// Whether what the search saw of the claim shows that a condition was true: every way to take some
/// edge that it saw asks for it.
pub(crate) fn seen_true(condition: &Formula, claim: &Claim, outcome: &LivenessOutcome) -> bool {
    let Some(wanted) = guard(condition, true) else { return false };
    let [wanted] = &wanted.0[..] else { return false };
    let asks = |literal: &Literal, cube: &Cube| cube.0.contains(literal);
    let shows = |edge: &Edge| {
        !edge.guard.0.is_empty() && edge.guard.0.iter().all(|cube| wanted.0.iter().all(|l| asks(l, cube)))
    };
    let seen = &outcome.coverage.edges;
    (claim.locations.iter().zip(seen))
        .any(|(location, seen)| location.edges.iter().zip(seen).any(|(edge, &seen)| seen && shows(edge)))
}
