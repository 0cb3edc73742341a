//! Requests of several connections at the same time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{Completion, EventId, JobId, JobState, NewJob, RoundId, Selection, Timestamp};
use axle_feaver::jobs::store::JobStore;

use crate::support::{Place, job, request};

/// Number of connections.
const THREADS: usize = 6;

/// Repeats a request after transient errors, such as a deadlock that the database resolves.
fn repeat<T>(mut request: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    loop {
        match request() {
            Err(error) if error.is_transient() => std::thread::sleep(Duration::from_millis(1)),
            other => return other,
        }
    }
}

/// Leases and completes jobs until none waits. Each job up to cycle 3 has a follow-up job.
fn work(store: &dyn JobStore) -> Vec<JobId> {
    let mut done = Vec::new();
    loop {
        let leased = repeat(|| store.lease(&request(3), Timestamp(0))).unwrap();
        if leased.is_empty() {
            return done;
        }
        for it in leased {
            let mut follow_up = it.job.clone();
            follow_up.priority.cycle += 1;
            follow_up.key = format!("{}'", it.job.key);
            let follow_ups = if it.job.priority.cycle < 3 { vec![follow_up] } else { Vec::new() };
            let completion = Completion { result: Vec::new(), follow_ups };
            match repeat(|| store.complete(it.lease, &completion, Timestamp(0))) {
                Ok(_) => done.push(it.lease.job),
                Err(StoreError::Refused(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn jobs(count: u32) -> Vec<NewJob> {
    (0..count).map(|number| job(&format!("job {number}"), 0, number % 3, number)).collect()
}

pub fn each_job_is_leased_once(place: &Place) {
    let store = place.open();
    store.submit(&jobs(60), Timestamp(0)).unwrap();
    let done: Vec<JobId> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| work(&*place.open()))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    // A thread may find the queue empty while another one adds follow-up jobs.
    let rest = work(&*store);
    let distinct: BTreeSet<JobId> = done.iter().chain(&rest).copied().collect();
    assert_eq!((done.len() + rest.len(), distinct.len()), (240, 240));
    let events = store.changes(EventId(0), 10_000).unwrap();
    assert_eq!(events.iter().filter(|event| event.state == JobState::Leased).count(), 240);
}

pub fn equal_submissions_add_one_job(place: &Place) {
    let all = jobs(20);
    let ids: BTreeSet<Vec<JobId>> = std::thread::scope(|scope| {
        let submit = || repeat(|| place.open().submit(&all, Timestamp(0))).unwrap();
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(submit)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 1, "all requests return the same ids");
    assert_eq!(place.open().counts(None).unwrap().waiting, 20);
}

/// Ids of events are assigned before the commit: a reader must not pass over an event that another
/// transaction has not committed yet.
pub fn readers_miss_no_event(place: &Place) {
    let store = place.open();
    let ended = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (reader, mut seen, mut after) = (place.open(), Vec::new(), EventId(0));
            loop {
                let last = ended.load(Ordering::SeqCst);
                let events = repeat(|| reader.changes(after, 1000)).unwrap();
                after = events.last().map_or(after, |event| event.id);
                seen.extend(events.iter().map(|event| event.id));
                if last && events.is_empty() {
                    return seen;
                }
            }
        });
        let writers: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let store = place.open();
                    for number in 0..25 {
                        let pair = [0, 1].map(|part| job(&format!("{thread} {number} {part}"), 0, 0, number));
                        repeat(|| store.submit(&pair, Timestamp(0))).unwrap();
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        ended.store(true, Ordering::SeqCst);
        reader.join().unwrap()
    });
    let all: Vec<EventId> = store.changes(EventId(0), 10_000).unwrap().iter().map(|event| event.id).collect();
    assert_eq!(all.len(), THREADS * 50);
    assert_eq!(seen, all);
}

/// A completion and a cancellation of its round at the same time leave no follow-up job behind.
pub fn no_follow_up_survives_a_cancellation(place: &Place) {
    let store = place.open();
    for round in 1..=6 {
        let jobs: Vec<NewJob> =
            jobs(12).into_iter().map(|job| NewJob { round: RoundId(round), ..job }).collect();
        store.submit(&jobs, Timestamp(0)).unwrap();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3).map(|_| scope.spawn(|| work(&*place.open()))).collect();
            std::thread::sleep(Duration::from_millis(5));
            repeat(|| store.cancel(&Selection::Round(RoundId(round)), Timestamp(0))).unwrap();
            let counts = store.counts(Some(RoundId(round))).unwrap();
            assert_eq!(counts.open(), 0, "round {round}");
            workers.into_iter().for_each(|worker| drop(worker.join().unwrap()));
        });
    }
}

/// A completion has locked its job and added a follow-up job when the cancellation begins. The
/// follow-up job is not in the snapshot of the first statement of the cancellation. SQLite has one
/// writer at a time, so that this order is impossible.
pub fn a_cancellation_waits_for_a_completion(place: &Place) {
    let store = place.open();
    store.submit(&jobs(1), Timestamp(0)).unwrap();
    let Place::Postgres(url) = place else { return };
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    let mut completion = client.transaction().unwrap();
    let complete = "UPDATE job SET state = 'completed', result = ''; INSERT INTO job
        (round, key, cycle, weight, number, max_failures, payload, state, attempt, failures)
        VALUES (1, 'follow-up', 1, 0, 0, 1, '', 'waiting', 0, 0)";
    completion.batch_execute(complete).unwrap();
    std::thread::scope(|scope| {
        let cancellation = scope.spawn(|| store.cancel(&Selection::Round(RoundId(1)), Timestamp(0)).unwrap());
        std::thread::sleep(Duration::from_millis(200));
        completion.commit().unwrap();
        assert_eq!(cancellation.join().unwrap().len(), 1);
    });
    assert_eq!(store.counts(None).unwrap().open(), 0);
}
