//! Submission, persistence and schema.

use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{JobId, NewJob, RoundId, Timestamp};
use axle_feaver::jobs::postgres::PostgresStore;
use axle_feaver::jobs::sqlite::SqliteStore;

use crate::support::{Place, job, keys, lease, request, submit};

pub fn jobs_are_numbered_in_order(place: &Place) {
    let store = place.open();
    let ids = submit(&*store, &["a", "b", "c"]);
    assert!(ids.is_sorted());
    let stored = store.job(ids[1]).unwrap().unwrap();
    assert_eq!(stored.submitted, job("b", 0, 0, 1));
    assert_eq!((stored.attempt, stored.failures), (0, 0));
    assert_eq!(store.job(JobId(999)).unwrap(), None);
    assert_eq!(store.submit(&[], Timestamp(0)).unwrap(), []);
}

pub fn a_key_is_submitted_once(place: &Place) {
    let store = place.open();
    let first = submit(&*store, &["a", "b"]);
    // The second submission differs in its payload; the first one counts.
    let changed = NewJob { payload: vec![9], ..job("b", 0, 0, 1) };
    let again = store.submit(&[job("c", 0, 0, 2), changed], Timestamp(1)).unwrap();
    assert_eq!(again[1], first[1]);
    assert_eq!(store.job(first[1]).unwrap().unwrap().submitted.payload, b"b");
    let elsewhere = NewJob { round: RoundId(2), ..job("b", 0, 0, 1) };
    assert!(!first.contains(&store.submit(&[elsewhere], Timestamp(2)).unwrap()[0]));
    assert_eq!(store.counts(Some(RoundId(1))).unwrap().waiting, 3);
    assert_eq!(store.counts(None).unwrap().waiting, 4);
}

pub fn invalid_jobs_are_refused(place: &Place) {
    let store = place.open();
    let invalid = NewJob { max_failures: 0, ..job("b", 0, 0, 1) };
    let error = store.submit(&[job("a", 0, 0, 0), invalid], Timestamp(0)).unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    assert_eq!(store.counts(None).unwrap().open(), 0, "no job of the request is stored");
}

pub fn data_survives_reopening(place: &Place) {
    let store = place.open();
    submit(&*store, &["a", "b"]);
    let leased = lease(&*store, 0);
    store.complete(leased.lease, &Default::default(), Timestamp(1)).unwrap();
    drop(store);
    let store = place.open();
    let counts = store.counts(None).unwrap();
    assert_eq!((counts.completed, counts.waiting), (1, 1));
    assert_eq!(keys(&store.lease(&request(5), Timestamp(2)).unwrap()), ["b"]);
}

pub fn a_newer_schema_is_refused(place: &Place) {
    drop(place.open());
    let sql = "UPDATE axle_schema SET version = 1000";
    let error = match place {
        Place::Sqlite(path) => {
            rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
            SqliteStore::open(path, std::time::Duration::ZERO).err()
        }
        Place::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute(sql).unwrap();
            PostgresStore::open(url).err()
        }
    };
    assert!(matches!(error, Some(StoreError::NewerSchema { found: 1000, .. })), "{error:?}");
}
