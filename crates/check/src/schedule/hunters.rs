//! Bug hunters: searches for violations of states and steps that prove nothing.
//!
//! *Entry point:* [`hunt`].
//! *Invariant:* violations are reported as paths in the original order of successors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::Model;
use axle_search::{Limits, Outcome, Reduction, Reordered, guided_walk};
use axle_step::{Batch, Fault, Graph, Grow, Layout, ModelGraph, ModelSite, Statistics, Successors, Wrapper};

use super::Answer;
use super::coroutine::Slice;
use crate::config::{Config, Order};
use crate::engine::{SharedCode, Tiered};
use crate::plan::{Attempt, Kind};
use crate::run;

/// Part of the memory limit that the states and paths of a hunter take at most.
const MEMORY_PART: u64 = 16;

/// Expansions between two counts of the statements taken.
const COUNT_EVERY: u64 = 512;

/// What a hunter needs.
pub(super) struct Hunter {
    pub attempt: Attempt,
    pub model: Arc<Model>,
    pub config: Config,
    pub code: SharedCode,
    /// Receives the number of statements that it has taken.
    pub statements: Arc<AtomicU64>,
}

impl Hunter {
    /// The configuration of a hunter within a check.
    pub fn config(config: &Config) -> Config {
        let memory = config.limits.memory.map(|memory| memory / MEMORY_PART);
        Config {
            order: Order::DepthFirst,
            reduction: Reduction::None,
            threads: 1,
            attempts: false,
            limits: Limits { memory, ..config.limits },
            ..config.clone()
        }
    }
}

/// Hunts until the monitor ends the search.
pub(super) fn hunt(hunter: &Hunter, slice: &mut Slice<Answer>) -> Answer {
    let Hunter { attempt, model, config, code, statements } = hunter;
    let mut stepper = code.stepper(model, config.step_options(), config.engine_for(model));
    let mut counted = Counted::new(&mut stepper, statements);
    let outcome = match attempt.kind {
        Kind::DepthFirst(arrangement) => {
            let mut graph = Reordered::new(&mut counted, arrangement);
            let mut outcome = run::explore(&mut graph, config, slice).outcome;
            for violation in &mut outcome.violations {
                // If this fails, the replay of the violation reports it.
                let _ = graph.unfold(violation);
            }
            outcome
        }
        Kind::Walks(guide) => {
            slice.counts_steps = true;
            guided_walk::search(&mut counted, guide, config.approximate.seed, &config.search_options(), slice)
        }
        Kind::Safety
        | Kind::Property
        | Kind::RandomWalks(..)
        | Kind::Transactions
        | Kind::CounterAbstraction => return Answer::Nothing,
    };
    let Outcome { violations, stop, .. } = outcome;
    Answer::States { violations, stop }
}

/// A successor function that counts the statements taken now and then.
struct Counted<'a> {
    inner: &'a mut Tiered,
    statements: &'a AtomicU64,
    /// Those taken before the start, by a search that the code is shared with.
    before: u64,
    left: u64,
}

impl<'a> Counted<'a> {
    fn new(inner: &'a mut Tiered, statements: &'a AtomicU64) -> Counted<'a> {
        let before = taken(inner);
        Counted { inner, statements, before, left: COUNT_EVERY }
    }
}

fn taken(stepper: &impl Graph) -> u64 {
    stepper.taken().iter().flatten().filter(|taken| **taken).count() as u64
}

impl Successors for Counted<'_> {
    type Site = ModelSite;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault>) -> Vec<u8> {
        self.inner.initial(faults)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch) -> Result<(), Grow> {
        self.left -= 1;
        if self.left == 0 {
            self.left = COUNT_EVERY;
            self.statements.store(taken(self.inner).saturating_sub(self.before), Ordering::Relaxed);
        }
        self.inner.expand(states, out)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
    }
}

impl Wrapper for Counted<'_> {
    type Inner = Tiered;

    fn inner(&self) -> &Tiered {
        self.inner
    }
}

impl ModelGraph for Counted<'_> {
    fn layout(&self) -> &Layout {
        self.inner.layout()
    }
}

impl Statistics for Counted<'_> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }
}
