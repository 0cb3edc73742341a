//! The annotations of an execution: for each step what it does, in words. `annotations.rs`
//! makes them.

use crate::observers::omission::Omission;
use crate::state::object_records::ObjectRecords;

/// A value that differs after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What has the value.
    pub name: String,
    /// None where there was no value.
    pub old: Option<String>,
    /// The value after it.
    pub new: String,
}

/// How much a note says about why an execution is possible at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum NoteKind {
    /// An operation of the thread itself: it locks, unlocks, creates, reads input.
    #[default]
    Operation,
    /// The thread waits or goes on, or wakes others.
    Waiting,
    /// A nondeterministic outcome that no statement shows: a spurious wake-up or failure, a time-out,
    /// a cancellation.
    Outcome,
}

/// What happens between threads.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Note {
    /// `locks m`, `starts worker(1)`, ...
    pub text: String,
    /// Which notes an abridged trace keeps.
    pub kind: NoteKind,
    /// What others can take up: an arrow begins here.
    pub gives: Vec<String>,
    /// What is taken up: an arrow ends here.
    pub takes: Vec<String>,
    /// A lock that the thread holds from here on.
    pub acquires: Option<String>,
    /// A lock that it holds no longer.
    pub releases: Option<String>,
}

/// One step of a thread.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedStep {
    /// The thread's place in the state.
    pub thread: usize,
    /// The user's code and step.
    pub code: u32,
    pub pc: u32,
    /// The code and step that was executed: that of the user, or one of the library.
    pub executed: (u32, u32),
    pub reads: Vec<(String, String)>,
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
    pub printed: Vec<u8>,
    /// The function that is entered, and the value of an input.
    pub enters: Option<u32>,
    pub input: Option<String>,
}

/// The annotations of an execution.
#[derive(Clone, Default, Debug)]
pub struct StepAnnotation {
    /// What threads are called: number in order of creation, and name; by their place in the state.
    pub threads: Vec<(u32, String)>,
    /// The objects that stand for them; 0 where a thread is gone.
    pub(crate) objects: Vec<u32>,
    /// Threads that there were.
    pub created: u32,
    /// The history of dynamic objects.
    pub records: ObjectRecords,
    pub annotated: Vec<AnnotatedStep>,
    /// Steps of one transition after which it is cut short, as by an interrupt; none is no limit.
    pub most: Option<usize>,
    /// The steps of the present transition that are left out (`omission.rs`).
    pub(crate) omission: Omission,
}
