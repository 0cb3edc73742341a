//! Searches by several threads.
//!
//! A search begins with one thread. Only after a number of states it is restarted with all threads,
//! which find the same violations ([`axle_search::parallel`]). A search with checkpoints of several
//! threads is resumed with several, or with one that executes the same algorithm.
//!
//! *Entry points:* [`whole`] for the graph of a model, [`reduced`] for the reduced one,
//! [`for_runs`] for claims, [`by_all`] for any graph.
//! *Invariant:* if several threads run out of memory or cannot report a path, one thread repeats
//! the search.

use std::sync::Arc;

use axle_question::config::{Config, Order, StoreChoice};
use axle_search::claim::Claim;
use axle_search::liveness::LivenessOptions;
use axle_search::parallel::cycles::Answer;
use axle_search::parallel::{Searched, Tuning, WORTH, cycles};
use axle_search::{
    Algorithm, Checkpoint, Checkpoints, Fairness, Keep, Limits, LivenessOutcome, Monitor, Past, Progress,
    Reduced, Reduction, Savings, Stop, parallel,
};
use axle_step::{Graph, Interpreter, Interrupt, Observe};

use crate::explored::{Explored, ReductionStatus};
use crate::run;
use crate::run::Reducible;
use crate::successors::Tiered;

/// How much work is divided between threads.
#[derive(Clone, Copy)]
pub struct Grain {
    /// States that one thread searches before all threads start: at most about ten milliseconds of work.
    pub first: u64,
    /// States in a level per thread woken ([`Tuning::worth`]).
    pub worth: usize,
}

/// The grain for models.
pub const MODEL: Grain = Grain { first: 1 << 14, worth: WORTH };

/// The grain for programs: a step takes several times as long as one of a model.
pub const PROGRAM: Grain = Grain { first: 1 << 6, worth: 32 };

/// Bytes up to which a set is not compressed by default, as with one thread.
const PLAIN_BYTES: u64 = 1 << 30;

/// The lines that identify a search in its checkpoints: those of one thread, without states, and
/// those with the states of levels.
pub struct CheckpointLabels {
    /// With the states in a log.
    pub log: String,
    /// With the states of levels.
    pub levels: String,
}

/// The monitor of the first states. There is no checkpoint of the end of this search, after which
/// it is restarted.
struct FirstStates<'m, M>(&'m mut M);

impl<M: Monitor> FirstStates<'_, M> {
    /// The receiver of checkpoints of the whole search.
    fn inner(&mut self) -> Option<&mut dyn Keep> {
        self.0.checkpoints()?.keeper()
    }
}

impl<M: Monitor> Keep for FirstStates<'_, M> {
    fn due(&mut self) -> bool {
        self.inner().is_some_and(|keeper| keeper.due())
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        if point.states < MODEL.first
            && let Some(keeper) = self.inner()
        {
            keeper.keep(point);
        }
    }
}

impl<M: Monitor> Monitor for FirstStates<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.0.watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        self.0.pause_at()
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.0.pause(progress)
    }

    fn interrupt(&self) -> Interrupt {
        self.0.interrupt()
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        if self.0.checkpoints().is_some() { Some(self) } else { None }
    }
}

impl<M: Monitor> Checkpoints for FirstStates<'_, M> {
    fn past(&mut self) -> Option<Past> {
        self.0.checkpoints()?.past()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        if self.inner().is_some() { Some(self) } else { None }
    }
}

/// The threads of a search for faults of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Workers {
    /// One thread.
    One,
    /// One thread for the first states, then all.
    OneThenAll,
    /// All threads, or one that executes the parallel algorithm.
    All,
}

fn workers(config: &Config, about: Option<&CheckpointLabels>, monitor: &mut impl Monitor) -> Workers {
    let kept = monitor.checkpoints();
    let goes_on = |about: &str| kept.as_ref().and_then(|kept| kept.goes_on(about));
    match (about.and_then(|about| goes_on(&about.levels)), about.and_then(|about| goes_on(&about.log))) {
        (Some(_), _) => Workers::All,
        (None, Some(states)) if states >= MODEL.first => Workers::One,
        _ if applies(config) => Workers::OneThenAll,
        _ => Workers::One,
    }
}

/// Runs a search whose checkpoints are identified by these lines.
fn with_checkpoints<M: Monitor>(
    about: Option<&String>,
    monitor: &mut M,
    search: impl FnOnce(&mut M) -> Option<Explored>,
) -> Option<Explored> {
    if let (Some(about), Some(kept)) = (about, monitor.checkpoints()) {
        kept.begins(about);
    }
    let explored = search(monitor);
    if let (Some(_), Some(kept)) = (about, monitor.checkpoints()) {
        kept.ended(explored.as_ref().and_then(|explored| explored.outcome.stop));
    }
    explored
}

/// Whether several threads can execute the configured search.
pub fn applies(config: &Config) -> bool {
    // Only one thread stops at exactly the limit on states, and so with the same result in every
    // run.
    config.threads > 1
        && config.order == Order::BreadthFirst
        && matches!(config.store, StoreChoice::Auto | StoreChoice::Plain)
        && config.limits.states.is_none()
}

/// The configuration of the first states.
pub fn first(config: &Config, grain: Grain) -> Config {
    Config { limits: Limits { states: Some(grain.first), ..config.limits }, ..config.clone() }
}

/// Whether several threads can search for executions that a claim accepts.
pub fn applies_to_runs(config: &Config, algorithm: Algorithm, kept: bool) -> bool {
    let bounded = config.limits.states.is_some() || config.limits.depth.is_some();
    (config.threads > 1 || kept)
        && algorithm == Algorithm::Components
        && !bounded
        && !compresses_runs(config, kept)
}

/// Whether the search for executions that a claim accepts compresses its states. Checkpoints need
/// the algorithm for several threads, which does not.
pub fn compresses_runs(config: &Config, kept: bool) -> bool {
    config.store == StoreChoice::Tree && !kept
}

/// The store of the search for executions that a claim accepts, for reports.
pub fn store_of_runs(config: &Config, kept: bool) -> &'static str {
    match config.store {
        StoreChoice::HashCompact => "hash-compact",
        StoreChoice::HashCompact128 => "hash-compact-128",
        StoreChoice::Bitstate => "bitstate",
        StoreChoice::Auto | StoreChoice::Plain | StoreChoice::Tree => match compresses_runs(config, kept) {
            true => "tree",
            false => "plain",
        },
    }
}

/// The number of threads that search for executions that a claim accepts.
pub fn searchers(config: &Config) -> usize {
    config.threads.clamp(1, cycles::MOST)
}

/// The options of the search of the first states.
pub fn first_states(question: &LivenessOptions, grain: Grain) -> LivenessOptions {
    LivenessOptions { limits: Limits { states: Some(grain.first), ..question.limits }, ..*question }
}

/// The fairness assumption of the search by several threads.
pub fn fairness_of_several(fairness: Fairness) -> Fairness {
    match fairness {
        Fairness::None => Fairness::None,
        Fairness::Weak | Fairness::Strong => Fairness::Weak,
    }
}

/// Searches for executions that a claim accepts, with a thread for each of `forks`; none if one
/// thread has to search, or to report the counterexample.
pub fn for_runs<G: Graph + Send, O: Observe + Send>(
    forks: &mut [(G, O)],
    claim: &Claim,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Option<LivenessOutcome> {
    // The other half is for the components of the states.
    let limit = question.limits.memory.map_or(u64::MAX, |memory| memory / 2);
    // Only one thread decomposes components. Strongly fair runs are weakly fair: if no weakly fair
    // run is accepted, no strongly fair one is; otherwise one thread searches.
    let fairness = fairness_of_several(question.fairness);
    match cycles::search(forks, claim, limit, &LivenessOptions { fairness, ..*question }, monitor) {
        Answer::Outcome(outcome) => Some(*outcome),
        Answer::NeedsSequentialRerun | Answer::Alone => None,
    }
}

/// Searches the graph of a model. `about` identifies the search in checkpoints.
pub fn whole(
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&CheckpointLabels>,
    monitor: &mut impl Monitor,
) -> Explored {
    search(None, stepper, config, about, monitor)
}

/// Searches the reduced graph of a model. `about` identifies the search in checkpoints.
pub fn reduced(
    model: Reducible<'_>,
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&CheckpointLabels>,
    monitor: &mut impl Monitor,
) -> Explored {
    search(Some(model), stepper, config, about, monitor)
}

/// Searches the graph of a stepper, reduced if `model` is given.
fn search(
    model: Option<Reducible<'_>>,
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&CheckpointLabels>,
    monitor: &mut impl Monitor,
) -> Explored {
    let workers = workers(config, about, monitor);
    let log = about.map(|about| &about.log);
    if workers == Workers::OneThenAll {
        let begun = with_checkpoints(log, monitor, |monitor| {
            let first = by_one(model, stepper, &first(config, MODEL), &mut FirstStates(monitor));
            // If there are more states, all threads search.
            (first.outcome.stop != Some(Stop::States)).then_some(first)
        });
        if let Some(first) = begun {
            return first;
        }
    }
    if workers != Workers::One {
        let mut forks: Vec<Tiered> = (0..config.threads.max(1)).map(|_| stepper.fork()).collect();
        let levels = about.map(|about| &about.levels);
        let explored = with_checkpoints(levels, monitor, |monitor| match model {
            None => by_all(&mut forks, MODEL, config, monitor),
            Some(model) => reduced_by_all(model, &mut forks, config, monitor),
        });
        // One thread repeats the search to report a path, without checkpoints.
        return explored.unwrap_or_else(|| by_one(model, stepper, config, monitor));
    }
    let explored = with_checkpoints(log, monitor, |monitor| Some(by_one(model, stepper, config, monitor)));
    explored.unwrap_or_else(|| Explored::new(run::out_of_memory(stepper), "plain"))
}

/// Searches with one thread.
fn by_one(
    model: Option<Reducible<'_>>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    match model {
        None => run::explore(stepper, config, monitor),
        Some(model) => run::reduced(model, stepper, config, monitor),
    }
}

/// Searches the reduced graph with a thread for each of `forks`, as [`by_all`] does.
fn reduced_by_all(
    Reducible { model, analyses, .. }: Reducible<'_>,
    forks: &mut [Tiered],
    config: &Config,
    monitor: &mut impl Monitor,
) -> Option<Explored> {
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut graphs: Vec<Reduced<Tiered>> = Reduced::for_threads(
        forks.iter_mut(),
        model,
        interpreter.constants(),
        None,
        config.reduction,
        analyses,
    );
    let mut explored = by_all(&mut graphs, MODEL, config, monitor)?;
    explored.reduction = all_savings(&graphs);
    run::unfold_violations(&mut graphs[0], &mut explored);
    Some(explored)
}

/// The savings of all threads.
pub fn all_savings<'a, 'g: 'a>(graphs: impl IntoIterator<Item = &'a Reduced<'g, Tiered>>) -> ReductionStatus {
    let sum = |a: Savings, b: Savings| Savings {
        expanded: a.expanded + b.expanded,
        reduced: a.reduced + b.reduced,
        compressed: a.compressed + b.compressed,
        work: a.work + b.work,
    };
    let (mut kind, mut all) = (Reduction::None, Savings::default());
    for graph in graphs {
        kind = graph.kind();
        all = sum(all, graph.savings());
    }
    ReductionStatus::Applied(kind, all)
}

/// Searches with a thread for each of `graphs`; none if one thread has to search with compression.
pub fn by_all<G: Graph + Send>(
    graphs: &mut [G],
    grain: Grain,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Option<Explored<G::Site>> {
    // Paths are stored beside the states and take less than a tenth of their memory.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    let compressible = config.store == StoreChoice::Auto;
    // Both sets have to fit while states are copied from one to the other.
    let compress_at = if compressible { PLAIN_BYTES.min(limit / 4) } else { u64::MAX };
    let tuning = Tuning { worth: grain.worth, compress_at };
    let searched = parallel::search(graphs, tuning, limit, &config.search_options(), monitor);
    let Searched { outcome, tree, paths, .. } = searched;
    // With a checkpoint the states so far are more valuable than the lower memory of one thread.
    let kept = monitor.checkpoints().and_then(|kept| kept.keeper()).is_some();
    let full = outcome.stop == Some(Stop::Memory) && outcome.violations.is_empty() && !kept;
    if !paths || compressible && full {
        return None;
    }
    Some(Explored::new(outcome, if tree { "tree" } else { "plain" }))
}
