//! The abstraction of an engine as plain data: predicates, invariant and spurious counterexamples.

use serde::{Deserialize, Serialize};

/// The abstraction of an engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AbstractionReport {
    /// The predicates of the last abstraction.
    pub predicates: Vec<PredicateReport>,
    /// The maps of domains that were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<MapReport>,
    /// The number of abstractions.
    pub iterations: u64,
    /// The abstract states of the last abstraction.
    pub states: u64,
    /// Queries to the decision procedure.
    pub queries: u64,
    /// Queries that were answered by earlier ones.
    pub cached: u64,
    /// The abstract states of a proof, by condition; empty without a proof.
    pub invariant: Vec<InvariantReport>,
    /// The abstract counterexamples that no execution follows, in order.
    pub spurious: Vec<SpuriousReport>,
}

/// A predicate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PredicateReport {
    /// The condition.
    pub text: String,
    /// Whether it was given, directly or by a map; otherwise it was inferred.
    pub given: bool,
}

/// A map of the domain of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapReport {
    /// As written.
    pub text: String,
    /// Why it is no congruence: two states of the same classes that the model distinguishes. Absent for a
    /// congruence; otherwise the map is an over-approximation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
}

/// A part of an invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvariantReport {
    /// The condition on data.
    pub condition: String,
    /// The combinations of locations at which the condition holds.
    pub places: Vec<String>,
}

/// An abstract counterexample that no execution follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpuriousReport {
    /// Its number of steps.
    pub steps: u64,
    /// The first step that cannot be executed, counted from 1; one more than there are steps if the
    /// last state is not bad.
    pub infeasible: u64,
    /// The process and statement of that step; absent if the last state is not bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// The predicates that were missing.
    pub missing: Vec<String>,
}
