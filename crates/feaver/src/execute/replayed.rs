//! Results of other machines: the execution of a result is replayed and judged, before the result is
//! believed.
//!
//! *Entry point:* [`replayed`].
//! *Invariant:* what the returned result says of its execution (violation, trace, trail) comes from the
//! replay. A result *violated* has an execution that violates the property of the run, under its fairness
//! assumption; of an extracted model, one that is an execution of the program.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_check::{Check, Config, System, Verdict};
use axle_evidence::run_trail::{AnyTrail, read_any};
use axle_model::Model;
use axle_step::Interrupt;
use axle_tabled::Origin;

use super::system::{Act, with_system};
use super::{Outcome, Witness, told};
use crate::prepare::{Run, Safety, Subject};

/// The result of a run with its execution replayed. A result without an execution is returned as it is.
///
/// # Errors
/// The execution does not exist, or does not show what the result says.
pub fn replayed(run: &Run, outcome: Outcome) -> Result<Outcome, String> {
    let likeliest = match &outcome.likeliest {
        Some(given) => Some(confirmed(run, outcome.cycle, given, Verdict::Violated)?),
        None => None,
    };
    let Some(given) = &outcome.witness else {
        return match outcome.verdict {
            Verdict::Violated => Err("a violation without an execution".to_string()),
            Verdict::Holds | Verdict::Unknown => Ok(Outcome { likeliest, ..outcome }),
        };
    };
    let witness = Some(confirmed(run, outcome.cycle, given, outcome.verdict)?);
    Ok(Outcome { witness, likeliest, texts: run.texts.clone(), ..outcome })
}

/// An execution that was replayed and shows what the verdict says.
fn confirmed(run: &Run, cycle: u8, given: &Witness, verdict: Verdict) -> Result<Witness, String> {
    let trail = read_any(&given.trail).map_err(|fault| fault.to_string())?;
    let is_violated = verdict == Verdict::Violated;
    let witness = with_system(run, &run.options, cycle, Replay { trail: &trail, is_violated })?;
    let shown = &witness.violation.property;
    let is_check = |checks: &BTreeSet<Check>| checks.iter().any(|check| check.name() == shown);
    let of_model = |model: &Model| model.properties.iter().any(|property| property.name == *shown);
    let property = match &run.subject {
        Subject::Model(model) | Subject::Extracted(model, _) => {
            model.properties.first().map_or("", |property| &property.name)
        }
        Subject::Program(_, formula) => &formula.name,
        Subject::Safety(Safety::Model(model, _, checks))
            if is_check(checks) || checks.contains(&Check::Properties) && of_model(model) =>
        {
            shown
        }
        Subject::Safety(Safety::Program(_, checks)) if is_check(checks) => shown,
        Subject::Safety(_) => &run.property,
    };
    match verdict {
        Verdict::Holds => Err("the property holds, but there is a violating execution".to_string()),
        Verdict::Violated if shown != property => {
            Err(format!("the execution violates {shown}, not {property}"))
        }
        Verdict::Violated | Verdict::Unknown => Ok(told(run, witness)),
    }
}

/// Replays and judges the execution of a trail.
struct Replay<'a> {
    trail: &'a AnyTrail,
    /// Whether the property of the run is said to be violated.
    is_violated: bool,
}

impl Act for Replay<'_> {
    type Result = Result<Witness, String>;

    fn model(self, model: &Arc<Model>, config: &Config, origin: Option<&Origin>) -> Self::Result {
        let mut witness = Witness::from(model.judged(config, self.trail)?);
        let Some(origin) = origin else { return Ok(witness) };
        let Witness { violation, trace, .. } = &mut witness;
        match origin.admits(model, violation, trace, config.fairness, &Interrupt::default()) {
            Err(reason) if self.is_violated => Err(reason),
            Ok(()) | Err(_) => Ok(witness),
        }
    }

    fn program(self, program: &axle_check::Subject<'_>, config: &Config, _: &str) -> Self::Result {
        program.judged(config, self.trail).map(Witness::from)
    }
}
