//! The plan of a check: the attempts to decide its properties, as data.
//!
//! A check is a race of attempts. One is the exact search for violations of states and steps, one
//! for each temporal property is the exact search for an execution that violates it; the others
//! find violations sooner but prove nothing. The plan states what is attempted, with which share of
//! the work, from when on, and what may be concluded. `race.rs` executes it.
//!
//! *Entry points:* [`of_model`], [`programs::attempts`].
//! *Invariant:* only exact attempts conclude that a property holds.

pub mod attempt;
pub(crate) mod engines;
mod models;
pub(crate) mod programs;

pub use attempt::{Attempt, Fraction, Kind, Share, Target};
pub use axle_question::EngineId;
pub(crate) use models::attempts;
pub use models::of_model;
