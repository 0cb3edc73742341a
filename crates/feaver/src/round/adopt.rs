//! Rounds whose driver was lost: they are continued or closed.
//!
//! A round without an end, whose driver no longer renews its lease, is taken. It is continued if it has
//! the same runs of the same sources and the same build, and closed otherwise: its open jobs are
//! cancelled, and undecided runs are recorded with what they reached.
//!
//! *Entry points:* [`adopt`], [`close`], [`held_until`].
//! *Invariant:* a round that a living driver holds is not touched. Closing stores the results of all
//! completed jobs, so that no verdict is lost.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::execute::Outcome;
use crate::jobs::error::StoreError;
use crate::jobs::job::{Job, JobState, RoundId, Selection, Timestamp};
use crate::jobs::task::{Step, Task};
use crate::results::database::Database;
use crate::results::ledger;
use crate::results::round_store::{Holder, RoundState};
use crate::results::verdict::{NewRound, Phase, Run};
use crate::round::follow_up::failed;
use crate::round::payload::Payload;

/// Takes all rounds whose driver was lost, closes those that cannot be continued, and returns the one
/// that is. `runs` are the runs of the round that the caller wants.
///
/// # Errors
/// The database fails.
pub fn adopt(
    database: &dyn Database,
    wanted: &NewRound,
    runs: &[Run],
    holder: &Holder,
    now: Timestamp,
) -> Result<Option<RoundState>, StoreError> {
    let open = database.open_rounds()?;
    if open.is_empty() {
        return Ok(None);
    }
    let recorded = database.rounds(u32::MAX)?;
    let mut continued = None;
    for state in open {
        if !database.take_round(state.round, holder, now)? {
            continue;
        }
        let same = recorded.iter().any(|round| {
            let known = &round.recorded;
            round.id == state.round
                && known.source_version == wanted.source_version
                && known.axle_version == wanted.axle_version
        });
        let left = state.spent < wanted.budget && !state.ending;
        if continued.is_none() && same && left && database.runs(state.round)? == runs {
            continued = Some(state);
        } else {
            close(database, state.round, now)?;
        }
    }
    Ok(continued)
}

/// The latest time until which the driver of a round in progress may be alive without renewing its
/// lease; none if no round is held.
///
/// # Errors
/// The database fails.
pub fn held_until(database: &dyn Database, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let open = database.open_rounds()?;
    let held = open.into_iter().filter_map(|state| state.expires).filter(|expires| *expires > now);
    Ok(held.max())
}

/// The time between two points.
#[must_use]
pub fn between(begin: Timestamp, end: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(end.0.saturating_sub(begin.0)).unwrap_or(0))
}

/// Ends a round. Its open jobs are cancelled; a run without a verdict is recorded with the result of its
/// last job.
///
/// # Errors
/// The database fails. The request can be repeated.
pub fn close(database: &dyn Database, round: RoundId, now: Timestamp) -> Result<(), StoreError> {
    database.request_end(round, now)?;
    database.cancel(&Selection::Round(round), now)?;
    let decided: Vec<u32> = database.verdicts(round)?.iter().map(|record| record.run.number).collect();
    let mut last: BTreeMap<u32, Vec<Job>> = BTreeMap::new();
    for job in database.round_jobs(round, None)? {
        let task = Task::parse(&job.submitted.key);
        let is_first_phase = task.is_some_and(|task| matches!(task.step, Step::Cycle(_)));
        let is_relevant = matches!(job.state, JobState::Completed | JobState::Failed);
        if is_first_phase && is_relevant && !decided.contains(&job.submitted.priority.number) {
            last.entry(job.submitted.priority.number).or_default().push(job);
        }
    }
    let mut verdicts = Vec::new();
    for (run, jobs) in last {
        let Some((payload, outcome)) = last_result(&jobs) else { continue };
        verdicts.push(ledger::verdict((round, run), &payload.key, &outcome, Phase::First, None)?);
    }
    database.record_all(&verdicts, now)?;
    database.end_round(round, now)
}

/// The result of the last cycle of a run.
fn last_result(jobs: &[Job]) -> Option<(Payload, Outcome)> {
    let read = |job: &Job| job.result.as_ref().and_then(|result| serde_json::from_slice(result).ok());
    let cycle = |job: &&Job| job.submitted.priority.cycle;
    let completed = jobs.iter().filter(|job| job.state == JobState::Completed).max_by_key(cycle);
    let before: Option<Outcome> = completed.and_then(read);
    let lost = jobs.iter().find(|job| job.state == JobState::Failed);
    let payload = Payload::read(&lost.or(completed)?.submitted.payload).ok()?;
    let outcome = match lost {
        Some(job) => {
            let reason = job.reason.as_deref().unwrap_or_default();
            failed(payload.name(), payload.key.hash.clone(), before, job.failures, reason)
        }
        None => before?,
    };
    Some((payload, outcome))
}
