//! What a search for a run that a claim describes is asked for, and what it comes back with.

use axle_step::FaultKind;

use crate::claim::Atom;
use crate::lasso::{Lasso, Prefix};
use crate::limits::Stop;
use crate::outcome::Memory;

/// What is assumed of the scheduler. A process *is enabled* in a state if it moves in some successor of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Fairness {
    /// Nothing.
    #[default]
    None,
    /// A process that is enabled in every state from some point on moves again and again.
    Weak,
    /// A process that is enabled again and again moves again and again.
    Strong,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Algorithm {
    /// By strongly connected components: any acceptance, any fairness.
    #[default]
    Components,
    /// Nested depth-first search: two bits a state; at most one acceptance set, no fairness.
    NestedDfs,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A run that goes on for ever and meets every acceptance set again and again (and is fair).
    Cycle(Lasso),
    /// The claim comes to its end: after the steps, by this edge of its location.
    ClaimEnd(Prefix, u32),
    /// An assertion of the claim fails: after the steps, on this edge of its location.
    ClaimAssertion(Prefix, u32),
}

/// An atom could not be evaluated; it counted as false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomFault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The atom.
    pub atom: Atom,
    /// The way to the state in which it went wrong.
    pub prefix: Prefix,
}

/// What of a claim the search has seen: for an account of whether a property holds for an empty reason.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClaimCoverage {
    /// For each location, whether the claim was ever there.
    pub locations: Vec<bool>,
    /// For each location and edge, whether its guard ever held there.
    pub edges: Vec<Vec<bool>>,
}

/// The result of a search for one claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LivenessOutcome {
    /// The counterexample, if one was found. None, with `stop` none and no faults: there is none.
    pub finding: Option<Finding>,
    /// Atoms that could not be evaluated where their value was asked for: one entry a kind and atom.
    pub faults: Vec<AtomFault>,
    /// Product states stored.
    pub states: u64,
    /// Transitions of the product.
    pub transitions: u64,
    /// What the search has seen of the claim.
    pub coverage: ClaimCoverage,
    /// Why the search ended before it had seen everything, other than by what it found.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was taken.
    pub taken: Vec<Vec<bool>>,
    /// Memory in use at the end: states, and what the search itself needs.
    pub memory: Memory,
}
