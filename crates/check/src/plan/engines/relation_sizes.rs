//! Transition relations of a model, for the engines that work on them.
//!
//! *Entry points:* [`Relations::ask`] in a check, where engines share them; [`with_relation`] otherwise;
//! [`with_claim`].
//! *Invariant:* an answer of a relation that lacks a process is not used.

use std::sync::{Arc, OnceLock};

use axle_decide::model::Problem;
use axle_model::Model;
use axle_question::config::Config;
use axle_relation::{Options, Proposition, Relation, RelationError};
use axle_search::Stop;
use axle_step::Atom;

use crate::judgement::runs::ClaimQuestion;

/// The numbers of processes for which a transition relation is made, one after the other: many processes
/// make it large, and few models create many.
const PROCESSES: [u32; 6] = [8, 16, 32, 64, 128, 255];

/// The most processes of a relation where steps create them: there, each process adds steps of all types.
const MOST_CREATED: u32 = 64;

/// The relations of a model that were made so far, by any engine of a check.
#[derive(Clone, Default)]
pub(crate) struct Relations(Arc<[OnceLock<Result<Lowered, RelationError>>; PROCESSES.len()]>);

/// A relation, and the problem of formulas over it with the ranges of all variables.
pub(crate) struct Lowered {
    pub relation: Relation,
    problem: OnceLock<Problem>,
}

impl Lowered {
    /// The problem of formulas. `model` is that of the relation.
    pub fn problem(&self, model: &Model) -> &Problem {
        self.problem.get_or_init(|| Problem::new(model, &self.relation))
    }
}

impl Relations {
    /// Tells every engine what the others have noted.
    pub fn publish(&self) {
        let lowered = self.0.iter().filter_map(|lowered| lowered.get()?.as_ref().ok());
        lowered.filter_map(|lowered| lowered.problem.get()).for_each(|problem| problem.safe.publish());
    }

    /// Asks an engine that works on a transition relation, with more processes while a step would create
    /// more than the relation has. Each call has the same model and options. The propositions are the
    /// predicates of the configuration, followed by the conditions of its maps.
    ///
    /// # Errors
    /// There is no such relation, or the answer needs more processes than any.
    pub fn ask<T>(
        &self,
        model: &Model,
        config: &Config,
        ask: impl FnMut(&Lowered) -> Asked<T>,
    ) -> Result<T, Stop> {
        let of_maps = config.maps.iter().flat_map(|map| &map.conditions);
        let predicates = config.predicates.iter().chain(of_maps);
        let propositions: Vec<Proposition> =
            predicates.map(|predicate| Proposition::Holds(predicate.condition.clone())).collect();
        self.ask_with(model, config, &propositions, ask)
    }

    /// The same with propositions over states, which are those of each call.
    fn ask_with<T>(
        &self,
        model: &Model,
        config: &Config,
        propositions: &[Proposition],
        mut ask: impl FnMut(&Lowered) -> Asked<T>,
    ) -> Result<T, Stop> {
        let step = config.step_options();
        let mut most = 0;
        for (processes, lowered) in PROCESSES.into_iter().zip(&*self.0) {
            let lowered = lowered.get_or_init(|| {
                let options = Options {
                    processes,
                    truncation: step.truncation,
                    messages_left: step.messages_left,
                    ..Options::default()
                };
                let relation = Relation::with_propositions(model, &options, propositions)?;
                Ok(Lowered { relation, problem: OnceLock::new() })
            });
            match lowered {
                Ok(lowered) => {
                    if let Asked::Answer(answer) = ask(lowered) {
                        return Ok(answer);
                    }
                    most = processes;
                    if processes >= MOST_CREATED {
                        break;
                    }
                }
                Err(RelationError::TooManyProcesses(_)) => most = processes,
                // The relation with fewer processes lacks some.
                Err(RelationError::TooLarge(_)) if most > 0 => break,
                Err(RelationError::TooLarge(_)) => return Err(Stop::Relation),
            }
        }
        Err(Stop::Processes(most))
    }
}

/// Why there is no relation, in a sentence.
pub(crate) fn no_relation(stop: Stop) -> String {
    stop.unsupported().unwrap_or_else(|| "the search was stopped".to_string())
}

/// The same for one engine alone.
pub(crate) fn with_relation<T>(
    model: &Model,
    config: &Config,
    ask: impl FnMut(&Relation) -> Asked<T>,
) -> Result<T, Stop> {
    with_propositions(model, config, &[], ask)
}

/// As [`with_relation`], with propositions over states.
pub(crate) fn with_propositions<T>(
    model: &Model,
    config: &Config,
    propositions: &[Proposition],
    mut ask: impl FnMut(&Relation) -> Asked<T>,
) -> Result<T, Stop> {
    Relations::default().ask_with(model, config, propositions, |lowered| ask(&lowered.relation))
}

/// An atom as a proposition of a relation.
pub(crate) fn proposition(atom: &Atom) -> Proposition {
    match atom {
        Atom::Holds(expr) => Proposition::Holds(expr.clone()),
        Atom::Accepting => Proposition::Accepting,
    }
}

/// As [`with_relation`], for a relation with the conditions of a claim over these propositions.
pub(crate) fn with_claim<T>(
    question: &ClaimQuestion<'_>,
    mut ask: impl FnMut(&Relation) -> Asked<T>,
) -> Result<T, Stop> {
    let propositions: Vec<Proposition> = question.atoms.iter().map(proposition).collect();
    with_propositions(question.model, question.config, &propositions, |relation| {
        let mut relation = relation.clone();
        match relation.observe(question.claim) {
            Ok(()) => ask(&relation).map(Ok),
            Err(_) => Asked::Answer(Err(Stop::Relation)),
        }
    })?
}

/// The answer of an engine that works on a transition relation.
pub(crate) enum Asked<T> {
    Answer(T),
    /// A step would create more processes than the relation has.
    Beyond,
}

impl<T> Asked<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Asked<U> {
        match self {
            Asked::Answer(answer) => Asked::Answer(change(answer)),
            Asked::Beyond => Asked::Beyond,
        }
    }
}
