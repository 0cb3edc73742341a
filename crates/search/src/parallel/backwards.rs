//! The way to a state, found backwards: no path is stored while searching.
//!
//! The levels of a breadth-first search are known. Who leads to a state of one level is among the
//! states of the level before; so that is expanded once more, and of all who lead there the least
//! state is taken, and of its successors the first. Level by level this gives a shortest path, and
//! the same in every run, at the price of one more expansion of what was expanded before the
//! violation, without looking anything up in the set. All violations go back together.
//!
//! *Entry points:* [`Wanted::look`] by each thread, [`step`] after each level.

use axle_step::Batch;
use rustc_hash::FxHashMap;

use super::faults::Pending;

/// The least state that leads to another, and as which successor.
type Predecessor = (Vec<u8>, u32);

/// States of a level whose predecessors are looked for.
#[derive(Clone, Default, Debug)]
pub(super) struct Wanted {
    states: FxHashMap<Vec<u8>, usize>,
}

/// For each of the states that are wanted what was found so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Ways(Vec<Option<Predecessor>>);

impl Wanted {
    /// What is wanted of the level before `level`.
    pub fn at(level: usize, pending: &[Pending]) -> Wanted {
        let mut states = FxHashMap::default();
        for one in pending.iter().filter(|one| one.level == level) {
            let next = states.len();
            states.entry(one.state.clone()).or_insert(next);
        }
        Wanted { states }
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Looks at the successors of some states.
    pub fn look(&self, sources: &[u8], width: usize, batch: &Batch, ways: &mut Ways) {
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
    fn offer(&mut self, index: usize, source: &[u8], position: u32) {
        let best = &mut self.0[index];
        if best.as_ref().is_none_or(|(state, at)| (source, position) < (&state[..], *at)) {
            *best = Some((source.to_vec(), position));
        }
    }

    /// The better ways of both.
    pub fn take_in(&mut self, other: Ways) {
        self.0.resize(self.0.len().max(other.0.len()), None);
        for (index, way) in other.0.into_iter().enumerate() {
            if let Some((state, position)) = way {
                self.offer(index, &state, position);
            }
        }
    }
}

/// Goes one step back with all violations at `level`. False where no way was found: then a state came from
/// nowhere.
pub(super) fn step(level: usize, pending: &mut [Pending], wanted: &Wanted, ways: &Ways) -> bool {
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
