//! Leases, heartbeats, completions and failures.

use axle_feaver::jobs::error::{Refusal, StoreError};
use axle_feaver::jobs::job::{Completion, JobId, JobState, Lease, NewJob, Recorded, Timestamp};

use crate::support::{Place, job, keys, lease, request, submit};

/// The refusal in an error.
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>) -> Refusal {
    match result {
        Err(StoreError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

pub fn a_job_has_one_lease(place: &Place) {
    let store = place.open();
    submit(&*store, &["a", "b", "c"]);
    let first = store.lease(&request(2), Timestamp(0)).unwrap();
    assert_eq!(keys(&first), ["a", "b"]);
    assert_eq!(first[0].expires, Timestamp(1000));
    assert_eq!(first[0].lease.attempt, 1);
    assert_eq!(keys(&place.open().lease(&request(2), Timestamp(0)).unwrap()), ["c"]);
    let stored = store.job(first[0].lease.job).unwrap().unwrap();
    assert_eq!(stored.state, JobState::Leased);
    assert_eq!(stored.worker.as_deref(), Some("worker"));
    assert!(store.lease(&request(0), Timestamp(0)).unwrap().is_empty());
}

pub fn heartbeats_extend_and_report(place: &Place) {
    let store = place.open();
    submit(&*store, &["a"]);
    let leased = lease(&*store, 0);
    assert_eq!(store.heartbeat(leased.lease, Some(b"10 %"), Timestamp(900)).unwrap(), Timestamp(1900));
    assert_eq!(store.heartbeat(leased.lease, None, Timestamp(1800)).unwrap(), Timestamp(2800));
    assert!(store.expire(Timestamp(2799)).unwrap().is_empty());
    let stored = store.job(leased.lease.job).unwrap().unwrap();
    assert_eq!(stored.progress.as_deref(), Some(&b"10 %"[..]));
    assert_eq!(stored.expires, Some(Timestamp(2800)));
    assert_eq!(store.expire(Timestamp(2800)).unwrap(), [leased.lease.job]);
    // Progress of an earlier attempt is not shown for a later one.
    lease(&*store, 3000);
    assert_eq!(store.job(leased.lease.job).unwrap().unwrap().progress, None);
}

pub fn a_completion_stores_result_and_follow_ups(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    let leased = lease(&*store, 0);
    let completion = Completion { result: vec![0, 255, 7], follow_ups: vec![job("a+", 1, 0, 0)] };
    assert_eq!(store.complete(leased.lease, &completion, Timestamp(5)).unwrap(), Recorded::Now);
    let stored = store.job(ids[0]).unwrap().unwrap();
    assert_eq!((stored.state, stored.result), (JobState::Completed, Some(vec![0, 255, 7])));
    assert_eq!(stored.expires, None);
    assert_eq!(keys(&store.lease(&request(5), Timestamp(6)).unwrap()), ["a+"]);
}

/// The answer to a completion may be lost with the connection, so that the worker repeats it.
pub fn a_repeated_completion_changes_nothing(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    let leased = lease(&*store, 0);
    let completion = Completion { result: vec![1], follow_ups: vec![job("a+", 1, 0, 0)] };
    store.complete(leased.lease, &completion, Timestamp(5)).unwrap();
    assert_eq!(store.complete(leased.lease, &completion, Timestamp(6)).unwrap(), Recorded::Before);
    let other = Completion { result: vec![2], follow_ups: vec![job("b+", 1, 0, 0)] };
    let refusal = refused(store.complete(leased.lease, &other, Timestamp(7)));
    assert_eq!(refusal, Refusal::OtherResult { job: ids[0], attempt: 1 });
    assert_eq!(store.job(ids[0]).unwrap().unwrap().result, Some(vec![1]));
    assert_eq!(store.counts(None).unwrap().waiting, 1);
}

pub fn a_failed_completion_stores_nothing(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    let leased = lease(&*store, 0);
    let invalid = NewJob { max_failures: 0, ..job("y", 1, 0, 0) };
    let completion = Completion { result: vec![1], follow_ups: vec![job("x", 1, 0, 0), invalid] };
    assert!(store.complete(leased.lease, &completion, Timestamp(5)).is_err());
    let stored = store.job(ids[0]).unwrap().unwrap();
    assert_eq!((stored.state, stored.result), (JobState::Leased, None));
    assert_eq!(store.counts(None).unwrap().waiting, 0);
    assert_eq!(store.complete(leased.lease, &Completion::default(), Timestamp(6)).unwrap(), Recorded::Now);
}

pub fn a_late_worker_may_complete_before_its_lease_is_collected(place: &Place) {
    let store = place.open();
    submit(&*store, &["a", "b"]);
    let (first, second) = (lease(&*store, 0), lease(&*store, 0));
    assert_eq!(store.complete(first.lease, &Completion::default(), Timestamp(5000)).unwrap(), Recorded::Now);
    assert_eq!(store.heartbeat(second.lease, None, Timestamp(5000)).unwrap(), Timestamp(6000));
}

pub fn an_older_attempt_is_refused(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    let frozen = lease(&*store, 0).lease;
    assert_eq!(store.expire(Timestamp(1000)).unwrap(), ids);
    let completion = Completion { result: vec![1], follow_ups: vec![job("x", 1, 0, 0)] };
    let ended = |state, current| Refusal::LeaseEnded { job: ids[0], attempt: 1, state, current };
    let refusal = refused(store.complete(frozen, &completion, Timestamp(1001)));
    assert_eq!(refusal, ended(JobState::Waiting, 1));

    let current = lease(&*store, 1001).lease;
    assert_eq!(current.attempt, 2);
    for refusal in [
        refused(store.complete(frozen, &completion, Timestamp(1002))),
        refused(store.heartbeat(frozen, Some(b"x"), Timestamp(1002))),
        refused(store.fail(frozen, "x", Timestamp(1002))),
        refused(store.release(frozen, Timestamp(1002))),
    ] {
        assert_eq!(refusal, ended(JobState::Leased, 2));
    }
    assert_eq!(store.counts(None).unwrap().waiting, 0, "no follow-up job of a refused completion");
    let result = Completion { result: vec![2], follow_ups: Vec::new() };
    store.complete(current, &result, Timestamp(1003)).unwrap();
    let refusal = refused(store.complete(frozen, &completion, Timestamp(1004)));
    assert_eq!(refusal, ended(JobState::Completed, 2));
    assert_eq!(store.job(ids[0]).unwrap().unwrap().result, Some(vec![2]));
}

pub fn failures_are_counted(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    assert_eq!(
        store.fail(lease(&*store, 0).lease, "out of memory", Timestamp(1)).unwrap(),
        JobState::Waiting
    );
    assert_eq!(store.job(ids[0]).unwrap().unwrap().reason.as_deref(), Some("out of memory"));
    lease(&*store, 2);
    store.expire(Timestamp(2000)).unwrap();
    assert_eq!(store.fail(lease(&*store, 2001).lease, "again", Timestamp(2002)).unwrap(), JobState::Failed);
    let stored = store.job(ids[0]).unwrap().unwrap();
    assert_eq!((stored.state, stored.failures, stored.attempt), (JobState::Failed, 3, 3));
    assert!(store.lease(&request(1), Timestamp(9999)).unwrap().is_empty());
}

pub fn a_release_is_no_failure(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    for attempt in 1..6 {
        let leased = lease(&*store, 0).lease;
        assert_eq!(leased.attempt, attempt);
        store.release(leased, Timestamp(0)).unwrap();
    }
    let stored = store.job(ids[0]).unwrap().unwrap();
    assert_eq!((stored.state, stored.failures, stored.attempt), (JobState::Waiting, 0, 5));
}

pub fn an_unknown_job_is_refused(place: &Place) {
    let store = place.open();
    let unknown = Lease { job: JobId(77), attempt: 1 };
    let refusal = refused(store.complete(unknown, &Completion::default(), Timestamp(0)));
    assert_eq!(refusal, Refusal::NoSuchJob(JobId(77)));
    let ids = submit(&*store, &["a"]);
    let never_leased = Lease { job: ids[0], attempt: 0 };
    assert!(matches!(refused(store.heartbeat(never_leased, None, Timestamp(0))), Refusal::LeaseEnded { .. }));
}
