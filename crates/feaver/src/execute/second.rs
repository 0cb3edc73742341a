//! The second phase of a violated run: a search for a shorter execution.
//!
//! *Entry point:* [`shorter`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: errors are searched for again, for the shortest execution.
//! *Invariant:* the shorter execution violates the same property and was replayed. Of an extracted
//! model, it uses no row that adds behaviours to the program.

use std::sync::Arc;

use axle_check::program::refine;
use axle_check::{
    Config, KnownViolation, ProgramConfig, ProgramViolation, RunViolation, Verdict, shorten_known,
};
use axle_evidence::replay::replay_violation;
use axle_evidence::run_trail::{AnyTrail, read_any};
use axle_evidence::trace::Trace;
use axle_evidence::{program_trail, run_trail};
use axle_model::Model;
use axle_search::Monitor;
use axle_step::{FaultKind, Interrupt};
use axle_tabled::Origin;

use super::{
    Control, Deadline, Outcome, Witness, least, program_config, property_config, safety_config,
    safety_program_config, subject,
};
use crate::prepare::{LoadedProgram, Options, Run, Safety, Subject};
use crate::project::Limits;

/// The reason of a result without a shorter execution.
const NONE: &str = "no shorter execution was found";

pub(super) fn shorter(
    run: &Run,
    found: u8,
    first: &Witness,
    limits: &Limits,
    control: &mut Control,
) -> Outcome {
    let elapsed = Arc::clone(&control.elapsed);
    let memory = least(run.options.limits.memory, limits.memory);
    let options = Options { limits: Limits { memory, time: limits.time }, ..run.options };
    let mut deadline = Deadline { control, limit: limits.time, extended: true };
    let witness = match &run.subject {
        Subject::Model(model) => {
            of_model(model, &property_config(model, &options, found), first, &mut deadline)
        }
        Subject::Extracted(model, origin) => {
            let config = property_config(model, &options, found);
            of_model(model, &config, first, &mut deadline)
                .map(|witness| admitted(model, Some(origin), &config, witness, &deadline.interrupt()))
        }
        Subject::Safety(Safety::Model(model, origin, checks)) => {
            let config = safety_config(checks, &options, found);
            of_model(model, &config, first, &mut deadline)
                .map(|witness| admitted(model, origin.as_ref(), &config, witness, &deadline.interrupt()))
        }
        Subject::Program(program, formula) => {
            let config = program_config(&options, (**formula).clone());
            of_program(program, &config, first, &mut deadline)
        }
        Subject::Safety(Safety::Program(program, checks)) => {
            of_program(program, &safety_program_config(&options, checks), first, &mut deadline)
        }
    };
    let mut outcome = Outcome::without_search(run.name.clone(), run.key.hash.clone());
    outcome.cycle = found;
    (outcome.next, outcome.cause) = (None, None);
    outcome.seconds = elapsed().as_secs_f64();
    match witness {
        Ok(Some(witness)) if witness.violation.depth < first.violation.depth => {
            (outcome.verdict, outcome.reason, outcome.witness) = (Verdict::Violated, None, Some(witness));
        }
        Ok(_) => outcome.reason = Some(NONE.to_string()),
        Err(fault) => outcome.reason = Some(format!("{NONE}: {fault}")),
    }
    outcome
}

/// An execution of a model, if it is one of the program that the model was extracted from.
fn admitted(
    model: &Model,
    origin: Option<&Arc<Origin>>,
    config: &Config,
    witness: Option<Witness>,
    interrupt: &Interrupt,
) -> Option<Witness> {
    let mut witness = witness?;
    let Some(origin) = origin else { return Some(witness) };
    let Witness { violation, trace, .. } = &mut witness;
    origin.admits(model, violation, trace, config.fairness, interrupt).ok().map(|()| witness)
}

/// A shorter execution of a program.
fn of_program(
    program: &LoadedProgram,
    config: &ProgramConfig,
    first: &Witness,
    deadline: &mut Deadline<'_>,
) -> Result<Option<Witness>, String> {
    let known = known(first)?;
    let shorter = refine::shorten_known(&subject(program), config, &first.violation, &known, deadline);
    Ok(shorter.map(|(violation, found)| Witness {
        violation,
        trail: program_trail::write(&found.trail),
        trace: found.trace,
        replayed: true,
    }))
}

/// The violation of a program, from its trail.
fn known(first: &Witness) -> Result<ProgramViolation, String> {
    match read_any(&first.trail).map_err(|fault| fault.to_string())? {
        AnyTrail::Program(trail) => {
            Ok(ProgramViolation { trace: first.trace.clone(), trail, waypoints: Vec::new() })
        }
        AnyTrail::Violation(_) | AnyTrail::Run(_) => Err("the trail is one of a model".to_string()),
    }
}

/// A shorter execution of a model.
fn of_model(
    model: &Arc<Model>,
    config: &Config,
    first: &Witness,
    deadline: &mut Deadline<'_>,
) -> Result<Option<Witness>, String> {
    let told = |fault: axle_evidence::trail::TrailError| fault.to_string();
    let known = match read_any(&first.trail).map_err(told)? {
        AnyTrail::Violation(trail) => KnownViolation::State(trail.violation().map_err(told)?),
        AnyTrail::Run(trail) => KnownViolation::Run(RunViolation {
            property: trail.property.clone(),
            fault: trail.fault.as_deref().and_then(FaultKind::named),
            run: trail.run(),
        }),
        AnyTrail::Program(_) => return Err("the trail is one of a C program".to_string()),
    };
    let Some((shorter, violation)) = shorten_known(model, config, &known, &first.violation, deadline) else {
        return Ok(None);
    };
    let step_options = config.step_options();
    let file = model.files.first().map_or("", String::as_str);
    let version = env!("CARGO_PKG_VERSION");
    let (trace, trail): (Trace, String) = match &shorter {
        KnownViolation::State(found) => {
            let trace = replay_violation(model, found, &step_options).map_err(|fault| fault.to_string())?;
            let trail = axle_evidence::trail::Trail::new(model, file, &[], version, found);
            (trace, axle_evidence::trail::write(&trail))
        }
        KnownViolation::Run(found) => {
            let trace = axle_check::replay(model, found, config.fairness, &step_options)?;
            let about = super::about(found, config);
            let trail =
                axle_evidence::run_trail::RunTrail::new(model, file, &[], version, &about, &found.run);
            (trace, run_trail::write(&trail))
        }
    };
    Ok(Some(Witness { violation, trace, trail, replayed: true }))
}
