//! The run that breaks a claim: a way from the start, and for a liveness property a cycle to go round for ever.
//!
//! Every step names the move of the claim and the step of the system by position, so that a replay on the
//! interpreter needs nothing else: start in the claim location [`Lasso::start`] and the initial state; for each
//! step look up the claim's edge, check its guard in the state, and take the successor.

/// One step of the product of system and claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LassoStep {
    /// Which edge of its location the claim takes, counted from 0.
    pub edge: u32,
    /// Which successor of the state the system goes to, counted from 0; none where nobody can move and the
    /// system stays where it is.
    pub system: Option<u32>,
}

/// A way from the start and a cycle.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lasso {
    /// The claim's location at the start.
    pub start: u32,
    /// From the initial product state to the first of the cycle.
    pub prefix: Vec<LassoStep>,
    /// Round the cycle and back to the same product state; at least one step.
    pub cycle: Vec<LassoStep>,
}

/// A finite way from the start to a product state, and the claim's move there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Prefix {
    /// The claim's location at the start.
    pub start: u32,
    /// From the initial product state to the one in question.
    pub steps: Vec<LassoStep>,
}
