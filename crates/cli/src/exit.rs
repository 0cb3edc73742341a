//! The exit codes, which scripts rely on.

use axle_check::{Report, Verdict};

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything that was checked holds (or: the command did what it was asked).
    Holds,
    /// Something is violated.
    Violated,
    /// The input or the command line is at fault.
    Input,
    /// Not known: a limit was met, or something cannot be checked.
    Unknown,
    /// Axle itself is at fault.
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

    /// How a check with this report ends.
    pub fn of(report: &Report) -> Exit {
        let interrupted = report.stop.as_ref().is_some_and(|stop| stop.reason == "interrupted");
        match (&report.internal, report.verdict) {
            (Some(_), _) => Exit::Internal,
            (None, _) if interrupted => Exit::Interrupted,
            (None, Verdict::Violated) => Exit::Violated,
            (None, Verdict::Unknown) => Exit::Unknown,
            (None, Verdict::Holds) => Exit::Holds,
        }
    }
}
