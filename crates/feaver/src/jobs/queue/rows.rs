//! Rows of the tables of jobs as data.

use crate::jobs::error::StoreError;
use crate::jobs::job::{Event, EventId, Job, JobId, JobState, NewJob, Priority, RoundId, Timestamp};
use crate::jobs::sql::{Row, Session, Value};

/// The columns that [`submitted`] reads.
pub(super) const SUBMITTED: &str = "round, key, cycle, weight, number, max_failures, payload, avoid";

/// The columns that [`job`] reads.
pub(super) const JOB: &str = "id, round, key, cycle, weight, number, max_failures, payload, avoid,
    state, attempt, failures, worker, token, claim, expires, progress, result, reason";

pub(super) fn submitted(row: &mut Row) -> Result<NewJob, StoreError> {
    Ok(NewJob {
        round: RoundId(row.int()?),
        key: row.text()?,
        priority: Priority { cycle: row.int()?, weight: row.int()?, number: row.int()? },
        max_failures: row.int()?,
        payload: row.bytes()?,
        avoid: row.optional_text()?,
    })
}

pub(super) fn job(row: &mut Row) -> Result<Job, StoreError> {
    Ok(Job {
        id: JobId(row.int()?),
        submitted: submitted(row)?,
        state: state(row)?,
        attempt: row.int()?,
        failures: row.int()?,
        worker: row.optional_text()?,
        token: row.optional_text()?,
        claim: row.optional_text()?,
        expires: row.optional_int()?.map(Timestamp),
        progress: row.optional_bytes()?,
        result: row.optional_bytes()?,
        reason: row.optional_text()?,
    })
}

/// The jobs of a round by id, or those in one state.
pub(crate) fn jobs(
    session: &mut dyn Session,
    round: RoundId,
    state: Option<JobState>,
) -> Result<Vec<Job>, StoreError> {
    let condition = if state.is_some() { "AND state = $2" } else { "" };
    let sql = format!("SELECT {JOB} FROM job WHERE round = $1 {condition} ORDER BY id");
    let mut parameters: Vec<Value> = vec![round.0.into()];
    parameters.extend(state.map(|state| state.name().into()));
    session.rows(&sql, &parameters)?.iter_mut().map(job).collect()
}

pub(super) fn event(row: &mut Row) -> Result<Event, StoreError> {
    Ok(Event {
        id: EventId(row.int()?),
        job: JobId(row.int()?),
        round: RoundId(row.int()?),
        state: state(row)?,
        attempt: row.int()?,
        at: Timestamp(row.int()?),
        detail: row.text()?,
    })
}

pub(super) fn state(row: &mut Row) -> Result<JobState, StoreError> {
    JobState::parse(&row.text()?).ok_or_else(|| StoreError::unexpected("the states of jobs"))
}
