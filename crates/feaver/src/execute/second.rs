//! The second phase of a violated run: a search for a shorter execution.
//!
//! *Entry point:* [`shorter`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: errors are searched for again, for the shortest execution.
//! *Invariant:* the shorter execution violates the same property and was replayed. Of an extracted
//! model, it uses no row that adds behaviours to the program.

use std::sync::Arc;

use axle_check::{Config, Verdict};
use axle_evidence::run_trail::read_any;
use axle_model::Model;
use axle_refinement::Shorten;
use axle_search::Monitor;
use axle_step::Interrupt;
use axle_tabled::Origin;

use super::configuration::{
    program_config, property_config, safety_config, safety_program_config, subject, temporal,
};
use super::deadline::Deadline;
use super::{Control, Outcome, Witness, least, told};
use crate::prepare::{Options, Run, Safety, Subject};
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
            of_system(model, &property_config(model, &options, found), first, &mut deadline)
        }
        Subject::Extracted(model, origin) => {
            let config = property_config(model, &options, found);
            of_system(model, &config, first, &mut deadline)
                .map(|witness| admitted(model, Some(origin), &config, witness, &deadline.interrupt()))
        }
        Subject::Safety(Safety::Model(model, origin, checks)) => {
            let config = safety_config(checks, &options, found);
            of_system(model, &config, first, &mut deadline)
                .map(|witness| admitted(model, origin.as_ref(), &config, witness, &deadline.interrupt()))
        }
        Subject::Program(program, formula) => {
            let system = subject(program);
            let system = system.with_properties(std::slice::from_ref(&**formula));
            of_system(&system, &program_config(&options), first, &mut deadline)
        }
        Subject::Safety(Safety::Program(program, checks)) => {
            let termination = temporal(checks);
            let system = subject(program).with_properties(&termination);
            of_system(&system, &safety_program_config(&options, checks), first, &mut deadline)
        }
    };
    let mut outcome = Outcome::without_search(run.name.clone(), run.key.hash.clone());
    outcome.cycle = found;
    (outcome.next, outcome.cause) = (None, None);
    outcome.seconds = elapsed().as_secs_f64();
    match witness {
        Ok(Some(witness)) if witness.violation.depth < first.violation.depth => {
            (outcome.verdict, outcome.reason, outcome.witness) =
                (Verdict::Violated, None, Some(told(run, witness)));
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

/// A shorter execution than the first one.
fn of_system<S: Shorten>(
    system: &S,
    config: &Config,
    first: &Witness,
    deadline: &mut Deadline<'_>,
) -> Result<Option<Witness>, String> {
    let trail = read_any(&first.trail).map_err(|fault| fault.to_string())?;
    let shorter = system.shorter(config, (&trail, &first.violation), deadline)?;
    Ok(shorter.map(Witness::from))
}
