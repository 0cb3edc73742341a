//! Checks C programs: from a program and a configuration to a report.
//!
//! *Entry points:* the implementation of [`System`], [`replay_program`].
//!
//! The search is that for models, over [`axle_c_exec::Stepper`]. Every violation is walked again from
//! the start before anyone hears of it.
//!
//! *Invariant:* "holds" is said only where the search ended by itself, every input was tried with
//! all of its values, and nothing was met that is not understood.

use std::collections::BTreeSet;

use axle_c_evidence::error_text::{Defect, ErrorText};
use axle_c_evidence::trail::{settings_of_trail, site_of_trail, trail};
use axle_c_evidence::{ProgramViolation, place, tell, warnings};
use axle_c_exec::{ProgramSite, Settings, Stepper};
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::report::{Report, StatementReport, UnreachedReport, Verdict, ViolationReport};
use axle_evidence::run_trail::AnyTrail;
use axle_evidence::trace::Trace;
use axle_explicit::lossy;
use axle_outcome::{Reason, ViolationKind, WarningKind};
use axle_question::checks::{Check, SystemKind};
use axle_question::config::Config;
use axle_question::subject::Subject;
use axle_search::{Fairness, Limits, Monitor, Outcome, Progress, Reduction, Stop};
use axle_source::Sources;
use axle_step::{Statistics, Successors};

use crate::judgement::found::{Execution, ProgramFound};
use crate::judgement::run_report::fairness_name;
use crate::judgement::{describe, program_runs, program_verdict, undecided};
use crate::plan::attempt::{Attempt, Kind, Share, Target};
use crate::plan::programs;
use crate::race;
use crate::race::OfProgram;
use crate::race::log::{End, Executed};
use crate::system::{Checked, System};

pub use axle_c_evidence::flow_graph;
pub use axle_c_evidence::place::{error_report, place_report};
pub use axle_question::error_checks::{kinds, of_error};
pub use axle_question::run_property::{
    PropositionError, RunProperty, formula, proposition_errors, termination,
};

impl System for Subject<'_> {
    type Found = ProgramFound;
    const KIND: SystemKind = SystemKind::Program;

    fn plan(&self, config: &Config) -> Vec<Attempt> {
        plan(self, config)
    }

    fn check(&self, config: &Config, monitor: &mut dyn Monitor) -> Checked<ProgramFound> {
        check(self, config, monitor)
    }

    fn undecided(&self, config: &Config, stop: Stop, seen: &Progress) -> Checked<ProgramFound> {
        let report = undecided::of_program(self, config, stop, seen);
        Checked { report, found: ProgramFound::default(), attempts: Vec::new() }
    }

    fn execution(
        &self,
        _: &Config,
        checked: &Checked<ProgramFound>,
        index: usize,
    ) -> Result<Option<Execution>, String> {
        let own = checked.report.violations.get(index).zip(checked.found.violations.get(index));
        Ok(own.map(|(violation, found)| execution(violation.clone(), found.clone())))
    }

    fn judged(&self, config: &Config, trail: &AnyTrail) -> Result<Execution, String> {
        let (violation, found) = replayed(self, config, own(trail)?)?;
        Ok(execution(violation, found))
    }
}

/// A violation with its execution.
pub fn execution(violation: ViolationReport, found: ProgramViolation) -> Execution {
    Execution { violation, trace: found.trace, trail: AnyTrail::Program(found.trail) }
}

/// The trail of a program.
pub fn own(trail: &AnyTrail) -> Result<&ProgramTrail, String> {
    match trail {
        AnyTrail::Program(trail) => Ok(trail),
        AnyTrail::Violation(_) | AnyTrail::Run(_) => Err("the trail is one of a model".to_string()),
    }
}

/// The attempts of a check of a program, in the order in which they start.
fn plan(subject: &Subject, config: &Config) -> Vec<Attempt> {
    programs::attempts(&programs::Request {
        search: config,
        transactions: subject.uses_transactions(config),
        // The last reference to a block may be lost when threads are folded.
        counter_abstraction: !config.checks.contains(&Check::Leaks),
        persistent_sets: subject.uses_persistent_sets(config),
        shortest: shortest(config),
        formulas: subject.wanted(config).map(|one| one.name.clone()).collect(),
    })
}

/// Checks a program.
fn check(subject: &Subject, config: &Config, mut monitor: &mut dyn Monitor) -> Checked<ProgramFound> {
    let monitor = &mut monitor;
    let transactions = subject.uses_transactions(config);
    let persistent_sets = subject.uses_persistent_sets(config);
    let executed_with =
        |transactions: bool| Settings { transactions, persistent_sets, ..subject.settings_for(config) };
    let (whole, coarse) = (executed_with(false), executed_with(transactions));
    let counter_abstraction = |settings: &Settings| Settings {
        counter_abstraction: true,
        persistent_sets: false,
        memo: false,
        ..settings.clone()
    };
    let (coarse_abstraction, whole_abstraction) = (counter_abstraction(&coarse), counter_abstraction(&whole));
    let (whole, coarse) = (subject.with_settings(&whole), subject.with_settings(&coarse));
    let plan = plan(subject, config);
    // The reduction is one of the stepper.
    let config = &Config { reduction: Reduction::None, ..config.clone() };
    let (mut subject, mut abstraction) = (&coarse, &coarse_abstraction);
    let first = if transactions { Kind::Transactions } else { Kind::Safety };
    let (mut stepper, mut raced) = search(subject, config, abstraction, phase(&plan, first), monitor);
    let mut attempts = std::mem::take(&mut raced.attempts);
    let unsure = |stepper: &Stepper<'_>| {
        stepper.error_sites().iter().any(axle_c_exec::ErrorSite::is_mixed_lock_access)
    };
    if unsure(&stepper) {
        (subject, abstraction) = (&whole, &whole_abstraction);
        (stepper, raced) = search(subject, config, abstraction, phase(&plan, Kind::Safety), monitor);
        attempts.append(&mut raced.attempts);
    }
    // The search for a shortest violation, with all threads in each state.
    let all_threads = Settings { persistent_sets: false, ..subject.settings.clone() };
    let all_threads = subject.with_settings(&all_threads);
    let limits = Limits { states: Some(shortest(config)), ..config.limits };
    let few = Config { limits, ..config.clone() };
    if persistent_sets && !raced.explored.outcome.violations.is_empty() {
        let shortest = phase(&plan, Kind::Shortest);
        let (again, mut found) = search(&all_threads, &few, abstraction, shortest, monitor);
        attempts.append(&mut found.attempts);
        if !found.explored.outcome.violations.is_empty() && !unsure(&again) {
            subject = &all_threads;
            (stepper, raced) = (again, found);
        }
    }
    let OfProgram { explored, searched, .. } = raced;
    let mut outcome = explored.outcome;
    if config.spoil_paths {
        outcome.violations.iter_mut().for_each(|violation| violation.path.push(u32::MAX));
    }
    let (told, internal) = replayed_all(subject, config, &stepper, &outcome);
    let mut search =
        describe::search(&searched, &outcome, explored.store, "interpreter", stepper.width() as u64);
    search.approximation = explored.approximation;
    search.counter_abstraction = stepper.counts_threads();
    let mut warnings = warnings::warnings(subject, config, &stepper);
    if outcome.violations.is_empty() && matches!(outcome.stop, Some(Stop::Time | Stop::Memory | Stop::States))
    {
        warnings.extend(warnings::sizes(subject, &stepper, config.vocabulary));
    }
    // Missing arguments are a warning already.
    let has_arguments = warnings.iter().all(|warning| warning.kind != WarningKind::Arguments);
    if outcome.violations.is_empty() && outcome.stop.is_none() && has_arguments {
        warnings.extend(warnings::no_thread(subject, &stepper));
    }
    let unreached = unreached(subject.sources, &stepper);
    let (reports, mut violations): (Vec<ViolationReport>, Vec<ProgramViolation>) = told.into_iter().unzip();
    let seen = program_verdict::Seen {
        outcome: &outcome,
        violations: reports,
        warnings,
        unreached,
        search,
        internal,
    };
    let mut report = program_verdict::report(subject, config, &stepper, seen);
    for violation in report.violations.iter_mut().take(violations.len()) {
        describe::name_finder(violation, explored.attempt.clone());
    }
    lossy::tell(&mut report);
    let mut executed = stepper.taken().to_vec();
    let is_whole = outcome.stop.is_none() && !stepper.counts_threads();
    drop(stepper);
    check_runs(&whole, config, outcome.stop, (&mut report, &mut violations, &mut executed), monitor);
    let searched = |name: &str| {
        report.properties.iter().any(|property| property.name == name && property.search.is_some())
    };
    let formulas = plan.into_iter().filter(|attempt| match &attempt.target {
        Target::Property(_, name) => searched(name),
        Target::States | Target::BadPrefixes(_) => false,
    });
    attempts.extend(formulas.map(|attempt| Executed { attempt, end: End::Answered }));
    let executed = Some(executed).filter(|_| is_whole && report.stop.is_none());
    Checked { report, found: ProgramFound { violations, executed }, attempts }
}

/// The violations that a search has found, replayed; each defect once. The text says which one does not
/// replay.
fn replayed_all(
    subject: &Subject,
    config: &Config,
    stepper: &Stepper<'_>,
    outcome: &Outcome<ProgramSite>,
) -> (Vec<(ViolationReport, ProgramViolation)>, Option<String>) {
    let mut told: Vec<(ViolationReport, ProgramViolation)> = Vec::new();
    let mut defects: Vec<Option<Defect>> = Vec::new();
    let mut internal = None;
    for violation in &outcome.violations {
        let Some(error_site) = stepper.error_site(violation.site) else {
            continue;
        };
        match axle_c_exec::trace(stepper, &violation.path, violation.site) {
            Ok(way) => {
                let memory = config.checks.contains(&Check::Memory);
                let mut text = ErrorText::of(subject.sources, &way, memory);
                text.name_volatile(&way, config.vocabulary);
                let known = defects.iter().position(|known| text.defect.is_some() && *known == text.defect);
                if let Some((known, _)) = known.and_then(|index| told.get_mut(index)) {
                    known.count += violation.count;
                    continue;
                }
                defects.push(text.defect);
                let trace = tell::trace(subject.sources, &way, &text);
                let report =
                    tell::violation(subject.sources, &text, &trace, &violation.path, violation.count);
                let waypoints = tell::waypoints(subject, &way, &text);
                let path = violation.path.iter().copied().map(Some).collect();
                let trail = trail(subject, violation.site, path);
                told.push((report, ProgramViolation { trace, trail, waypoints }));
            }
            Err(fault) => {
                let at =
                    stepper.place(error_site).map(|loc| place::at(subject.sources, loc)).unwrap_or_default();
                internal = Some(format!(
                    "a violation found by the search does not replay: {} at {at}: {fault}; path {:?}",
                    violation.site.class.name(),
                    violation.path
                ));
                break;
            }
        }
    }
    (told, internal)
}

/// States of the search for a shortest violation after a search with persistent sets, in which others may
/// be shorter.
const SHORTEST: u64 = 50_000;

/// The states of the search for a shortest violation.
fn shortest(config: &Config) -> u64 {
    config.limits.states.map_or(SHORTEST, |states| states.min(SHORTEST))
}

/// The leading attempt of this kind, and those beside it. A search for a shortest violation has none.
fn phase(plan: &[Attempt], kind: Kind) -> (Attempt, Vec<Attempt>) {
    let is_beside = |attempt: &&Attempt| kind != Kind::Shortest && matches!(attempt.share, Share::Fixed(_));
    let leading = plan.iter().find(|attempt| attempt.kind == kind).cloned();
    (leading.unwrap_or_else(programs::exact), plan.iter().filter(is_beside).cloned().collect())
}

/// Searches a program. `counter_abstraction`: the settings of executions with counter abstraction.
fn search<'p>(
    subject: &Subject<'p>,
    config: &Config,
    counter_abstraction: &'p Settings,
    (leading, beside): (Attempt, Vec<Attempt>),
    monitor: &mut dyn Monitor,
) -> (Stepper<'p>, OfProgram) {
    let mut stepper = Stepper::new(subject.program, subject.settings);
    let ignored = kinds().into_iter().filter(|(_, check, _)| !config.checks.contains(check));
    let ignored: Vec<_> = ignored.map(|(name, _, _)| name).collect();
    stepper.ignore(ignored.clone());
    let mut counter_abstraction = Stepper::new(subject.program, counter_abstraction);
    counter_abstraction.ignore(ignored);
    for stepper in [&mut counter_abstraction, &mut stepper] {
        stepper.ask_first(monitor.interrupt());
        stepper.limit_states(config.limits.memory);
    }
    // The set of states is made as wide as the first of them.
    stepper.initial(&mut Vec::new());
    // The last reference to a block may be lost when threads are folded.
    let counter_abstraction = Some(counter_abstraction).filter(|_| !config.checks.contains(&Check::Leaks));
    let beside = (&leading, beside);
    let raced = race::of_program(beside, &mut stepper, counter_abstraction, config, monitor);
    (stepper, raced)
}

/// Checks the formulas, if no other check is violated.
fn check_runs(
    subject: &Subject,
    config: &Config,
    stop: Option<Stop>,
    (report, violations, executed): (&mut Report, &mut Vec<ProgramViolation>, &mut [Vec<bool>]),
    monitor: &mut impl Monitor,
) {
    let doubt = match (&report.internal, stop, report.verdict) {
        (Some(_), _, _) => Some(Reason::NotReplayed { own: false }),
        (None, Some(Stop::Errors), _) | (None, None, Verdict::Violated) => {
            let ends = [ViolationKind::Deadlock, ViolationKind::Livelock, ViolationKind::Leak];
            let cuts = |violation: &ViolationReport| !ends.contains(&violation.kind);
            let cut = stop.is_some() || report.violations.iter().any(cuts);
            cut.then_some(Reason::ExecutionsCut)
        }
        (None, Some(stop), _) => Some(describe::reason(stop, config)),
        (None, None, Verdict::Unknown) => {
            report.properties.iter().find_map(|property| property.cause.clone())
        }
        (None, None, Verdict::Holds) => None,
    };
    for violation in report.violations.iter().filter(|_| report.internal.is_none()) {
        monitor.violated(&violation.property, &violation.message);
    }
    let mut ended = None;
    for one in subject.wanted(config) {
        let doubt = doubt.clone().or_else(|| ended.map(|stop| describe::reason(stop, config)));
        let judged = program_runs::check(subject, config, one, doubt, monitor);
        report.properties.push(judged.property);
        for (mine, own) in executed.iter_mut().flatten().zip(judged.taken.iter().flatten()) {
            *mine |= own;
        }
        for condition in judged.conditions {
            if !report.conditions.contains(&condition) {
                report.conditions.push(condition);
            }
        }
        for warning in judged.warnings {
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
        if let Some((told, violation)) = judged.violation {
            monitor.violated(&told.property, &told.message);
            // Violations without an execution are last.
            report.violations.insert(violations.len(), told);
            report.found += 1;
            violations.push(violation);
        }
        ended = ended.or(judged.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted)));
        report.internal = report.internal.take().or(judged.internal);
    }
    report.stop = report.stop.take().or_else(|| ended.map(|stop| describe::stop(None, stop, config)));
    report.verdict = axle_evidence::report::overall(&report.properties);
}

/// An execution that violates a formula, without any other check; none if the search finds none.
pub fn example(subject: &Subject, property: &RunProperty, monitor: &mut impl Monitor) -> Option<Trace> {
    let config = Config {
        checks: BTreeSet::new(),
        shortest: true,
        limits: Limits { errors: Some(1), ..Limits::default() },
        ..Config::default()
    };
    let judged = program_runs::check(subject, &config, property, None, monitor);
    judged.violation.filter(|_| judged.internal.is_none()).map(|(_, violation)| violation.trace)
}

/// Replays the execution of a trail; the trace ends in the violation.
pub fn replay_program(subject: &Subject, trail: &ProgramTrail) -> Result<Trace, String> {
    let (settings, property) = settings_of_trail(subject, trail)?;
    let settings = &settings;
    if let Some(one) = property {
        let known = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let given = trail.fairness.as_deref();
        let fairness = known.into_iter().find(|&one| Some(fairness_name(one)) == given);
        let fairness = fairness.ok_or("the trail names an unknown fairness")?;
        return program_runs::walk(subject, settings, one, fairness, &trail.path, trail.cycle);
    }
    let stepper = Stepper::new(subject.program, settings);
    let path: Vec<u32> = trail.path.iter().flatten().copied().collect();
    let site = site_of_trail(trail)?;
    let way = axle_c_exec::trace(&stepper, &path, site)?;
    Ok(tell::execution(subject.sources, &way))
}

/// The violation of a given trail: its run is walked and judged again, and the report is that of this
/// walk. Unlike [`replay_program`], the fairness assumption is that of the configuration.
///
/// # Errors
/// The trail does not belong to the program, or its run does not violate what it names.
pub(crate) fn replayed(
    subject: &Subject,
    config: &Config,
    given: &ProgramTrail,
) -> Result<(ViolationReport, ProgramViolation), String> {
    let own = subject.settings_for(config);
    let subject = &subject.with_settings(&own);
    let (settings, property) = settings_of_trail(subject, given)?;
    if let Some(one) = property {
        return program_runs::replayed(subject, config, one, &given.path, given.cycle);
    }
    let stepper = Stepper::new(subject.program, &settings);
    let path: Vec<u32> = given.path.iter().flatten().copied().collect();
    let site = site_of_trail(given)?;
    let way = axle_c_exec::trace(&stepper, &path, site)?;
    let text = ErrorText::of(subject.sources, &way, config.checks.contains(&Check::Memory));
    if text.check.is_none_or(|check| !config.checks.contains(&check)) {
        return Err(format!("the run ends in `{}`, which is not checked", given.kind));
    }
    let trace = tell::trace(subject.sources, &way, &text);
    let report = tell::violation(subject.sources, &text, &trace, &path, 1);
    let waypoints = tell::waypoints(subject, &way, &text);
    let trail = trail(&subject.with_settings(&settings), site, given.path.clone());
    Ok((report, ProgramViolation { trace, trail, waypoints }))
}

fn unreached(sources: &Sources, stepper: &Stepper<'_>) -> Vec<UnreachedReport> {
    let list = axle_c_exec::coverage(stepper).into_iter().filter(|function| !function.unreached.is_empty());
    list.map(|function| UnreachedReport {
        process: function.function,
        statements: function.statements as u64,
        unreached: function
            .unreached
            .iter()
            .map(|&loc| StatementReport {
                text: place::spelled(sources, loc),
                place: Some(place::place(sources, loc)),
            })
            .collect(),
    })
    .collect()
}
