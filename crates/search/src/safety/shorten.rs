//! Depth-first search with shortest traces.
//!
//! A depth-first search finds violations soon, but with long traces. Therefore a second,
//! depth-limited search follows ([`crate::safety::depth_limited`]). Its bound is one step less than the
//! shortest trace so far and decreases with each shorter trace found. A model without violations is
//! searched once.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* Spin's options -i and REACH (G. J. Holzmann, The Spin Model Checker, 2004, appendix
//! C).
//!
//! *Invariant:* A violation found by the second search is one of the first search or, if only one
//! violation was requested, the one with the shortest trace. At the end no shorter trace exists.

use axle_outcome::{Memory, Outcome, Stop};
use axle_step::Graph;
use axle_store::{Numbered, OutOfMemory};

use crate::limits::Options;
use crate::progress::Monitor;
use crate::safety::{depth_limited, dfs};

/// Searches depth-first and then for a shortest trace of each violation found. `make` creates an
/// empty set of the stepper's current width; only one set exists at a time.
pub fn search<G: Graph, S: Numbered>(
    stepper: &mut G,
    mut make: impl FnMut(usize) -> Result<S, OutOfMemory>,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Result<Outcome<G::Site>, OutOfMemory> {
    let first = |stepper: &mut G, set: &mut S, monitor: &mut _| match options.limits.depth {
        Some(_) => depth_limited::search(stepper, set, options, monitor),
        None => dfs::search(stepper, set, options, monitor),
    };
    let mut outcome = first(stepper, &mut make(stepper.width())?, monitor);
    let ended = matches!(outcome.stop, None | Some(Stop::Errors | Stop::Depth));
    if !ended || outcome.violations.iter().all(|violation| violation.depth() == 0) {
        return Ok(outcome);
    }
    let mut set = make(stepper.width())?;
    let shorter = depth_limited::improve(stepper, &mut set, options, &outcome.violations, monitor);
    for (old, new) in outcome.violations.iter_mut().zip(shorter.violations) {
        *old = new;
    }
    // The truncation of paths longer than the best trace is intended.
    outcome.stop = shorter.stop.filter(|stop| *stop != Stop::Depth).or(outcome.stop);
    outcome.memory = Memory {
        states: outcome.memory.states.max(shorter.memory.states),
        paths: outcome.memory.paths.max(shorter.memory.paths),
    };
    Ok(outcome)
}
