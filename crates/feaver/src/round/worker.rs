//! The loop of a worker: lease a job, execute it, send a heartbeat each second, and return the result.
//!
//! The job runs in the calling thread; a second thread sends the heartbeats and watches the limits. A
//! search ends by itself on request. A job that ignores this (an endless preparation), or a
//! process with too much memory, cannot be ended from within: [`Surroundings::abandon`] then ends the
//! process, after the attempt was reported as failed.
//!
//! *Entry point:* [`work`].
//! *Invariant:* a job that was leased is completed, failed or released, or its lease expires. A result
//! is returned only under its own lease, so that a worker that was frozen changes nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axle_check::Verdict;
use axle_outcome::Reason;
use axle_search::Progress;

use crate::execute::{Control, EXACT, Outcome, time_of};
use crate::jobs::task::Step;
use crate::round::source::{Advice, Beat, Work, WorkError, WorkSource};

/// Time between two heartbeats; of short leases, a quarter.
const BEAT: Duration = Duration::from_secs(1);

/// Time between two looks at the limits.
const LOOK: Duration = Duration::from_millis(100);

/// Longest time of the second phase.
pub const SECOND_PHASE: Duration = Duration::from_secs(30);

/// Time beyond the limit of a search for preparation, replay and the report.
const SLACK: Duration = Duration::from_secs(120);

/// Time that a job has to end on request.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a worker behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the worker, for display. Workers of one round have different names.
    pub name: String,
    /// Time for which an empty queue is waited for at once.
    pub wait: Duration,
    /// Time after which a queue that cannot be reached ends the worker.
    pub patience: Duration,
}

/// What a worker needs of its process.
pub trait Surroundings: Sync {
    /// Whether the worker is to end. Its job is released.
    fn is_stopped(&self) -> bool;

    /// The reason why the process may not go on, for example that it exceeds its limit on memory.
    fn exhausted(&self) -> Option<String>;

    /// Ends the process, because its job does not end.
    fn abandon(&self, reason: &str);

    /// The queue does not answer: called for each request that failed. The worker ends `patience` after the
    /// first one.
    fn unreachable(&self, _fault: &str, _patience: Duration) {}

    /// The queue has answered.
    fn reachable(&self) {}
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Another worker may execute it: this one has another build of Axle.
    Unsuitable(String),
    /// The attempt failed.
    Failed(String),
    /// The inputs could not be fetched.
    Source(WorkError),
}

/// Executes jobs.
pub trait Executor {
    /// Executes a job. Its inputs are fetched from the source.
    fn execute(
        &mut self,
        work: &Work,
        source: &dyn WorkSource,
        control: &mut Control,
    ) -> Result<Outcome, Failure>;
}

/// Executes jobs until the worker is stopped. Returns the number of results.
///
/// # Errors
/// The queue refuses the worker, or cannot be reached for longer than [`Settings::patience`].
pub fn work(
    source: &dyn WorkSource,
    executor: &mut dyn Executor,
    settings: &Settings,
    surroundings: &dyn Surroundings,
) -> Result<u64, WorkError> {
    let mut results = 0;
    let mut reached = Instant::now();
    while !surroundings.is_stopped() {
        match source.lease(&settings.name, settings.wait) {
            Ok(leased) => {
                reached = Instant::now();
                surroundings.reachable();
                if let Some(work) = leased {
                    results += u64::from(job(source, executor, settings, surroundings, &work)?);
                    reached = Instant::now();
                }
            }
            Err(WorkError::Unavailable(fault)) if reached.elapsed() < settings.patience => {
                surroundings.unreachable(&fault, settings.patience);
                std::thread::sleep(LOOK);
            }
            Err(WorkError::Ended(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(results)
}

/// What the two threads of a job share.
#[derive(Default)]
struct Shared {
    /// The search is to end.
    cancelled: AtomicBool,
    /// The round ends: the result counts.
    finishes: AtomicBool,
    /// The lease has ended: the result is of no use.
    lost: AtomicBool,
    progress: Mutex<Option<Progress>>,
    done: Mutex<bool>,
    rings: Condvar,
}

/// Executes a job. Returns whether its result was stored.
fn job(
    source: &dyn WorkSource,
    executor: &mut dyn Executor,
    settings: &Settings,
    surroundings: &dyn Surroundings,
    work: &Work,
) -> Result<bool, WorkError> {
    let shared = Arc::new(Shared::default());
    let start = Instant::now();
    let (own, flag) = (Arc::clone(&shared), Arc::clone(&shared));
    let mut control = Control {
        elapsed: Arc::new(move || start.elapsed()),
        cancelled: Arc::new(move || flag.cancelled.load(Ordering::Relaxed)),
        progress: Box::new(move |progress| {
            *own.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
        }),
    };
    let executed = std::thread::scope(|scope| {
        scope.spawn(|| beat(source, surroundings, work, &shared, start));
        let executed = executor.execute(work, source, &mut control);
        *shared.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        shared.rings.notify_all();
        executed
    });
    if shared.lost.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let lease = work.lease;
    let patience = (surroundings, settings.patience);
    if surroundings.is_stopped() {
        return stored(|| source.release(lease), patience).map(|_| false);
    }
    match executed {
        Ok(outcome) => {
            let outcome = match shared.finishes.load(Ordering::Relaxed) {
                true => interrupted(outcome),
                false => outcome,
            };
            stored(|| source.complete(lease, &outcome), patience)
        }
        Err(Failure::Failed(reason)) => stored(|| source.fail(lease, &reason), patience).map(|_| false),
        Err(Failure::Unsuitable(reason)) => {
            stored(|| source.release(lease), patience)?;
            Err(WorkError::Refused(reason))
        }
        Err(Failure::Source(WorkError::Unavailable(_))) => {
            stored(|| source.release(lease), patience).map(|_| false)
        }
        Err(Failure::Source(fault)) => Err(fault),
    }
}

/// Repeats a request until it is answered. Returns whether it was accepted: it is not if the lease has
/// ended.
fn stored(
    mut request: impl FnMut() -> Result<(), WorkError>,
    (surroundings, patience): (&dyn Surroundings, Duration),
) -> Result<bool, WorkError> {
    let begin = Instant::now();
    loop {
        match request() {
            Ok(()) => {
                surroundings.reachable();
                return Ok(true);
            }
            Err(WorkError::Ended(_)) => return Ok(false),
            Err(WorkError::Unavailable(fault)) if begin.elapsed() < patience => {
                surroundings.unreachable(&fault, patience);
                std::thread::sleep(LOOK);
            }
            Err(fault) => return Err(fault),
        }
    }
}

/// A result that was cut short by the end of the round.
fn interrupted(outcome: Outcome) -> Outcome {
    match outcome.verdict {
        Verdict::Unknown if outcome.next.is_some() || outcome.cycle >= EXACT => {
            let cycle = Some(outcome.cycle);
            outcome.left_open(Reason::RoundEnded { cycle })
        }
        _ => outcome,
    }
}

/// The thread that sends heartbeats and watches the limits of a job.
fn beat(
    source: &dyn WorkSource,
    surroundings: &dyn Surroundings,
    work: &Work,
    shared: &Shared,
    start: Instant,
) {
    let limit = match work.task.step {
        Step::Cycle(cycle) => time_of(cycle, None).map(|time| time + SLACK),
        Step::SecondPhase { .. } => Some(SECOND_PHASE + SLACK),
        Step::Recheck { .. } => None,
    };
    let pause = BEAT.min(Duration::from_millis(work.expires_after / 4));
    let look = LOOK.min(pause);
    let (mut sent, mut told): (Option<Instant>, Option<Instant>) = (None, None);
    let mut done = shared.done.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        done = shared.rings.wait_timeout(done, look).unwrap_or_else(PoisonError::into_inner).0;
        if *done {
            return;
        }
        drop(done);
        let stopped = surroundings.is_stopped();
        if sent.is_none_or(|sent| sent.elapsed() >= pause) && !shared.lost.load(Ordering::Relaxed) {
            sent = Some(Instant::now());
            let progress = shared.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let beat = Beat { progress, seconds: start.elapsed().as_secs_f64() };
            match source.heartbeat(work.lease, &beat) {
                Ok(Advice::Finish) => shared.finishes.store(true, Ordering::Relaxed),
                Err(WorkError::Ended(_)) => shared.lost.store(true, Ordering::Relaxed),
                // The result decides whether the queue is reached again.
                Ok(Advice::Continue) | Err(_) => {}
            }
        }
        if stopped || shared.finishes.load(Ordering::Relaxed) || shared.lost.load(Ordering::Relaxed) {
            shared.cancelled.store(true, Ordering::Relaxed);
            told.get_or_insert_with(Instant::now);
        }
        let reason = match (surroundings.exhausted(), limit) {
            (Some(reason), _) => Some(reason),
            (None, Some(limit)) if start.elapsed() >= limit => {
                Some(format!("the job did not end within {} s", limit.as_secs()))
            }
            _ if told.is_some_and(|told| told.elapsed() >= PATIENCE) => {
                Some("the job did not end on request".to_string())
            }
            _ => None,
        };
        if let Some(reason) = reason {
            // The process ends in any case, and its lease with it.
            let _ = if stopped { source.release(work.lease) } else { source.fail(work.lease, &reason) };
            surroundings.abandon(&reason);
            return;
        }
        done = shared.done.lock().unwrap_or_else(PoisonError::into_inner);
    }
}
