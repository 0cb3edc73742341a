//! Events: one row per change of a state.
//!
//! *Entry points:* [`add`], [`changes`].
//! *Invariant:* a reader that continues after the last id it has read misses no event.

use super::rows;
use crate::jobs::error::StoreError;
use crate::jobs::job::{Event, EventId, JobId, JobState, RoundId, Timestamp};
use crate::jobs::sql::{Dialect, Session, Value, first};

/// Adds an event and rings the doorbell when the transaction commits.
pub(super) fn add(
    session: &mut dyn Session,
    job: JobId,
    round: RoundId,
    state: JobState,
    attempt: u32,
    now: Timestamp,
    detail: &str,
) -> Result<(), StoreError> {
    session.rows(
        "INSERT INTO job_event (job, round, state, attempt, at, detail) VALUES ($1, $2, $3, $4, $5, $6)",
        &[job.0.into(), round.0.into(), state.name().into(), attempt.into(), now.0.into(), detail.into()],
    )?;
    if session.dialect() == Dialect::Postgres {
        // Several notifications of a transaction are delivered as one.
        session.script("NOTIFY axle_jobs")?;
    }
    Ok(())
}

/// Whether there is an event after `after`.
pub(super) fn exists(session: &mut dyn Session, after: EventId) -> Result<bool, StoreError> {
    Ok(first(session, "SELECT 1 FROM job_event WHERE id > $1 LIMIT 1", &[after.0.into()])?.is_some())
}

/// The events after `after` in the order of their ids, of one round or of all.
pub(crate) fn changes(
    session: &mut dyn Session,
    round: Option<RoundId>,
    after: EventId,
    limit: u32,
) -> Result<Vec<Event>, StoreError> {
    if session.dialect() == Dialect::Postgres {
        // Ids are assigned before the commit. This lock waits for the transactions that have
        // assigned ids, so that no smaller id becomes visible after a larger one was read.
        session.script("LOCK TABLE job_event IN SHARE MODE")?;
    }
    let condition = if round.is_some() { "AND round = $3" } else { "" };
    let sql = format!(
        "SELECT id, job, round, state, attempt, at, detail FROM job_event
         WHERE id > $1 {condition} ORDER BY id LIMIT $2"
    );
    let mut parameters: Vec<Value> = vec![after.0.into(), limit.into()];
    parameters.extend(round.map(|round| round.0.into()));
    session.rows(&sql, &parameters)?.iter_mut().map(rows::event).collect()
}
