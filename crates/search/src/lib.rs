//! Explicit-state searches over a successor function: each reachable state is visited once, and
//! every violation is reported. The searches do not interpret states, read no clock and print
//! nothing.
//!
//! *Entry points:* [`bfs::search`] (shortest traces, the default) and [`dfs::search`] (compact
//! stack, finds deep violations early). Both accept any [`Successors`](axle_step::Successors) and
//! any [`StateSet`](axle_store::StateSet), store the same states and return an [`Outcome`].
//! Depth-bounded search is [`depth_limited::search`], shortest traces by iteration are
//! [`shorten::search`]; [`stateless::search`] stores no states, and [`random_walk::search`] samples
//! executions without proving anything.

pub mod approximate;
pub mod checkpoint;
mod entered_location;
pub mod event_trace;
pub mod grow;
pub mod limits;
pub mod liveness;
pub mod parallel;
pub mod paths;
pub mod por;
pub mod progress;
pub mod safety;

pub use approximate::guided_walk::Guide;
pub use approximate::random_walk::Walks;
pub use approximate::{guided_walk, lossy_nested_dfs, random_walk, single_path};
pub use axle_outcome::{
    Algorithm, Claim, Fairness, Finding, Found, Lasso, LassoStep, Limits, LivenessOutcome, Memory, Outcome,
    Prefix, Progress, Stop, Violation, ViolationKey, claim,
};
pub use checkpoint::{Checkpoint, Checkpoints, Keep, Past};
pub use grow::alone as expand_alone;
pub use limits::Options;
pub use paths::cheapest::{self, Measure};
pub use por::persistent::Analyses;
pub use por::reduced_graph::{Reduced, Reduction, Savings, SharedSavings};
pub use por::terminal_components;
pub use progress::{Monitor, Silent};
pub use safety::bad_prefixes::{BadPrefix, Monitored, PrefixMonitor};
pub use safety::reordered::{Arrangement, Reordered};
pub use safety::{bfs, depth_limited, dfs, shorten, stateless};
