//! The versioned schema of the database and its migrations.
//!
//! *Entry point:* `migrate`, executed when a database is opened.
//! *Invariant:* a released migration never changes; a change of the schema is a new migration.
//! A database of version n contains the results of the first n migrations, and all its data.

use crate::jobs::error::StoreError;
use crate::jobs::sql::{Dialect, Session, first};

/// The newest version of the schema.
pub const VERSION: u32 = MIGRATIONS.len() as u32;

/// Migration n leads from version n to n + 1. `{id}` and `{bytes}` are types of the dialect.
const MIGRATIONS: [&str; 5] = [JOBS, HISTORY, DRIVERS, MACHINES, COUNTS];

/// Version 1: jobs and their events.
///
/// A lease has a duration, the time of its latest renewal and the time of its expiry. The partial
/// indices contain open jobs only, so that the queue stays fast as the history grows.
const JOBS: &str = "
CREATE TABLE job (
    id {id},
    round BIGINT NOT NULL,
    key TEXT NOT NULL,
    cycle BIGINT NOT NULL,
    weight BIGINT NOT NULL,
    number BIGINT NOT NULL,
    max_failures BIGINT NOT NULL,
    payload {bytes} NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'leased', 'completed', 'cancelled', 'failed')),
    attempt BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    worker TEXT,
    duration BIGINT,
    renewed BIGINT,
    expires BIGINT,
    progress {bytes},
    result {bytes},
    reason TEXT,
    UNIQUE (round, key),
    CHECK ((state = 'leased') = (expires IS NOT NULL)),
    CHECK ((state = 'completed') = (result IS NOT NULL))
);
CREATE INDEX job_queue ON job (cycle, weight DESC, number, id) WHERE state = 'waiting';
CREATE INDEX job_expiry ON job (expires) WHERE state = 'leased';
CREATE INDEX job_run ON job (round, number);
CREATE TABLE job_event (
    id {id},
    job BIGINT NOT NULL REFERENCES job (id),
    round BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    at BIGINT NOT NULL,
    detail TEXT NOT NULL
);
";

/// Version 2: rounds, runs, verdicts and witnesses.
///
/// The table of verdicts has one row per run. Witnesses refer to contents by hash.
const HISTORY: &str = "
CREATE TABLE round (
    id {id},
    source_version TEXT NOT NULL,
    axle_version TEXT NOT NULL,
    budget BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    ended BIGINT
);
CREATE TABLE run (
    round BIGINT NOT NULL REFERENCES round (id),
    number BIGINT NOT NULL,
    property TEXT NOT NULL,
    feature TEXT NOT NULL,
    provisioning TEXT NOT NULL,
    property_text TEXT NOT NULL,
    options TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (round, number)
);
CREATE INDEX run_property ON run (property, provisioning, round);
CREATE INDEX run_feature ON run (feature);
CREATE INDEX run_key ON run (key);
CREATE TABLE verdict (
    round BIGINT NOT NULL,
    run BIGINT NOT NULL,
    answer TEXT NOT NULL CHECK (answer IN ('holds', 'violated', 'unknown', 'failed')),
    cycle BIGINT,
    states BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    memory BIGINT NOT NULL,
    automaton_visited BIGINT NOT NULL,
    automaton_total BIGINT NOT NULL,
    model_visited BIGINT NOT NULL,
    model_total BIGINT NOT NULL,
    carried_from BIGINT,
    at BIGINT NOT NULL,
    PRIMARY KEY (round, run),
    FOREIGN KEY (round, run) REFERENCES run (round, number)
);
CREATE TABLE content (
    hash TEXT PRIMARY KEY,
    bytes {bytes} NOT NULL
);
CREATE TABLE witness (
    round BIGINT NOT NULL,
    run BIGINT NOT NULL,
    phase TEXT NOT NULL,
    hash TEXT NOT NULL REFERENCES content (hash),
    PRIMARY KEY (round, run, phase),
    FOREIGN KEY (round, run) REFERENCES verdict (round, run)
);
";

/// Version 3: the driver of a round, and its events by round.
///
/// A driver holds a lease on its round, so that another process can tell a round in progress from one
/// whose driver was killed. `spent` is the part of the budget that the round has used, in
/// milliseconds; `ending` the time at which its end was requested.
const DRIVERS: &str = "
ALTER TABLE round ADD COLUMN driver TEXT;
ALTER TABLE round ADD COLUMN expires BIGINT;
ALTER TABLE round ADD COLUMN spent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE round ADD COLUMN ending BIGINT;
CREATE INDEX job_event_round ON job_event (round, id);
";

/// Version 4: the machines that decide runs.
///
/// `token` is the name of the token under which a worker of another machine took the job, or found the
/// verdict; none for a process with access to the database. `claim` is the hash of the result as the
/// worker sent it, which distinguishes a repetition from another result. A job is not given to the token
/// `avoid`, whose verdict it decides again. `recheck` is the part of such verdicts of a round.
const MACHINES: &str = "
ALTER TABLE job ADD COLUMN token TEXT;
ALTER TABLE job ADD COLUMN claim TEXT;
ALTER TABLE job ADD COLUMN avoid TEXT;
ALTER TABLE round ADD COLUMN recheck DOUBLE PRECISION NOT NULL DEFAULT 0.0;
ALTER TABLE verdict ADD COLUMN machine TEXT;
ALTER TABLE verdict ADD COLUMN token TEXT;
";

/// Version 5: counts of any size, as decimal digits. A number of the database has 64 bits.
const COUNTS: &str = "
ALTER TABLE verdict RENAME COLUMN states TO small;
ALTER TABLE verdict ADD COLUMN states TEXT NOT NULL DEFAULT '0';
UPDATE verdict SET states = CAST(small AS TEXT);
ALTER TABLE verdict DROP COLUMN small;
";

/// Key of the advisory lock that serialises migrations of several servers.
const MIGRATION_LOCK: i64 = 0x41_78_6c_65;

/// Brings the database from its version to `target`.
///
/// # Errors
/// [`StoreError::NewerSchema`] if the database is newer than `target`, and [`StoreError::Access`] if
/// an SQLite file has tables of another program.
pub(crate) fn migrate(session: &mut dyn Session, target: u32) -> Result<(), StoreError> {
    match session.dialect() {
        Dialect::Sqlite => refuse_foreign_file(session)?,
        Dialect::Postgres => {
            session.rows("SELECT 1 FROM pg_advisory_xact_lock($1)", &[MIGRATION_LOCK.into()])?;
        }
    }
    session.script("CREATE TABLE IF NOT EXISTS axle_schema (version BIGINT NOT NULL)")?;
    let version: u32 = match first(session, "SELECT version FROM axle_schema", &[])? {
        Some(mut row) => row.int()?,
        None => {
            session.rows("INSERT INTO axle_schema (version) VALUES (0)", &[])?;
            0
        }
    };
    if version > target {
        return Err(StoreError::NewerSchema { found: version, supported: target });
    }
    for migration in &MIGRATIONS[version as usize..target as usize] {
        session.script(&translate(migration, session.dialect()))?;
    }
    if version < target {
        session.rows("UPDATE axle_schema SET version = $1", &[target.into()])?;
    }
    Ok(())
}

/// Fills in the types of the dialect.
fn translate(migration: &str, dialect: Dialect) -> String {
    let (id, bytes) = match dialect {
        // AUTOINCREMENT: the id of a deleted row is not assigned again.
        Dialect::Sqlite => ("INTEGER PRIMARY KEY AUTOINCREMENT", "BLOB"),
        Dialect::Postgres => ("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA"),
    };
    migration.replace("{id}", id).replace("{bytes}", bytes)
}

/// A wrong path must not add tables to the database of another program.
fn refuse_foreign_file(session: &mut dyn Session) -> Result<(), StoreError> {
    let query = "SELECT count(*), count(*) FILTER (WHERE name = 'axle_schema') FROM sqlite_schema";
    let Some(mut row) = first(session, query, &[])? else { return Ok(()) };
    let (all, ours): (u64, u64) = (row.int()?, row.int()?);
    if all > 0 && ours == 0 {
        return Err(StoreError::Access("the file is an SQLite database of another program".to_owned()));
    }
    Ok(())
}
