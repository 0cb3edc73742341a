//! Violations that lie deep: once a search that visits every state, nearest first, has a small
//! number of them, some steps are spent on going deep.
//!
//! *Entry point:* [`explore`].
//!
//! Programs that do a real amount of work drown a breadth-first search: two threads that add to a
//! sum a million times have more states near the start than fit in memory, and what goes wrong
//! shows in any run that goes on for long enough. So the search goes nearest first, which is all
//! for small programs and gives the shortest runs; once it has a number of states it pauses for
//! some random walks and a piece of a depth-first search, by a stepper of their own; and then it
//! goes on, as if nothing had been. All are bounded by counts, so a check gives the same answer
//! each time.
//!
//! *Invariant:* What is found on the way down is a violation; what is not found there means
//! nothing.

use axle_c::Stepper;
use axle_search::{Keep, Limits, Monitor, Past, Progress, Stop};
use axle_step::{Interrupt, Successors};

use crate::config::{Approximate, Config, Order};
use crate::store::{self, Explored};

/// Bytes that the tables of what a stepper remembers take at most, and which part of all.
const TABLES: u64 = 192 << 20;
const PART: u64 = 4;

/// Bytes by which the tables grow for the walks at most.
const WALKED: u64 = 16 << 20;

/// States after which the search pauses.
const NEAR: u64 = 100_000;

/// States of the piece of a depth-first search.
const DEEP: u64 = 30_000;

/// Random walks, and steps of each at most.
const WALKS: [(u64, u64); 3] = [(50, 400), (4, 5_000), (1, 20_000)];

/// States after which threads are counted in crowds; those of that search, before the pause and in it, of which the first are
/// to find out whether there are crowds.
const SOON: u64 = 10_000;
const FIRST_ABSTRACT_STATES: [u64; 2] = [300, 3_000];
const ABSTRACT_STATES: [u64; 2] = [1_000, 500_000];

/// Bytes of states after which the search pauses too, and that each part of the going deep may run through.
const BYTES: u64 = 2 << 30;

/// Searches a program, and says how what it found was found. With limits of its own, or another order than nearest first,
/// the search is the one that was asked for. What the stepper remembers has a part of the memory.
pub(super) fn explore<'p>(
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Explored, Config) {
    let tables = config.limits.memory.map_or(TABLES, |memory| TABLES.min(memory / PART));
    stepper.limit_memory(tables);
    let memory = config.limits.memory.map(|memory| memory - tables);
    let own = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
    let (explored, searched) = explore_with(stepper, counter_abstraction, &own, monitor);
    // The limits are told as they were given.
    let limits = Limits { memory: config.limits.memory, ..searched.limits };
    (explored, Config { limits, ..searched })
}

fn explore_with<'p>(
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
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
    let near = NEAR.min(BYTES / (stepper.layout().width() as u64).max(1));
    let walker = Some(stepper.another());
    let mut pausing = Pausing {
        monitor,
        config,
        near,
        walker,
        counter_abstraction,
        counted: 0,
        has_paused: false,
        found: None,
    };
    let explored = store::explore(stepper, config, &mut pausing);
    // Too many threads at a time need not be too many states.
    let is_limited = explored.outcome.stop.is_none() && explored.outcome.violations.is_empty();
    if is_limited && stepper.inconclusive_reasons().iter().any(axle_c::ErrorSite::is_many_threads) {
        pausing.try_counter_abstraction(0, ABSTRACT_STATES);
    }
    let Pausing { walker, found, .. } = pausing;
    match found {
        Some(Found { explored, config, by }) => {
            if let Some(mut by) = by.or(walker) {
                by.share_taken(stepper);
                *stepper = by;
            }
            (explored, config)
        }
        None => {
            if let Some(walker) = walker {
                stepper.share_taken(&walker);
            }
            (explored, config.clone())
        }
    }
}

/// What was found in the pause.
struct Found<'p> {
    explored: Explored,
    /// How.
    config: Config,
    /// By whom, where that is not the walker.
    by: Option<Stepper<'p>>,
}

/// Watches a search, and goes deep in a pause of it.
struct Pausing<'a, 'p, M> {
    monitor: &'a mut M,
    config: &'a Config,
    /// The states after which it pauses.
    near: u64,
    /// Who goes deep.
    walker: Option<Stepper<'p>>,
    /// Who counts threads in crowds.
    counter_abstraction: Option<Stepper<'p>>,
    /// The most states that was done with.
    counted: u64,
    has_paused: bool,
    found: Option<Found<'p>>,
}

impl<'p, M: Monitor> Pausing<'_, 'p, M> {
    /// Searches the program with its threads in crowds, in the memory that is left: all is said where that comes to its end and
    /// nothing went wrong, nothing otherwise. It is made with so many states, one number after the other, as long as there are
    /// crowds; each number is tried once. Why the search is to end, if it is.
    fn try_counter_abstraction(&mut self, taken: u64, states: [u64; 2]) -> Option<Stop> {
        if states[1] <= self.counted {
            return None;
        }
        self.counted = states[1];
        for states in states {
            let mut stepper = self.counter_abstraction.take().filter(Stepper::may_fold)?;
            let again = stepper.another();
            stepper.initial(&mut Vec::new());
            let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(taken));
            let limits = Limits { states: Some(states), memory, ..self.config.limits };
            let piece = Config { limits, threads: 1, ..self.config.clone() };
            let explored = store::explore(&mut stepper, &piece, self.monitor);
            let is_right =
                explored.outcome.violations.is_empty() && stepper.inconclusive_reasons().is_empty();
            match explored.outcome.stop {
                Some(stop @ (Stop::Interrupted | Stop::Time)) => return Some(stop),
                _ if !is_right => return None,
                // There may be crowds further on, and more states may be all.
                Some(_) => self.counter_abstraction = Some(again),
                None if !stepper.has_folded() => return None,
                None => {
                    let config = Config { limits: self.config.limits, ..piece };
                    self.found = Some(Found { explored, config, by: Some(stepper) });
                    return Some(Stop::Errors);
                }
            }
            if !stepper.has_folded() {
                return None;
            }
        }
        None
    }

    /// Goes deep, in the memory that the search leaves: why the search is to end, if it is.
    fn go_deep(&mut self, walker: &mut Stepper<'p>, progress: &Progress) -> Option<Stop> {
        // The set of states is made as wide as the first of them.
        walker.initial(&mut Vec::new());
        let most = BYTES / (walker.layout().width() as u64).max(1);
        let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(progress.memory));
        let own = Limits { memory, ..self.config.limits };
        let bounded = |limits: Limits, order: Order| Config { order, limits, ..self.config.clone() };
        let deep = bounded(Limits { states: Some(DEEP.min(most)), ..own }, Order::DepthFirst);
        let walks = WALKS.into_iter().map(|(walks, steps)| {
            let limits = Limits { states: Some((walks * steps).min(most)), depth: Some(steps), ..own };
            let approximate = Approximate { walks, ..self.config.approximate };
            Config { approximate, ..bounded(limits, Order::Random) }
        });
        for piece in walks.chain([deep]) {
            let explored = store::explore(walker, &piece, self.monitor);
            match explored.outcome.stop {
                // It was asked to end.
                Some(stop @ (Stop::Interrupted | Stop::Time)) => return Some(stop),
                _ if !explored.outcome.violations.is_empty() => {
                    let limits = Limits { memory: self.config.limits.memory, ..piece.limits };
                    let config = Config { limits, ..piece };
                    self.found = Some(Found { explored, config, by: None });
                    return Some(Stop::Errors);
                }
                _ => {}
            }
        }
        None
    }
}

impl<M: Monitor> Monitor for Pausing<'_, '_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        if progress.states >= self.near.min(SOON)
            && let Some(stop) = self.try_counter_abstraction(progress.memory, FIRST_ABSTRACT_STATES)
        {
            return Some(stop);
        }
        if progress.states >= self.near
            && !self.has_paused
            && let Some(mut walker) = self.walker.take()
        {
            self.has_paused = true;
            walker.grow_by(Some(WALKED));
            // Walks get slow where threads are begun for ever.
            let stop = self.try_counter_abstraction(progress.memory, ABSTRACT_STATES);
            let stop = stop.or_else(|| self.go_deep(&mut walker, progress));
            walker.grow_by(None);
            self.walker = Some(walker);
            if stop.is_some() {
                return stop;
            }
        }
        self.monitor.watch(progress)
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn past(&mut self) -> Option<Past> {
        self.monitor.past()
    }

    fn keeper(&mut self) -> Option<&mut dyn Keep> {
        self.monitor.keeper()
    }
}
