//! Violations that lie deep: before a search that visits every state, nearest first, goes beyond a small number of states,
//! some steps are spent on going deep. Main function: [`explore`].
//!
//! Programs that do a real amount of work drown a breadth-first search: two threads that add to a sum a million times have
//! more states near the start than fit in memory, and what goes wrong shows in any run that goes on for long enough. So
//! the search goes in three parts: the first states, nearest first, which is all for small programs and gives the
//! shortest runs; some random walks and a piece of a depth-first search; and the whole search, as if nothing had been. All
//! three are bounded by counts, so a check gives the same answer each time. Kept: what the second part finds is a
//! violation; what it does not find means nothing.

use axle_c::Stepper;
use axle_search::{Limits, Monitor, Stop};
use axle_step::Successors;

use crate::config::{Approximate, Config, Order};
use crate::store::{self, Explored};

/// Bytes that the tables of what a stepper remembers take at most, and which part of all.
const TABLES: u64 = 192 << 20;
const PART: u64 = 4;

/// States of the first part.
const NEAR: u64 = 100_000;

/// States of the piece of a depth-first search.
const DEEP: u64 = 30_000;

/// Random walks, and steps of each at most.
const WALKS: [(u64, u64); 3] = [(50, 400), (4, 5_000), (1, 20_000)];

/// Bytes of states that each part of the going deep may run through.
const BYTES: u64 = 2 << 30;

/// Searches a program, and says how what it found was found. With limits of its own, or another order than nearest first,
/// the search is the one that was asked for. What the stepper remembers has a part of the memory.
pub(super) fn explore(
    stepper: &mut Stepper<'_>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Explored, Config) {
    let tables = config.limits.memory.map_or(TABLES, |memory| TABLES.min(memory / PART));
    stepper.keep_within(tables);
    let memory = config.limits.memory.map(|memory| memory - tables);
    let own = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
    let (explored, searched) = explore_with(stepper, &own, monitor);
    // The limits are told as they were given.
    let limits = Limits { memory: config.limits.memory, ..searched.limits };
    (explored, Config { limits, ..searched })
}

fn explore_with(
    stepper: &mut Stepper<'_>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Explored, Config) {
    let plain = config.order == Order::BreadthFirst
        && config.store.is_exact()
        && config.limits.errors == Some(1)
        && config.limits.depth.is_none()
        && config.limits.states.is_none();
    if !plain {
        return (store::explore(stepper, config, monitor), config.clone());
    }
    let bounded = |limits: Limits, order: Order| Config { order, limits, ..config.clone() };
    let most = BYTES / (stepper.layout().width() as u64).max(1);
    let near = bounded(Limits { states: Some(NEAR.min(most)), ..config.limits }, Order::BreadthFirst);
    let explored = store::explore(stepper, &near, monitor);
    if explored.outcome.stop != Some(Stop::States) {
        return (explored, config.clone());
    }
    drop(explored);
    // States may have become wider.
    let most = BYTES / (stepper.layout().width() as u64).max(1);
    let deep = bounded(Limits { states: Some(DEEP.min(most)), ..config.limits }, Order::DepthFirst);
    let walks = WALKS.into_iter().map(|(walks, steps)| {
        let limits = Limits { states: Some((walks * steps).min(most)), depth: Some(steps), ..config.limits };
        let approximate = Approximate { walks, ..config.approximate };
        Config { approximate, ..bounded(limits, Order::Random) }
    });
    for piece in walks.chain([deep]) {
        let explored = store::explore(stepper, &piece, monitor);
        match explored.outcome.stop {
            // It was asked to end.
            Some(Stop::Interrupted | Stop::Time) => return (explored, piece),
            _ if !explored.outcome.violations.is_empty() => return (explored, piece),
            _ => {}
        }
    }
    (store::explore(stepper, config, monitor), config.clone())
}
