//! Transition systems over bit vectors: state variables with one initial value each and a next value
//! as a term over state variables and inputs, and bad states.
//!
//! The next values are functions: nondeterminism is in the inputs. Inputs that select nothing leave the
//! state as it is, so that every state has a successor.
//!
//! *Entry point:* [`System`].
//! *Invariant:* a bad condition depends on state variables only.

use axle_model::{EdgeId, IntType};
use axle_outcome::FaultKind;

use crate::term::{TermId, Terms};

/// A state variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// The name, unique among state variables and inputs, without spaces.
    pub name: String,
    /// The type.
    pub ty: IntType,
    /// The initial value.
    pub initial: i64,
    /// The variable in terms.
    pub variable: TermId,
    /// The value after a step.
    pub next: TermId,
}

/// An input of each step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name.
    pub name: String,
    /// The variable in terms.
    pub variable: TermId,
}

/// The cause of a bad state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// A fault; the edge of a blocked or endless sequence is in the execution that leads to it.
    Fault {
        /// The kind.
        kind: FaultKind,
        /// The number of the process.
        pid: u32,
        /// The edge, if the condition determines it.
        edge: Option<EdgeId>,
    },
    /// A step would create more processes than the relation has.
    Beyond,
    /// A claim takes an edge that is a violation by itself.
    Alarm {
        /// The number of the claim.
        claim: u32,
    },
    /// A cycle that a claim accepts, or so many rounds of its acceptance.
    Cycle {
        /// The number of the claim.
        claim: u32,
    },
    /// The edges of a claim depend on a proposition without a value.
    Proposition {
        /// The number of the claim.
        claim: u32,
        /// The proposition.
        atom: u32,
        /// The kind of fault.
        kind: FaultKind,
    },
}

impl Cause {
    /// Whether a claim accepts the executions to such a state.
    #[must_use]
    pub fn is_accepting(self) -> bool {
        matches!(self, Cause::Alarm { .. } | Cause::Cycle { .. })
    }

    /// Whether bad states do not describe the executions that a claim accepts if such a state is reachable: a
    /// sequence blocks or does not end, processes are missing, or a proposition has no value. A proposition
    /// of a process that does not exist counts as false.
    #[must_use]
    pub fn is_obstacle(self) -> bool {
        match self {
            Cause::Beyond => true,
            Cause::Fault { kind, .. } => {
                matches!(kind, FaultKind::DeterministicBlocks | FaultKind::EndlessSequence)
            }
            Cause::Proposition { kind, .. } => kind != FaultKind::NoProcess,
            Cause::Alarm { .. } | Cause::Cycle { .. } => false,
        }
    }
}

/// The executions on which each of some conditions holds infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Justice {
    /// The number of the claim that accepts them.
    pub claim: u32,
    /// The conditions, over state variables and inputs.
    pub signals: Vec<TermId>,
}

/// States that no execution should reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bad {
    /// The cause.
    pub cause: Cause,
    /// The states.
    pub condition: TermId,
}

/// A step: where it is made, and the values that it stores. No two steps are made together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where the inputs select the step, and it is executable.
    pub selected: TermId,
    /// State variables with their values after the step.
    pub updates: Vec<(u32, TermId)>,
}

/// A transition system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The terms.
    pub terms: Terms,
    /// The state variables.
    pub states: Vec<StateVariable>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The bad states, by cause.
    pub bads: Vec<Bad>,
    /// The steps that the next values of the first state variables consist of.
    pub steps: Vec<Step>,
    /// The names of the claims.
    pub claims: Vec<String>,
    /// The executions that claims accept, if they also satisfy the fairness conditions.
    pub justice: Vec<Justice>,
    /// Conditions over state variables and inputs that hold infinitely often on fair executions.
    pub fairness: Vec<TermId>,
}

impl System {
    /// Adds a state variable that keeps its value.
    pub fn state(&mut self, name: impl Into<String>, ty: IntType, initial: i64) -> TermId {
        let variable = self.terms.variable(ty.bits);
        self.states.push(StateVariable { name: name.into(), ty, initial, variable, next: variable });
        variable
    }

    /// Adds an input.
    pub fn input(&mut self, name: impl Into<String>, bits: u8) -> TermId {
        let variable = self.terms.variable(bits);
        self.inputs.push(Input { name: name.into(), variable });
        variable
    }

    /// Whether the next value of a state variable is that of the steps. The copies and flags of monitors have
    /// next values of their own.
    pub(crate) fn is_stepped(&self, state: u32) -> bool {
        let is_updated = self.steps.iter().any(|step| step.updates.iter().any(|(of, _)| *of == state));
        let own = &self.states[state as usize];
        is_updated || own.next == own.variable
    }

    /// Composes the next value of a state variable from the steps: without a step, it keeps its value.
    pub(crate) fn compose(&mut self, state: u32) {
        // Values that steps store, each with the steps that do.
        let mut values: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for step in &self.steps {
            for (_, value) in step.updates.iter().filter(|(of, _)| *of == state) {
                match values.iter_mut().find(|(known, _)| known == value) {
                    Some((_, steps)) => steps.push(step.selected),
                    None => values.push((*value, vec![step.selected])),
                }
            }
        }
        let own = &mut self.states[state as usize];
        own.next = own.variable;
        for (value, steps) in values.into_iter().rev() {
            let selected = self.terms.balanced(steps);
            own.next = self.terms.choose(selected, value, own.next);
        }
    }
}
