//! The exact search for executions that violate a property.
//!
//! *Entry points:* [`attempts`], [`start`].
//! *Invariant:* the result is that of the same search without other attempts.

use axle_question::EngineId;
use axle_question::claims::Stated;
use axle_question::config::Config;

use crate::judgement::runs::{ClaimEngine, check_beside, check_by, is_searched};
use crate::plan::attempt::{Attempt, Fraction, Kind, LARGE, Share, Target};
use crate::plan::engines::engine::{Answer, Planned, Question, Search, Task};

/// Share of the searches for properties together, in thousandths, if they are resumed after the
/// exact search and so cost nothing, and if all threads search again.
const RESUMED: u32 = 250;
const REPEATED: u32 = 30;

/// The attempts for the properties.
pub(super) fn attempts(engine: EngineId, planned: &Planned<'_>) -> Vec<Attempt> {
    let config = planned.config;
    if !config.wants_executions() {
        return Vec::new();
    }
    let searched = (0..).zip(planned.properties).filter(|(_, one)| is_searched(one));
    let searched: Vec<(usize, String)> = searched.map(|(index, one)| (index, one.name.clone())).collect();
    let together = if config.threads > 1 { REPEATED } else { RESUMED };
    let each = (together / (searched.len() as u32).max(1)).max(1);
    let fraction = Fraction { first: each, later: each, large: LARGE, least: each };
    let attempt = |(index, name)| Attempt {
        engine,
        kind: Kind::Property,
        target: Target::Property(index, name),
        share: if planned.is_shared { Share::Property(fraction) } else { Share::After },
        start: 0,
        is_conclusive: config.store.is_exact(),
    };
    searched.into_iter().map(attempt).collect()
}

/// The attempts of an engine that searches for executions after its other attempts, one property after the
/// other.
pub(super) fn attempts_afterwards(engine: EngineId, planned: &Planned<'_>) -> Vec<Attempt> {
    if !planned.config.wants_executions() {
        return Vec::new();
    }
    let stated = (0..).zip(planned.properties);
    let searched = stated.filter(|(_, one)| one.claim.is_ok());
    let attempt = |(index, one): (usize, &Stated)| Attempt {
        engine,
        kind: Kind::Property,
        target: Target::Property(index, one.name.clone()),
        share: Share::After,
        start: 0,
        is_conclusive: true,
    };
    searched.map(attempt).collect()
}

/// The search of an attempt of an engine other than the explicit-state one.
pub(super) fn start_by<'e>(
    engine: &'e dyn ClaimEngine,
    question: &Question<'e>,
    number: usize,
) -> Search<'e, Answer> {
    let question = question.clone();
    Box::new(move |mut monitor| {
        let Some(property) = question.properties.get(number) else { return Answer::Nothing };
        let property = std::slice::from_ref(property);
        let runs = check_by(engine, question.model, question.config, property, &mut monitor);
        Answer::Property(Box::new(runs))
    })
}

/// The search of an attempt.
pub(super) fn start<'e>(question: &Question<'e>, task: Task) -> Search<'e, Answer> {
    let Target::Property(number, _) = task.attempt.target else {
        return Box::new(|_| Answer::Nothing);
    };
    let question = question.clone();
    // Within a check, a search for a property has one thread.
    let config = Config { threads: 1, attempts: false, ..question.config.clone() };
    Box::new(move |mut monitor| {
        let Some(property) = question.properties.get(number) else { return Answer::Nothing };
        let property = std::slice::from_ref(property);
        let runs = check_beside(question.model, &config, property, &question.states, &mut monitor);
        Answer::Property(Box::new(runs))
    })
}
