//! Events and waiting for them.

use std::time::{Duration, Instant};

use axle_feaver::jobs::job::{Completion, EventId, JobState, RoundId, Selection, Timestamp};

use crate::support::{Place, lease, submit};

pub fn each_change_has_an_event(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a", "b"]);
    let first = lease(&*store, 10).lease;
    store.heartbeat(first, None, Timestamp(20)).unwrap();
    store.fail(first, "killed", Timestamp(30)).unwrap();
    let second = lease(&*store, 40).lease;
    store.complete(second, &Completion::default(), Timestamp(50)).unwrap();
    store.cancel(&Selection::Round(RoundId(1)), Timestamp(60)).unwrap();
    let events = store.changes(EventId(0), 100).unwrap();
    let seen: Vec<_> =
        events.iter().map(|it| (it.job, it.state, it.attempt, it.at.0, it.detail.as_str())).collect();
    let expected = [
        (ids[0], JobState::Waiting, 0, 0, ""),
        (ids[1], JobState::Waiting, 0, 0, ""),
        (ids[0], JobState::Leased, 1, 10, "worker"),
        (ids[0], JobState::Waiting, 1, 30, "killed"),
        (ids[0], JobState::Leased, 2, 40, "worker"),
        (ids[0], JobState::Completed, 2, 50, ""),
        (ids[1], JobState::Cancelled, 0, 60, ""),
    ];
    assert_eq!(seen, expected);
    assert!(events.iter().all(|event| event.round == RoundId(1)));
}

pub fn changes_are_read_in_parts(place: &Place) {
    let store = place.open();
    submit(&*store, &["a", "b", "c", "d", "e"]);
    let mut after = EventId(0);
    let mut sizes = Vec::new();
    loop {
        let events = store.changes(after, 2).unwrap();
        let Some(last) = events.last() else { break };
        after = last.id;
        sizes.push(events.len());
    }
    assert_eq!(sizes, [2, 2, 1]);
}

pub fn a_wait_ends_with_an_event(place: &Place) {
    let store = place.open();
    assert!(!store.watch(EventId(0), Duration::ZERO).unwrap());
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            submit(&*place.open(), &["a"]);
        });
        assert!(store.watch(EventId(0), Duration::from_secs(15)).unwrap());
    });
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert!(store.watch(EventId(0), Duration::ZERO).unwrap(), "an event that exists ends the wait at once");
}

pub fn a_wait_ends_without_an_event(place: &Place) {
    let store = place.open();
    submit(&*store, &["a"]);
    let last = store.changes(EventId(0), 9).unwrap().pop().unwrap().id;
    let begin = Instant::now();
    assert!(!store.watch(last, Duration::from_millis(150)).unwrap());
    assert!(begin.elapsed() >= Duration::from_millis(150));
}
