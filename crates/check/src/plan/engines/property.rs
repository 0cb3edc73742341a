//! The search for executions that violate a property: the exact one, and those of engines that decide on
//! their own.
//!
//! *Entry points:* [`attempts`], [`start`]; [`attempts_beside`], [`start_by`].
//! *Invariant:* the result is that of the same search without other attempts.

use axle_question::EngineId;
use axle_question::claims::Stated;
use axle_question::config::Config;

use crate::judgement::runs::{ClaimEngine, check_beside, check_by, is_searched};
use crate::plan::attempt::{Attempt, Fraction, Kind, LARGE, Share, Target};
use crate::plan::engines::engine::{Answer, Planned, Question, START, Search, Task, UNENDING};

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

/// The attempts of an engine that decides properties on its own beside the exact searches. It has so many
/// thousandths of their states for violations of states and steps, at first and later, and half of that for all
/// properties together.
pub(super) fn attempts_beside(
    engine: EngineId,
    planned: &Planned<'_>,
    share: Option<[u32; 2]>,
) -> Vec<Attempt> {
    let Some(share) = share.filter(|_| planned.is_shared && planned.config.engine.is_none()) else {
        return Vec::new();
    };
    let mut attempts = attempts_afterwards(engine, planned);
    let number = (attempts.len() as u32).max(1);
    let [first, later] = share.map(|thousandths| (thousandths / 2 / number).max(1));
    for attempt in &mut attempts {
        attempt.share = Share::Fraction(Fraction { first, later, large: UNENDING, least: first });
        attempt.start = START;
    }
    attempts
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
        kind: Kind::Whole,
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
    (task, number): (&Task, usize),
) -> Search<'e, Answer> {
    let question = question.clone();
    // One that is selected has all memory.
    let limits = match task.attempt.share {
        Share::After => question.config.limits,
        _ => task.limits(question.config),
    };
    let config = Config { limits, ..question.config.clone() };
    Box::new(move |mut monitor| {
        let Some(property) = question.properties.get(number) else { return Answer::Nothing };
        let property = std::slice::from_ref(property);
        let runs = check_by(engine, question.model, &config, property, &mut monitor);
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
