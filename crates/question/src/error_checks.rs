//! The checks that the errors of C programs violate.
//!
//! *Entry points:* [`of_error`], [`kinds`].

use axle_c_exec::ErrorKind;

use crate::checks::Check;

/// The check that an error violates; none for errors that are no violations.
pub fn of_error(error: &ErrorKind) -> Option<Check> {
    Some(match error {
        ErrorKind::Assertion(_) | ErrorKind::ReachError => Check::Assertions,
        ErrorKind::Abort => Check::Aborts,
        ErrorKind::Deadlock(_) | ErrorKind::Livelock(_) => Check::Deadlocks,
        ErrorKind::Race(_) => Check::DataRaces,
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
        | ErrorKind::NoElements => Check::Memory,
        ErrorKind::SignedOverflow
        | ErrorKind::Shift
        | ErrorKind::DivisionByZero
        | ErrorKind::FloatConversion
        | ErrorKind::BitsOfZero
        | ErrorKind::Unsequenced => Check::Arithmetic,
        ErrorKind::Uninitialised => Check::Uninitialised,
        ErrorKind::BadCall
        | ErrorKind::Format(_)
        | ErrorKind::Unreachable
        | ErrorKind::NoValue
        | ErrorKind::NoLabel => Check::Calls,
        ErrorKind::UnlockNotHeld
        | ErrorKind::NotInitialised
        | ErrorKind::Destroyed
        | ErrorKind::DestroyBusy
        | ErrorKind::WaitNotHeld
        | ErrorKind::BadJoin => Check::Locks,
        ErrorKind::MixedLockAccess
        | ErrorKind::Limit(_)
        | ErrorKind::Unsupported(_)
        | ErrorKind::Refused(_)
        | ErrorKind::NoBody(_) => {
            return None;
        }
    })
}

/// Every error kind with its check and its explanation.
pub fn kinds() -> Vec<(&'static str, Check, &'static str)> {
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
    let of =
        |(error, text): (ErrorKind, &'static str)| of_error(&error).map(|check| (error.name(), check, text));
    let mut kinds: Vec<_> = examples.into_iter().filter_map(of).collect();
    kinds.push((
        "leak",
        Check::Leaks,
        "A block from `malloc` becomes unreachable, or the program ends without freeing it.",
    ));
    kinds.push(("no-end", Check::Termination, "A fair execution does not terminate."));
    kinds.push(("formula", Check::Properties, "An execution violates an LTL property."));
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::SystemKind;

    #[test]
    fn names_lead_back_to_their_checks() {
        for check in Check::PROGRAMS {
            assert_eq!(Check::named(check.name(), SystemKind::Program), Some(check));
            let known = kinds().iter().any(|(_, of, _)| *of == check);
            assert!(known, "{} has a kind of error", check.name());
        }
    }
}
