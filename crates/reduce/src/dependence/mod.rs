//! Dependence of transitions: the may-conflict relation of processes at locations, and the necessary
//! enabling sets and feedback edges that a partial-order reduction needs beside it.
//!
//! *Entry point:* [`analysis::analyse`]. [`references`] determines the channels that expressions may
//! denote; [`footprint`] maps the accesses of an edge
//! (`axle_model::access`) to [`cells`]; [`gates`] contains the guards as residual predicates;
//! [`guarantees`] the communications that never wait;
//! [`cycles`] the feedback edge set for the cycle proviso, `feedback` its inputs.

pub mod analysis;
pub mod cells;
pub mod conflicts;
pub mod creation;
pub mod cycles;
mod feedback;
pub mod footprint;
pub mod gates;
pub mod guarantees;
pub mod references;
pub mod residual_predicate;
