//! Progress of an engine.

use serde::{Deserialize, Serialize};

/// Progress of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Number of states stored so far.
    pub states: u64,
    /// Number of states expanded so far (depth-first: closed states are not counted separately).
    pub expanded: u64,
    /// Number of transitions so far, including the transition into the initial state.
    pub transitions: u64,
    /// Breadth-first: the level being expanded. Depth-first: the length of the current path.
    pub depth: u64,
    /// Number of distinct violations so far.
    pub violations: u64,
    /// Bytes of memory used by states and paths.
    pub memory: u64,
    /// The progress of an abstraction, whose states are abstract states.
    #[serde(default)]
    pub abstraction: Option<AbstractionProgress>,
    /// The workers of a distributed search, as of the last round that all of them have ended; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerProgress>,
}

/// Progress of a worker of a distributed search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct WorkerProgress {
    /// Number of shards that it stores.
    pub shards: u64,
    /// Number of states stored so far.
    pub states: u64,
    /// Bytes of memory used by states and level logs.
    pub memory: u64,
}

/// Progress of the refinement of an abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AbstractionProgress {
    /// The number of abstractions so far, the present one included.
    pub iteration: u64,
    /// The number of predicates of the present one.
    pub predicates: u64,
}
