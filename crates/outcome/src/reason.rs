//! The reasons why an attempt has no answer. The sentences are composed in `evidence`.
//!
//! *Entry point:* [`Reason`].
//! *Invariant:* a decision about an open answer reads this enumeration, never its sentence.

use axle_model::{EdgeId, ProcId};
use serde::{Deserialize, Serialize};

use crate::count::Count;
use crate::kinds::ViolationKind;
use crate::limits::{Limits, Stop};
use crate::place::Place;

/// Reason why a property is undecided.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// A limit was reached.
    Limit {
        /// The limit.
        limit: Limit,
        /// Its value, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<u64>,
        /// The sequence in which the search was cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sequence: Option<CutSequence>,
    },
    /// The search was cancelled.
    Interrupted {
        /// The sequence in which the search was cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sequence: Option<CutSequence>,
    },
    /// The requested number of violations was found.
    Violations {
        /// The number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u64>,
    },
    /// A violation ends some executions, which were not explored further.
    ExecutionsCut,
    /// An error of the program ends some executions, so that a formula has no value on them.
    EndsEarly {
        /// The error.
        error: String,
    },
    /// An atomic sequence has more paths than are followed.
    LongSequence {
        /// Type of the process that started the sequence.
        proc: ProcId,
        /// First edge of the sequence.
        edge: EdgeId,
    },
    /// The checkpoint belongs to a different search.
    Checkpoint,
    /// The level log belongs to a different search, is damaged, or cannot be written.
    LevelLog,
    /// No space is left on disk for the level log or for visited states.
    Disk,
    /// A worker of the search was lost, or a message between workers was damaged.
    Workers,
    /// The search may have missed states: a lossy store, or random executions. The report of the search
    /// contains the estimated coverage.
    Approximation,
    /// The engine answered without a trace or an invariant that was accepted.
    Uncertified {
        /// The name of a selected engine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// No further predicate refutes a counterexample of the abstraction that no execution follows.
    Predicates,
    /// Several searches for one formula, none of which was exhaustive.
    Sampled {
        /// The number of searches.
        searches: u64,
        /// States of the largest one.
        largest: Count,
    },
    /// The members of a swarm, which proves nothing.
    Swarm {
        /// The number of members.
        searches: u64,
        /// States of the largest one.
        largest: Count,
    },
    /// The selected search examines states only, not executions.
    StatesOnly,
    /// The states were not searched exhaustively for errors, which may end executions.
    StatesNotSearched,
    /// No search was started within the time limit.
    NotStarted,
    /// No attempt was made.
    Unchecked,
    /// No engine supports the property, or the program uses an unsupported feature.
    NotSupported {
        /// The unsupported feature.
        what: String,
        /// Its location.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<Place>,
    },
    /// A proposition cannot be evaluated in a reachable state.
    Proposition {
        /// The proposition.
        text: String,
        /// The fault of its evaluation.
        fault: ViolationKind,
    },
    /// A counterexample does not replay. This is an internal error.
    NotReplayed {
        /// Whether it is one of this property; otherwise it makes every answer of the search unreliable.
        own: bool,
    },
    /// A violation without a witness.
    NoWitness,
    /// Only some values of inputs were explored.
    Inputs {
        /// The inputs.
        class: InputClass,
        /// The location at which they are read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<Place>,
    },
    /// The program has executions that are not sequentially consistent, and they were not explored.
    WeakMemory {
        /// The access that permits them.
        place: Place,
    },
    /// The property holds of an abstraction that omits behaviours of the system.
    OmittedBehaviours {
        /// The row of the table that omits them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<String>,
    },
    /// The property holds of an abstraction that adds steps where the system is blocked, and a blocked
    /// execution could violate it.
    AddedSteps {
        /// The row of the table that adds them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<String>,
    },
    /// The property is violated in an abstraction by a step that adds behaviours.
    AddedBehaviours {
        /// The row of the table that adds them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<String>,
    },
    /// The property is violated in an abstraction because processes are blocked there, and the abstraction
    /// omits steps by which the system may continue.
    OmittedSteps {
        /// The row of the table that omits steps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<String>,
    },
    /// The counterexample of the abstraction is not an execution of the system.
    Spurious,
    /// The program writes a variable that a constraint fixes.
    Constraint {
        /// The variable.
        variable: String,
    },
    /// An error of the program ends executions, and another run of the project reports it.
    ProgramError {
        /// The error.
        error: String,
        /// Its location.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<Place>,
        /// The check that reports it.
        check: String,
        /// The property of the project with this check; none if the project does not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
    },
    /// The round of a project ended.
    RoundEnded {
        /// The cycle that was cut; none before the first one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cycle: Option<u8>,
    },
    /// The job of the search failed for good.
    Failed {
        /// The number of attempts.
        attempts: u32,
        /// The fault.
        fault: String,
    },
    /// Two machines gave different answers, which is an internal error.
    Disagreement,
    /// An internal error: no answer is reliable.
    Internal {
        /// The error.
        fault: String,
    },
    /// A reason of another version.
    #[serde(other)]
    Other,
}

/// A resource limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Time.
    Time,
    /// Memory.
    Memory,
    /// Number of steps from the initial state.
    Depth,
    /// Number of stored states.
    States,
}

/// The uninterrupted sequence in which a search was cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CutSequence {
    /// Type of the process that started the sequence.
    pub proc: ProcId,
    /// First edge of the sequence.
    pub edge: EdgeId,
    /// Steps from one state.
    pub steps: u64,
}

/// Inputs of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputClass {
    /// Values that are read.
    Values,
    /// The arguments of the command line.
    Arguments,
    /// The points at which a signal interrupts a thread.
    Signals,
    /// The clock.
    Time,
}

impl Reason {
    /// The reason of an incomplete search under these limits.
    pub fn of_stop(stop: Stop, limits: &Limits) -> Reason {
        let limit = |limit, value| Reason::Limit { limit, value, sequence: None };
        match stop {
            Stop::Errors => Reason::Violations { most: limits.errors },
            Stop::Memory => limit(Limit::Memory, limits.memory),
            Stop::Time => limit(Limit::Time, None),
            Stop::Depth => limit(Limit::Depth, limits.depth),
            Stop::States => limit(Limit::States, limits.states),
            Stop::Interrupted => Reason::Interrupted { sequence: None },
            Stop::Sequence { proc, edge } => Reason::LongSequence { proc, edge },
            Stop::Checkpoint => Reason::Checkpoint,
            Stop::LevelLog => Reason::LevelLog,
            Stop::Disk => Reason::Disk,
            Stop::Workers => Reason::Workers,
            Stop::Approximate => Reason::Approximation,
            Stop::Uncertified => Reason::Uncertified { by: None },
            Stop::Predicates => Reason::Predicates,
            Stop::NotApplicable | Stop::Processes(_) | Stop::Relation => {
                Reason::NotSupported { what: stop.unsupported().unwrap_or_default(), place: None }
            }
        }
    }

    /// The same reason with the sequence in which the search was cut, if a cut is the reason.
    pub fn in_sequence(self, sequence: CutSequence) -> Reason {
        let sequence = Some(sequence);
        match self {
            Reason::Limit { limit: limit @ (Limit::Time | Limit::Memory), value, .. } => {
                Reason::Limit { limit, value, sequence }
            }
            Reason::Interrupted { .. } => Reason::Interrupted { sequence },
            other => other,
        }
    }

    /// Whether the end of the time cut the search, or a cancellation.
    pub fn is_end_of_time(&self) -> bool {
        matches!(self, Reason::Limit { limit: Limit::Time, .. } | Reason::Interrupted { .. })
    }

    /// Whether the answer says nothing of other attempts: any other reason is better for a report.
    pub(crate) fn is_of_one_attempt(&self) -> bool {
        matches!(self, Reason::Spurious)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_a_stable_form() {
        let cut = CutSequence { proc: ProcId(1), edge: EdgeId(2), steps: 3 };
        let limits = Limits { depth: Some(7), ..Limits::default() };
        for (reason, json) in [
            (Reason::of_stop(Stop::Time, &limits), r#"{"kind":"limit","limit":"time"}"#),
            (Reason::of_stop(Stop::Depth, &limits), r#"{"kind":"limit","limit":"depth","value":7}"#),
            (
                Reason::of_stop(Stop::Interrupted, &limits).in_sequence(cut),
                r#"{"kind":"interrupted","sequence":{"proc":1,"edge":2,"steps":3}}"#,
            ),
            (
                Reason::of_stop(Stop::Depth, &limits).in_sequence(cut),
                r#"{"kind":"limit","limit":"depth","value":7}"#,
            ),
            (
                Reason::Sampled { searches: 2, largest: Count::from(9) },
                r#"{"kind":"sampled","searches":2,"largest":9}"#,
            ),
            (Reason::Spurious, r#"{"kind":"spurious"}"#),
        ] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), json);
            assert_eq!(serde_json::from_str::<Reason>(json).unwrap(), reason);
        }
        assert_eq!(serde_json::from_str::<Reason>(r#"{"kind":"later"}"#).unwrap(), Reason::Other);
    }
}
