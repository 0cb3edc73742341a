//! Leases: the requests of a worker, and their expiry.
//!
//! *Entry points:* [`lease`], [`heartbeat`], [`complete`], [`fail`], [`release`], [`expire`].
//! *Invariant:* a request changes a job only if the job is leased under the attempt of the request.
//! The row of the job is locked from this check to the commit.

use super::{events, refusal, rows, submit};
use crate::jobs::error::{Refusal, StoreError};
use crate::jobs::job::{
    Completion, JobId, JobState, Lease, LeaseRequest, Leased, Recorded, RoundId, Timestamp, milliseconds,
};
use crate::jobs::sql::{Dialect, Session, Value, first};

/// Rows that another transaction changes are left out instead of waited for.
fn skip_locked(session: &dyn Session) -> &'static str {
    match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => "FOR UPDATE SKIP LOCKED",
    }
}

pub(super) fn lease(
    session: &mut dyn Session,
    request: &LeaseRequest,
    now: Timestamp,
) -> Result<Vec<Leased>, StoreError> {
    if request.duration.is_zero() {
        return Err(StoreError::Invalid("the duration of a lease is longer than 0".to_owned()));
    }
    expire(session, now)?;
    let condition = if request.round.is_some() { "AND round = $3" } else { "" };
    let select = format!(
        "SELECT id, attempt, {} FROM job WHERE state = 'waiting' {condition}
         AND (avoid IS NULL OR avoid <> $2)
         ORDER BY cycle, weight DESC, number, id LIMIT $1 {}",
        rows::SUBMITTED,
        skip_locked(session)
    );
    // A process without a token has the name of none.
    let token = request.token.as_deref().unwrap_or_default();
    let mut parameters: Vec<Value> = vec![request.count.into(), token.into()];
    parameters.extend(request.round.map(|round| round.0.into()));
    let expires = now.after(request.duration);
    let mut leased = Vec::new();
    for mut row in session.rows(&select, &parameters)? {
        let (id, attempt): (JobId, u32) = (JobId(row.int()?), row.int()?);
        let job = rows::submitted(&mut row)?;
        let lease = Lease { job: id, attempt: attempt + 1 };
        session.rows(
            "UPDATE job SET state = 'leased', attempt = $2, worker = $3, duration = $4, renewed = $5,
             expires = $6, token = $7, progress = NULL WHERE id = $1",
            &[
                id.0.into(),
                lease.attempt.into(),
                request.worker.as_str().into(),
                milliseconds(request.duration).into(),
                now.0.into(),
                expires.0.into(),
                request.token.as_deref().into(),
            ],
        )?;
        events::add(session, id, job.round, JobState::Leased, lease.attempt, now, &request.worker)?;
        leased.push(Leased { lease, job, expires });
    }
    Ok(leased)
}

/// What a request with a lease needs to know about its job.
struct Held {
    round: RoundId,
    state: JobState,
    attempt: u32,
    failures: u32,
    max_failures: u32,
    duration: Option<i64>,
}

/// Reads and locks the job of a lease.
fn read(session: &mut dyn Session, lease: Lease) -> Result<Held, StoreError> {
    let clause = match session.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => "FOR UPDATE",
    };
    let select = format!(
        "SELECT round, state, attempt, failures, max_failures, duration FROM job WHERE id = $1 {clause}"
    );
    let Some(mut row) = first(session, &select, &[lease.job.0.into()])? else {
        return Err(Refusal::NoSuchJob(lease.job).into());
    };
    Ok(Held {
        round: RoundId(row.int()?),
        state: rows::state(&mut row)?,
        attempt: row.int()?,
        failures: row.int()?,
        max_failures: row.int()?,
        duration: row.optional_int()?,
    })
}

/// Reads and locks the job of a valid lease.
fn require(session: &mut dyn Session, lease: Lease) -> Result<Held, StoreError> {
    let held = read(session, lease)?;
    match held.state {
        JobState::Leased if held.attempt == lease.attempt => Ok(held),
        state => Err(refusal(lease, state, held.attempt)),
    }
}

pub(super) fn heartbeat(
    session: &mut dyn Session,
    lease: Lease,
    progress: Option<&[u8]>,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let held = require(session, lease)?;
    let duration = held.duration.ok_or_else(|| StoreError::unexpected("the leases"))?;
    let expires = Timestamp(now.0.saturating_add(duration));
    session.rows(
        "UPDATE job SET renewed = $2, expires = $3, progress = COALESCE($4, progress) WHERE id = $1",
        &[lease.job.0.into(), now.0.into(), expires.0.into(), progress.into()],
    )?;
    Ok(expires)
}

/// Stores a result and its follow-up jobs.
pub(crate) fn complete(
    session: &mut dyn Session,
    lease: Lease,
    completion: &Completion,
    now: Timestamp,
) -> Result<Recorded, StoreError> {
    let held = read(session, lease)?;
    if held.state == JobState::Completed && held.attempt == lease.attempt {
        // The answer to the first request was lost. Results of an attempt do not change.
        let select = "SELECT result FROM job WHERE id = $1";
        let stored = match first(session, select, &[lease.job.0.into()])? {
            Some(mut row) => row.optional_bytes()?,
            None => None,
        };
        return match stored.as_ref() == Some(&completion.result) {
            true => Ok(Recorded::Before),
            false => Err(Refusal::OtherResult { job: lease.job, attempt: lease.attempt }.into()),
        };
    }
    if held.state != JobState::Leased || held.attempt != lease.attempt {
        return Err(refusal(lease, held.state, held.attempt));
    }
    session.rows(
        "UPDATE job SET state = 'completed', duration = NULL, renewed = NULL, expires = NULL, result = $2
         WHERE id = $1",
        &[lease.job.0.into(), completion.result.as_slice().into()],
    )?;
    events::add(session, lease.job, held.round, JobState::Completed, lease.attempt, now, "")?;
    for job in &completion.follow_ups {
        submit(session, job, now)?;
    }
    Ok(Recorded::Now)
}

pub(super) fn fail(
    session: &mut dyn Session,
    lease: Lease,
    reason: &str,
    now: Timestamp,
) -> Result<JobState, StoreError> {
    let held = require(session, lease)?;
    count_failure(session, lease, &held, reason, now)
}

/// Ends an attempt: the job waits again, or has failed.
fn count_failure(
    session: &mut dyn Session,
    lease: Lease,
    held: &Held,
    reason: &str,
    now: Timestamp,
) -> Result<JobState, StoreError> {
    let failures = held.failures + 1;
    let state = if failures < held.max_failures { JobState::Waiting } else { JobState::Failed };
    session.rows(
        "UPDATE job SET state = $2, failures = $3, reason = $4, duration = NULL, renewed = NULL,
         expires = NULL WHERE id = $1",
        &[lease.job.0.into(), state.name().into(), failures.into(), reason.into()],
    )?;
    events::add(session, lease.job, held.round, state, lease.attempt, now, reason)?;
    Ok(state)
}

pub(super) fn release(session: &mut dyn Session, lease: Lease, now: Timestamp) -> Result<(), StoreError> {
    let held = require(session, lease)?;
    session.rows(
        "UPDATE job SET state = 'waiting', duration = NULL, renewed = NULL, expires = NULL WHERE id = $1",
        &[lease.job.0.into()],
    )?;
    events::add(
        session,
        lease.job,
        held.round,
        JobState::Waiting,
        lease.attempt,
        now,
        "released by the worker",
    )
}

pub(super) fn expire(session: &mut dyn Session, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
    // Sorted below: with `ORDER BY id` SQLite would read all jobs instead of the index of leases.
    let select = format!(
        "SELECT id, attempt, renewed FROM job WHERE state = 'leased' AND (expires <= $1 OR renewed > $1) {}",
        skip_locked(session)
    );
    let mut due = Vec::new();
    for mut row in session.rows(&select, &[now.0.into()])? {
        due.push((JobId(row.int()?), row.int()?, Timestamp(row.int()?)));
    }
    due.sort_unstable();
    let mut expired = Vec::new();
    for (job, attempt, renewed) in due {
        let lease = Lease { job, attempt };
        if renewed > now {
            heartbeat(session, lease, None, now)?;
            continue;
        }
        let held = require(session, lease)?;
        count_failure(session, lease, &held, "the lease expired without a heartbeat", now)?;
        expired.push(job);
    }
    Ok(expired)
}
