//! Results of other machines: the execution of a result is replayed and judged, before the result is
//! believed.
//!
//! *Entry point:* [`replayed`].
//! *Invariant:* what the returned result says of its execution (violation, trace, trail) comes from the
//! replay. A result *violated* has an execution that violates the property of the run, under its fairness
//! assumption; of an extracted model, one that is an execution of the program.

use std::sync::Arc;

use axle_check::{Check, Config, System, Verdict};
use axle_evidence::run_trail::{AnyTrail, read_any};
use axle_model::Model;
use axle_step::Interrupt;
use axle_tabled::Origin;

use super::configuration::{
    program_config, property_config, safety_config, safety_program_config, subject, temporal,
};
use super::{Outcome, Witness, told};
use crate::prepare::{Run, Safety, Subject};

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
    let trail = read_any(&given.trail).map_err(|fault| fault.to_string())?;
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
            (of_system(model, &config, &trail)?, property_of(model))
        }
        Subject::Extracted(model, origin) => {
            let config = property_config(model, &run.options, outcome.cycle);
            (admitted(model, Some(origin), of_system(model, &config, &trail)?)?, property_of(model))
        }
        Subject::Program(program, formula) => {
            let system = subject(program);
            let system = system.with_properties(std::slice::from_ref(&**formula));
            (of_system(&system, &program_config(&run.options), &trail)?, formula.name.clone())
        }
        Subject::Safety(Safety::Model(model, origin, checks)) => {
            let config = safety_config(checks, &run.options, outcome.cycle);
            let witness = admitted(model, origin.as_ref(), of_system(model, &config, &trail)?)?;
            let shown = &witness.violation.property;
            let is_checked = checks.iter().any(|check| check.name() == shown)
                || checks.contains(&Check::Properties)
                    && model.properties.iter().any(|property| property.name == *shown);
            let property = if is_checked { shown.clone() } else { run.property.clone() };
            (witness, property)
        }
        Subject::Safety(Safety::Program(program, checks)) => {
            let termination = temporal(checks);
            let system = subject(program).with_properties(&termination);
            let witness = of_system(&system, &safety_program_config(&run.options, checks), &trail)?;
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
            Ok(Outcome { witness: Some(told(run, witness)), texts: run.texts.clone(), ..outcome })
        }
    }
}

fn property_of(model: &Model) -> String {
    model.properties.first().map(|property| property.name.clone()).unwrap_or_default()
}

/// The execution of a trail, judged.
fn of_system<S: System>(system: &S, config: &Config, trail: &AnyTrail) -> Result<Witness, String> {
    system.judged(config, trail).map(Witness::from)
}
