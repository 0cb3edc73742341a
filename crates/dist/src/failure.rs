//! Failures of the machinery of a distributed search, as opposed to the limits of a search.
//!
//! *Entry point:* [`Failure`].

/// Why a distributed search has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// A message or a file has other contents than were written.
    #[error("a message between workers or a file of the level log is damaged")]
    Corrupt,
    /// A worker ended before the search did.
    #[error("a worker ended before the search did")]
    Lost,
    /// The level log cannot be written or read, for this reason.
    #[error("the level log cannot be used: {0}")]
    Log(String),
    /// The directory holds the level log of another search.
    #[error("the directory holds the level log of another search")]
    OtherSearch,
    /// Workers cannot be connected, for this reason.
    #[error("the workers cannot be connected: {0}")]
    Network(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Log(error.to_string())
    }
}
