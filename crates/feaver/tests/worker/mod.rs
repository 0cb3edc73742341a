//! A worker process: the test program executes itself with the place of the database in its
//! environment.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{Completion, LeaseRequest, Leased, NewJob, Recorded, RoundId, Timestamp};
use axle_feaver::jobs::task::{Coverage, LAST_CYCLE, Next, Outcome, Step, Task, next};
use axle_feaver::results::database::Database;
use axle_feaver::results::verdict::{Answer, NewVerdict, Phase, Statistics, Verdict};

use crate::support::Place;

/// Variable with the place of the database.
const PLACE: &str = "AXLE_TEST_PLACE";

/// Variable with the file of acknowledged completions.
const ACKNOWLEDGED: &str = "AXLE_TEST_ACKNOWLEDGED";

/// Variable with the least duration of a job in milliseconds.
const SLOW: &str = "AXLE_TEST_SLOW";

/// Duration of a lease: the time until the job of a killed worker is repeated.
pub const LEASE: Duration = Duration::from_millis(400);

/// The present time.
pub fn now() -> Timestamp {
    SystemTime::now().into()
}

/// Outcome of a job: each tenth run is violated in a cycle, the last cycle decides the others.
pub fn outcome(task: Task) -> Outcome {
    let violated_in = task.run.is_multiple_of(10).then_some((task.run / 10) % 8);
    match task.step {
        Step::Cycle(cycle) if violated_in == Some(cycle.into()) => Outcome::Violated,
        Step::Cycle(LAST_CYCLE) => Outcome::Holds,
        Step::Cycle(_) => Outcome::Inconclusive,
        Step::SecondPhase { .. } | Step::Recheck { .. } => Outcome::Violated,
    }
}

/// The queued form of a task.
pub fn new_job(round: RoundId, task: Task) -> NewJob {
    let priority = task.priority(task.run % 3);
    NewJob { round, key: task.to_string(), priority, max_failures: 1000, payload: Vec::new(), avoid: None }
}

/// Whether this process was started as a worker.
pub fn is_worker() -> bool {
    std::env::var_os(PLACE).is_some()
}

/// Starts a worker process.
pub fn spawn(place: &Place, acknowledged: &Path, slow: Duration) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed_workers::worker_process", "--nocapture"])
        .env(PLACE, place.text())
        .env(ACKNOWLEDGED, acknowledged)
        .env(SLOW, slow.as_millis().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// The main function of a worker process. Does nothing without the variables.
pub fn main() {
    let (Ok(place), Ok(acknowledged)) = (std::env::var(PLACE), std::env::var(ACKNOWLEDGED)) else { return };
    let slow = std::env::var(SLOW).ok().and_then(|slow| slow.parse().ok()).unwrap_or(0);
    let database = Place::parse(&place).open();
    work(&*database, Duration::from_millis(slow), |key| {
        let mut file = OpenOptions::new().create(true).append(true).open(&acknowledged).unwrap();
        // One write per line: a killed process leaves no half of a line.
        file.write_all(format!("{key}\n").as_bytes()).unwrap();
    });
}

/// Executes jobs until no round has an open one. Reports each completion that was stored.
pub fn work(database: &dyn Database, slow: Duration, acknowledge: impl Fn(&str)) {
    let request = LeaseRequest {
        worker: std::process::id().to_string(),
        count: 1,
        duration: LEASE,
        round: None,
        token: None,
    };
    loop {
        match retry(|| database.lease(&request, now())).and_then(|mut leased| leased.pop()) {
            Some(leased) => {
                std::thread::sleep(slow);
                if execute(database, &leased) {
                    acknowledge(&leased.job.key);
                }
            }
            None if retry(|| database.counts(None)).is_some_and(|counts| counts.open() == 0) => return,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Repeats a request after transient errors. `None` if it was refused.
fn retry<T>(mut request: impl FnMut() -> Result<T, StoreError>) -> Option<T> {
    loop {
        match request() {
            Ok(it) => return Some(it),
            Err(error) if error.is_transient() => std::thread::sleep(Duration::from_millis(20)),
            Err(StoreError::Refused(_)) => return None,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Executes a job. Returns whether its completion was stored by this request.
fn execute(database: &dyn Database, leased: &Leased) -> bool {
    let task = Task::parse(&leased.job.key).unwrap();
    let outcome = outcome(task);
    std::thread::sleep(Duration::from_micros(300 * u64::from(task.run % 5)));
    let follow_ups = match next(task, outcome) {
        Next::Cycle(task) | Next::SecondPhase(task) => vec![new_job(leased.job.round, task)],
        Next::Leave => Vec::new(),
    };
    let completion = Completion { result: leased.job.key.clone().into_bytes(), follow_ups };
    let verdict = verdict(leased.job.round, task, outcome);
    let stored = retry(|| database.complete_with_verdict(leased.lease, &completion, &verdict, now()));
    stored == Some(Recorded::Now)
}

fn verdict(round: RoundId, task: Task, outcome: Outcome) -> NewVerdict {
    let (cycle, phase) = match task.step {
        Step::Cycle(cycle) => (cycle, Phase::First),
        Step::SecondPhase { found } | Step::Recheck { found } => (found, Phase::Shortest),
    };
    let answer = match outcome {
        Outcome::Violated => Answer::Violated,
        Outcome::Holds => Answer::Holds,
        Outcome::Inconclusive => Answer::Unknown,
        Outcome::Failed => Answer::Failed,
    };
    let witnesses = match answer {
        Answer::Violated => vec![(phase, format!("{phase:?} {}", task.run).into_bytes())],
        _ => Vec::new(),
    };
    let verdict = Verdict {
        answer,
        cycle: Some(cycle),
        statistics: Statistics::default(),
        coverage: Coverage::default(),
        carried_from: None,
        machine: None,
    };
    NewVerdict { round, run: task.run, verdict, witnesses, contradicts: false }
}
