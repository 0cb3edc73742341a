//! What happens in the queue now: the step of each run, and the job of each worker.
//!
//! *Entry points:* [`Activities::see`], [`Activities::of`].
//! *Invariant:* what runs do is derived from the events of the queue only, so that it is the same after a
//! restart. Workers of other machines are known as soon as they ask for a job.

use std::collections::{BTreeMap, HashMap};

use axle_feaver::jobs::job::{Event, Job, JobId, JobState, RoundId};
use axle_feaver::jobs::task::{Step, Task};
use axle_feaver::results::verdict::Machine;

use crate::view::cycles::Activity;

/// Rounds whose activity is kept.
const MOST_ROUNDS: usize = 4;

/// Workers that are kept, by the time of their last event.
const MOST_WORKERS: usize = 1000;

/// The activity of the latest rounds.
#[derive(Clone, Debug, Default)]
pub struct Activities {
    rounds: BTreeMap<i64, HashMap<u32, RunActivity>>,
    /// The workers by name.
    pub workers: BTreeMap<String, Worker>,
    leased: HashMap<i64, String>,
}

/// The latest step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunActivity {
    /// The job.
    pub job: JobId,
    /// The step.
    pub step: Step,
    /// The state of the job.
    pub state: JobState,
    /// Its worker, if it is leased.
    pub worker: Option<String>,
    /// The last cycle that ended.
    pub ended: Option<u8>,
    /// When the state began, in milliseconds since 1970.
    pub since: i64,
}

/// A worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its job, if it has one.
    pub job: Option<WorkerJob>,
    /// The round of its last job.
    pub round: Option<RoundId>,
    /// Whether it asks this server for jobs; otherwise it has access to the database.
    pub is_remote: bool,
    /// Whether it has lost its last job.
    pub is_lost: bool,
    /// When its last event happened.
    pub seen: i64,
    /// Jobs that it completed.
    pub completed: u64,
    /// Jobs that it lost or that failed.
    pub lost: u64,
}

/// The job of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerJob {
    /// The job.
    pub id: JobId,
    /// Its round.
    pub round: RoundId,
    /// The number of its run.
    pub run: u32,
    /// The step.
    pub step: Step,
}

impl Activities {
    /// Takes account of an event and its job.
    pub fn see(&mut self, event: &Event, job: &Job) {
        let Some(task) = Task::parse(&job.submitted.key) else { return };
        if event.state == JobState::Leased {
            self.lease(event, task, job);
        } else if let Some(worker) = self.leased.remove(&event.job.0)
            && let Some(worker) = self.workers.get_mut(&worker)
        {
            worker.job = None;
            worker.seen = event.at.0;
            // A job that was given back has no new reason.
            let is_failure = job.reason.as_ref() == Some(&event.detail);
            match event.state {
                JobState::Completed => worker.completed += 1,
                JobState::Failed | JobState::Waiting if is_failure => {
                    worker.lost += 1;
                    worker.is_lost = true;
                }
                _ => {}
            }
        }
        let round = self.rounds.entry(event.round.0).or_default();
        let ended = round.get(&task.run).and_then(|known| known.ended);
        let ended = match (event.state, task.step) {
            (JobState::Completed, Step::Cycle(cycle)) => ended.max(Some(cycle)),
            _ => ended,
        };
        let worker = (event.state == JobState::Leased).then(|| event.detail.clone());
        let (job, state, since) = (event.job, event.state, event.at.0);
        round.insert(task.run, RunActivity { job, step: task.step, state, worker, ended, since });
        while self.rounds.len() > MOST_ROUNDS {
            self.rounds.pop_first();
        }
    }

    /// Takes account of a worker that asks for a job.
    pub fn greet(&mut self, name: &str, token: &str, at: i64) {
        let name = Machine { name: name.to_string(), token: Some(token.to_string()) }.to_string();
        self.make_room(&name);
        let worker = self.workers.entry(name).or_default();
        (worker.seen, worker.is_remote, worker.is_lost) = (at, true, false);
    }

    /// Forgets the worker that was not seen for the longest time, if there are too many.
    fn make_room(&mut self, name: &str) {
        if self.workers.len() >= MOST_WORKERS && !self.workers.contains_key(name) {
            let oldest = self.workers.iter().min_by_key(|(_, worker)| worker.seen);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                self.workers.remove(&oldest);
            }
        }
    }

    fn lease(&mut self, event: &Event, task: Task, job: &Job) {
        let name = Machine { name: event.detail.clone(), token: job.token.clone() }.to_string();
        self.make_room(&name);
        let worker = self.workers.entry(name.clone()).or_default();
        let Task { run, step } = task;
        worker.job = Some(WorkerJob { id: event.job, round: event.round, run, step });
        worker.round = Some(event.round);
        (worker.is_remote, worker.is_lost) = (job.token.is_some(), false);
        worker.seen = event.at.0;
        self.leased.insert(event.job.0, name);
    }

    /// The latest step of a run.
    #[must_use]
    pub fn run(&self, round: RoundId, run: u32) -> Option<&RunActivity> {
        self.rounds.get(&round.0)?.get(&run)
    }

    /// What happens in a run now.
    #[must_use]
    pub fn of(&self, round: RoundId, run: u32) -> Activity {
        let Some(known) = self.run(round, run) else { return Activity::None };
        let cycle = match known.step {
            Step::Cycle(cycle) => cycle,
            Step::SecondPhase { found } | Step::Recheck { found } => found,
        };
        match known.state {
            JobState::Waiting => Activity::Waiting(cycle),
            JobState::Leased => Activity::Running(cycle),
            JobState::Completed | JobState::Cancelled | JobState::Failed => Activity::None,
        }
    }
}
