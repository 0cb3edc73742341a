//! Statement merging: a local step is executed together with the step before it.
//!
//! A local step accesses only variables of its process. It commutes with every step of every other
//! process, cannot be enabled or disabled by them, and is invisible to the properties: it is a
//! persistent set by itself, so the state before it need not be stored. The preceding edge does not
//! release control ([`Atomicity::Atomic`]). No edge is removed, and every statement remains a small
//! step with its source locations.
//!
//! *Entry point:* [`merge`].
//! *Source:* P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS
//! 1032, 1996.
//! *Invariant:* every cycle of an automaton has a location at which the process releases control,
//! so no merged sequence is infinite. A merged location has one outgoing edge, or an edge and its
//! `else`, so merging unites no two paths.

use axle_model::access::{self, Action, Read, reads, written_globals};
use axle_model::{Atomicity, Edge, EdgeId, Expr, LocId, Model, ProcId, walk};

use super::asked::Asked;
use super::occurs::{is_private, owners, seen_by};
use crate::variables::Numbers;
use crate::visible::{obstacle, visible_obstacle};

/// Makes edges keep control if the next step is local. Returns their number.
pub fn merge(model: &mut Model, asked: &Asked) -> usize {
    if !asked.blind || obstacle(model).is_some() || visible_obstacle(asked.visible).is_some() {
        return 0;
    }
    let owners = owners(model, &asked.visible.expressions);
    let seen = seen_by(model, &asked.visible.expressions);
    let numbers = Numbers::new(model);
    let fixed: Vec<bool> = written_globals(model).into_iter().map(|written| !written).collect();
    let handshakes = model.shapes.iter().any(|shape| shape.capacity == 0);
    let watched = watched_locations(model, asked);
    let labelled = asked.visible.labels();
    let mut merged = 0;
    for (index, watched) in watched.iter().enumerate() {
        let proc = ProcId::new(index);
        let process = model.process(proc);
        if process.provided.is_some() || process.deterministic {
            continue;
        }
        let private = |edge: &Edge| {
            let mut own = is_private(edge, proc, &owners, &fixed);
            access::places(edge, &mut |place| {
                own &= numbers.of(Some(proc), place).is_some_and(|variable| !seen[variable]);
            });
            own && edge.comm.is_none() && edge.keep == Atomicity::Release && is_local(edge)
        };
        let visible = |at: LocId| watched.contains(&at) || labelled(&process.locations[at.index()]);
        // Where a message may be handed over, to arrive matters to others.
        let awaited = |at: LocId| {
            handshakes
                && (process.locations[at.index()].out.iter())
                    .any(|id| process.edges[id.index()].receives_from().is_some())
        };
        let passing: Vec<bool> = (0..process.locations.len())
            .map(|at| {
                let at = LocId::new(at);
                let out: Vec<&Edge> = edges(model, proc, at);
                let simple = match out[..] {
                    [_] => true,
                    [one, other] => one.rank < other.rank && other.is_else && other.guard == Expr::TRUE,
                    _ => false,
                };
                simple
                    && !visible(at)
                    && out.iter().all(|edge| private(edge) && !visible(edge.target) && !awaited(edge.target))
            })
            .collect();
        let passing = without_cycles(model, proc, passing);
        for edge in &mut model.processes[index].edges {
            let exits = edge.ends();
            // After a rendezvous, the receiver continues.
            let offers = handshakes && edge.sends_to().is_some();
            if passing[edge.target.index()] && edge.keep == Atomicity::Release && !exits && !offers {
                edge.keep = Atomicity::Atomic;
                merged += 1;
            }
        }
    }
    merged
}

/// The edges that leave a location.
fn edges(model: &Model, proc: ProcId, at: LocId) -> Vec<&Edge> {
    let process = model.process(proc);
    process.locations[at.index()].out.iter().map(|id: &EdgeId| &process.edges[id.index()]).collect()
}

/// Whether an edge reads variables and the number of its process only, and changes variables only.
fn is_local(edge: &Edge) -> bool {
    let mut local = true;
    access::edge(edge, &mut |action| match action {
        Action::Evaluate(expr, _) => reads(expr, &mut |read| {
            local &= match read {
                Read::Variable(_) | Read::SelfPid => true,
                Read::Length(..)
                | Read::Messages(_)
                | Read::ProcessCount
                | Read::AtLocation(..)
                | Read::Location(_)
                | Read::Priority(_)
                | Read::Enabled(_)
                | Read::LastPid
                | Read::NonProgress
                | Read::Timeout => false,
            }
        }),
        Action::Store(..) => {}
        Action::Send { .. }
        | Action::Receive { .. }
        | Action::Create(_)
        | Action::SetPriority
        | Action::End => local = false,
    });
    local
}

/// For each process type, the locations that remote references name.
fn watched_locations(model: &Model, asked: &Asked) -> Vec<Vec<LocId>> {
    let mut watched = vec![Vec::new(); model.processes.len()];
    let mut see = |expr: &Expr| {
        if let Expr::AtLocation { proc, locs, .. } = expr {
            watched[proc.index()].extend(locs);
        }
    };
    model.processes.iter().for_each(|process| walk::process(process, &mut see));
    asked.visible.expressions.iter().for_each(|expr| walk::expr(expr, &mut see));
    watched
}

/// Removes locations until the rest contains no cycle.
fn without_cycles(model: &Model, proc: ProcId, mut passing: Vec<bool>) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; passing.len()];
    for root in 0..passing.len() {
        if !passing[root] || marks[root] != Mark::New {
            continue;
        }
        // Each entry: a location, and how many of its edges have been followed.
        let mut stack = vec![(root, 0)];
        marks[root] = Mark::Open;
        while let Some((at, next)) = stack.last_mut() {
            let out = edges(model, proc, LocId::new(*at));
            let Some(edge) = out.get(*next) else {
                marks[*at] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edge.target.index();
            if !passing[target] {
                continue;
            }
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => passing[target] = false,
                Mark::Done => {}
            }
        }
    }
    passing
}
