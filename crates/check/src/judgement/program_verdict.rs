//! The verdict of each check of a C program.
//!
//! *Entry point:* [`report`].
//! *Invariant:* a check holds only if the search is complete, found no violation of the check, and
//! met nothing that is unsupported, limited or under-approximated.

use axle_c::library::Operation;
use axle_c_evidence::place;
use axle_c_exec::{MemoryModel, ProgramSite, Restricted, Stepper};
use axle_evidence::report::reason::Words;
use axle_evidence::report::{
    NotCheckedReport, PropertyReport, Report, SearchReport, StopReport, UnreachedReport, ViolationReport,
    WarningReport,
};
use axle_evidence::vocabulary::with_name;
use axle_outcome::{InputClass, Reason, ViolationKind, WarningKind};
use axle_question::checks::{Check, SystemKind};
use axle_question::config::Config;
use axle_question::subject::Subject;
use axle_search::Outcome;

use crate::judgement::{describe, verdict};

/// The results of a search.
pub(crate) struct Seen<'a> {
    pub outcome: &'a Outcome<ProgramSite>,
    pub violations: Vec<ViolationReport>,
    pub warnings: Vec<WarningReport>,
    pub unreached: Vec<UnreachedReport>,
    pub search: SearchReport,
    pub internal: Option<String>,
}

/// The report of a search.
pub(crate) fn report(subject: &Subject, config: &Config, stepper: &Stepper<'_>, mut seen: Seen) -> Report {
    let words = Words { names: config.vocabulary, model: None };
    let stop = seen.outcome.stop;
    let incomplete = match (&seen.internal, stop) {
        (Some(_), _) => Some(Reason::NotReplayed { own: false }),
        (None, Some(stop)) => Some(describe::reason(stop, config)),
        (None, None) => doubt(subject, stepper, &seen.warnings).or_else(|| weak_memory(subject, stepper)),
    };
    if !stepper.inconclusive_reasons().is_empty() {
        // Unexplored executions may reach these statements.
        seen.unreached.clear();
    }
    let mut properties = Vec::new();
    let conditions = conditions(subject, config, stepper);
    // Temporal properties have searches of their own.
    let temporal = [Check::Properties, Check::Termination];
    for &check in config.checks.iter().filter(|check| !temporal.contains(check)) {
        if check == Check::Leaks {
            lift_leaks(&mut seen);
        }
        let own = seen.violations.iter().find(|one| one.property == check.name());
        let witness = own.filter(|_| seen.internal.is_none()).map(|own| own.witness(false));
        let answer = verdict::answer(witness, incomplete.as_ref());
        properties.push(PropertyReport::answered(
            check.name(),
            check.meaning(SystemKind::Program),
            &answer,
            &words,
        ));
    }
    Report {
        found: seen.outcome.found,
        violations: seen.violations,
        stop: stop.map(|stop| StopReport::new(stop, &describe::reason(stop, config), &words)),
        search: seen.search,
        unreached: seen.unreached,
        internal: seen.internal,
        warnings: seen.warnings,
        not_checked: aborts(subject, config, stepper).into_iter().collect(),
        conditions,
        memory_model: Some(memory_model(subject, config).name().to_string()),
        ..Report::new(subject.files.join(" "), properties)
    }
}

/// The row of the check `aborts` where it is not enabled and `abort` is reachable.
fn aborts(subject: &Subject, config: &Config, stepper: &Stepper<'_>) -> Option<NotCheckedReport> {
    let enabled = config.checks.contains(&Check::Aborts);
    let places = axle_c_exec::aborts(stepper);
    let first = places.first().filter(|_| !enabled)?;
    let more = match places.len() - 1 {
        0 => String::new(),
        1 => " and at 1 more place".to_string(),
        more => format!(" and at {more} more places"),
    };
    Some(NotCheckedReport {
        name: Check::Aborts.name().to_string(),
        meaning: Check::Aborts.meaning(SystemKind::Program).to_string(),
        remark: format!(
            "abort() is reachable at {}{more}; {}",
            place::at(subject.sources, *first),
            with_name("not counted as a violation", config.vocabulary.aborts)
        ),
    })
}

/// Turns leak warnings into violations where the check `leaks` is enabled. There is no trace to a
/// leak.
fn lift_leaks(seen: &mut Seen) {
    let is_leak = |warning: &WarningReport| warning.kind == WarningKind::Leak;
    let (leaks, others) = std::mem::take(&mut seen.warnings).into_iter().partition(is_leak);
    seen.warnings = others;
    let leaks: Vec<WarningReport> = leaks;
    seen.violations.extend(leaks.into_iter().map(|leak| ViolationReport {
        property: Check::Leaks.name().to_string(),
        kind: ViolationKind::Leak,
        message: leak.message,
        process: None,
        place: leak.place,
        statement: None,
        depth: 0,
        count: 1,
        details: Vec::new(),
        path: Vec::new(),
        cycle: None,
        attempt: None,
        rows: Vec::new(),
    }));
}

/// The memory model of the executions that a verdict covers. Without a check for data races, these are
/// the sequentially consistent ones: a data race has others (C11 5.1.2.4), and is not noticed.
fn memory_model(subject: &Subject, config: &Config) -> MemoryModel {
    let unchecked = !config.checks.contains(&Check::DataRaces) && has_threads(subject);
    if unchecked { MemoryModel::Sc } else { subject.settings.memory_model }
}

fn has_threads(subject: &Subject) -> bool {
    subject.program.may_perform(Operation::Create)
}

/// The conditions of a verdict: the executions that it covers, where others exist.
pub fn conditions(subject: &Subject, config: &Config, stepper: &Stepper<'_>) -> Vec<String> {
    let words = config.vocabulary;
    let program = subject.program;
    let mut list = Vec::new();
    if subject.settings.memory_model == MemoryModel::Sc && program.weak_order().is_some() {
        list.push(with_name("under sequential consistency", words.sequential));
    } else if memory_model(subject, config) == MemoryModel::Sc && has_threads(subject) {
        list.push("under sequential consistency: data races are not checked".to_string());
    }
    list.extend(
        subject
            .stdin
            .map(|file| with_name(&format!("for the contents of {file} as standard input"), words.stdin)),
    );
    let given = stepper.settings().arguments.as_deref().filter(|_| !program.argument_uses.is_empty());
    list.extend(given.map(|given| match given {
        [] => "for a run without arguments".to_string(),
        given => format!("for the arguments `{}`", given.join(" ")),
    }));
    list.extend(program.bounds.iter().map(|applied| {
        let axle_c::Bound { name, value } = &applied.bound;
        format!("with {name} = {value} in place of {}", applied.replaced.join(" and "))
    }));
    let relaxed = program.relaxed_volatile;
    list.extend(
        relaxed.then(|| with_name("volatile accesses count as relaxed atomic operations", words.volatile)),
    );
    list.extend(axle_c_exec::installed_handler(stepper).map(|loc| {
        let place = place::at(subject.sources, loc);
        format!("assuming that no signal arrives from outside the program; handler installed at {place}")
    }));
    list
}

/// Why the absence of violations in sequentially consistent executions does not decide a program.
fn weak_memory(subject: &Subject, stepper: &Stepper<'_>) -> Option<Reason> {
    Some(Reason::WeakMemory { place: place::place(subject.sources, stepper.weak_behaviour()?) })
}

/// Why a complete search without violations is inconclusive.
fn doubt(subject: &Subject, stepper: &Stepper<'_>, warnings: &[WarningReport]) -> Option<Reason> {
    if let Some(first) = stepper.inconclusive_reasons().first() {
        let place = warnings.first().and_then(|warning| warning.place.clone());
        return Some(Reason::NotSupported { what: first.error.message(), place });
    }
    under_approximation(subject, stepper)
}

/// Why the executions that a search has explored are not all.
pub fn under_approximation(subject: &Subject, stepper: &Stepper<'_>) -> Option<Reason> {
    if !stepper.restricted() {
        return None;
    }
    let restrictions = axle_c_exec::restrictions(stepper);
    let has = |what: Restricted| restrictions.iter().find(|restriction| restriction.what == what);
    let place = |one: &axle_c_exec::Restriction| one.place.map(|loc| place::place(subject.sources, loc));
    if let Some(arguments) = has(Restricted::Arguments) {
        return Some(Reason::Inputs { class: InputClass::Arguments, place: place(arguments) });
    }
    if let Some(signal) = has(Restricted::Signal) {
        return Some(Reason::Inputs { class: InputClass::Signals, place: place(signal) });
    }
    let only_time = !restrictions.is_empty() && restrictions.iter().all(|one| one.what == Restricted::Time);
    let class = if only_time { InputClass::Time } else { InputClass::Values };
    Some(Reason::Inputs { class, place: None })
}
