//! The work of a stepper, as a number that does not depend on the machine: steps of threads, and what else
//! takes time in units of one step.
//!
//! *Entry point:* [`WorkMeter::done`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Measures the work of a stepper and its forks.
#[derive(Clone, Default, Debug)]
pub struct WorkMeter(Arc<AtomicU64>);

impl WorkMeter {
    /// The work so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds work.
    pub fn add(&self, work: u64) {
        self.0.fetch_add(work, Ordering::Relaxed);
    }
}
