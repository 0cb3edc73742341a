//! Shares of work for the attempts beside an exhaustive search of a C program.
//!
//! An attempt has a part of the work of the exhaustive search so far. If that is exhausted, the attempt
//! ends and is repeated after the exhaustive search has done twice as much. All tries of an attempt
//! together therefore take at most twice the part.
//!
//! *Entry point:* [`WorkShare::limit`].
//! *Source:* repetition with doubled budgets as in R. E. Korf, "Depth-first iterative-deepening", Artificial
//! Intelligence 27, 1985.
//! *Invariant:* work is counted in steps, not in time, so that the result is reproducible.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axle_c_exec::WorkMeter;
use axle_search::{Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};

/// Work that an attempt has at least in each try: less than half a second.
const LEAST: u64 = 10_000_000;

/// One part in so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part(pub u64);

/// The share of an attempt, or of several that follow each other.
pub(super) struct WorkShare {
    exact: WorkMeter,
    part: Part,
    /// The work of the exhaustive search from which on there is a try.
    due: u64,
}

impl WorkShare {
    /// The share of an attempt beside an exhaustive search with this work.
    pub fn new(exact: WorkMeter, part: Part) -> WorkShare {
        WorkShare { exact, part, due: 0 }
    }

    /// Whether the share is not exhausted, or the exhaustive search has done twice as much since.
    pub fn is_due(&self) -> bool {
        self.exact.done() >= self.due
    }

    /// The same as a condition that another thread can evaluate.
    pub fn due(&self) -> impl Fn() -> bool + Send + 'static {
        let (exact, due) = (self.exact.clone(), self.due);
        move || exact.done() >= due
    }

    /// A monitor that ends an attempt with this work once the share of a try is exhausted; without a share
    /// the attempt is not limited.
    pub fn limit<'m>(&self, monitor: &'m mut dyn Monitor, own: WorkMeter, has_share: bool) -> Limited<'m> {
        let done = self.exact.done();
        let share = if has_share { (done / self.part.0).max(LEAST) } else { u64::MAX };
        let most = own.done().saturating_add(share);
        Limited { monitor, own, most, is_exhausted: Arc::default() }
    }

    /// Postpones the next try until the exhaustive search has done twice as much.
    pub fn postpone(&mut self) {
        self.due = 2 * self.exact.done();
    }
}

/// See [`WorkShare::limit`].
pub(super) struct Limited<'m> {
    monitor: &'m mut dyn Monitor,
    own: WorkMeter,
    most: u64,
    is_exhausted: Arc<AtomicBool>,
}

impl Limited<'_> {
    /// Whether the share ended the attempt.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted.load(Ordering::Relaxed)
    }
}

impl Monitor for Limited<'_> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let stop = self.monitor.watch(progress);
        if stop.is_none() && self.own.done() >= self.most {
            self.is_exhausted.store(true, Ordering::Relaxed);
            return Some(Stop::Interrupted);
        }
        stop
    }

    fn interrupt(&self) -> Interrupt {
        let (inner, own, most) = (self.monitor.interrupt(), self.own.clone(), self.most);
        let is_exhausted = Arc::clone(&self.is_exhausted);
        Interrupt::new(move || {
            let answer = inner.ask();
            if answer.is_none() && own.done() >= most {
                is_exhausted.store(true, Ordering::Relaxed);
                return Some(Cut::Interrupted);
            }
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use axle_search::Silent;

    use super::*;

    fn progress() -> Progress {
        Progress {
            states: 1,
            expanded: 1,
            transitions: 1,
            depth: 1,
            violations: 0,
            memory: 0,
            ..Progress::default()
        }
    }

    #[test]
    fn a_try_ends_with_its_share_and_the_next_one_waits() {
        let (exact, own) = (WorkMeter::default(), WorkMeter::default());
        let mut share = WorkShare::new(exact.clone(), Part(4));
        exact.add(8 * LEAST);
        own.add(17);
        let mut silent = Silent;
        let mut limited = share.limit(&mut silent, own.clone(), true);
        let interrupt = limited.interrupt();
        own.add(2 * LEAST - 1);
        assert!(limited.watch(&progress()).is_none() && interrupt.ask().is_none());
        assert!(!limited.is_exhausted());
        own.add(1);
        assert_eq!(interrupt.ask(), Some(Cut::Interrupted));
        assert!(limited.is_exhausted() && limited.watch(&progress()).is_some());
        share.postpone();
        exact.add(8 * LEAST - 1);
        assert!(!share.is_due());
        exact.add(1);
        assert!(share.is_due());
    }

    #[test]
    fn a_try_has_a_constant_share_at_least() {
        let own = WorkMeter::default();
        let mut silent = Silent;
        let share = WorkShare::new(WorkMeter::default(), Part(4));
        let mut limited = share.limit(&mut silent, own.clone(), true);
        own.add(LEAST - 1);
        assert!(limited.watch(&progress()).is_none());
        own.add(1);
        assert!(limited.watch(&progress()).is_some());
        let mut unlimited = share.limit(&mut silent, own, false);
        assert!(unlimited.watch(&progress()).is_none());
    }
}
