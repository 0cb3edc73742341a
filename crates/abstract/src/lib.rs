//! Abstraction by weakest preconditions: predicate abstraction with refinement, homomorphisms of
//! domains, and semantic slices. The arguments are in docs/theory/predicate-abstraction.md.
//!
//! A [`Problem`](axle_decide::model::Problem) of `decide` is abstracted: its commands are the groups of a
//! relation over bit vectors. Answers are not trusted: an execution counts once the problem has replayed
//! it, a proof once the certificate checker has accepted its invariant.
//!
//! *Entry points:* [`cegar::prove`]; [`boolean_program::BooleanProgram`], for chosen processes
//! [`composition::Composition`]; [`wp::Wp`] for weakest preconditions; [`arithmetic::mathematical`].

mod affine;
pub mod arithmetic;
mod atoms;
pub mod boolean_program;
pub mod boolean_text;
pub mod cegar;
pub mod composition;
mod cube;
pub mod display;
mod explore;
mod expression;
pub mod homomorphism;
mod invariant;
mod local;
pub mod machine;
mod place;
mod post;
pub mod proposals;
mod reach;
mod refine;
mod repeat;
#[cfg(test)]
mod simulation;
pub mod slice;
mod solver;
mod templates;
mod valuation;
pub mod wp;

use std::time::Duration;

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

/// A clock: the time since some moment.
pub type Clock = fn() -> Duration;

/// Options of predicate abstraction.
#[derive(Clone, Debug, Default)]
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
    /// Whether each of several processes of one type has predicates of its own. Otherwise a predicate about one
    /// is one about each.
    pub separate: bool,
    /// State variables that are tracked by value, as locations are
    /// ([`composition`]).
    pub kept: Vec<u32>,
    /// The time since some moment, for the figures of a course; without it, they are 0.
    pub clock: Option<Clock>,
}
