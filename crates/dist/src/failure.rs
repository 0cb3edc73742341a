//! Failures of the machinery of a distributed search, as opposed to the limits of a search.
//!
//! *Entry points:* [`Failure`], [`Refusal`].

use std::io;

/// Why a distributed search has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// A message or a file has other contents than were written.
    #[error("a message between workers or a file of the level log is damaged")]
    Corrupt,
    /// A worker ended before the search did.
    #[error("a worker ended before the search did")]
    Lost,
    /// A process came, and ended before the others came.
    #[error("the process ended before all others had come")]
    Left,
    /// A worker does not answer.
    #[error("a worker gives no sign of life")]
    Silent,
    /// The level log cannot be written or read, for this reason.
    #[error("the level log cannot be used: {0}")]
    Log(String),
    /// No space is left for the level log or for visited states.
    #[error("no space is left on disk for the files of the search")]
    Full,
    /// The directory holds the level log of another search.
    #[error("the directory holds the level log of another search")]
    OtherSearch,
    /// Workers cannot be connected, for this reason.
    #[error("the workers cannot be connected: {0}")]
    Network(String),
    /// A process was refused, or has refused this one.
    #[error("the peer was refused: {0}")]
    Refused(Refusal),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Failure::Full
            }
            _ => Failure::Log(error.to_string()),
        }
    }
}

/// Why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Refusal {
    /// The handshake takes too long.
    #[error("it did not complete the handshake in time")]
    Slow,
    /// The connection ended too early.
    #[error("it closed the connection during the handshake")]
    Closed,
    /// The first bytes are not those of Axle.
    #[error("it does not speak this protocol")]
    Protocol,
    /// Another version of the protocol.
    #[error("it speaks another version of the protocol")]
    Version,
    /// One side encrypts and the other does not.
    #[error("only one side has --insecure-network")]
    Mode,
    /// The proof is not that of the token.
    #[error("it does not know the token")]
    Token,
    /// The encrypted connection was not established.
    #[error("the encryption could not be established")]
    Encryption,
    /// It knows the token, but wants something else.
    #[error("it searches another model, with other options, or by another version of Axle")]
    Search,
    /// There are too many unfinished handshakes.
    #[error("too many handshakes are pending")]
    Crowded,
    /// It is no further member of the search.
    #[error("its number is not that of a missing member")]
    Number,
}
