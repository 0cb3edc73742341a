//! Bubbles: single-entry single-exit regions of an automaton without relevant statements, in which
//! the process can always execute a statement. A choice inside a bubble delays the following
//! statements and has no other effect.
//!
//! *Entry point:* [`exempt`]. The bubble from `a` to `b` is the set of locations reachable from `a`
//! without passing `b`. `a` dominates it: no edge from outside enters it except at `a`. `b`
//! postdominates it: no edge leaves it except to `b`.
//! *Source:* Holzmann, *From Code to Models*, ACSD 2001, section 5.1; Aho, Sethi, Ullman,
//! *Compilers*, section 10.4.
//! *Invariant:* from each location of a bubble its end is reachable; without `loops`, on every
//! path.

use axle_model::{Edge, Expr, LocId, Process};

/// Process types with more locations are not analysed.
const MOST: usize = 400;

/// For each edge of a process type, whether it is inside a bubble; `relevant` marks the relevant
/// edges. Bubbles with cycles, which need not terminate, count only with `loops`.
pub fn exempt(process: &Process, relevant: &[bool], loops: bool) -> Vec<bool> {
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
            if !loops && has_cycle(process, &inside) {
                continue;
            }
            for (edge, exempt) in process.edges.iter().zip(&mut exempt) {
                *exempt |= inside[edge.source.index()];
            }
        }
    }
    exempt
}

/// Whether a cycle lies within a set of locations: locations without successors in the set are
/// removed repeatedly.
fn has_cycle(process: &Process, inside: &[bool]) -> bool {
    let mut left = inside.to_vec();
    loop {
        let stays = |at: usize| {
            let mut out = process.locations[at].out.iter();
            out.any(|id| left[process.edges[id.index()].target.index()])
        };
        let next: Vec<bool> = (0..left.len()).map(|at| left[at] && stays(at)).collect();
        if next == left {
            return left.contains(&true);
        }
        left = next;
    }
}

/// The locations from `from` up to `to`; none if `to` is not reachable or one of them is not
/// `sound`.
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

/// Whether a process can always execute a statement at a location, and all edges there are
/// irrelevant.
fn goes_on(process: &Process, at: LocId, relevant: &[bool]) -> bool {
    let out = &process.locations[at.index()].out;
    let edges = || out.iter().map(|id| &process.edges[id.index()]);
    let quiet = out.iter().all(|id| !relevant[id.index()]);
    let ends = edges().any(Edge::ends);
    quiet && !ends && edges().any(always)
}

/// Whether an edge is executable where no edge of a lower rank is.
fn always(edge: &Edge) -> bool {
    edge.guard == Expr::TRUE && edge.comm.is_none()
}
