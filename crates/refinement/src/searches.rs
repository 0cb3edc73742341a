//! The searches of a system of which a swarm ([`crate::swarm`]) and the rounds of a refinement
//! ([`crate::refine`]) consist: diversified, mostly lossy, and each for one kind of violation.
//!
//! Kind 0 searches for violations of states and steps, each other kind for executions that violate one
//! property.
//!
//! *Entry points:* [`Searches`], [`Seen`].
//! *Invariant:* no property holds because of these searches.

mod models;
mod programs;

use std::collections::BTreeSet;

use axle_check::Checked;
use axle_check::plan::Target;
use axle_evidence::report::ApproximateRunReport;
use axle_outcome::Count;
use axle_question::config::Config;
use axle_search::{Monitor, Stop};

pub(crate) use models::violation_key;
pub use models::{ModelSearches, ModelSeen};
pub(crate) use programs::is_same;
pub use programs::{ProgramSearches, ProgramSeen};

/// The result of a search.
pub trait Seen: Send {
    /// Whether it found as many violations as `--max-violations` allows. A property has one violating
    /// execution at most.
    fn is_full(&self) -> bool;

    /// Whether it ended by itself and has hardly missed a state, so that an exact search is cheap.
    fn is_nearly_whole(&self) -> bool;

    /// Whether no other search for the same can find more.
    fn is_exhaustive(&self) -> bool;

    /// Whether it found a violation.
    fn has_violations(&self) -> bool;

    /// The search, for the report.
    fn run(&self) -> ApproximateRunReport;

    /// The search order, and how many states were stored.
    fn figures(&self) -> (String, Count) {
        let run = self.run();
        (run.order, run.states)
    }
}

/// The searches of a system, as a configuration asks for them.
pub trait Searches: Sync + Sized {
    /// The result of a search.
    type Seen: Seen;

    /// The violations that a check of the system finds.
    type Found;

    /// States of all searches of the first round of a refinement together. Budgets in states make the
    /// result independent of the machine, as long as no limit on time ends a search.
    const FIRST_ROUND: u64;

    /// The configuration.
    fn config(&self) -> &Config;

    /// How many kinds of searches there are.
    fn kinds(&self) -> u64;

    /// Whether searches of a kind have anything to search for.
    fn wants(&self, kind: u64) -> bool;

    /// The checks or the property that searches of a kind may refute.
    fn target(&self, kind: u64) -> Target;

    /// Searches for the target of a kind, as `member` says.
    fn search(&self, kind: u64, member: &Config, monitor: &mut dyn Monitor) -> Self::Seen;

    /// The results of all members of a swarm, each with its kind. `stop`: why there are no more
    /// members, if they were interrupted.
    fn of_swarm(self, members: Vec<(u64, Self::Seen)>, stop: Option<Stop>) -> Checked<Self::Found>;

    /// The results of all rounds of a refinement, each with its kind.
    fn of_rounds(self, seen: Vec<(u64, Self::Seen)>) -> Checked<Self::Found>;

    /// The configuration of the exact search for the undecided rest; none if nothing is left.
    /// `decided`: the kinds with as many violations as `--max-violations` allows.
    fn rest(&self, decided: &BTreeSet<u64>) -> Option<Config>;

    /// The results of rounds and of the exact search for the rest, together.
    fn merge(
        config: &Config,
        decided: &BTreeSet<u64>,
        rounds: Checked<Self::Found>,
        exact: Checked<Self::Found>,
    ) -> Checked<Self::Found>;
}
