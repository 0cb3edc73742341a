//! The location of an error in an execution, the accesses of a data race, and the site under which
//! errors are counted.
//!
//! *Entry point:* [`ErrorSite::site`].

use axle_step::{FaultKind, FaultSite};

use crate::state::access::Span;
use crate::state::error_kind::{ErrorClass, ErrorKind};
use crate::state::outcome::Choice;

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

/// The place of a defect in a program, by content: the class of the error, and the step that makes it.
/// Two errors are the same defect if and only if their sites are equal, whatever their messages, the
/// threads that make them and the thread of the search that has found them. Deadlocks are
/// distinguished by where the first thread that waits stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramSite {
    /// The class of the error.
    pub class: ErrorClass,
    /// The step at fault: the number of its function in the program, and its own in the function.
    pub step: (u32, u32),
    /// The step of the other thread of a data race.
    pub other: Option<(u32, u32)>,
}

impl ProgramSite {
    /// The site of a trail: the name of the class, and the numbers of [`ProgramSite::numbers`].
    #[must_use]
    pub fn of_numbers(class: &str, numbers: &[u32]) -> Option<ProgramSite> {
        let class = ErrorClass::named(class)?;
        match *numbers {
            [code, pc] => Some(ProgramSite { class, step: (code, pc), other: None }),
            [code, pc, other, at] => Some(ProgramSite { class, step: (code, pc), other: Some((other, at)) }),
            _ => None,
        }
    }

    /// Function and step at fault; then those of the other thread of a data race.
    #[must_use]
    pub fn numbers(self) -> Vec<u32> {
        let other = self.other.map(|(code, pc)| [code, pc]);
        [self.step.0, self.step.1].into_iter().chain(other.into_iter().flatten()).collect()
    }
}

impl FaultSite for ProgramSite {
    /// A stepper ignores errors by their names ([`Stepper::ignore`](crate::Stepper::ignore)).
    fn kind(&self) -> Option<FaultKind> {
        None
    }

    /// The numbers in 4 bytes each, their count in the first byte, and the name of the class.
    fn encode(&self) -> Vec<u8> {
        let numbers = self.numbers();
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        std::iter::once(numbers.len() as u8).chain(bytes).chain(self.class.name().bytes()).collect()
    }

    fn decode(bytes: &[u8]) -> Option<ProgramSite> {
        let (&count, bytes) = bytes.split_first()?;
        let (numbers, name) = bytes.split_at_checked(4 * usize::from(count))?;
        let numbers: Vec<u32> = numbers
            .chunks_exact(4)
            .map(|four| u32::from_le_bytes(std::array::from_fn(|at| four[at])))
            .collect();
        ProgramSite::of_numbers(std::str::from_utf8(name).ok()?, &numbers)
    }
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

    /// See [`ProgramSite`].
    #[must_use]
    pub fn site(&self) -> ProgramSite {
        let other = self.accesses.as_ref().map(|pair| (pair[1].code, pair[1].pc));
        ProgramSite { class: self.error.class(), step: (self.code, self.pc), other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_read_back_from_their_bytes_and_from_a_trail() {
        for class in ErrorClass::ALL {
            for other in [None, Some((0, 0)), Some((u32::MAX, 7))] {
                let site = ProgramSite { class, step: (3, u32::MAX), other };
                assert_eq!(ProgramSite::decode(&site.encode()), Some(site));
                assert_eq!(ProgramSite::of_numbers(class.name(), &site.numbers()), Some(site));
            }
        }
        assert_eq!(ProgramSite::decode(&[]), None);
        assert_eq!(ProgramSite::decode(b"\x01\0\0\0\0deadlock"), None);
        assert_eq!(ProgramSite::decode(b"\x02\0\0\0\0\0\0\0\0dead"), None);
        assert_eq!(ProgramSite::of_numbers("no-such-error", &[0, 0]), None);
    }
}
