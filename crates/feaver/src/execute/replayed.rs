//! Results of other machines: the execution of a result is replayed and judged, before the result is
//! believed.
//!
//! *Entry point:* [`replayed`].
//! *Invariant:* what the returned result says of its execution (violation, trace, trail) comes from the
//! replay. A result *violated* has an execution that violates the property of the run, under its fairness
//! assumption; of an extracted model, one that is an execution of the program.

use std::sync::Arc;

use axle_check::{
    Check, Config, ProgramConfig, RunViolation, Verdict, replayed_program, replayed_run, replayed_violation,
};
use axle_evidence::report::ViolationReport;
use axle_evidence::run_trail::{AnyTrail, read_any};
use axle_evidence::trail::{self, TrailError};
use axle_evidence::{program_trail, run_trail};
use axle_model::Model;
use axle_step::{FaultKind, Interrupt};
use axle_tabled::Origin;

use super::{
    Outcome, Witness, about, program_config, property_config, safety_config, safety_program_config, subject,
};
use crate::prepare::{LoadedProgram, Run, Safety, Subject};

/// The result of a run with its execution replayed. A result without an execution is returned as it is.
///
/// # Errors
/// The execution does not exist, or does not show what the result says.
pub fn replayed(run: &Run, outcome: Outcome) -> Result<Outcome, String> {
    let Some(given) = &outcome.witness else {
        return match outcome.verdict {
            Verdict::Violated => Err("a violation without an execution".to_string()),
            Verdict::Holds | Verdict::Unknown => Ok(outcome),
        };
    };
    let trail = read_any(&given.trail).map_err(message)?;
    let admitted = |model: &Model, origin: Option<&Arc<Origin>>, mut witness: Witness| {
        let Some(origin) = origin else { return Ok(witness) };
        let Witness { violation, trace, .. } = &mut witness;
        let fairness = super::fairness(run.options.fairness);
        match origin.admits(model, violation, trace, fairness, &Interrupt::default()) {
            Err(reason) if outcome.verdict == Verdict::Violated => Err(reason),
            Ok(()) | Err(_) => Ok(witness),
        }
    };
    let (witness, property) = match &run.subject {
        Subject::Model(model) => {
            let config = property_config(model, &run.options, outcome.cycle);
            (of_model(model, &config, &trail)?, property_of(model))
        }
        Subject::Extracted(model, origin) => {
            let config = property_config(model, &run.options, outcome.cycle);
            (admitted(model, Some(origin), of_model(model, &config, &trail)?)?, property_of(model))
        }
        Subject::Program(program, formula) => {
            let config = program_config(&run.options, (**formula).clone());
            (of_program(program, &config, &trail)?, formula.name.clone())
        }
        Subject::Safety(Safety::Model(model, origin, checks)) => {
            let config = safety_config(checks, &run.options, outcome.cycle);
            let witness = admitted(model, origin.as_ref(), of_model(model, &config, &trail)?)?;
            let shown = &witness.violation.property;
            let is_checked = checks.iter().any(|check| check.name() == shown)
                || checks.contains(&Check::Properties)
                    && model.properties.iter().any(|property| property.name == *shown);
            let property = if is_checked { shown.clone() } else { run.property.clone() };
            (witness, property)
        }
        Subject::Safety(Safety::Program(program, checks)) => {
            let witness = of_program(program, &safety_program_config(&run.options, checks), &trail)?;
            let shown = &witness.violation.property;
            let is_checked = checks.iter().any(|check| check.name() == shown);
            let property = if is_checked { shown.clone() } else { run.property.clone() };
            (witness, property)
        }
    };
    let shown = &witness.violation.property;
    match outcome.verdict {
        Verdict::Holds => Err("the property holds, but there is a violating execution".to_string()),
        Verdict::Violated if *shown != property => {
            Err(format!("the execution violates {shown}, not {property}"))
        }
        Verdict::Violated | Verdict::Unknown => {
            Ok(Outcome { witness: Some(witness), texts: run.texts.clone(), ..outcome })
        }
    }
}

fn property_of(model: &Model) -> String {
    model.properties.first().map(|property| property.name.clone()).unwrap_or_default()
}

fn message(fault: TrailError) -> String {
    fault.to_string()
}

/// The execution of a program.
fn of_program(program: &LoadedProgram, config: &ProgramConfig, trail: &AnyTrail) -> Result<Witness, String> {
    let AnyTrail::Program(trail) = trail else {
        return Err("the trail is one of a model".to_string());
    };
    let (violation, found) = replayed_program(&subject(program), config, trail)?;
    let trail = program_trail::write(&found.trail);
    Ok(Witness { violation, trace: found.trace, trail, replayed: true })
}

/// The execution of a model.
fn of_model(model: &Arc<Model>, config: &Config, trail: &AnyTrail) -> Result<Witness, String> {
    let file = model.files.first().map_or("", String::as_str);
    let version = env!("CARGO_PKG_VERSION");
    let (violation, trace, trail): (ViolationReport, _, String) = match trail {
        AnyTrail::Violation(given) => {
            given.check(model).map_err(message)?;
            let found = given.violation().map_err(message)?;
            let (violation, trace) = replayed_violation(model, &found, config)?;
            let own = trail::Trail::new(model, file, &[], version, &found);
            (violation, trace, trail::write(&own))
        }
        AnyTrail::Run(given) => {
            given.check(model).map_err(message)?;
            let fault = match &given.fault {
                Some(kind) => {
                    Some(FaultKind::named(kind).ok_or_else(|| message(TrailError::Kind(kind.clone())))?)
                }
                None => None,
            };
            let found = RunViolation { property: given.property.clone(), run: given.run(), fault };
            let (violation, trace) = replayed_run(model, &found, config)?;
            let own = run_trail::RunTrail::new(model, file, &[], version, &about(&found, config), &found.run);
            (violation, trace, run_trail::write(&own))
        }
        AnyTrail::Program(_) => return Err("the trail is one of a C program".to_string()),
    };
    Ok(Witness { violation, trace, trail, replayed: true })
}
