//! Verification projects: rounds of verification runs, the queue of their jobs, and the history of
//! their verdicts.
//!
//! A *round* verifies selected properties under selected provisionings; each pair is a *run*. A run
//! consists of jobs, one for each *cycle* of growing effort. [`jobs`] contains the queue and the
//! schedule, [`results`] the verdicts. Payloads and results of jobs are bytes to this crate.

pub mod jobs;
pub mod results;
