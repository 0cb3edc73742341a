//! The alternatives of a step, and its result.

use crate::state::error_kind::ErrorKind;

/// Which alternative of a step to execute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Execute this alternative.
    Take(u32),
    /// Execute the step if it has one alternative, or else return their number
    /// ([`Done::Choices`]).
    Ask,
}

impl Choice {
    /// Whether the number of alternatives is asked for.
    pub fn asks(self) -> bool {
        self == Choice::Ask
    }

    /// The number of the alternative. A step that is executed under [`Choice::Ask`] has only
    /// alternative 0.
    pub fn number(self) -> u32 {
        match self {
            Choice::Ask => 0,
            Choice::Take(number) => number,
        }
    }
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// The step was executed.
    Next,
    /// The step is not enabled; nothing has changed.
    Blocked,
    /// The step has this number of alternatives; nothing has changed.
    Choices(u32),
    /// This course of events is not looked at (an assumption does not hold).
    Discarded,
}

pub type Outcome = Result<Done, ErrorKind>;
