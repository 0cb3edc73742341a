//! Errors of an execution: undefined behaviour of C, violations of assertions and of liveness, and
//! what the model of C does not cover, which makes a verdict unknown.

/// The kind of an error.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// `assert(...)`: the text of its argument.
    Assertion(String),
    /// `reach_error()` or its like was called.
    ReachError,
    /// `abort` is called ([`Settings::aborts`](crate::state::settings::Settings::aborts)).
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

    /// The kind without the details of one error.
    #[must_use]
    pub fn class(&self) -> ErrorClass {
        match self {
            ErrorKind::Assertion(_) => ErrorClass::Assertion,
            ErrorKind::ReachError => ErrorClass::ReachError,
            ErrorKind::Abort => ErrorClass::Abort,
            ErrorKind::NullPointer => ErrorClass::NullPointer,
            ErrorKind::InvalidPointer => ErrorClass::InvalidPointer,
            ErrorKind::OutOfBounds => ErrorClass::OutOfBounds,
            ErrorKind::UseAfterFree => ErrorClass::UseAfterFree,
            ErrorKind::DanglingStack => ErrorClass::DanglingStack,
            ErrorKind::WriteToConstant => ErrorClass::WriteToConstant,
            ErrorKind::DoubleFree => ErrorClass::DoubleFree,
            ErrorKind::InvalidFree => ErrorClass::InvalidFree,
            ErrorKind::SignedOverflow => ErrorClass::SignedOverflow,
            ErrorKind::Shift => ErrorClass::Shift,
            ErrorKind::DivisionByZero => ErrorClass::DivisionByZero,
            ErrorKind::FloatConversion => ErrorClass::FloatConversion,
            ErrorKind::BitsOfZero => ErrorClass::BitsOfZero,
            ErrorKind::Uninitialised => ErrorClass::Uninitialised,
            ErrorKind::PointerComparison => ErrorClass::PointerComparison,
            ErrorKind::BadCall => ErrorClass::BadCall,
            ErrorKind::Unreachable => ErrorClass::Unreachable,
            ErrorKind::NoValue => ErrorClass::NoValue,
            ErrorKind::NoLabel => ErrorClass::NoLabel,
            ErrorKind::NoElements => ErrorClass::NoElements,
            ErrorKind::Unsequenced => ErrorClass::Unsequenced,
            ErrorKind::Format(_) => ErrorClass::Format,
            ErrorKind::UnlockNotHeld => ErrorClass::UnlockNotHeld,
            ErrorKind::NotInitialised => ErrorClass::NotInitialised,
            ErrorKind::Destroyed => ErrorClass::Destroyed,
            ErrorKind::DestroyBusy => ErrorClass::DestroyBusy,
            ErrorKind::WaitNotHeld => ErrorClass::WaitNotHeld,
            ErrorKind::BadJoin => ErrorClass::BadJoin,
            ErrorKind::Overlap => ErrorClass::Overlap,
            ErrorKind::Race(_) => ErrorClass::Race,
            ErrorKind::Deadlock(_) => ErrorClass::Deadlock,
            ErrorKind::Livelock(_) => ErrorClass::Livelock,
            ErrorKind::MixedLockAccess => ErrorClass::MixedLockAccess,
            ErrorKind::Limit(_) => ErrorClass::Limit,
            ErrorKind::Unsupported(_) | ErrorKind::Refused(_) => ErrorClass::Unsupported,
            ErrorKind::NoBody(_) => ErrorClass::NoBody,
        }
    }

    /// A short name, as it is used in options and reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.class().name()
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

/// The kind of an error without its details: the part by which options, reports and trails name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorClass {
    /// `assertion`.
    Assertion,
    /// `reach-error`.
    ReachError,
    /// `abort`.
    Abort,
    /// `null-pointer`.
    NullPointer,
    /// `invalid-pointer`.
    InvalidPointer,
    /// `out-of-bounds`.
    OutOfBounds,
    /// `use-after-free`.
    UseAfterFree,
    /// `use-after-scope`.
    DanglingStack,
    /// `write-to-constant`.
    WriteToConstant,
    /// `double-free`.
    DoubleFree,
    /// `invalid-free`.
    InvalidFree,
    /// `signed-overflow`.
    SignedOverflow,
    /// `shift`.
    Shift,
    /// `division-by-zero`.
    DivisionByZero,
    /// `float-conversion`.
    FloatConversion,
    /// `bits-of-zero`.
    BitsOfZero,
    /// `uninitialised`.
    Uninitialised,
    /// `pointer-comparison`.
    PointerComparison,
    /// `bad-call`.
    BadCall,
    /// `unreachable`.
    Unreachable,
    /// `no-value`.
    NoValue,
    /// `no-label`.
    NoLabel,
    /// `no-elements`.
    NoElements,
    /// `unsequenced`.
    Unsequenced,
    /// `bad-format`.
    Format,
    /// `unlock-not-held`.
    UnlockNotHeld,
    /// `not-initialised`.
    NotInitialised,
    /// `destroyed`.
    Destroyed,
    /// `destroy-busy`.
    DestroyBusy,
    /// `wait-not-held`.
    WaitNotHeld,
    /// `bad-join`.
    BadJoin,
    /// `overlap`.
    Overlap,
    /// `data-race`.
    Race,
    /// `deadlock`.
    Deadlock,
    /// `livelock`.
    Livelock,
    /// `unsure`.
    MixedLockAccess,
    /// `limit`.
    Limit,
    /// `unsupported`.
    Unsupported,
    /// `no-body`.
    NoBody,
}

impl ErrorClass {
    /// All of them, in the order of the kinds.
    pub const ALL: [ErrorClass; 39] = [
        ErrorClass::Assertion,
        ErrorClass::ReachError,
        ErrorClass::Abort,
        ErrorClass::NullPointer,
        ErrorClass::InvalidPointer,
        ErrorClass::OutOfBounds,
        ErrorClass::UseAfterFree,
        ErrorClass::DanglingStack,
        ErrorClass::WriteToConstant,
        ErrorClass::DoubleFree,
        ErrorClass::InvalidFree,
        ErrorClass::SignedOverflow,
        ErrorClass::Shift,
        ErrorClass::DivisionByZero,
        ErrorClass::FloatConversion,
        ErrorClass::BitsOfZero,
        ErrorClass::Uninitialised,
        ErrorClass::PointerComparison,
        ErrorClass::BadCall,
        ErrorClass::Unreachable,
        ErrorClass::NoValue,
        ErrorClass::NoLabel,
        ErrorClass::NoElements,
        ErrorClass::Unsequenced,
        ErrorClass::Format,
        ErrorClass::UnlockNotHeld,
        ErrorClass::NotInitialised,
        ErrorClass::Destroyed,
        ErrorClass::DestroyBusy,
        ErrorClass::WaitNotHeld,
        ErrorClass::BadJoin,
        ErrorClass::Overlap,
        ErrorClass::Race,
        ErrorClass::Deadlock,
        ErrorClass::Livelock,
        ErrorClass::MixedLockAccess,
        ErrorClass::Limit,
        ErrorClass::Unsupported,
        ErrorClass::NoBody,
    ];

    /// The name in options, reports and trails.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Assertion => "assertion",
            ErrorClass::ReachError => "reach-error",
            ErrorClass::Abort => "abort",
            ErrorClass::NullPointer => "null-pointer",
            ErrorClass::InvalidPointer => "invalid-pointer",
            ErrorClass::OutOfBounds => "out-of-bounds",
            ErrorClass::UseAfterFree => "use-after-free",
            ErrorClass::DanglingStack => "use-after-scope",
            ErrorClass::WriteToConstant => "write-to-constant",
            ErrorClass::DoubleFree => "double-free",
            ErrorClass::InvalidFree => "invalid-free",
            ErrorClass::SignedOverflow => "signed-overflow",
            ErrorClass::Shift => "shift",
            ErrorClass::DivisionByZero => "division-by-zero",
            ErrorClass::FloatConversion => "float-conversion",
            ErrorClass::BitsOfZero => "bits-of-zero",
            ErrorClass::Uninitialised => "uninitialised",
            ErrorClass::PointerComparison => "pointer-comparison",
            ErrorClass::BadCall => "bad-call",
            ErrorClass::Unreachable => "unreachable",
            ErrorClass::NoValue => "no-value",
            ErrorClass::NoLabel => "no-label",
            ErrorClass::NoElements => "no-elements",
            ErrorClass::Unsequenced => "unsequenced",
            ErrorClass::Format => "bad-format",
            ErrorClass::UnlockNotHeld => "unlock-not-held",
            ErrorClass::NotInitialised => "not-initialised",
            ErrorClass::Destroyed => "destroyed",
            ErrorClass::DestroyBusy => "destroy-busy",
            ErrorClass::WaitNotHeld => "wait-not-held",
            ErrorClass::BadJoin => "bad-join",
            ErrorClass::Overlap => "overlap",
            ErrorClass::Race => "data-race",
            ErrorClass::Deadlock => "deadlock",
            ErrorClass::Livelock => "livelock",
            ErrorClass::MixedLockAccess => "unsure",
            ErrorClass::Limit => "limit",
            ErrorClass::Unsupported => "unsupported",
            ErrorClass::NoBody => "no-body",
        }
    }

    /// The class with this name.
    #[must_use]
    pub fn named(text: &str) -> Option<ErrorClass> {
        ErrorClass::ALL.into_iter().find(|class| class.name() == text)
    }
}
