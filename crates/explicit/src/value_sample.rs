//! The variable or channel with the most different values in a sample of the states expanded, for
//! the report of a search that a limit ended.
//!
//! The sample consists of every n-th expanded state. When it is full, every second one of its
//! states is dropped and n is doubled, so that it covers the whole search at a constant size.
//! Values are only decoded when a limit was reached.
//!
//! *Entry points:* [`Sampler::note`] during the search, [`Sample::widest`] after it.
//!
//! *Source:* J. S. Vitter, Random sampling with a reservoir, ACM TOMS 11, 1985 (the idea; the choice
//! here is systematic, so that equal searches yield equal reports).
//!
//! *Cost:* one decrement per batch of states; the copy of a state after at least [`EVERY`] batches.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axle_step::Interpreter;

/// Batches between two states of a sample at first.
const EVERY: u64 = 16;

/// Maximum number of states, and of bytes.
const STATES: usize = 1024;
const BYTES: usize = 1 << 20;

/// Distinct values from which on a variable is worth mentioning.
const MANY: usize = 64;

/// A sample, shared by all threads of a search.
#[derive(Clone, Default, Debug)]
pub struct Sample(Arc<Mutex<Kept>>);

#[derive(Default, Debug)]
struct Kept {
    states: Vec<Box<[u8]>>,
    /// Batches between two states; 0 at first.
    every: u64,
}

/// The object with the most different values.
#[derive(PartialEq, Eq, Debug)]
pub struct Widest {
    /// Its name.
    pub name: String,
    /// Whether it is a channel.
    pub is_channel: bool,
    /// The number of its different values.
    pub values: usize,
    /// The number of states in which they were seen.
    pub states: usize,
}

/// Selects the states of one thread.
#[derive(Default, Debug)]
pub struct Sampler {
    sample: Sample,
    /// Batches until the next state.
    left: u64,
}

impl Sampler {
    /// A sampler of another thread, for the same sample.
    pub fn fork(&self) -> Sampler {
        Sampler { sample: self.sample.clone(), left: EVERY }
    }

    /// The sample.
    pub fn sample(&self) -> Sample {
        self.sample.clone()
    }

    /// Notes a batch of states of this width, which may be empty.
    #[inline]
    pub fn note(&mut self, states: &[u8], width: usize) {
        match (self.left.checked_sub(1), states.get(..width)) {
            (Some(left), _) => self.left = left,
            (None, Some(state)) => self.left = self.sample.keep(state),
            (None, None) => {}
        }
    }
}

impl Sample {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a state; returns the number of batches until the next one.
    #[cold]
    fn keep(&self, state: &[u8]) -> u64 {
        let mut kept = self.kept();
        kept.states.push(state.into());
        if kept.states.len() >= (BYTES / state.len().max(1)).clamp(4, STATES) {
            let mut index = 0;
            kept.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            kept.every *= 2;
        }
        kept.every = kept.every.max(EVERY);
        kept.every
    }

    /// The variable or channel with the most different values, the first by name among equals; none
    /// if it has few. The locals of all processes of a type count together.
    pub fn widest(&self, interpreter: &Interpreter) -> Option<Widest> {
        let kept = self.kept();
        let mut values: BTreeMap<(String, bool), HashSet<String>> = BTreeMap::new();
        for state in &kept.states {
            if state.len() > interpreter.layout().width() {
                continue;
            }
            let state = interpreter.widened(state);
            let view = interpreter.view(&state);
            let mut note = |name: String, is_channel: bool, value: String| {
                values.entry((name, is_channel)).or_default().insert(value);
            };
            view.globals().into_iter().for_each(|value| note(value.name, false, value.shown));
            for channel in view.channels() {
                note(channel.name.clone(), true, channel.contents());
            }
            for process in view.processes() {
                let name = process.name.split('(').next().unwrap_or_default();
                for value in process.locals {
                    note(format!("{name}:{}", value.name), false, value.shown);
                }
            }
        }
        let states = kept.states.len();
        let most = values.iter().rev().max_by_key(|(_, values)| values.len())?;
        let ((name, is_channel), values) = (most.0.clone(), most.1.len());
        (values >= MANY).then_some(Widest { name, is_channel, values, states })
    }
}

impl Widest {
    /// The report of it, with a suggestion.
    pub fn hint(&self) -> String {
        let Widest { name, is_channel, values, states } = self;
        let (what, advice) = match is_channel {
            true => ("contents", "a smaller capacity or fewer different messages shrink the state space"),
            false => (
                "values",
                "a smaller range, or `hidden` if the value decides nothing, shrinks the state space",
            ),
        };
        format!("`{name}` has {values} different {what} in a sample of {states} states; {advice}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_covers_the_whole_search_at_a_constant_size() {
        let mut sampler = Sampler::default();
        for n in 0..1_000_000u32 {
            sampler.note(&n.to_le_bytes(), 4);
        }
        let sample = sampler.sample();
        let states: Vec<u32> = (sample.kept().states.iter())
            .map(|state| u32::from_le_bytes(state[..].try_into().expect("four bytes")))
            .collect();
        assert!(states.len() >= STATES / 2 && states.len() < STATES, "{}", states.len());
        assert!(states.is_sorted() && states[0] == 0 && states[states.len() - 1] > 900_000);
    }
}
