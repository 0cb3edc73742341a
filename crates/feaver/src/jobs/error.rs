//! Errors of the store: each has a message that states the problem and the next step.

use crate::jobs::job::{JobId, JobState};

/// Why a request was not executed. The database is unchanged, except as stated at
/// [`StoreError::Disconnected`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The lease is no longer valid, or the job has another state.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another connection held a lock for longer than the timeout.
    #[error("database locked: {0}; repeat the request, or end the other process that uses the database")]
    Locked(String),
    /// No space is left for the database.
    #[error("no space left for the database: {0}; free disk space and repeat the request")]
    Full(String),
    /// There is no connection, or it was lost. If that happened during the commit, the change may be stored: every
    /// request of [`crate::jobs::store::JobStore`] can be repeated.
    #[error("no connection to the database: {0}; repeat the request to reconnect")]
    Disconnected(String),
    /// The database cannot be opened, or may not be written.
    #[error("cannot access the database: {0}")]
    Access(String),
    /// The content of the database is damaged.
    #[error("database damaged: {0}; restore a backup, or delete the file to lose the history only")]
    Damaged(String),
    /// A later version of Axle created the database.
    #[error(
        "database schema {found} is newer than {supported}, the newest that this version of Axle supports; update Axle"
    )]
    NewerSchema {
        /// The schema of the database.
        found: u32,
        /// The newest schema that this program supports.
        supported: u32,
    },
    /// A value of the request is out of its range.
    #[error("invalid request: {0}")]
    Invalid(String),
    /// Any other error of the database.
    #[error("database error: {0}")]
    Other(String),
}

impl StoreError {
    /// Whether the same request may succeed later without a change of the caller.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Locked(_) | Self::Full(_) | Self::Disconnected(_))
    }

    /// A stored value that this program did not write.
    pub(crate) fn unexpected(what: &str) -> Self {
        Self::Damaged(format!("unexpected value in {what}"))
    }
}

/// Why a request of a worker was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No such job exists.
    #[error("job {0} does not exist")]
    NoSuchJob(JobId),
    /// The lease expired or was given up, and a later attempt may exist.
    #[error("the lease of job {job} (attempt {attempt}) has ended: the job is {state} at attempt {current}")]
    LeaseEnded {
        /// The job.
        job: JobId,
        /// The attempt of the refused lease.
        attempt: u32,
        /// The state of the job.
        state: JobState,
        /// The latest attempt of the job.
        current: u32,
    },
    /// The attempt has completed the job with another result, which stays.
    #[error("job {job} was completed by attempt {attempt} with another result")]
    OtherResult {
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: u32,
    },
    /// Another token holds the lease.
    #[error("the lease of job {0} belongs to another token")]
    OtherToken(JobId),
    /// The job was cancelled; the worker can stop.
    #[error("job {0} was cancelled")]
    Cancelled(JobId),
}
