//! Searches that may miss states and therefore prove nothing: they find violations only.
//!
//! *Entry points:* [`guided_walk::search`], [`lossy_nested_dfs::search`], [`random_walk::search`],
//! [`single_path::search`].

pub mod guided_walk;
pub mod lossy_nested_dfs;
pub mod random_walk;
pub mod single_path;
