//! Options of a safety search, and enforcement of resource limits.
//!
//! *Entry points:* `check_limits`, `most_in_flight`.

use axle_outcome::{FaultKind, FaultSite, Limits, ModelSite, Progress, Stop, ViolationKey};

use crate::progress::Monitor;

/// Options of a safety search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options<I = ModelSite> {
    /// Resource limits.
    pub limits: Limits,
    /// Faults of these kinds are ignored.
    pub ignored: Vec<FaultKind>,
    /// The only violation that counts; none if all do.
    pub only: Option<ViolationKey<I>>,
}

impl<I> Default for Options<I> {
    fn default() -> Self {
        Options { limits: Limits::default(), ignored: Vec::new(), only: None }
    }
}

impl<I: FaultSite> Options<I> {
    /// Whether a fault is of an ignored kind.
    pub fn ignores(&self, site: &I) -> bool {
        site.kind().is_some_and(|kind| self.ignored.contains(&kind))
    }
}

/// Maximum number of bytes for the successors of one batch if the search uses `held` bytes. Their
/// insertion and the growth of the set need several times as much.
pub fn most_in_flight(limits: &Limits, held: u64) -> Option<usize> {
    const SHARE: u64 = 8;
    limits.memory.map(|limit| usize::try_from(limit.saturating_sub(held) / SHARE).unwrap_or(usize::MAX))
}

/// Stops a search that exceeds its memory limit or that the monitor cancels.
pub fn check_limits(progress: &Progress, limits: &Limits, monitor: &mut impl Monitor) -> Result<(), Stop> {
    if limits.memory.is_some_and(|limit| progress.memory > limit) {
        return Err(Stop::Memory);
    }
    monitor.watch(progress).map_or(Ok(()), Err)
}
