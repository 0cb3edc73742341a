//! Executions of C programs to violations of states that are cheapest by a measure of their choices.
//!
//! Every thread may execute in each state: the alternatives that a reduction leaves out count.
//!
//! *Entry points:* [`of_state`], [`cost`].
//! *Invariant:* the execution was replayed and ends in the violation of the given trail.

use axle_c_evidence::ProgramViolation;
use axle_c_evidence::trail::{settings_of_trail, site_of_trail, trail};
use axle_c_exec::{Settings, Stepper};
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::report::ViolationReport;
use axle_question::config::Config;
use axle_question::error_checks::kinds;
use axle_question::subject::Subject;
use axle_search::safety::cheapest;
use axle_search::{Measure, Monitor};
use axle_step::Successors;
use axle_store::NumberedSet;

use crate::program::replayed;

/// The cheapest execution to the violation of a trail, within the limits of the configuration; none if
/// they end the search.
///
/// # Errors
/// The trail does not belong to the program, or the execution does not replay.
pub fn of_state(
    subject: &Subject<'_>,
    config: &Config,
    known: &ProgramTrail,
    measure: Measure,
    mut monitor: &mut dyn Monitor,
) -> Result<Option<(ViolationReport, ProgramViolation)>, String> {
    let own = subject.settings_for(config);
    let (settings, _) = settings_of_trail(&subject.with_settings(&own), known)?;
    let settings = Settings { persistent_sets: false, ..settings };
    let site = site_of_trail(known)?;
    let mut stepper = Stepper::new(subject.program, &settings);
    let ignored = kinds().into_iter().filter(|(_, check, _)| !config.checks.contains(check));
    stepper.ignore(ignored.map(|(name, _, _)| name).collect());
    stepper.ask_first(monitor.interrupt());
    stepper.limit_states(config.limits.memory);
    // The set of states is made as wide as the first of them.
    stepper.initial(&mut Vec::new());
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let Ok(mut set) = NumberedSet::packed(stepper.width(), limit, false) else { return Ok(None) };
    let asked = (measure, &config.limits);
    let found = cheapest::search(&mut stepper, &mut set, asked, |key| key.0 == site, &mut monitor);
    let Ok(Some(found)) = found else { return Ok(None) };
    let path = found.path.iter().copied().map(Some).collect();
    let trail = trail(&subject.with_settings(&settings), site, path);
    replayed(subject, config, &trail).map(Some)
}

/// What the execution of a trail costs, without the repetitions of its cycle; none if it is not known.
pub fn cost(subject: &Subject<'_>, config: &Config, known: &ProgramTrail, measure: Measure) -> Option<u64> {
    let own = subject.settings_for(config);
    let (settings, property) = settings_of_trail(&subject.with_settings(&own), known).ok()?;
    if settings.persistent_sets {
        return None;
    }
    let prefix = known.path.get(..known.path.len().checked_sub(known.cycle)?)?;
    match property {
        Some(one) => {
            let program = one.observed(subject.program);
            axle_search::cheapest::cost(&mut Stepper::new(&program, &settings), prefix, false, measure)
        }
        None => {
            let mut stepper = Stepper::new(subject.program, &settings);
            axle_search::cheapest::cost(&mut stepper, prefix, true, measure)
        }
    }
}
