//! Random requests, compared with a model of the queue in memory.

use std::collections::BTreeMap;
use std::time::Duration;

use axle_feaver::jobs::error::{Refusal, StoreError};
use axle_feaver::jobs::job::{
    Completion, JobId, JobState, Lease, LeaseRequest, NewJob, RoundId, Selection, Timestamp,
};
use axle_feaver::jobs::store::JobStore;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::{Place, job};

/// A request. Jobs and leases are chosen among those that exist, by index modulo their number.
#[derive(Clone, Debug)]
enum Request {
    Submit { key: u8, cycle: u8, weight: u32 },
    Lease { count: u32, duration: u64 },
    Heartbeat(usize),
    Complete { lease: usize, follow_up: Option<u8> },
    Fail(usize),
    Release(usize),
    CancelRun(u8),
    CancelJob(usize),
    Expire,
}

/// A request and the change of the clock before it, which may be negative.
fn request() -> impl Strategy<Value = (Request, i64)> {
    let request = prop_oneof![
        3 => (0u8..30, 0u8..3, 0u32..3)
            .prop_map(|(key, cycle, weight)| Request::Submit { key, cycle, weight }),
        4 => (1u32..4, 1u64..200).prop_map(|(count, duration)| Request::Lease { count, duration }),
        2 => any::<usize>().prop_map(Request::Heartbeat),
        3 => (any::<usize>(), prop::option::of(30u8..60))
            .prop_map(|(lease, follow_up)| Request::Complete { lease, follow_up }),
        1 => any::<usize>().prop_map(Request::Fail),
        1 => any::<usize>().prop_map(Request::Release),
        1 => (0u8..8).prop_map(Request::CancelRun),
        1 => any::<usize>().prop_map(Request::CancelJob),
        1 => Just(Request::Expire),
    ];
    (request, prop_oneof![4 => 0i64..80, 1 => -300i64..0])
}

/// A job of the model.
#[derive(Clone, Debug)]
struct Modelled {
    job: NewJob,
    state: JobState,
    attempt: u32,
    failures: u32,
    /// Renewal and duration of the lease.
    lease: Option<(i64, i64)>,
}

/// The queue in memory. It has the ids of the database, which may have gaps.
#[derive(Default)]
struct Model {
    jobs: BTreeMap<JobId, Modelled>,
}

/// The result of a request with a lease, reduced to what the model predicts.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Done,
    Refused(Refusal),
}

fn answer<T>(result: Result<T, StoreError>) -> Answer {
    match result {
        Ok(_) => Answer::Done,
        Err(StoreError::Refused(refusal)) => Answer::Refused(refusal),
        Err(error) => panic!("{error}"),
    }
}

impl Model {
    fn submit(&mut self, id: JobId, job: &NewJob) {
        let state = JobState::Waiting;
        self.jobs.entry(id).or_insert(Modelled {
            job: job.clone(),
            state,
            attempt: 0,
            failures: 0,
            lease: None,
        });
    }

    fn expire(&mut self, now: i64) -> Vec<JobId> {
        let mut expired = Vec::new();
        for (&id, it) in &mut self.jobs {
            let Some((renewed, duration)) = it.lease else { continue };
            if renewed > now {
                it.lease = Some((now, duration));
            } else if renewed + duration <= now {
                it.end_attempt();
                expired.push(id);
            }
        }
        expired
    }

    fn lease(&mut self, count: usize, duration: i64, now: i64) -> Vec<Lease> {
        self.expire(now);
        let waiting = self.jobs.iter().filter(|(_, it)| it.state == JobState::Waiting);
        let mut order: Vec<_> = waiting.map(|(&id, it)| (it.job.priority, id)).collect();
        order.sort();
        let leased = order.into_iter().take(count).map(|(_, id)| id);
        let lease = |id| {
            let it = self.jobs.get_mut(&id).unwrap();
            it.state = JobState::Leased;
            it.attempt += 1;
            it.lease = Some((now, duration));
            Lease { job: id, attempt: it.attempt }
        };
        leased.map(lease).collect()
    }

    /// The job of a valid lease, or the expected refusal.
    fn held(&mut self, lease: Lease) -> Result<&mut Modelled, Refusal> {
        let Lease { job, attempt } = lease;
        let it = self.jobs.get_mut(&job).unwrap();
        match it.state {
            JobState::Leased if it.attempt == attempt => Ok(it),
            JobState::Cancelled => Err(Refusal::Cancelled(job)),
            state => Err(Refusal::LeaseEnded { job, attempt, state, current: it.attempt }),
        }
    }

    fn cancel(&mut self, selected: impl Fn(JobId, &NewJob) -> bool) -> Vec<JobId> {
        let mut cancelled = Vec::new();
        for (&id, it) in &mut self.jobs {
            if !it.state.is_final() && selected(id, &it.job) {
                (it.state, it.lease) = (JobState::Cancelled, None);
                cancelled.push(id);
            }
        }
        cancelled
    }
}

impl Modelled {
    fn end_attempt(&mut self) {
        self.failures += 1;
        let failed = self.failures >= self.job.max_failures;
        self.state = if failed { JobState::Failed } else { JobState::Waiting };
        self.lease = None;
    }
}

/// Executes a request on both and compares the answers.
fn step(store: &dyn JobStore, model: &mut Model, leases: &mut Vec<Lease>, request: &Request, now: i64) {
    let time = Timestamp(now);
    let new = |key: u8, cycle, weight| job(&format!("key {key}"), cycle, weight, (key % 8).into());
    let pick = |index: &usize| (!leases.is_empty()).then(|| leases[index % leases.len()]);
    match request {
        Request::Submit { key, cycle, weight } => {
            let job = new(*key, *cycle, *weight);
            model.submit(store.submit(std::slice::from_ref(&job), time).unwrap()[0], &job);
        }
        Request::Lease { count, duration } => {
            let request = LeaseRequest {
                worker: "w".to_owned(),
                count: *count,
                duration: Duration::from_millis(*duration),
                round: None,
                token: None,
            };
            let leased: Vec<Lease> = store.lease(&request, time).unwrap().iter().map(|it| it.lease).collect();
            assert_eq!(leased, model.lease(*count as usize, *duration as i64, now));
            leases.extend(leased);
        }
        Request::Heartbeat(index) => {
            let Some(lease) = pick(index) else { return };
            let expected = model.held(lease).map(|it| {
                let duration = it.lease.unwrap().1;
                it.lease = Some((now, duration));
            });
            assert_eq!(answer(store.heartbeat(lease, None, time)), predicted(expected));
        }
        Request::Complete { lease, follow_up } => {
            let Some(lease) = pick(lease) else { return };
            let follow_ups: Vec<NewJob> = follow_up.iter().map(|key| new(*key, 1, 0)).collect();
            let it = model.jobs.get_mut(&lease.job).unwrap();
            let repeated = it.state == JobState::Completed && it.attempt == lease.attempt;
            let expected = if repeated {
                Ok(())
            } else {
                model.held(lease).map(|it| (it.state, it.lease) = (JobState::Completed, None))
            };
            let fresh = expected.is_ok() && !repeated;
            let completion = Completion { result: vec![1], follow_ups };
            assert_eq!(answer(store.complete(lease, &completion, time)), predicted(expected));
            if fresh {
                for job in &completion.follow_ups {
                    // The id of the job is that of an equal submission.
                    model.submit(store.submit(std::slice::from_ref(job), time).unwrap()[0], job);
                }
            }
        }
        Request::Fail(index) => {
            let Some(lease) = pick(index) else { return };
            let expected = model.held(lease).map(Modelled::end_attempt);
            assert_eq!(answer(store.fail(lease, "x", time)), predicted(expected));
        }
        Request::Release(index) => {
            let Some(lease) = pick(index) else { return };
            let expected = model.held(lease).map(|it| (it.state, it.lease) = (JobState::Waiting, None));
            assert_eq!(answer(store.release(lease, time)), predicted(expected));
        }
        Request::CancelRun(run) => {
            let run = u32::from(*run);
            let selection = Selection::Run(RoundId(1), run);
            let cancelled = store.cancel(&selection, time).unwrap();
            assert_eq!(cancelled, model.cancel(|_, job| job.priority.number == run));
        }
        Request::CancelJob(index) => {
            let Some(lease) = pick(index) else { return };
            let cancelled = store.cancel(&Selection::Jobs(vec![lease.job]), time).unwrap();
            assert_eq!(cancelled, model.cancel(|id, _| id == lease.job));
        }
        Request::Expire => assert_eq!(store.expire(time).unwrap(), model.expire(now)),
    }
}

fn predicted(expected: Result<(), Refusal>) -> Answer {
    expected.map_or_else(Answer::Refused, |()| Answer::Done)
}

/// Compares all jobs of the database with the model.
fn compare(store: &dyn JobStore, model: &Model) {
    for (&id, it) in &model.jobs {
        let stored = store.job(id).unwrap().unwrap();
        let expires = it.lease.map(|(renewed, duration)| Timestamp(renewed + duration));
        assert_eq!(stored.submitted, it.job);
        assert_eq!(
            (stored.state, stored.attempt, stored.failures, stored.expires),
            (it.state, it.attempt, it.failures, expires)
        );
    }
    let counts = store.counts(Some(RoundId(1))).unwrap();
    let all = counts.open() + counts.completed + counts.cancelled + counts.failed;
    assert_eq!(all, model.jobs.len() as u64);
}

/// All cases use one database; the tables are emptied first.
pub fn random_requests_agree_with_a_model(place: &Place) {
    let store = place.open();
    let clear = "DELETE FROM job_event; DELETE FROM job;";
    let mut reset: Box<dyn FnMut()> = match place {
        Place::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            Box::new(move || connection.execute_batch(clear).unwrap())
        }
        Place::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            Box::new(move || client.batch_execute(clear).unwrap())
        }
    };
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let requests = prop::collection::vec(request(), 1..60);
    let case = |requests: Vec<(Request, i64)>| {
        reset();
        let (mut model, mut leases, mut now) = (Model::default(), Vec::new(), 1000);
        for (request, change) in &requests {
            now += change;
            step(&*store, &mut model, &mut leases, request, now);
        }
        compare(&*store, &model);
        Ok(())
    };
    // The closure needs mutable access to the connection that resets the tables.
    let case = std::cell::RefCell::new(case);
    TestRunner::new(config).run(&requests, |requests| (case.borrow_mut())(requests)).unwrap();
}
