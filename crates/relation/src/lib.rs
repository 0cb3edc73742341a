//! The transition relation of a model as data: guarded groups of simultaneous assignments to the
//! scalars of a bounded number of processes. It states the semantics of docs/theory/steps.md for
//! engines that do not execute edges one state at a time: decision diagrams, bit vectors, weakest
//! preconditions.
//!
//! A [`Group`] is one step of one process, or of two in a rendezvous, with the condition under which it
//! is executable in *this* state: rank, `provided`, partner, priority and `timeout` are part of the
//! condition. An `atomic` or deterministic sequence is a sequence of such steps; a variable names the
//! process in control ([`Variables::control`]), and a state in which it is not 0 is inside a sequence.
//! Conditions and values are [`Term`]s over the state before the step.
//!
//! [`execute`](Relation::execute) computes the successors of a state from the groups; the tests compare
//! it with the interpreter.
//!
//! *Entry point:* [`Relation::new`].

mod channels;
mod claim;
mod effects;
mod enabled;
mod evaluate;
mod execute;
mod expressions;
mod groups;
mod initial;
mod places;
mod post_order;
mod slots;
mod state;
mod term;
mod variables;
mod witness;

use axle_model::{Atomicity, EdgeId, Expr, Model, ProcId};
use axle_outcome::FaultKind;

pub use claim::{ClaimConditions, ClaimFault};
pub use evaluate::Evaluation;
pub use execute::{Executed, Reported, Successor};
pub use post_order::post_order;
pub use state::{Fault, Options};
pub use term::{FALSE, Range, TRUE, Term, TermId, Terms, VariableId, values};
pub use variables::{Channel, ChannelId, Part, Variable, Variables};
pub use witness::{FaultAt, Path};

/// A process that executes an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The number of the process.
    pub pid: u32,
    /// Its type.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
}

/// What the executable steps of a group do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A process executes an edge, in a rendezvous together with a receiver.
    Step {
        /// The process.
        by: Taken,
        /// The receiver.
        partner: Option<Taken>,
        /// The processes that may execute after the step.
        keep: Atomicity,
    },
    /// A process that is blocked inside an `atomic` sequence gives up control.
    Release(u32),
}

/// Steps with one condition and one list of assignments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// What the steps do.
    pub action: Action,
    /// The states in which the step is executable.
    pub enabled: TermId,
    /// The new values of variables, as terms over the state before the step; the other variables keep
    /// their values.
    pub updates: Vec<(VariableId, TermId)>,
    /// Faults of the step, where it is executable.
    pub faults: Vec<Fault>,
    /// Where the step, if executable, would create more processes than [`Options::processes`]: its
    /// successor is then not part of the relation.
    pub beyond: TermId,
}

impl Group {
    /// The number of the process that executes the group, in a rendezvous the sender.
    #[must_use]
    pub fn executing(&self) -> u32 {
        match self.action {
            Action::Step { by, .. } => by.pid,
            Action::Release(pid) => pid,
        }
    }

    /// The process that a step leaves in control, or that executed last, and its edge; none for the end of a sequence.
    #[must_use]
    pub fn last(&self) -> Option<Taken> {
        match self.action {
            Action::Step { by, partner, .. } => Some(partner.unwrap_or(by)),
            Action::Release(_) => None,
        }
    }
}

/// The transition relation of a model.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The terms.
    pub terms: Terms,
    /// The variables.
    pub variables: Variables,
    /// The initial value of each variable.
    pub initial: Vec<i64>,
    /// Faults of the initial values.
    pub initial_faults: Vec<Fault>,
    /// The groups, in the order in which the interpreter tries processes, edges and partners.
    pub groups: Vec<Group>,
    /// Faults of the evaluation of executability, and deterministic sequences that meet a rendezvous.
    pub faults: Vec<Fault>,
    /// For each process, where its deterministic sequence is blocked.
    pub blocked_sequences: Vec<(u32, TermId)>,
    /// Where no process has an executable edge, outside sequences.
    pub blocked: TermId,
    /// The faults of blocked states.
    pub ends: Vec<Fault>,
    /// The propositions, in the order given.
    pub propositions: Vec<TermId>,
    /// Where propositions have no value: one entry for each proposition and kind. They then count as false.
    pub proposition_faults: Vec<PropositionFault>,
    /// The conditions of a claim over the propositions ([`Relation::observe`]).
    pub claim: Option<ClaimConditions>,
}

/// A condition on states outside sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition {
    /// The expression is not 0. It belongs to no process.
    Holds(Expr),
    /// Some process is at a location with an acceptance label.
    Accepting,
}

/// A proposition whose evaluation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropositionFault {
    /// Its position among the propositions.
    pub proposition: u32,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The states in which it fails.
    pub condition: TermId,
}

/// Why a model has no relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RelationError {
    /// The relation has too many terms.
    #[error("the transition relation has more than {0} terms")]
    TooLarge(usize),
    /// The model starts with more processes than allowed.
    #[error("the model starts with {0} processes")]
    TooManyProcesses(usize),
}

impl Relation {
    /// The relation of a well-formed model, and propositions over its states.
    ///
    /// # Errors
    /// The relation exceeds a limit of the options.
    pub fn new(model: &Model, options: &Options, propositions: &[Expr]) -> Result<Relation, RelationError> {
        let propositions: Vec<_> = propositions.iter().cloned().map(Proposition::Holds).collect();
        Relation::with_propositions(model, options, &propositions)
    }

    /// The relation of a well-formed model, and propositions over its states.
    ///
    /// # Errors
    /// As [`Relation::new`].
    pub fn with_propositions(
        model: &Model,
        options: &Options,
        propositions: &[Proposition],
    ) -> Result<Relation, RelationError> {
        groups::relation(model, options, propositions)
    }
}
