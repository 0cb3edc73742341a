//! Queries of the history.
//!
//! *Entry points:* the functions of [`super::history::History`].
//! *Invariant:* the latest verdict of a property under a provisioning is that of the largest round
//! that has a verdict for the pair.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::jobs::error::StoreError;
use crate::jobs::job::{RoundId, Timestamp};
use crate::jobs::sql::{Row, Session, Value, first};
use crate::jobs::task::{Coverage, Fraction};
use crate::results::key::{Hash, Key};
use crate::results::verdict::{
    Answer, FeatureCounts, Machine, NewRound, Phase, Record, Round, Run, Statistics, Verdict,
};
use axle_outcome::Count;

/// Columns of a run.
const RUN: &str = "run.number, run.property, run.feature, run.provisioning, run.property_text,
    run.options, run.key";

/// Columns of a verdict.
const VERDICT: &str = "verdict.answer, verdict.cycle, verdict.states, verdict.seconds, verdict.memory,
    verdict.automaton_visited, verdict.automaton_total, verdict.model_visited, verdict.model_total,
    verdict.carried_from, verdict.machine, verdict.token, verdict.at";

/// Restricts verdicts to the latest of each property and provisioning.
const IS_LATEST: &str = "NOT EXISTS (SELECT 1 FROM run later JOIN verdict later_verdict
        ON later_verdict.round = later.round AND later_verdict.run = later.number
        WHERE later.property = run.property AND later.provisioning = run.provisioning
        AND later.round > run.round)";

pub(super) fn rounds(session: &mut dyn Session, last: RoundId, limit: u32) -> Result<Vec<Round>, StoreError> {
    let select = "SELECT id, source_version, axle_version, budget, begun, ended FROM round
        WHERE id <= $1 ORDER BY id DESC LIMIT $2";
    let round = |row: &mut Row| {
        Ok(Round {
            id: RoundId(row.int()?),
            recorded: NewRound {
                source_version: row.text()?,
                axle_version: row.text()?,
                budget: Duration::from_millis(row.int()?),
            },
            begun: Timestamp(row.int()?),
            ended: row.optional_int()?.map(Timestamp),
        })
    };
    session.rows(select, &[last.0.into(), limit.into()])?.iter_mut().map(round).collect()
}

pub(super) fn runs(session: &mut dyn Session, round: RoundId) -> Result<Vec<Run>, StoreError> {
    let select = format!("SELECT {RUN} FROM run WHERE round = $1 ORDER BY number");
    session.rows(&select, &[round.0.into()])?.iter_mut().map(run).collect()
}

pub(super) fn run_of(
    session: &mut dyn Session,
    round: RoundId,
    number: u32,
) -> Result<Option<Run>, StoreError> {
    let select = format!("SELECT {RUN} FROM run WHERE round = $1 AND number = $2");
    first(session, &select, &[round.0.into(), number.into()])?.as_mut().map(run).transpose()
}

pub(super) fn verdict_of(
    session: &mut dyn Session,
    round: RoundId,
    number: u32,
) -> Result<Option<Record>, StoreError> {
    let condition = "run.round = $1 AND run.number = $2";
    Ok(records(session, condition, &[round.0.into(), number.into()])?.pop())
}

pub(super) fn verdicts(session: &mut dyn Session, round: RoundId) -> Result<Vec<Record>, StoreError> {
    records(session, "run.round = $1 ORDER BY run.number", &[round.0.into()])
}

pub(super) fn latest(session: &mut dyn Session, property: &str) -> Result<Vec<Record>, StoreError> {
    let condition = format!("run.property = $1 AND {IS_LATEST} ORDER BY run.provisioning, run.number");
    records(session, &condition, &[property.into()])
}

pub(super) fn last_verdicts(
    session: &mut dyn Session,
    before: RoundId,
    count: u32,
) -> Result<Vec<Record>, StoreError> {
    let condition = "(run.round, run.number) IN (SELECT ranked.round, ranked.number FROM (
            SELECT one.round, one.number, ROW_NUMBER() OVER (
                PARTITION BY one.property, one.provisioning ORDER BY one.round DESC, one.number) AS place
            FROM run one JOIN verdict given ON given.round = one.round AND given.run = one.number
            WHERE one.round < $1) ranked WHERE ranked.place <= $2)
        ORDER BY run.property, run.provisioning, run.round DESC";
    records(session, condition, &[before.0.into(), count.into()])
}

pub(super) fn property_history(
    session: &mut dyn Session,
    property: &str,
    limit: u32,
) -> Result<Vec<Record>, StoreError> {
    let condition = "run.property = $1 ORDER BY run.round DESC, run.number LIMIT $2";
    records(session, condition, &[property.into(), limit.into()])
}

pub(super) fn by_key(
    session: &mut dyn Session,
    key: Key,
    axle_version: &str,
) -> Result<Option<Record>, StoreError> {
    let condition = "run.key = $1 AND round.axle_version = $2 AND verdict.answer <> 'failed'
        ORDER BY CASE WHEN verdict.answer = 'unknown' THEN COALESCE(verdict.cycle, -1) ELSE 99 END DESC,
        run.round DESC, run.number LIMIT 1";
    let parameters = [key.to_string().as_str().into(), axle_version.into()];
    Ok(records(session, condition, &parameters)?.pop())
}

pub(super) fn by_feature(session: &mut dyn Session, feature: &str) -> Result<Vec<Record>, StoreError> {
    let order = "ORDER BY run.property, run.provisioning, run.number";
    records(session, &format!("run.feature = $1 AND {IS_LATEST} {order}"), &[feature.into()])
}

pub(super) fn features(session: &mut dyn Session) -> Result<Vec<FeatureCounts>, StoreError> {
    let select = format!(
        "SELECT run.feature, verdict.answer, count(*) FROM run
         JOIN verdict ON verdict.round = run.round AND verdict.run = run.number
         WHERE {IS_LATEST} GROUP BY run.feature, verdict.answer"
    );
    let mut features: BTreeMap<String, FeatureCounts> = BTreeMap::new();
    for mut row in session.rows(&select, &[])? {
        let (feature, answer, number) = (row.text()?, answer(&mut row)?, row.int()?);
        let counts = features.entry(feature.clone()).or_default();
        counts.feature = feature;
        match answer {
            Answer::Holds => counts.holds = number,
            Answer::Violated => counts.violated = number,
            Answer::Unknown => counts.unknown = number,
            Answer::Failed => counts.failed = number,
        }
    }
    Ok(features.into_values().collect())
}

pub(super) fn content(session: &mut dyn Session, hash: Hash) -> Result<Option<Vec<u8>>, StoreError> {
    let select = "SELECT bytes FROM content WHERE hash = $1";
    let Some(mut row) = first(session, select, &[hash.to_string().as_str().into()])? else {
        return Ok(None);
    };
    let bytes = row.bytes()?;
    if Hash::of(&bytes) != hash {
        return Err(StoreError::Damaged(format!("the content {hash} has another hash")));
    }
    Ok(Some(bytes))
}

/// Verdicts with their runs, rounds and witnesses.
fn records(
    session: &mut dyn Session,
    condition: &str,
    parameters: &[Value],
) -> Result<Vec<Record>, StoreError> {
    let select = format!(
        "SELECT round.id, round.source_version, round.axle_version, {RUN}, {VERDICT} FROM verdict
         JOIN run ON run.round = verdict.round AND run.number = verdict.run
         JOIN round ON round.id = verdict.round WHERE {condition}"
    );
    let mut records = Vec::new();
    for mut row in session.rows(&select, parameters)? {
        let (round, source_version, axle_version) = (RoundId(row.int()?), row.text()?, row.text()?);
        let run = run(&mut row)?;
        let verdict = verdict(&mut row)?;
        let at = Timestamp(row.int()?);
        records.push(Record { round, source_version, axle_version, run, verdict, at, witnesses: Vec::new() });
    }
    add_witnesses(session, &mut records)?;
    Ok(records)
}

/// Verdicts of one round from which on their witnesses are read by one query.
const SEVERAL: usize = 4;

/// Adds the witnesses to verdicts.
fn add_witnesses(session: &mut dyn Session, records: &mut [Record]) -> Result<(), StoreError> {
    let mut by_round: BTreeMap<RoundId, Vec<&mut Record>> = BTreeMap::new();
    for record in records {
        by_round.entry(record.round).or_default().push(record);
    }
    for (round, mut own) in by_round {
        if own.len() < SEVERAL {
            for record in own {
                record.witnesses = witnesses(session, round, record.run.number)?;
            }
            continue;
        }
        let mut all: BTreeMap<u32, Vec<(Phase, Hash)>> = BTreeMap::new();
        for mut row in
            session.rows("SELECT run, phase, hash FROM witness WHERE round = $1", &[round.0.into()])?
        {
            all.entry(row.int()?).or_default().push(witness(&mut row)?);
        }
        for record in &mut own {
            record.witnesses = all.get(&record.run.number).cloned().unwrap_or_default();
            record.witnesses.sort_unstable();
        }
    }
    Ok(())
}

fn witnesses(session: &mut dyn Session, round: RoundId, run: u32) -> Result<Vec<(Phase, Hash)>, StoreError> {
    let select = "SELECT phase, hash FROM witness WHERE round = $1 AND run = $2";
    let mut found = session
        .rows(select, &[round.0.into(), run.into()])?
        .iter_mut()
        .map(witness)
        .collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    Ok(found)
}

fn witness(row: &mut Row) -> Result<(Phase, Hash), StoreError> {
    let phase = Phase::parse(&row.text()?).ok_or_else(|| StoreError::unexpected("the phases"))?;
    Ok((phase, hash(row)?))
}

fn run(row: &mut Row) -> Result<Run, StoreError> {
    Ok(Run {
        number: row.int()?,
        property: row.text()?,
        feature: row.text()?,
        provisioning: row.text()?,
        property_text: row.text()?,
        options: row.text()?,
        key: Key(hash(row)?),
    })
}

fn verdict(row: &mut Row) -> Result<Verdict, StoreError> {
    Ok(Verdict {
        answer: answer(row)?,
        cycle: row.optional_int()?,
        statistics: Statistics { states: count(row)?, seconds: row.real()?, memory: row.int()? },
        coverage: Coverage {
            automaton: Fraction { visited: row.int()?, total: row.int()? },
            model: Fraction { visited: row.int()?, total: row.int()? },
        },
        carried_from: row.optional_int()?.map(RoundId),
        machine: machine(row)?,
    })
}

/// A count of any size, as decimal digits.
fn count(row: &mut Row) -> Result<Count, StoreError> {
    row.text()?.parse().map_err(|_| StoreError::unexpected("the counts"))
}

fn machine(row: &mut Row) -> Result<Option<Machine>, StoreError> {
    let (name, token) = (row.optional_text()?, row.optional_text()?);
    Ok(name.map(|name| Machine { name, token }))
}

fn answer(row: &mut Row) -> Result<Answer, StoreError> {
    Answer::parse(&row.text()?).ok_or_else(|| StoreError::unexpected("the verdicts"))
}

fn hash(row: &mut Row) -> Result<Hash, StoreError> {
    Hash::parse(&row.text()?).ok_or_else(|| StoreError::unexpected("the hashes"))
}
