//! Picks the set of states and runs the search on it.

use axle_search::{Memory, Monitor, Outcome, Stop, bfs, dfs};
use axle_step::Successors;
use axle_store::{AutoSet, OutOfMemory, Packed, PlainTable, StateSet, TreeTable};

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
    explore_in(stepper, config, monitor)
        .unwrap_or_else(|OutOfMemory| Explored { outcome: nothing(stepper), store: "plain" })
}

fn explore_in(
    stepper: &mut impl Successors,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<Explored, OutOfMemory> {
    let width = stepper.layout().width();
    // The paths live beside the states, and take less than a tenth of what these do.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    // A depth-first search keeps what waits on its stack.
    let stacked = config.order == Order::DepthFirst;
    Ok(match config.store {
        StoreChoice::Auto => {
            let mut set = Packed::with_limit(width, limit, |width, limit| {
                let set = AutoSet::with_limit(width, limit)?;
                Ok(if stacked { set.without_queue() } else { set })
            })?;
            let outcome = search(stepper, &mut set, config, monitor);
            Explored { outcome, store: if set.inner().is_tree() { "tree" } else { "plain" } }
        }
        StoreChoice::Plain => {
            let mut set = Packed::with_limit(width, limit, PlainTable::with_limit)?;
            Explored { outcome: search(stepper, &mut set, config, monitor), store: "plain" }
        }
        StoreChoice::Tree => {
            let mut set = Packed::with_limit(width, limit, |width, limit| {
                let set = TreeTable::with_limit(width, limit)?;
                Ok(if stacked { set.without_queue() } else { set })
            })?;
            Explored { outcome: search(stepper, &mut set, config, monitor), store: "tree" }
        }
    })
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
