//! Worker processes that are killed or frozen, and a database server that crashes, lose no verdict.

use crate::worker;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::directory::Directory;
use crate::support::{Databases, Files, Place, Processes, cluster};
use crate::worker::{new_job, now, outcome, spawn};
use axle_feaver::jobs::job::{EventId, JobState, RoundId};
use axle_feaver::jobs::task::{LAST_CYCLE, Next, Step, Task, next};
use axle_feaver::results::database::Database;
use axle_feaver::results::key::{Hash, Key};
use axle_feaver::results::verdict::{Answer, NewRound, Phase, Run};
use axle_generate::Random;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The main function of the worker processes, which the other tests of this file start. Elsewhere it
/// tests that there is nothing to do.
#[test]
fn worker_process() {
    if worker::is_worker() {
        worker::main();
    }
}

/// Begins a round with the first job of each run.
fn begin(database: &dyn Database, runs: u32) -> RoundId {
    let run = |number: u32| Run {
        number,
        property: format!("property {number}"),
        feature: "feature".to_owned(),
        provisioning: String::new(),
        property_text: String::new(),
        options: String::new(),
        key: Key(Hash::of(&number.to_le_bytes())),
    };
    let new = NewRound {
        source_version: "v1".to_owned(),
        axle_version: "1.0".to_owned(),
        budget: Duration::from_secs(60),
    };
    let runs: Vec<Run> = (0..runs).map(run).collect();
    let round = database.begin_round(&new, &runs, now()).unwrap();
    let jobs: Vec<_> =
        runs.iter().map(|run| new_job(round, Task { run: run.number, step: Step::Cycle(0) })).collect();
    database.submit(&jobs, now()).unwrap();
    round
}

/// All jobs of a round.
fn expected_keys(runs: u32) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for run in 0..runs {
        let mut following = Next::Cycle(Task { run, step: Step::Cycle(0) });
        while let Next::Cycle(task) | Next::SecondPhase(task) = following {
            keys.insert(task.to_string());
            following = next(task, outcome(task));
        }
    }
    keys
}

/// Each job has one result, each run the right verdict and executions, and each acknowledged
/// completion is stored.
fn check(database: &dyn Database, round: RoundId, runs: u32, acknowledged: &Path) {
    let counts = database.counts(None).unwrap();
    assert_eq!((counts.open(), counts.failed, counts.cancelled), (0, 0, 0));
    let mut completed: BTreeMap<String, u32> = BTreeMap::new();
    for event in database.changes(EventId(0), 1_000_000).unwrap() {
        if event.state == JobState::Completed {
            let job = database.job(event.job).unwrap().unwrap();
            assert_eq!(job.result.as_deref(), Some(job.submitted.key.as_bytes()));
            *completed.entry(job.submitted.key).or_default() += 1;
        }
    }
    assert!(completed.values().all(|&number| number == 1), "a job was completed twice");
    assert_eq!(completed.keys().cloned().collect::<BTreeSet<_>>(), expected_keys(runs));

    let text = std::fs::read_to_string(acknowledged).unwrap();
    let lines: BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), text.lines().count(), "a completion was acknowledged twice");
    assert!(lines.iter().all(|key| completed.contains_key(*key)), "an acknowledged completion is lost");

    let verdicts = database.verdicts(round).unwrap();
    assert_eq!(verdicts.len(), runs as usize);
    for record in verdicts {
        let run = record.run.number;
        let phases: Vec<Phase> = record.witnesses.iter().map(|(phase, _)| *phase).collect();
        match run % 10 {
            0 => {
                assert_eq!(record.verdict.answer, Answer::Violated);
                assert_eq!(record.verdict.cycle.map(u32::from), Some((run / 10) % 8));
                assert_eq!(phases, [Phase::First, Phase::Shortest]);
            }
            _ => {
                assert_eq!((record.verdict.answer, record.verdict.cycle), (Answer::Holds, Some(LAST_CYCLE)));
                assert_eq!(phases, []);
            }
        }
    }
}

/// Executes a round with worker processes. `disturb` is called at random times until the round is
/// complete.
fn execute(place: &Place, runs: u32, mut disturb: impl FnMut(&mut Processes, u64)) {
    let directory = Directory::new("ack");
    let acknowledged = directory.path().join("acknowledged");
    std::fs::write(&acknowledged, "").unwrap();
    let database = place.open();
    let round = begin(&*database, runs);
    let mut workers = Processes((0..3).map(|_| spawn(place, &acknowledged, Duration::ZERO)).collect());
    let mut random = Random::of(u64::from(std::process::id()), 0);
    let (begin, mut disturbances) = (Instant::now(), 0);
    loop {
        // A transient error is part of the test: the server may be starting.
        if database.counts(None).is_ok_and(|counts| counts.open() == 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(30 + random.below(150)));
        disturb(&mut workers, random.number());
        disturbances += 1;
        for child in &mut workers.0 {
            if child.try_wait().unwrap().is_some() {
                *child = spawn(place, &acknowledged, Duration::ZERO);
            }
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "the round does not end");
    }
    drop(workers);
    assert!(disturbances >= 2, "the round ended before anything happened");
    println!("{runs} runs, {disturbances} disturbances, {:.1} s", begin.elapsed().as_secs_f64());
    check(&*database, round, runs, &acknowledged);
}

/// SIGKILL for a random worker.
fn kill_one(workers: &mut Processes, random: u64) {
    let index = random as usize % workers.0.len();
    workers.0[index].kill().unwrap();
    workers.0[index].wait().unwrap();
}

#[test]
fn sqlite_loses_no_verdict_of_killed_workers() {
    let mut files = Files::new();
    execute(&files.create(), 200, kill_one);
}

#[test]
fn postgres_loses_no_verdict_of_killed_workers() {
    if let Some(mut cluster) = cluster() {
        execute(&cluster.create(), 200, kill_one);
    }
}

/// The server ends without a checkpoint several times; workers reconnect.
#[test]
fn postgres_loses_no_verdict_in_a_crash() {
    let Some(mut cluster) = cluster() else { return };
    let place = cluster.create();
    let mut number = 0;
    execute(&place, 100, |workers, random| {
        number += 1;
        if number % 6 == 2 {
            cluster.crash().unwrap();
            cluster.resume().unwrap();
        } else if number % 6 == 5 {
            kill_one(workers, random);
        }
    });
}

/// A process that holds a lease is stopped, loses the lease, and continues: its completion is refused.
fn a_frozen_worker_cannot_complete(place: &Place) {
    let directory = Directory::new("ack");
    let acknowledged = directory.path().join("acknowledged");
    std::fs::write(&acknowledged, "").unwrap();
    let database = place.open_with(Duration::from_millis(200));
    let round = begin(&*database, 6);
    let slow = Duration::from_millis(100);
    let mut workers = Processes(vec![spawn(place, &acknowledged, slow)]);
    let pid = Pid::from_raw(i32::try_from(workers.0[0].id()).unwrap());
    let expired = loop {
        std::thread::sleep(Duration::from_millis(130));
        kill(pid, Signal::SIGSTOP).unwrap();
        std::thread::sleep(worker::LEASE + Duration::from_millis(50));
        // Nothing expires if the process was stopped between two jobs or within a transaction.
        match database.expire(now()) {
            Ok(expired) if !expired.is_empty() => break expired,
            _ => kill(pid, Signal::SIGCONT).unwrap(),
        }
        assert!(database.counts(None).unwrap().open() > 0, "the process was never stopped within a job");
    };
    assert_eq!(expired.len(), 1);
    // Another worker repeats the job.
    let repeated = database.job(expired[0]).unwrap().unwrap();
    assert_eq!(repeated.state, JobState::Waiting);
    let attempt = repeated.attempt;
    worker::work(&*database, Duration::ZERO, |_| ());
    kill(pid, Signal::SIGCONT).unwrap();
    // It tries to complete the job, is refused, and ends because no job is open.
    assert!(workers.0[0].wait().unwrap().success());
    check(&*database, round, 6, &acknowledged);
    assert_eq!(database.job(expired[0]).unwrap().unwrap().attempt, attempt + 1);
    let key = database.job(expired[0]).unwrap().unwrap().submitted.key;
    assert!(!std::fs::read_to_string(&acknowledged).unwrap().lines().any(|line| line == key));
}

#[test]
fn a_frozen_worker_cannot_complete_in_sqlite() {
    let mut files = Files::new();
    a_frozen_worker_cannot_complete(&files.create());
}

#[test]
fn a_frozen_worker_cannot_complete_in_postgres() {
    if let Some(mut cluster) = cluster() {
        a_frozen_worker_cannot_complete(&cluster.create());
    }
}
