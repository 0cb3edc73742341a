//! Jobs, leases and events as plain data.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use crate::jobs::id::milliseconds;
pub use crate::jobs::id::{EventId, JobId, RoundId, Timestamp};

/// The rank of a job in the queue: smaller cycles first, then larger weights, then smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority {
    /// The cycle whose jobs this one is ordered with.
    pub cycle: u8,
    /// The risk weight of the property.
    pub weight: u32,
    /// The number of the run within its round.
    pub number: u32,
}

impl Ord for Priority {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |it: &Self| (it.cycle, std::cmp::Reverse(it.weight), it.number);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Priority {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A job to submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// The round that the job belongs to.
    pub round: RoundId,
    /// Identifies the job within its round. A second submission with this key adds no job.
    pub key: String,
    /// The rank in the queue.
    pub priority: Priority,
    /// Number of attempts that may fail or expire before the job fails. At least 1.
    pub max_failures: u32,
    /// The description of the work, not interpreted here.
    pub payload: Vec<u8>,
    /// The token whose workers do not get the job: it decides a verdict of theirs again.
    pub avoid: Option<String>,
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobState {
    /// Ready to be leased.
    Waiting,
    /// Leased by a worker.
    Leased,
    /// Completed with a result. Final.
    Completed,
    /// Cancelled before a result. Final.
    Cancelled,
    /// Abandoned after too many failed or expired attempts. Final.
    Failed,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Leased, Self::Completed, Self::Cancelled, Self::Failed];

    /// The name in the database and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Leased => "leased",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// Whether the state is final.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Failed)
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl fmt::Display for JobState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The right to work on a job. It ends by completion, failure, release, cancellation or expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// Number of the attempt, from 1. A lease of an older attempt is refused.
    pub attempt: u32,
}

/// What a worker asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseRequest {
    /// Name of the worker, for display.
    pub worker: String,
    /// Largest number of jobs.
    pub count: u32,
    /// Time after the last heartbeat at which a lease expires.
    pub duration: Duration,
    /// Restricts the request to one round.
    pub round: Option<RoundId>,
    /// The token of a worker that asks through a server.
    pub token: Option<String>,
}

/// A leased job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leased {
    /// The lease, required for heartbeats and for the completion.
    pub lease: Lease,
    /// The job as it was submitted.
    pub job: NewJob,
    /// When the lease expires without a heartbeat.
    pub expires: Timestamp,
}

/// The result of a job and the jobs that follow from it, stored in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The result, not interpreted here.
    pub result: Vec<u8>,
    /// Jobs that exist if and only if the result is stored.
    pub follow_ups: Vec<NewJob>,
}

/// Answer to a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The result is stored.
    Now,
    /// An earlier request with the same lease stored it; this one is a repetition.
    Before,
}

/// The jobs that a cancellation applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// These jobs.
    Jobs(Vec<JobId>),
    /// All jobs of a round.
    Round(RoundId),
    /// All jobs of one run of a round ([`Priority::number`]).
    Run(RoundId, u32),
}

/// A job as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The id.
    pub id: JobId,
    /// The job as it was submitted.
    pub submitted: NewJob,
    /// Its state.
    pub state: JobState,
    /// Number of leases so far.
    pub attempt: u32,
    /// Number of attempts that failed or expired.
    pub failures: u32,
    /// The worker of the latest lease.
    pub worker: Option<String>,
    /// The token of that worker, if it works through a server.
    pub token: Option<String>,
    /// The hash of the result as the worker sent it.
    pub claim: Option<String>,
    /// When the lease expires, if the job is leased.
    pub expires: Option<Timestamp>,
    /// The latest progress that a heartbeat reported.
    pub progress: Option<Vec<u8>>,
    /// The result, if the job is completed.
    pub result: Option<Vec<u8>>,
    /// Reason of the latest failure.
    pub reason: Option<String>,
}

/// A change of the state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The id.
    pub id: EventId,
    /// The job.
    pub job: JobId,
    /// The round of the job.
    pub round: RoundId,
    /// The state after the change.
    pub state: JobState,
    /// Number of leases before or at the change.
    pub attempt: u32,
    /// The time that the caller gave.
    pub at: Timestamp,
    /// Worker of a lease, or reason of a failure, expiry or release. Otherwise empty.
    pub detail: String,
}

/// Number of jobs in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Jobs ready to be leased.
    pub waiting: u64,
    /// Leased jobs.
    pub leased: u64,
    /// Completed jobs.
    pub completed: u64,
    /// Cancelled jobs.
    pub cancelled: u64,
    /// Failed jobs.
    pub failed: u64,
}

impl Counts {
    /// Jobs without a final state.
    pub fn open(&self) -> u64 {
        self.waiting + self.leased
    }
}
