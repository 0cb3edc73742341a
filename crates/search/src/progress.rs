//! Progress reports, cancellation and checkpoints of a search. The search itself reads no clock;
//! the monitor does.

use axle_outcome::{Progress, Stop};
use axle_step::Interrupt;

use crate::checkpoint::{Keep, Past};

/// Observer of a search. It is called about every hundred states from the searching thread and
/// should return quickly.
pub trait Monitor {
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
    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        let _ = progress;
        None
    }

    /// Cancellation callback for long expansions, called from any thread. Default: none.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }

    /// The checkpoint to resume from; `None` for a new search. Called once, by searches that
    /// support resumption ([`crate::checkpoint`]).
    fn past(&mut self) -> Option<Past> {
        None
    }

    /// The receiver of checkpoints, if checkpoints are enabled.
    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        None
    }

    /// Whether checkpoints are enabled.
    fn keeps(&self) -> bool {
        false
    }

    /// Announces a search described by these lines; subsequent checkpoints belong to it.
    fn begins(&mut self, about: &str) {
        let _ = about;
    }

    /// Announces the end of the last search, with the reason if it is incomplete; its checkpoints
    /// end.
    fn ended(&mut self, stop: Option<Stop>) {
        let _ = stop;
    }

    /// Number of states in the checkpoint of the search described by these lines; `None` if it
    /// starts anew.
    fn goes_on(&self, about: &str) -> Option<u64> {
        let _ = about;
        None
    }
}

/// Passes the methods about checkpoints on to a field: for monitors around another one that concern
/// checkpoints as little as this one does.
#[macro_export]
macro_rules! forward_checkpoints {
    ($field:ident) => {
        fn past(&mut self) -> Option<$crate::Past> {
            self.$field.past()
        }

        fn keeper(&mut self) -> Option<&mut dyn $crate::Keep> {
            self.$field.keeper()
        }

        fn keeps(&self) -> bool {
            self.$field.keeps()
        }

        fn begins(&mut self, about: &str) {
            self.$field.begins(about);
        }

        fn ended(&mut self, stop: Option<$crate::Stop>) {
            self.$field.ended(stop);
        }

        fn goes_on(&self, about: &str) -> Option<u64> {
            self.$field.goes_on(about)
        }
    };
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

    fn interrupt(&self) -> Interrupt {
        (**self).interrupt()
    }

    fn past(&mut self) -> Option<Past> {
        (**self).past()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        (**self).keeper()
    }

    fn keeps(&self) -> bool {
        (**self).keeps()
    }

    fn begins(&mut self, about: &str) {
        (**self).begins(about);
    }

    fn ended(&mut self, stop: Option<Stop>) {
        (**self).ended(stop);
    }

    fn goes_on(&self, about: &str) -> Option<u64> {
        (**self).goes_on(about)
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
