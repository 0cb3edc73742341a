//! Jobs from a database: the queue as the workers of this machine see it, and as a server offers it to
//! others.
//!
//! *Entry point:* [`StoreSource`].
//! *Invariant:* a result, the verdict of its run and the next job are stored in one transaction.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axle_evidence::report::Verdict;

use crate::execute::Outcome;
use crate::jobs::error::{Refusal, StoreError};
use crate::jobs::job::{Job, JobState, Lease, LeaseRequest, RoundId, Timestamp};
use crate::jobs::task::{Step, Task};
use crate::results::database::Database;
use crate::results::key::Hash;
use crate::results::verdict::Machine;
use crate::round::follow_up::follow_up;
use crate::round::payload::Payload;
use crate::round::recheck::{contradiction, is_due};
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
    /// The token of the worker, and a random number from 0 to 1, if the worker works through a server.
    remote: Option<(String, f64)>,
}

/// A result that was received and is not stored yet.
pub struct Received {
    job: Job,
    claim: Hash,
}

impl Received {
    /// The job.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }
}

impl StoreSource {
    /// The jobs of a round, or of all rounds.
    #[must_use]
    pub fn new(database: Arc<dyn Database>, round: Option<RoundId>, lease: Duration) -> StoreSource {
        StoreSource { database, round, lease, remote: None }
    }

    /// The same queue for the worker behind a token of a server: it completes only jobs that it has leased.
    /// `drawn` is a random number from 0 to 1, which selects the verdicts that are decided again.
    #[must_use]
    pub fn behind(self, token: &str, drawn: f64) -> StoreSource {
        StoreSource { remote: Some((token.to_string(), drawn)), ..self }
    }

    /// The job of a lease, which must be one of the token.
    fn held(&self, lease: Lease) -> Result<Job, WorkError> {
        let job = self.database.job(lease.job).map_err(told)?;
        let job = job.ok_or_else(|| told(Refusal::NoSuchJob(lease.job).into()))?;
        let is_own = self.remote.as_ref().is_none_or(|(token, _)| job.token.as_ref() == Some(token));
        match is_own || job.attempt != lease.attempt {
            true => Ok(job),
            false => Err(told(Refusal::OtherToken(lease.job).into())),
        }
    }

    /// Checks a result before it is stored; none if an earlier request has stored it.
    ///
    /// # Errors
    /// The lease has ended, the result is not one of the job, or another one is stored.
    pub fn receive(&self, lease: Lease, outcome: &Outcome) -> Result<Option<Received>, WorkError> {
        let job = self.held(lease)?;
        let claim = Hash::of(&serde_json::to_vec(outcome).map_err(|fault| fault.to_string())?);
        if job.state == JobState::Completed && job.attempt == lease.attempt {
            let same = job.claim.as_ref().is_none_or(|known| *known == claim.to_string());
            let other = Refusal::OtherResult { job: lease.job, attempt: lease.attempt };
            return if same { Ok(None) } else { Err(told(other.into())) };
        }
        if job.state != JobState::Leased || job.attempt != lease.attempt {
            let Lease { job: id, attempt } = lease;
            let ended = Refusal::LeaseEnded { job: id, attempt, state: job.state, current: job.attempt };
            return Err(told(ended.into()));
        }
        if self.remote.is_some() {
            plausible(outcome)?;
        }
        follow_up(&job.submitted, outcome, None).map_err(told)?;
        Ok(Some(Received { job, claim }))
    }

    /// Stores a result that was received, in the form that the receiver believes, and what follows from it.
    ///
    /// # Errors
    /// The lease has ended meanwhile, or the database fails.
    pub fn store(&self, lease: Lease, received: &Received, outcome: &Outcome) -> Result<(), WorkError> {
        let Received { job, claim } = received;
        let machine = job.worker.clone().map(|name| Machine { name, token: job.token.clone() });
        let outcome = Outcome { machine, disagreement: None, ..outcome.clone() };
        let recheck = match &self.remote {
            Some((token, drawn)) => {
                let state = self.database.round_state(job.submitted.round).map_err(told)?;
                let fraction = state.map_or(0.0, |state| state.recheck);
                is_due(&outcome, fraction, *drawn).then_some(token.as_str())
            }
            None => None,
        };
        let follow = follow_up(&job.submitted, &outcome, recheck).map_err(told)?;
        let is_recheck =
            Task::parse(&job.submitted.key).is_some_and(|task| matches!(task.step, Step::Recheck { .. }));
        let verdict = match is_recheck {
            true => contradiction(&*self.database, &job.submitted, &outcome).map_err(told)?,
            false => follow.verdict,
        };
        let completion = (&follow.completion, *claim);
        let stored = self.database.finish_job(lease, completion, verdict.as_ref(), now());
        stored.map(drop).map_err(told)
    }

    fn try_lease(&self, worker: &str) -> Result<Option<Work>, WorkError> {
        let request = LeaseRequest {
            worker: worker.to_string(),
            count: 1,
            duration: self.lease,
            round: self.round,
            token: self.remote.as_ref().map(|(token, _)| token.clone()),
        };
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
        self.held(lease)?;
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
        match self.receive(lease, outcome)? {
            Some(received) => self.store(lease, &received, outcome),
            None => Ok(()),
        }
    }

    fn fail(&self, lease: Lease, reason: &str) -> Result<(), WorkError> {
        self.held(lease)?;
        self.database.fail(lease, reason, now()).map(drop).map_err(told)
    }

    fn release(&self, lease: Lease) -> Result<(), WorkError> {
        self.held(lease)?;
        self.database.release(lease, now()).map_err(told)
    }

    fn input(&self, hash: Hash) -> Result<Vec<u8>, WorkError> {
        let content = self.database.content(hash).map_err(told)?;
        content.ok_or_else(|| WorkError::Refused(format!("the content {hash} is not in the database")))
    }
}

/// Refuses figures that no search has, and what only the receiver may say.
fn plausible(outcome: &Outcome) -> Result<(), WorkError> {
    let coverage = &outcome.coverage;
    let is_part = |[all, seen]: [u64; 2]| seen <= all;
    let is_figure = outcome.seconds.is_finite() && outcome.seconds >= 0.0;
    let is_covered = coverage.states.is_none_or(|states| (0.0..=1.0).contains(&states))
        && is_part(coverage.automaton_states)
        && is_part(coverage.automaton_transitions);
    // A certificate belongs to a proof, and engines that disagree leave no verdict.
    let is_certified =
        outcome.certificate.as_ref().is_none_or(|found| outcome.verdict == Verdict::Holds && found.is_kept());
    let is_consistent = outcome.conflict.is_none() || outcome.internal.is_some();
    match is_figure
        && is_covered
        && is_certified
        && is_consistent
        && !outcome.failed
        && outcome.disagreement.is_none()
    {
        true => Ok(()),
        false => Err(WorkError::Refused("the result has figures that no search has".to_string())),
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
