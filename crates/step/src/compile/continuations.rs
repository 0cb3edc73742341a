//! Continuations of atomic sequences: where control goes on after an edge that keeps it.

use axle_model::{Atomicity, Edge, Effect, LocId, Process};
use rustc_hash::FxHashMap;

/// Continuation of an atomic sequence: location and kind of control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Chained {
    pub loc: LocId,
    pub keep: Atomicity,
}

/// The continuations of the atomic sequences of a process type, each once, and their positions.
pub(super) struct Entries {
    list: Vec<Chained>,
    positions: FxHashMap<Chained, usize>,
}

impl Entries {
    /// Collects them in the order of the edges.
    pub fn of(process: &Process) -> Entries {
        let mut entries = Entries { list: Vec::new(), positions: FxHashMap::default() };
        for after in process.edges.iter().filter_map(Chained::after) {
            entries.positions.entry(after).or_insert_with(|| {
                entries.list.push(after);
                entries.list.len() - 1
            });
        }
        entries
    }

    /// All continuations.
    pub fn list(&self) -> &[Chained] {
        &self.list
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The position of one.
    pub fn position(&self, entry: Chained) -> Option<usize> {
        self.positions.get(&entry).copied()
    }
}

impl Chained {
    /// The continuation of a sequence after an edge, if any.
    pub fn after(edge: &Edge) -> Option<Chained> {
        match edge.keep {
            Atomicity::Release => None,
            Atomicity::Atomic | Atomicity::Deterministic if leaves(edge) => None,
            Atomicity::Atomic | Atomicity::Deterministic => {
                Some(Chained { loc: edge.target, keep: edge.keep })
            }
        }
    }
}

/// Whether an edge terminates its process.
pub(super) fn leaves(edge: &Edge) -> bool {
    edge.effects.iter().any(|e| matches!(e, Effect::Exit))
}
