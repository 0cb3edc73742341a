//! Explicit-state search of a system, as a configuration asks for it: the store, the order, the number of
//! threads, the reduction.
//!
//! The searches themselves are those of `axle-search`, the sets of states those of `axle-store`. Here they
//! are put together.
//!
//! *Entry points:* [`run::check_all`] for models, [`program_threads::explore`] for C programs.

mod bounded;
mod explored;
pub mod lossy;
pub mod lossy_runs;
pub mod program_threads;
pub mod run;
pub mod state_path;
pub mod stutter;
pub mod successors;
pub mod threads;
pub mod value_sample;

pub use explored::{Explored, ReductionStatus};
