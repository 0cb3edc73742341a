//! Violations of a model from given executions, for example those that another machine found.
//!
//! The execution is replayed by the interpreter and judged; the report and the trace are those of this
//! replay, whatever the giver said of it.
//!
//! *Entry points:* [`replayed_violation`], [`replayed_run`]; for C programs
//! [`crate::program::replayed_program`].
//! *Invariant:* an execution that does not violate the property under the fairness assumption of the
//! configuration is an error.

use std::sync::Arc;

use axle_evidence::replay::replay_violation;
use axle_evidence::report::ViolationReport;
use axle_evidence::trace::Trace;
use axle_evidence::words::sentence;
use axle_model::Model;
use axle_search::{Finding, Prefix, Violation};
use axle_step::Interpreter;

use crate::checks::Check;
use crate::config::Config;
use crate::run_report::{finite_run, violation};
use crate::runs::{RunViolation, fairness_for, replay};
use crate::{claims, confirm, describe};

/// A violation in a step or state.
///
/// # Errors
/// The path does not exist, or the violation does not occur there.
pub fn replayed_violation(
    model: &Arc<Model>,
    given: &Violation,
    config: &Config,
) -> Result<(ViolationReport, Trace), String> {
    let options = config.step_options();
    let seen = confirm(&mut Interpreter::new(Arc::clone(model), options), given)?;
    let trace = replay_violation(model, given, &options).map_err(|fault| fault.to_string())?;
    let report = describe::violation(model, given, &seen);
    Ok((ViolationReport { count: 1, ..report }, trace))
}

/// A run that violates a temporal property, or in which a proposition of it cannot be evaluated.
///
/// # Errors
/// The run does not exist, or does not violate the property.
pub fn replayed_run(
    model: &Arc<Model>,
    given: &RunViolation,
    config: &Config,
) -> Result<(ViolationReport, Trace), String> {
    let stated = claims::named(model, &given.property);
    let stated = stated.ok_or_else(|| format!("the model has no property `{}`", given.property))?;
    let fairness = fairness_for(&stated, config);
    let trace = replay(model, given, fairness, &config.step_options())?;
    let report = match given.fault {
        Some(kind) => {
            let message = format!("{}, in a proposition of {}", sentence(kind, None), stated.name);
            ViolationReport {
                property: Check::of(kind).name().to_string(),
                ..finite_run(&stated, model, &given.run, kind.into(), message)
            }
        }
        None => {
            let end = Finding::ClaimEnd(Prefix { start: 0, steps: Vec::new() }, 0);
            let finding = match given.run.cycle {
                0 => end,
                _ => Finding::Cycle(axle_search::Lasso::default()),
            };
            violation(&stated, &finding, &given.run, &trace, model, fairness)
        }
    };
    Ok((report, trace))
}
