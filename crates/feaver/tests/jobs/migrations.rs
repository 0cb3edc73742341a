//! Databases of every version of the schema are migrated to the newest one and keep their data.

use std::time::Duration;

use crate::support::{Databases, Files, Place, cluster, job, keys, request};
use axle_feaver::jobs::job::{EventId, JobId, JobState, RoundId, Timestamp};
use axle_feaver::jobs::schema::VERSION;
use axle_feaver::results::database::Database;
use axle_feaver::results::key::{Hash, Key};
use axle_feaver::results::verdict::{Answer, Phase};

/// A frozen database of each version, with data.
const FIXTURES: &[[&str; 2]] = &[
    [include_str!("../fixtures/schema-1.sqlite.sql"), include_str!("../fixtures/schema-1.postgres.sql")],
    [include_str!("../fixtures/schema-2.sqlite.sql"), include_str!("../fixtures/schema-2.postgres.sql")],
    [include_str!("../fixtures/schema-3.sqlite.sql"), include_str!("../fixtures/schema-3.postgres.sql")],
    [include_str!("../fixtures/schema-4.sqlite.sql"), include_str!("../fixtures/schema-4.postgres.sql")],
    [include_str!("../fixtures/schema-5.sqlite.sql"), include_str!("../fixtures/schema-5.postgres.sql")],
];

/// Executes statements and returns the schema: columns, indices and constraints in a text.
fn execute(place: &Place, sql: [&str; 2]) -> String {
    match place {
        Place::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            connection.execute_batch(sql[0]).unwrap();
            let select = "SELECT group_concat(coalesce(sql, name), char(10)) FROM
                (SELECT name, sql FROM sqlite_schema WHERE name <> 'axle_schema' ORDER BY name)";
            let schema: Option<String> = connection.query_row(select, [], |row| row.get(0)).unwrap();
            schema.unwrap_or_default()
        }
        Place::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute(sql[1]).unwrap();
            let select = "SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, is_identity) AS line
                FROM information_schema.columns WHERE table_schema = 'public'
                UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
                UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE connamespace = 'public'::regnamespace) AS lines";
            client.query_one(select, &[]).unwrap().get::<_, Option<String>>(0).unwrap_or_default()
        }
    }
}

/// The jobs of the fixture are complete and can be continued.
fn check_jobs(database: &dyn Database) {
    let first = database.job(JobId(1)).unwrap().unwrap();
    assert_eq!((first.state, first.attempt, first.failures), (JobState::Completed, 2, 1));
    assert_eq!((first.submitted.key.as_str(), first.submitted.priority.weight), ("0/cycle-0", 5));
    assert_eq!(first.submitted.payload, b"payload 0");
    assert_eq!(
        (first.progress.as_deref(), first.result.as_deref()),
        (Some(&b"50 %"[..]), Some(&b"result 0"[..]))
    );
    let counts = database.counts(None).unwrap();
    assert_eq!(
        (counts.waiting, counts.leased, counts.completed, counts.cancelled, counts.failed),
        (1, 1, 1, 1, 1)
    );
    let events = database.changes(EventId(0), 100).unwrap();
    assert_eq!((events.len(), events[4].state, events[4].at), (5, JobState::Completed, Timestamp(1500)));
    // The lease of the fixture expires at 6000.
    assert_eq!(keys(&database.lease(&request(1), Timestamp(5999)).unwrap()), ["0/cycle-1"]);
    assert_eq!(keys(&database.lease(&request(9), Timestamp(6000)).unwrap()), ["1/cycle-0"]);
    // New ids follow those of the fixture.
    assert_eq!(database.submit(&[job("new", 0, 0, 0)], Timestamp(0)).unwrap(), [JobId(6)]);
}

/// `version`: that of the fixture. Since version 5 counts have any size.
fn check_history(database: &dyn Database, version: usize) {
    let key = Key(Hash::parse(&"ab".repeat(32)).unwrap());
    let record = database.by_key(key, "1.0").unwrap().unwrap();
    assert_eq!((record.verdict.answer, record.verdict.cycle), (Answer::Violated, Some(3)));
    let states = if version < 5 { "1000" } else { "1000000000000000000000000000000" };
    assert_eq!(record.verdict.statistics.states.to_string(), states);
    assert_eq!(record.witnesses, [(Phase::First, Hash::of(b"witness"))]);
    assert_eq!(database.content(Hash::of(b"witness")).unwrap().as_deref(), Some(&b"witness"[..]));
    assert_eq!(database.runs(record.round).unwrap()[0].provisioning, "call waiting");
}

fn check_driver(database: &dyn Database, version: usize) {
    let state = database.round_state(RoundId(1)).unwrap().unwrap();
    let known = (state.driver.as_deref(), state.expires, state.spent);
    match version {
        2 => assert_eq!(known, (None, None, Duration::ZERO)),
        _ => assert_eq!(known, (Some("host-7"), Some(Timestamp(6000)), Duration::from_millis(1500))),
    }
    assert!(!state.ending && !state.ended);
    assert_eq!(database.open_rounds().unwrap(), [state]);
}

fn migrates(databases: &mut dyn Databases) {
    let new = databases.create();
    drop(new.open());
    let schema = execute(&new, ["", ""]);
    for (version, fixture) in (1..).zip(FIXTURES) {
        let place = databases.create();
        execute(&place, *fixture);
        let database = place.open();
        assert_eq!(execute(&place, ["", ""]), schema, "the schema migrated from version {version}");
        check_jobs(&*database);
        if version >= 2 {
            check_history(&*database, version);
            check_driver(&*database, version);
        }
        drop(database);
        drop(place.open());
    }
}

#[test]
fn every_version_has_a_fixture() {
    assert_eq!(FIXTURES.len(), VERSION as usize);
}

#[test]
fn sqlite_migrates() {
    migrates(&mut Files::new());
}

#[test]
fn postgres_migrates() {
    if let Some(mut cluster) = cluster() {
        migrates(&mut cluster);
    }
}

/// Several servers that open an empty database at the same time migrate it once.
#[test]
fn concurrent_migrations_are_serialised() {
    let mut files = Files::new();
    let mut cluster = cluster();
    let mut places = vec![files.create()];
    places.extend(cluster.as_mut().map(Databases::create));
    for place in &places {
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| place.open().counts(None).unwrap());
            }
        });
    }
}
