//! Merges acyclic regions of `skip`.
//!
//! *Entry point:* [`collapse`]. A location whose outgoing edges are all `skip`, to one location, is
//! merged with that location.
//! *Invariant:* every cycle of an automaton remains a cycle, even a cycle of `skip`, so that a
//! process that can execute infinitely many statements still can. Locations of the criterion and
//! locations of a rendezvous receive are not merged.

use axle_model::{Atomicity, Edge, EdgeId, Expr, LocId, Location, Model, Process};

/// Process types with more locations are not collapsed.
const MOST: usize = 5_000;

/// Collapses the automata of all process types. `watched` are the locations of the criterion.
pub fn collapse(model: &mut Model, watched: &[Vec<LocId>]) {
    let handshakes = model.shapes.iter().any(|shape| shape.capacity == 0);
    for (process, watched) in model.processes.iter_mut().zip(watched) {
        if process.locations.len() > MOST {
            continue;
        }
        let mut watched = watched.clone();
        if handshakes {
            // Whether a process has arrived at a rendezvous receive decides whether a sender
            // blocks.
            let receives = |edge: &&Edge| edge.receives_from().is_some();
            watched.extend(process.edges.iter().filter(receives).map(|edge| edge.source));
        }
        let watched = &watched;
        let ends: Vec<Option<LocId>> =
            (0..process.locations.len()).map(|at| follow(process, LocId::new(at), watched)).collect();
        let end = |at: LocId| ends[at.index()].unwrap_or(at);
        process.entry = end(process.entry);
        for edge in &mut process.edges {
            if edge.keep == Atomicity::Release && !edge.ends() {
                edge.target = end(edge.target);
            }
        }
        compact(process);
    }
}

/// Whether an edge does nothing at all.
fn is_skip(edge: &Edge) -> bool {
    edge.guard == Expr::TRUE
        && edge.comm.is_none()
        && edge.effects.is_empty()
        && edge.keep == Atomicity::Release
}

/// The location that all paths of `skip` from a location lead to; none if there is no single one.
fn follow(process: &Process, from: LocId, watched: &[LocId]) -> Option<LocId> {
    let (mut ends, mut open) = (vec![None; process.locations.len()], vec![false; process.locations.len()]);
    end_of(process, from, watched, &mut ends, &mut open)
}

/// The representative of `at`: the location that all paths of `skip` from it end in, otherwise
/// `at`.
fn end_of(
    process: &Process,
    at: LocId,
    watched: &[LocId],
    ends: &mut [Option<LocId>],
    open: &mut [bool],
) -> Option<LocId> {
    if let Some(known) = ends[at.index()] {
        return Some(known);
    }
    if open[at.index()] {
        return None;
    }
    open[at.index()] = true;
    let mut found = None;
    let mut single = !process.locations[at.index()].out.is_empty() && !watched.contains(&at);
    for id in &process.locations[at.index()].out {
        let edge = &process.edges[id.index()];
        if !single {
            break;
        }
        let end = match is_skip(edge) && !watched.contains(&edge.target) {
            // In a cycle, the location at which it was entered represents itself.
            true => end_of(process, edge.target, watched, ends, open),
            false => None,
        };
        single = end.is_some_and(|end| found.is_none_or(|found| found == end) && end != at);
        found = end;
    }
    open[at.index()] = false;
    let end = if single { found } else { Some(at) };
    ends[at.index()] = end;
    end
}

/// Removes unreachable edges, edges that are never executable, and duplicate `skip` edges.
fn compact(process: &mut Process) {
    let mut reached = vec![false; process.locations.len()];
    let mut waiting = vec![process.entry];
    reached[process.entry.index()] = true;
    while let Some(at) = waiting.pop() {
        for id in &process.locations[at.index()].out {
            let target = process.edges[id.index()].target;
            if !std::mem::replace(&mut reached[target.index()], true) {
                waiting.push(target);
            }
        }
    }
    let old = std::mem::take(&mut process.edges);
    for (at, location) in process.locations.iter_mut().enumerate() {
        let out = std::mem::take(&mut location.out);
        if reached[at] {
            keep_some(location, &out, &old, &mut process.edges);
        }
    }
}

fn keep_some(location: &mut Location, out: &[EdgeId], old: &[Edge], edges: &mut Vec<Edge>) {
    for id in out {
        let edge = &old[id.index()];
        if edge.guard == Expr::Const(0) {
            continue;
        }
        let same = |kept: &EdgeId| is_skip(&edges[kept.index()]) && edges[kept.index()].target == edge.target;
        if let Some(kept) = location.out.iter().copied().find(same).filter(|_| is_skip(edge)) {
            let more: Vec<_> =
                edge.origins.iter().filter(|o| !edges[kept.index()].origins.contains(o)).copied().collect();
            edges[kept.index()].origins.extend(more);
            continue;
        }
        location.out.push(EdgeId::new(edges.len()));
        edges.push(edge.clone());
    }
}
