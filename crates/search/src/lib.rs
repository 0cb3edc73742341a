//! Explicit searches over a successor function: every reachable state once, everything that goes
//! wrong on the way. They know nothing of what is inside a state, read no clock and print nothing.
//!
//! *Entry points:* [`bfs::search`] (shortest traces, the default) and [`dfs::search`] (little
//! memory for its stack, deep errors early). Both take any [`Successors`](axle_step::Successors)
//! and any [`StateSet`](axle_store::StateSet), store the same states and give an [`Outcome`].
//! Depth-first with a bound is [`depth_limited::search`], for shortest runs [`shorten::search`];
//! [`stateless::search`] stores nothing, and [`random_walk::search`] proves nothing.

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
