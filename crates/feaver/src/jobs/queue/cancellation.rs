//! Cancellation of jobs, of the jobs of a run, and of a round.
//!
//! *Entry point:* [`cancel`].
//! *Invariant:* no selected job is open when the transaction commits.

use super::events;
use crate::jobs::error::StoreError;
use crate::jobs::job::{JobId, JobState, RoundId, Selection, Timestamp};
use crate::jobs::sql::{Session, Value, first};

/// Cancels open jobs until none is left. A completion in another transaction may add a follow-up job
/// that one statement does not see.
pub(super) fn cancel(
    session: &mut dyn Session,
    selection: &Selection,
    now: Timestamp,
) -> Result<Vec<JobId>, StoreError> {
    let mut cancelled = Vec::new();
    match selection {
        Selection::Jobs(jobs) => {
            // In the order of ids, so that two requests do not wait for each other.
            let mut jobs = jobs.clone();
            jobs.sort_unstable();
            for job in jobs {
                cancelled.extend(cancel_where(session, "id = $1", &[job.0.into()], now)?);
            }
        }
        Selection::Round(round) => {
            cancelled = cancel_where(session, "round = $1", &[round.0.into()], now)?;
        }
        Selection::Run(round, number) => {
            let parameters = [round.0.into(), (*number).into()];
            cancelled = cancel_where(session, "round = $1 AND number = $2", &parameters, now)?;
        }
    }
    cancelled.sort_unstable();
    Ok(cancelled)
}

fn cancel_where(
    session: &mut dyn Session,
    condition: &str,
    parameters: &[Value],
    now: Timestamp,
) -> Result<Vec<JobId>, StoreError> {
    cancel_states(session, "state IN ('waiting', 'leased')", condition, parameters, now)
}

/// Cancels the waiting jobs of a round.
pub(crate) fn cancel_waiting(
    session: &mut dyn Session,
    round: RoundId,
    now: Timestamp,
) -> Result<Vec<JobId>, StoreError> {
    cancel_states(session, "state = 'waiting'", "round = $1", &[round.0.into()], now)
}

fn cancel_states(
    session: &mut dyn Session,
    states: &str,
    condition: &str,
    parameters: &[Value],
    now: Timestamp,
) -> Result<Vec<JobId>, StoreError> {
    let open = format!("{states} AND {condition}");
    let exists = format!("SELECT 1 FROM job WHERE {open} LIMIT 1");
    let update = format!(
        "UPDATE job SET state = 'cancelled', duration = NULL, renewed = NULL, expires = NULL
         WHERE {open} RETURNING id, round, attempt"
    );
    let mut cancelled = Vec::new();
    while first(session, &exists, parameters)?.is_some() {
        for mut row in session.rows(&update, parameters)? {
            let (job, round, attempt) = (JobId(row.int()?), RoundId(row.int()?), row.int()?);
            events::add(session, job, round, JobState::Cancelled, attempt, now, "")?;
            cancelled.push(job);
        }
    }
    Ok(cancelled)
}
