//! The length of an execution for a reader, who follows events and calls rather than statements.
//!
//! *Entry points:* [`Extent::of`], [`Extent::compared`].
//! *Invariant:* executions of models have no calls and no inputs, so that their steps decide.

use serde::{Deserialize, Serialize};

use super::{NoteKind, Trace, TraceStep};

/// The length of an execution; a shorter one is smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Extent {
    /// Inputs, outcomes that no statement shows, and changes of the propositions of the property.
    pub events: u64,
    /// Calls of C functions.
    pub calls: u64,
    /// Steps, which are statements of a C program.
    pub steps: u64,
}

impl Extent {
    /// The length of an execution with this number of steps.
    #[must_use]
    pub fn of(trace: &Trace, steps: u64) -> Extent {
        let is_event = |kind: NoteKind| matches!(kind, NoteKind::Input | NoteKind::Outcome);
        let events = |step: &TraceStep| {
            step.turned.len() + step.notes.iter().filter(|note| is_event(note.kind)).count()
        };
        Extent {
            events: trace.steps.iter().map(events).sum::<usize>() as u64,
            calls: trace.steps.iter().map(|step| step.calls.len()).sum::<usize>() as u64,
            steps,
        }
    }

    /// What decides between two executions: the unit in which they differ, and both numbers of it.
    #[must_use]
    pub fn compared(&self, other: &Extent) -> (&'static str, u64, u64) {
        match (self.events.cmp(&other.events), self.calls.cmp(&other.calls)) {
            (std::cmp::Ordering::Equal, std::cmp::Ordering::Equal) => ("step", self.steps, other.steps),
            (std::cmp::Ordering::Equal, _) => ("call", self.calls, other.calls),
            _ => ("event", self.events, other.events),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, Mover, Note, Turned};
    use super::*;

    /// A step with this number of calls and events.
    fn step(number: u64, calls: usize, events: usize) -> TraceStep {
        let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: "s".into() };
        let call = Call { function: "f".into(), arguments: Vec::new() };
        let turned = Turned { proposition: "p".into(), holds: true };
        let waits =
            Note { text: String::new(), kind: NoteKind::Waiting, gives: Vec::new(), takes: Vec::new() };
        TraceStep {
            calls: vec![call; calls],
            turned: vec![turned; events],
            notes: vec![waits],
            ..TraceStep::of(number, by)
        }
    }

    fn extent(steps: &[(usize, usize)]) -> Extent {
        let steps = (1..).zip(steps).map(|(number, (calls, events))| step(number, *calls, *events));
        let trace = Trace::of(steps.collect());
        Extent::of(&trace, trace.steps.len() as u64)
    }

    #[test]
    fn events_decide_before_calls_and_calls_before_statements() {
        let few_events = extent(&[(3, 0), (3, 1), (0, 0)]);
        let few_calls = extent(&[(1, 1), (0, 1), (0, 0), (0, 0)]);
        let few_steps = extent(&[(1, 1), (1, 1)]);
        assert!(few_events < few_calls && few_calls < few_steps);
        assert_eq!(few_events.compared(&few_calls), ("event", 1, 2));
        assert_eq!(few_calls.compared(&few_steps), ("call", 1, 2));
        assert_eq!(extent(&[(0, 0)]).compared(&extent(&[(0, 0), (0, 0)])), ("step", 1, 2));
    }
}
