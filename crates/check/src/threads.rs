//! Searches by several threads, where that pays.
//!
//! Small models are done before a thread is woken: a search begins with one thread, and only when it has seen
//! so many states is it begun anew with all. What is found does not depend on it ([`axle_search::parallel`]). Main
//! functions: [`whole`] for the graph of a model, [`reduced`] for the reduced one, [`for_runs`] for what a claim describes.
//! Kept: where several threads find no room, or no way to what went wrong, that is no verdict; one thread then does what
//! can be done.

use std::sync::Arc;

use axle_model::Model;
use axle_search::claim::Claim;
use axle_search::liveness::Question;
use axle_search::parallel::cycles::{self, Answer};
use axle_search::parallel::{Searched, Tuning};
use axle_search::{
    Algorithm, Fairness, Limits, LivenessOutcome, Monitor, Reduced, Reduction, Savings, Stop, parallel,
};
use axle_step::{Interpreter, Observer, Successors};

use crate::config::{Config, Order, StoreChoice};
use crate::engine::Tiered;
use crate::store::{self, Explored, Told};

/// States that one thread searches before others are asked: a hundredth of what takes a second.
const FIRST: u64 = 1 << 14;

/// Bytes up to which a set is not compressed, unless someone wants it so: as with one thread.
const PLAIN_BYTES: u64 = 1 << 30;

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
pub(crate) fn apply_to_runs(config: &Config, algorithm: Algorithm) -> bool {
    config.threads > 1 && algorithm == Algorithm::Components && config.limits.states.is_none()
}

/// How many threads search for runs.
pub(crate) fn searchers(config: &Config) -> usize {
    config.threads.min(cycles::MOST)
}

/// The question for the first states.
pub(crate) fn first_states(question: &Question) -> Question {
    Question { limits: Limits { states: Some(FIRST), ..question.limits }, ..*question }
}

/// Searches for runs that a claim describes, with a thread for each of `forks`; nothing where one thread has to do it, or
/// to tell what was found.
pub(crate) fn for_runs<G: Successors + Send>(
    forks: &mut [(G, Observer)],
    claim: &Claim,
    question: &Question,
    monitor: &mut impl Monitor,
) -> Option<LivenessOutcome> {
    // As much again is for what is known of each state.
    let limit = question.limits.memory.map_or(u64::MAX, |memory| memory / 2);
    // To take components apart is one thread's work. But strongly fair runs are weakly fair: where none of these breaks the
    // claim, none of those does, and where one does, one thread looks.
    let fairness = match question.fairness {
        Fairness::None => Fairness::None,
        Fairness::Weak | Fairness::Strong => Fairness::Weak,
    };
    match cycles::search(forks, claim, limit, &Question { fairness, ..*question }, monitor) {
        Answer::Outcome(outcome) => Some(*outcome),
        Answer::ToTell | Answer::Alone => None,
    }
}

/// Searches the graph of a model.
pub(crate) fn whole(stepper: &mut Tiered, config: &Config, monitor: &mut impl Monitor) -> Explored {
    if apply(config) {
        let first = store::explore(stepper, &first(config), monitor);
        if first.outcome.stop != Some(Stop::States) {
            return first;
        }
        let mut forks: Vec<Tiered> = (0..config.threads).map(|_| stepper.fork()).collect();
        if let Some(explored) = together(&mut forks, config, monitor) {
            return explored;
        }
    }
    store::explore(stepper, config, monitor)
}

/// Searches the reduced graph of a model.
pub(crate) fn reduced(
    model: &Arc<Model>,
    stepper: &mut Tiered,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Explored {
    if apply(config) {
        let first = store::reduced(model, stepper, &first(config), monitor);
        if first.outcome.stop != Some(Stop::States) {
            return first;
        }
        let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
        let mut forks: Vec<Tiered> = (0..config.threads).map(|_| stepper.fork()).collect();
        let mut graphs: Vec<Reduced<Tiered>> = (forks.iter_mut())
            .map(|fork| Reduced::new(fork, model, interpreter.constants(), None, config.reduction))
            .collect();
        if let Some(mut explored) = together(&mut graphs, config, monitor) {
            explored.reduction = all_savings(&graphs);
            for violation in &mut explored.outcome.violations {
                // Where this fails the replay will say so.
                let _ = graphs[0].unfold(violation);
            }
            return explored;
        }
    }
    store::reduced(model, stepper, config, monitor)
}

/// What all threads have saved together.
pub(crate) fn all_savings<'a, 'g: 'a>(graphs: impl IntoIterator<Item = &'a Reduced<'g, Tiered>>) -> Told {
    let sum = |a: Savings, b: Savings| Savings {
        expanded: a.expanded + b.expanded,
        reduced: a.reduced + b.reduced,
        leaps: a.leaps + b.leaps,
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
    let full = outcome.stop == Some(Stop::Memory) && outcome.violations.is_empty();
    if !paths || compressible && full {
        return None;
    }
    Some(Explored::new(outcome, if tree { "tree" } else { "plain" }))
}
