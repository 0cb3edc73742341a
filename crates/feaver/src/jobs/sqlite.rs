//! The store in an SQLite file.
//!
//! The write-ahead log and `synchronous = FULL` make a commit durable: it survives the end of the
//! process and a power failure. Several processes may open one file on a local disk.
//!
//! *Entry point:* [`SqliteStore::open`].
//! *Source:* SQLite documentation, "Write-Ahead Logging" and "Result and Error Codes".
//! *Invariant:* every transaction that writes begins with the write lock (`BEGIN IMMEDIATE`): no transaction
//! fails because a lock cannot be upgraded.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use rusqlite::{Error, ErrorCode, ToSql, TransactionBehavior};

use crate::jobs::error::StoreError;
use crate::jobs::queue::Store;
use crate::jobs::schema;
use crate::jobs::sql::{Access, Connection, Dialect, Doorbell, Row, Session, Value, first};

/// A store in an SQLite file.
pub type SqliteStore = Store<Sqlite, DataVersion>;

/// Bytes that a disk with space has room for.
const PROBE: usize = 64 << 10;

/// Interval at which [`DataVersion`] looks for changes.
const POLL: Duration = Duration::from_millis(20);

impl SqliteStore {
    /// Opens or creates a file and migrates it to the newest schema. A request waits for locks of
    /// other connections for `busy_timeout` at most.
    pub fn open(path: &Path, busy_timeout: Duration) -> Result<Self, StoreError> {
        let mut connection = Sqlite::open(path, busy_timeout)?;
        connection.transaction(Access::Write, |session| schema::migrate(session, schema::VERSION))?;
        Ok(Self::new(connection, DataVersion { connection: Sqlite::open(path, busy_timeout)?, armed: 0 }))
    }

    /// Limits the size of the file to this number of pages, or to its present size if that is larger,
    /// and returns the limit. A request that exceeds the limit returns [`StoreError::Full`].
    pub fn limit_pages(&self, pages: u32) -> Result<u32, StoreError> {
        self.read(|session| {
            let row = first(session, &format!("PRAGMA max_page_count = {pages}"), &[])?;
            row.ok_or_else(|| StoreError::unexpected("the number of pages"))?.int()
        })
    }
}

/// A connection to a file.
pub struct Sqlite {
    connection: rusqlite::Connection,
    path: PathBuf,
}

impl Sqlite {
    /// Opens or creates a file without migrating it.
    pub(crate) fn open(path: &Path, busy_timeout: Duration) -> Result<Self, StoreError> {
        let connection = rusqlite::Connection::open(path).map_err(typed)?;
        connection.busy_timeout(busy_timeout).map_err(typed)?;
        // Of several connections that change the mode of a new file at once, SQLite refuses some without waiting.
        let until = Instant::now() + busy_timeout;
        let mode: String = loop {
            let changed = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
            match changed.map_err(typed) {
                Err(StoreError::Locked(_)) if Instant::now() < until => std::thread::sleep(POLL),
                mode => break mode?,
            }
        };
        if mode != "wal" {
            return Err(StoreError::Access(format!(
                "the file system of {} does not support write-ahead logging; use a local disk",
                path.display()
            )));
        }
        connection.pragma_update(None, "synchronous", "FULL").map_err(typed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(typed)?;
        Ok(Self { connection, path: path.to_path_buf() })
    }
}

impl Connection for Sqlite {
    fn transaction<T>(
        &mut self,
        access: Access,
        body: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let behavior = match access {
            Access::Read => TransactionBehavior::Deferred,
            Access::Write => TransactionBehavior::Immediate,
        };
        let transaction = self.connection.transaction_with_behavior(behavior).map_err(typed)?;
        let it = body(&mut SqliteSession(&transaction))?;
        transaction.commit().map_err(typed)?;
        Ok(it)
    }

    fn has_space(&self) -> bool {
        // The log may reuse its space, so a write to the database does not show that the disk is full.
        let mut probe = self.path.clone().into_os_string();
        probe.push(format!("-space-{}", std::process::id()));
        let written = std::fs::write(&probe, [1; PROBE]);
        // A file that cannot be removed takes no more space the next time.
        let _ = std::fs::remove_file(&probe);
        !written.is_err_and(|fault| {
            matches!(
                fault.kind(),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
            )
        })
    }
}

struct SqliteSession<'a>(&'a rusqlite::Connection);

impl Session for SqliteSession<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn rows(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, StoreError> {
        // `$1` is a name to SQLite and `?1` a number.
        let mut statement = self.0.prepare_cached(&sql.replace('$', "?")).map_err(typed)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(parameters)).map_err(typed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(typed)? {
            let values = (0..columns).map(|column| row.get(column).map(value)).collect::<Result<_, _>>();
            found.push(Row::new(values.map_err(typed)?));
        }
        Ok(found)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.0.execute_batch(sql).map_err(typed)
    }
}

fn value(stored: Stored) -> Value {
    match stored {
        Stored::Null => Value::Null,
        Stored::Integer(it) => Value::Int(it),
        Stored::Real(it) => Value::Real(it),
        Stored::Text(it) => Value::Text(it),
        Stored::Blob(it) => Value::Bytes(it),
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(it) => ValueRef::Integer(*it),
            Self::Real(it) => ValueRef::Real(*it),
            Self::Text(it) => ValueRef::Text(it.as_bytes()),
            Self::Bytes(it) => ValueRef::Blob(it),
        }))
    }
}

/// Detects commits of other connections by the counter `PRAGMA data_version`, without a lock.
pub struct DataVersion {
    connection: Sqlite,
    armed: i64,
}

impl DataVersion {
    fn read(&self) -> Result<i64, StoreError> {
        self.connection.connection.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(typed)
    }
}

impl Doorbell for DataVersion {
    fn arm(&mut self) -> Result<(), StoreError> {
        self.armed = self.read()?;
        Ok(())
    }

    fn wait(&mut self, timeout: Duration) -> Result<(), StoreError> {
        let begin = Instant::now();
        while self.read()? == self.armed {
            match timeout.checked_sub(begin.elapsed()) {
                Some(rest) if !rest.is_zero() => std::thread::sleep(rest.min(POLL)),
                _ => break,
            }
        }
        Ok(())
    }
}

/// The error of the store for an error of SQLite.
fn typed(error: Error) -> StoreError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(text),
        Some(ErrorCode::DiskFull) => StoreError::Full(text),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(text),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig) => StoreError::Invalid(text),
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied
            | ErrorCode::ReadOnly
            | ErrorCode::SystemIoFailure,
        ) => StoreError::Access(text),
        _ => StoreError::Other(text),
    }
}
