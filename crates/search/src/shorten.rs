//! A depth-first search that comes back with shortest runs.
//!
//! A depth-first search finds what is wrong soon, at the end of a long run. So it is followed by a
//! second one, within one step less than that run has ([`crate::depth_limited`]), whose bound comes
//! down with every shorter run that it finds. When it ends, no run is shorter than what is there. A
//! model in which nothing is wrong is searched once.
//!
//! *Entry point:* [`search`].
//! *Invariant:* What is found in the second search is one of the violations of the first, or, where
//! only one was asked for, the nearest of all.
//!
//! *Source:* Spin's options -i and REACH (G. J. Holzmann, The Spin Model Checker, 2004, appendix
//! C).

use axle_step::Successors;
use axle_store::{Numbered, OutOfMemory};

use crate::limits::{Options, Stop};
use crate::outcome::{Memory, Outcome};
use crate::progress::Monitor;
use crate::{depth_limited, dfs};

/// Searches depth-first and then for the shortest run to each violation found. `make` makes an empty set as wide as
/// the stepper's layout is then; there is one at a time.
pub fn search<G: Successors, S: Numbered>(
    stepper: &mut G,
    mut make: impl FnMut(usize) -> Result<S, OutOfMemory>,
    options: &Options,
    monitor: &mut impl Monitor,
) -> Result<Outcome, OutOfMemory> {
    let first = |stepper: &mut G, set: &mut S, monitor: &mut _| match options.limits.depth {
        Some(_) => depth_limited::search(stepper, set, options, monitor),
        None => dfs::search(stepper, set, options, monitor),
    };
    let mut outcome = first(stepper, &mut make(stepper.layout().width())?, monitor);
    let ended = matches!(outcome.stop, None | Some(Stop::Errors | Stop::Depth));
    if !ended || outcome.violations.iter().all(|violation| violation.depth() == 0) {
        return Ok(outcome);
    }
    let mut set = make(stepper.layout().width())?;
    let shorter = depth_limited::improve(stepper, &mut set, options, &outcome.violations, monitor);
    for (old, new) in outcome.violations.iter_mut().zip(shorter.violations) {
        *old = new;
    }
    // That runs longer than the best were cut off is what was wanted.
    outcome.stop = shorter.stop.filter(|stop| *stop != Stop::Depth).or(outcome.stop);
    outcome.memory = Memory {
        states: outcome.memory.states.max(shorter.memory.states),
        paths: outcome.memory.paths.max(shorter.memory.paths),
    };
    Ok(outcome)
}
