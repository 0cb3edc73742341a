//! Statement merging: a step that touches nothing but its process's own is taken at once after the
//! step before it.
//!
//! Such a step commutes with every step of every other process, no other process can prevent it or
//! make it possible, and nobody sees it: alone it is a persistent set (Godefroid, *Partial-Order
//! Methods*, 1996), so that the state before it need not be told from the state after it. Said to
//! the engines as what keeps the edge before it from releasing control ([`Atomicity::Atomic`]): no
//! edge is lost, and every statement still is a small step with its own places in the source.
//!
//! *Entry point:* [`merge`].
//!
//! *Invariant:* No cycle of an automaton is without a location at which the process releases
//! control, so that no merged sequence is endless; and a location is passed through only where one
//! edge, or an edge and its `else`, leave it, so that merging makes no two paths out of one.

use axle_model::{Atomicity, Comm, Edge, EdgeId, Effect, Expr, LocId, Model, ProcId, walk};

use super::Asked;
use super::occurs::{Numbers, is_private, owners, seen_by};
use crate::conflicts::{obstacle, visible_obstacle};
use crate::fixed::written_globals;

/// Lets edges keep control where what follows is private. Says how many do.
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
    let mut merged = 0;
    for (index, watched) in watched.iter().enumerate() {
        let proc = ProcId::new(index);
        let process = model.process(proc);
        if process.provided.is_some() || process.deterministic {
            continue;
        }
        let private = |edge: &Edge| {
            let mut own = is_private(edge, proc, &owners, &fixed);
            super::occurs::touched(edge, &mut |place| {
                own &= numbers.of(Some(proc), place).is_some_and(|variable| !seen[variable]);
            });
            own && edge.comm.is_none()
                && edge.keep == Atomicity::Release
                && edge.effects.iter().all(is_harmless)
                && no_questions(edge)
        };
        let visible = |at: LocId| {
            watched.contains(&at) || (asked.visible.accepting && process.locations[at.index()].accept)
        };
        // Where a message may be handed over, to arrive matters to others.
        let awaited = |at: LocId| {
            handshakes
                && (process.locations[at.index()].out.iter())
                    .any(|id| matches!(process.edges[id.index()].comm, Some(Comm::Receive { .. })))
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
            let exits = edge.effects.iter().any(|effect| matches!(effect, Effect::Exit));
            // Of a handshake it is the receiver who goes on.
            let offers = handshakes && matches!(edge.comm, Some(Comm::Send { .. }));
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

/// Whether an effect changes nothing but variables.
fn is_harmless(effect: &Effect) -> bool {
    match effect {
        Effect::Assign(..) | Effect::Clear(_) | Effect::Assert(..) | Effect::Print(..) => true,
        Effect::Run { .. } | Effect::SetPriority(..) | Effect::Exit => false,
    }
}

/// Whether an edge asks about nothing but variables and its own number.
fn no_questions(edge: &Edge) -> bool {
    let mut plain = true;
    walk::edge(edge, &mut |expr| {
        plain &= match expr {
            Expr::Const(_)
            | Expr::Load(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..)
            | Expr::Channel(_)
            | Expr::SelfPid => true,
            Expr::Query(..)
            | Expr::CanReceive { .. }
            | Expr::Timeout
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Location(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. } => false,
        }
    });
    plain
}

/// For each process type, the locations at which others ask whether a process stands.
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

/// Leaves out locations so that none of the rest are on a cycle among themselves.
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
