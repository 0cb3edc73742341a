//! Claims behind a prologue: a formula that applies once a provisioning is complete.
//!
//! *Entry point:* [`behind_prologue`].
//! *Invariant:* the initial location of the inner claim comes first.

use axle_search::claim::{Claim, Edge, Guard, Literal, Location};

/// The claim of executions that violate `!p W (p && f)`, from that of executions that violate f.
/// `end` is the number of the proposition p.
pub fn behind_prologue(inner: Claim, end: u32) -> Claim {
    let Claim { mut locations, initial, sets, atoms } = inner;
    // Without acceptance sets every infinite execution is accepted, also one without p.
    let marks = if sets == 0 { 1 } else { 0 };
    locations.iter_mut().flat_map(|location| &mut location.edges).for_each(|edge| edge.marks |= marks);
    let waiting = locations.len() as u32;
    let stay = Edge { guard: Guard::literal(end, false), asserts: None, to: waiting, marks: 0 };
    let begin = initial.iter().flat_map(|at| &locations[*at as usize].edges).map(|edge| {
        let mut edge = edge.clone();
        for cube in &mut edge.guard.0 {
            cube.0.push(Literal { atom: end, holds: true });
        }
        // A cube with the opposite literal is false.
        edge.guard.0.retain(|cube| !cube.0.contains(&Literal { atom: end, holds: false }));
        edge
    });
    let edges = std::iter::once(stay).chain(begin.filter(|edge| !edge.guard.0.is_empty())).collect();
    locations.push(Location { edges, end: false });
    let mut claim = Claim { locations, initial: vec![waiting], sets: sets.max(1), atoms };
    // The initial location of the inner claim comes first: see `initial_locations`.
    if let [first] = initial[..] {
        exchange(&mut claim, 0, first);
    }
    claim
}

fn exchange(claim: &mut Claim, one: u32, other: u32) {
    claim.locations.swap(one as usize, other as usize);
    let renamed = |at: u32| match at {
        at if at == one => other,
        at if at == other => one,
        at => at,
    };
    for edge in claim.locations.iter_mut().flat_map(|location| &mut location.edges) {
        edge.to = renamed(edge.to);
    }
    claim.initial.iter_mut().for_each(|at| *at = renamed(*at));
}
