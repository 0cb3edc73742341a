//! Violations of a model from given executions, for example those that another machine found.
//!
//! The execution is replayed by the interpreter and judged; the report and the trace are those of this
//! replay, whatever the giver said of it.
//!
//! *Entry points:* [`execution`], [`judged`].
//! *Invariant:* an execution that does not violate the property under the fairness assumption of the
//! configuration is an error.

use std::sync::Arc;

use axle_evidence::replay::replay_violation;
use axle_evidence::report::ViolationReport;
use axle_evidence::run_trail::{About, AnyTrail, RunTrail};
use axle_evidence::trace::Trace;
use axle_evidence::trail::{Trail, TrailError};
use axle_evidence::words::sentence;
use axle_explicit::state_path::follow;
use axle_model::{Model, ProcId};
use axle_question::checks::Check;
use axle_question::claims;
use axle_question::config::Config;
use axle_search::{Finding, Prefix, Violation};
use axle_step::{Batch, FaultKind, Interpreter, Processes, Successors};

use crate::judgement::found::{Execution, KnownViolation};
use crate::judgement::run_report::{fairness_name, finite_run, violation};
use crate::judgement::runs::{RunViolation, fairness_for, replay};
use crate::judgement::{confirm, describe};

/// The execution of a violation of a model, with the report of it.
///
/// # Errors
/// It does not replay.
pub fn execution(
    model: &Arc<Model>,
    config: &Config,
    known: &KnownViolation,
    violation: ViolationReport,
) -> Result<Execution, String> {
    let options = config.step_options();
    let trace = match known {
        KnownViolation::State(found) => {
            replay_violation(model, found, &options).map_err(|fault| fault.to_string())?
        }
        KnownViolation::Run(found) => replay(model, found, config.fairness, &options)?,
    };
    Ok(Execution { violation, trace, trail: trail(model, config, known) })
}

/// The execution of a trail, judged.
///
/// # Errors
/// The trail is not one of the model, or its execution does not violate what it names.
pub(crate) fn judged(model: &Arc<Model>, config: &Config, trail: &AnyTrail) -> Result<Execution, String> {
    let known = known(model, config, trail)?;
    let (violation, trace) = match &known {
        KnownViolation::State(found) => replayed_violation(model, found, config)?,
        KnownViolation::Run(found) => replayed_run(model, found, config)?,
    };
    Ok(Execution { violation, trace, trail: self::trail(model, config, &known) })
}

/// The violation of a trail.
///
/// # Errors
/// The trail is not one of the model.
pub fn known(model: &Arc<Model>, config: &Config, trail: &AnyTrail) -> Result<KnownViolation, String> {
    let message = |fault: TrailError| fault.to_string();
    match trail {
        AnyTrail::Violation(given) => {
            given.check(model).map_err(message)?;
            let found = given.violation().map_err(message)?;
            let proc = process_type(model, config, &found);
            Ok(KnownViolation::State(Violation { proc, ..found }))
        }
        AnyTrail::Run(given) => {
            given.check(model).map_err(message)?;
            let kind =
                |kind: &String| FaultKind::named(kind).ok_or_else(|| message(TrailError::Kind(kind.clone())));
            let fault = given.fault.as_ref().map(kind).transpose()?;
            let property = given.property.clone();
            Ok(KnownViolation::Run(RunViolation { property, run: given.run(), fault }))
        }
        AnyTrail::Program(_) => Err("the trail is one of a C program".to_string()),
    }
}

/// The type of the process that fails, by which a search recognises the violation. A trail does not have
/// it; none if there is no such execution, which a replay reports.
fn process_type(model: &Arc<Model>, config: &Config, found: &Violation) -> Option<ProcId> {
    let mut interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut state = interpreter.initial(&mut Vec::new());
    let mut batch = Batch::default();
    for &position in &found.path {
        follow(&mut interpreter, &mut state, position, &mut batch)?;
    }
    interpreter.process_type(&state, found.pid)
}

/// From which a violation can be replayed.
fn trail(model: &Model, config: &Config, known: &KnownViolation) -> AnyTrail {
    let file = model.files.first().map_or("", String::as_str);
    let version = env!("CARGO_PKG_VERSION");
    match known {
        KnownViolation::State(found) => AnyTrail::Violation(Trail::new(model, file, &[], version, found)),
        KnownViolation::Run(found) => {
            let about = About {
                property: &found.property,
                fault: found.fault.map(FaultKind::name),
                fairness: fairness_name(config.fairness),
            };
            AnyTrail::Run(RunTrail::new(model, file, &[], version, &about, &found.run))
        }
    }
}

/// A violation in a step or state.
///
/// # Errors
/// The path does not exist, or the violation does not occur there.
fn replayed_violation(
    model: &Arc<Model>,
    given: &Violation,
    config: &Config,
) -> Result<(ViolationReport, Trace), String> {
    let options = config.step_options();
    let seen = confirm::confirm(&mut Interpreter::new(Arc::clone(model), options), given)?;
    let trace = replay_violation(model, given, &options).map_err(|fault| fault.to_string())?;
    let report = describe::violation(model, given, &seen);
    Ok((ViolationReport { count: 1, ..report }, trace))
}

/// A run that violates a temporal property, or in which a proposition of it cannot be evaluated.
///
/// # Errors
/// The run does not exist, or does not violate the property.
fn replayed_run(
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
