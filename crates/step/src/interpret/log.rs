//! What a step reports besides the state that it makes: faults always, and events (messages,
//! printed text) where somebody wants to see the step in detail.
//!
//! *Invariant:* a fault carries the process and edge that were last given to [`Log::blame`], and is
//! kept apart by whether it was met while finding out what is executable or while a step was taken:
//! only the latter leads to a successor.

use axle_model::EdgeId;

use crate::fault::FaultKind;

/// A fault before it is known where in a batch it belongs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Blame {
    /// What went wrong.
    pub kind: FaultKind,
    /// The number of the process.
    pub pid: u32,
    /// The edge that was being tried or taken; none where the fault belongs to no edge.
    pub edge: Option<EdgeId>,
}

/// Something that a step does which does not show in its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Text printed by the process.
    Print(String),
    /// A message that goes into a channel with room.
    Sent(Passed),
    /// A message that was sent to a full channel and is lost.
    Lost(Passed),
    /// A message that comes out of a channel with room.
    Received(Passed),
    /// A message that is looked at and stays in its channel.
    Copied(Passed),
    /// A message that a sender hands to a receiver over a rendezvous channel.
    Handed(Passed),
}

/// A message on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The reference to the channel.
    pub chan: u32,
    /// The value of each field.
    pub values: Vec<i64>,
}

/// Collects what is to be reported.
#[derive(Clone, Default, Debug)]
pub(crate) struct Log {
    pid: u32,
    edge: Option<EdgeId>,
    /// How many enclosing tests ask for silence.
    silent: u32,
    /// Whether a step is being taken, rather than looked for.
    taking: bool,
    /// Whether events are wanted.
    pub detail: bool,
    /// Faults met while finding out what is executable.
    pub attempt: Vec<Blame>,
    /// Faults of the step that is being taken.
    step: Vec<Blame>,
    /// Events of the step that is being taken.
    events: Vec<Event>,
    /// Memory for the values of a message, lent out with `std::mem::take`.
    pub values: Vec<i64>,
    /// Memory for the state that a sender offers to receivers, lent out likewise.
    pub offer: Vec<u8>,
}

impl Log {
    /// From here on, faults belong to this process and edge.
    #[inline]
    pub fn blame(&mut self, pid: u32, edge: Option<EdgeId>) {
        self.pid = pid;
        self.edge = edge;
    }

    /// Who is blamed now.
    pub fn blamed(&self) -> (u32, Option<EdgeId>) {
        (self.pid, self.edge)
    }

    /// Something went wrong.
    #[cold]
    pub fn report(&mut self, kind: FaultKind) {
        let blame = Blame { kind, pid: self.pid, edge: self.edge };
        if self.silent == 0 {
            let list = if self.taking { &mut self.step } else { &mut self.attempt };
            list.push(blame);
        }
    }

    /// Runs a test whose faults are nobody's business.
    pub fn silently<T>(&mut self, test: impl FnOnce(&mut Log) -> T) -> T {
        let (pid, edge) = self.blamed();
        self.silent += 1;
        let result = test(self);
        self.silent -= 1;
        self.blame(pid, edge);
        result
    }

    /// From here on, faults and events belong to a step that is taken.
    #[inline]
    pub fn begin(&mut self) {
        self.taking = true;
        self.step.clear();
        self.events.clear();
    }

    /// The step is taken: its faults and events.
    #[inline]
    pub fn end(&mut self) -> (Vec<Blame>, Vec<Event>) {
        self.taking = false;
        (std::mem::take(&mut self.step), std::mem::take(&mut self.events))
    }

    /// Forgets everything, and from here on collects events or does not.
    pub fn reset(&mut self, detail: bool) {
        self.attempt.clear();
        self.step.clear();
        self.events.clear();
        self.taking = false;
        self.silent = 0;
        self.detail = detail;
    }

    /// Something happened; only called where [`Log::detail`] is set.
    pub fn event(&mut self, event: Event) {
        if self.silent == 0 {
            self.events.push(event);
        }
    }
}
