//! Searches with a bound or without a store: depth-limited, for shortest runs, stateless. All are
//! exact within their limits.
//!
//! *Entry points:* [`depth_limited`], [`shortest`], [`stateless`].

use axle_question::config::Config;
use axle_search::{Monitor, depth_limited, shorten, stateless};
use axle_step::Graph;
use axle_store::{OutOfMemory, Packed, PlainTable};

use crate::explored::Explored;

/// Depth-first to the limit on depth. States are numbered, which only the plain store does.
pub fn depth_limited<G: Graph>(
    stepper: &mut G,
    config: &Config,
    limit: u64,
    monitor: &mut impl Monitor,
) -> Result<Explored<G::Site>, OutOfMemory> {
    let mut set = Packed::with_limit(stepper.width(), limit, PlainTable::with_limit)?;
    let outcome = depth_limited::search(stepper, &mut set, &config.search_options(), monitor);
    Ok(Explored::new(outcome, "plain"))
}

/// Depth-first, then for shorter runs.
pub fn shortest<G: Graph>(
    stepper: &mut G,
    config: &Config,
    limit: u64,
    monitor: &mut impl Monitor,
) -> Result<Explored<G::Site>, OutOfMemory> {
    let make = |width| Packed::with_limit(width, limit, PlainTable::with_limit);
    let outcome = shorten::search(stepper, make, &config.search_options(), monitor)?;
    Ok(Explored::new(outcome, "plain"))
}

/// Every path without a repetition.
pub fn stateless<G: Graph>(
    stepper: &mut G,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored<G::Site> {
    Explored::new(stateless::search(stepper, &config.search_options(), monitor), "none")
}
