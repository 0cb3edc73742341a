//! Answers of the proof methods.
//!
//! *Entry point:* [`Answer`].

use axle_outcome::Stop;

use crate::circuit::Trace;
use crate::invariant::Invariant;

/// The answer of an engine to the question whether a bad state is reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A bad state is reachable.
    Violated(Trace),
    /// No bad state is reachable, by this invariant.
    Holds(Invariant),
    /// The search ended without an answer.
    Unknown(Stop),
}
