//! Jobs from a database: the queue as the workers of this machine see it, and as a server offers it to
//! others.
//!
//! *Entry point:* [`StoreSource`].
//! *Invariant:* a result, the verdict of its run and the next job are stored in one transaction.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::execute::Outcome;
use crate::jobs::error::{Refusal, StoreError};
use crate::jobs::job::{Lease, LeaseRequest, RoundId, Timestamp};
use crate::jobs::task::Task;
use crate::results::database::Database;
use crate::results::key::Hash;
use crate::round::follow_up::follow_up;
use crate::round::payload::Payload;
use crate::round::source::{Advice, Beat, Work, WorkError, WorkSource};

/// Time after the last heartbeat at which a lease expires.
pub const LEASE: Duration = Duration::from_secs(10);

/// Time between two looks at an empty queue.
const POLL: Duration = Duration::from_millis(100);

/// A queue in a database.
pub struct StoreSource {
    database: Arc<dyn Database>,
    round: Option<RoundId>,
    lease: Duration,
}

impl StoreSource {
    /// The jobs of a round, or of all rounds.
    #[must_use]
    pub fn new(database: Arc<dyn Database>, round: Option<RoundId>, lease: Duration) -> StoreSource {
        StoreSource { database, round, lease }
    }

    fn try_lease(&self, worker: &str) -> Result<Option<Work>, WorkError> {
        let request =
            LeaseRequest { worker: worker.to_string(), count: 1, duration: self.lease, round: self.round };
        let Some(leased) = self.database.lease(&request, now()).map_err(told)?.pop() else {
            return Ok(None);
        };
        let task = Task::parse(&leased.job.key).ok_or_else(|| format!("`{}` is no job", leased.job.key));
        match task.and_then(|task| Ok((task, Payload::read(&leased.job.payload)?))) {
            Ok((task, payload)) => {
                let expires_after = u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX);
                Ok(Some(Work { lease: leased.lease, expires_after, task, payload }))
            }
            Err(fault) => {
                self.database.fail(leased.lease, &fault, now()).map_err(told)?;
                Ok(None)
            }
        }
    }
}

impl WorkSource for StoreSource {
    fn lease(&self, worker: &str, wait: Duration) -> Result<Option<Work>, WorkError> {
        let begin = Instant::now();
        loop {
            let work = self.try_lease(worker)?;
            let rest = wait.saturating_sub(begin.elapsed());
            if work.is_some() || rest.is_zero() {
                return Ok(work);
            }
            std::thread::sleep(rest.min(POLL));
        }
    }

    fn heartbeat(&self, lease: Lease, beat: &Beat) -> Result<Advice, WorkError> {
        let progress = serde_json::to_vec(beat).map_err(|fault| fault.to_string())?;
        self.database.heartbeat(lease, Some(&progress), now()).map_err(told)?;
        let round = match self.round {
            Some(round) => Some(round),
            None => self.database.job(lease.job).map_err(told)?.map(|job| job.submitted.round),
        };
        let Some(round) = round else { return Ok(Advice::Continue) };
        let state = self.database.round_state(round).map_err(told)?;
        let is_over = state.is_some_and(|state| state.ending || state.ended);
        Ok(if is_over { Advice::Finish } else { Advice::Continue })
    }

    fn complete(&self, lease: Lease, outcome: &Outcome) -> Result<(), WorkError> {
        let job = self.database.job(lease.job).map_err(told)?;
        let job = job.ok_or_else(|| told(Refusal::NoSuchJob(lease.job).into()))?;
        let follow = follow_up(&job.submitted, outcome).map_err(told)?;
        let stored = self.database.finish_job(lease, &follow.completion, follow.verdict.as_ref(), now());
        stored.map(drop).map_err(told)
    }

    fn fail(&self, lease: Lease, reason: &str) -> Result<(), WorkError> {
        self.database.fail(lease, reason, now()).map(drop).map_err(told)
    }

    fn release(&self, lease: Lease) -> Result<(), WorkError> {
        self.database.release(lease, now()).map_err(told)
    }

    fn input(&self, hash: Hash) -> Result<Vec<u8>, WorkError> {
        let content = self.database.content(hash).map_err(told)?;
        content.ok_or_else(|| WorkError::Refused(format!("the content {hash} is not in the database")))
    }
}

fn now() -> Timestamp {
    SystemTime::now().into()
}

/// The error of a worker for one of the database.
fn told(fault: StoreError) -> WorkError {
    let message = fault.to_string();
    match fault {
        StoreError::Refused(_) => WorkError::Ended(message),
        fault if fault.is_transient() => WorkError::Unavailable(message),
        _ => WorkError::Refused(message),
    }
}
