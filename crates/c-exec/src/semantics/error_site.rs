//! The location of an error in an execution, the accesses of a data race, and the identity under which
//! errors are counted.
//!
//! *Entry point:* [`ErrorSite::identity`].

use crate::semantics::access::Span;
use crate::semantics::error_kind::ErrorKind;
use crate::semantics::outcome::Choice;

/// The error of a state that would have more threads than there may be.
pub const TOO_MANY: ErrorKind = ErrorKind::Limit("more than 100 threads at a time");

/// An error, and the step of the thread that makes it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ErrorSite {
    /// The kind of the error.
    pub error: ErrorKind,
    /// The thread, counted from 0 in order of creation among those that exist.
    pub thread: u32,
    pub(crate) code: u32,
    pub(crate) pc: u32,
    /// The two accesses of a data race: that of `thread`, and that of the other thread.
    pub(crate) accesses: Option<Box<[RaceAccess; 2]>>,
    /// It happens on the way by this thread and choice, and not in the state before.
    pub(crate) during: Option<(u32, Choice)>,
    /// The function of the program and its step: that of the error, or the call that led to a function
    /// of the library. None where the library runs without a call, at the end of a thread.
    pub(crate) user: Option<(u32, u32)>,
}

/// One of the two accesses of a data race.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RaceAccess {
    /// The number of the thread among those that exist; [`u32::MAX`] if it has ended and was
    /// joined.
    pub thread: u32,
    /// The function and the step of the access.
    pub code: u32,
    pub pc: u32,
    /// The bytes of an object.
    pub span: Span,
    pub atomic: bool,
    /// Whether the two accesses are enabled in one state, so that sequentially consistent
    /// executions have both orders.
    pub adjacent: bool,
}

impl RaceAccess {
    /// An access of the step `site` (code and step, as in `Machine::site`).
    pub fn new(thread: u32, site: u32, span: &Span, atomic: bool) -> RaceAccess {
        RaceAccess { thread, code: site >> 20, pc: site & 0xf_ffff, span: *span, atomic, adjacent: true }
    }
}

/// What makes two errors the same, whatever their messages. Deadlocks are distinguished by where
/// the first thread that waits stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Identity {
    /// [`ErrorKind::name`].
    pub kind: String,
    /// Code and step at fault; then those of the other thread of a data race.
    pub steps: Vec<u32>,
}

impl ErrorSite {
    /// Whether the search has to be repeated without transactions.
    #[must_use]
    pub fn is_mixed_lock_access(&self) -> bool {
        self.error == ErrorKind::MixedLockAccess
    }

    /// Whether there were more threads at a time than a state can have.
    #[must_use]
    pub fn is_many_threads(&self) -> bool {
        self.error == TOO_MANY
    }

    /// See [`Identity`].
    #[must_use]
    pub fn identity(&self) -> Identity {
        let other = self.accesses.as_ref().map(|pair| [pair[1].code, pair[1].pc]);
        let steps = [self.code, self.pc].into_iter().chain(other.into_iter().flatten()).collect();
        Identity { kind: self.error.name().to_string(), steps }
    }
}
