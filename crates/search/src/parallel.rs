//! Searches by many threads over one shared set of states.
//!
//! [`bfs`] is the breadth-first search: the same states, transitions and lengths of paths as [`crate::bfs`], whatever
//! the number of threads, and the same violations and paths in every run. `gate.rs` starts and ends the rounds in
//! which threads work, `faults.rs` chooses what is shown of what went wrong, `backwards.rs` finds the way to it.
//!
//! Kept: threads meet only between rounds, where one of them, the leader, has everything to itself. In a round they
//! share the set, which has no locks, and a counter from which each takes the next piece of work.

mod backwards;
pub mod bfs;
mod faults;
mod gate;

pub use bfs::{Contention, Searched, Tuning, search};
