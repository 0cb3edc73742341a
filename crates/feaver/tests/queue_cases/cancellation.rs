//! Cancellation of jobs, runs and rounds.

use axle_feaver::jobs::error::{Refusal, StoreError};
use axle_feaver::jobs::job::{Completion, JobState, NewJob, RoundId, Selection, Timestamp};

use crate::support::{Place, job, lease, request, submit};

pub fn open_jobs_are_cancelled(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a", "b"]);
    let leased = lease(&*store, 0).lease;
    assert_eq!(store.cancel(&Selection::Round(RoundId(1)), Timestamp(1)).unwrap(), ids);
    for result in [
        store.heartbeat(leased, None, Timestamp(2)).map(|_| ()),
        store.complete(leased, &Completion::default(), Timestamp(2)).map(|_| ()),
        store.release(leased, Timestamp(2)),
    ] {
        assert!(matches!(result, Err(StoreError::Refused(Refusal::Cancelled(job))) if job == ids[0]));
    }
    assert!(store.lease(&request(5), Timestamp(3)).unwrap().is_empty());
    assert!(store.expire(Timestamp(99_999)).unwrap().is_empty());
    assert_eq!(store.counts(None).unwrap().cancelled, 2);
}

pub fn selections_are_limited(place: &Place) {
    let store = place.open();
    let other = NewJob { round: RoundId(2), ..job("a", 0, 0, 0) };
    let jobs = [job("a", 0, 0, 0), job("b", 0, 0, 0), job("c", 0, 0, 1), job("d", 0, 0, 2), other];
    let ids = store.submit(&jobs, Timestamp(0)).unwrap();
    let run = Selection::Run(RoundId(1), 0);
    assert_eq!(store.cancel(&run, Timestamp(1)).unwrap(), ids[..2]);
    assert_eq!(store.cancel(&run, Timestamp(1)).unwrap(), []);
    let selected = Selection::Jobs(vec![ids[3], ids[0]]);
    assert_eq!(store.cancel(&selected, Timestamp(1)).unwrap(), [ids[3]]);
    assert_eq!(store.cancel(&Selection::Round(RoundId(3)), Timestamp(1)).unwrap(), []);
    assert_eq!(store.counts(None).unwrap().waiting, 2);
}

pub fn final_states_stay(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a"]);
    store.complete(lease(&*store, 0).lease, &Completion::default(), Timestamp(1)).unwrap();
    assert_eq!(store.cancel(&Selection::Jobs(ids.clone()), Timestamp(2)).unwrap(), []);
    assert_eq!(store.job(ids[0]).unwrap().unwrap().state, JobState::Completed);
}
