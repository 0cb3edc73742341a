//! Picks the set of states and runs the search on it.

use axle_search::{Memory, Monitor, Outcome, Stop, bfs, dfs};
use axle_step::Successors;
use axle_store::{OutOfMemory, PlainTable, StateSet};

use crate::config::{Config, Order, StoreChoice};

/// A finished search and the store that it ended with.
pub(crate) struct Explored {
    pub outcome: Outcome,
    pub store: &'static str,
}

/// Runs the search that the configuration asks for.
pub(crate) fn explore(
    stepper: &mut impl Successors,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    let width = stepper.layout().width();
    // The paths live beside the states, and take less than a tenth of what these do.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    let made = match config.store {
        StoreChoice::Auto | StoreChoice::Plain | StoreChoice::Tree => PlainTable::with_limit(width, limit),
    };
    match made {
        Ok(mut set) => Explored { outcome: search(stepper, &mut set, config, monitor), store: "plain" },
        Err(OutOfMemory) => Explored { outcome: nothing(stepper), store: "plain" },
    }
}

fn search(
    stepper: &mut impl Successors,
    set: &mut impl StateSet,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Outcome {
    let options = config.search_options();
    match config.order {
        Order::BreadthFirst => bfs::search(stepper, set, &options, monitor),
        Order::DepthFirst => dfs::search(stepper, set, &options, monitor),
    }
}

/// A search that found no room for its first state.
fn nothing(stepper: &impl Successors) -> Outcome {
    Outcome {
        states: 0,
        transitions: 0,
        depth: 0,
        violations: Vec::new(),
        found: 0,
        stop: Some(Stop::Memory),
        taken: stepper.taken().to_vec(),
        memory: Memory::default(),
    }
}
