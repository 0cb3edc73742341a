//! What follows from the result of a job: the verdict of the run, and the next job.
//!
//! A violated run is concluded and gets a second phase, which searches for a shorter execution and for the
//! likeliest one. A
//! search that decides nothing is followed by the next cycle that may find out more.
//!
//! *Entry points:* [`first_job`], [`follow_up`].
//! *Invariant:* the result of a job is a function of the stored job and the outcome, so that a repeated
//! completion stores the same.

use axle_check::Verdict;

use crate::execute::{EXACT, Outcome};
use crate::jobs::error::StoreError;
use crate::jobs::job::{Completion, NewJob, RoundId};
use crate::jobs::task::{Step, Task};
use crate::results::key::Hash;
use crate::results::ledger;
use crate::results::verdict::{NewVerdict, Phase};
use crate::round::payload::Payload;
use axle_outcome::Reason;

/// The part of the states from which on a rough search counts as nearly exact.
const NEARLY_ALL: f64 = 0.99;

/// The first job of a run.
#[must_use]
pub fn first_job(round: RoundId, run: u32, weight: u32, max_failures: u32, payload: &Payload) -> NewJob {
    let task = Task { run, step: Step::Cycle(0) };
    NewJob {
        round,
        key: task.to_string(),
        priority: task.priority(weight),
        max_failures,
        payload: payload.bytes(),
        avoid: None,
    }
}

/// The result of a run whose job has failed for good. `before` is that of its last cycle.
#[must_use]
pub fn failed(name: String, key: String, before: Option<Outcome>, failures: u32, reason: &str) -> Outcome {
    let before = before.unwrap_or_else(|| Outcome::without_search(name, key));
    let open = before.left_open(Reason::Failed { attempts: failures, fault: reason.to_string() });
    Outcome { next: None, failed: true, ..open }
}

/// What is stored with the result of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    /// The result and the next job.
    pub completion: Completion,
    /// The verdict of the run, if it has one now, or the executions of the second phase.
    pub verdict: Option<NewVerdict>,
}

/// What follows from a result. With a token `recheck`, another machine decides the run again.
///
/// # Errors
/// The outcome is not one of this job.
pub fn follow_up(job: &NewJob, outcome: &Outcome, recheck: Option<&str>) -> Result<FollowUp, StoreError> {
    let task = Task::parse(&job.key).ok_or_else(|| StoreError::unexpected("the keys of jobs"))?;
    let mut payload = Payload::read(&job.payload).map_err(StoreError::Invalid)?;
    let (is_second, cycle) = match task.step {
        Step::Cycle(cycle) => (false, cycle),
        Step::SecondPhase { found } => (true, found),
        // It changes a verdict only by a contradiction, which needs the recorded one.
        Step::Recheck { .. } => (false, EXACT),
    };
    let is_recheck = matches!(task.step, Step::Recheck { .. });
    if outcome.key != payload.key.hash || outcome.cycle != cycle || outcome.run != payload.name() {
        return Err(StoreError::Invalid(format!("the result is not one of the job {}", job.key)));
    }
    if outcome.verdict == Verdict::Violated && outcome.witness.is_none() {
        return Err(StoreError::Invalid("a violation without an execution".to_string()));
    }
    let result = serde_json::to_vec(outcome).map_err(|fault| StoreError::Invalid(fault.to_string()))?;
    let at = (job.round, task.run);
    let record = |phase, outcome: &Outcome| ledger::verdict(at, &payload.key, outcome, phase, None);
    let mut next = None;
    let verdict = match (outcome.verdict, next_cycle(cycle, outcome)) {
        _ if is_recheck => None,
        _ if is_second => {
            let mut all: Option<NewVerdict> = None;
            for (phase, own) in outcome.second_phase() {
                let one = record(phase, &own)?;
                match &mut all {
                    Some(all) => all.witnesses.extend(one.witnesses),
                    None => all = Some(one),
                }
            }
            all
        }
        (Verdict::Violated, _) => {
            let verdict = record(Phase::First, outcome)?;
            payload.first = verdict.witnesses.first().map(|(_, content)| Hash::of(content));
            next = Some(Step::SecondPhase { found: cycle });
            Some(verdict)
        }
        (_, Some(cycle)) => {
            next = Some(Step::Cycle(cycle));
            None
        }
        (_, None) => Some(record(Phase::First, outcome)?),
    };
    let follow_up = |(step, avoid): (Step, Option<String>)| {
        let task = Task { run: task.run, step };
        let mut priority = task.priority(job.priority.weight);
        if is_nearly_exact(outcome) {
            priority.cycle = priority.cycle.min(cycle + 1);
        }
        NewJob { key: task.to_string(), priority, payload: payload.bytes(), avoid, ..job.clone() }
    };
    let again = recheck.filter(|_| !is_recheck && !is_second && verdict.is_some());
    let again = again.map(|token| (Step::Recheck { found: cycle }, Some(token.to_string())));
    let follow_ups = next.map(|step| (step, None)).into_iter().chain(again).map(follow_up).collect();
    Ok(FollowUp { completion: Completion { result, follow_ups }, verdict })
}

/// Whether a rough search has seen nearly all states: the exact one is then as cheap, and does not have
/// to wait for the rough searches of other runs.
fn is_nearly_exact(outcome: &Outcome) -> bool {
    outcome.coverage.states.is_some_and(|covered| covered >= NEARLY_ALL)
}

/// The next cycle of an undecided run.
pub(super) fn next_cycle(cycle: u8, outcome: &Outcome) -> Option<u8> {
    outcome.next.filter(|next| outcome.verdict == Verdict::Unknown && *next > cycle && *next <= EXACT)
}
