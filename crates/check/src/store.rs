//! Picks the set of states and runs the search on it, on the reduced graph of the model where that pays.

use std::sync::Arc;

use axle_evidence::report::ApproximationReport;
use axle_model::Model;
use axle_search::{
    Limits, Monitor, Outcome, Reduced, Reduction, Savings, Stop, bfs, dfs, terminal_components,
};
use axle_step::{Interpreter, Selective, Successors};
use axle_store::{AutoSet, OutOfMemory, Packed, PlainTable, StateSet, TreeTable};

use crate::config::{Auto, Config, Order, StoreChoice};
use crate::engine::Tiered;
use crate::{bounded, lossy, threads};

/// A finished search and the store that it ended with.
pub(crate) struct Explored {
    pub outcome: Outcome,
    pub store: &'static str,
    pub reduction: Told,
    /// What the search may have missed by its nature.
    pub approximation: Option<ApproximationReport>,
}

impl Explored {
    /// An exact search without reduction.
    pub(crate) fn new(outcome: Outcome, store: &'static str) -> Explored {
        Explored { outcome, store, reduction: Told::Off, approximation: None }
    }
}

/// What became of the reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    /// Nobody asked for one.
    Off,
    /// There was none, for this reason.
    Not(&'static str),
    /// What it saved.
    Done(Reduction, Savings),
}

/// States after which it is seen whether a reduction pays.
const PROBE: u64 = 10_000;

/// States up to which Axle looks at guards by itself: where there are more it is not known to pay.
const FEW_GUARDED: u64 = 5_000;

/// Runs the search that the configuration asks for. A reduction that has left nothing out in the first states is
/// given up, and the search begins anew without.
pub(crate) fn check_all(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    let told = match promise(model, config) {
        Err(told) => told,
        Ok(()) => {
            if let Some(explored) = guarded(model, stepper, config, monitor) {
                return explored;
            }
            let limits = probing(&config.limits);
            let probe = reduced(model, stepper, &Config { limits, ..config.clone() }, monitor);
            if probe.outcome.stop != Some(Stop::States) || limits == config.limits {
                return probe;
            }
            if pays(probe.reduction) {
                return threads::reduced(model, stepper, config, None, monitor);
            }
            DOES_NOT_PAY
        }
    };
    Explored { reduction: told, ..threads::whole(stepper, config, None, monitor) }
}

/// Whether there is a reduction to try; what is told where there is none.
pub(crate) fn promise(model: &Model, config: &Config) -> Result<(), Told> {
    match (config.reduction, axle_reduce::obstacle(model)) {
        (Reduction::None, _) => Err(Told::Off),
        (_, Some(reason)) => Err(Told::Not(reason)),
        (_, None) if config.limits.depth.is_some() => Err(Told::Not("a limit on depth counts every step")),
        (_, None) if config.order == Order::DepthFirst && config.shortest => {
            Err(Told::Not("the shortest run may be among what would be left out"))
        }
        (_, None) if matches!(config.order, Order::Stateless | Order::Random) => {
            Err(Told::Not("this search walks the whole graph"))
        }
        (Reduction::Ample | Reduction::Stubborn | Reduction::Guards, None) => Ok(()),
    }
}

/// Which graph to search, and what is told of a reduction where it is the whole one. Where a search ends before that
/// is known: what it came to.
pub(crate) fn decide(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<(Told, Reduction), Box<Explored>> {
    if let Err(told) = promise(model, config) {
        return Ok((told, Reduction::None));
    }
    // A search that is gone on with decides as one with no limit would.
    let limits = Limits { states: Some(PROBE), ..config.limits };
    let probe = reduced(model, stepper, &Config { limits, ..config.clone() }, monitor);
    match probe.outcome.stop {
        Some(Stop::States) if !pays(probe.reduction) => Ok((DOES_NOT_PAY, Reduction::None)),
        None | Some(Stop::States | Stop::Errors) => Ok((DOES_NOT_PAY, config.reduction)),
        Some(_) => Err(Box::new(probe)),
    }
}

/// What is told of a reduction that was given up.
pub(crate) const DOES_NOT_PAY: Told = Told::Not("it left out too little to pay");

/// Whether enough was left out.
pub(crate) fn pays(told: Told) -> bool {
    match told {
        Told::Done(_, savings) => 20 * savings.reduced + 10 * savings.compressed >= savings.expanded,
        Told::Off | Told::Not(_) => false,
    }
}

/// The limits of the search that shows whether a reduction pays; the same where they are narrow anyway.
pub(crate) fn probing(limits: &Limits) -> Limits {
    Limits { states: Some(limits.states.map_or(PROBE, |limit| limit.min(PROBE))), ..*limits }
}

/// Searches the graph that is reduced with a look at guards, if that is wanted; where Axle is to choose, as long as it
/// has few states.
pub(crate) fn guarded(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Option<Explored> {
    let limits = match (config.reduction, config.auto) {
        (Reduction::Guards, _) => config.limits,
        (Reduction::Stubborn, Auto::Reduction | Auto::All) if config.limits.states.is_none() => {
            Limits { states: Some(FEW_GUARDED), ..config.limits }
        }
        _ => return None,
    };
    if !matches!(config.store, StoreChoice::Auto | StoreChoice::Plain) {
        return None;
    }
    // What is known of each state takes a few bytes beside the set.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let mut set = Packed::with_limit(stepper.layout().width(), limit, PlainTable::with_limit).ok()?;
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let options = axle_search::Options { limits, ..config.search_options() };
    let mut graph = Reduced::with_guards(stepper, model, interpreter.constants());
    let outcome = terminal_components::search(&mut graph, &mut set, &options, monitor);
    let mut explored = Explored::new(outcome, "plain");
    let narrow = limits.states != config.limits.states;
    if narrow && matches!(explored.outcome.stop, Some(Stop::States | Stop::Memory)) {
        return None;
    }
    explored.reduction = Told::Done(graph.kind(), graph.savings());
    tell_in_whole(&mut graph, &mut explored);
    Some(explored)
}

/// Searches the reduced graph; what is found there is told in terms of the whole.
pub(crate) fn reduced(
    model: &Arc<Model>,
    stepper: &mut impl Selective,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut graph = Reduced::new(stepper, model, interpreter.constants(), None, config.reduction);
    let mut explored = explore(&mut graph, config, monitor);
    explored.reduction = Told::Done(graph.kind(), graph.savings());
    tell_in_whole(&mut graph, &mut explored);
    explored
}

/// Tells what was found in a reduced graph in terms of the whole. Where this fails the replay will say so.
pub(crate) fn tell_in_whole<G: Selective>(graph: &mut Reduced<'_, G>, explored: &mut Explored) {
    for violation in &mut explored.outcome.violations {
        let _ = graph.unfold(violation);
    }
}

/// Searches a graph.
pub(crate) fn explore(
    stepper: &mut impl Successors,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    explore_in(stepper, config, monitor)
        .unwrap_or_else(|OutOfMemory| Explored::new(nothing(stepper), "plain"))
}

fn explore_in(
    stepper: &mut impl Successors,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<Explored, OutOfMemory> {
    if !config.store.is_exact() || config.order == Order::Random {
        return lossy::explore(stepper, config, monitor);
    }
    let width = stepper.layout().width();
    // The paths live beside the states, and take less than a tenth of what these do.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    match config.order {
        Order::Stateless => return Ok(bounded::stateless(stepper, config, monitor)),
        Order::DepthFirst if config.shortest => return bounded::shortest(stepper, config, limit, monitor),
        Order::DepthFirst if config.limits.depth.is_some() => {
            return bounded::depth_limited(stepper, config, limit, monitor);
        }
        Order::DepthFirst | Order::BreadthFirst | Order::Random => {}
    }
    // A depth-first search keeps what waits on its stack.
    let stacked = config.order == Order::DepthFirst;
    Ok(match config.store {
        StoreChoice::Plain => {
            let mut set = Packed::with_limit(width, limit, PlainTable::with_limit)?;
            Explored::new(search(stepper, &mut set, config, monitor), "plain")
        }
        StoreChoice::Tree => {
            let mut set = Packed::with_limit(width, limit, |width, limit| {
                let set = TreeTable::with_limit(width, limit)?;
                Ok(if stacked { set.without_queue() } else { set })
            })?;
            Explored::new(search(stepper, &mut set, config, monitor), "tree")
        }
        StoreChoice::Auto
        | StoreChoice::HashCompact
        | StoreChoice::HashCompact128
        | StoreChoice::Bitstate => {
            let mut set = Packed::with_limit(width, limit, |width, limit| {
                let set = AutoSet::with_limit(width, limit)?;
                Ok(if stacked { set.without_queue() } else { set })
            })?;
            let outcome = search(stepper, &mut set, config, monitor);
            Explored::new(outcome, if set.inner().is_tree() { "tree" } else { "plain" })
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
        Order::DepthFirst => dfs::search(stepper, set, &options, monitor),
        Order::BreadthFirst | Order::Stateless | Order::Random => {
            bfs::search(stepper, set, &options, monitor)
        }
    }
}

/// A search that found no room for its first state.
pub(crate) fn nothing(stepper: &impl Successors) -> Outcome {
    Outcome::nothing(Stop::Memory, stepper.taken().to_vec())
}
