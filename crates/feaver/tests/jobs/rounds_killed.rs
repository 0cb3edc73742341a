//! Drivers and workers in processes of their own that are killed at random moments: the round
//! completes, and no verdict is lost or duplicated.
//!
//! `AXLE_KILLS` is the number of processes that are killed [default: 30].

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::rounds_support::{Simulated, Until, many, opening, settings, violated_in};
use crate::support::{Databases, Files, Place, Processes, cluster};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{EventId, JobState, Timestamp};
use axle_feaver::jobs::task::{LAST_CYCLE, Step, Task};
use axle_feaver::results::database::Database;
use axle_feaver::results::verdict::{Answer, Phase};
use axle_feaver::round::adopt::held_until;
use axle_feaver::round::driver::Driver;
use axle_feaver::round::local::StoreSource;
use axle_feaver::round::worker::work;
use axle_generate::Random;

/// Variables of a process: the place of the database, and what it is.
const PLACE: &str = "AXLE_TEST_PLACE";
const ROLE: &str = "AXLE_TEST_ROLE";

const RUNS: u32 = 200;

/// Time until the job of a killed worker is repeated, and the round of a killed driver continued.
const LEASE: Duration = Duration::from_millis(400);

fn now() -> Timestamp {
    SystemTime::now().into()
}

/// The main function of the processes, which the other tests of this file start.
#[test]
fn process() {
    let (Ok(place), Ok(role)) = (std::env::var(PLACE), std::env::var(ROLE)) else { return };
    let place = Place::parse(&place);
    match role.as_str() {
        "driver" => drive(&place),
        name => serve(&place, name),
    }
}

/// The number of processes to kill.
fn kills() -> u32 {
    std::env::var("AXLE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(30)
}

/// Drives the round to its end.
fn drive(place: &Place) {
    let database: Arc<dyn Database> = Arc::from(place.open());
    while held_until(&*database, now()).unwrap().is_some() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let small = many(RUNS);
    let name = std::process::id().to_string();
    let mut round = opening(&small, &name, Duration::from_secs(600), LEASE);
    round.max_failures = 1000;
    let mut driver = Driver::open(database, &round).unwrap();
    while !driver.is_over() {
        match driver.step(Duration::from_millis(50)) {
            Ok(_) => {}
            Err(fault) if fault.is_transient() => std::thread::sleep(Duration::from_millis(20)),
            // It was slow, and another driver took over.
            Err(StoreError::Other(why)) if why.contains("another process") => return,
            Err(fault) => panic!("{fault}"),
        }
    }
}

/// Executes jobs until the process is killed.
fn serve(place: &Place, name: &str) {
    let source = StoreSource::new(Arc::from(place.open()), None, LEASE);
    // The round lasts as long as there are processes to kill.
    let mut executor = Simulated::new(Duration::from_millis(1 + u64::from(kills()) / 8));
    work(&source, &mut executor, &settings(name), &Until::default()).unwrap();
}

fn spawn(place: &Place, role: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "rounds_killed::process", "--nocapture"])
        .env(PLACE, place.text())
        .env(ROLE, role)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Each job has one result, and each run its verdict and executions, in one round.
fn check(database: &dyn Database) {
    let rounds = database.rounds(10).unwrap();
    assert_eq!(rounds.len(), 1, "every driver continues the same round");
    let round = rounds[0].id;
    assert!(rounds[0].ended.is_some());
    let counts = database.counts(None).unwrap();
    assert_eq!((counts.open(), counts.failed, counts.cancelled), (0, 0, 0));
    let mut completed: BTreeMap<String, u32> = BTreeMap::new();
    for event in database.changes(EventId(0), 1_000_000).unwrap() {
        if event.state == JobState::Completed {
            let job = database.job(event.job).unwrap().unwrap();
            *completed.entry(job.submitted.key).or_default() += 1;
        }
    }
    let mut expected: BTreeMap<String, u32> = BTreeMap::new();
    for run in 0..RUNS {
        let last = violated_in(run).unwrap_or(LAST_CYCLE);
        let steps = (0..=last).map(Step::Cycle);
        let second = violated_in(run).map(|found| Step::SecondPhase { found });
        expected.extend(steps.chain(second).map(|step| (Task { run, step }.to_string(), 1)));
    }
    assert_eq!(completed, expected);
    let verdicts = database.verdicts(round).unwrap();
    assert_eq!(verdicts.len(), RUNS as usize);
    for record in verdicts {
        let found = violated_in(record.run.number);
        let phases: Vec<Phase> = record.witnesses.iter().map(|(phase, _)| *phase).collect();
        let known = (record.verdict.answer, record.verdict.cycle, phases);
        match found {
            Some(_) => assert_eq!(known, (Answer::Violated, found, vec![Phase::First, Phase::Shortest])),
            None => assert_eq!(known, (Answer::Holds, Some(LAST_CYCLE), vec![Phase::First])),
        }
    }
}

/// Executes a round with a driver and two workers, and kills one of them again and again.
fn survives(place: &Place) {
    let kills = kills();
    let database = place.open();
    let roles = ["driver", "worker a", "worker b"];
    let mut processes = Processes(roles.iter().map(|role| spawn(place, role)).collect());
    let mut random = Random::of(u64::from(std::process::id()), 0);
    let mut killed = [0u32; 3];
    let begin = Instant::now();
    let ended = || {
        let rounds = database.rounds(1);
        rounds.is_ok_and(|rounds| rounds.first().is_some_and(|round| round.ended.is_some()))
    };
    while !ended() {
        assert!(begin.elapsed() < Duration::from_secs(600), "the round does not end");
        std::thread::sleep(Duration::from_millis(20 + random.below(200)));
        let index = random.below(roles.len());
        let child = &mut processes.0[index];
        if killed.iter().sum::<u32>() < kills {
            child.kill().unwrap();
            child.wait().unwrap();
            killed[index] += 1;
            *child = spawn(place, roles[index]);
        } else if let Some(status) = processes.0[0].try_wait().unwrap() {
            assert!(status.success(), "the driver failed");
            processes.0[0] = spawn(place, roles[0]);
        }
    }
    println!("killed: {killed:?} (driver, workers), {:.1} s", begin.elapsed().as_secs_f64());
    drop(processes);
    check(&*database);
}

#[test]
fn sqlite_loses_no_verdict_of_killed_drivers_and_workers() {
    survives(&Files::new().create());
}

#[test]
fn postgres_loses_no_verdict_of_killed_drivers_and_workers() {
    if let Some(mut cluster) = cluster() {
        survives(&cluster.create());
    }
}
