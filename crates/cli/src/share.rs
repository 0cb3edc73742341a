//! A search's share of the time of a command: it ends at the share's end, or when the command does.

use std::time::Instant;

use axle_search::{Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::watch::Watch;

/// The monitor of a search with a share of the time.
pub struct Share<'a> {
    watch: &'a mut Watch,
    end: Option<Instant>,
}

impl<'a> Share<'a> {
    /// The time up to this instant; without one, all that the command has.
    pub fn new(watch: &'a mut Watch, end: Option<Instant>) -> Share<'a> {
        Share { watch, end }
    }
}

impl Monitor for Share<'_> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let stop = self.watch.watch(progress);
        stop.or_else(|| self.end.filter(|end| Instant::now() >= *end).map(|_| Stop::Time))
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        self.watch.beside(others);
    }

    fn violated(&mut self, property: &str, message: &str) {
        self.watch.violated(property, message);
    }

    fn interrupt(&self) -> Interrupt {
        match self.end {
            Some(end) => self.watch.interrupt_before(end),
            None => self.watch.interrupt(),
        }
    }
}
