//! Abstraction by weakest preconditions: predicate abstraction with refinement, homomorphisms of
//! domains, and semantic slices. The arguments are in docs/theory/predicate-abstraction.md.
//!
//! A [`Problem`](axle_decide::model::Problem) of `decide` is abstracted: its commands are the groups of a
//! relation over bit vectors. Answers are not trusted: an execution counts once the problem has replayed
//! it, a proof once the certificate checker has accepted its invariant.
//!
//! *Entry points:* [`cegar::prove`]; [`wp::Wp`] for weakest preconditions; [`arithmetic::mathematical`].

mod affine;
pub mod arithmetic;
mod atoms;
pub mod boolean_program;
pub mod cegar;
mod cube;
pub mod display;
mod explore;
pub mod homomorphism;
mod invariant;
mod local;
pub mod machine;
mod place;
mod post;
pub mod proposals;
mod reach;
mod refine;
#[cfg(test)]
mod simulation;
pub mod slice;
mod solver;
mod valuation;
pub mod wp;

use axle_decide::term::TermId;

/// Which combinations of values of predicates an abstract step distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precision {
    /// All combinations.
    #[default]
    Boolean,
    /// The values of single predicates. A path that no predicate refutes changes to Boolean precision.
    Cartesian,
}

/// Options of predicate abstraction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The precision.
    pub precision: Precision,
    /// The most predicates that are assumed in one query about a step; none for all that can matter.
    pub cube_length: Option<usize>,
    /// Predicates to begin with: conditions over the state variables of the problem. Their atoms are used;
    /// those about locations are left out, which are tracked by value.
    pub predicates: Vec<TermId>,
    /// The most predicates.
    pub most_predicates: Option<usize>,
}
