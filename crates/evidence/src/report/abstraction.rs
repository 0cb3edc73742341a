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
    /// The processes that are not abstracted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concrete: Vec<String>,
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
    /// The arithmetic of the answer, if it is not that of the interpreter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arithmetic: Option<ArithmeticReport>,
    /// Where the time was spent; absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<AbstractionTimes>,
}

/// Mathematical arithmetic: executions are covered up to the first step that overflows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ArithmeticReport {
    /// `mathematical`.
    pub mode: String,
    /// Whether a step overflows; absent if that was not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflows: Option<bool>,
    /// The first overflow that was found: the number of its step, its process and statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// See `step`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
}

impl ArithmeticReport {
    /// The condition of a verdict.
    #[must_use]
    pub fn condition(&self) -> String {
        let rest = match (self.overflows, self.step, &self.statement) {
            (Some(false), ..) => "no step overflows".to_string(),
            (Some(true), Some(step), Some(statement)) => {
                format!("executions up to an overflow, which occurs in step {step}: {statement}")
            }
            (Some(true), ..) => "executions up to an overflow, which occurs".to_string(),
            (None, ..) => "executions up to an overflow; whether one occurs is not decided".to_string(),
        };
        format!("in mathematical arithmetic: {rest}")
    }
}

/// Times of an abstraction, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AbstractionTimes {
    /// All of it, without the check of its invariant.
    pub seconds: f64,
    /// The decision procedure, with the translation of conditions.
    pub deciding: f64,
    /// The longest iteration.
    pub longest_iteration: f64,
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
