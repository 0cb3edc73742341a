//! Provisioning: the choice of the values of feature flags before anything else happens.
//!
//! *Entry points:* [`components`] splits a constraint; [`model::provision`] and [`program`] add the
//! choice to a model or program; [`joint`] to a model for several runs.

pub mod joint;
pub mod model;
pub mod program;

pub use crate::project::components::{Component, MOST_PROVISIONINGS, TooMany, components};
