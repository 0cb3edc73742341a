//! A violation of a model that was confirmed, and the execution to it.
//!
//! *Entry point:* [`Found`].

use std::sync::Arc;

use axle_check::{Config, RunViolation};
use axle_evidence::replay::replay_violation;
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_search::Violation;

/// A confirmed violation.
#[derive(Clone, Copy)]
pub enum Found<'a> {
    /// A violation in a step or state.
    Violation(&'a Violation),
    /// A counterexample to a property.
    Run(&'a RunViolation),
}

impl Found<'_> {
    /// The execution to it, reproduced by the interpreter.
    pub fn replay(&self, model: &Arc<Model>, config: &Config) -> Result<Trace, String> {
        let options = config.step_options();
        let trace = match self {
            Found::Violation(violation) => {
                replay_violation(model, violation, &options).map_err(|fault| fault.to_string())
            }
            Found::Run(run) => axle_check::replay(model, run, config.fairness, &options),
        };
        trace.map_err(|fault| format!("a violation cannot be shown: {fault}"))
    }
}
