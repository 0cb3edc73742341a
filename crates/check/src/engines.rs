//! Engines: the ways to answer questions about a model, behind one interface.
//!
//! An engine proposes attempts for a question, each with its share of the work, or says why it does
//! not apply. A started attempt is a search that polls a monitor: the race pauses, resumes and ends it
//! there ([`crate::race`]). The answer is plain data, and is confirmed by others.
//!
//! *Entry points:* [`Engine`], [`ENGINES`].
//! *Invariant:* engines do not know each other.

mod exact;
mod explicit;
mod hunters;
mod proofs;
mod property;
mod symbolic;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axle_model::Model;
use axle_relation::{Options, Relation, RelationError};
use axle_search::{BadPrefix, Monitor, Stop, Violation};

use crate::claims::Stated;
use crate::config::Config;
use crate::plan::{Attempt, EngineId};
use crate::runs::{KnownStates, Runs};
use crate::successors::SharedCode;

pub(crate) use exact::{Lead, Led, lead};

/// A search that an engine has started: it polls the monitor and ends with its answer.
pub(crate) type Search<'e, A> = Box<dyn FnOnce(&mut dyn Monitor) -> A + Send + 'e>;

/// What a check asks about a model.
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

/// What an attempt finds out about a model.
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

    /// The search of one of its attempts.
    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer>;
}

/// What is known of a question when it is planned.
#[derive(Clone, Copy)]
pub(crate) struct Planned<'q> {
    pub config: &'q Config,
    pub properties: &'q [Stated],
    /// Whether attempts share the work.
    pub is_shared: bool,
}

/// The numbers of processes for which a transition relation is made, one after the other: many processes
/// make it large, and few models create many.
const PROCESSES: [u32; 4] = [8, 16, 32, 64];

/// Asks an engine that works on a transition relation, with more processes while a step would create more
/// than the relation has. The question is out of reach without such a relation, or if the answer needs
/// more processes.
fn with_relation<T>(model: &Model, config: &Config, mut ask: impl FnMut(&Relation) -> Asked<T>) -> Option<T> {
    let step = config.step_options();
    for processes in PROCESSES {
        let options = Options {
            processes,
            truncation: step.truncation,
            messages_left: step.messages_left,
            ..Options::default()
        };
        let relation = match Relation::new(model, &options, &[]) {
            Ok(relation) => relation,
            Err(RelationError::TooManyProcesses(_)) => continue,
            Err(RelationError::TooLarge(_)) => return None,
        };
        if let Asked::Answer(answer) = ask(&relation) {
            return Some(answer);
        }
    }
    None
}

/// The answer of an engine that works on a transition relation.
enum Asked<T> {
    Answer(T),
    /// A step would create more processes than the relation has.
    Beyond,
}

/// All engines. Attempts are made in this order.
pub(crate) const ENGINES: [&dyn Engine; 8] = [
    &explicit::Explicit,
    &hunters::DepthFirst,
    &hunters::SinglePath,
    &hunters::Walks,
    &symbolic::Symbolic,
    &proofs::Bounded,
    &proofs::Induction,
    &proofs::Reachability,
];

/// The engines that can make all attempts of a check, each with a few words.
pub fn selectable() -> impl Iterator<Item = (EngineId, &'static str)> {
    ENGINES.into_iter().filter_map(|engine| Some((engine.id(), engine.help()?)))
}

/// The engine with this name.
pub(crate) fn named(id: EngineId) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().find(|engine| engine.id() == id)
}
