//! The annotations of an execution: for each step what it does, in words. `annotations.rs`
//! makes them.

use std::sync::Arc;

use crate::observers::omission::Omission;
use crate::observers::recorders::Machine;
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
    /// For an automatic variable of the thread, the depth of the call that it belongs to.
    pub frame: Option<u32>,
}

/// How much a note says about why an execution is possible at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
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

/// A call of a function of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnteredCall {
    /// Its number among the functions of the program.
    pub code: u32,
    /// Names and values of its parameters; a record has one for each scalar.
    pub arguments: Vec<(String, String)>,
}

/// The values of propositions in a state.
pub type Evaluate = dyn for<'p> Fn(&Machine<'p>) -> Vec<bool> + Send + Sync;

/// The propositions whose values are recorded after each step; none by default.
#[derive(Clone, Default)]
pub struct Evaluation(pub Option<Arc<Evaluate>>);

impl std::fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Evaluation")
    }
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
    /// The number of calls of the user's functions under way before it, without the first function.
    pub depth: u32,
    /// The function that is entered, and the value of an input.
    pub enters: Option<EnteredCall>,
    pub input: Option<String>,
    /// The propositions after it; empty if none are recorded.
    pub letter: Vec<bool>,
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
    /// The propositions that are recorded.
    pub evaluation: Evaluation,
    /// Steps of one transition after which it is cut short, as by an interrupt; none is no limit.
    pub most: Option<usize>,
    /// The steps of the present transition that are left out (`omission.rs`).
    pub(crate) omission: Omission,
}
