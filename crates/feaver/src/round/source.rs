//! Where a worker gets its jobs from, and returns its results to.
//!
//! The contract of a worker with the queue, small enough for an interface over HTTP: a worker leases a
//! job, fetches its inputs by hash, sends a heartbeat each second, and completes, fails or releases the
//! job. Everything that follows from a result (the verdict, the next cycle, the second phase) is decided
//! by the receiver, which does not have to trust the worker for it.
//!
//! *Entry point:* [`WorkSource`], implemented over a database by [`crate::round::local::StoreSource`].
//! *Invariant:* a request with a lease that has ended changes nothing and is answered by
//! [`WorkError::Ended`]. Every request can be repeated.

use std::time::Duration;

use axle_search::Progress;
use serde::{Deserialize, Serialize};

use crate::execute::Outcome;
use crate::jobs::job::Lease;
use crate::jobs::task::Task;
use crate::results::key::Hash;
use crate::round::payload::Payload;

/// A leased job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The lease: job and attempt.
    pub lease: Lease,
    /// Milliseconds after the last heartbeat at which the lease expires.
    pub expires_after: u64,
    /// The cycle or second phase of a run.
    pub task: Task,
    /// The run.
    pub payload: Payload,
}

/// A report on a job in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// The progress of the search; none while the run is prepared.
    pub progress: Option<Progress>,
    /// Seconds since the start of the job.
    pub seconds: f64,
}

/// Answer to a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// The job goes on.
    Continue,
    /// The round ends: end the search now and complete the job with what it has covered.
    Finish,
}

/// Why a request was not executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The lease has ended: the job was cancelled, or another worker repeats it. Its result is of no
    /// use.
    #[error("{0}")]
    Ended(String),
    /// The queue cannot be reached at present. The request can be repeated.
    #[error("{0}")]
    Unavailable(String),
    /// The request is refused for good: the worker has to end.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for WorkError {
    fn from(reason: String) -> WorkError {
        WorkError::Refused(reason)
    }
}

/// A queue of jobs as a worker sees it.
pub trait WorkSource: Send + Sync {
    /// Leases a job for the worker with this name. Waits for one, at most for about `wait`.
    fn lease(&self, worker: &str, wait: Duration) -> Result<Option<Work>, WorkError>;

    /// Renews a lease and reports progress. Sent once a second.
    fn heartbeat(&self, lease: Lease, beat: &Beat) -> Result<Advice, WorkError>;

    /// Returns the result of a job.
    fn complete(&self, lease: Lease, outcome: &Outcome) -> Result<(), WorkError>;

    /// Ends an attempt with an error. The job is repeated, up to a number of failures.
    fn fail(&self, lease: Lease, reason: &str) -> Result<(), WorkError>;

    /// Returns a job to the queue without a failure, because the worker ends.
    fn release(&self, lease: Lease) -> Result<(), WorkError>;

    /// The content with this hash. The worker verifies the hash.
    fn input(&self, hash: Hash) -> Result<Vec<u8>, WorkError>;
}
