//! An execution as plain data, one entry for each small step, and as text.
//!
//! An indivisible step (`atomic`, `d_step`) has several small steps: they share its number and are
//! counted after a point, `4.1`, `4.2`.
//!
//! *Entry points:* [`render_text`], [`render_styled`], [`CallTree`], [`common_steps`].

mod abridge;
mod call_text;
mod calls;
mod common_prefix;
mod effects;
mod extent;
mod text;

use serde::{Deserialize, Serialize};

use crate::place::PlaceReport;

pub use abridge::abridge;
pub use call_text::{render_calls, tags};
pub use calls::{CallRow, CallTree, ROWS, Rank, RowKind, called};
pub use common_prefix::{common_steps, unrolled};
pub use extent::Extent;
pub(crate) use text::{CYCLE, label};
pub use text::{Style, happenings, render_abridged, render_styled, render_text};

/// An execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// The small steps, in order.
    pub steps: Vec<TraceStep>,
    /// The violation at its end, in sentences; empty for an execution without violation.
    pub ending: Vec<String>,
    /// The propositions that hold in the initial state, for a counterexample to a temporal
    /// property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Observed>,
    /// The number of the first step of the cycle, for an infinite execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    /// The names of the variables that the violated property reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// The violation of a temporal property in words, and the step that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    /// The declared lanes of its chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<Lanes>,
}

/// The lanes of the chart of an event-driven program, as its project declares them. Parameters are named as
/// in [`Call::arguments`], or by the member of a record alone.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Lanes {
    /// The function that handles an event.
    pub handler: String,
    /// Its parameter that names the lane: a party, or an element of an array of state machines.
    pub party: String,
    /// The function that appends a message to a queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send: Option<String>,
    /// Its parameter that names the receiver; that of `party` if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// Its parameter that names the sender; the party that handles an event meanwhile if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
}

impl Trace {
    /// An execution of these steps, of which nothing else is known.
    #[must_use]
    pub fn of(steps: Vec<TraceStep>) -> Trace {
        Trace {
            steps,
            ending: Vec::new(),
            start: None,
            cycle: None,
            observed: Vec::new(),
            account: None,
            lanes: None,
        }
    }
}

impl Trace {
    /// The position of the step that matters: the one that the account names, the first one with a
    /// violation, the begin of the cycle, or the last one.
    #[must_use]
    pub fn focus(&self) -> usize {
        let numbered = |number: u64| self.steps.iter().position(|step| step.step >= number);
        let account = self.account.as_ref().filter(|account| account.step > 0);
        let named = account.and_then(|account| numbered(account.step));
        let fault = || self.steps.iter().position(|step| !step.faults.is_empty());
        let cycle = || self.cycle.and_then(numbered);
        named.or_else(fault).or_else(cycle).unwrap_or(self.steps.len().saturating_sub(1))
    }
}

/// How an execution violates a temporal property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// The violation in a sentence without full stop.
    pub sentence: String,
    /// The step that matters: the forbidden event, or the last one that a missing event has to follow; 0
    /// is the initial state.
    pub step: u64,
    /// The named events of the property, with the steps at which they occur.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<NamedEvent>,
}

/// An event of a property: a mark of a timeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedEvent {
    /// Its name.
    pub name: String,
    /// The step that causes it; 0 is the initial state.
    pub step: u64,
    /// It is forbidden there.
    pub forbidden: bool,
}

/// The observation of a state by a temporal property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// The propositions that hold in the state, as written.
    pub holds: Vec<String>,
    /// The state of the never claim in which it observes the state.
    pub claim: Option<u32>,
}

/// A small step: one statement, or two in a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// The number of the step, counted from 1.
    pub step: u64,
    /// Which small step of it this is, counted from 1.
    pub part: u64,
    /// How many small steps it has.
    pub parts: u64,
    /// The process that executes it; in a rendezvous the sender.
    pub by: Mover,
    /// The receiver, in a rendezvous.
    pub partner: Option<Mover>,
    /// The messages that it passes.
    pub messages: Vec<Message>,
    /// The text that it prints.
    pub printed: String,
    /// Its changes: variables, channels, processes that start and end.
    pub changes: Vec<Changed>,
    /// Its violations, in sentences.
    pub faults: Vec<String>,
    /// Shared memory that it reads, with the value read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Seen>,
    /// Synchronisation between threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Locks that the thread holds after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
    /// The propositions that hold after it, for a counterexample to a temporal property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    /// The number of calls that are under way before it, without the first function of the thread.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The calls of C functions that it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The propositions whose value it changes, with the new value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turned: Vec<Turned>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A call of a C function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub function: String,
    /// The parameters with their values; a record has one for each scalar: `m.kind`.
    pub arguments: Vec<Seen>,
}

/// A proposition of a temporal property that changes its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turned {
    /// The proposition, as written.
    pub proposition: String,
    /// Whether it holds now.
    pub holds: bool,
}

impl TraceStep {
    /// A step with this number, of which nothing is known but who executes it.
    #[must_use]
    pub fn of(step: u64, by: Mover) -> TraceStep {
        TraceStep {
            step,
            part: 1,
            parts: 1,
            by,
            partner: None,
            messages: Vec::new(),
            printed: String::new(),
            changes: Vec::new(),
            faults: Vec::new(),
            reads: Vec::new(),
            notes: Vec::new(),
            held: Vec::new(),
            observed: None,
            depth: 0,
            calls: Vec::new(),
            turned: Vec::new(),
        }
    }
}

/// A value that a step reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// The object: `x`, `buffer.slots[2]`.
    pub name: String,
    /// The value, as it is shown.
    pub value: String,
}

/// A synchronisation between threads: a lock is acquired, a thread is woken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// In words: `locks m`, `starts worker(1)`; empty for the mere end of an arrow in a chart.
    pub text: String,
    /// How much it explains; abridged traces keep steps by it.
    #[serde(default, skip_serializing_if = "NoteKind::is_operation")]
    pub kind: NoteKind,
    /// Objects that it gives: arrows of a chart begin here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<String>,
    /// Objects that it takes from the thread that gave them last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
}

/// How much a note says about why an execution is possible at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// An operation of the thread itself: it locks, unlocks, creates.
    #[default]
    Operation,
    /// It reads a nondeterministic value.
    Input,
    /// The thread waits or goes on, or wakes others.
    Waiting,
    /// A nondeterministic outcome that no statement shows: a spurious wake-up or failure, a time-out,
    /// a cancellation.
    Outcome,
}

impl NoteKind {
    fn is_operation(&self) -> bool {
        *self == NoteKind::Operation
    }
}

/// A process that takes part in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mover {
    /// Its number.
    pub pid: u32,
    /// `name(number)`.
    pub process: String,
    /// The location of its statement.
    pub place: Option<PlaceReport>,
    /// Its statement, as written.
    pub statement: String,
}

/// A message that a step passes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// The operation on it.
    pub kind: MessageKind,
    /// The reference to the channel, which tells apart channels of one name.
    pub chan: u32,
    /// The name of the channel.
    pub channel: String,
    /// Its fields, as they are shown.
    pub values: Vec<String>,
}

/// An operation on a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// It is appended to a channel.
    Sent,
    /// It was sent to a full channel and is lost.
    Lost,
    /// It is removed from a channel.
    Received,
    /// It is read and stays in its channel.
    Copied,
    /// It passes from the sender to the receiver in a rendezvous.
    Handed,
}

/// A difference between the states before and after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Changed {
    /// The object: `x`, `P(1):a[2]`, the name of a channel, or a process that starts or ends.
    pub name: String,
    /// The value before; none if the object did not exist.
    pub old: Option<String>,
    /// The value after; none if the object no longer exists.
    pub new: Option<String>,
    /// For an automatic variable of a C function, the depth of the call that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
}

/// The detail of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Statements with changes, messages and output, and all propositions that hold.
    Full,
    /// Statements with changes, messages and output, and the propositions that change.
    Changes,
    /// Processes and statements.
    Short,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A trace of one step that prints a text and fails with it.
    pub(crate) fn single_step(by: Mover, text: &str) -> Trace {
        let step = TraceStep {
            printed: text.into(),
            changes: vec![Changed { name: text.into(), old: None, new: Some(text.into()), frame: None }],
            faults: vec![text.into()],
            ..TraceStep::of(1, by)
        };
        Trace { ending: vec![text.into()], ..Trace::of(vec![step]) }
    }
}
