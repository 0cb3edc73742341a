//! Clocks that are set back or forward.

use axle_feaver::jobs::job::{Completion, JobState, Recorded, Timestamp};

use crate::support::{Place, keys, lease, request, submit};

/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The worker of a lease is dead and the clock is set back by a day: the job waits again after the
/// duration of the lease, not after a day.
pub fn a_clock_set_back_extends_no_lease(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    let dead = lease(&*store, DAY).lease;
    assert!(store.expire(Timestamp(0)).unwrap().is_empty(), "the lease is renewed at the new time");
    assert!(store.expire(Timestamp(999)).unwrap().is_empty());
    assert_eq!(store.expire(Timestamp(1000)).unwrap(), ids);
    assert!(store.complete(dead, &Completion::default(), Timestamp(1001)).is_err());
    assert_eq!(lease(&*store, 1001).lease.attempt, 2);
}

pub fn a_clock_set_back_loses_nothing(place: &Place) {
    let store = place.open();
    submit(&*store, &["a", "b", "c"]);
    let (first, second) = (lease(&*store, DAY), lease(&*store, DAY));
    // A request for work collects leases, too: it must not lease a job twice.
    assert_eq!(keys(&store.lease(&request(9), Timestamp(500)).unwrap()), ["c"]);
    assert_eq!(store.heartbeat(first.lease, None, Timestamp(600)).unwrap(), Timestamp(1600));
    assert_eq!(store.complete(first.lease, &Completion::default(), Timestamp(700)).unwrap(), Recorded::Now);
    assert_eq!(store.complete(second.lease, &Completion::default(), Timestamp(-5)).unwrap(), Recorded::Now);
    let events = store.changes(axle_feaver::jobs::job::EventId(0), 100).unwrap();
    assert!(events.is_sorted_by_key(|event| event.id), "events are ordered by id, not by time");
    let completed = events.iter().filter(|event| event.state == JobState::Completed).count();
    assert_eq!(completed, 2);
}

pub fn a_clock_set_forward_repeats_work_only(place: &Place) {
    let store = place.open();
    submit(&*store, &["a"]);
    let first = lease(&*store, 0).lease;
    let second = lease(&*store, DAY).lease;
    assert_eq!(second.attempt, 2);
    assert!(store.complete(first, &Completion::default(), Timestamp(1)).is_err());
    assert_eq!(store.complete(second, &Completion::default(), Timestamp(2)).unwrap(), Recorded::Now);
    assert_eq!(store.counts(None).unwrap().completed, 1);
}
