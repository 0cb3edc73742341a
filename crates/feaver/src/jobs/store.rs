//! The contract of a job queue with leases.
//!
//! A worker leases a job, renews the lease by heartbeats, and completes the job with a result and
//! follow-up jobs. A lease that is not renewed expires, and the job is leased again under the next
//! attempt number. The attempt number is a fencing token: a request with an older one is refused.
//!
//! *Entry point:* [`JobStore`].
//! *Source:* C. G. Gray and D. R. Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for
//! Distributed File Cache Consistency", SOSP 1989.
//! *Invariant:* each job has at most one valid lease, and at most one result. The result and its
//! follow-up jobs are stored together or not at all. No transition leads out of a final state.
//! Clocks influence only when a lease expires: a clock that is wrong repeats work at worst.

use std::time::Duration;

use crate::jobs::error::StoreError;
use crate::jobs::job::{
    Completion, Counts, Event, EventId, Job, JobId, JobState, Lease, LeaseRequest, Leased, NewJob, Recorded,
    RoundId, Selection, Timestamp,
};

/// A queue of jobs. Each request is one transaction and can be repeated after any error.
pub trait JobStore: Send + Sync {
    /// Adds jobs and returns their ids in the same order. A job whose round and key exist already is
    /// not added again; its id is returned.
    fn submit(&self, jobs: &[NewJob], now: Timestamp) -> Result<Vec<JobId>, StoreError>;

    /// Leases up to `request.count` waiting jobs in the order of [`crate::jobs::job::Priority`], then
    /// by id. Expired leases are collected first ([`JobStore::expire`]).
    fn lease(&self, request: &LeaseRequest, now: Timestamp) -> Result<Vec<Leased>, StoreError>;

    /// Extends a lease by its duration and returns when it expires. A progress report replaces the
    /// previous one.
    fn heartbeat(
        &self,
        lease: Lease,
        progress: Option<&[u8]>,
        now: Timestamp,
    ) -> Result<Timestamp, StoreError>;

    /// Stores a result and its follow-up jobs. A lease past its time is valid until it is collected,
    /// so that a late heartbeat does not discard hours of work.
    fn complete(&self, lease: Lease, completion: &Completion, now: Timestamp)
    -> Result<Recorded, StoreError>;

    /// Ends an attempt with an error. The job waits for the next attempt, or fails after
    /// [`NewJob::max_failures`] attempts. Returns its state.
    fn fail(&self, lease: Lease, reason: &str, now: Timestamp) -> Result<JobState, StoreError>;

    /// Returns a job to the queue without a failure, for example if the worker shuts down.
    fn release(&self, lease: Lease, now: Timestamp) -> Result<(), StoreError>;

    /// Cancels all selected jobs without a final state and returns their ids. Heartbeats of their
    /// workers are refused from now on.
    fn cancel(&self, selection: &Selection, now: Timestamp) -> Result<Vec<JobId>, StoreError>;

    /// Collects expired leases and returns their jobs, which wait again or have failed.
    ///
    /// A renewal later than `now` shows that the clock was set back. Such a lease is renewed at
    /// `now`, so that it expires after its duration and not after the time that was set back.
    fn expire(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError>;

    /// The events after `after`, in the order of their ids and at most `limit`. No event with a
    /// smaller id than a returned one becomes visible later.
    fn changes(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError>;

    /// Waits until there is an event after `after`, at most for `timeout`. Returns whether there is.
    fn watch(&self, after: EventId, timeout: Duration) -> Result<bool, StoreError>;

    /// The job with this id.
    fn job(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Number of jobs of a round, or of all, by state.
    fn counts(&self, round: Option<RoundId>) -> Result<Counts, StoreError>;
}
