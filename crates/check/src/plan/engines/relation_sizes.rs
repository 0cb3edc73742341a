//! Engines that work on the transition relation of a model.
//!
//! *Entry points:* [`with_relation`], [`with_claim`].
//! *Invariant:* an answer of a relation that lacks a process is not used.

use axle_model::Model;
use axle_question::config::Config;
use axle_relation::{Options, Proposition, Relation, RelationError};
use axle_step::Atom;

use crate::judgement::runs::ClaimQuestion;

/// The numbers of processes for which a transition relation is made, one after the other: many processes
/// make it large, and few models create many.
const PROCESSES: [u32; 4] = [8, 16, 32, 64];

/// Asks an engine that works on a transition relation, with more processes while a step would create more
/// than the relation has. The question is out of reach without such a relation, or if the answer needs
/// more processes.
pub(crate) fn with_relation<T>(
    model: &Model,
    config: &Config,
    ask: impl FnMut(&Relation) -> Asked<T>,
) -> Option<T> {
    with_propositions(model, config, &[], ask)
}

/// As [`with_relation`], with propositions over states.
pub(crate) fn with_propositions<T>(
    model: &Model,
    config: &Config,
    propositions: &[Proposition],
    mut ask: impl FnMut(&Relation) -> Asked<T>,
) -> Option<T> {
    let step = config.step_options();
    for processes in PROCESSES {
        let options = Options {
            processes,
            truncation: step.truncation,
            messages_left: step.messages_left,
            ..Options::default()
        };
        let relation = match Relation::with_propositions(model, &options, propositions) {
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
) -> Option<T> {
    let propositions: Vec<Proposition> = question.atoms.iter().map(proposition).collect();
    with_propositions(question.model, question.config, &propositions, |relation| {
        let mut relation = relation.clone();
        match relation.observe(question.claim) {
            Ok(()) => ask(&relation).map(Some),
            Err(_) => Asked::Answer(None),
        }
    })
    .flatten()
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
