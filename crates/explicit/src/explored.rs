//! A finished search: its outcome, its store, and whether its graph was reduced.
//!
//! *Entry point:* [`Explored`].

use axle_evidence::report::ApproximationReport;
use axle_search::{Outcome, Reduction, Savings};
use axle_step::ModelSite;

/// A finished search and its store.
pub struct Explored<I = ModelSite> {
    /// The outcome of the search.
    pub outcome: Outcome<I>,
    /// The name of its store.
    pub store: &'static str,
    /// Whether and how the graph was reduced.
    pub reduction: ReductionStatus,
    /// The coverage of a lossy search.
    pub approximation: Option<ApproximationReport>,
    /// The name of the attempt if it is not the exact search.
    pub attempt: Option<String>,
}

impl<I> Explored<I> {
    /// An exact search without reduction.
    pub fn new(outcome: Outcome<I>, store: &'static str) -> Explored<I> {
        Explored { outcome, store, reduction: ReductionStatus::Off, approximation: None, attempt: None }
    }
}

/// Whether and how the graph was reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReductionStatus {
    /// No reduction was requested.
    Off,
    /// The graph was not reduced, for this reason.
    NotApplied(&'static str),
    /// The reduction and its savings.
    Applied(Reduction, Savings),
}
