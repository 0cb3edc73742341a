//! Parallel searches over a shared set of states.
//!
//! [`bfs`] is breadth-first search. It visits the same states and transitions as [`crate::safety::bfs`] and
//! finds traces of the same length with any number of threads, and the same violations and traces
//! in every invocation. `barrier.rs` synchronises the rounds, `faults.rs` selects the reported
//! violations, and `backwards.rs` reconstructs their traces.
//!
//! [`cycles`] searches for accepting cycles. Each thread searches by components (`scc.rs`) and
//! shares its results through a concurrent union-find structure (`union_find.rs`).
//!
//! *Entry points:* [`bfs::search`], [`cycles::search`].
//!
//! *Invariant:* In [`bfs`], threads synchronise only between rounds, when the leader has exclusive
//! access to all data. In a round they share the set, which has no locks, and a counter of pieces
//! of work.

pub mod backwards;
mod barrier;
pub mod bfs;
pub mod cycles;
pub mod faults;
mod scc;
mod union_find;
mod walker;

pub use bfs::{Contention, Searched, Tuning, WORTH, search};
