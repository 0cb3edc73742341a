//! Searches for executions that claims accept by engines other than the explicit-state one.
//!
//! *Entry points:* [`ClaimEngine`], [`PropertyChecker::search_by`].
//! *Invariant:* a counterexample of such an engine is replayed by the interpreter like any other.

use std::sync::Arc;

use axle_decide::certificate::{ClaimPart, ClaimProof};
use axle_evidence::lasso::SystemRun;
use axle_explicit::ReductionStatus;
use axle_model::Model;
use axle_outcome::Count;
use axle_question::EngineId;
use axle_question::config::Config;
use axle_search::claim::Claim;
use axle_search::{Fairness, LivenessOutcome, Monitor};
use axle_step::Atom;

use crate::judgement::runs::search::{system_prefix, system_run};
use crate::judgement::runs::{PropertyChecker, PropertyOutcome};

/// The question whether a model has an execution that a claim accepts.
#[derive(Clone, Copy)]
pub(crate) struct ClaimQuestion<'q> {
    pub model: &'q Arc<Model>,
    pub config: &'q Config,
    pub claim: &'q Claim,
    /// The propositions of the claim.
    pub atoms: &'q [Atom],
    pub fairness: Fairness,
}

/// The answer of an engine.
#[derive(Clone)]
pub(crate) struct ClaimResult {
    pub outcome: LivenessOutcome,
    /// The counterexample, where the finding of the outcome does not state the positions of its steps.
    pub run: Option<SystemRun>,
    /// The executions to propositions without a value, where the outcome does not state their positions.
    pub fault_runs: Option<Vec<SystemRun>>,
    /// The number of states of the product; none if the engine enumerates none.
    pub states: Option<Count>,
    /// The proof, in a sentence.
    pub proof: Option<String>,
    /// The invariants of the proof, for a certificate.
    pub parts: Vec<ClaimPart>,
    /// Whether the coverage of the claim is known, so that vacuity can be examined.
    pub is_covered: bool,
}

/// An engine that searches for executions that claims accept.
pub(crate) trait ClaimEngine: Sync {
    /// Its name.
    fn id(&self) -> EngineId;

    /// How it represents states, for the report.
    fn store(&self) -> &'static str;

    /// Whether event traces, which constrain steps, are left to the explicit-state search of this process.
    fn leaves_event_traces(&self) -> bool {
        false
    }

    /// Searches for an execution.
    ///
    /// # Errors
    /// The reason why the claim, the fairness assumption or the model is not supported.
    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String>;
}

/// What a report states of the search of an engine.
pub(super) struct ByEngine {
    pub engine: EngineId,
    pub store: &'static str,
    pub states: Option<Count>,
    pub proof: Option<String>,
    pub parts: Vec<ClaimPart>,
    pub is_covered: bool,
}

impl ByEngine {
    /// The proof, as a remark.
    pub fn remark(&self) -> Option<String> {
        self.proof.as_ref().map(|proof| format!("proved by {}: {proof}", self.engine))
    }

    /// The certificate of a property of this name that holds.
    pub fn certificate(&self, name: &str, fairness: Fairness) -> Option<ClaimProof> {
        let (name, is_fair) = (name.to_string(), fairness != Fairness::None);
        (!self.parts.is_empty()).then(|| ClaimProof { name, is_fair, parts: self.parts.clone() })
    }
}

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Searches a model by the selected engine.
    pub(super) fn search_by(
        &mut self,
        engine: &dyn ClaimEngine,
        model: &Arc<Model>,
        claim: &Claim,
        atoms: &[Atom],
        fairness: Fairness,
    ) -> Result<PropertyOutcome, String> {
        let question = ClaimQuestion { model, config: self.config, claim, atoms, fairness };
        let ClaimResult { outcome, run, fault_runs, states, proof, parts, is_covered } =
            engine.search(&question, &mut *self.monitor)?;
        let found = || outcome.finding.as_ref().map(|finding| system_run(claim, finding));
        let run = run.or_else(found);
        let of_faults = || outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix)).collect();
        let fault_runs = fault_runs.unwrap_or_else(of_faults);
        let (engine, store) = (engine.id(), engine.store());
        Ok(PropertyOutcome {
            outcome,
            run,
            fault_runs,
            reduction: ReductionStatus::Off,
            passes: Vec::new(),
            approximation: None,
            by: Some(ByEngine { engine, store, states, proof, parts, is_covered }),
        })
    }
}
