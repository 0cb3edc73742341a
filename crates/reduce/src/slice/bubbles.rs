//! Bubbles: parts of an automaton that are entered at one location and left to one other, in which the process can
//! always go on and nothing is relevant. What is decided there delays what comes after, and no more.
//!
//! Main function: [`exempt`]. A bubble from `a` to `b` is what can be reached from `a` without passing `b`; that no
//! edge from elsewhere leads into it but to `a` says that `a` dominates it, and that no edge leads out but to `b`
//! that `b` does in the graph turned round (Holzmann, *From Code to Models*, 2001, section 5.1; Aho, Sethi, Ullman,
//! *Compilers*, section 10.4).

use axle_model::{Edge, Effect, Expr, LocId, Process};

/// The most locations of a process type in which bubbles are looked for.
const MOST: usize = 400;

/// For each edge of a process type, whether it is inside a bubble; `relevant` says which edges are.
pub fn exempt(process: &Process, relevant: &[bool]) -> Vec<bool> {
    let mut exempt = vec![false; process.edges.len()];
    let count = process.locations.len();
    if count > MOST {
        return exempt;
    }
    let sound: Vec<bool> = (0..count).map(|at| goes_on(process, LocId::new(at), relevant)).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &process.edges {
        before[edge.target.index()].push(edge.source.index());
    }
    for from in (0..count).filter(|&from| sound[from]) {
        for to in (0..count).filter(|&to| to != from) {
            let Some(inside) = region(process, from, to, &sound) else { continue };
            let entered = |at: &usize| {
                *at != from
                    && (before[*at].iter().any(|source| !inside[*source]) || process.entry.index() == *at)
            };
            if (0..count).filter(|&at| inside[at]).any(|at| entered(&at)) {
                continue;
            }
            for (edge, exempt) in process.edges.iter().zip(&mut exempt) {
                *exempt |= inside[edge.source.index()];
            }
        }
    }
    exempt
}

/// The locations from `from` up to `to`; none where `to` is not come to, or one of them is not sound.
fn region(process: &Process, from: usize, to: usize, sound: &[bool]) -> Option<Vec<bool>> {
    let mut inside = vec![false; process.locations.len()];
    let (mut waiting, mut reached) = (vec![from], false);
    inside[from] = true;
    while let Some(at) = waiting.pop() {
        if !sound[at] {
            return None;
        }
        for id in &process.locations[at].out {
            let target = process.edges[id.index()].target.index();
            if target == to {
                reached = true;
            } else if !inside[target] {
                inside[target] = true;
                waiting.push(target);
            }
        }
    }
    reached.then_some(inside)
}

/// Whether a process can always go on from a location, by edges that are not relevant and release control.
fn goes_on(process: &Process, at: LocId, relevant: &[bool]) -> bool {
    let out = &process.locations[at.index()].out;
    let edges = || out.iter().map(|id| &process.edges[id.index()]);
    let quiet = out.iter().all(|id| !relevant[id.index()]);
    let ends = edges().any(|edge| edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)));
    quiet && !ends && edges().any(always)
}

/// Whether an edge can be taken where no edge of a lower rank can.
fn always(edge: &Edge) -> bool {
    edge.guard == Expr::TRUE && edge.comm.is_none()
}
