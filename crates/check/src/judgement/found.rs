//! The violations that checks find, in a form that can be replayed.
//!
//! *Entry points:* [`ModelFound`], [`ProgramFound`], [`Execution`].

use axle_c_evidence::ProgramViolation;
use axle_evidence::report::ViolationReport;
use axle_evidence::run_trail::AnyTrail;
use axle_evidence::trace::Trace;
use axle_search::{Outcome, Violation};

use crate::judgement::runs::RunViolation;

/// The violations that a check of a model finds.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelFound {
    /// The result of the search, from which violations can be replayed. The `i`-th violation here is
    /// the `i`-th of the report.
    pub outcome: Outcome,
    /// Runs that break properties of the model: the violations of the report behind those of the
    /// outcome.
    pub runs: Vec<RunViolation>,
    /// The violation that did not replay, where `report.internal` says that one did not.
    pub refused: Option<Violation>,
    /// The number of searches of a smaller model whose counterexample could not be mapped to the
    /// original model, which was then searched. Counterexamples of slices are not counted: they
    /// need not exist in the model.
    pub again: u32,
    /// The invariant that proves the absence of violations of states and steps, as a certificate, if the
    /// engine that answered has one.
    pub certificate: Option<Certificate>,
}

/// The certificate of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The invariant, as `axle verify-certificate` reads it.
    pub invariant: String,
    /// The model that was searched, as text. Passes make it smaller than the model of the user.
    pub model: String,
}

impl ModelFound {
    /// The violation of the report with this index.
    pub fn violation(&self, index: usize) -> Option<KnownViolation> {
        let of_run = || self.runs.get(index - self.outcome.violations.len());
        let of_state = self.outcome.violations.get(index).cloned().map(KnownViolation::State);
        of_state.or_else(|| of_run().cloned().map(KnownViolation::Run))
    }
}

/// A violation of a model from which its execution can be replayed.
#[derive(Clone, PartialEq, Debug)]
pub enum KnownViolation {
    /// Of a state or a step.
    State(Violation),
    /// Of a property of executions.
    Run(RunViolation),
}

/// The violations that a check of a program finds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProgramFound {
    /// The violations of the report, in its order.
    pub violations: Vec<ProgramViolation>,
    /// The steps that the searches have executed, by function and step; none if a search is not
    /// complete.
    pub executed: Option<Vec<Vec<bool>>>,
}

/// A violation with its execution, which was replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct Execution {
    /// The violation.
    pub violation: ViolationReport,
    /// The execution to it.
    pub trace: Trace,
    /// From which it can be replayed.
    pub trail: AnyTrail,
}
