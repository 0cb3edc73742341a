//! The exact search for violations of states and steps, with the reductions and the threads of the
//! configuration. It leads the race: the other attempts are paid by its states.
//!
//! *Entry points:* [`attempts`], [`lead`].
//! *Invariant:* without a reason to stop, every state of the graph was expanded.

use std::sync::Arc;

use axle_model::Model;
use axle_outcome::Count;
use axle_search::{Monitor, Stop};
use axle_step::interpret::long_sequence::LongSequence;
use axle_step::{ModelGraph, Successors};

use super::{Answer, Planned, Question, Search};
use crate::choice;
use crate::config::{Config, Order};
use crate::explored::Explored;
use crate::plan::{Attempt, EngineId, Kind, Share, Target};
use crate::run;
use crate::successors::Tiered;
use crate::value_sample::Sample;

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
        }
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
    choice::opening(config).into_iter().chain(leading).chain(choice::shortest(config)).collect()
}
