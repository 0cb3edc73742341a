//! Searches that may miss states and therefore prove nothing: they find violations only.
//!
//! *Entry points:* [`lossy_nested_dfs::search`], [`random_walk::search`].

pub mod lossy_nested_dfs;
pub mod random_walk;
