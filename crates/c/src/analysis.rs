//! Analyses of control-flow graphs.
//!
//! *Invariant:* an analysis changes no code. It may fill in [`crate::code::Code::live`] and the
//! fields of [`crate::Program`] that are named after it.

mod addresses;
pub(crate) mod arguments;
pub mod clocks;
pub mod counted_loops;
mod data_flow;
pub mod dependence;
pub mod formats;
pub mod inputs;
pub(crate) mod irrelevant_inputs;
pub mod liveness;
pub mod locksets;
pub(crate) mod loop_bounds;
mod observed;
pub(crate) mod thread_starts;
pub mod writes;
