//! The interface of engines.
//!
//! *Entry point:* [`Engine`].
//! *Invariant:* an answer is plain data; violations are positions among successors and are replayed by
//! others.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axle_explicit::successors::SharedCode;
use axle_model::Model;
use axle_question::EngineId;
use axle_question::claims::Stated;
use axle_question::config::Config;
use axle_search::{BadPrefix, Limits, Monitor, Stop, Violation};

use crate::judgement::runs::{ClaimEngine, KnownStates, Runs};
use crate::plan::attempt::{Attempt, Fraction, Kind, Share, Target};
use crate::plan::engines::exact::Led;
use crate::plan::engines::relation_sizes::Relations;

/// A search that an engine has started: it polls the monitor and ends with its answer.
pub(crate) type Search<'e, A> = Box<dyn FnOnce(&mut dyn Monitor) -> A + Send + 'e>;

/// The question of a check about a model.
#[derive(Clone)]
pub(crate) struct Question<'e> {
    pub model: &'e Arc<Model>,
    /// The model of the search for violations of states and steps: `model`, or a smaller one made by
    /// passes.
    pub searched: &'e Arc<Model>,
    pub config: &'e Config,
    pub properties: &'e [Stated],
    /// The machine code of `searched`.
    pub code: SharedCode,
    /// The machine code of `model`.
    pub whole_code: SharedCode,
    /// The number of states of the system, once it is known.
    pub states: KnownStates,
    /// The transition relations of `searched`, with what is known of its variables.
    pub relations: Relations,
}

/// An attempt to be started.
pub(crate) struct Task {
    pub attempt: Attempt,
    /// The properties whose bad prefixes are looked for, by their numbers.
    pub hunted: Vec<usize>,
    /// Receives the number of statements that were taken.
    pub statements: Arc<AtomicU64>,
}

impl Task {
    /// An attempt at violations of states and steps, or at a property.
    pub fn new(attempt: Attempt) -> Task {
        Task { attempt, hunted: Vec::new(), statements: Arc::default() }
    }
}

/// The result of an attempt at a model.
pub(crate) enum Answer {
    /// An exhaustive search for violations of states and steps.
    Led(Box<Led>),
    /// A search for a property.
    Property(Box<Runs>),
    /// Violations of states and steps, found without a proof that there are no others.
    States { violations: Vec<Violation>, stop: Option<Stop> },
    /// Paths of the model, each to the end of a bad prefix of a formula.
    BadPrefixes { violations: Vec<Violation<BadPrefix>>, stop: Option<Stop> },
    /// The attempt cannot be executed.
    Nothing,
}

/// A way to answer questions about a model.
pub(crate) trait Engine: Sync {
    /// Its name.
    fn id(&self) -> EngineId;

    /// How it searches, in a few words; none if it only supplements other engines.
    fn help(&self) -> Option<&'static str>;

    /// The attempts that it proposes; none if it does not apply.
    fn attempts(&self, question: &Planned<'_>) -> Vec<Attempt>;

    /// How it searches for executions that claims accept; none if it searches for violations of states and
    /// steps only.
    fn claims(&self) -> Option<&dyn ClaimEngine> {
        None
    }

    /// The search of one of its attempts.
    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer>;
}

/// The parts of a question that a plan depends on.
#[derive(Clone, Copy)]
pub(crate) struct Planned<'q> {
    pub model: &'q Model,
    pub config: &'q Config,
    pub properties: &'q [Stated],
    /// Whether attempts share the work.
    pub is_shared: bool,
}

/// States of the exact search at which other engines start beside it: it has then searched for about a
/// second.
pub(super) const START: u64 = 3_000_000;

/// States from which on the exact search is not expected to end soon.
pub(super) const UNENDING: u64 = 30_000_000;

/// The part of the memory limit that an engine beside the exact search takes, and the bytes without a
/// limit.
const MEMORY_PART: u64 = 4;
const MEMORY: u64 = 1 << 30;

impl Planned<'_> {
    /// The attempt of an engine that decides on its own whether a state or step is a violation: the only
    /// one if the engine is selected, otherwise one beside the exact search, with so many thousandths of
    /// its states at first and later.
    pub fn whole(&self, engine: EngineId, share: Option<[u32; 2]>) -> Option<Attempt> {
        let (share, start) = match self.config.engine {
            Some(selected) if selected == engine => (Share::Rest, 0),
            None if self.is_shared => {
                let [first, later] = share?;
                (Share::Fraction(Fraction { first, later, large: UNENDING, least: first }), START)
            }
            Some(_) | None => return None,
        };
        let (kind, target) = (Kind::Whole, Target::States);
        Some(Attempt { engine, kind, target, share, start, is_conclusive: true })
    }
}

impl Task {
    /// The limits of an attempt that other attempts may run beside.
    pub fn limits(&self, config: &Config) -> Limits {
        let memory = match (self.attempt.leads(), config.limits.memory) {
            (true, limit) => limit,
            (false, limit) => Some(limit.map_or(MEMORY, |limit| limit / MEMORY_PART)),
        };
        Limits { memory, ..config.limits }
    }
}
