//! Cost of scheduling: 1,000 queued jobs and 50 workers whose jobs take no time. Printed, not
//! asserted: `cargo nextest run -p axle-feaver --no-capture -E 'test(throughput)'`.

use std::time::{Duration, Instant};

use crate::support::{Databases, Files, Place, durable_cluster, job, request};
use axle_feaver::jobs::job::{Completion, NewJob, Timestamp};
use axle_feaver::jobs::schedule::Schedule;
use axle_feaver::jobs::store::JobStore;
use axle_feaver::jobs::task::{Outcome, Report};

const JOBS: u32 = 1000;
const WORKERS: usize = 50;

/// Leases and completes jobs until none waits, and returns how many.
fn work(store: &dyn JobStore) -> usize {
    let mut number = 0;
    while let Some(leased) = store.lease(&request(1), Timestamp(0)).unwrap().pop() {
        store.complete(leased.lease, &Completion::default(), Timestamp(0)).unwrap();
        number += 1;
    }
    number
}

/// `shared`: all workers use one connection, as in a server. Otherwise each has its own.
fn measure(name: &str, place: &Place, shared: bool) {
    let store = place.open();
    let jobs: Vec<NewJob> = (0..JOBS).map(|number| job(&number.to_string(), 0, number % 7, number)).collect();
    let begin = Instant::now();
    store.submit(&jobs, Timestamp(0)).unwrap();
    let submitted = begin.elapsed();
    let stores: Vec<_> = (0..if shared { 0 } else { WORKERS }).map(|_| place.open()).collect();
    let begin = Instant::now();
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WORKERS)
            .map(|worker| {
                let store: &dyn JobStore = stores.get(worker).map_or(&*store, |store| &**store);
                scope.spawn(move || work(store))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let elapsed = begin.elapsed();
    assert_eq!(done, JOBS as usize);
    assert_eq!(store.counts(None).unwrap().completed, u64::from(JOBS));
    let per_job = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(JOBS);
    println!(
        "{name}: {:.3} ms per job to submit, {:.3} ms to lease and complete ({JOBS} jobs, {WORKERS} workers)",
        per_job(submitted),
        per_job(elapsed)
    );
}

#[test]
fn sqlite() {
    let mut files = Files::on_disk();
    measure("SQLite, one connection", &files.create(), true);
}

#[test]
fn postgres() {
    if let Some(mut cluster) = durable_cluster() {
        measure("PostgreSQL, a connection per worker", &cluster.create(), false);
    }
}

#[test]
fn schedule() {
    let begin = Instant::now();
    let mut schedule = Schedule::new(&vec![0; JOBS as usize], Duration::MAX);
    let mut number = 0;
    while let Some(task) = schedule.start_next() {
        number += 1;
        let report = Report { outcome: Outcome::Inconclusive, coverage: Default::default() };
        schedule.finish(task, report).unwrap();
    }
    println!("schedule: {:.1} us per job", begin.elapsed().as_secs_f64() * 1e6 / f64::from(number));
    assert_eq!(number, JOBS * 8);
}
