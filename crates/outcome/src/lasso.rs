//! Counterexample of a claim: a path from the initial state and, for a liveness property, a cycle.
//!
//! Every step identifies the claim's edge and the system's successor by position, so a replay on
//! the interpreter needs nothing else: start in the claim location [`Lasso::start`] and the initial
//! state; for each step look up the claim's edge, check its guard in the state, and take the
//! successor.

use serde::{Deserialize, Serialize};

/// One step of the product of system and claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LassoStep {
    /// Index of the claim's edge among those of its location.
    pub edge: u32,
    /// Index of the system's successor; `None` for a stutter step, if no process is enabled.
    pub system: Option<u32>,
}

/// A path from the initial state and a cycle.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Lasso {
    /// Location of the claim at the start.
    pub start: u32,
    /// Steps from the initial product state to the first state of the cycle.
    pub prefix: Vec<LassoStep>,
    /// Steps of the cycle, back to the same product state; at least one.
    pub cycle: Vec<LassoStep>,
}

/// A finite path from the initial state to a product state, in which the claim takes an edge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Prefix {
    /// Location of the claim at the start.
    pub start: u32,
    /// Steps from the initial product state.
    pub steps: Vec<LassoStep>,
}
