//! The checks of a C program: groups of error kinds under the names that options and reports use.

use axle_c_exec::ErrorKind;

/// A group of error kinds that is enabled and decided together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProgramCheck {
    /// Assertions hold, and error functions are not called.
    Assertions,
    /// `abort` is not called (on request; otherwise reachable calls are listed).
    Aborts,
    /// No deadlock and no livelock.
    Deadlocks,
    /// No data race.
    DataRaces,
    /// Every access is within an object whose lifetime has not ended.
    Memory,
    /// Arithmetic has a defined result.
    Arithmetic,
    /// No uninitialised value is used.
    Uninitialised,
    /// Calls match the functions that they reach.
    Calls,
    /// The rules of the pthread API are observed.
    Locks,
    /// All memory is freed (on request; otherwise a warning).
    Leaks,
    /// Every fair execution terminates (on request).
    Termination,
    /// LTL properties of the command line.
    Properties,
}

impl ProgramCheck {
    /// All checks, in the order of reports.
    pub const ALL: [ProgramCheck; 12] = [
        ProgramCheck::Assertions,
        ProgramCheck::Aborts,
        ProgramCheck::Deadlocks,
        ProgramCheck::DataRaces,
        ProgramCheck::Memory,
        ProgramCheck::Arithmetic,
        ProgramCheck::Uninitialised,
        ProgramCheck::Calls,
        ProgramCheck::Locks,
        ProgramCheck::Leaks,
        ProgramCheck::Termination,
        ProgramCheck::Properties,
    ];

    /// Whether the check is enabled by default.
    pub fn by_default(self) -> bool {
        !matches!(self, ProgramCheck::Aborts | ProgramCheck::Leaks | ProgramCheck::Termination)
    }

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            ProgramCheck::Assertions => "assertions",
            ProgramCheck::Aborts => "aborts",
            ProgramCheck::Deadlocks => "deadlocks",
            ProgramCheck::DataRaces => "data-races",
            ProgramCheck::Memory => "memory",
            ProgramCheck::Arithmetic => "arithmetic",
            ProgramCheck::Uninitialised => "uninitialised",
            ProgramCheck::Calls => "calls",
            ProgramCheck::Locks => "locks",
            ProgramCheck::Leaks => "leaks",
            ProgramCheck::Termination => "termination",
            ProgramCheck::Properties => "properties",
        }
    }

    /// The check with this name.
    pub fn named(name: &str) -> Option<ProgramCheck> {
        ProgramCheck::ALL.into_iter().find(|check| check.name() == name)
    }

    /// The property that holds when the check holds.
    pub fn meaning(self) -> &'static str {
        match self {
            ProgramCheck::Assertions => "no assertion fails and no error function is called",
            ProgramCheck::Aborts => "abort() is not reachable",
            ProgramCheck::Deadlocks => "no deadlock",
            ProgramCheck::DataRaces => "no data race",
            ProgramCheck::Memory => "no out-of-bounds access, use-after-free or null dereference",
            ProgramCheck::Arithmetic => "no overflow, division by zero or invalid shift",
            ProgramCheck::Uninitialised => "no use of uninitialised values",
            ProgramCheck::Calls => "every call matches the callee's signature",
            ProgramCheck::Locks => "pthread API used correctly",
            ProgramCheck::Leaks => "all allocated memory is freed",
            ProgramCheck::Termination => "every fair execution terminates",
            ProgramCheck::Properties => "the LTL properties hold",
        }
    }

    /// The check that an error violates; none for errors that are no violations.
    pub fn of(error: &ErrorKind) -> Option<ProgramCheck> {
        Some(match error {
            ErrorKind::Assertion(_) | ErrorKind::ReachError => ProgramCheck::Assertions,
            ErrorKind::Abort => ProgramCheck::Aborts,
            ErrorKind::Deadlock(_) | ErrorKind::Livelock(_) => ProgramCheck::Deadlocks,
            ErrorKind::Race(_) => ProgramCheck::DataRaces,
            ErrorKind::NullPointer
            | ErrorKind::InvalidPointer
            | ErrorKind::OutOfBounds
            | ErrorKind::UseAfterFree
            | ErrorKind::DanglingStack
            | ErrorKind::WriteToConstant
            | ErrorKind::DoubleFree
            | ErrorKind::InvalidFree
            | ErrorKind::PointerComparison
            | ErrorKind::Overlap
            | ErrorKind::NoElements => ProgramCheck::Memory,
            ErrorKind::SignedOverflow
            | ErrorKind::Shift
            | ErrorKind::DivisionByZero
            | ErrorKind::FloatConversion
            | ErrorKind::BitsOfZero
            | ErrorKind::Unsequenced => ProgramCheck::Arithmetic,
            ErrorKind::Uninitialised => ProgramCheck::Uninitialised,
            ErrorKind::BadCall
            | ErrorKind::Format(_)
            | ErrorKind::Unreachable
            | ErrorKind::NoValue
            | ErrorKind::NoLabel => ProgramCheck::Calls,
            ErrorKind::UnlockNotHeld
            | ErrorKind::NotInitialised
            | ErrorKind::Destroyed
            | ErrorKind::DestroyBusy
            | ErrorKind::WaitNotHeld
            | ErrorKind::BadJoin => ProgramCheck::Locks,
            ErrorKind::MixedLockAccess
            | ErrorKind::Limit(_)
            | ErrorKind::Unsupported(_)
            | ErrorKind::Refused(_)
            | ErrorKind::NoBody(_) => {
                return None;
            }
        })
    }
}

/// Every error kind with its check and its explanation.
pub fn kinds() -> Vec<(&'static str, ProgramCheck, &'static str)> {
    let examples = [
        (ErrorKind::Assertion(String::new()), "The argument of `assert` (or `__VERIFIER_assert`) is 0."),
        (ErrorKind::ReachError, "`reach_error` or `__VERIFIER_error` is called."),
        (ErrorKind::Abort, "`abort` or `__builtin_trap` is called."),
        (
            ErrorKind::Deadlock(String::new()),
            "Every thread that has not ended is blocked. The report names what each of them waits for.",
        ),
        (
            ErrorKind::Livelock(String::new()),
            "Every thread that can move repeats a loop that waits for a value of memory that no thread can write.",
        ),
        (
            ErrorKind::Race(String::new()),
            "Two threads access the same bytes, at least one of them writes, not both accesses are atomic, and neither happens before the other (C11 5.1.2.4).",
        ),
        (ErrorKind::NullPointer, "A null pointer, or an offset from one, is dereferenced."),
        (
            ErrorKind::InvalidPointer,
            "The dereferenced value is an integer that is no pointer, or a function.",
        ),
        (ErrorKind::OutOfBounds, "An access lies outside the object, or outside the array within it."),
        (ErrorKind::UseAfterFree, "The accessed block was freed before."),
        (ErrorKind::DanglingStack, "The lifetime of the accessed local variable has ended."),
        (ErrorKind::WriteToConstant, "A string literal or a `const` object is written to."),
        (ErrorKind::DoubleFree, "`free` is called for a block that was freed before."),
        (ErrorKind::InvalidFree, "`free` is called for a pointer that `malloc` did not return."),
        (ErrorKind::PointerComparison, "Pointers into different objects are subtracted or ordered."),
        (ErrorKind::Overlap, "The source and the destination of `memcpy` overlap."),
        (
            ErrorKind::NoElements,
            "A variable-length array is declared with a length of 0 or less (C11 6.7.6.2p5).",
        ),
        (
            ErrorKind::SignedOverflow,
            "The result of signed arithmetic does not fit its type. It may be defined to wrap around, as with `gcc -fwrapv`.",
        ),
        (
            ErrorKind::Shift,
            "The shift distance is negative or not less than the width, the shifted value is negative, or the result does not fit the signed type (C11 6.5.7). The last two are allowed where overflow is defined to wrap around.",
        ),
        (
            ErrorKind::Unsequenced,
            "One expression modifies an object twice, or modifies and reads it, without a sequence point: `i = i++ + 1`, `f(i++, i)` (C11 6.5p2).",
        ),
        (ErrorKind::DivisionByZero, "The divisor of a division or remainder is zero."),
        (
            ErrorKind::BitsOfZero,
            "`__builtin_clz` or `__builtin_ctz` is called with 0, for which gcc defines no result.",
        ),
        (
            ErrorKind::FloatConversion,
            "A floating-point value does not fit the integer type that it is converted to.",
        ),
        (
            ErrorKind::Uninitialised,
            "An uninitialised value is used in a condition, an operation or a dereference. Copying it is allowed.",
        ),
        (ErrorKind::BadCall, "The called value is no function, or the function takes more arguments."),
        (
            ErrorKind::Format(String::new()),
            "An argument of `printf` or a similar function is missing or does not have the type of its conversion (C11 7.21.6.1p9).",
        ),
        (ErrorKind::NoLabel, "`goto *address` jumps to an address that is no label of the function."),
        (ErrorKind::NoValue, "A function whose value is used ends without `return`."),
        (
            ErrorKind::Unreachable,
            "`__builtin_unreachable()` or the end of a function declared `noreturn` is reached.",
        ),
        (ErrorKind::UnlockNotHeld, "A thread releases a lock that it does not hold."),
        (
            ErrorKind::NotInitialised,
            "A mutex, condition variable or attribute is used without initialisation.",
        ),
        (ErrorKind::Destroyed, "A mutex, condition variable or attribute is used after it was destroyed."),
        (ErrorKind::DestroyBusy, "A lock is destroyed while a thread holds it or waits for it."),
        (ErrorKind::WaitNotHeld, "A thread waits on a condition variable without holding the mutex."),
        (ErrorKind::BadJoin, "A thread is joined twice, joins itself, or was detached."),
    ];
    let of = |(error, text): (ErrorKind, &'static str)| {
        ProgramCheck::of(&error).map(|check| (error.name(), check, text))
    };
    let mut kinds: Vec<_> = examples.into_iter().filter_map(of).collect();
    kinds.push((
        "leak",
        ProgramCheck::Leaks,
        "A block from `malloc` becomes unreachable, or the program ends without freeing it.",
    ));
    kinds.push(("no-end", ProgramCheck::Termination, "A fair execution does not terminate."));
    kinds.push(("formula", ProgramCheck::Properties, "An execution violates an LTL property."));
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_checks() {
        for check in ProgramCheck::ALL {
            assert_eq!(ProgramCheck::named(check.name()), Some(check));
            let known = kinds().iter().any(|(_, of, _)| *of == check);
            assert!(known, "{} has a kind of error", check.name());
        }
    }
}
