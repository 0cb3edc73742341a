//! The exit codes, which scripts rely on.

use axle_check::{Report, Verdict};
use axle_outcome::StopReason;

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything that was checked holds (other commands: success).
    Holds,
    /// A check or property is violated.
    Violated,
    /// Input error, or invalid command line.
    Input,
    /// Undecided: a limit was reached, or a check is not possible.
    Unknown,
    /// Internal error.
    Internal,
    /// Interrupted before there was an answer.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Input => 2,
            Exit::Unknown => 3,
            Exit::Internal => 4,
            Exit::Interrupted => 130,
        }
    }

    /// The worst of several: internal error, interrupted, input error, violated, unknown, holds.
    pub fn worst(exits: impl IntoIterator<Item = Exit>) -> Exit {
        let rank = |exit: &Exit| match exit {
            Exit::Holds => 0,
            Exit::Unknown => 1,
            Exit::Violated => 2,
            Exit::Input => 3,
            Exit::Interrupted => 4,
            Exit::Internal => 5,
        };
        exits.into_iter().max_by_key(rank).unwrap_or(Exit::Holds)
    }

    /// The exit code of a check with this report.
    pub fn of(report: &Report) -> Exit {
        let interrupted = report.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Interrupted);
        match (&report.internal, report.verdict) {
            (Some(_), _) => Exit::Internal,
            (None, _) if interrupted => Exit::Interrupted,
            (None, Verdict::Violated) => Exit::Violated,
            (None, Verdict::Unknown) => Exit::Unknown,
            (None, Verdict::Holds) => Exit::Holds,
        }
    }
}
