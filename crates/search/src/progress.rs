//! How a search shows where it is and is told to stop. The search itself reads no clock: whoever watches
//! it does.

use axle_step::Interrupt;

use crate::checkpoint::{Keep, Past};
use crate::limits::{Limits, Stop};

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// States stored so far.
    pub states: u64,
    /// States expanded so far (depth-first: states left behind for good do not count apart).
    pub expanded: u64,
    /// Transitions so far, the way into the initial state included.
    pub transitions: u64,
    /// Breadth-first: the level being expanded. Depth-first: the length of the current path.
    pub depth: u64,
    /// Different violations so far.
    pub violations: u64,
    /// Bytes held by states and paths.
    pub memory: u64,
}

/// Watches a search. It is called every hundred states or so, from the searching thread, and
/// should be quick about it.
pub trait Monitor {
    /// Looks at the progress; a reason ends the search with it.
    fn watch(&mut self, progress: &Progress) -> Option<Stop>;

    /// Whom to ask the same in the middle of a very long step, from whichever thread makes it. By default nobody.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }

    /// Where the search is to go on; none where it begins. Asked once, by searches that can ([`crate::checkpoint`]).
    fn past(&mut self) -> Option<Past> {
        None
    }

    /// Who keeps checkpoints of the search, if anyone does.
    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        None
    }

    /// Whether checkpoints are wanted.
    fn keeps(&self) -> bool {
        false
    }

    /// A search begins of which these lines tell: checkpoints are of that one from here on.
    fn begins(&mut self, about: &str) {
        let _ = about;
    }

    /// The search that began last came to its end, by itself or for this reason: no checkpoints are kept from here on.
    fn ended(&mut self, stop: Option<Stop>) {
        let _ = stop;
    }

    /// Where the search is to go on of which these lines tell: how many states it had; none where it begins.
    fn goes_on(&self, about: &str) -> Option<u64> {
        let _ = about;
        None
    }
}

/// Ends a search that is beyond its memory limit, or that whoever watches wants ended.
pub(crate) fn look(progress: &Progress, limits: &Limits, monitor: &mut impl Monitor) -> Result<(), Stop> {
    if limits.memory.is_some_and(|limit| progress.memory > limit) {
        return Err(Stop::Memory);
    }
    monitor.watch(progress).map_or(Ok(()), Err)
}

/// Watches nothing and never stops a search.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Monitor for Silent {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}
