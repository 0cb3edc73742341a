//! Partial-order reduction: the reduced state graph, the sets of transitions that it expands, and
//! the search that solves the ignoring problem.
//!
//! | set | file |
//! | --- | --- |
//! | ample | `ample.rs` |
//! | stubborn, without necessary enabling sets | `persistent.rs` |
//! | stubborn, with necessary enabling sets | `stubborn.rs` |
//!
//! *Entry points:* [`reduced_graph::Reduced`], [`terminal_components::search`].

mod ample;
pub mod persistent;
pub mod reduced_graph;
mod stubborn;
pub mod terminal_components;
