//! The nearest satisfying execution of a C program.
//!
//! *Entry point:* [`nearest`].

use axle_c_evidence::trail::settings_of_trail;
use axle_c_exec::{Observer, ProgramSite, Stepper};
use axle_check::judgement::program_runs;
use axle_check::program::replay_program;
use axle_evidence::lasso::SystemRun;
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::trace::common_steps;
use axle_ltl::Formula;
use axle_question::claims::claim_of;
use axle_question::run_property::RunProperty;
use axle_question::subject::Subject;
use axle_search::{Fairness, Monitor};
use axle_step::{Fault, Successors};

use crate::nearest::continuation::Prefixes;
use crate::nearest::prefix_search::longest;
use crate::nearest::{Answer, Nearest};

/// Searches for the satisfying execution that is nearest to the execution of a trail, which violates
/// `property`. `condition` is over the propositions of the property ([`RunProperty::texts`]). An
/// execution is fair by the assumption `fairness`.
///
/// # Errors
/// The trail does not fit the program or the property, the condition is too large, or the execution
/// that was found does not replay.
pub fn nearest(
    subject: &Subject,
    (property, trail): (&RunProperty, &ProgramTrail),
    condition: &Formula,
    (fairness, memory): (Fairness, Option<u64>),
    monitor: &mut impl Monitor,
) -> Result<Answer, String> {
    let subject = &subject.with_properties(std::slice::from_ref(property));
    let (own, named) = settings_of_trail(subject, trail)?;
    if named.is_none() {
        return Err(format!("the trail is about `{}`, not about {}", trail.kind, property.name));
    }
    let known = replay_program(subject, trail)?;
    let violating = SystemRun { steps: trail.path.clone(), cycle: trail.cycle, claim: Vec::new() };

    // The executions that satisfy the condition violate its negation.
    let asked = property.with_formula(condition.clone().negated());
    let claim = claim_of(&condition.clone().negated(), property.texts().len(), &monitor.interrupt())?;
    let program = property.observed(subject.program);
    let mut stepper = Stepper::new(&program, &own);
    stepper.tell_movers();
    stepper.ask_first(monitor.interrupt());
    stepper.limit_states(memory);
    // The observer is as wide as the first state.
    stepper.initial(&mut Vec::new());
    let mut observer = Observer::new(&stepper, property.propositions().to_vec());
    let system = (&mut stepper, &mut observer);
    let mut prefixes = Prefixes::new(system, &claim, &violating, fairness, memory)?;
    let search =
        |steps, states| prefixes.search(steps, states, &|stepper, faults| ends(stepper, faults), monitor);
    let found = longest(&violating, search);
    let Some(run) = found.run else {
        return Ok(if found.is_certain { Answer::None } else { Answer::Undecided });
    };
    let trace = program_runs::walk(subject, &own, &asked, fairness, &run.steps, run.cycle)
        .map_err(|fault| format!("internal error: the execution does not replay: {fault}"))?;
    Ok(Answer::Found(Box::new(Nearest {
        common_steps: common_steps(&known, &trace),
        trace,
        is_longest: found.is_certain,
    })))
}

/// Whether an execution ends by itself or in a deadlock, and not by an error or an operation that is not
/// supported, behind which nothing is known.
fn ends(stepper: &Stepper<'_>, faults: &[Fault<ProgramSite>]) -> bool {
    let is_rest = |fault: &Fault<ProgramSite>| {
        let error_site = stepper.error_site(fault.site);
        error_site.is_some_and(|error_site| program_runs::is_rest(&error_site.error))
    };
    match faults.is_empty() {
        true => stepper.inconclusive_reasons().is_empty(),
        false => faults.iter().all(is_rest),
    }
}
