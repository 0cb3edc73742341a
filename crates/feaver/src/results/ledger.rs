//! The verdicts of a project's runs over its rounds: what is recorded of a run, and which earlier
//! verdict is still that of the run.
//!
//! *Entry points:* [`Ledger::begin`] for a round, [`standing`] for the present state of a project.
//! *Invariant:* an earlier verdict is carried over only if its key is that of the run and it was found
//! by the same build of Axle, which the caller names. A verdict with another key is never shown as that of the run.

use axle_check::Verdict as Answered;
use serde::{Deserialize, Serialize};

use crate::execute::Outcome;
use crate::jobs::error::StoreError;
use crate::jobs::job::{RoundId, Timestamp};
use crate::jobs::task::{Coverage, Fraction};
use crate::prepare::{Run, Subject, key};
use crate::results::database::Database;
use crate::results::key::{Hash, Key};
use crate::results::verdict::{self, Answer, NewRound, NewVerdict, Phase, Record, Statistics, Verdict};

/// What is kept of a run: the result of its last cycle, and the parts of its key.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The key, to name the parts that differ from another one.
    pub key: key::Key,
    /// The result.
    pub outcome: Outcome,
    /// The hash of the texts to which locations of the result refer.
    #[serde(default)]
    pub texts: String,
}

/// A round that is recorded.
pub struct Ledger {
    database: Box<dyn Database>,
    build: String,
    round: RoundId,
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

impl Ledger {
    /// Begins a round of these runs.
    pub fn begin(
        database: Box<dyn Database>,
        runs: &[Run],
        round: NewRound,
        now: Timestamp,
    ) -> Result<Ledger, StoreError> {
        let runs: Vec<verdict::Run> = (0u32..).zip(runs).map(|(number, run)| recorded(number, run)).collect();
        let begun = database.begin_round(&round, &runs, now)?;
        Ok(Ledger { database, build: round.axle_version, round: begun })
    }

    /// The earlier decided verdict of a run, if nothing that it depends on has changed. A violation is
    /// searched again if locations have changed, so that its execution shows the present text.
    pub fn carried(&self, run: &Run) -> Result<Option<(RoundId, Outcome)>, StoreError> {
        let Some((record, kept)) = current(&*self.database, run, &self.build)? else { return Ok(None) };
        let decided = record.verdict.answer.is_decided() && answer(&kept.outcome) == record.verdict.answer;
        let same_texts = kept.texts == run.texts;
        if !decided || (record.verdict.answer == Answer::Violated && !same_texts) {
            return Ok(None);
        }
        let mut outcome = kept.outcome;
        outcome.key.clone_from(&run.key.hash);
        if !same_texts {
            outcome.forget_locations();
        }
        Ok(Some((record.verdict.carried_from.unwrap_or(record.round), outcome)))
    }

    /// Records the result of a run, by its number in the round: once, after its last cycle, because
    /// the first content of a run is the one that is kept.
    pub fn record(
        &self,
        number: u32,
        run: &Run,
        outcome: &Outcome,
        carried_from: Option<RoundId>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let kept = Kept { key: run.key.clone(), outcome: outcome.clone(), texts: run.texts.clone() };
        let content = serde_json::to_vec(&kept).map_err(|fault| StoreError::Other(fault.to_string()))?;
        let part = |[total, visited]: [u64; 2]| Fraction { visited, total };
        let verdict = Verdict {
            answer: answer(outcome),
            cycle: Some(outcome.cycle),
            statistics: Statistics {
                states: outcome.states,
                seconds: outcome.seconds,
                memory: outcome.memory,
            },
            coverage: Coverage {
                automaton: part(outcome.coverage.automaton_states),
                model: Fraction::default(),
            },
            carried_from,
        };
        let witnesses = vec![(Phase::First, content)];
        let verdict = NewVerdict { round: self.round, run: number, verdict, witnesses };
        self.database.record(&verdict, now).map(|_| ())
    }

    /// Ends the round.
    pub fn end(&self, now: Timestamp) -> Result<(), StoreError> {
        self.database.end_round(self.round, now)
    }
}

/// What this build of Axle knows of a run.
pub fn standing(database: &dyn Database, run: &Run, build: &str) -> Result<Standing, StoreError> {
    if let Some((_, kept)) = current(database, run, build)? {
        return Ok(Standing::Current(Box::new(kept)));
    }
    let latest = database.latest(&run.property)?;
    let record = latest.into_iter().find(|record| record.run.provisioning == run.constraint);
    let Some(record) = record else { return Ok(Standing::New) };
    Ok(match kept(database, &record)? {
        Some(kept) => {
            let mut changed: Vec<String> =
                run.key.changed(&kept.key).into_iter().map(str::to_string).collect();
            if changed.is_empty() {
                changed.push("the build of Axle".to_string());
            }
            Standing::Changed(Box::new(kept), changed)
        }
        None => Standing::New,
    })
}

/// The verdict of a run: one with its key, or the latest one of a C program of which no executed part
/// has changed.
fn current(database: &dyn Database, run: &Run, build: &str) -> Result<Option<(Record, Kept)>, StoreError> {
    if let Some(record) = database.by_key(key_of(run), build)?
        && let Some(kept) = kept(database, &record)?
    {
        return Ok(Some((record, kept)));
    }
    let Subject::Program(loaded, formula) = &run.subject else { return Ok(None) };
    let latest = database.latest(&run.property)?;
    let record = latest.into_iter().find(|record| record.run.provisioning == run.constraint);
    let Some(record) = record.filter(|record| record.axle_version == build) else { return Ok(None) };
    let Some(kept) = kept(database, &record)? else { return Ok(None) };
    let same = run.key.changed(&kept.key) == ["program"]
        && record.verdict.answer == Answer::Holds
        && kept.outcome.footprint.as_ref().is_some_and(|own| own.is_of(&loaded.program, formula));
    Ok(same.then_some((record, kept)))
}

fn answer(outcome: &Outcome) -> Answer {
    match outcome.verdict {
        _ if outcome.internal.is_some() => Answer::Failed,
        Answered::Holds => Answer::Holds,
        Answered::Violated => Answer::Violated,
        Answered::Unknown => Answer::Unknown,
    }
}

fn key_of(run: &Run) -> Key {
    // The hash of a key is hexadecimal; any other text is hashed, which equals no key of a run.
    Key(Hash::parse(&run.key.hash).unwrap_or_else(|| Hash::of(run.key.hash.as_bytes())))
}

fn recorded(number: u32, run: &Run) -> verdict::Run {
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
fn kept(database: &dyn Database, record: &Record) -> Result<Option<Kept>, StoreError> {
    let Some((_, hash)) = record.witnesses.iter().find(|(phase, _)| *phase == Phase::First) else {
        return Ok(None);
    };
    let content = database.content(*hash)?;
    Ok(content.and_then(|content| serde_json::from_slice(&content).ok()))
}
