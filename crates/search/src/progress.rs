//! Progress reports, cancellation and checkpoints of a search. The search itself reads no clock;
//! the monitor does.

use axle_step::Interrupt;

use crate::checkpoint::{Keep, Past};
use crate::limits::{Limits, Stop};

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Number of states stored so far.
    pub states: u64,
    /// Number of states expanded so far (depth-first: closed states are not counted separately).
    pub expanded: u64,
    /// Number of transitions so far, including the transition into the initial state.
    pub transitions: u64,
    /// Breadth-first: the level being expanded. Depth-first: the length of the current path.
    pub depth: u64,
    /// Number of distinct violations so far.
    pub violations: u64,
    /// Bytes of memory used by states and paths.
    pub memory: u64,
}

/// Observer of a search. It is called about every hundred states from the searching thread and
/// should return quickly.
pub trait Monitor {
    /// Receives the progress; a returned reason stops the search.
    fn watch(&mut self, progress: &Progress) -> Option<Stop>;

    /// The number of states from which on a breadth-first search pauses ([`Monitor::pause`]); none
    /// for no pause.
    fn pause_at(&self) -> Option<u64> {
        None
    }

    /// Called between two levels of a breadth-first search, at the end of the first level at whose
    /// beginning the search had [`Monitor::pause_at`] states. The pauses are therefore the same for
    /// every number of threads. A reason ends the search.
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

/// Stops a search that exceeds its memory limit or that the monitor cancels.
pub(crate) fn look(progress: &Progress, limits: &Limits, monitor: &mut impl Monitor) -> Result<(), Stop> {
    if limits.memory.is_some_and(|limit| progress.memory > limit) {
        return Err(Stop::Memory);
    }
    monitor.watch(progress).map_or(Ok(()), Err)
}

/// Monitor without effect: it never stops a search.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Monitor for Silent {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}
