//! Three answers for each check of a program. Kept: "holds" is said only where the search ended by itself, nothing of
//! the kind went wrong, and nothing was met or left out that could have.

use axle_c::Stepper;
use axle_evidence::report::{
    PropertyReport, Report, SCHEMA, SearchReport, UnreachedReport, Verdict, ViolationReport, WarningReport,
};
use axle_search::Outcome;

use super::checks::ProgramCheck;
use super::{ProgramConfig, Subject};
use crate::{describe, verdict};

/// What a search has seen.
pub(crate) struct Seen<'a> {
    pub outcome: &'a Outcome,
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
        (None, None) => doubt(stepper, &seen.warnings),
    };
    if !stepper.inconclusive_reasons().is_empty() {
        // What nothing is known of may be reached all the same.
        seen.unreached.clear();
    }
    let mut properties = Vec::new();
    // Those over runs have searches of their own.
    let of_runs = [ProgramCheck::Properties, ProgramCheck::Termination];
    for &check in config.checks.iter().filter(|check| !of_runs.contains(check)) {
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
            remarks: Vec::new(),
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
    }
}

/// Where leaks are asked about, one is a violation; what is lost is known, the run to it is not.
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
    }));
}

/// Why a search that has ended does not decide what it has not seen going wrong.
fn doubt(stepper: &Stepper<'_>, warnings: &[WarningReport]) -> Option<String> {
    if let Some(first) = stepper.inconclusive_reasons().first() {
        let place = warnings.first().and_then(|warning| warning.place.as_ref());
        let place = place.map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
        let what = first.error.message();
        return Some(format!("{what}{place}"));
    }
    let only_time = warnings.iter().any(|warning| warning.kind == "time")
        && !warnings.iter().any(|warning| warning.kind == "input" || warning.kind == "system");
    stepper.restricted().then(|| {
        match only_time {
            true => "time stands still here, and decides something",
            false => "input was tried with some of its values only",
        }
        .to_string()
    })
}
