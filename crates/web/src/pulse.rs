//! The announcement of a change to event streams and pages.
//!
//! *Entry point:* [`Pulse`].

/// A change, announced to event streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pulse {
    /// Counts the changes of the project's files.
    pub generation: u64,
    /// Counts the changes of verdicts and rounds.
    pub history: u64,
    /// The newest event of the queue.
    pub event: i64,
    /// Whether the project is being read.
    pub reading: bool,
    /// The round that a driver executes now, here or elsewhere.
    pub running: Option<i64>,
}
