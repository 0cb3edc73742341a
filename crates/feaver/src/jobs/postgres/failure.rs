//! Errors of PostgreSQL as errors of the store, by SQLSTATE.

use std::error::Error as _;

use postgres::Error;

use crate::jobs::error::StoreError;

/// The error of the store for an error of the client or the server.
pub(super) fn typed(error: Error) -> StoreError {
    if let Some(server) = error.as_db_error() {
        return by_code(server.code().code(), server.message().to_owned());
    }
    let mut text = error.to_string();
    let mut input_output = false;
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        input_output |= cause.is::<std::io::Error>();
        source = cause.source();
    }
    match () {
        () if text.starts_with("invalid") => StoreError::Access(text),
        () if error.is_closed() || input_output || text.contains("connect") => StoreError::Disconnected(text),
        () => StoreError::Other(text),
    }
}

fn by_code(code: &str, text: String) -> StoreError {
    match code {
        // Lock timeout, deadlock, serialization failure, statement timeout.
        "55P03" | "40P01" | "40001" | "57014" => StoreError::Locked(text),
        // Disk full.
        "53100" => StoreError::Full(text),
        // Too many connections; connection exceptions; shutdown, crash, start-up; idle in transaction.
        "53300" | "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => StoreError::Disconnected(text),
        _ if code.starts_with("08") => StoreError::Disconnected(text),
        // Damaged data or index.
        "XX001" | "XX002" => StoreError::Damaged(text),
        // Read-only transaction, no such database, no privilege, I/O error; authentication.
        "25006" | "3D000" | "42501" | "58030" => StoreError::Access(text),
        _ if code.starts_with("28") => StoreError::Access(text),
        // Data exceptions, for example a text with a zero byte; constraints.
        _ if code.starts_with("22") || code.starts_with("23") => StoreError::Invalid(text),
        _ => StoreError::Other(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_server_have_types() {
        let of = |code| by_code(code, String::new());
        assert!(matches!(of("53100"), StoreError::Full(_)));
        assert!(matches!(of("55P03"), StoreError::Locked(_)));
        assert!(matches!(of("40P01"), StoreError::Locked(_)));
        assert!(matches!(of("57P01"), StoreError::Disconnected(_)));
        assert!(matches!(of("08006"), StoreError::Disconnected(_)));
        assert!(matches!(of("28P01"), StoreError::Access(_)));
        assert!(matches!(of("XX001"), StoreError::Damaged(_)));
        assert!(matches!(of("42601"), StoreError::Other(_)));
    }
}
