//! Log of a step: faults always, and events (messages, output) in the detailed view.
//!
//! *Invariant:* a fault carries the process and edge given to the last `Log::blame`. Faults found
//! during a test for executable edges are separated from those of an executed step: only the latter
//! lead to a successor.

use axle_model::EdgeId;

use crate::fault::FaultKind;

/// A fault without its position in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Blame {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The number of the process.
    pub pid: u32,
    /// The edge being tried or executed; `None` if the fault belongs to no edge.
    pub edge: Option<EdgeId>,
}

/// An effect of a step that is not part of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Text printed by the process.
    Print(String),
    /// A message sent to a channel that is not full.
    Sent(Passed),
    /// A message sent to a full channel and lost.
    Lost(Passed),
    /// A message received from a buffered channel.
    Received(Passed),
    /// A message read that remains in its channel.
    Copied(Passed),
    /// A message exchanged in a rendezvous.
    Handed(Passed),
}

/// A transmitted message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The channel reference.
    pub chan: u32,
    /// The value of each field.
    pub values: Vec<i64>,
}

/// Collector of faults and events.
#[derive(Clone, Default, Debug)]
pub(crate) struct Log {
    pid: u32,
    edge: Option<EdgeId>,
    /// Number of enclosing silent tests.
    silent: u32,
    /// Whether a step is being executed, rather than tested.
    taking: bool,
    /// Whether events are recorded.
    pub detail: bool,
    /// Faults of tests for executable edges.
    pub attempt: Vec<Blame>,
    /// Faults of the step being executed.
    step: Vec<Blame>,
    /// Events of the step being executed.
    events: Vec<Event>,
    /// Buffer for the values of a message, lent with `std::mem::take`.
    pub values: Vec<i64>,
    /// Buffer for the state that a sender offers to receivers, lent likewise.
    pub offer: Vec<u8>,
}

impl Log {
    /// Sets the process and edge of the following faults.
    #[inline]
    pub fn blame(&mut self, pid: u32, edge: Option<EdgeId>) {
        self.pid = pid;
        self.edge = edge;
    }

    /// The current process and edge.
    pub fn blamed(&self) -> (u32, Option<EdgeId>) {
        (self.pid, self.edge)
    }

    /// Reports a fault.
    #[cold]
    pub fn report(&mut self, kind: FaultKind) {
        let blame = Blame { kind, pid: self.pid, edge: self.edge };
        if self.silent == 0 {
            let list = if self.taking { &mut self.step } else { &mut self.attempt };
            list.push(blame);
        }
    }

    /// Executes a test and ignores its faults.
    pub fn silently<T>(&mut self, test: impl FnOnce(&mut Log) -> T) -> T {
        let (pid, edge) = self.blamed();
        self.silent += 1;
        let result = test(self);
        self.silent -= 1;
        self.blame(pid, edge);
        result
    }

    /// Starts the execution of a step, to which the following faults and events belong.
    #[inline]
    pub fn begin(&mut self) {
        self.taking = true;
        self.step.clear();
        self.events.clear();
    }

    /// Ends the execution of a step and returns its faults and events.
    #[inline]
    pub fn end(&mut self) -> (Vec<Blame>, Vec<Event>) {
        self.taking = false;
        (std::mem::take(&mut self.step), std::mem::take(&mut self.events))
    }

    /// Discards all entries, and enables or disables the recording of events.
    pub fn reset(&mut self, detail: bool) {
        self.attempt.clear();
        self.step.clear();
        self.events.clear();
        self.taking = false;
        self.silent = 0;
        self.detail = detail;
    }

    /// Records an event; only called if [`Log::detail`] is set.
    pub fn event(&mut self, event: Event) {
        if self.silent == 0 {
            self.events.push(event);
        }
    }
}
