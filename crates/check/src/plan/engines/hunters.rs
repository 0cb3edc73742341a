//! Bug hunters: searches that prove nothing, for violations of states and steps or for bad prefixes
//! of formulas.
//!
//! A hunter of bad prefixes takes as long for each state as one of violations; it looks for those of
//! all formulas at once.
//!
//! *Entry points:* [`DepthFirst`], [`SinglePath`], [`Walks`].
//! *Invariant:* violations are reported as paths in the original order of successors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_explicit::run;
use axle_explicit::successors::Tiered;
use axle_question::EngineId;
use axle_question::config::{Config, Order, SuccessorChoice};
use axle_search::guided_walk::Locate;
use axle_search::{
    Arrangement, Guide, Limits, Monitor, Monitored, Outcome, PrefixMonitor, Reduction, Reordered,
    guided_walk, single_path,
};
use axle_step::{
    Batch, Fault, Graph, Grow, Interpreter, Layout, ModelGraph, ModelSite, Observer, Statistics, Successors,
    Wrapper,
};

use crate::judgement::runs::is_searched;
use crate::plan::attempt::{Attempt, Fraction, Kind, LARGE, Share, Target};
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};

/// States of the exact search at which bug hunters start: of that for violations of states, and
/// after it of the largest one for a property. Smaller models are searched faster than hunters are
/// started.
const HUNT: u64 = 20_000;

/// Shares of the bug hunters, in thousandths. A deep violation needs a depth-first search of as
/// many states as its path has steps. Their states take up to twice the time of the exact search's,
/// and all together may take a tenth of it.
const DEPTH_FIRST: Fraction = Fraction { first: 28, later: 10, large: LARGE, least: 5 };
/// A step of a path expands one state and stores a hash: much less work than a state of a wide search,
/// beside which a path of 400,000 steps is to be followed within a few seconds. The path ends by itself,
/// or when it has used its memory.
const SINGLE_PATH: Fraction = Fraction { first: 160, later: 160, large: LARGE, least: 160 };
const SHUFFLED: Fraction = Fraction { first: 6, later: 5, large: LARGE, least: 2 };
const WALKS: Fraction = Fraction { first: 6, later: 5, large: LARGE, least: 3 };

/// Part of the memory limit that the states and paths of a hunter take at most.
const MEMORY_PART: u64 = 16;

/// Part of that memory that a single path takes at most: a path that does not end is not worth more.
const PATH_PART: u64 = 4;

/// Expansions between two counts of the statements taken.
const COUNT_EVERY: u64 = 512;

/// States that are observed before the propositions of formulas are compiled.
const FEW_OBSERVED: usize = 3_000;

/// Depth-first searches, each with another order of the successors of a state.
pub(super) struct DepthFirst;

/// Searches along one path to its end.
pub(super) struct SinglePath;

/// Walks from the initial state.
pub(super) struct Walks;

/// The attempts of a kind of hunter for everything that is hunted for.
fn attempts(engine: EngineId, kinds: &[(Kind, Fraction)], planned: &Planned<'_>) -> Vec<Attempt> {
    let config = planned.config;
    if !planned.is_shared {
        return Vec::new();
    }
    let executions = config.wants_executions();
    let hunted: Vec<usize> = (0..)
        .zip(planned.properties)
        .filter(|(_, one)| executions && is_searched(one) && one.bad_prefixes.is_some())
        .map(|(number, _)| number)
        .collect();
    let states = config.wants_safety().then_some(Target::States);
    let formulas = (!hunted.is_empty()).then_some(Target::BadPrefixes(hunted));
    let attempt = |target: &Target, &(kind, fraction): &(Kind, Fraction)| Attempt {
        engine,
        kind,
        target: target.clone(),
        share: Share::Fraction(fraction),
        start: HUNT,
        is_conclusive: false,
    };
    let targets = states.into_iter().chain(formulas);
    targets.flat_map(|target| kinds.iter().map(move |kind| attempt(&target, kind))).collect()
}

impl Engine for DepthFirst {
    fn id(&self) -> EngineId {
        EngineId::DEPTH_FIRST
    }

    fn help(&self) -> Option<&'static str> {
        None
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        let kinds = [
            (Kind::DepthFirst(Arrangement::AsMade), DEPTH_FIRST),
            (Kind::DepthFirst(Arrangement::Reversed), DEPTH_FIRST),
            (Kind::DepthFirst(Arrangement::Shuffled(1)), SHUFFLED),
        ];
        attempts(self.id(), &kinds, planned)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        hunt(question, task)
    }
}

impl Engine for SinglePath {
    fn id(&self) -> EngineId {
        EngineId::SINGLE_PATH
    }

    fn help(&self) -> Option<&'static str> {
        None
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        let kinds = [
            (Kind::SinglePath(Arrangement::AsMade), SINGLE_PATH),
            (Kind::SinglePath(Arrangement::Reversed), SINGLE_PATH),
        ];
        attempts(self.id(), &kinds, planned)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        hunt(question, task)
    }
}

impl Engine for Walks {
    fn id(&self) -> EngineId {
        EngineId::WALKS
    }

    fn help(&self) -> Option<&'static str> {
        None
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        attempts(self.id(), &[(Kind::Walks(Guide::Mixed), WALKS)], planned)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        hunt(question, task)
    }
}

/// A search that hunts until the monitor ends it.
fn hunt<'e>(question: &Question<'e>, task: Task) -> Search<'e, Answer> {
    // Passes may change what a formula observes.
    let (model, code) = match task.attempt.target {
        Target::BadPrefixes(_) => (question.model, question.whole_code.clone()),
        Target::States | Target::Property(..) => (question.searched, question.code.clone()),
    };
    let Limits { memory, .. } = question.config.limits;
    let limits = Limits { memory: memory.map(|memory| memory / MEMORY_PART), ..question.config.limits };
    let config = Config {
        order: Order::DepthFirst,
        reduction: Reduction::None,
        threads: 1,
        attempts: false,
        limits,
        ..question.config.clone()
    };
    let properties = question.properties;
    Box::new(move |monitor| {
        let mut stepper = code.stepper(model, config.step_options(), config.successors_for(model));
        let mut counted = Counted::new(&mut stepper, &task.statements);
        let kind = task.attempt.kind;
        if task.hunted.is_empty() {
            return match explore(kind, &mut counted, &config, monitor) {
                Some(Outcome { violations, stop, .. }) => Answer::States { violations, stop },
                None => Answer::Nothing,
            };
        }
        let formulas: Vec<_> = task.hunted.iter().filter_map(|&one| properties.get(one)).collect();
        let claims = formulas.iter().filter_map(|one| one.bad_prefixes.as_ref()).map(|it| &it.claim);
        let monitors: Vec<PrefixMonitor> = claims.filter_map(PrefixMonitor::new).collect();
        // All formulas of a hunter have a monitor: it counts them by their numbers.
        if monitors.len() != formulas.len() {
            return Answer::Nothing;
        }
        let interpreter = Interpreter::new(Arc::clone(model), config.step_options());
        let atoms = formulas.iter().flat_map(|one| one.atoms.clone()).collect();
        let mut observer = Observer::new(&interpreter, atoms);
        match config.successors {
            SuccessorChoice::Compiled => _ = observer.compile(),
            SuccessorChoice::Auto => observer.compile_after(FEW_OBSERVED),
            SuccessorChoice::Interpreter => {}
        }
        let mut monitored = Monitored::new(&mut counted, &mut observer, &monitors);
        let limits = Limits { errors: Some(formulas.len() as u64), ..config.limits };
        match explore(kind, &mut monitored, &Config { limits, ..config.clone() }, monitor) {
            Some(Outcome { violations, stop, .. }) => Answer::BadPrefixes { violations, stop },
            None => Answer::Nothing,
        }
    })
}

/// Explores a graph as the attempt says; none if it is no hunter.
fn explore<G: Locate>(
    kind: Kind,
    graph: &mut G,
    config: &Config,
    mut monitor: &mut dyn Monitor,
) -> Option<Outcome<G::Site>> {
    let monitor = &mut monitor;
    match kind {
        Kind::DepthFirst(arrangement) | Kind::SinglePath(arrangement) => {
            let mut graph = Reordered::new(graph, arrangement);
            let mut outcome = match kind {
                Kind::SinglePath(_) => {
                    let memory = config.limits.memory.map(|memory| memory / PATH_PART);
                    let config = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
                    single_path::search(&mut graph, &config.search_options(), monitor)
                }
                _ => run::explore(&mut graph, config, monitor).outcome,
            };
            for violation in &mut outcome.violations {
                // If this fails, the replay of the violation reports it.
                let _ = graph.unfold(violation);
            }
            Some(outcome)
        }
        Kind::Walks(guide) => {
            let seed = config.approximate.seed;
            Some(guided_walk::search(graph, guide, seed, &config.search_options(), monitor))
        }
        Kind::Opening
        | Kind::Round(_)
        | Kind::Safety
        | Kind::Shortest
        | Kind::Property
        | Kind::RandomWalks(..)
        | Kind::Transactions
        | Kind::Whole
        | Kind::CounterAbstraction(_) => None,
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
