//! The verdict of each check of a C program.
//!
//! *Entry point:* [`report`].
//! *Invariant:* a check holds only if the search is complete, found no violation of the check, and
//! met nothing that is unsupported, limited or under-approximated.

use axle_c_exec::{ErrorNumber, MemoryModel, Restricted, Restriction, Stepper};
use axle_evidence::report::{
    NotCheckedReport, PropertyReport, Report, SCHEMA, SearchReport, UnreachedReport, Verdict,
    ViolationReport, WarningReport,
};
use axle_search::Outcome;

use super::checks::ProgramCheck;
use super::config::ProgramConfig;
use super::place;
use super::subject::Subject;
use crate::vocabulary::with_name;
use crate::{describe, verdict};

/// The results of a search.
pub(crate) struct Seen<'a> {
    pub outcome: &'a Outcome<ErrorNumber>,
    pub violations: Vec<ViolationReport>,
    pub warnings: Vec<WarningReport>,
    pub unreached: Vec<UnreachedReport>,
    pub search: SearchReport,
    pub internal: Option<String>,
}

/// The report of a search.
pub(crate) fn report(
    subject: &Subject,
    config: &ProgramConfig,
    stepper: &Stepper<'_>,
    mut seen: Seen,
) -> Report {
    let stop = seen.outcome.stop.map(|stop| describe::stop(None, stop, &config.search));
    let reason = match (&seen.internal, &stop) {
        (Some(_), _) => Some("a violation did not replay".to_string()),
        (None, Some(stop)) => Some(stop.message.clone()),
        (None, None) => doubt(stepper, &seen.warnings).or_else(|| weak_memory(subject, stepper)),
    };
    if !stepper.inconclusive_reasons().is_empty() {
        // Unexplored executions may reach these statements.
        seen.unreached.clear();
    }
    let mut properties = Vec::new();
    // Temporal properties have searches of their own.
    let temporal = [ProgramCheck::Properties, ProgramCheck::Termination];
    for &check in config.checks.iter().filter(|check| !temporal.contains(check)) {
        if check == ProgramCheck::Leaks {
            lift_leaks(&mut seen);
        }
        let violated = seen.internal.is_none() && seen.violations.iter().any(|v| v.property == check.name());
        let (verdict, reason) = match (violated, &reason) {
            (true, _) => (Verdict::Violated, None),
            (false, Some(reason)) => (Verdict::Unknown, Some(reason.clone())),
            (false, None) => (Verdict::Holds, None),
        };
        properties.push(PropertyReport {
            name: check.name().to_string(),
            meaning: check.meaning().to_string(),
            verdict,
            reason,
            remarks: restrictions(subject, config),
            search: None,
        });
    }
    Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        model: subject.files.join(" "),
        verdict: verdict::overall(&properties),
        properties,
        found: seen.outcome.found,
        violations: seen.violations,
        stop,
        search: seen.search,
        unreached: seen.unreached,
        internal: seen.internal,
        refinement: Vec::new(),
        warnings: seen.warnings,
        hints: Vec::new(),
        not_checked: aborts(subject, config, stepper).into_iter().collect(),
        memory_model: Some(config.settings.memory_model.name().to_string()),
        errors: Vec::new(),
    }
}

/// The row of the check `aborts` where it is not enabled and `abort` is reachable.
fn aborts(subject: &Subject, config: &ProgramConfig, stepper: &Stepper<'_>) -> Option<NotCheckedReport> {
    let enabled = config.checks.contains(&ProgramCheck::Aborts);
    let places = axle_c_exec::aborts(stepper);
    let first = places.first().filter(|_| !enabled)?;
    let more = match places.len() - 1 {
        0 => String::new(),
        1 => " and at 1 more place".to_string(),
        more => format!(" and at {more} more places"),
    };
    Some(NotCheckedReport {
        name: ProgramCheck::Aborts.name().to_string(),
        meaning: ProgramCheck::Aborts.meaning().to_string(),
        remark: format!(
            "abort() is reachable at {}{more}; {}",
            place::at(subject.sources, *first),
            with_name("not counted as a violation", config.search.vocabulary.aborts)
        ),
    })
}

/// Turns leak warnings into violations where the check `leaks` is enabled. There is no trace to a
/// leak.
fn lift_leaks(seen: &mut Seen) {
    let (leaks, others) = std::mem::take(&mut seen.warnings).into_iter().partition(|w| w.kind == "leak");
    seen.warnings = others;
    let leaks: Vec<WarningReport> = leaks;
    seen.violations.extend(leaks.into_iter().map(|leak| ViolationReport {
        property: ProgramCheck::Leaks.name().to_string(),
        kind: leak.kind,
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
    }));
}

/// The executions that a verdict covers, where the configuration excludes others.
pub(crate) fn restrictions(subject: &Subject, config: &ProgramConfig) -> Vec<String> {
    let words = config.search.vocabulary;
    let sequential =
        config.settings.memory_model == MemoryModel::Sc && subject.program.weak_order().is_some();
    let sequential = sequential.then(|| with_name("under sequential consistency", words.sequential));
    let input = |file| with_name(&format!("for the contents of {file} as standard input"), words.stdin);
    let input = subject.stdin.map(input);
    sequential.into_iter().chain(input).collect()
}

/// Why the absence of violations in sequentially consistent executions does not decide a program.
fn weak_memory(subject: &Subject, stepper: &Stepper<'_>) -> Option<String> {
    let place = place::place(subject.sources, stepper.weak_behaviour()?);
    Some(format!(
        "no violation under sequential consistency; weaker executions were not checked ({}:{})",
        place.file, place.line
    ))
}

/// Why a complete search without violations is inconclusive.
fn doubt(stepper: &Stepper<'_>, warnings: &[WarningReport]) -> Option<String> {
    if let Some(first) = stepper.inconclusive_reasons().first() {
        let place = warnings.first().and_then(|warning| warning.place.as_ref());
        let place = place.map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
        let what = first.error.message();
        return Some(format!("{what}{place}"));
    }
    under_approximation(stepper)
}

/// Why the executions that a search has explored are not all.
pub(crate) fn under_approximation(stepper: &Stepper<'_>) -> Option<String> {
    let of_time = |restriction: &Restriction| restriction.what == Restricted::Time;
    let restrictions = axle_c_exec::restrictions(stepper);
    stepper.restricted().then(|| {
        match !restrictions.is_empty() && restrictions.iter().all(of_time) {
            true => "time under-approximated: the clock does not advance",
            false => "input under-approximated: only sample values were explored",
        }
        .to_string()
    })
}
