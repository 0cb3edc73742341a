//! The kinds of violations and of warnings, with their stable names.
//!
//! *Entry points:* [`ViolationKind`], [`WarningKind`].
//! *Invariant:* every engine reports the same defect under the same name, whatever the language.

use crate::fault_kind::FaultKind;
use crate::names::named;

named! {
    /// The kind of a violation. Faults of models have the names of [`FaultKind`].
    ViolationKind {
        /// Assertion violated.
        Assertion = "assertion",
        /// Invalid end state of a model: every process is blocked, one outside of its valid end states.
        InvalidEnd = "invalid-end",
        /// Array index out of bounds.
        IndexOutOfRange = "index-out-of-range",
        /// Division or remainder by zero.
        DivisionByZero = "division-by-zero",
        /// Operation on an invalid channel reference.
        NoChannel = "no-channel",
        /// Send with fewer values than fields.
        TooFewArguments = "too-few-arguments",
        /// Receive with fewer patterns than fields.
        TooFewPatterns = "too-few-patterns",
        /// Send or receive with more arguments than fields.
        TooManyArguments = "too-many-arguments",
        /// Poll of a rendezvous channel.
        RendezvousPoll = "rendezvous-poll",
        /// Rendezvous send inside a `d_step` sequence.
        RendezvousInDeterministic = "rendezvous-in-d_step",
        /// A `d_step` sequence blocks.
        DeterministicBlocks = "d_step-blocks",
        /// An atomic sequence loops forever.
        EndlessSequence = "endless-sequence",
        /// Two edges of a deterministic process are executable.
        NotDeterministic = "not-deterministic",
        /// Process limit exceeded.
        TooManyProcesses = "too-many-processes",
        /// Channel limit exceeded.
        TooManyChannels = "too-many-channels",
        /// Reference to a process that does not exist.
        NoProcess = "no-process",
        /// Priority outside 1 to 255.
        BadPriority = "bad-priority",
        /// Value truncated on assignment.
        Truncation = "truncation",
        /// Messages left in a channel in an end state.
        MessagesLeft = "messages-left",
        /// A temporal formula is violated.
        Formula = "formula",
        /// A never claim reaches its end.
        ClaimEnd = "claim-end",
        /// An assertion of a never claim fails.
        ClaimAssertion = "claim-assertion",
        /// A cycle without progress.
        NonProgressCycle = "non-progress-cycle",
        /// A cycle through an accepting state.
        AcceptanceCycle = "acceptance-cycle",
        /// An event trace is violated.
        EventTrace = "event-trace",
        /// An execution of a C program need not terminate.
        NoEnd = "no-end",
        /// `reach_error()` is called.
        ReachError = "reach-error",
        /// `abort()` is called.
        Abort = "abort",
        /// Null pointer dereference.
        NullPointer = "null-pointer",
        /// Dereference of an integer or of a function.
        InvalidPointer = "invalid-pointer",
        /// Access outside of an object.
        OutOfBounds = "out-of-bounds",
        /// Access to freed memory.
        UseAfterFree = "use-after-free",
        /// Access to an object whose scope has ended.
        UseAfterScope = "use-after-scope",
        /// Write to a constant object.
        WriteToConstant = "write-to-constant",
        /// Double free.
        DoubleFree = "double-free",
        /// `free` of a pointer that `malloc` did not return.
        InvalidFree = "invalid-free",
        /// Signed overflow.
        SignedOverflow = "signed-overflow",
        /// Invalid shift.
        Shift = "shift",
        /// Floating-point value out of the range of an integer type.
        FloatConversion = "float-conversion",
        /// `__builtin_clz(0)` and the like.
        BitsOfZero = "bits-of-zero",
        /// Use of an uninitialised value.
        Uninitialised = "uninitialised",
        /// Comparison of pointers into different objects.
        PointerComparison = "pointer-comparison",
        /// A call that does not match the callee.
        BadCall = "bad-call",
        /// Unreachable code is reached.
        Unreachable = "unreachable",
        /// A missing return value is used.
        NoValue = "no-value",
        /// Computed `goto` to an address that is no label.
        NoLabel = "no-label",
        /// Variable-length array without elements.
        NoElements = "no-elements",
        /// Unsequenced side effects.
        Unsequenced = "unsequenced",
        /// An argument of `printf` does not match its conversion.
        BadFormat = "bad-format",
        /// Unlock by a thread that does not hold the lock.
        UnlockNotHeld = "unlock-not-held",
        /// Use of an uninitialised synchronisation object.
        NotInitialised = "not-initialised",
        /// Use of a destroyed synchronisation object.
        Destroyed = "destroyed",
        /// A synchronisation object is destroyed while in use.
        DestroyBusy = "destroy-busy",
        /// A condition variable is waited for without the mutex.
        WaitNotHeld = "wait-not-held",
        /// Invalid join.
        BadJoin = "bad-join",
        /// Overlap of the arguments of `memcpy`.
        Overlap = "overlap",
        /// Data race.
        DataRace = "data-race",
        /// Every thread is blocked.
        Deadlock = "deadlock",
        /// Every thread is blocked or repeats a loop that waits for a value.
        Livelock = "livelock",
        /// Memory without a pointer to it.
        Leak = "leak",
    } else
    /// A kind of another version.
    Other
}

impl ViolationKind {
    /// The kind of fault of a model with this name.
    pub fn fault(&self) -> Option<FaultKind> {
        FaultKind::named(self.name())
    }
}

impl From<FaultKind> for ViolationKind {
    fn from(kind: FaultKind) -> ViolationKind {
        ViolationKind::from(kind.name())
    }
}

named! {
    /// The kind of a warning.
    WarningKind {
        /// A limit of the semantics was reached; the execution is not continued.
        Limit = "limit",
        /// A feature that is not modelled.
        Unsupported = "unsupported",
        /// A function without a body.
        NoBody = "no-body",
        /// A lock is accessed as ordinary memory.
        Unsure = "unsure",
        /// Weaker executions than the sequentially consistent ones exist.
        WeakOrder = "weak-order",
        /// The order of evaluation is unspecified.
        Order = "order",
        /// A format that is not interpreted.
        Format = "format",
        /// Memory without a pointer to it.
        Leak = "leak",
        /// A program that starts threads has started none.
        Threads = "threads",
        /// A loop whose bound multiplies the states.
        Size = "size",
        /// Missing arguments of the program.
        Arguments = "arguments",
        /// Signals that were not delivered at every step.
        Signal = "signal",
        /// Inputs of which only samples were explored.
        Input = "input",
        /// A clock that does not advance.
        Time = "time",
        /// Results of the operating system of which only one was explored.
        System = "system",
        /// A row of an abstraction table that is not exact, or an assumption of the table.
        Abstraction = "abstraction",
    } else
    /// The code of a diagnostic (`W0301`), or a kind of another version.
    Code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_kind() {
        for kind in ViolationKind::ALL {
            assert_eq!(&ViolationKind::from(kind.name()), kind);
        }
        for kind in WarningKind::ALL {
            assert_eq!(&WarningKind::from(kind.name()), kind);
        }
        assert_eq!(ViolationKind::from("asertion"), ViolationKind::Other("asertion".into()));
        assert_eq!(WarningKind::from("W0301").name(), "W0301");
    }

    #[test]
    fn faults_of_models_are_kinds_of_violations() {
        for fault in FaultKind::all() {
            let kind = ViolationKind::from(fault);
            assert!(!matches!(kind, ViolationKind::Other(_)), "{fault:?}");
            assert_eq!(kind.fault(), Some(fault));
        }
        assert_eq!(ViolationKind::Deadlock.fault(), None);
    }

    #[test]
    fn names_are_the_form_in_json() {
        let text = serde_json::to_string(&[ViolationKind::DataRace, "later".into()]).unwrap();
        assert_eq!(text, r#"["data-race","later"]"#);
        let read: Vec<ViolationKind> = serde_json::from_str(&text).unwrap();
        assert_eq!(read, [ViolationKind::DataRace, ViolationKind::Other("later".into())]);
    }
}
