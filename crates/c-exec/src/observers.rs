//! The observers of executions: what a search and a trace learn of each step.
//!
//! *Entry points:* [`recorders::Recorders`], [`recorders::Machine`].

pub mod annotations;
pub mod dependencies;
pub mod executed_steps;
pub mod happens_before;
#[cfg(test)]
mod happens_before_reference;
pub mod object_history;
pub(crate) mod omission;
pub mod read_set;
pub mod recorders;
mod recording;
pub mod step_annotation;
pub mod transactions;
