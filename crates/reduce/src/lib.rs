//! Dependence analysis of models for partial-order reduction, model transformations, and slices.
//! The crate depends on models only, not on state storage, searches, or the source language.
//!
//! *Entry points:* [`analyse`], `passes::apply`, `slice::slice`. The folders do not import one
//! another; all stand on [`fixed`] (constant values) and `axle_model::access`.
//! docs/theory/reduction.md contains the soundness argument.

pub mod bits;
pub mod dependence;
pub mod fixed;
pub mod passes;
pub mod slice;
pub mod variables;
pub mod visible;

pub use dependence::analysis::analyse;
pub use dependence::conflicts::{self, Conflicts, Wait};
pub use dependence::references::References;
pub use dependence::{gates, residual_predicate};
pub use fixed::{Instance, Values};
pub use visible::{Visible, obstacle, visible_obstacle};
