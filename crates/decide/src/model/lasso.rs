//! Lassos of a system with justice conditions as traces of the same system with loops: the loop is executed
//! a second time, so that the reduction saves a state of the first round and meets it again.
//!
//! *Entry point:* [`Problem::closed`].
//! *Source:* Biere, Artho and Schuppan, "Liveness Checking as Safety Checking", FMICS 2002.
//! *Invariant:* the trace ends in a bad state that closes a loop; the inputs of a checker are not trusted.

use rustc_hash::FxHashMap;

use super::Problem;
use crate::circuit::Trace;
use crate::system::{Cause, System};

/// The most ends of a loop that are tried.
const MOST_ENDS: usize = 100;

impl Problem {
    /// The trace of a lasso that closes a loop; none if there is no such loop. The values of the inputs are
    /// those of a system that differs in the acceptance of its claims only.
    #[must_use]
    pub fn closed(&self, of: &System, steps: &[Vec<u64>]) -> Option<Trace> {
        let bad = self.system.bads.iter().position(|bad| matches!(bad.cause, Cause::Cycle { .. }))?;
        // The inputs that the other system does not have save a state.
        let positions: Vec<Option<usize>> = (self.system.inputs.iter())
            .map(|input| of.inputs.iter().position(|other| other.name == input.name))
            .collect();
        let inputs = |step: &Vec<u64>, saves: bool| -> Vec<u64> {
            let value = |position: &Option<usize>| match position {
                Some(position) => step.get(*position).copied().unwrap_or_default(),
                None => saves.into(),
            };
            positions.iter().map(value).collect()
        };
        let mut states = vec![self.initial()];
        for step in steps {
            states.push(self.stepped(&states[states.len() - 1], &inputs(step, false)).0);
        }
        let mut first = FxHashMap::default();
        let mut loops = Vec::new();
        for (end, state) in states.iter().enumerate() {
            let begin = *first.entry(state).or_insert(end);
            if begin < end {
                loops.push(begin..end);
            }
        }
        for round in loops.into_iter().rev().take(MOST_ENDS) {
            let stem = steps[..round.start].iter().map(|step| inputs(step, false));
            let rounds = [&steps[round.clone()], &steps[round]].concat();
            let trace: Vec<_> = stem.chain(rounds.iter().map(|step| inputs(step, true))).collect();
            if let Some(trace) = self.until(trace, bad) {
                return Some(trace);
            }
        }
        None
    }

    /// The shortest part of a trace that ends in a bad state.
    fn until(&self, mut inputs: Vec<Vec<u64>>, bad: usize) -> Option<Trace> {
        let condition = self.system.bads[bad].condition.index();
        let none = vec![0; self.system.inputs.len()];
        let mut state = self.initial();
        for at in 0..=inputs.len() {
            let (next, values) = self.stepped(&state, inputs.get(at).unwrap_or(&none));
            if values[condition] == 1 {
                inputs.truncate(at);
                return Some(Trace { inputs, bad });
            }
            state = next;
        }
        None
    }
}
