//! Shorter executions to violations of a C program, as in [`crate::shorten`].
//!
//! A reader follows events and calls, so that an execution with more statements is shorter if it has
//! fewer of them ([`Extent`]). Two searches find candidates: one for the fewest transitions, and one for
//! the fewest choices, which are the inputs and the decisions of the scheduler.
//!
//! *Entry point:* [`shorten_known`].
//! *Invariant:* every execution was replayed before it replaces another one.

use std::collections::BTreeSet;

use axle_c_evidence::ProgramViolation;
use axle_check::check;
use axle_check::judgement::program_runs;
use axle_evidence::report::{Verdict, ViolationReport};
use axle_evidence::trace::Extent;
use axle_question::checks::{Check, SystemKind};
use axle_question::config::{Approximate, Config, Order, StoreChoice};
use axle_question::run_property::RunProperty;
use axle_question::subject::Subject;
use axle_search::{Arrangement, Limits, Measure, Monitor, Stop};

use crate::likeliest::{cheapest_of_program, preferring};
use crate::searches::is_same;
use crate::shorten::{BISECTION, BYTES, ORDERS, Tried, deepen, with_remark};

/// A shorter execution to a violation, as far as the monitor allows; none if it was not shortened.
/// `report` belongs to the known one.
pub(crate) fn shorten_known(
    subject: &Subject,
    config: &Config,
    report: &ViolationReport,
    known: &ProgramViolation,
    mut monitor: &mut dyn Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    let monitor = &mut monitor;
    let config = Config {
        order: Order::BreadthFirst,
        store: StoreChoice::Auto,
        shortest: true,
        attempts: false,
        ..config.clone()
    };
    let by_steps = match subject.properties.iter().find(|one| one.name == report.property) {
        Some(one) => of_property(subject, &config, one, report.depth, monitor),
        None => of_state(subject, &config, report, known, monitor),
    };
    let by_choices = by_choices(subject, &config, report, known, monitor);
    let length =
        |(report, found): &(ViolationReport, ProgramViolation)| Extent::of(&found.trace, report.depth);
    let (shorter, violation) = by_steps.into_iter().chain(by_choices).min_by_key(length)?;
    let (before, after) =
        (Extent::of(&known.trace, report.depth), Extent::of(&violation.trace, shorter.depth));
    let (unit, before_in_unit, _) = before.compared(&after);
    (after < before).then(|| (with_remark(shorter, before_in_unit, unit), violation))
}

/// The execution with the fewest choices, within a number of states.
fn by_choices(
    subject: &Subject,
    config: &Config,
    report: &ViolationReport,
    known: &ProgramViolation,
    monitor: &mut impl Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    let config = Config { reduction: config.reduction, ..preferring(config, Measure::Choices, BISECTION) };
    let about = (&known.trail, report);
    cheapest_of_program(subject, &config, about, Measure::Choices, monitor).ok().flatten()
}

/// A shorter execution to a violation of a state.
fn of_state(
    subject: &Subject,
    config: &Config,
    told: &ViolationReport,
    known: &ProgramViolation,
    monitor: &mut impl Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    let own = Check::named(&told.property, SystemKind::Program)?;
    let mut best = None;
    let mut length = known.trail.path.len() as u64;
    let mut search = |length: u64, search: Config| {
        let depth = Some(length.saturating_sub(1)).into_iter().chain(config.limits.depth).min();
        let limits = Limits { depth, ..search.limits };
        let config = Config { checks: [own].into(), only: Some(BTreeSet::new()), limits, ..search };
        let checked = check(subject, &config, monitor);
        let found = checked.report.violations.into_iter().zip(checked.found.violations);
        found.into_iter().find(|(report, _)| is_same(report, told))
    };
    let exact = |states: Option<u64>| {
        let limits = Limits {
            errors: Some(1),
            states: states.into_iter().chain(config.limits.states).min(),
            ..config.limits
        };
        Config { limits, ..config.clone() }
    };
    let bitstate = |arrangement: Arrangement| Config {
        order: Order::DepthFirst,
        store: StoreChoice::Bitstate,
        approximate: Approximate {
            bytes: Some(BYTES),
            functions: Some(3),
            arrangement,
            ..config.approximate
        },
        shortest: false,
        ..exact(Some(BISECTION))
    };
    if let Some(found) = search(length, exact(Some(BISECTION / 10))) {
        return Some(found);
    }
    for arrangement in ORDERS {
        while length > 2 {
            let Some(found) = search(length.div_ceil(2) + 1, bitstate(arrangement)) else { break };
            length = found.1.trail.path.len() as u64;
            best = Some(found);
        }
    }
    search(length, exact(None)).or(best)
}

/// A shorter execution that violates a formula.
fn of_property(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    length: u64,
    monitor: &mut impl Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    deepen(length, true, |depth| {
        let depth = depth.into_iter().chain(config.limits.depth).min();
        let limits = Limits { depth, ..config.limits };
        let config = Config { limits, ..config.clone() };
        let judged = program_runs::check(subject, &config, one, None, monitor);
        let complete = judged.property.verdict == Verdict::Holds || judged.stop == Some(Stop::Depth);
        Tried {
            length: judged.violation.as_ref().map(|(report, _)| report.depth),
            found: judged.violation,
            complete,
        }
    })
}
