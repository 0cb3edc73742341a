//! Judgement: from the results of searches to verdicts. Every violation is replayed and confirmed, by an
//! evaluation that does not depend on the search, before it is reported.
//!
//! *Entry points:* [`verdict::report`], [`program_verdict::report`], [`runs`] and [`program_runs`] for
//! properties of executions.
//! *Invariant:* "holds" is the verdict of an exact search that ended by itself.

pub(crate) mod checkpoint_labels;
pub mod confirm;
pub mod coverage;
pub mod describe;
pub mod explain;
pub mod found;
mod guards;
pub mod judge;
pub mod passes;
pub mod program_runs;
mod program_vacuity;
pub mod program_verdict;
pub mod replayed;
pub mod run_report;
pub mod runs;
pub(crate) mod undecided;
pub mod vacuity;
pub mod verdict;
