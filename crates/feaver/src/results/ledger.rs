//! The verdicts of a project's runs over its rounds: what is recorded of a run, and which earlier
//! verdict is still that of the run.
//!
//! *Entry points:* [`verdict()`] and [`carried`] for a round, [`standing`] for the present state of a
//! project.
//! *Invariant:* an earlier verdict is carried over only if its key is that of the run and it was found
//! by the same build of Axle, which the caller names. A verdict with another key is never shown as that of the run.

use axle_check::Verdict as Answered;
use serde::{Deserialize, Serialize};

use crate::jobs::error::StoreError;
use crate::jobs::job::RoundId;
use crate::jobs::task::{Coverage, Fraction};
use crate::prepare::{Run, Subject, key};
use crate::results::database::Database;
use crate::results::key::{Hash, Key};
use crate::results::outcome::Outcome;
use crate::results::verdict::{self, Answer, NewVerdict, Phase, Record, Statistics, Verdict};

/// What is kept of a run: the result of its last cycle, and the parts of its key.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The key, to name the parts that differ from another one.
    pub key: key::Key,
    /// The result.
    pub outcome: Outcome,
}

/// What is known of a run before it is executed.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing {
    /// A verdict with the key of the run.
    Current(Box<Kept>),
    /// The latest verdict has another key: the names of its parts that differ.
    Changed(Box<Kept>, Vec<String>),
    /// No verdict was recorded.
    New,
}

/// An earlier verdict of a run, which still applies.
#[derive(Clone, PartialEq, Debug)]
pub struct Carried {
    /// The round that found it.
    pub round: RoundId,
    /// The result.
    pub outcome: Outcome,
    /// The result of the second phase, if it has found an execution.
    pub shortest: Option<Outcome>,
}

/// The earlier decided verdict of a run that this build found, if nothing that it depends on has
/// changed. A violation is searched again if locations have changed, so that its execution shows the
/// present text.
///
/// # Errors
/// The history cannot be read.
pub fn carried(database: &dyn Database, run: &Run, build: &str) -> Result<Option<Carried>, StoreError> {
    let Some((record, first)) = current(database, run, build)? else { return Ok(None) };
    let decided = record.verdict.answer.is_decided() && answer(&first.outcome) == record.verdict.answer;
    let same_texts = first.outcome.texts == run.texts;
    if !decided || (record.verdict.answer == Answer::Violated && !same_texts) {
        return Ok(None);
    }
    let mut outcome = first.outcome;
    outcome.key.clone_from(&run.key.hash);
    if !same_texts {
        outcome.forget_locations();
    }
    let shortest = second_phase(database, &record)?;
    let round = record.verdict.carried_from.unwrap_or(record.round);
    Ok(Some(Carried { round, outcome, shortest }))
}

/// The result that a round has recorded for a run, and that of its second phase.
///
/// # Errors
/// The history cannot be read.
pub fn recorded(
    database: &dyn Database,
    record: &Record,
) -> Result<(Option<Outcome>, Option<Outcome>), StoreError> {
    let first = kept(database, record, Phase::First)?.map(|kept| kept.outcome);
    Ok((first, second_phase(database, record)?))
}

/// The result of the second phase of a run, as its job returned it ([`Outcome::second_phase`]).
fn second_phase(database: &dyn Database, record: &Record) -> Result<Option<Outcome>, StoreError> {
    let of = |phase| kept(database, record, phase).map(|kept| kept.map(|kept| kept.outcome));
    Ok(match (of(Phase::Shortest)?, of(Phase::Likeliest)?) {
        (Some(shortest), likeliest) => {
            let likeliest = likeliest.and_then(|likeliest| likeliest.witness);
            Some(Outcome { likeliest, ..shortest })
        }
        (None, Some(mut only)) => {
            (only.verdict, only.likeliest) = (Answered::Unknown, only.witness.take());
            Some(only)
        }
        (None, None) => None,
    })
}

/// A verdict to record: the first one of a run, or with [`Phase::Shortest`] a shorter execution. It is
/// recorded once, after the last cycle of a run, because the first content of a phase is kept.
///
/// # Errors
/// The result has no JSON form.
pub fn verdict(
    (round, run): (RoundId, u32),
    key: &key::Key,
    outcome: &Outcome,
    phase: Phase,
    carried_from: Option<RoundId>,
) -> Result<NewVerdict, StoreError> {
    let witnesses = vec![(phase, content(key, outcome)?)];
    let part = |[total, visited]: [u64; 2]| Fraction { visited, total };
    let verdict = Verdict {
        answer: answer(outcome),
        cycle: Some(outcome.cycle),
        statistics: Statistics {
            states: outcome.states.clone(),
            seconds: outcome.seconds,
            memory: outcome.memory,
        },
        coverage: Coverage { automaton: part(outcome.coverage.automaton_states), model: Fraction::default() },
        carried_from,
        machine: outcome.machine.clone(),
    };
    Ok(NewVerdict { round, run, verdict, witnesses, contradicts: false })
}

/// What is kept of a result, as a content.
///
/// # Errors
/// The result has no JSON form.
pub fn content(key: &key::Key, outcome: &Outcome) -> Result<Vec<u8>, StoreError> {
    let kept = Kept { key: key.clone(), outcome: outcome.clone() };
    serde_json::to_vec(&kept).map_err(|fault| StoreError::Other(fault.to_string()))
}

/// What this build of Axle knows of a run.
pub fn standing(database: &dyn Database, run: &Run, build: &str) -> Result<Standing, StoreError> {
    recorded_standing(database, run, build).map(|(standing, _)| standing)
}

/// What this build of Axle knows of a run, and the record of the verdict.
///
/// # Errors
/// The history cannot be read.
pub fn recorded_standing(
    database: &dyn Database,
    run: &Run,
    build: &str,
) -> Result<(Standing, Option<Record>), StoreError> {
    if let Some((record, kept)) = current(database, run, build)? {
        return Ok((Standing::Current(Box::new(kept)), Some(record)));
    }
    let latest = database.latest(&run.property)?;
    let record = latest.into_iter().find(|record| record.run.provisioning == run.constraint);
    let Some(record) = record else { return Ok((Standing::New, None)) };
    Ok(match kept(database, &record, Phase::First)? {
        // The check failed: a later round repeats it.
        Some(kept) if record.run.key == key_of(run) && record.axle_version == build => {
            (Standing::Current(Box::new(kept)), Some(record))
        }
        Some(kept) => {
            let mut changed: Vec<String> =
                run.key.changed(&kept.key).into_iter().map(str::to_string).collect();
            if changed.is_empty() {
                changed.push("the build of Axle".to_string());
            }
            (Standing::Changed(Box::new(kept), changed), Some(record))
        }
        None => (Standing::New, None),
    })
}

/// The verdict of a run: one with its key, or the latest one of a C program of which no executed part
/// has changed.
fn current(database: &dyn Database, run: &Run, build: &str) -> Result<Option<(Record, Kept)>, StoreError> {
    let latest = database.latest(&run.property)?;
    let latest = latest.into_iter().find(|record| record.run.provisioning == run.constraint);
    let decided = database.by_key(key_of(run), build)?;
    // Machines or engines that disagree have put an earlier verdict in doubt.
    if let Some(record) = latest.as_ref().filter(|record| {
        record.run.key == key_of(run)
            && record.axle_version == build
            && record.verdict.answer == Answer::Failed
            && decided.as_ref().is_none_or(|decided| decided.round < record.round)
    }) && let Some(kept) = kept(database, record, Phase::First)?
        && (kept.outcome.disagreement.is_some() || kept.outcome.conflict.is_some())
    {
        return Ok(Some((record.clone(), kept)));
    }
    if let Some(record) = decided
        && let Some(kept) = kept(database, &record, Phase::First)?
    {
        return Ok(Some((record, kept)));
    }
    let Subject::Program(loaded, formula) = &run.subject else { return Ok(None) };
    let Some(record) = latest.filter(|record| record.axle_version == build) else { return Ok(None) };
    let Some(kept) = kept(database, &record, Phase::First)? else { return Ok(None) };
    let same = run.key.changed(&kept.key) == [key::PROGRAM]
        && record.verdict.answer == Answer::Holds
        && kept.outcome.footprint.as_ref().is_some_and(|own| own.is_of(&loaded.program, formula));
    Ok(same.then_some((record, kept)))
}

fn answer(outcome: &Outcome) -> Answer {
    match outcome.verdict {
        _ if outcome.internal.is_some() || outcome.failed => Answer::Failed,
        Answered::Holds => Answer::Holds,
        Answered::Violated => Answer::Violated,
        Answered::Unknown => Answer::Unknown,
    }
}

fn key_of(run: &Run) -> Key {
    // The hash of a key is hexadecimal; any other text is hashed, which equals no key of a run.
    Key(Hash::parse(&run.key.hash).unwrap_or_else(|| Hash::of(run.key.hash.as_bytes())))
}

/// A run as it is recorded.
#[must_use]
pub fn run_record(number: u32, run: &Run) -> verdict::Run {
    let part = |name: &str| run.key.parts.iter().find(|part| part.name == name);
    let summary = |name: &str| part(name).map(|part| part.summary.clone()).unwrap_or_default();
    verdict::Run {
        number,
        property: run.property.clone(),
        feature: run.feature.clone().unwrap_or_default(),
        provisioning: run.constraint.clone(),
        property_text: summary("property"),
        options: summary("options"),
        key: key_of(run),
    }
}

/// What was kept with a verdict; none if it is of another version and cannot be read.
///
/// # Errors
/// The history cannot be read.
pub fn kept(database: &dyn Database, record: &Record, of: Phase) -> Result<Option<Kept>, StoreError> {
    let Some((_, hash)) = record.witnesses.iter().find(|(phase, _)| *phase == of) else {
        return Ok(None);
    };
    let content = database.content(*hash)?;
    Ok(content.and_then(|content| serde_json::from_slice(&content).ok()))
}
