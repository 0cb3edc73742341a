//! Progress reports and cancellation of a search. The search itself reads no clock;
//! the monitor does.

use axle_outcome::{Count, Progress, Stop};
use axle_step::Interrupt;

use crate::checkpoint::Checkpoints;

/// Observer of a search. It is called about every hundred states from the searching thread and
/// should return quickly.
pub trait Monitor: Send {
    /// Receives the progress; a returned reason stops the search.
    fn watch(&mut self, progress: &Progress) -> Option<Stop>;

    /// The number of states from which on a breadth-first search, or one with guards, pauses
    /// ([`Monitor::pause`]); none for no pause.
    fn pause_at(&self) -> Option<u64> {
        None
    }

    /// Called between two levels of a breadth-first search, at the end of the first level at whose
    /// beginning the search had [`Monitor::pause_at`] states. The pauses are therefore the same for
    /// every number of threads. A search with guards, which has one thread, pauses after a fixed
    /// number of states. A reason ends the search.
    fn pause(&mut self, _progress: &Progress) -> Option<Stop> {
        None
    }

    /// Receives the names and the progress of the searches beside the watched one, after their
    /// slices of work.
    fn beside(&mut self, _others: &[(String, Progress)]) {}

    /// Receives the name of a property that is violated and the violation in a sentence, as soon as
    /// it has been replayed and before the check ends.
    fn violated(&mut self, _property: &str, _message: &str) {}

    /// Receives the name of a property that holds, before the searches for vacuity, which change no
    /// verdict.
    fn holds(&mut self, _property: &str) {}

    /// Receives the number of states of a search for which the 64 bits of [`Progress`] may be too few.
    fn counted(&mut self, _states: &Count) {}

    /// Receives the work so far of a search whose states do not measure it, in units that take about as
    /// long as a state of an explicit-state search.
    fn worked(&mut self, _work: u64) {}

    /// Cancellation callback for long expansions, called from any thread. Default: none.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }

    /// The checkpoints of the check, if it writes them or continues from one.
    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        None
    }
}

/// A reference is a monitor too, so that `&mut dyn Monitor` is one: the searches of a crate are then
/// compiled once, not for every monitor of its users.
impl<M: Monitor + ?Sized> Monitor for &mut M {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (**self).watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        (**self).pause_at()
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        (**self).pause(progress)
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        (**self).beside(others);
    }

    fn violated(&mut self, property: &str, message: &str) {
        (**self).violated(property, message);
    }

    fn holds(&mut self, property: &str) {
        (**self).holds(property);
    }

    fn counted(&mut self, states: &Count) {
        (**self).counted(states);
    }

    fn worked(&mut self, work: u64) {
        (**self).worked(work);
    }

    fn interrupt(&self) -> Interrupt {
        (**self).interrupt()
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        (**self).checkpoints()
    }
}

/// Monitor without effect: it never stops a search.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Monitor for Silent {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}
