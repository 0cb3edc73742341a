//! The job queue in SQL, the same for both databases.
//!
//! *Entry point:* [`Store`], which implements [`JobStore`].
//! *Source:* the pattern of `SELECT ... FOR UPDATE SKIP LOCKED`, PostgreSQL manual, "The Locking
//! Clause". SQLite has one writer at a time and needs no clause.
//! *Invariant:* every change of a state checks the previous state in the same transaction and adds
//! one event.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::jobs::error::{Refusal, StoreError};
use crate::jobs::job::{
    Completion, Counts, Event, EventId, Job, JobId, JobState, Lease, LeaseRequest, Leased, NewJob, Recorded,
    RoundId, Selection, Timestamp,
};
use crate::jobs::sql::{Access, Connection, Doorbell, Session};
use crate::jobs::store::JobStore;

mod cancellation;
mod events;
mod leases;
mod rows;

pub(crate) use cancellation::cancel_waiting;
pub(crate) use events::changes;
pub(crate) use leases::complete;
pub(crate) use rows::jobs;

/// Longest wait of one thread at the doorbell while others may want to wait, too.
const SLICE: Duration = Duration::from_millis(500);

/// Bytes that a database with space has room for.
const PROBE: usize = 64 << 10;

/// A job queue and a history in one database.
pub struct Store<C, D> {
    connection: Mutex<C>,
    /// Whether the last write found no space.
    full: AtomicBool,
    // Apart from the connection, so that waiting for events blocks no request.
    doorbell: Mutex<D>,
}

impl<C: Connection, D: Doorbell> Store<C, D> {
    pub(crate) fn new(connection: C, doorbell: D) -> Self {
        Self {
            connection: Mutex::new(connection),
            full: AtomicBool::new(false),
            doorbell: Mutex::new(doorbell),
        }
    }

    pub(crate) fn write<T>(
        &self,
        body: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let written = lock(&self.connection).transaction(Access::Write, body);
        match &written {
            Ok(_) => self.full.store(false, Ordering::Relaxed),
            Err(StoreError::Full(_)) => self.full.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
        written
    }

    /// Whether there is no space for a write.
    pub(crate) fn lacks_space(&self) -> bool {
        if self.full.load(Ordering::Relaxed) {
            // Space may have been freed: a write that leaves nothing behind shows it, and sets the flag.
            let bytes = [1; PROBE];
            let _ = self.write(|session| {
                let insert = "INSERT INTO content (hash, bytes) VALUES ('probe', $1)";
                session.rows(insert, &[bytes.as_slice().into()])?;
                session.rows("DELETE FROM content WHERE hash = 'probe'", &[]).map(drop)
            });
        }
        self.full.load(Ordering::Relaxed) || !lock(&self.connection).has_space()
    }

    pub(crate) fn read<T>(
        &self,
        body: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        lock(&self.connection).transaction(Access::Read, body)
    }
}

/// A panic of another thread ended its transaction by a rollback, so the connection is usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<C: Connection, D: Doorbell> JobStore for Store<C, D> {
    fn submit(&self, jobs: &[NewJob], now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        self.write(|session| jobs.iter().map(|job| submit(session, job, now)).collect())
    }

    fn lease(&self, request: &LeaseRequest, now: Timestamp) -> Result<Vec<Leased>, StoreError> {
        self.write(|session| leases::lease(session, request, now))
    }

    fn heartbeat(
        &self,
        lease: Lease,
        progress: Option<&[u8]>,
        now: Timestamp,
    ) -> Result<Timestamp, StoreError> {
        self.write(|session| leases::heartbeat(session, lease, progress, now))
    }

    fn complete(
        &self,
        lease: Lease,
        completion: &Completion,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        self.write(|session| leases::complete(session, lease, completion, now))
    }

    fn fail(&self, lease: Lease, reason: &str, now: Timestamp) -> Result<JobState, StoreError> {
        self.write(|session| leases::fail(session, lease, reason, now))
    }

    fn release(&self, lease: Lease, now: Timestamp) -> Result<(), StoreError> {
        self.write(|session| leases::release(session, lease, now))
    }

    fn cancel(&self, selection: &Selection, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        self.write(|session| cancellation::cancel(session, selection, now))
    }

    fn expire(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        self.write(|session| leases::expire(session, now))
    }

    fn changes(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.read(|session| events::changes(session, None, after, limit))
    }

    fn watch(&self, after: EventId, timeout: Duration) -> Result<bool, StoreError> {
        let begin = Instant::now();
        loop {
            let mut doorbell = lock(&self.doorbell);
            doorbell.arm()?;
            let rest = timeout.saturating_sub(begin.elapsed());
            let pending = self.read(|session| events::exists(session, after))?;
            if pending || rest.is_zero() {
                return Ok(pending);
            }
            doorbell.wait(rest.min(SLICE))?;
        }
    }

    fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let sql = format!("SELECT {} FROM job WHERE id = $1", rows::JOB);
        self.read(|session| session.rows(&sql, &[id.0.into()])?.first_mut().map(rows::job).transpose())
    }

    fn counts(&self, round: Option<RoundId>) -> Result<Counts, StoreError> {
        self.read(|session| counts(session, round))
    }
}

/// Adds a job, or finds the one with the same round and key.
fn submit(session: &mut dyn Session, job: &NewJob, now: Timestamp) -> Result<JobId, StoreError> {
    if job.max_failures == 0 {
        return Err(StoreError::Invalid("`max_failures` of a job is at least 1".to_owned()));
    }
    let insert = "INSERT INTO job
        (round, key, cycle, weight, number, max_failures, payload, avoid, state, attempt, failures)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', 0, 0)
        ON CONFLICT (round, key) DO NOTHING RETURNING id";
    let parameters = [
        job.round.0.into(),
        job.key.as_str().into(),
        u32::from(job.priority.cycle).into(),
        job.priority.weight.into(),
        job.priority.number.into(),
        job.max_failures.into(),
        job.payload.as_slice().into(),
        job.avoid.as_deref().into(),
    ];
    if let Some(row) = session.rows(insert, &parameters)?.first_mut() {
        let id = JobId(row.int()?);
        events::add(session, id, job.round, JobState::Waiting, 0, now, "")?;
        return Ok(id);
    }
    let find = "SELECT id FROM job WHERE round = $1 AND key = $2";
    match session.rows(find, &[job.round.0.into(), job.key.as_str().into()])?.first_mut() {
        Some(row) => Ok(JobId(row.int()?)),
        None => Err(StoreError::unexpected("the keys of jobs")),
    }
}

fn counts(session: &mut dyn Session, round: Option<RoundId>) -> Result<Counts, StoreError> {
    let mut rows = match round {
        Some(round) => session
            .rows("SELECT state, count(*) FROM job WHERE round = $1 GROUP BY state", &[round.0.into()])?,
        None => session.rows("SELECT state, count(*) FROM job GROUP BY state", &[])?,
    };
    let mut counts = Counts::default();
    for row in &mut rows {
        let (state, number) = (rows::state(row)?, row.int()?);
        match state {
            JobState::Waiting => counts.waiting = number,
            JobState::Leased => counts.leased = number,
            JobState::Completed => counts.completed = number,
            JobState::Cancelled => counts.cancelled = number,
            JobState::Failed => counts.failed = number,
        }
    }
    Ok(counts)
}

/// The error for a lease that does not match its job.
fn refusal(lease: Lease, state: JobState, current: u32) -> StoreError {
    let Lease { job, attempt } = lease;
    match state {
        JobState::Cancelled => Refusal::Cancelled(job).into(),
        _ => Refusal::LeaseEnded { job, attempt, state, current }.into(),
    }
}
