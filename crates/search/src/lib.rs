//! Explicit searches over a successor function: every reachable state once, everything that goes wrong on
//! the way. They know nothing of what is inside a state, read no clock and print nothing.
//!
//! Entry points: [`bfs::search`] (shortest traces, the default) and [`dfs::search`] (little memory for its
//! stack, deep errors early). Both take any [`Successors`](axle_step::Successors) and any
//! [`StateSet`](axle_store::StateSet), store the same states and give an [`Outcome`].

pub mod bfs;
mod bits;
pub mod claim;
pub mod dfs;
mod explorer;
mod grow;
mod labels;
pub mod lasso;
pub mod limits;
pub mod liveness;
mod nested_dfs;
pub mod outcome;
mod persistent;
mod product;
pub mod progress;
pub mod reduced;
mod scc;
pub mod spanning_tree;
mod streett;
mod trace;
pub mod undo_stack;
mod violations;

pub use claim::Claim;
pub use lasso::{Lasso, LassoStep, Prefix};
pub use limits::{Limits, Options, Stop};
pub use liveness::{Algorithm, Fairness, Finding, LivenessOutcome};
pub use outcome::{Found, Memory, Outcome, Violation};
pub use progress::{Monitor, Progress, Silent};
pub use reduced::{Reduced, Reduction, Savings};
