//! What a round needs of the database besides its jobs and verdicts: the lease of its driver, the
//! request to end it, and contents by hash.
//!
//! *Entry point:* [`RoundStore`].
//! *Invariant:* at most one driver holds a round. A job that completes after the end of its round was
//! requested has no follow-up jobs.

use std::time::Duration;

use crate::jobs::error::StoreError;
use crate::jobs::job::{
    Completion, Event, EventId, Job, JobState, Lease, Recorded, RoundId, Timestamp, milliseconds,
};
use crate::jobs::queue::{self, Store};
use crate::jobs::sql::{Connection, Doorbell, Row, first};
use crate::results::key::Hash;
use crate::results::verdict::{NewRound, NewVerdict, Run};
use crate::results::writes;

/// The state of a round, as far as its driver is concerned.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundState {
    /// The round.
    pub round: RoundId,
    /// The name of its latest driver.
    pub driver: Option<String>,
    /// When the lease of the driver expires.
    pub expires: Option<Timestamp>,
    /// When the round began.
    pub begun: Timestamp,
    /// The part of the budget that the round has used.
    pub spent: Duration,
    /// Whether its end was requested.
    pub ending: bool,
    /// Whether it has ended.
    pub ended: bool,
    /// The part of the verdicts of machines behind tokens that other machines decide again, from 0 to 1.
    pub recheck: f64,
}

/// The driver of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// A name that no other driver has.
    pub name: String,
    /// Time after the last renewal at which another driver may take the round.
    pub lease: Duration,
}

/// The state of rounds in progress. Each request is one transaction and can be repeated.
pub trait RoundStore: Send + Sync {
    /// Rounds without an end, latest first.
    fn open_rounds(&self) -> Result<Vec<RoundState>, StoreError>;

    /// The state of a round.
    fn round_state(&self, round: RoundId) -> Result<Option<RoundState>, StoreError>;

    /// Begins a round that this driver holds, in one transaction.
    fn begin_driven(
        &self,
        round: &NewRound,
        runs: &[Run],
        holder: &Holder,
        now: Timestamp,
    ) -> Result<RoundId, StoreError>;

    /// Takes a round without an end, if no other driver holds it. Returns whether it was taken.
    fn take_round(&self, round: RoundId, holder: &Holder, now: Timestamp) -> Result<bool, StoreError>;

    /// Renews the lease of a driver. Returns whether the driver still holds the round.
    fn renew_round(
        &self,
        round: RoundId,
        holder: &Holder,
        spent: Duration,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Requests the end of a round: its waiting jobs are cancelled, and the next heartbeat of
    /// each worker is answered by a request to finish.
    fn request_end(&self, round: RoundId, now: Timestamp) -> Result<(), StoreError>;

    /// Sets the part of the verdicts of machines behind tokens that other machines decide again.
    fn set_recheck(&self, round: RoundId, fraction: f64) -> Result<(), StoreError>;

    /// The latest event of all rounds, or 0.
    fn latest_event(&self) -> Result<EventId, StoreError>;

    /// The events of a round after `after`, in the order of their ids and at most `limit`.
    fn round_changes(&self, round: RoundId, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError>;

    /// The jobs of a round by id, or those in one state.
    fn round_jobs(&self, round: RoundId, state: Option<JobState>) -> Result<Vec<Job>, StoreError>;

    /// Completes a job and records a verdict of its run in one transaction. Follow-up jobs are added
    /// unless the end of the round was requested. The hash is that of the result as the worker sent it.
    fn finish_job(
        &self,
        lease: Lease,
        completed: (&Completion, Hash),
        verdict: Option<&NewVerdict>,
        now: Timestamp,
    ) -> Result<Recorded, StoreError>;

    /// Whether the database has no space left: a write has failed for this reason since the last one that
    /// succeeded, or would fail now.
    fn is_full(&self) -> bool;

    /// Stores contents and returns their hashes. Equal contents are stored once.
    fn store_contents(&self, contents: &[&[u8]]) -> Result<Vec<Hash>, StoreError>;
}

impl<C: Connection, D: Doorbell> RoundStore for Store<C, D> {
    fn open_rounds(&self) -> Result<Vec<RoundState>, StoreError> {
        let select = format!("SELECT {STATE} FROM round WHERE ended IS NULL ORDER BY id DESC");
        self.read(|session| session.rows(&select, &[])?.iter_mut().map(state).collect())
    }

    fn round_state(&self, round: RoundId) -> Result<Option<RoundState>, StoreError> {
        self.read(|session| {
            let select = format!("SELECT {STATE} FROM round WHERE id = $1");
            first(session, &select, &[round.0.into()])?.as_mut().map(state).transpose()
        })
    }

    fn begin_driven(
        &self,
        round: &NewRound,
        runs: &[Run],
        holder: &Holder,
        now: Timestamp,
    ) -> Result<RoundId, StoreError> {
        self.write(|session| {
            let begun = writes::begin_round(session, round, runs, now)?;
            let update = "UPDATE round SET driver = $2, expires = $3 WHERE id = $1";
            let expires = now.after(holder.lease);
            session.rows(update, &[begun.0.into(), holder.name.as_str().into(), expires.0.into()])?;
            Ok(begun)
        })
    }

    fn take_round(&self, round: RoundId, holder: &Holder, now: Timestamp) -> Result<bool, StoreError> {
        let update = "UPDATE round SET driver = $2, expires = $3 WHERE id = $1 AND ended IS NULL
            AND (driver IS NULL OR driver = $2 OR expires <= $4) RETURNING id";
        let expires = now.after(holder.lease);
        let parameters = [round.0.into(), holder.name.as_str().into(), expires.0.into(), now.0.into()];
        self.write(|session| Ok(first(session, update, &parameters)?.is_some()))
    }

    fn renew_round(
        &self,
        round: RoundId,
        holder: &Holder,
        spent: Duration,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = "UPDATE round SET expires = $3, spent = $4 WHERE id = $1 AND ended IS NULL
            AND driver = $2 RETURNING id";
        let expires = now.after(holder.lease);
        let spent = milliseconds(spent);
        let parameters = [round.0.into(), holder.name.as_str().into(), expires.0.into(), spent.into()];
        self.write(|session| Ok(first(session, update, &parameters)?.is_some()))
    }

    fn request_end(&self, round: RoundId, now: Timestamp) -> Result<(), StoreError> {
        self.write(|session| {
            let update = "UPDATE round SET ending = COALESCE(ending, $2) WHERE id = $1";
            session.rows(update, &[round.0.into(), now.0.into()])?;
            queue::cancel_waiting(session, round, now).map(drop)
        })
    }

    fn set_recheck(&self, round: RoundId, fraction: f64) -> Result<(), StoreError> {
        let update = "UPDATE round SET recheck = $2 WHERE id = $1";
        self.write(|session| session.rows(update, &[round.0.into(), fraction.into()]).map(drop))
    }

    fn latest_event(&self) -> Result<EventId, StoreError> {
        let select = "SELECT COALESCE(max(id), 0) FROM job_event";
        self.read(|session| {
            let row = first(session, select, &[])?;
            Ok(EventId(row.ok_or_else(|| StoreError::unexpected("the events"))?.int()?))
        })
    }

    fn round_changes(&self, round: RoundId, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.read(|session| queue::changes(session, Some(round), after, limit))
    }

    fn round_jobs(&self, round: RoundId, state: Option<JobState>) -> Result<Vec<Job>, StoreError> {
        self.read(|session| queue::jobs(session, round, state))
    }

    fn finish_job(
        &self,
        lease: Lease,
        (completion, claim): (&Completion, Hash),
        verdict: Option<&NewVerdict>,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        self.write(|session| {
            let select = "SELECT 1 FROM round JOIN job ON job.round = round.id
                WHERE job.id = $1 AND round.ending IS NOT NULL";
            let ending = first(session, select, &[lease.job.0.into()])?.is_some();
            let without = Completion { result: completion.result.clone(), follow_ups: Vec::new() };
            let completion = if ending { &without } else { completion };
            let recorded = queue::complete(session, lease, completion, now)?;
            if recorded == Recorded::Now {
                let update = "UPDATE job SET claim = $2 WHERE id = $1";
                session.rows(update, &[lease.job.0.into(), claim.to_string().as_str().into()])?;
            }
            // A repetition finds the verdict of the first request.
            if let Some(verdict) = verdict.filter(|_| recorded == Recorded::Now) {
                writes::record(session, verdict, now)?;
            }
            Ok(recorded)
        })
    }

    fn is_full(&self) -> bool {
        self.lacks_space()
    }

    fn store_contents(&self, contents: &[&[u8]]) -> Result<Vec<Hash>, StoreError> {
        self.write(|session| contents.iter().map(|content| writes::add_content(session, content)).collect())
    }
}

/// The columns that [`state`] reads.
const STATE: &str = "id, driver, expires, begun, spent, ending, ended, recheck";

fn state(row: &mut Row) -> Result<RoundState, StoreError> {
    Ok(RoundState {
        round: RoundId(row.int()?),
        driver: row.optional_text()?,
        expires: row.optional_int()?.map(Timestamp),
        begun: Timestamp(row.int()?),
        spent: Duration::from_millis(row.int()?),
        ending: row.optional_int::<i64>()?.is_some(),
        ended: row.optional_int::<i64>()?.is_some(),
        recheck: row.real()?,
    })
}
