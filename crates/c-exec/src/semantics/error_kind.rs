//! Errors of an execution: undefined behaviour of C, violations of assertions and of liveness, and
//! what the model of C does not cover, which makes a verdict unknown.

/// The kind of an error.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// `assert(...)`: the text of its argument.
    Assertion(String),
    /// `reach_error()` or its like was called.
    ReachError,
    /// `abort` is called ([`Settings::aborts`](crate::semantics::settings::Settings::aborts)).
    Abort,
    /// An access through a null pointer, or one next to it.
    NullPointer,
    /// An access through an integer that is no pointer, or to a function.
    InvalidPointer,
    /// An access outside of the object.
    OutOfBounds,
    /// An access to a heap block that was freed.
    UseAfterFree,
    /// An access to an automatic object whose block has ended.
    DanglingStack,
    /// A write to a string literal, or to an object that is declared `const`.
    WriteToConstant,
    /// `free` of a block that was freed.
    DoubleFree,
    /// `free` of a pointer that `malloc` did not return.
    InvalidFree,
    /// A result of signed arithmetic that its type cannot hold.
    SignedOverflow,
    /// A shift by a negative number, or by the width or more; a left shift of a negative value, or
    /// with a result that the signed type cannot represent.
    Shift,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A floating value that the integer type cannot hold.
    FloatConversion,
    /// The zeros before the first bit of zero, or behind its last: `__builtin_clz(0)`.
    BitsOfZero,
    /// An uninitialised value is used.
    Uninitialised,
    /// A subtraction or comparison of pointers into different objects.
    PointerComparison,
    /// A call through a value that is no pointer to a function, or with too few arguments.
    BadCall,
    /// `__builtin_unreachable()` was reached, or the end of a function that was declared not to
    /// return.
    Unreachable,
    /// The end of a function whose value is used.
    NoValue,
    /// `goto *address` to an address that is no label of the function.
    NoLabel,
    /// An array of variable length has no elements, or a negative number of them (C11 6.7.6.2p5).
    NoElements,
    /// Unsequenced side effects on one object, or a side effect and a use of its value (C11 6.5p2).
    Unsequenced,
    /// An argument of `printf` does not match its conversion: the mismatch.
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
    /// Two conflicting accesses that happens-before does not order: the name of the memory.
    Race(String),
    /// Every thread is blocked: what each waits for.
    Deadlock(String),
    /// Every thread that is not blocked repeats a loop that waits for a value that no thread
    /// writes.
    Livelock(String),
    /// A lock is accessed as ordinary memory while other threads use it. Not reported: the search
    /// is repeated without transactions (`transactions.rs`).
    MixedLockAccess,
    /// A limit was reached; the execution is not continued.
    Limit(&'static str),
    /// The program uses a feature that is not modelled.
    Unsupported(&'static str),
    /// The same, found by a library function that is written in C.
    Refused(String),
    /// A function without a body was called.
    NoBody(String),
}

impl ErrorKind {
    /// Whether the program violates a check; otherwise the verdict is unknown.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        !matches!(
            self,
            ErrorKind::Limit(_) | ErrorKind::Unsupported(_) | ErrorKind::Refused(_) | ErrorKind::NoBody(_)
        )
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
            ErrorKind::Unsupported(_) | ErrorKind::Refused(_) => "unsupported",
            ErrorKind::NoBody(_) => "no-body",
        }
    }

    /// One sentence without a full stop. Reports name objects and locations in addition.
    #[must_use]
    pub fn message(&self) -> String {
        let text = match self {
            ErrorKind::Assertion(text) if text.is_empty() => "assertion violated",
            ErrorKind::Assertion(text) => return format!("assertion violated: {text}"),
            ErrorKind::ReachError => "reach_error() called",
            ErrorKind::Abort => "abort() called",
            ErrorKind::NullPointer => "null pointer dereference",
            ErrorKind::InvalidPointer => "dereference of a value that is no pointer to an object",
            ErrorKind::OutOfBounds => "access out of bounds",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::DanglingStack => "use after scope: the lifetime of the local variable has ended",
            ErrorKind::WriteToConstant => "write to a string literal or a const object",
            ErrorKind::DoubleFree => "double free",
            ErrorKind::InvalidFree => "invalid free: malloc did not return the pointer",
            ErrorKind::SignedOverflow => "signed integer overflow",
            ErrorKind::Shift => {
                "invalid shift: distance negative or not less than the width, operand negative, or result not representable"
            }
            ErrorKind::DivisionByZero => "division by zero",
            ErrorKind::FloatConversion => "floating-point value out of range of the integer type",
            ErrorKind::BitsOfZero => "`__builtin_clz` or `__builtin_ctz` of zero",
            ErrorKind::Uninitialised => "use of an uninitialised value",
            ErrorKind::PointerComparison => {
                "subtraction or relational comparison of pointers into different objects"
            }
            ErrorKind::BadCall => "the call does not match the callee's signature",
            ErrorKind::Unreachable => {
                "`__builtin_unreachable()` or the end of a function declared noreturn is reached"
            }
            ErrorKind::NoValue => "the function ends without returning the value that is used",
            ErrorKind::NoLabel => "computed goto to an address that is no label of the function",
            ErrorKind::NoElements => "variable-length array with a length of 0 or less",
            ErrorKind::Unsequenced => "unsequenced modification of and access to an object",
            ErrorKind::Format(what) => return format!("format and argument do not match: {what}"),
            ErrorKind::UnlockNotHeld => "unlock by a thread that does not hold the lock",
            ErrorKind::NotInitialised => "use of a synchronisation object that is not initialised",
            ErrorKind::Destroyed => "use of a synchronisation object that was destroyed",
            ErrorKind::DestroyBusy => "a synchronisation object is destroyed while it is in use",
            ErrorKind::WaitNotHeld => "wait on a condition variable without holding the mutex",
            ErrorKind::BadJoin => "invalid join: the thread was joined, was detached, or joins itself",
            ErrorKind::Overlap => "source and destination overlap",
            ErrorKind::Race(what) => return format!("data race over {what}"),
            ErrorKind::Deadlock(who) => return format!("deadlock: {who}"),
            ErrorKind::Livelock(who) => return format!("livelock: no thread can make progress: {who}"),
            ErrorKind::MixedLockAccess => "a lock is accessed as ordinary memory while threads use it",
            ErrorKind::Limit(what) => return format!("limit reached: {what}"),
            ErrorKind::Unsupported(what) => return format!("not supported: {what}"),
            ErrorKind::Refused(what) => return format!("not supported: {what}"),
            ErrorKind::NoBody(name) => {
                return format!("undefined function `{name}`: not in the given files, no built-in model");
            }
        };
        text.to_string()
    }
}
