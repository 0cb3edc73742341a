//! Opens a database by its location.
//!
//! *Entry point:* [`open`].

use std::path::Path;
use std::time::Duration;

use crate::jobs::error::StoreError;
use crate::jobs::postgres::PostgresStore;
use crate::jobs::sqlite::SqliteStore;
use crate::jobs::store::JobStore;
use crate::results::history::History;
use crate::round::store::RoundStore;

/// Time that a request to an SQLite file waits for locks of other processes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A job queue, the state of rounds in progress and a history in one database.
pub trait Database: JobStore + History + RoundStore {}

impl<T: JobStore + History + RoundStore> Database for T {}

/// Whether a location is that of a PostgreSQL server; otherwise it is the path of a file.
pub fn is_server(location: &str) -> bool {
    location.starts_with("postgresql://") || location.starts_with("postgres://")
}

/// Opens the PostgreSQL database of a URL (`postgresql://...`), or the SQLite file of a path. The
/// schema is migrated to the newest version.
pub fn open(location: &str) -> Result<Box<dyn Database>, StoreError> {
    if is_server(location) {
        Ok(Box::new(PostgresStore::open(location)?))
    } else {
        Ok(Box::new(SqliteStore::open(Path::new(location), BUSY_TIMEOUT)?))
    }
}
