//! A condition on a state, which is evaluated by the observer and its generated code.
//!
//! *Entry point:* [`Atom`].

use axle_model::Expr;

/// A condition on a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// The expression is not 0. It belongs to no process: locals only occur in remote references.
    Holds(Expr),
    /// Some process is at a location with an acceptance label.
    Accepting,
}
