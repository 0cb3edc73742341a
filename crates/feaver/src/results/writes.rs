//! Changes of the history.
//!
//! *Entry points:* [`begin_round`], [`record`], [`add_witness`].
//! *Invariant:* the row of the run is locked while its verdict is compared and replaced.

use crate::jobs::error::StoreError;
use crate::jobs::job::{RoundId, Timestamp, milliseconds};
use crate::jobs::sql::{Dialect, Session, first};
use crate::results::history::Stored;
use crate::results::key::Hash;
use crate::results::verdict::{Answer, NewRound, NewVerdict, Phase, Run};

pub(crate) fn begin_round(
    session: &mut dyn Session,
    round: &NewRound,
    runs: &[Run],
    now: Timestamp,
) -> Result<RoundId, StoreError> {
    let row = first(
        session,
        "INSERT INTO round (source_version, axle_version, budget, begun) VALUES ($1, $2, $3, $4)
         RETURNING id",
        &[
            round.source_version.as_str().into(),
            round.axle_version.as_str().into(),
            milliseconds(round.budget).into(),
            now.0.into(),
        ],
    )?;
    let id = RoundId(row.ok_or_else(|| StoreError::unexpected("the ids of rounds"))?.int()?);
    for run in runs {
        session.rows(
            "INSERT INTO run (round, number, property, feature, provisioning, property_text, options, key)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                id.0.into(),
                run.number.into(),
                run.property.as_str().into(),
                run.feature.as_str().into(),
                run.provisioning.as_str().into(),
                run.property_text.as_str().into(),
                run.options.as_str().into(),
                run.key.to_string().as_str().into(),
            ],
        )?;
    }
    Ok(id)
}

pub(super) fn end_round(session: &mut dyn Session, round: RoundId, now: Timestamp) -> Result<(), StoreError> {
    let update = "UPDATE round SET ended = COALESCE(ended, $2) WHERE id = $1 RETURNING id";
    match first(session, update, &[round.0.into(), now.0.into()])? {
        Some(_) => Ok(()),
        None => Err(StoreError::Invalid(format!("round {round} does not exist"))),
    }
}

pub(crate) fn record(
    session: &mut dyn Session,
    new: &NewVerdict,
    now: Timestamp,
) -> Result<Stored, StoreError> {
    lock_run(session, new.round, new.run)?;
    if new.contradicts {
        // Both answers are in the new contents.
        let delete = "DELETE FROM witness WHERE round = $1 AND run = $2 AND phase = $3";
        for (phase, _) in &new.witnesses {
            session.rows(delete, &[new.round.0.into(), new.run.into(), phase.name().into()])?;
        }
    }
    let keeps = !new.contradicts && keeps(session, new)?;
    if !keeps {
        replace(session, new, now)?;
    }
    for (phase, content) in &new.witnesses {
        add_witness(session, new.round, new.run, *phase, content)?;
    }
    Ok(if keeps { Stored::Kept } else { Stored::Now })
}

/// Locks the row of a run until the end of the transaction.
fn lock_run(session: &mut dyn Session, round: RoundId, run: u32) -> Result<(), StoreError> {
    let clause = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => "FOR UPDATE",
    };
    let select = format!("SELECT number FROM run WHERE round = $1 AND number = $2 {clause}");
    match first(session, &select, &[round.0.into(), run.into()])? {
        Some(_) => Ok(()),
        None => Err(StoreError::Invalid(format!("round {round} has no run {run}"))),
    }
}

/// Whether the run has a verdict that the new one must not replace: a decided one, or an undecided one
/// of a later cycle unless the new one decides.
fn keeps(session: &mut dyn Session, new: &NewVerdict) -> Result<bool, StoreError> {
    let select = "SELECT answer, cycle FROM verdict WHERE round = $1 AND run = $2";
    let Some(mut row) = first(session, select, &[new.round.0.into(), new.run.into()])? else {
        return Ok(false);
    };
    let answer = Answer::parse(&row.text()?).ok_or_else(|| StoreError::unexpected("the verdicts"))?;
    let cycle: Option<u8> = row.optional_int()?;
    Ok(answer.is_decided() || (!new.verdict.answer.is_decided() && new.verdict.cycle < cycle))
}

fn replace(session: &mut dyn Session, new: &NewVerdict, now: Timestamp) -> Result<(), StoreError> {
    let it = &new.verdict;
    session.rows(
        "INSERT INTO verdict (round, run, answer, cycle, states, seconds, memory, automaton_visited,
             automaton_total, model_visited, model_total, carried_from, machine,
             token, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (round, run) DO UPDATE SET answer = excluded.answer, cycle = excluded.cycle,
             states = excluded.states, seconds = excluded.seconds, memory = excluded.memory,
             automaton_visited = excluded.automaton_visited, automaton_total = excluded.automaton_total,
             model_visited = excluded.model_visited, model_total = excluded.model_total,
             carried_from = excluded.carried_from, machine = excluded.machine, token = excluded.token,
             at = excluded.at",
        &[
            new.round.0.into(),
            new.run.into(),
            it.answer.name().into(),
            it.cycle.map(u32::from).into(),
            it.statistics.states.to_string().as_str().into(),
            it.statistics.seconds.into(),
            number(it.statistics.memory)?.into(),
            number(it.coverage.automaton.visited)?.into(),
            number(it.coverage.automaton.total)?.into(),
            number(it.coverage.model.visited)?.into(),
            number(it.coverage.model.total)?.into(),
            it.carried_from.map(|round| round.0).into(),
            it.machine.as_ref().map(|machine| machine.name.as_str()).into(),
            it.machine.as_ref().and_then(|machine| machine.token.as_deref()).into(),
            now.0.into(),
        ],
    )?;
    Ok(())
}

fn number(it: u64) -> Result<i64, StoreError> {
    i64::try_from(it).map_err(|_| StoreError::Invalid(format!("{it} is above the largest stored number")))
}

/// Stores a content once and refers to it. The first witness of a phase stays.
pub(super) fn add_witness(
    session: &mut dyn Session,
    round: RoundId,
    run: u32,
    phase: Phase,
    content: &[u8],
) -> Result<Hash, StoreError> {
    let hash = add_content(session, content)?;
    let select = "SELECT run FROM verdict WHERE round = $1 AND run = $2";
    if first(session, select, &[round.0.into(), run.into()])?.is_none() {
        return Err(StoreError::Invalid(format!("run {run} of round {round} has no verdict")));
    }
    session.rows(
        "INSERT INTO witness (round, run, phase, hash) VALUES ($1, $2, $3, $4)
         ON CONFLICT (round, run, phase) DO NOTHING",
        &[round.0.into(), run.into(), phase.name().into(), hash.to_string().as_str().into()],
    )?;
    Ok(hash)
}

/// Stores a content once.
pub(crate) fn add_content(session: &mut dyn Session, content: &[u8]) -> Result<Hash, StoreError> {
    let hash = Hash::of(content);
    session.rows(
        "INSERT INTO content (hash, bytes) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
        &[hash.to_string().as_str().into(), content.into()],
    )?;
    Ok(hash)
}
