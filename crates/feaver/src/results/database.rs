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
use crate::results::round_store::RoundStore;

/// Time that a request to an SQLite file waits for locks of other processes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A job queue, the state of rounds in progress and a history in one database.
pub trait Database: JobStore + History + RoundStore {}

impl<T: JobStore + History + RoundStore> Database for T {}

/// Whether a location is that of a PostgreSQL server; otherwise it is the path of a file.
pub fn is_server(location: &str) -> bool {
    location.starts_with("postgresql://") || location.starts_with("postgres://")
}

/// The password in a location, as it is written there: in the address (`postgres://USER:PASSWORD@HOST`) or
/// as a parameter (`?password=...`).
pub fn password(location: &str) -> Option<&str> {
    let rest = location.strip_prefix("postgresql://").or_else(|| location.strip_prefix("postgres://"))?;
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let user = address.split('/').next().and_then(|host| host.rsplit_once('@'));
    let in_address = user.and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("password="));
    in_address.or(in_query).filter(|password| !password.is_empty())
}

/// A text about a location without its password.
#[must_use]
pub fn without_password(text: &str, location: &str) -> String {
    password(location).map_or_else(|| text.to_string(), |password| text.replace(password, "***"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_found_and_left_out() {
        for (location, expected) in [
            ("postgres://axle:geheim@db/axle", Some("geheim")),
            ("postgresql://axle:ge%20heim@db:5432/axle?sslmode=disable", Some("ge%20heim")),
            ("postgres://axle:a@b@db/axle", Some("a@b")),
            ("postgres://axle@db/axle?user=x&password=geheim", Some("geheim")),
            ("postgres://axle@db/axle", None),
            ("postgres://axle:@db/axle", None),
            ("postgres://db:5432/axle", None),
            ("folder/a:b@c", None),
        ] {
            assert_eq!(password(location), expected, "{location}");
        }
        let location = "postgres://axle:geheim@db/axle";
        assert_eq!(
            without_password("no connection to axle:geheim@db", location),
            "no connection to axle:***@db"
        );
    }
}
