//! What can be asked of a C program: groups of troubles under the names that options and reports use.

use axle_c::ErrorKind;

/// A group of troubles that is checked, or not, together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProgramCheck {
    /// Assertions hold, and error functions are not called.
    Assertions,
    /// Some thread can always get on, until all have ended.
    Deadlocks,
    /// No two threads access the same memory at once, one of them writing.
    DataRaces,
    /// Accesses stay within objects that exist.
    Memory,
    /// Arithmetic has a result that its type can hold.
    Arithmetic,
    /// No value is used before it was set.
    Uninitialised,
    /// Calls lead to functions that fit them, and these give what they promise.
    Calls,
    /// Locks and threads are used as their rules say.
    Locks,
    /// All memory is freed (on request; otherwise a warning).
    Leaks,
    /// Every fair run comes to its end (on request).
    Termination,
    /// Formulas of the command line.
    Properties,
}

impl ProgramCheck {
    /// All of them, in the order of reports.
    pub const ALL: [ProgramCheck; 11] = [
        ProgramCheck::Assertions,
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

    /// Whether it is checked unless someone says otherwise.
    pub fn by_default(self) -> bool {
        !matches!(self, ProgramCheck::Leaks | ProgramCheck::Termination)
    }

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            ProgramCheck::Assertions => "assertions",
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

    /// What it means that the check holds.
    pub fn meaning(self) -> &'static str {
        match self {
            ProgramCheck::Assertions => "no assertion fails and no error function is called",
            ProgramCheck::Deadlocks => "some thread can always get on",
            ProgramCheck::DataRaces => "no two threads access the same memory at once, one of them writing",
            ProgramCheck::Memory => "every access stays within an object that exists",
            ProgramCheck::Arithmetic => "arithmetic has results that its types can hold",
            ProgramCheck::Uninitialised => "no value is used that was never set",
            ProgramCheck::Calls => "calls lead to functions that fit them",
            ProgramCheck::Locks => "locks and threads are used as their rules say",
            ProgramCheck::Leaks => "all memory is freed in the end",
            ProgramCheck::Termination => "the program comes to its end, if no thread is held up for ever",
            ProgramCheck::Properties => "what was stated of all runs is true",
        }
    }

    /// The check that a trouble violates; none for what is no violation.
    pub fn of(error: &ErrorKind) -> Option<ProgramCheck> {
        Some(match error {
            ErrorKind::Assertion(_) | ErrorKind::ReachError => ProgramCheck::Assertions,
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
            | ErrorKind::NoBody(_) => {
                return None;
            }
        })
    }
}

/// Every kind of trouble, with its check and what it means.
pub fn kinds() -> Vec<(&'static str, ProgramCheck, &'static str)> {
    let examples = [
        (ErrorKind::Assertion(String::new()), "The argument of `assert` (or `__VERIFIER_assert`) is 0."),
        (ErrorKind::ReachError, "`reach_error` or `__VERIFIER_error` is called."),
        (
            ErrorKind::Deadlock(String::new()),
            "No thread can go on, and not all have ended. The report says who waits for what.",
        ),
        (
            ErrorKind::Livelock(String::new()),
            "Whoever can go on only goes round in a loop that looks at memory, for what nobody can bring about.",
        ),
        (
            ErrorKind::Race(String::new()),
            "Two threads stand before accesses to the same bytes, at least one of them writes, and not both are atomic (C11 5.1.2.4).",
        ),
        (ErrorKind::NullPointer, "A null pointer, or one next to it, is dereferenced."),
        (ErrorKind::InvalidPointer, "What is dereferenced is a number that is no pointer, or a function."),
        (ErrorKind::OutOfBounds, "An access lies outside of the object, or outside of the array inside it."),
        (ErrorKind::UseAfterFree, "The memory was freed before."),
        (ErrorKind::DanglingStack, "The block of the local variable has ended before."),
        (ErrorKind::WriteToConstant, "A string literal is written to."),
        (ErrorKind::DoubleFree, "`free` of what was freed before."),
        (ErrorKind::InvalidFree, "`free` of what `malloc` did not give."),
        (ErrorKind::PointerComparison, "Pointers into different objects are subtracted or ordered."),
        (ErrorKind::Overlap, "The areas of a `memcpy` overlap."),
        (
            ErrorKind::NoElements,
            "An array of variable length is declared with a length of 0 or less (C11 6.7.6.2p5).",
        ),
        (
            ErrorKind::SignedOverflow,
            "The result of signed arithmetic does not fit its type. `--wrap` lets it wrap around, as `gcc -fwrapv` does.",
        ),
        (
            ErrorKind::Shift,
            "The distance of a shift is negative, or not less than the width; or what is shifted to the left is negative, or the result does not fit the signed type (C11 6.5.7, whatever gcc makes of it; `--wrap` allows these two).",
        ),
        (
            ErrorKind::Unsequenced,
            "An object is changed twice in one expression, or changed and used, and nothing says in which order: `i = i++ + 1`, `f(i++, i)` (C11 6.5p2).",
        ),
        (ErrorKind::DivisionByZero, "Division or remainder by zero."),
        (
            ErrorKind::BitsOfZero,
            "The leading or trailing zeros of zero are asked for, which gcc leaves undefined.",
        ),
        (
            ErrorKind::FloatConversion,
            "A floating value does not fit the integer type that it is converted to.",
        ),
        (
            ErrorKind::Uninitialised,
            "A value that was never set decides something, is computed with, or is dereferenced. Copying it is fine.",
        ),
        (ErrorKind::BadCall, "What is called is no function, or takes more arguments."),
        (
            ErrorKind::Format(String::new()),
            "An argument of `printf` or one of its like is not of the type that the format asks for, or is not there (C11 7.21.6.1p9).",
        ),
        (ErrorKind::NoLabel, "`goto *address` jumps to what is no label of the function."),
        (ErrorKind::NoValue, "A function whose value is used ends without `return`."),
        (
            ErrorKind::Unreachable,
            "`__builtin_unreachable()` is reached, or the end of a function that was declared not to return.",
        ),
        (ErrorKind::UnlockNotHeld, "A thread releases a lock that it does not hold."),
        (ErrorKind::NotInitialised, "A mutex, condition variable, ... was never initialised."),
        (ErrorKind::Destroyed, "... or was destroyed before."),
        (ErrorKind::DestroyBusy, "A lock is destroyed while it is held or waited for."),
        (ErrorKind::WaitNotHeld, "A thread waits for a condition variable without holding the mutex."),
        (ErrorKind::BadJoin, "A thread is joined twice, joins itself, or was detached."),
    ];
    let of = |(error, text): (ErrorKind, &'static str)| {
        ProgramCheck::of(&error).map(|check| (error.name(), check, text))
    };
    let mut kinds: Vec<_> = examples.into_iter().filter_map(of).collect();
    kinds.push((
        "leak",
        ProgramCheck::Leaks,
        "Memory from `malloc` is lost, or the program ends without freeing it.",
    ));
    kinds.push((
        "no-end",
        ProgramCheck::Termination,
        "A run goes on for ever, though no thread that could always move is held up.",
    ));
    kinds.push(("formula", ProgramCheck::Properties, "A run does not satisfy a formula."));
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
