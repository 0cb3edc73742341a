//! Searches by many threads over one shared set of states.
//!
//! [`bfs`] is the breadth-first search: the same states, transitions and lengths of paths as
//! [`crate::bfs`], whatever the number of threads, and the same violations and paths in every run.
//! `barrier.rs` starts and ends the rounds in which threads work, `faults.rs` chooses what is shown
//! of what went wrong, `backwards.rs` finds the way to it.
//!
//! [`cycles`] is the search for runs that break a property: each thread searches by components
//! (`scc.rs`) and tells the others what it finds out about them (`union_find.rs`).
//!
//! *Invariant:* In [`bfs`] threads meet only between rounds, where one of them, the leader, has
//! everything to itself. In a round they share the set, which has no locks, and a counter from
//! which each takes the next piece of work.

mod backwards;
mod barrier;
pub mod bfs;
pub mod cycles;
mod faults;
mod scc;
mod union_find;
mod walker;

pub use bfs::{Contention, Searched, Tuning, search};
