//! Backward reconstruction of traces: the parallel search stores no paths.
//!
//! The levels of the breadth-first search are known. The predecessors of a state are in the
//! preceding level, which is expanded again. Among all predecessors the least state is taken, and
//! of its successors the first that matches. Level by level this yields a shortest path, the same
//! in every invocation. All violations are traced back together.
//!
//! *Entry points:* [`Wanted::find_predecessors`] for each thread, [`step`] after each level.
//!
//! *Invariant:* after `step` for level `l`, the path of every pending violation starts in level
//! `l`.
//!
//! *Cost:* one further expansion of every state before the violation, without set lookups.

use axle_step::Batch;
use rustc_hash::FxHashMap;

use super::faults::Pending;

/// The least predecessor of a state, and the position of the state among its successors.
pub type Predecessor = (Vec<u8>, u32);

/// States of a level whose predecessors are sought.
#[derive(Clone, Default, Debug)]
pub struct Wanted {
    states: FxHashMap<Vec<u8>, usize>,
}

/// Best predecessor found so far for each of these states.
#[derive(Clone, Default, Debug)]
pub struct Ways(Vec<Option<Predecessor>>);

impl Wanted {
    /// The states of `level` whose predecessors are sought in the preceding level.
    pub fn at(level: usize, pending: &[Pending<impl Sized>]) -> Wanted {
        let mut states = FxHashMap::default();
        for one in pending.iter().filter(|one| one.level == level) {
            let next = states.len();
            states.entry(one.state.clone()).or_insert(next);
        }
        Wanted { states }
    }

    /// Whether no state is sought.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Compares the successors of some states with the states sought.
    pub fn find_predecessors(
        &self,
        sources: &[u8],
        width: usize,
        batch: &Batch<impl Sized>,
        ways: &mut Ways,
    ) {
        ways.0.resize(self.states.len(), None);
        for (number, source) in sources.chunks_exact(width).enumerate() {
            let range = batch.range(number);
            let states = &batch.states[range.start * width..range.end * width];
            for (position, state) in states.chunks_exact(width).enumerate() {
                if let Some(&index) = self.states.get(state) {
                    ways.offer(index, source, position as u32);
                }
            }
        }
    }
}

impl Ways {
    /// The predecessor found for each of the states sought.
    pub fn found(&self) -> &[Option<Predecessor>] {
        &self.0
    }

    /// Records a predecessor of the state of this number, and the position of that state among the
    /// successors of the predecessor.
    pub fn offer(&mut self, index: usize, source: &[u8], position: u32) {
        self.0.resize(self.0.len().max(index + 1), None);
        let best = &mut self.0[index];
        if best.as_ref().is_none_or(|(state, at)| (source, position) < (&state[..], *at)) {
            *best = Some((source.to_vec(), position));
        }
    }

    /// Merges another set of predecessors, keeping the better of each pair.
    pub fn merge(&mut self, other: Ways) {
        self.0.resize(self.0.len().max(other.0.len()), None);
        for (index, way) in other.0.into_iter().enumerate() {
            if let Some((state, position)) = way {
                self.offer(index, &state, position);
            }
        }
    }
}

/// Extends all violations at `level` by one step backwards. Returns false if a state has no
/// predecessor, which is an internal error.
pub fn step(level: usize, pending: &mut [Pending<impl Sized>], wanted: &Wanted, ways: &Ways) -> bool {
    let mut all = true;
    for one in pending.iter_mut().filter(|one| one.level == level) {
        let way = wanted.states.get(&one.state).and_then(|&index| ways.0.get(index)?.as_ref());
        match way {
            Some((state, position)) => {
                one.violation.path.push(*position);
                one.state = state.clone();
            }
            None => all = false,
        }
        one.level -= 1;
    }
    all
}
