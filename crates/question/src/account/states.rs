//! The states of an execution at which a temporal property is evaluated.
//!
//! *Entry point:* [`States::of`].

use axle_evidence::trace::Trace;

/// A state: the propositions that hold, and the statement behind which it is.
struct State<'t> {
    holds: &'t [String],
    /// The step behind which the state is observed.
    observed: u64,
    /// The first statement behind the state before it that turns a proposition; the last statement if
    /// none does.
    cause: u64,
}

/// The observed states of an execution.
pub(super) struct States<'t> {
    states: Vec<State<'t>>,
    /// The position at which the cycle begins.
    pub cycle: Option<usize>,
}

impl<'t> States<'t> {
    /// The states of an execution; none if it observes no propositions.
    pub fn of(trace: &'t Trace) -> Option<States<'t>> {
        let start = trace.start.as_ref()?;
        let mut states = vec![State { holds: &start.holds, observed: 0, cause: 0 }];
        let mut cause = None;
        for step in &trace.steps {
            if !step.turned.is_empty() {
                cause = cause.or(Some(step.step));
            }
            if let Some(observed) = &step.observed {
                let cause = cause.take().unwrap_or(step.step);
                states.push(State { holds: &observed.holds, observed: step.step, cause });
            }
        }
        let first = |cycle: u64| states.iter().position(|state| state.observed >= cycle);
        let cycle = trace.cycle.and_then(first);
        Some(States { states, cycle })
    }

    /// Removes the first states.
    pub fn skip(&mut self, count: usize) {
        self.states.drain(..count);
        self.cycle = self.cycle.map(|cycle| cycle.saturating_sub(count));
    }

    /// The propositions that hold in each state.
    pub fn iter(&self) -> impl Iterator<Item = &'t [String]> + '_ {
        self.states.iter().map(|state| state.holds)
    }

    /// The step that leads to a state; 0 for the initial one.
    pub fn step(&self, position: usize) -> u64 {
        self.states.get(position).map_or(0, |state| state.cause)
    }

    /// The step behind which a state is observed.
    pub fn observed(&self, position: usize) -> Option<u64> {
        self.states.get(position).map(|state| state.observed)
    }
}
