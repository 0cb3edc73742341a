//! Strategies for the set of reachable states.

pub(crate) mod breadth_first;
pub(crate) mod chaining;
pub(crate) mod improviso;
pub(crate) mod saturation;
