//! Runs the search for faults of states: selects the store, the order and the graph.
//!
//! The reduced graph is searched if the reduction is sound for the configuration and leaves out
//! enough of the first states.
//!
//! *Entry points:* [`check_all`] with all of this, [`explore`] for a given graph.
//! *Invariant:* violations of a reduced graph are reported as paths of the full graph.

use std::sync::Arc;

use axle_model::Model;
use axle_question::config::{Auto, Config, Order, StoreChoice};
use axle_search::{
    Analyses, Limits, Monitor, Outcome, Progress, Reduced, Reduction, Savings, SharedSavings, Stop, bfs, dfs,
    terminal_components,
};
use axle_step::{Graph, Interpreter, Interrupt, Selective, Successors};
use axle_store::{AutoSet, OutOfMemory, Packed, PlainTable, StateSet, TreeTable};

use crate::explored::{Explored, ReductionStatus};
use crate::successors::Tiered;
use crate::{bounded, lossy, threads};

/// States after which a reduction that left out too little is given up.
const PROBE: u64 = 10_000;

/// States up to which guards are analysed by default. The effect on a larger model cannot be
/// predicted: the enabled processes that guards leave out of the first 5,000 states say nothing
/// about the number of states.
const FEW_GUARDED: u64 = 20_000;

/// Elementary steps of the analysis of guards by default: as many as a model of moderate size needs
/// for [`FEW_GUARDED`] states. Wide guards and long processes need many times more for a state.
const FEW_STEPS: u64 = 2_000_000;

/// Expanded states after which a reduction ends that has left out next to nothing.
const EARLY: u64 = 2_500;

/// A model whose reduced graph is searched.
#[derive(Clone, Copy)]
pub struct Reducible<'a> {
    /// The model.
    pub model: &'a Arc<Model>,
    /// The analyses of process sets, which all searches of the model share.
    pub analyses: &'a Analyses,
    /// Receives the savings during the search.
    pub savings: Option<&'a SharedSavings>,
}

impl<'a> Reducible<'a> {
    /// A model with these analyses.
    pub fn new(model: &'a Arc<Model>, analyses: &'a Analyses) -> Reducible<'a> {
        Reducible { model, analyses, savings: None }
    }
}

/// The monitor of a reduced search that may not pay. It ends the search, as a limit on states does,
/// if it leaves out next to nothing or has taken too many elementary steps.
struct Trial<'m, M> {
    monitor: &'m mut M,
    savings: SharedSavings,
}

impl<M: Monitor> Monitor for Trial<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let Savings { expanded, reduced, compressed, work } = self.savings.get();
        let is_useless = expanded >= EARLY && 100 * (reduced + compressed) < expanded;
        self.monitor.watch(progress).or((is_useless || work > FEW_STEPS).then_some(Stop::States))
    }

    fn pause_at(&self) -> Option<u64> {
        self.monitor.pause_at()
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.pause(progress)
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }
}

/// Runs the configured search. A reduction that leaves out too little of the first states is given
/// up, and the search is restarted without it.
pub fn check_all(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    mut monitor: &mut dyn Monitor,
) -> Explored {
    let monitor = &mut monitor;
    let told = match may_reduce(model, config) {
        Err(told) => told,
        Ok(()) => {
            let analyses = &Analyses::default();
            let model = Reducible::new(model, analyses);
            if let Some(explored) = search_with_guards(model, stepper, config, monitor) {
                return explored;
            }
            let limits = probe_limits(&config.limits);
            if limits == config.limits {
                return reduced(model, stepper, config, monitor);
            }
            let probe = probe(model, stepper, &Config { limits, ..config.clone() }, monitor);
            if probe.outcome.stop != Some(Stop::States) {
                return probe;
            }
            if pays(probe.reduction) {
                match reaches_further(&probe, stepper, config, monitor) {
                    Ok(true) => return threads::reduced(model, stepper, config, None, monitor),
                    Ok(false) => {}
                    Err(explored) => return Explored { reduction: DOES_NOT_PAY, ..*explored },
                }
            }
            DOES_NOT_PAY
        }
    };
    Explored { reduction: told, ..threads::whole(stepper, config, None, monitor) }
}

/// Whether a reduction is requested and sound; otherwise the status to report.
pub fn may_reduce(model: &Model, config: &Config) -> Result<(), ReductionStatus> {
    match (config.reduction, axle_reduce::obstacle(model)) {
        (Reduction::None, _) => Err(ReductionStatus::Off),
        (_, Some(reason)) => Err(ReductionStatus::NotApplied(reason)),
        (_, None) if config.limits.depth.is_some() => {
            Err(ReductionStatus::NotApplied("a limit on depth counts every step"))
        }
        (_, None) if config.order == Order::DepthFirst && config.shortest => {
            Err(ReductionStatus::NotApplied("the shortest run may be among what would be left out"))
        }
        (_, None) if matches!(config.order, Order::Stateless | Order::Random) => {
            Err(ReductionStatus::NotApplied("this search walks the whole graph"))
        }
        (Reduction::Ample | Reduction::Stubborn | Reduction::Guards, None) => Ok(()),
    }
}

/// The graph to search, and the status of the reduction if it is the full one. The result of the
/// search if that ends before the decision.
pub fn choose_graph(
    model: Reducible<'_>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<(ReductionStatus, Reduction), Box<Explored>> {
    if let Err(told) = may_reduce(model.model, config) {
        return Ok((told, Reduction::None));
    }
    // The decision does not depend on a limit on states, so that a resumed search decides the same.
    let limits = Limits { states: Some(PROBE), ..config.limits };
    let probe = probe(model, stepper, &Config { limits, ..config.clone() }, monitor);
    match probe.outcome.stop {
        Some(Stop::States) if !pays(probe.reduction) => Ok((DOES_NOT_PAY, Reduction::None)),
        Some(Stop::States) => match reaches_further(&probe, stepper, config, monitor)? {
            true => Ok((DOES_NOT_PAY, config.reduction)),
            false => Ok((DOES_NOT_PAY, Reduction::None)),
        },
        None | Some(Stop::Errors) => Ok((DOES_NOT_PAY, config.reduction)),
        Some(_) => Err(Box::new(probe)),
    }
}

/// The status of a reduction that was given up.
pub const DOES_NOT_PAY: ReductionStatus = ReductionStatus::NotApplied("it left out too little to pay");

/// Whether enough was left out.
pub fn pays(told: ReductionStatus) -> bool {
    match told {
        ReductionStatus::Applied(_, savings) => {
            20 * savings.reduced + 10 * savings.compressed >= savings.expanded
        }
        ReductionStatus::Off | ReductionStatus::NotApplied(_) => false,
    }
}

/// Whether a reduced search is so much smaller than the whole one that it pays: it has left out half
/// of the transitions, or with as many states it is farther from the initial state. Both searches
/// have stored as many states; the measure is counted and not timed, so the decision is the same in
/// every run. The result of the whole search if it ended for another reason.
fn reaches_further(
    probe: &Explored,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<bool, Box<Explored>> {
    // Only a breadth-first search has a distance.
    if config.auto == Auto::Nothing || config.order != Order::BreadthFirst {
        return Ok(true);
    }
    let ReductionStatus::Applied(_, savings) = probe.reduction else { return Ok(true) };
    let limits = Limits { states: Some(PROBE), ..config.limits };
    let whole = explore(stepper, &Config { limits, ..config.clone() }, monitor);
    if whole.outcome.stop != Some(Stop::States) {
        return Err(Box::new(whole));
    }
    let (whole, reduced) = (&whole.outcome, &probe.outcome);
    // A step of the reduced graph is several steps of the whole one where paths are compressed.
    let steps = reduced.transitions + savings.compressed;
    let leaves_out_half = 2 * reduced.transitions <= whole.transitions;
    let is_farther = 10 * reduced.depth * steps >= 11 * whole.depth * reduced.transitions;
    Ok(leaves_out_half || is_farther)
}

/// The limits of the search that decides whether a reduction pays; unchanged if they are narrower.
pub fn probe_limits(limits: &Limits) -> Limits {
    Limits { states: Some(limits.states.map_or(PROBE, |limit| limit.min(PROBE))), ..*limits }
}

/// Searches the graph that is reduced by an analysis of guards, if that is configured; by default
/// only up to a small number of states.
pub fn search_with_guards(
    Reducible { model, analyses, .. }: Reducible<'_>,
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
    // The search stores a few bytes per state beside the set.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let mut set = Packed::with_limit(stepper.width(), limit, PlainTable::with_limit).ok()?;
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let options = axle_search::Options { limits, ..config.search_options() };
    let mut graph = Reduced::with_guards(stepper, model, interpreter.constants(), analyses);
    let narrow = limits.states != config.limits.states;
    let outcome = if narrow {
        let savings = SharedSavings::default();
        graph.share_savings(savings.clone());
        terminal_components::search(&mut graph, &mut set, &options, &mut Trial { monitor, savings })
    } else {
        terminal_components::search(&mut graph, &mut set, &options, monitor)
    };
    let mut explored = Explored::new(outcome, "plain");
    if narrow && matches!(explored.outcome.stop, Some(Stop::States | Stop::Memory)) {
        return None;
    }
    explored.reduction = ReductionStatus::Applied(graph.kind(), graph.savings());
    unfold_violations(&mut graph, &mut explored);
    Some(explored)
}

/// Searches the reduced graph for the decision whether that pays.
fn probe(
    model: Reducible<'_>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    let savings = SharedSavings::default();
    let model = Reducible { savings: Some(&savings), ..model };
    reduced(model, stepper, config, &mut Trial { monitor, savings: savings.clone() })
}

/// Searches the reduced graph. Violations are reported as paths of the full graph.
pub fn reduced(
    Reducible { model, analyses, savings }: Reducible<'_>,
    stepper: &mut impl Selective,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let constants = interpreter.constants();
    let mut graph = Reduced::with_analyses(stepper, model, constants, None, config.reduction, analyses);
    if let Some(savings) = savings {
        graph.share_savings(savings.clone());
    }
    let mut explored = explore(&mut graph, config, monitor);
    explored.reduction = ReductionStatus::Applied(graph.kind(), graph.savings());
    unfold_violations(&mut graph, &mut explored);
    explored
}

/// Maps the violations of a reduced graph to paths of the full graph. If this fails, the replay
/// fails and reports it.
pub fn unfold_violations<G: Selective>(graph: &mut Reduced<'_, G>, explored: &mut Explored) {
    for violation in &mut explored.outcome.violations {
        // A violation that stays reduced does not replay, which is reported.
        let _ = graph.unfold(violation);
    }
}

/// Searches a graph.
pub fn explore<G: Graph>(stepper: &mut G, config: &Config, monitor: &mut impl Monitor) -> Explored<G::Site> {
    explore_in(stepper, config, monitor)
        .unwrap_or_else(|OutOfMemory| Explored::new(out_of_memory(stepper), "plain"))
}

fn explore_in<G: Graph>(
    stepper: &mut G,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<Explored<G::Site>, OutOfMemory> {
    if !config.store.is_exact() || config.order == Order::Random {
        return lossy::explore(stepper, config, monitor);
    }
    let width = stepper.width();
    // Paths are stored beside the states and take less than a tenth of their memory.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    match config.order {
        Order::Stateless => return Ok(bounded::stateless(stepper, config, monitor)),
        Order::DepthFirst if config.shortest => return bounded::shortest(stepper, config, limit, monitor),
        Order::DepthFirst if config.limits.depth.is_some() => {
            return bounded::depth_limited(stepper, config, limit, monitor);
        }
        Order::DepthFirst | Order::BreadthFirst | Order::Random => {}
    }
    // The frontier of a depth-first search is on its stack.
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

fn search<G: Graph>(
    stepper: &mut G,
    set: &mut impl StateSet,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let options = config.search_options();
    match config.order {
        Order::DepthFirst => dfs::search(stepper, set, &options, monitor),
        Order::BreadthFirst | Order::Stateless | Order::Random => {
            bfs::search(stepper, set, &options, monitor)
        }
    }
}

/// A search without memory for the initial state.
pub fn out_of_memory<G: Graph>(stepper: &G) -> Outcome<G::Site> {
    nothing(stepper, Stop::Memory)
}

/// A search that ended before its initial state.
pub fn nothing<G: Graph>(stepper: &G, stop: Stop) -> Outcome<G::Site> {
    Outcome::nothing(stop, stepper.taken().to_vec())
}
