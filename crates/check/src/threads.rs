//! Searches by several threads, where that pays.
//!
//! Small models are done before a thread is woken: a search begins with one thread, and only when
//! it has seen so many states is it begun anew with all. What is found does not depend on it
//! ([`axle_search::parallel`]). A search of which checkpoints are kept by several threads goes on
//! with several, or with one that works as one of several does.
//!
//! *Entry points:* [`whole`] for the graph of a model, [`reduced`] for the reduced one,
//! [`for_runs`] for what a claim describes.
//! *Invariant:* Where several threads find no room, or no way to what went wrong, that is no
//! verdict; one thread then does what can be done.

use std::sync::Arc;

use axle_model::Model;
use axle_search::claim::Claim;
use axle_search::liveness::LivenessOptions;
use axle_search::parallel::cycles::{self, Answer};
use axle_search::parallel::{Searched, Tuning};
use axle_search::{
    Algorithm, Checkpoint, Fairness, Keep, Limits, LivenessOutcome, Monitor, Past, Progress, Reduced,
    Reduction, Savings, Stop, parallel,
};
use axle_step::{Interpreter, Interrupt, Observer, Successors};

use crate::config::{Config, Order, StoreChoice};
use crate::engine::Tiered;
use crate::store::{self, Explored, Told};

/// States that one thread searches before others are asked: a hundredth of what takes a second.
const FIRST: u64 = 1 << 14;

/// Bytes up to which a set is not compressed, unless someone wants it so: as with one thread.
const PLAIN_BYTES: u64 = 1 << 30;

/// What a checkpoint of a search for faults says of it: one without states, of one thread, and one with the states of levels.
pub(crate) struct About {
    pub log: String,
    pub levels: String,
}

/// Watches the first states: of these checkpoints are kept, but not where the search ends for being begun anew.
struct First<'m, M>(&'m mut M);

impl<M: Monitor> Keep for First<'_, M> {
    fn due(&mut self) -> bool {
        self.0.keeper().is_some_and(|keeper| keeper.due())
    }

    fn keep(&mut self, point: &Checkpoint<'_>) {
        if point.states < FIRST
            && let Some(keeper) = self.0.keeper()
        {
            keeper.keep(point);
        }
    }
}

impl<M: Monitor> Monitor for First<'_, M> {
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

    fn past(&mut self) -> Option<Past> {
        self.0.past()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        if self.0.keeper().is_some() { Some(self) } else { None }
    }
}

/// How a search for faults is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By one thread.
    Alone,
    /// By one thread first, then by several.
    Both,
    /// By several, or by one as one of these.
    Together,
}

fn way(config: &Config, about: Option<&About>, monitor: &impl Monitor) -> Way {
    let goes_on = |of: fn(&About) -> &str| about.and_then(|about| monitor.goes_on(of(about)));
    match (goes_on(|about| &about.levels), goes_on(|about| &about.log)) {
        (Some(_), _) => Way::Together,
        (None, Some(states)) if states >= FIRST => Way::Alone,
        _ if apply(config) => Way::Both,
        _ => Way::Alone,
    }
}

/// Has a search done of which checkpoints are kept under these lines.
fn kept<M: Monitor>(
    about: Option<&String>,
    monitor: &mut M,
    search: impl FnOnce(&mut M) -> Option<Explored>,
) -> Option<Explored> {
    if let Some(about) = about {
        monitor.begins(about);
    }
    let explored = search(monitor);
    if about.is_some() {
        monitor.ended(explored.as_ref().and_then(|explored| explored.outcome.stop));
    }
    explored
}

/// Whether several threads can do what is asked for.
fn apply(config: &Config) -> bool {
    // A limit on states is kept exactly by one thread only, and so the same in every run.
    config.threads > 1
        && config.order == Order::BreadthFirst
        && matches!(config.store, StoreChoice::Auto | StoreChoice::Plain)
        && config.limits.states.is_none()
}

/// The configuration of the first states.
fn first(config: &Config) -> Config {
    Config { limits: Limits { states: Some(FIRST), ..config.limits }, ..config.clone() }
}

/// Whether several threads can search for runs.
pub(crate) fn apply_to_runs(config: &Config, algorithm: Algorithm, kept: bool) -> bool {
    (config.threads > 1 || kept) && algorithm == Algorithm::Components && config.limits.states.is_none()
}

/// How many threads search for runs.
pub(crate) fn searchers(config: &Config) -> usize {
    config.threads.clamp(1, cycles::MOST)
}

/// The question for the first states.
pub(crate) fn first_states(question: &LivenessOptions) -> LivenessOptions {
    LivenessOptions { limits: Limits { states: Some(FIRST), ..question.limits }, ..*question }
}

/// The fairness of the runs that several threads look for.
pub(crate) fn fairness_of_several(fairness: Fairness) -> Fairness {
    match fairness {
        Fairness::None => Fairness::None,
        Fairness::Weak | Fairness::Strong => Fairness::Weak,
    }
}

/// Searches for runs that a claim describes, with a thread for each of `forks`; nothing where one thread has to do it, or
/// to tell what was found.
pub(crate) fn for_runs<G: Successors + Send>(
    forks: &mut [(G, Observer)],
    claim: &Claim,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Option<LivenessOutcome> {
    // As much again is for what is known of each state.
    let limit = question.limits.memory.map_or(u64::MAX, |memory| memory / 2);
    // To take components apart is one thread's work. But strongly fair runs are weakly fair: where none of these breaks the
    // claim, none of those does, and where one does, one thread looks.
    let fairness = fairness_of_several(question.fairness);
    match cycles::search(forks, claim, limit, &LivenessOptions { fairness, ..*question }, monitor) {
        Answer::Outcome(outcome) => Some(*outcome),
        Answer::NeedsSequentialRerun | Answer::Alone => None,
    }
}

/// Searches the graph of a model. Checkpoints are kept under the lines of `about`.
pub(crate) fn whole(
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&About>,
    monitor: &mut impl Monitor,
) -> Explored {
    search(None, stepper, config, about, monitor)
}

/// Searches the reduced graph of a model. Checkpoints are kept under the lines of `about`.
pub(crate) fn reduced(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&About>,
    monitor: &mut impl Monitor,
) -> Explored {
    search(Some(model), stepper, config, about, monitor)
}

/// Searches the graph of a stepper, the one reduced for `model` where that is given.
fn search(
    model: Option<&Arc<Model>>,
    stepper: &mut Tiered,
    config: &Config,
    about: Option<&About>,
    monitor: &mut impl Monitor,
) -> Explored {
    let way = way(config, about, monitor);
    let log = about.map(|about| &about.log);
    if way == Way::Both {
        let begun = kept(log, monitor, |monitor| {
            let first = alone(model, stepper, &first(config), &mut First(monitor));
            // That these are not all ends nothing.
            (first.outcome.stop != Some(Stop::States)).then_some(first)
        });
        if let Some(first) = begun {
            return first;
        }
    }
    if way != Way::Alone {
        let mut forks: Vec<Tiered> = (0..config.threads.max(1)).map(|_| stepper.fork()).collect();
        let levels = about.map(|about| &about.levels);
        let explored = kept(levels, monitor, |monitor| match model {
            None => together(&mut forks, config, monitor),
            Some(model) => reduced_together(model, &mut forks, config, monitor),
        });
        // To tell what was found it is searched once more, and there are no checkpoints of that.
        return explored.unwrap_or_else(|| alone(model, stepper, config, monitor));
    }
    let explored = kept(log, monitor, |monitor| Some(alone(model, stepper, config, monitor)));
    explored.unwrap_or_else(|| Explored::new(store::nothing(stepper), "plain"))
}

/// The same by one thread.
fn alone(
    model: Option<&Arc<Model>>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    match model {
        None => store::explore(stepper, config, monitor),
        Some(model) => store::reduced(model, stepper, config, monitor),
    }
}

/// Searches the reduced graph with a thread for each of `forks`, as [`together`] does.
fn reduced_together(
    model: &Arc<Model>,
    forks: &mut [Tiered],
    config: &Config,
    monitor: &mut impl Monitor,
) -> Option<Explored> {
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut graphs: Vec<Reduced<Tiered>> =
        Reduced::for_threads(forks.iter_mut(), model, interpreter.constants(), None, config.reduction);
    let mut explored = together(&mut graphs, config, monitor)?;
    explored.reduction = all_savings(&graphs);
    store::tell_in_whole(&mut graphs[0], &mut explored);
    Some(explored)
}

/// What all threads have saved together.
pub(crate) fn all_savings<'a, 'g: 'a>(graphs: impl IntoIterator<Item = &'a Reduced<'g, Tiered>>) -> Told {
    let sum = |a: Savings, b: Savings| Savings {
        expanded: a.expanded + b.expanded,
        reduced: a.reduced + b.reduced,
        compressed: a.compressed + b.compressed,
    };
    let (mut kind, mut all) = (Reduction::None, Savings::default());
    for graph in graphs {
        kind = graph.kind();
        all = sum(all, graph.savings());
    }
    Told::Done(kind, all)
}

/// Searches with a thread for each of `graphs`; nothing where it has to be done by one with compression.
fn together<G: Successors + Send>(
    graphs: &mut [G],
    config: &Config,
    monitor: &mut impl Monitor,
) -> Option<Explored> {
    // The paths live beside the states, and take less than a tenth of what these do.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    let compressible = config.store == StoreChoice::Auto;
    // Both sets have to fit while states move from one to the other.
    let compress_at = if compressible { PLAIN_BYTES.min(limit / 4) } else { u64::MAX };
    let tuning = Tuning { compress_at, ..Tuning::default() };
    let searched = parallel::search(graphs, tuning, limit, &config.search_options(), monitor);
    let Searched { outcome, tree, paths, .. } = searched;
    // What was found so far is worth more than that one thread needs less memory, if it is kept.
    let kept = monitor.keeper().is_some();
    let full = outcome.stop == Some(Stop::Memory) && outcome.violations.is_empty() && !kept;
    if !paths || compressible && full {
        return None;
    }
    Some(Explored::new(outcome, if tree { "tree" } else { "plain" }))
}
