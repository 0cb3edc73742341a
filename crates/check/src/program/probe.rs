//! Budgeted searches for deep violations of C programs.
//!
//! Two threads that add to a sum a million times have more states near the initial state than fit
//! in memory, while most long executions show the violation. The exhaustive breadth-first search
//! therefore pauses, at fixed numbers of states, for random walks and a depth-first search with
//! steppers of their own, and for searches with counter abstraction. Then it continues unchanged.
//! All budgets count states or steps, so the result is reproducible.
//!
//! A state of one search may take a thousand times as long as one of another. The work of a pause
//! ([`axle_c_exec::WorkMeter`]) is therefore limited to a part of the work of the exhaustive search so far. What needs
//! more is repeated once that has done twice as much (`budget.rs`).
//!
//! *Entry point:* [`explore`].
//! *Invariant:* a violation found in a pause is a violation of the program. Without one, pauses have
//! no effect, except that an exhaustive search with counter abstraction decides the
//! check. The pauses together take at most twice [`HUNTERS`] and [`ABSTRACTION`] of the
//! work of the exhaustive search, beside a constant.

use std::collections::VecDeque;

use axle_c_exec::{ProgramSite, Stepper};
use axle_search::{Checkpoints, Limits, Monitor, Progress, Stop};
use axle_step::{Interrupt, Successors};

use crate::config::{Approximate, Config, Order};
use crate::explored::Explored;
use crate::plan::programs::{FIRST_ABSTRACTION, SECOND_ABSTRACTION, has_pause, hunters};
use crate::plan::{Attempt, Kind, Share};
use crate::run;

use super::budget::{Budget, Part};
use super::parallel::{self, Walker};

/// Bytes that the tables of what a stepper remembers take at most, and which part of all.
const TABLES: u64 = 192 << 20;
const PART: u64 = 4;

/// Bytes by which the tables grow for the walks at most.
const WALKED: u64 = 16 << 20;

/// Bytes of states after which all pauses are due, and that each budgeted search may store.
const BYTES: u64 = 2 << 30;

/// The parts of the work of the exhaustive search that the bug hunters and counter abstraction have, each
/// once more for repetitions.
const HUNTERS: Part = Part(8);
const ABSTRACTION: Part = Part(3);

/// Searches a program; also returns the configuration of the search that found the result. With
/// limits or an order of its own, there is no pause. The tables of the stepper have a part of the
/// memory.
pub(super) fn explore<'p>(
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Explored<ProgramSite>, Config) {
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
) -> (Explored<ProgramSite>, Config) {
    if !has_pause(config) {
        return (parallel::explore(stepper, config, tables, None, monitor), config.clone());
    }
    let latest = BYTES / (stepper.width() as u64).max(1);
    let walker = Walker::new(Some(stepper.another()));
    let mut pausing = Pausing {
        monitor,
        config,
        latest,
        walker: &walker,
        counter_abstraction,
        abstraction: Budget::new(stepper.work(), ABSTRACTION),
        tried: 0,
        hunting: Budget::new(stepper.work(), HUNTERS),
        hunters: hunters().collect(),
        found: None,
    };
    let explored = parallel::explore(stepper, config, tables, Some(&walker), &mut pausing);
    // Too many threads at a time need not be too many states.
    let is_limited = explored.outcome.stop.is_none() && explored.outcome.violations.is_empty();
    if is_limited && stepper.inconclusive_reasons().iter().any(axle_c_exec::ErrorSite::is_many_threads) {
        pausing.try_counter_abstraction(0, SECOND_ABSTRACTION.1, false);
    }
    let found = pausing.found;
    let walker = walker.into_inner();
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

/// The result of a pause.
struct Found<'p> {
    explored: Explored<ProgramSite>,
    /// The configuration of its search.
    config: Config,
    /// The stepper of its search, if it is not the walker.
    by: Option<Stepper<'p>>,
}

/// The monitor of the exhaustive search, with the budgeted searches of its pauses.
struct Pausing<'a, 'p, M> {
    monitor: &'a mut M,
    config: &'a Config,
    /// The states at which all pauses are due.
    latest: u64,
    /// The stepper of the random walks and the depth-first search.
    walker: &'a Walker<'p>,
    /// The stepper with counter abstraction.
    counter_abstraction: Option<Stepper<'p>>,
    /// The share of counter abstraction, and how many of its searches were tried.
    abstraction: Budget,
    tried: usize,
    /// The share of the bug hunters.
    hunting: Budget,
    /// The bug hunters that have not started yet.
    hunters: VecDeque<Attempt>,
    found: Option<Found<'p>>,
}

impl<'p, M: Monitor> Pausing<'_, 'p, M> {
    /// Searches the program with counter abstraction in the remaining memory, with one budget after
    /// the other while threads are folded. Only an exhaustive search without a violation decides
    /// the check. A reason ends the exhaustive search. `has_share`: within the share of work; if that is
    /// exhausted, the search is repeated later.
    fn try_counter_abstraction(&mut self, taken: u64, states: [u64; 2], has_share: bool) -> Option<Stop> {
        for states in states {
            let mut stepper = self.counter_abstraction.take().filter(Stepper::may_fold)?;
            let again = stepper.another();
            stepper.initial(&mut Vec::new());
            let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(taken));
            let limits = Limits { states: Some(states), memory, ..self.config.limits };
            let piece = Config { limits, threads: 1, ..self.config.clone() };
            let mut limited = self.abstraction.limit(self.monitor, stepper.work(), has_share);
            let explored = run::explore(&mut stepper, &piece, &mut limited);
            if limited.is_exhausted() {
                self.abstraction.postpone();
                self.counter_abstraction = Some(again);
                return None;
            }
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

    /// The search with counter abstraction that is due, if there is one. A reason ends the exhaustive
    /// search.
    fn abstract_if_due(&mut self, progress: &Progress) -> Option<Stop> {
        let searches = [FIRST_ABSTRACTION, SECOND_ABSTRACTION];
        while let Some(&(start, states)) = searches.get(self.tried)
            && self.is_due(start, progress)
            && self.abstraction.is_due()
        {
            let stop = self.try_counter_abstraction(progress.memory, states, true);
            if stop.is_some() {
                return stop;
            }
            if self.abstraction.is_due() {
                self.tried += 1;
            }
        }
        None
    }

    /// Whether what starts at a number of states is to be executed now.
    fn is_due(&self, start: u64, progress: &Progress) -> bool {
        progress.states >= start.min(self.latest)
    }

    /// The next bug hunter that is due.
    fn next_hunter(&mut self, progress: &Progress) -> Option<Attempt> {
        let is_due = self.hunters.front().is_some_and(|next| self.is_due(next.start, progress));
        if is_due { self.hunters.pop_front() } else { None }
    }

    /// The bug hunters that are due, in the remaining memory. A reason ends the exhaustive search.
    fn go_deep(&mut self, walker: &mut Stepper<'p>, progress: &Progress) -> Option<Stop> {
        // The set of states is made as wide as the first of them.
        walker.initial(&mut Vec::new());
        let most = BYTES / (walker.width() as u64).max(1);
        let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(progress.memory));
        let own = Limits { memory, ..self.config.limits };
        while self.hunting.is_due()
            && let Some(hunter) = self.next_hunter(progress)
        {
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
            let mut limited = self.hunting.limit(self.monitor, walker.work(), true);
            let explored = run::explore(walker, &piece, &mut limited);
            let is_exhausted = limited.is_exhausted();
            match explored.outcome.stop {
                // The check is stopped.
                Some(stop @ (Stop::Interrupted | Stop::Time)) if !is_exhausted => return Some(stop),
                _ if !explored.outcome.violations.is_empty() => {
                    let limits = Limits { memory: self.config.limits.memory, ..piece.limits };
                    let config = Config { limits, ..piece };
                    let explored = Explored { attempt: Some(hunter.name()), ..explored };
                    self.found = Some(Found { explored, config, by: None });
                    return Some(Stop::Errors);
                }
                _ if is_exhausted => {
                    self.hunting.postpone();
                    self.hunters.push_front(hunter);
                }
                _ => {}
            }
        }
        None
    }
}

impl<M: Monitor> Monitor for Pausing<'_, '_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        // Walks are slow in programs that create threads forever.
        if let Some(stop) = self.abstract_if_due(progress) {
            return Some(stop);
        }
        if self.hunting.is_due()
            && self.hunters.front().is_some_and(|next| self.is_due(next.start, progress))
            && let Some(mut walker) = self.walker.take()
        {
            walker.grow_by(Some(WALKED));
            let stop = self.go_deep(&mut walker, progress);
            walker.grow_by(None);
            self.walker.replace(Some(walker));
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
