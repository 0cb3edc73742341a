//! Dependence analysis of models for partial-order reduction, model transformations, and slices.
//! The crate depends on models only, not on state storage, searches, or the source language.
//!
//! *Entry points:* [`conflicts::analyse`], `passes::apply`, `slice::slice`. The may-conflict
//! relation uses [`footprint`] (cells that each edge reads and writes), [`cells`], [`fixed`]
//! (constant values) and [`cycles`] (feedback edges). docs/theory/reduction.md contains the
//! soundness argument.

pub mod bits;
pub mod cells;
pub mod conflicts;
pub mod cycles;
pub mod fixed;
pub mod footprint;
pub mod gates;
pub mod passes;
pub mod residual_predicate;
pub mod slice;

pub use conflicts::{Conflicts, Visible, Wait, analyse, obstacle};
pub use fixed::{Instance, Values};
