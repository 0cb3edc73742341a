//! The log of a race: which attempts of the plan were executed, and how each ended.
//!
//! *Entry point:* [`Log`].
//! *Invariant:* an entry names an attempt of the plan.

use crate::plan::attempt::Attempt;

/// How the execution of an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, or by a limit of the check.
    Answered,
    /// It was ended: others had decided, needed its memory, or it was not worth its share.
    Retired,
    /// It continued until the end of the check.
    Open,
}

/// An attempt that was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// The attempt, as in the plan.
    pub attempt: Attempt,
    /// How it ended.
    pub end: End,
}

/// The number of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EntryId(usize);

/// The attempts that were executed, in the order in which they started.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Log(Vec<Executed>);

impl Log {
    /// Notes that an attempt starts.
    pub fn started(&mut self, attempt: &Attempt) -> EntryId {
        self.0.push(Executed { attempt: attempt.clone(), end: End::Open });
        EntryId(self.0.len() - 1)
    }

    /// Notes how an attempt ended.
    pub fn ended(&mut self, EntryId(entry): EntryId, end: End) {
        if let Some(executed) = self.0.get_mut(entry) {
            executed.end = end;
        }
    }

    /// The entries.
    pub fn into_entries(self) -> Vec<Executed> {
        self.0
    }
}
