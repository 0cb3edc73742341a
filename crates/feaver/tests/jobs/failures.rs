//! Failures of the database are typed errors, change nothing, and end when their cause does.

use std::time::Duration;

use crate::support::directory::Directory;
use crate::support::{Databases, Files, Place, cluster, job, keys, lease, request, submit};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::{Completion, EventId, NewJob, Timestamp};
use axle_feaver::jobs::postgres::PostgresStore;
use axle_feaver::jobs::sqlite::SqliteStore;
use axle_feaver::jobs::store::JobStore;
use axle_feaver::results::database::open;
use axle_feaver::results::round_store::RoundStore;

const SHORT: Duration = Duration::from_millis(50);

/// An SQLite file and its path.
fn file(files: &mut Files) -> std::path::PathBuf {
    match files.create() {
        Place::Sqlite(path) => path,
        Place::Postgres(url) => panic!("no file: {url}"),
    }
}

/// SQLite reports a full file system with the same code as a file at its page limit.
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let mut files = Files::new();
    let path = file(&mut files);
    let store = SqliteStore::open(&path, SHORT).unwrap();
    submit(&store, &["a", "b"]);
    let leased = lease(&store, 0).lease;
    let pages = store.limit_pages(1).unwrap();
    let large = Completion { result: vec![1; 1 << 20], follow_ups: vec![job("follow-up", 1, 0, 0)] };
    let error = store.complete(leased, &large, Timestamp(1)).unwrap_err();
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert!(error.is_transient() && error.to_string().contains("free disk space"));
    assert!(store.is_full() && store.is_full(), "until there is space");
    let counts = store.counts(None).unwrap();
    assert_eq!((counts.leased, counts.waiting, counts.completed), (1, 1, 0));
    store.limit_pages(pages + 10_000).unwrap();
    assert!(!store.is_full(), "space is noticed without a request");
    store.complete(leased, &large, Timestamp(2)).unwrap();
    assert_eq!(store.job(leased.job).unwrap().unwrap().result, Some(large.result));
}

#[test]
fn a_locked_file_is_an_error() {
    let mut files = Files::new();
    let path = file(&mut files);
    let store = SqliteStore::open(&path, SHORT).unwrap();
    submit(&store, &["a"]);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = store.lease(&request(1), Timestamp(0)).unwrap_err();
    assert!(matches!(error, StoreError::Locked(_)), "{error}");
    assert_eq!(store.counts(None).unwrap().waiting, 1, "readers are not blocked");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(keys(&store.lease(&request(1), Timestamp(0)).unwrap()), ["a"]);
}

#[test]
fn files_of_other_programs_are_refused_and_unchanged() {
    let directory = Directory::new("foreign");
    let database = directory.path().join("other.db");
    rusqlite::Connection::open(&database).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let error = SqliteStore::open(&database, SHORT).err().unwrap();
    assert!(matches!(error, StoreError::Access(_)), "{error}");
    let text = directory.path().join("text");
    std::fs::write(&text, "no database, but long enough to be read as a page header ".repeat(50)).unwrap();
    let error = SqliteStore::open(&text, SHORT).err().unwrap();
    assert!(matches!(error, StoreError::Damaged(_)), "{error}");
    assert!(std::fs::read_to_string(&text).unwrap().starts_with("no database"));
    let error = SqliteStore::open(&directory.path().join("absent/x.db"), SHORT).err().unwrap();
    assert!(matches!(error, StoreError::Access(_)), "{error}");
}

#[test]
fn a_damaged_value_is_an_error() {
    let mut files = Files::new();
    let path = file(&mut files);
    let store = SqliteStore::open(&path, SHORT).unwrap();
    let id = submit(&store, &["a"])[0];
    let damage = "UPDATE job SET cycle = 1000, payload = 'text'";
    rusqlite::Connection::open(&path).unwrap().execute_batch(damage).unwrap();
    assert!(matches!(store.job(id), Err(StoreError::Damaged(_))));
    assert!(matches!(store.lease(&request(1), Timestamp(0)), Err(StoreError::Damaged(_))));
}

#[test]
fn an_absent_server_is_an_error() {
    let directory = Directory::new("absent");
    let error = PostgresStore::open(&format!("host={} user=axle", directory.path().display())).err().unwrap();
    assert!(matches!(error, StoreError::Disconnected(_)), "{error}");
    let error = open("postgresql://localhost:port/x").err().unwrap();
    assert!(matches!(error, StoreError::Access(_)), "{error}");
}

#[test]
fn a_lost_connection_is_restored() {
    let Some(mut cluster) = cluster() else { return };
    let place = cluster.create();
    let Place::Postgres(url) = &place else { return };
    let store = PostgresStore::open(url).unwrap();
    submit(&store, &["a", "b"]);
    let leased = lease(&store, 0).lease;
    let end_sessions = || {
        let mut client = postgres::Client::connect(&cluster.url("postgres"), postgres::NoTls).unwrap();
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test%'";
        client.batch_execute(sql).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    };
    // Idle connections, also that of the doorbell, are replaced without an error.
    store.watch(EventId(1000), Duration::ZERO).unwrap();
    end_sessions();
    store.complete(leased, &Completion::default(), Timestamp(1)).unwrap();
    end_sessions();
    assert!(store.watch(EventId(0), Duration::ZERO).unwrap());

    cluster.crash().unwrap();
    let error = store.lease(&request(1), Timestamp(2)).unwrap_err();
    assert!(matches!(error, StoreError::Disconnected(_)), "{error}");
    assert!(matches!(store.watch(EventId(0), Duration::ZERO), Err(StoreError::Disconnected(_))));
    cluster.resume().unwrap();
    assert_eq!(store.counts(None).unwrap().completed, 1);
    assert_eq!(keys(&store.lease(&request(5), Timestamp(3)).unwrap()), ["b"]);
}

/// The server ends the session in the middle of a transaction: nothing of it is stored.
#[test]
fn a_connection_lost_within_a_transaction_stores_nothing() {
    let Some(mut cluster) = cluster() else { return };
    let place = cluster.create();
    let Place::Postgres(url) = &place else { return };
    let store = PostgresStore::open(url).unwrap();
    submit(&store, &["a"]);
    let leased = lease(&store, 0).lease;
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    // The follow-up job ends the session of the completion when it is added.
    let trigger = "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION fail()";
    client.batch_execute(trigger).unwrap();
    let completion = Completion { result: vec![1], follow_ups: vec![job("b", 0, 0, 0)] };
    let error = store.complete(leased, &completion, Timestamp(1)).unwrap_err();
    assert!(matches!(error, StoreError::Disconnected(_)), "{error}");
    let counts = store.counts(None).unwrap();
    assert_eq!((counts.leased, counts.completed, counts.waiting), (1, 0, 0));
    client.batch_execute("DROP TRIGGER fail ON job").unwrap();
    store.complete(leased, &completion, Timestamp(2)).unwrap();
    assert_eq!(keys(&store.lease(&request(5), Timestamp(3)).unwrap()), ["b"]);
}

/// A text with a zero byte is valid in SQLite and not in PostgreSQL.
#[test]
fn an_unsupported_text_is_an_invalid_request() {
    let Some(mut cluster) = cluster() else { return };
    let store = cluster.create().open();
    let new = NewJob { key: "a\0b".to_owned(), ..job("a", 0, 0, 0) };
    assert!(matches!(store.submit(&[new], Timestamp(0)), Err(StoreError::Invalid(_))));
    assert_eq!(submit(&*store, &["a"]).len(), 1, "the connection is usable");
}
