//! Searches for faults in states and transitions.
//!
//! *Entry points:* [`bfs::search`] and [`dfs::search`] store states; [`depth_limited::search`] and
//! [`shorten::search`] bound the depth; [`cheapest::search`] minimises choices or maximises likelihood;
//! [`stateless::search`] stores the current path only.
//! [`bad_prefixes::Monitored`] makes them search for bad prefixes of formulas.

pub mod bad_prefixes;
pub mod bfs;
pub mod cheapest;
pub mod depth_limited;
pub mod dfs;
pub mod reordered;
pub mod shorten;
pub mod stateless;
pub(crate) mod violations;
