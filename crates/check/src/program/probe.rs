//! Budgeted searches for deep violations of C programs.
//!
//! Two threads that add to a sum a million times have more states near the initial state than fit
//! in memory, while most long executions show the violation. The exhaustive breadth-first search
//! therefore pauses once, at a fixed number of states, for random walks and a depth-first search
//! with steppers of their own, and for a search with counter abstraction. Then it continues
//! unchanged. All budgets count states or steps, so the result is reproducible.
//!
//! *Entry point:* [`explore`].
//! *Invariant:* a violation found in the pause is a violation of the program. Without one, the
//! pause has no effect, except that an exhaustive search with counter abstraction decides the
//! check.

use axle_c_exec::{ErrorNumber, Stepper};
use axle_search::{Checkpoints, Limits, Monitor, Progress, Stop};
use axle_step::{Interrupt, Successors};

use crate::config::{Approximate, Config, Order};
use crate::plan::programs::{ABSTRACT_STATES, FIRST_ABSTRACT_STATES, NEAR, SOON, has_pause, hunters};
use crate::plan::{Kind, Share};
use crate::run::{self, Explored};

use super::parallel;

/// Bytes that the tables of what a stepper remembers take at most, and which part of all.
const TABLES: u64 = 192 << 20;
const PART: u64 = 4;

/// Bytes by which the tables grow for the walks at most.
const WALKED: u64 = 16 << 20;

/// Bytes of states after which the search pauses too, and that each budgeted search may store.
const BYTES: u64 = 2 << 30;

/// Searches a program; also returns the configuration of the search that found the result. With
/// limits or an order of its own, there is no pause. The tables of the stepper have a part of the
/// memory.
pub(super) fn explore<'p>(
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Explored<ErrorNumber>, Config) {
    let tables = config.limits.memory.map_or(TABLES, |memory| TABLES.min(memory / PART));
    stepper.limit_memory(tables);
    let memory = config.limits.memory.map(|memory| memory - tables);
    let own = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
    let (explored, searched) = explore_with(stepper, counter_abstraction, (&own, tables), monitor);
    // The report contains the limits as configured.
    let limits = Limits { memory: config.limits.memory, ..searched.limits };
    (explored, Config { limits, ..searched })
}

fn explore_with<'p>(
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    (config, tables): (&Config, u64),
    monitor: &mut impl Monitor,
) -> (Explored<ErrorNumber>, Config) {
    if !has_pause(config) {
        return (parallel::explore(stepper, config, tables, monitor), config.clone());
    }
    let near = NEAR.min(BYTES / (stepper.width() as u64).max(1));
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
    let explored = parallel::explore(stepper, config, tables, &mut pausing);
    // Too many threads at a time need not be too many states.
    let is_limited = explored.outcome.stop.is_none() && explored.outcome.violations.is_empty();
    if is_limited && stepper.inconclusive_reasons().iter().any(axle_c_exec::ErrorSite::is_many_threads) {
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

/// The result of the pause.
struct Found<'p> {
    explored: Explored<ErrorNumber>,
    /// The configuration of its search.
    config: Config,
    /// The stepper of its search, if it is not the walker.
    by: Option<Stepper<'p>>,
}

/// The monitor of the exhaustive search, with the budgeted searches of its pause.
struct Pausing<'a, 'p, M> {
    monitor: &'a mut M,
    config: &'a Config,
    /// The states after which it pauses.
    near: u64,
    /// The stepper of the random walks and the depth-first search.
    walker: Option<Stepper<'p>>,
    /// The stepper with counter abstraction.
    counter_abstraction: Option<Stepper<'p>>,
    /// The largest budget of a search with counter abstraction so far.
    counted: u64,
    has_paused: bool,
    found: Option<Found<'p>>,
}

impl<'p, M: Monitor> Pausing<'_, 'p, M> {
    /// Searches the program with counter abstraction in the remaining memory, with one budget after
    /// the other while threads are folded. Only an exhaustive search without a violation decides
    /// the check. A reason ends the exhaustive search.
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
            let explored = run::explore(&mut stepper, &piece, self.monitor);
            let is_right =
                explored.outcome.violations.is_empty() && stepper.inconclusive_reasons().is_empty();
            match explored.outcome.stop {
                Some(stop @ (Stop::Interrupted | Stop::Time)) => return Some(stop),
                _ if !is_right => return None,
                // A larger budget may fold threads, or be exhaustive.
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

    /// Random walks and a depth-first search in the remaining memory. A reason ends the exhaustive
    /// search.
    fn go_deep(&mut self, walker: &mut Stepper<'p>, progress: &Progress) -> Option<Stop> {
        // The set of states is made as wide as the first of them.
        walker.initial(&mut Vec::new());
        let most = BYTES / (walker.width() as u64).max(1);
        let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(progress.memory));
        let own = Limits { memory, ..self.config.limits };
        for hunter in hunters() {
            let Share::Fixed(states) = hunter.share else { continue };
            let limits = Limits { states: Some(states.min(most)), ..own };
            let piece = match hunter.kind {
                Kind::RandomWalks(walks, steps) => Config {
                    order: Order::Random,
                    limits: Limits { depth: Some(steps), ..limits },
                    approximate: Approximate { walks, ..self.config.approximate },
                    ..self.config.clone()
                },
                _ => Config { order: Order::DepthFirst, limits, ..self.config.clone() },
            };
            let explored = run::explore(walker, &piece, self.monitor);
            match explored.outcome.stop {
                // The check is stopped.
                Some(stop @ (Stop::Interrupted | Stop::Time)) => return Some(stop),
                _ if !explored.outcome.violations.is_empty() => {
                    let limits = Limits { memory: self.config.limits.memory, ..piece.limits };
                    let config = Config { limits, ..piece };
                    let explored = Explored { attempt: Some(hunter.name()), ..explored };
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
            // Walks are slow in programs that create threads forever.
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

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        self.monitor.checkpoints()
    }
}
