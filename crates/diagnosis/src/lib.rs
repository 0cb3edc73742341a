//! Explains violations: the satisfying execution that is nearest to a violating one, and whether a sequence
//! of events is possible; and the part of a model on which a property depends.
//!
//! *Entry points:* [`nearest`], [`diagnose`], [`slices`].

pub mod diagnose;
pub mod nearest;
pub mod slices;
