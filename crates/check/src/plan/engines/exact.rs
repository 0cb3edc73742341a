//! The exact search for violations of states and steps, with the reductions and the threads of the
//! configuration. It leads the race: the other attempts are paid by its states.
//!
//! *Entry points:* [`attempts`], [`lead`].
//! *Invariant:* without a reason to stop, every state of the graph was expanded.

use std::sync::Arc;

use axle_evidence::report::AbstractionReport;
use axle_explicit::successors::Tiered;
use axle_explicit::value_sample::Sample;
use axle_explicit::{Explored, run};
use axle_model::Model;
use axle_outcome::Count;
use axle_question::EngineId;
use axle_question::config::{Auto, Config, Order};
use axle_search::{Monitor, Stop};
use axle_step::interpret::long_sequence::LongSequence;
use axle_step::{ModelGraph, Successors};

use crate::plan::attempt::{Attempt, Kind, Share, Target};
use crate::plan::engines::engine::{Answer, Planned, Question, Search};

/// How the leading search explores a graph, where it is not as configured.
pub(crate) type Lead<'e> =
    Box<dyn FnOnce(&Arc<Model>, &mut Tiered, &Config, &mut dyn Monitor) -> Explored + Send + 'e>;

/// The result of the leading search, without its memory.
pub(crate) struct Led {
    pub explored: Explored,
    /// Bytes of a state.
    pub width: usize,
    /// Processes that states have room for.
    pub slots: usize,
    /// How successors were made.
    pub successors: &'static str,
    /// The long sequence in which an expansion was cut.
    pub cut: Option<LongSequence>,
    pub sample: Sample,
    /// The number of states, where it is not that of the outcome.
    pub states: Option<Count>,
    /// The order of the search, where it is not the configured one.
    pub order: Option<&'static str>,
    /// The proof of an engine that does not enumerate states, in a sentence.
    pub proof: Option<String>,
    /// Its invariant as a certificate.
    pub certificate: Option<String>,
    /// The abstraction of an engine that makes one.
    pub abstraction: Option<AbstractionReport>,
    /// The engine that answered.
    pub engine: EngineId,
}

impl Led {
    /// The result of a search with this successor function.
    pub fn new(explored: Explored, stepper: &Tiered) -> Led {
        Led {
            explored,
            width: stepper.width(),
            slots: stepper.layout().slots.len(),
            successors: stepper.name(),
            cut: stepper.cut_sequence(),
            sample: stepper.sample(),
            states: None,
            order: None,
            proof: None,
            certificate: None,
            abstraction: None,
            engine: EngineId::EXPLICIT,
        }
    }

    /// The number of states reached; none if the engine does not count them.
    pub fn counted_states(&self) -> Option<u64> {
        let is_counted = self.states.as_ref().is_none_or(|states| !states.is_zero());
        is_counted.then_some(self.explored.outcome.states)
    }

    /// The result without a search, because none was asked for.
    pub fn not_asked(stepper: &Tiered) -> Led {
        let outcome = axle_search::Outcome { stop: None, ..run::nothing(stepper, Stop::Interrupted) };
        Led::new(Explored::new(outcome, "none"), stepper)
    }
}

/// The leading search with this successor function.
pub(crate) fn lead<'e>(question: &Question<'e>, mut stepper: Tiered, lead: Lead<'e>) -> Search<'e, Answer> {
    let (searched, config) = (question.searched, question.config);
    Box::new(move |monitor| {
        let explored = lead(searched, &mut stepper, config, monitor);
        Answer::Led(Box::new(Led::new(explored, &stepper)))
    })
}

/// The attempts for violations of states and steps.
pub(super) fn attempts(engine: EngineId, planned: &Planned<'_>) -> Vec<Attempt> {
    let config = planned.config;
    let attempt = Attempt {
        engine,
        kind: Kind::Safety,
        target: Target::States,
        share: Share::Rest,
        start: 0,
        is_conclusive: config.store.is_exact() && config.order != Order::Random,
    };
    let leading = config.wants_safety().then_some(attempt);
    opening(config).into_iter().chain(leading).chain(shortest(config)).collect()
}

/// States up to which a model is searched without reductions and passes.
pub(crate) const FEW: u64 = 1_000;

/// The first search, which decides whether the model is small; none if the configuration does not leave
/// that open.
pub(crate) fn opening(config: &Config) -> Option<Attempt> {
    let attempt = Attempt {
        engine: EngineId::EXPLICIT,
        kind: Kind::Opening,
        target: Target::States,
        share: Share::Fixed(FEW),
        start: 0,
        is_conclusive: false,
    };
    (config.auto != Auto::Nothing && !is_plain(config)).then_some(attempt)
}

/// The search of the full graph after a violation that need not be a nearest one.
pub(crate) fn shortest(config: &Config) -> Option<Attempt> {
    let attempt = Attempt {
        engine: EngineId::EXPLICIT,
        kind: Kind::Shortest,
        target: Target::States,
        share: Share::Shorter,
        start: 0,
        is_conclusive: false,
    };
    let applies = config.auto != Auto::Nothing && config.order == Order::BreadthFirst;
    (applies && config.wants_safety() && !is_plain(config)).then_some(attempt)
}

/// Whether the configuration asks for a search of the whole graph.
fn is_plain(config: &Config) -> bool {
    let walks_all = match config.order {
        Order::BreadthFirst | Order::DepthFirst => false,
        Order::Stateless | Order::Random => true,
    };
    let limits = &config.limits;
    let counted = limits.depth.is_some() || limits.states.is_some_and(|states| states <= FEW);
    let other = config.other_engine().is_some();
    walks_all || counted || config.shortest || other || !config.store.is_exact()
}
