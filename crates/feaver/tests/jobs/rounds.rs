//! Rounds: driver and workers in threads of this process.

use crate::rounds_support;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::rounds_support::{BUILD, Simulated, Small, Until, many, opening, settings, small, violated_in};
use crate::support::{Databases, Files, Place, cluster};
use axle_check::Verdict;
use axle_feaver::execute::{Control, Outcome};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::EventId;
use axle_feaver::jobs::schedule::Decision;
use axle_feaver::jobs::sqlite::SqliteStore;
use axle_feaver::jobs::store::JobStore;
use axle_feaver::jobs::task::{self, Conclusion, Step, Task};
use axle_feaver::project::folder::Seen;
use axle_feaver::results::database::Database;
use axle_feaver::results::verdict::{Answer, Phase};
use axle_feaver::round::driver::Driver;
use axle_feaver::round::event::RoundEvent;
use axle_feaver::round::inputs::Inputs;
use axle_feaver::round::local::StoreSource;
use axle_feaver::round::source::{Advice, Beat, Work, WorkError, WorkSource};
use axle_feaver::round::worker::{Executor, Failure, work};
use axle_feaver::round::workshop::Workshop;

const LEASE: Duration = Duration::from_secs(5);
const BUDGET: Duration = Duration::from_secs(60);

fn open(place: &Place) -> Arc<dyn Database> {
    Arc::from(place.open())
}

/// Follows a round to its end with these workers. Returns the driver and the events.
fn follow(
    place: &Place,
    mut driver: Driver,
    executors: Vec<Box<dyn Executor + Send>>,
    mut meanwhile: impl FnMut(&mut Driver),
) -> (Driver, Vec<RoundEvent>) {
    let until = Until::default();
    let mut events = Vec::new();
    std::thread::scope(|scope| {
        for (number, mut executor) in (1..).zip(executors) {
            let until = &until;
            scope.spawn(move || {
                let source = StoreSource::new(open(place), None, LEASE);
                let name = format!("worker {number}");
                work(&source, &mut *executor, &settings(&name), until).expect("the worker ends by itself");
            });
        }
        while !driver.is_over() {
            meanwhile(&mut driver);
            let stepped = driver.step(Duration::from_millis(50)).expect("the database works");
            events.extend(stepped.into_iter().map(|stamped| stamped.event));
        }
        until.0.store(true, Ordering::Relaxed);
    });
    (driver, events)
}

fn simulated(workers: usize, duration: Duration) -> Vec<Box<dyn Executor + Send>> {
    (0..workers).map(|_| Box::new(Simulated::new(duration)) as Box<dyn Executor + Send>).collect()
}

fn driver(place: &Place, small: &Small, name: &str, budget: Duration) -> Driver {
    Driver::open(open(place), &opening(small, name, budget, LEASE)).expect("a round")
}

/// A round of real executions: verdicts, second phase, both witnesses, and the verdicts that the next
/// round carries over.
fn verifies_a_project(place: &Place) {
    let small = small();
    let workshop = || vec![Box::new(Workshop::new(BUILD.to_string(), None)) as Box<dyn Executor + Send>];
    let (first, events) = follow(place, driver(place, &small, "a", BUDGET), workshop(), |_| ());
    let verdicts: BTreeMap<&str, Verdict> =
        first.rows().iter().map(|row| (row.name.as_str(), row.outcome.as_ref().unwrap().verdict)).collect();
    let expected = [
        ("calm@any", Verdict::Violated),
        ("safety@any", Verdict::Holds),
        ("small@any", Verdict::Holds),
        ("tiny@any", Verdict::Violated),
    ];
    assert_eq!(verdicts, BTreeMap::from(expected));
    let shortened = events.iter().filter(|event| matches!(event, RoundEvent::Shortened { .. })).count();
    assert_eq!(shortened, 2, "{events:?}");
    let database = open(place);
    for record in database.verdicts(first.round()).unwrap() {
        let row = &first.rows()[record.run.number as usize];
        let phases: Vec<Phase> = record.witnesses.iter().map(|(phase, _)| *phase).collect();
        let mut expected = vec![Phase::First];
        if let (Answer::Violated, Some(second)) = (record.verdict.answer, &row.shortest) {
            if let Some(steps) = second.steps() {
                expected.push(Phase::Shortest);
                assert!(Some(steps) < row.outcome.as_ref().unwrap().steps());
            }
            expected.extend(second.likeliest.as_ref().map(|_| Phase::Likeliest));
            assert!(expected.len() > 1, "{second:?}");
        }
        assert_eq!(phases, expected);
    }
    assert!(database.open_rounds().unwrap().is_empty());
    // `tiny` needs three steps; a depth-first search finds more first.
    let tiny = first.rows().iter().find(|row| row.name == "tiny@any").unwrap();
    let steps = [&tiny.shortest, &tiny.outcome].into_iter().flatten().find_map(Outcome::steps);
    assert_eq!(steps, Some(6), "{tiny:?}");

    let (second, events) = follow(place, driver(place, &small, "b", BUDGET), Vec::new(), |_| ());
    assert!(matches!(events[0], RoundEvent::Begun { carried: 4, resumed: false, .. }), "{events:?}");
    for (one, other) in first.rows().iter().zip(second.rows()) {
        assert_eq!((&one.outcome, &one.shortest), (&other.outcome, &other.shortest));
        assert_eq!(other.carried_from, Some(first.round()));
    }
}

#[test]
fn a_project_is_verified_in_sqlite() {
    verifies_a_project(&Files::new().create());
}

#[test]
fn a_project_is_verified_in_postgres() {
    if let Some(mut cluster) = cluster() {
        verifies_a_project(&cluster.create());
    }
}

/// The log of a round of many runs and several workers.
#[test]
fn the_log_shows_the_order_of_cycles() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(50));
    let executors = simulated(4, Duration::from_millis(2));
    let (driver, _) = follow(&place, driver(&place, &small, "a", BUDGET), executors, |_| ());
    let decisions: Vec<Decision> = driver.log().iter().map(|entry| entry.decision.clone()).collect();
    // First cycles precede second cycles.
    let starts: Vec<Task> = decisions
        .iter()
        .filter_map(|decision| match decision {
            Decision::Started(task) => Some(*task),
            _ => None,
        })
        .collect();
    let first = starts.iter().take_while(|task| task.step == Step::Cycle(0)).count();
    assert_eq!(first, 50);
    // Within the first cycle, larger weights go first.
    assert!(starts[..first].is_sorted_by_key(|task| std::cmp::Reverse(task.run % 3)));
    let tasks: BTreeSet<Task> = starts.iter().copied().collect();
    assert_eq!(tasks.len(), starts.len(), "no job is repeated");
    for run in 0..50 {
        let own: Vec<Step> = starts.iter().filter(|task| task.run == run).map(|task| task.step).collect();
        let mut expected: Vec<Step> = (0..=violated_in(run).unwrap_or(7)).map(Step::Cycle).collect();
        expected.extend(violated_in(run).map(|found| Step::SecondPhase { found }));
        assert_eq!(own, expected, "run {run}");
        let concluded: Vec<&Decision> =
            decisions.iter().filter(|one| matches!(one, Decision::Concluded(of, _) if *of == run)).collect();
        let conclusion = match violated_in(run) {
            Some(cycle) => Conclusion::Violated { cycle },
            None => Conclusion::Holds { cycle: 7 },
        };
        assert_eq!(concluded, [&Decision::Concluded(run, conclusion)]);
        let finished = decisions.iter().filter(|one| {
            matches!(one, Decision::Finished(task, task::Outcome::Violated)
                if task.run == run && matches!(task.step, Step::SecondPhase { .. }))
        });
        assert_eq!(finished.count(), usize::from(violated_in(run).is_some()));
    }
    let text = driver.log_text();
    assert!(text.contains("started     p49@any  cycle 0"), "{text}");
    assert!(text.contains("concluded   p10@any: violated in cycle 1"), "{text}");
}

/// Jobs in progress at the end of the budget report what they covered, and every run has a conclusion.
#[test]
fn the_budget_ends_a_round() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(8));
    let begin = Instant::now();
    let executors = simulated(2, Duration::from_secs(2));
    let (driver, events) =
        follow(&place, driver(&place, &small, "a", Duration::from_secs(3)), executors, |_| ());
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert!(events.contains(&RoundEvent::Ending { budget: true }), "{events:?}");
    assert!(driver.log().iter().any(|entry| entry.decision == Decision::BudgetSpent));
    assert!(driver.rows().iter().all(|row| row.conclusion.is_some()));
    let rows = driver.rows();
    let covered = rows.iter().filter(|row| row.outcome.is_some()).count();
    // Two workers end one job each, begin another one, and finish it early.
    assert!((3..=4).contains(&covered), "{covered}");
    let reason = Some("the round ended during cycle 0");
    assert!(rows.iter().any(|row| row.outcome.as_ref().is_some_and(|one| one.reason.as_deref() == reason)));
    let database = open(&place);
    assert_eq!(database.verdicts(driver.round()).unwrap().len(), covered);
    assert_eq!(database.counts(None).unwrap().open(), 0);
    assert!(database.open_rounds().unwrap().is_empty());
}

#[test]
fn a_round_can_be_cancelled() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(8));
    let executors = simulated(2, Duration::from_secs(30));
    let begin = Instant::now();
    let (driver, events) = follow(&place, driver(&place, &small, "a", BUDGET), executors, |driver| {
        if begin.elapsed() > Duration::from_millis(300) {
            driver.end().expect("the database works");
        }
    });
    assert!(events.contains(&RoundEvent::Ending { budget: false }), "{events:?}");
    assert!(driver.rows().iter().all(|row| matches!(row.conclusion, Some(Conclusion::Unknown { .. }))));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

/// A driver that is lost: the next one waits for its lease, and continues the round.
#[test]
fn a_lost_driver_is_replaced() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(30));
    let short = Duration::from_millis(1500);
    let lost = Driver::open(open(&place), &opening(&small, "a", BUDGET, short)).expect("a round");
    let round = lost.round();
    let source = StoreSource::new(open(&place), None, LEASE);
    let mut executor = Simulated::new(Duration::ZERO);
    for _ in 0..45 {
        complete_one(&source, &mut executor);
    }
    drop(lost);
    // The first driver may still be alive.
    let other = driver(&place, &small, "b", BUDGET);
    assert_ne!(other.round(), round);
    drop(other);
    std::thread::sleep(short + Duration::from_millis(50));
    // A round of other sources does not continue it, but closes it; this one does.
    let mut resumed = driver(&place, &small, "c", BUDGET);
    assert_eq!(resumed.round(), round, "the round whose driver is lost is continued");
    let begun = resumed.step(Duration::ZERO).unwrap();
    assert!(matches!(begun[0].event, RoundEvent::Begun { resumed: true, .. }), "{begun:?}");
    let (resumed, _) = follow(&place, resumed, simulated(2, Duration::ZERO), |_| ());
    for (number, row) in (0..).zip(resumed.rows()) {
        let verdict = row.outcome.as_ref().unwrap().verdict;
        let expected = if violated_in(number).is_some() { Verdict::Violated } else { Verdict::Holds };
        assert_eq!((verdict, row.shortest.is_some()), (expected, violated_in(number).is_some()));
    }
    assert!(resumed.log().iter().any(|entry| entry.decision == Decision::Resumed));
}

/// Executes a job of a source and reports its result.
fn complete_one(source: &StoreSource, executor: &mut Simulated) {
    let work = source.lease("early", Duration::ZERO).unwrap().expect("a job");
    let mut control = Control {
        elapsed: Arc::new(|| Duration::ZERO),
        cancelled: Arc::new(|| false),
        progress: Box::new(|_| {}),
    };
    let outcome = executor.execute(&work, source, &mut control).unwrap();
    source.complete(work.lease, &outcome).unwrap();
}

/// A round of other sources, or of another build, is closed, and its results are kept.
#[test]
fn a_round_of_other_sources_is_closed() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(4));
    let short = Duration::from_millis(100);
    let lost = Driver::open(open(&place), &opening(&small, "a", BUDGET, short)).expect("a round");
    let (round, source) = (lost.round(), StoreSource::new(open(&place), None, LEASE));
    let mut executor = Simulated::new(Duration::ZERO);
    complete_one(&source, &mut executor);
    drop(lost);
    std::thread::sleep(short * 2);
    let mut other = opening(&small, "b", BUDGET, LEASE);
    other.round.source_version = "v2".to_string();
    let driver = Driver::open(open(&place), &other).expect("a round");
    assert_ne!(driver.round(), round);
    let database = open(&place);
    let kept = database.verdicts(round).unwrap();
    assert_eq!((kept.len(), kept[0].verdict.answer, kept[0].verdict.cycle), (1, Answer::Unknown, Some(0)));
    assert!(database.round_state(round).unwrap().unwrap().ended);
    assert_eq!(database.counts(Some(round)).unwrap().open(), 0);
}

/// A worker that was frozen, or lies about the job, changes nothing.
#[test]
fn a_result_without_a_lease_is_refused() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(1));
    let mut driver = driver(&place, &small, "a", BUDGET);
    let source = StoreSource::new(open(&place), None, Duration::from_millis(100));
    let frozen = source.lease("frozen", Duration::ZERO).unwrap().expect("a job");
    std::thread::sleep(Duration::from_millis(150));
    let returned = driver.step(Duration::ZERO).unwrap();
    let returned: Vec<_> = returned.into_iter().chain(driver.step(Duration::ZERO).unwrap()).collect();
    assert!(returned.iter().any(|it| matches!(&it.event, RoundEvent::Returned { .. })), "{returned:?}");
    let again = source.lease("other", Duration::ZERO).unwrap().expect("the job again");
    assert_eq!((again.lease.job, again.lease.attempt), (frozen.lease.job, 2));
    let outcome = Outcome {
        next: Some(1),
        ..Outcome::without_search(frozen.payload.name(), frozen.payload.key.hash.clone())
    };
    assert!(matches!(source.complete(frozen.lease, &outcome), Err(WorkError::Ended(_))));
    assert!(matches!(source.heartbeat(frozen.lease, &Beat::default()), Err(WorkError::Ended(_))));
    for wrong in [
        Outcome { key: "other".to_string(), ..outcome.clone() },
        Outcome { cycle: 3, ..outcome.clone() },
        Outcome { verdict: Verdict::Violated, ..outcome.clone() },
    ] {
        assert!(matches!(source.complete(again.lease, &wrong), Err(WorkError::Refused(_))));
    }
    assert_eq!(source.heartbeat(again.lease, &Beat::default()), Ok(Advice::Continue));
    source.complete(again.lease, &outcome).unwrap();
    source.complete(again.lease, &outcome).expect("a repetition is accepted");
    let database = open(&place);
    let events = database.round_changes(driver.round(), EventId(0), 100).unwrap();
    assert_eq!(events.last().unwrap().state.name(), "waiting", "the next cycle");
    assert_eq!(database.counts(None).unwrap().completed, 1);
}

/// An executor that always fails.
struct Broken;

impl Executor for Broken {
    fn execute(&mut self, _: &Work, _: &dyn WorkSource, _: &mut Control) -> Result<Outcome, Failure> {
        Err(Failure::Failed("out of luck".to_string()))
    }
}

#[test]
fn a_job_that_fails_again_and_again_concludes_its_run() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(3));
    let executors: Vec<Box<dyn Executor + Send>> = vec![Box::new(Broken)];
    let (driver, _) = follow(&place, driver(&place, &small, "a", BUDGET), executors, |_| ());
    for row in driver.rows() {
        let outcome = row.outcome.as_ref().unwrap();
        assert_eq!(outcome.reason.as_deref(), Some("the search failed in 3 attempts: out of luck"));
        assert_eq!((outcome.verdict, outcome.failed), (Verdict::Unknown, true));
        assert!(matches!(row.conclusion, Some(Conclusion::Failed { .. })));
    }
    let verdicts = open(&place).verdicts(driver.round()).unwrap();
    assert!(verdicts.len() == 3 && verdicts.iter().all(|one| one.verdict.answer == Answer::Failed));
}

/// Another build of Axle, and other inputs.
#[test]
fn a_worker_refuses_a_run_that_differs() {
    let mut files = Files::new();
    let (place, small) = (files.create(), small());
    let driver = driver(&place, &small, "a", BUDGET);
    let source = StoreSource::new(open(&place), None, LEASE);
    let mut other = Workshop::new("another build".to_string(), None);
    let refused = work(&source, &mut other, &settings("other"), &Until::default());
    assert!(matches!(&refused, Err(WorkError::Refused(why)) if why.contains("another build")), "{refused:?}");
    let mut work = source.lease("worker", Duration::ZERO).unwrap().expect("the job was released");
    assert_eq!(work.lease.attempt, 2);
    // The same run of a model that was changed.
    let mut changed = small.seen.clone();
    changed.files.insert("model.pml".to_string(), Arc::from(&b"byte n; init { n++ }"[..]));
    let list = Inputs::of(&changed).bytes();
    let mut contents: Vec<&[u8]> = changed.files.values().map(|content| &**content).collect();
    contents.push(&list);
    let hashes = open(&place).store_contents(&contents).unwrap();
    work.payload.inputs = *hashes.last().unwrap();
    let mut control = Control {
        elapsed: Arc::new(|| Duration::ZERO),
        cancelled: Arc::new(|| false),
        progress: Box::new(|_| {}),
    };
    let mut workshop = Workshop::new(BUILD.to_string(), None);
    let failed = workshop.execute(&work, &source, &mut control);
    assert!(matches!(&failed, Err(Failure::Failed(why)) if why.contains("slice")), "{failed:?}");
    drop(driver);
}

/// A disk without space stops the round until there is space again.
#[test]
fn a_full_disk_loses_nothing() {
    let mut files = Files::new();
    let (place, small) = (files.create(), many(20));
    let Place::Sqlite(path) = &place else { unreachable!("a file") };
    let store = Arc::new(SqliteStore::open(path, Duration::from_secs(5)).unwrap());
    let mut driver = Driver::open(store.clone(), &opening(&small, "a", BUDGET, LEASE)).expect("a round");
    let source = StoreSource::new(store.clone(), None, LEASE);
    let mut executor = Simulated::new(Duration::ZERO);
    store.limit_pages(1).unwrap();
    let mut done = 0;
    let fault = loop {
        let attempt = source.lease("worker", Duration::ZERO).and_then(|work| {
            let work = work.expect("a job");
            let mut control = Control {
                elapsed: Arc::new(|| Duration::ZERO),
                cancelled: Arc::new(|| false),
                progress: Box::new(|_| {}),
            };
            let outcome = executor.execute(&work, &source, &mut control).unwrap();
            source.complete(work.lease, &outcome)
        });
        match attempt {
            Ok(()) => done += 1,
            Err(fault) => break fault,
        }
    };
    assert!(matches!(&fault, WorkError::Unavailable(why) if why.contains("disk space")), "{fault:?}");
    // The driver reads what there is; what it cannot write is a transient error.
    for _ in 0..3 {
        if let Err(fault) = driver.step(Duration::ZERO) {
            assert!(matches!(fault, StoreError::Full(_)), "{fault}");
        }
    }
    assert_eq!(store.counts(None).unwrap().completed, done);
    store.limit_pages(1_000_000).unwrap();
    // The job of the failed completion is repeated.
    let (driver, _) = follow(&place, driver, simulated(2, Duration::ZERO), |_| ());
    assert!(driver.rows().iter().all(|row| row.outcome.as_ref().unwrap().verdict != Verdict::Unknown));
}

/// A project in memory answers as its folder does.
#[test]
fn inputs_are_fetched_by_hash() {
    let small = small();
    let inputs = Inputs::of(&small.seen);
    let list = inputs.bytes();
    let mut contents: BTreeMap<_, Vec<u8>> = BTreeMap::new();
    for content in small.seen.files.values() {
        contents.insert(axle_feaver::results::key::Hash::of(content), content.to_vec());
    }
    let hash = axle_feaver::results::key::Hash::of(&list);
    contents.insert(hash, list);
    let fetch = |hash| contents.get(&hash).cloned().ok_or_else(|| WorkError::Refused("no content".into()));
    let folder = Inputs::fetch(hash, fetch).expect("the project");
    assert_eq!(
        folder.seen(),
        Seen { present: inputs.present, folders: inputs.folders, ..small.seen.clone() }
    );
    let again = rounds_support::of(folder.seen());
    let keys = |small: &Small| small.runs.iter().map(|run| run.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&again), keys(&small));
    let forged = Inputs::fetch(hash, |_| Ok::<_, WorkError>(b"other".to_vec()));
    assert!(matches!(forged, Err(WorkError::Refused(why)) if why.contains("another hash")));
}
