//! Searches that are interrupted, keep checkpoints, and go on from them.

use axle_search::{Checkpoints, Keep, Monitor, Past, Progress, Stop};

use axle_compare::last_checkpoint::LastCheckpoint;

/// Interrupts a search when a condition holds, and keeps its checkpoints.
pub struct Interrupted<F> {
    is_over: F,
    past: Option<Past>,
    pub shelf: LastCheckpoint,
}

impl<F: FnMut(&Progress) -> bool> Interrupted<F> {
    /// Goes on from a checkpoint, if there is one, until the condition holds.
    pub fn when(is_over: F, past: Option<Past>, shelf: LastCheckpoint) -> Interrupted<F> {
        Interrupted { is_over, past, shelf }
    }
}

impl<F: FnMut(&Progress) -> bool + Send> Monitor for Interrupted<F> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (self.is_over)(progress).then_some(Stop::Interrupted)
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        Some(self)
    }
}

impl<F: FnMut(&Progress) -> bool + Send> Checkpoints for Interrupted<F> {
    fn past(&mut self) -> Option<Past> {
        self.past.take()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        Some(&mut self.shelf)
    }
}
