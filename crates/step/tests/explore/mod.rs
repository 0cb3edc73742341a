//! Exploration for tests: every reachable state of a small model, breadth-first.

use std::collections::{BTreeSet, HashSet};

use axle_step::{Batch, Fault, ModelGraph};

/// Result of an exploration.
pub struct Explored {
    /// The states, in the order found.
    pub states: Vec<Vec<u8>>,
    /// Successors of all states.
    pub transitions: usize,
    /// All faults; their source is an index in `states`.
    pub faults: Vec<Fault>,
}

impl Explored {
    /// The summary that models are annotated with.
    pub fn summary(&self) -> String {
        let kinds: BTreeSet<String> = self.faults.iter().map(|f| format!("{:?}", f.site.kind)).collect();
        let kinds: String = kinds.iter().enumerate().map(|(i, kind)| sep(i) + kind).collect();
        format!("{} states, {} transitions{kinds}", self.states.len(), self.transitions)
    }
}

fn sep(index: usize) -> String {
    if index == 0 { "; ".into() } else { " ".into() }
}

/// Explores every reachable state, and widens the layout as needed.
pub fn explore(engine: &mut impl ModelGraph) -> Explored {
    let mut faults = Vec::new();
    let start = engine.initial(&mut faults);
    let mut found = Explored { states: vec![start.clone()], transitions: 0, faults };
    let mut seen = HashSet::from([start]);
    let mut batch = Batch::default();
    let mut next = 0;
    while next < found.states.len() {
        while let Err(grow) = engine.expand(&found.states[next], &mut batch) {
            engine.grow(grow.size);
            let width = engine.width();
            found.states.iter_mut().for_each(|state| state.resize(width, 0));
            seen = found.states.iter().cloned().collect();
        }
        let width = engine.width();
        found.transitions += batch.states.len() / width;
        found.faults.extend(batch.faults.iter().map(|f| Fault { source: next as u32, ..*f }));
        for state in batch.states.chunks_exact(width) {
            if seen.insert(state.to_vec()) {
                found.states.push(state.to_vec());
            }
        }
        next += 1;
    }
    found
}
