//! The end of a cycle: its time limit, or a request of the caller.
//!
//! *Entry points:* [`Control`], [`Deadline`].

use std::sync::Arc;
use std::time::Duration;

use axle_search::{Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};

/// Clock, cancellation and progress of the caller.
pub struct Control {
    /// The time since the start of the cycle.
    pub elapsed: Arc<dyn Fn() -> Duration + Send + Sync>,
    /// Whether the cycle is to end.
    pub cancelled: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Receives the progress.
    pub progress: Box<dyn FnMut(&Progress) + Send>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Control")
    }
}

/// Ends a search at the limit or on demand.
pub(super) struct Deadline<'a> {
    pub control: &'a mut Control,
    pub limit: Option<Duration>,
    /// Whether the limit includes the time of a vacuity check.
    pub extended: bool,
}

/// The time for the vacuity check of a property that holds, in addition to that of the cycle.
const VACUITY: Duration = Duration::from_secs(60);

impl Monitor for Deadline<'_> {
    fn holds(&mut self, _property: &str) {
        let limit = self.limit.take();
        // Once: a job has a limit on its time.
        self.limit = if self.extended { limit } else { limit.map(|limit| limit + VACUITY) };
        self.extended = true;
    }

    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (self.control.progress)(progress);
        self.interrupt().ask().map(|cut| match cut {
            Cut::Interrupted => Stop::Interrupted,
            _ => Stop::Time,
        })
    }

    fn interrupt(&self) -> Interrupt {
        let (elapsed, cancelled) = (Arc::clone(&self.control.elapsed), Arc::clone(&self.control.cancelled));
        let limit = self.limit;
        Interrupt::new(move || {
            if cancelled() {
                return Some(Cut::Interrupted);
            }
            limit.is_some_and(|limit| elapsed() >= limit).then_some(Cut::Time)
        })
    }
}
