//! Bug hunters: searches that prove nothing, for violations of states and steps or for bad prefixes
//! of formulas.
//!
//! *Entry point:* [`hunt`].
//! *Invariant:* violations are reported as paths in the original order of successors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::Model;
use axle_search::guided_walk::{self, Locate};
use axle_search::{Limits, Monitored, Outcome, PrefixMonitor, Reduction, Reordered, single_path};
use axle_step::{
    Batch, Fault, Graph, Grow, Interpreter, Layout, ModelGraph, ModelSite, Observer, Statistics, Successors,
    Wrapper,
};

use super::Answer;
use super::coroutine::Slice;
use crate::claims::Stated;
use crate::config::{Config, EngineChoice, Order};
use crate::engine::{SharedCode, Tiered};
use crate::plan::{Attempt, Kind};
use crate::run;

/// Part of the memory limit that the states and paths of a hunter take at most.
const MEMORY_PART: u64 = 16;

/// Part of that memory that a single path takes at most: a path that does not end is not worth more.
const PATH_PART: u64 = 4;

/// Expansions between two counts of the statements taken.
const COUNT_EVERY: u64 = 512;

/// States that are observed before the propositions of formulas are compiled.
const FEW_OBSERVED: usize = 3_000;

/// What a hunter needs.
pub(super) struct Hunter {
    pub attempt: Attempt,
    pub model: Arc<Model>,
    pub config: Config,
    pub code: SharedCode,
    /// The formulas whose bad prefixes it looks for, in place of violations of states and steps.
    pub formulas: Vec<Stated>,
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
    let Hunter { model, config, code, statements, formulas, .. } = hunter;
    let mut stepper = code.stepper(model, config.step_options(), config.engine_for(model));
    let mut counted = Counted::new(&mut stepper, statements);
    if formulas.is_empty() {
        return match explore(hunter, &mut counted, config, slice) {
            Some(Outcome { violations, stop, .. }) => Answer::States { violations, stop },
            None => Answer::Nothing,
        };
    }
    let claims = || formulas.iter().filter_map(|one| one.bad_prefixes.as_ref()).map(|it| &it.claim);
    let monitors: Vec<PrefixMonitor> = claims().filter_map(PrefixMonitor::new).collect();
    // All formulas of a hunter have a monitor: it counts them by their numbers.
    if monitors.len() != formulas.len() {
        return Answer::Nothing;
    }
    let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut observer =
        Observer::new(&interpreter, formulas.iter().flat_map(|one| one.atoms.clone()).collect());
    match config.engine {
        EngineChoice::Compiled => _ = observer.compile(),
        EngineChoice::Auto => observer.compile_after(FEW_OBSERVED),
        EngineChoice::Interpreter => {}
    }
    let mut monitored = Monitored::new(&mut counted, &mut observer, &monitors);
    let limits = Limits { errors: Some(formulas.len() as u64), ..config.limits };
    match explore(hunter, &mut monitored, &Config { limits, ..config.clone() }, slice) {
        Some(Outcome { violations, stop, .. }) => Answer::BadPrefixes { violations, stop },
        None => Answer::Nothing,
    }
}

/// Explores a graph as the attempt says; none if it is no hunter.
fn explore<G: Locate>(
    hunter: &Hunter,
    graph: &mut G,
    config: &Config,
    slice: &mut Slice<Answer>,
) -> Option<Outcome<G::Site>> {
    match hunter.attempt.kind {
        Kind::DepthFirst(arrangement) | Kind::SinglePath(arrangement) => {
            let mut graph = Reordered::new(graph, arrangement);
            let mut outcome = match hunter.attempt.kind {
                Kind::SinglePath(_) => {
                    let memory = config.limits.memory.map(|memory| memory / PATH_PART);
                    let config = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
                    single_path::search(&mut graph, &config.search_options(), slice)
                }
                _ => run::explore(&mut graph, config, slice).outcome,
            };
            for violation in &mut outcome.violations {
                // If this fails, the replay of the violation reports it.
                let _ = graph.unfold(violation);
            }
            Some(outcome)
        }
        Kind::Walks(guide) => {
            slice.counts_steps = true;
            let seed = config.approximate.seed;
            Some(guided_walk::search(graph, guide, seed, &config.search_options(), slice))
        }
        Kind::Safety
        | Kind::Property
        | Kind::RandomWalks(..)
        | Kind::Transactions
        | Kind::CounterAbstraction => None,
    }
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
