//! The likeliest execution to a known violation.
//!
//! The likelihood of an execution is its probability if each transition of a state is equally probable:
//! the product of the inverse numbers of transitions in its states. Of a cycle, which repeats without
//! end, only the path to it counts.
//!
//! *Entry points:* [`of_model`], [`of_program`], [`cheapest_of_program`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: the second phase selects the most likely manifestation of an error.
//! T. Han, J.-P. Katoen and B. Damman, "Counterexample Generation in Probabilistic Model Checking", IEEE
//! TSE 35(2), 2009: the most probable path ([`axle_search::cheapest`]).
//! *Invariant:* the execution was replayed, violates the same property, and is likelier than each known
//! one.

use std::sync::Arc;

use axle_c_evidence::ProgramViolation;
use axle_check::judgement::runs::check_runs;
use axle_check::judgement::{confirm, describe, program_runs, replayed};
use axle_check::program::{execution, own};
use axle_check::{Execution, KnownViolation, program_cheapest};
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::report::ViolationReport;
use axle_evidence::run_trail::AnyTrail;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_question::claims;
use axle_question::config::Config;
use axle_question::subject::Subject;
use axle_search::safety::cheapest;
use axle_search::{Found, Limits, Measure, Monitor, Violation};
use axle_step::{Interpreter, Successors};
use axle_store::NumberedSet;

use crate::searches::violation_key;
use crate::shorten::exact;

/// States of the search for the likeliest execution.
const STATES: u64 = 1_000_000;

/// A known execution with its violation.
pub(crate) type Known<'k> = (&'k AnyTrail, &'k ViolationReport);

/// The configuration of a search by a measure, within a number of states.
pub(crate) fn preferring(config: &Config, measure: Measure, most: u64) -> Config {
    let states = config.limits.states.map_or(most, |states| states.min(most));
    let limits = Limits { states: Some(states), errors: Some(1), ..config.limits };
    Config { prefer: Some(measure), limits, ..exact(config) }
}

/// The likeliest execution of a model to the violation of the first known one; none if a known one is as
/// likely.
pub(crate) fn of_model(
    model: &Arc<Model>,
    config: &Config,
    known: &[Known<'_>],
    monitor: &mut dyn Monitor,
) -> Result<Option<Execution>, String> {
    let Some((trail, report)) = known.first() else { return Ok(None) };
    let config = &preferring(config, Measure::Likelihood, STATES);
    let found = match replayed::known(model, config, trail)? {
        KnownViolation::State(first) => of_state(model, config, &first, monitor),
        run @ KnownViolation::Run(_) => of_run(model, config, &run, report, monitor),
    };
    let Some((found, report)) = found else { return Ok(None) };
    let Some(cost) = cost(model, config, &found) else { return Ok(None) };
    for (trail, _) in known {
        let other = replayed::known(model, config, trail)?;
        if self::cost(model, config, &other).is_some_and(|other| other <= cost) {
            return Ok(None);
        }
    }
    replayed::execution(model, config, &found, with_likelihood(report, cost)).map(Some)
}

fn of_state(
    model: &Arc<Model>,
    config: &Config,
    known: &Violation,
    mut monitor: &mut dyn Monitor,
) -> Option<(KnownViolation, ViolationReport)> {
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    stepper.initial(&mut Vec::new());
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let mut set = NumberedSet::packed(stepper.width(), limit, false).ok()?;
    let key = known.key();
    let asked = (Measure::Likelihood, &config.limits);
    let found =
        cheapest::search(&mut stepper, &mut set, asked, |other| *other == key, &mut monitor).ok()??;
    let found = Violation { count: known.count, ..found };
    let mut interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let seen = confirm::confirm(&mut interpreter, &found).ok()?;
    let report = describe::violation(model, &found, &seen);
    Some((KnownViolation::State(found), report))
}

fn of_run(
    model: &Arc<Model>,
    config: &Config,
    known: &KnownViolation,
    report: &ViolationReport,
    mut monitor: &mut dyn Monitor,
) -> Option<(KnownViolation, ViolationReport)> {
    let KnownViolation::Run(known) = known else { return None };
    let stated = claims::named(model, &known.property)?;
    let key = violation_key(known, report);
    let runs = check_runs(model, config, std::slice::from_ref(&stated), None, None, &mut monitor);
    let found = runs.violations.into_iter().find(|(run, report)| violation_key(run, report) == key)?;
    Some((KnownViolation::Run(found.0), found.1))
}

/// What an execution of a model costs, without the repetitions of its cycle.
fn cost(model: &Arc<Model>, config: &Config, known: &KnownViolation) -> Option<u64> {
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    let (steps, fails): (Vec<Option<u32>>, bool) = match known {
        KnownViolation::State(known) => {
            (known.path.iter().copied().map(Some).collect(), known.found != Found::Start)
        }
        KnownViolation::Run(known) => (known.run.steps[..known.run.prefix()].to_vec(), false),
    };
    axle_search::cheapest::cost(&mut stepper, &steps, fails, Measure::Likelihood)
}

/// The likeliest execution of a C program to the violation of the first known one; none if a known one is
/// as likely.
pub(crate) fn of_program(
    subject: &Subject<'_>,
    config: &Config,
    known: &[Known<'_>],
    monitor: &mut dyn Monitor,
) -> Result<Option<Execution>, String> {
    let Some((trail, report)) = known.first() else { return Ok(None) };
    let config = &Config { reduction: config.reduction, ..preferring(config, Measure::Likelihood, STATES) };
    let found = cheapest_of_program(subject, config, (own(trail)?, report), Measure::Likelihood, monitor)?;
    let Some((report, found)) = found else { return Ok(None) };
    let mut found = execution(report, found);
    let cost =
        |trail: &AnyTrail| program_cheapest::cost(subject, config, own(trail).ok()?, Measure::Likelihood);
    let Some(least) = cost(&found.trail) else { return Ok(None) };
    let is_beaten = |(trail, _): &Known<'_>| match cost(trail) {
        Some(other) => other <= least,
        // It was found in a reduced graph, whose alternatives are others.
        None => own(trail).is_ok_and(|trail| own(&found.trail).is_ok_and(|found| found.path == trail.path)),
    };
    if known.iter().any(is_beaten) {
        return Ok(None);
    }
    found.violation = with_likelihood(found.violation, least);
    Ok(Some(found))
}

/// The execution of a C program to a known violation that is the cheapest one by a measure.
pub(crate) fn cheapest_of_program(
    subject: &Subject<'_>,
    config: &Config,
    (trail, report): (&ProgramTrail, &ViolationReport),
    measure: Measure,
    mut monitor: &mut dyn Monitor,
) -> Result<Option<(ViolationReport, ProgramViolation)>, String> {
    let config = &Config { prefer: Some(measure), ..config.clone() };
    match subject.properties.iter().find(|one| trail.fairness.is_some() && one.name == trail.kind) {
        Some(one) => {
            let judged = program_runs::check(subject, config, one, None, &mut monitor);
            Ok(judged.violation.filter(|_| judged.internal.is_none()))
        }
        None => {
            let found = program_cheapest::of_state(subject, config, trail, measure, monitor)?;
            Ok(found.map(|(own, found)| (ViolationReport { count: report.count, ..own }, found)))
        }
    }
}

/// The report with the likelihood of its execution.
fn with_likelihood(mut report: ViolationReport, cost: u64) -> ViolationReport {
    let one_of = Measure::one_of(cost);
    let number = if one_of < 1e6 { format!("{one_of:.0}") } else { format!("{one_of:.1e}") };
    report.details.push(format!("the likeliest execution: probability 1/{number} if every choice is random"));
    report
}
