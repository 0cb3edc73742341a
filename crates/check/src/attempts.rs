//! Budgeted searches for violations that an exhaustive breadth-first search reaches late or never.
//!
//! Breadth-first search reports a deep violation only after all states nearer to the initial state,
//! and formulas are searched only after it. It therefore pauses at growing numbers of states. Each
//! pause searches for a violation of every undecided property, and depth-first for faults of states
//! in two orders of the successors, each within a budget of states. The exhaustive search then
//! continues where it paused, so nothing is searched twice and small models are not affected.
//!
//! *Entry points:* [`Attempts::new`] wraps the monitor of the exhaustive search,
//! [`Attempts::finish`] adds the violations.
//! *Source:* iterative broadening and restarts with growing budgets: M. Luby, A. Sinclair and D.
//! Zuckerman, Optimal speedup of Las Vegas algorithms, Information Processing Letters 47, 1993.
//! *Invariant:* pauses and budgets count states, so the verdict is a function of the model and the
//! configuration. A violation is reported like any other, after its replay. A budgeted search that
//! ends by itself is exhaustive: its "holds" is kept for a check that is stopped early.
//! *Cost:* at most 32 % of the states of the exhaustive search, none below 20,000 states.

use std::sync::Arc;

use axle_evidence::report::Verdict;
use axle_model::Model;
use axle_search::{
    Arrangement, Keep, Limits, Monitor, Past, Progress, Reduction, Reordered, Stop, Violation,
};
use axle_step::Interrupt;

use crate::checks::Check;
use crate::claims::Stated;
use crate::config::{Config, Order};
use crate::engine::Tiered;
use crate::lossy;
use crate::run::{self, Explored};
use crate::runs::{Runs, check_runs};

/// States of the exhaustive search before the first pause.
const FIRST_PAUSE: u64 = 20_000;

/// The number of states of one pause divided by that of the pause before.
const GROWTH: u64 = 4;

/// Budget of each depth-first search, in percent of the states of the pause.
const DEPTH_FIRST_PERCENT: u64 = 9;

/// Budget of all formulas together, in percent. A search of the slice and one of the model take up
/// to twice as much.
const PROPERTIES_PERCENT: u64 = 3;

/// The orders of successors of the depth-first searches.
const ARRANGEMENTS: [Arrangement; 2] = [Arrangement::AsMade, Arrangement::Reversed];

/// The monitor of an exhaustive search that makes attempts in the pauses of the search.
pub(crate) struct Attempts<'a, M> {
    /// The monitor of the check.
    pub monitor: &'a mut M,
    config: &'a Config,
    model: &'a Arc<Model>,
    /// The model of the exhaustive search: `model`, or a smaller one made by passes.
    searched: &'a Arc<Model>,
    properties: &'a [Stated],
    /// The number of states of the next pause; none if there are no attempts.
    next_pause: Option<u64>,
    /// The result for each property that is decided.
    decided: Vec<Option<Runs>>,
    /// Violations of the searched model found by depth-first searches, each once.
    violations: Vec<Violation>,
}

/// The results of all attempts.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// For each property, the result of a search that decided it.
    pub properties: Vec<Option<Runs>>,
    /// The violations found are as many as were asked for.
    pub is_full: bool,
    /// A violation of the exhaustive search was found by a depth-first search.
    pub by_depth_first: bool,
}

impl<'a, M: Monitor> Attempts<'a, M> {
    /// Attempts during the search of `searched`, if the configuration asks for them.
    pub fn new(
        model: &'a Arc<Model>,
        searched: &'a Arc<Model>,
        config: &'a Config,
        properties: &'a [Stated],
        monitor: &'a mut M,
    ) -> Self {
        let applies = config.attempts
            && config.order == Order::BreadthFirst
            && config.store.is_exact()
            && !config.shortest
            && config.limits.states.is_none()
            && config.limits.depth.is_none();
        let properties = if config.checks.contains(&Check::Properties) { properties } else { &[] };
        Attempts {
            monitor,
            config,
            model,
            searched,
            properties,
            next_pause: applies.then_some(FIRST_PAUSE),
            decided: properties.iter().map(|_| None).collect(),
            violations: Vec::new(),
        }
    }

    /// Adds the violations to those of the exhaustive search.
    pub fn finish(self, explored: &mut Explored) -> Decided {
        let is_full = self.is_full(explored.outcome.violations.len() as u64);
        let outcome = &mut explored.outcome;
        let before = outcome.violations.len();
        for violation in &self.violations {
            if !outcome.violations.iter().any(|known| known.key() == violation.key()) {
                outcome.violations.push(violation.clone());
                outcome.found += violation.count;
            }
        }
        if let Some(limit) = self.config.limits.errors {
            outcome.violations.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let by_depth_first = outcome.violations.len() > before;
        Decided { properties: self.decided, is_full, by_depth_first }
    }

    /// Whether these and `others` are as many different violations as were asked for.
    fn is_full(&self, others: u64) -> bool {
        let of_properties = self.decided.iter().flatten().filter(|runs| !runs.violations.is_empty()).count();
        let found = self.violations.len() + of_properties;
        found > 0 && self.config.limits.errors.is_some_and(|limit| found as u64 + others >= limit)
    }

    /// The configuration of a search of so many states, within the memory that the exhaustive
    /// search leaves.
    fn budgeted(&self, states: u64, progress: &Progress) -> Config {
        let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(progress.memory));
        let limits = Limits { states: Some(states), memory, ..self.config.limits };
        Config { limits, threads: 1, attempts: false, vacuity: false, ..self.config.clone() }
    }

    /// Searches for a violation of every undecided property. A reason ends the check.
    fn search_properties(&mut self, states: u64, progress: &Progress) -> Option<Stop> {
        let undecided: Vec<usize> =
            (0..self.decided.len()).filter(|&at| self.decided[at].is_none()).collect();
        let budget = states * PROPERTIES_PERCENT / 100 / (undecided.len() as u64).max(1);
        let config = self.budgeted(budget, progress);
        for at in undecided {
            let one = std::slice::from_ref(&self.properties[at]);
            let mut paused = Paused { monitor: &mut *self.monitor, progress };
            let runs = check_runs(self.model, &config, one, None, None, &mut paused);
            let verdict = runs.properties.first().map(|property| property.verdict);
            let is_decided = match verdict {
                Some(Verdict::Violated) => true,
                Some(Verdict::Holds) => !self.config.vacuity,
                Some(Verdict::Unknown) | None => runs.internal.is_some(),
            };
            let stop = runs.stop;
            if is_decided {
                self.decided[at] = Some(runs);
            } else if stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Searches depth-first for faults of states. A reason ends the check.
    fn search_depth_first(&mut self, states: u64, progress: &Progress) -> Option<Stop> {
        let budgeted = self.budgeted(states * DEPTH_FIRST_PERCENT / 100, progress);
        let config = Config { order: Order::DepthFirst, reduction: Reduction::None, ..budgeted };
        for arrangement in ARRANGEMENTS {
            let mut stepper = Tiered::new(self.searched, config.step_options(), config.engine);
            let mut graph = Reordered::new(&mut stepper, arrangement);
            let mut paused = Paused { monitor: &mut *self.monitor, progress };
            let mut outcome = run::explore(&mut graph, &config, &mut paused).outcome;
            for violation in &mut outcome.violations {
                // If this fails, the replay of the violation reports it.
                let _ = graph.unfold(violation);
                lossy::merge_violation(&mut self.violations, violation);
            }
            if let Some(stop @ (Stop::Time | Stop::Interrupted)) = outcome.stop {
                return Some(stop);
            }
            if self.is_full(progress.violations) {
                return None;
            }
        }
        None
    }
}

impl<M: Monitor> Monitor for Attempts<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.monitor.watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        self.next_pause
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        let mut states = self.next_pause?;
        // A level may pass several thresholds.
        while states.saturating_mul(GROWTH) <= progress.states {
            states *= GROWTH;
        }
        self.next_pause = states.checked_mul(GROWTH);
        if let Some(stop) = self.search_properties(states, progress) {
            return Some(stop);
        }
        if !self.is_full(progress.violations)
            && let Some(stop) = self.search_depth_first(states, progress)
        {
            return Some(stop);
        }
        self.is_full(progress.violations).then_some(Stop::Errors)
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

    fn keeps(&self) -> bool {
        self.monitor.keeps()
    }

    fn begins(&mut self, about: &str) {
        self.monitor.begins(about);
    }

    fn ended(&mut self, stop: Option<Stop>) {
        self.monitor.ended(stop);
    }

    fn goes_on(&self, about: &str) -> Option<u64> {
        self.monitor.goes_on(about)
    }
}

/// The limits of a check without its checkpoints, which belong to the exhaustive search. The
/// progress is that of the exhaustive search, with the memory of both.
struct Paused<'a, M> {
    monitor: &'a mut M,
    progress: &'a Progress,
}

impl<M: Monitor> Monitor for Paused<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let memory = self.progress.memory + progress.memory;
        self.monitor.watch(&Progress { memory, ..*self.progress })
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }
}
