//! Faults of a step. A fault never stops the step: a faulty value is 0, a faulty store is dropped,
//! and the successor exists, so that a search can continue after violations.

pub use axle_outcome::{FaultKind, FaultSite, ModelSite};

/// A fault and its origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault<I = ModelSite> {
    /// Kind and place of the fault.
    pub site: I,
    /// Index of the source state in the expanded batch.
    pub source: u32,
    /// Index of the successor that the faulty step leads to (counted over all sources). `None` for
    /// a fault in a guard, or a fault that blocks the step.
    pub successor: Option<u32>,
    /// The number of the process.
    pub pid: u32,
}
