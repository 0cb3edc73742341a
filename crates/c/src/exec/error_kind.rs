//! What can go wrong while a program is executed. Everything that C leaves undefined has a kind here; what we do not
//! model has one too, and makes a verdict unknown rather than wrong.

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// `assert(...)`: the text of its argument.
    Assertion(String),
    /// `reach_error()` or its like was called.
    ReachError,
    /// `abort` is called ([`Settings::aborts`](super::machine::Settings::aborts)).
    Abort,
    /// An access through a null pointer, or one next to it.
    NullPointer,
    /// An access through a number that is no pointer, or to a function.
    InvalidPointer,
    /// An access outside of the object.
    OutOfBounds,
    /// An access to a heap block that was freed.
    UseAfterFree,
    /// An access to an automatic object whose block has ended.
    DanglingStack,
    /// A write to a string literal, or to an object that is declared `const`.
    WriteToConstant,
    /// `free` of what was freed before.
    DoubleFree,
    /// `free` of what `malloc` did not give.
    InvalidFree,
    /// A result of signed arithmetic that its type cannot hold.
    SignedOverflow,
    /// A shift by a negative number, or by the width or more; a shift to the left of what is negative, or whose result
    /// the signed type cannot hold.
    Shift,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A floating value that the integer type cannot hold.
    FloatConversion,
    /// The zeros before the first bit of zero, or behind its last: `__builtin_clz(0)`.
    BitsOfZero,
    /// A value that nothing was ever stored to decides something.
    Uninitialised,
    /// A subtraction or comparison of pointers into different objects.
    PointerComparison,
    /// A call through what is no pointer to a function, or with too few arguments.
    BadCall,
    /// `__builtin_unreachable()` was reached, or the end of a function that was declared not to return.
    Unreachable,
    /// The end of a function whose value is used.
    NoValue,
    /// `goto *address` to what is no label of the function.
    NoLabel,
    /// An array of variable length has no elements, or a negative number of them (C11 6.7.6.2p5).
    NoElements,
    /// Side effects on one object, or one and a use of its value, that nothing puts in order.
    Unsequenced,
    /// An argument of `printf` is not what the format asks for: what is the matter.
    Format(String),
    /// A lock is released by a thread that does not hold it.
    UnlockNotHeld,
    /// An operation on a mutex, condition variable, ... that was never initialised.
    NotInitialised,
    /// ... or was destroyed.
    Destroyed,
    /// Destroyed while locked or waited for.
    DestroyBusy,
    /// A condition variable is waited for without holding the mutex.
    WaitNotHeld,
    /// A thread is joined twice, joins itself, or was detached.
    BadJoin,
    /// An overlap that `memcpy` does not allow.
    Overlap,
    /// Two accesses to the same memory, not ordered, one of them a write: what they go to.
    Race(String),
    /// No thread can go on.
    Deadlock(String),
    /// Threads wait in loops for what no thread can bring about.
    Livelock(String),
    /// A lock is touched like other memory while others use it. It is not reported: the search is made anew, with a turn
    /// for each access (`transactions.rs`).
    MixedLockAccess,
    /// A limit was met; nothing is known beyond.
    Limit(&'static str),
    /// The program does what we do not model.
    Unsupported(&'static str),
    /// A function without a body was called.
    NoBody(String),
}

impl ErrorKind {
    /// Whether the program is at fault; otherwise the check is, and its verdict unknown.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        !matches!(self, ErrorKind::Limit(_) | ErrorKind::Unsupported(_) | ErrorKind::NoBody(_))
    }

    /// A short name, as it is used in options and reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Assertion(_) => "assertion",
            ErrorKind::ReachError => "reach-error",
            ErrorKind::Abort => "abort",
            ErrorKind::NullPointer => "null-pointer",
            ErrorKind::InvalidPointer => "invalid-pointer",
            ErrorKind::OutOfBounds => "out-of-bounds",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::DanglingStack => "use-after-scope",
            ErrorKind::WriteToConstant => "write-to-constant",
            ErrorKind::DoubleFree => "double-free",
            ErrorKind::InvalidFree => "invalid-free",
            ErrorKind::SignedOverflow => "signed-overflow",
            ErrorKind::Shift => "shift",
            ErrorKind::DivisionByZero => "division-by-zero",
            ErrorKind::FloatConversion => "float-conversion",
            ErrorKind::BitsOfZero => "bits-of-zero",
            ErrorKind::Uninitialised => "uninitialised",
            ErrorKind::PointerComparison => "pointer-comparison",
            ErrorKind::BadCall => "bad-call",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::NoValue => "no-value",
            ErrorKind::NoLabel => "no-label",
            ErrorKind::NoElements => "no-elements",
            ErrorKind::Unsequenced => "unsequenced",
            ErrorKind::Format(_) => "bad-format",
            ErrorKind::UnlockNotHeld => "unlock-not-held",
            ErrorKind::NotInitialised => "not-initialised",
            ErrorKind::Destroyed => "destroyed",
            ErrorKind::DestroyBusy => "destroy-busy",
            ErrorKind::WaitNotHeld => "wait-not-held",
            ErrorKind::BadJoin => "bad-join",
            ErrorKind::Overlap => "overlap",
            ErrorKind::Race(_) => "data-race",
            ErrorKind::Deadlock(_) => "deadlock",
            ErrorKind::Livelock(_) => "livelock",
            ErrorKind::MixedLockAccess => "unsure",
            ErrorKind::Limit(_) => "limit",
            ErrorKind::Unsupported(_) => "unsupported",
            ErrorKind::NoBody(_) => "no-body",
        }
    }

    /// One sentence for people, without a full stop.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            ErrorKind::Assertion(text) if text.is_empty() => "an assertion does not hold".into(),
            ErrorKind::Assertion(text) => format!("the assertion `{text}` does not hold"),
            ErrorKind::ReachError => "the error function is called".into(),
            ErrorKind::Abort => "abort() is called".into(),
            ErrorKind::NullPointer => "a null pointer is dereferenced".into(),
            ErrorKind::InvalidPointer => "what is dereferenced points to no object".into(),
            ErrorKind::OutOfBounds => "the access lies outside of the object".into(),
            ErrorKind::UseAfterFree => "the memory was freed before".into(),
            ErrorKind::DanglingStack => "the variable's block has ended before".into(),
            ErrorKind::WriteToConstant => "a string literal, or what is declared const, is written to".into(),
            ErrorKind::DoubleFree => "the memory is freed a second time".into(),
            ErrorKind::InvalidFree => "what is freed was not allocated".into(),
            ErrorKind::SignedOverflow => "the result does not fit the signed type".into(),
            ErrorKind::Shift => "the shift is by less than 0 or by the width or more, or what is shifted is negative or does not fit".into(),
            ErrorKind::DivisionByZero => "the division is by zero".into(),
            ErrorKind::FloatConversion => "the value does not fit the integer type".into(),
            ErrorKind::BitsOfZero => "`__builtin_clz` and `__builtin_ctz` have no result for zero".into(),
            ErrorKind::Uninitialised => "a value is used that was never set".into(),
            ErrorKind::PointerComparison => "pointers into different objects are subtracted or ordered".into(),
            ErrorKind::BadCall => "what is called is no such function".into(),
            ErrorKind::Unreachable => {
                "a place is reached that is said never to be: `__builtin_unreachable`, or the end of a function that does not return".into()
            }
            ErrorKind::NoValue => "the function ends without the value that it returns".into(),
            ErrorKind::NoLabel => "the address that is jumped to is no label of this function".into(),
            ErrorKind::NoElements => {
                "an array of variable length has no elements, or less than none".into()
            }
            ErrorKind::Unsequenced => {
                "an object is changed twice, or changed and used, and nothing says in which order".into()
            }
            ErrorKind::Format(what) => format!("the format does not fit its arguments: {what}"),
            ErrorKind::UnlockNotHeld => "the lock is released by a thread that does not hold it".into(),
            ErrorKind::NotInitialised => "the object was never initialised".into(),
            ErrorKind::Destroyed => "the object was destroyed before".into(),
            ErrorKind::DestroyBusy => "the object is destroyed while it is in use".into(),
            ErrorKind::WaitNotHeld => "the thread waits without holding the mutex".into(),
            ErrorKind::BadJoin => "the thread cannot be joined".into(),
            ErrorKind::Overlap => "the memory areas overlap".into(),
            ErrorKind::Race(what) => format!("two threads access {what} at once, one of them writes"),
            ErrorKind::Deadlock(who) => format!("deadlock: {who}"),
            ErrorKind::Livelock(who) => format!("no thread can ever get on: {who}"),
            ErrorKind::MixedLockAccess => "a lock is accessed like other memory while others use it".into(),
            ErrorKind::Limit(what) => format!("a limit was met: {what}"),
            ErrorKind::Unsupported(what) => format!("not supported: {what}"),
            ErrorKind::NoBody(name) => format!("undefined function `{name}`: not in the given files, no built-in model"),
        }
    }
}
