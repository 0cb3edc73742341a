//! Whether a property distinguishes executions that differ only in repeated states. If it does not,
//! steps that it does not observe may be merged, reordered or left out.
//!
//! A formula is decided with its negation. Acceptance and non-progress cycles depend on the labels
//! that occur infinitely often. A never claim has no complement at hand, so the test is sound and
//! incomplete ([`axle_ltl::stutter::is_surely_stutter_invariant`]): an end location is a state that
//! accepts every continuation. Whether a proposition is evaluated may depend on the number of
//! repeated states, so its evaluation must not fail.
//!
//! *Entry point:* [`is_stutter_invariant`].
//! *Invariant:* the answer yes is correct; the answer no means "not known".

use axle_ltl::automaton::{Automaton, Cube, Transition};
use axle_ltl::stutter;
use axle_model::Model;
use axle_question::claims::{Source, Stated};
use axle_reduce::passes::occurs::may_fail;
use axle_search::claim;
use axle_search::claim::Claim;
use axle_step::Atom;

/// Whether a property of a model is known not to distinguish executions that differ only in
/// repeated states.
pub fn is_stutter_invariant(model: &Model, one: &Stated) -> bool {
    *one.is_stutter_invariant.get_or_init(|| decide(model, one))
}

fn decide(model: &Model, one: &Stated) -> bool {
    match (&one.source, &one.claim) {
        (Source::Formula(formula), _) => stutter::is_stutter_invariant(formula) == Ok(true),
        (Source::Acceptance | Source::Progress, _) => true,
        (Source::Never, Ok(claim)) => {
            let fails = |atom: &Atom| matches!(atom, Atom::Holds(expr) if may_fail(model, None, expr));
            !one.atoms.iter().any(fails)
                && automaton(claim).is_some_and(|it| stutter::is_surely_stutter_invariant(&it))
        }
        // Event traces observe steps, not states.
        (Source::Never, Err(_)) | (Source::Events(_), _) => false,
    }
}

/// A claim with one initial location as an automaton; none if it has assertions or too many
/// propositions.
fn automaton(claim: &Claim) -> Option<Automaton> {
    let &[initial] = &claim.initial[..] else { return None };
    if claim.atoms > 64 || claim.sets > 1 || claim.edges().any(|(_, edge)| edge.asserts.is_some()) {
        return None;
    }
    let states = (0u32..).zip(&claim.locations).map(|(at, location)| match location.end {
        true => vec![Transition { label: Cube::TRUE, to: at, marks: 1 }],
        false => location.edges.iter().flat_map(transitions).collect(),
    });
    // Without acceptance sets every infinite run is accepting.
    let marked = |out: Vec<Transition>| match claim.sets {
        0 => out.into_iter().map(|t| Transition { marks: 1, ..t }).collect(),
        _ => out,
    };
    Some(Automaton { initial, states: states.map(marked).collect(), sets: 1 })
}

fn transitions(edge: &claim::Edge) -> impl Iterator<Item = Transition> {
    let label = |cube: &claim::Cube| {
        cube.0.iter().fold(Cube::TRUE, |label, literal| match literal.holds {
            true => Cube { must: label.must | 1 << literal.atom, ..label },
            false => Cube { must_not: label.must_not | 1 << literal.atom, ..label },
        })
    };
    let of = move |cube| Transition { label: label(cube), to: edge.to, marks: edge.marks };
    edge.guard.0.iter().map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axle_search::claim::{Edge, Guard, Location};

    fn edge(guard: Guard, to: u32, marks: u64) -> Edge {
        Edge { guard, asserts: None, to, marks }
    }

    fn claim(locations: Vec<Location>) -> Claim {
        Claim { locations, initial: vec![0], sets: 1, atoms: 1 }
    }

    fn found(claim: &Claim) -> bool {
        automaton(claim).is_some_and(|it| stutter::is_surely_stutter_invariant(&it))
    }

    #[test]
    fn an_end_accepts_every_continuation() {
        let end = Location { edges: Vec::new(), end: true };
        let (p, not_p) = (Guard::literal(0, true), Guard::literal(0, false));
        let wait = edge(not_p.clone(), 0, 0);
        let reached =
            claim(vec![Location { edges: vec![wait, edge(p.clone(), 1, 0)], end: false }, end.clone()]);
        assert!(found(&reached), "p becomes true");
        let second = claim(vec![
            Location { edges: vec![edge(p, 1, 0)], end: false },
            Location { edges: vec![edge(not_p, 2, 0)], end: false },
            end,
        ]);
        assert!(!found(&second), "the second state counts");
    }

    #[test]
    fn claims_of_labels_are_stutter_invariant() {
        assert!(found(&Claim::accepting()) && found(&Claim::non_progress()));
    }

    #[test]
    fn assertions_are_not_analysed() {
        let mut asserts = Claim::accepting();
        asserts.locations[0].edges[0].asserts = Some(0);
        assert_eq!(automaton(&asserts), None);
    }
}
