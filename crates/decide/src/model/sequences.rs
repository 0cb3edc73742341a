//! Whether some sequence may be endless, from the edges that keep control.
//!
//! *Entry point:* [`may_repeat`].
//! *Invariant:* an over-approximation: without a cycle of such edges in a process type, every sequence
//! ends. A process that executes without end inside a sequence runs through a cycle of its automaton,
//! and each of its steps, also as the partner of a rendezvous, keeps some process in control.

use axle_model::{Atomicity, EdgeId, Model, ProcId};
use axle_relation::{Action, Relation};
use rustc_hash::FxHashSet;

/// Whether the edges that keep control form a cycle in some process type.
pub(super) fn may_repeat(model: &Model, relation: &Relation) -> bool {
    let mut edges: FxHashSet<(ProcId, EdgeId)> = FxHashSet::default();
    for group in &relation.groups {
        if let Action::Step { by, partner, keep } = group.action
            && keep != Atomicity::Release
        {
            edges.insert((by.proc, by.edge));
            edges.extend(partner.map(|partner| (partner.proc, partner.edge)));
        }
    }
    (0..model.processes.len()).map(ProcId::new).any(|of| {
        let process = model.process(of);
        let own: Vec<_> = (edges.iter())
            .filter(|(proc, _)| *proc == of)
            .map(|(_, edge)| &process.edges[edge.index()])
            .map(|edge| (edge.source.index(), edge.target.index()))
            .collect();
        has_cycle(process.locations.len(), &own)
    })
}

/// Removes nodes without incoming edges until none is left, or a cycle remains.
fn has_cycle(nodes: usize, edges: &[(usize, usize)]) -> bool {
    let mut incoming = vec![0; nodes];
    edges.iter().for_each(|(_, to)| incoming[*to] += 1);
    let mut free: Vec<usize> = (0..nodes).filter(|node| incoming[*node] == 0).collect();
    let mut removed = 0;
    while let Some(node) = free.pop() {
        removed += 1;
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                free.push(*to);
            }
        }
    }
    removed < nodes
}
