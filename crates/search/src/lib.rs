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

pub mod bfs;
mod bits;
pub mod checkpoint;
pub mod claim;
mod claim_components;
pub mod depth_limited;
pub mod dfs;
mod explorer;
mod grow;
pub mod lasso;
pub mod limits;
pub mod liveness;
mod look_ahead;
pub mod lossy_nested_dfs;
mod nested_dfs;
pub mod outcome;
pub mod parallel;
mod persistent;
mod product;
pub mod progress;
pub mod random_walk;
pub mod reduced;
pub mod reordered;
mod ring;
mod scc;
pub mod shorten;
pub mod spanning_tree;
pub mod stateless;
mod streett;
mod stubborn;
pub mod terminal_components;
mod trace;
pub mod undo_stack;
mod violations;
mod weak_fairness;

pub use checkpoint::{Checkpoint, Keep, Past};
pub use claim::Claim;
pub use lasso::{Lasso, LassoStep, Prefix};
pub use limits::{Limits, Options, Stop};
pub use liveness::{Algorithm, Fairness, Finding, LivenessOutcome};
pub use outcome::{Found, Memory, Outcome, Violation};
pub use progress::{Monitor, Progress, Silent};
pub use random_walk::Walks;
pub use reduced::{Reduced, Reduction, Savings};
pub use reordered::{Arrangement, Reordered};
pub use violations::Key as ViolationKey;
