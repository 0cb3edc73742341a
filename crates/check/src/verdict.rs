//! The verdict of each property: holds, violated or unknown.
//!
//! *Entry point:* [`report`].
//! *Invariant:* "holds" is the verdict of an exhaustive search without a violation of the property.
//! A property that cannot be checked is unknown, and never left out.

use axle_evidence::report::{
    PropertyReport, Report, SCHEMA, SearchReport, UnreachedReport, Verdict, ViolationReport,
};
use axle_model::Model;
use axle_search::Outcome;

use crate::checks::Check;
use crate::config::Config;
use crate::confirm::Confirmed;
use crate::describe;
use crate::runs::Runs;

/// The report of a search.
pub(crate) fn report(
    model: &Model,
    config: &Config,
    outcome: &Outcome,
    confirmed: &[Confirmed],
    unreached: Vec<UnreachedReport>,
    search: SearchReport,
    runs: Runs,
) -> Report {
    let mut violations: Vec<ViolationReport> = (outcome.violations.iter().zip(confirmed))
        .map(|(violation, seen)| describe::violation(model, violation, seen))
        .collect();
    violations.extend(runs.violations.iter().map(|(_, told)| told.clone()));
    let stop = outcome.stop.map(|stop| describe::stop(Some(model), stop, config));
    let mut properties = Vec::new();
    for &check in &config.checks {
        match check {
            Check::Properties => properties.extend(runs.properties.iter().cloned()),
            Check::Unreached => {
                let violated = !unreached.is_empty() && outcome.stop.is_none();
                properties.push(property(check, violated, stop.as_ref().map(|s| &s.message[..])));
            }
            _ => {
                let violated = violations.iter().any(|v| v.property == check.name());
                properties.push(property(check, violated, stop.as_ref().map(|s| &s.message[..])));
            }
        }
    }
    if runs.internal.is_some() {
        // No result of this search is reliable.
        for property in properties.iter_mut() {
            property.verdict = Verdict::Unknown;
            property.reason = Some("a violation did not replay".to_string());
        }
    }
    Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        model: model.files.first().cloned().unwrap_or_default(),
        verdict: overall(&properties),
        properties,
        violations,
        found: outcome.found + runs.violations.len() as u64,
        stop: stop.or_else(|| runs.stop.map(|stop| describe::stop(Some(model), stop, config))),
        search,
        unreached,
        internal: runs.internal,
        refinement: Vec::new(),
        warnings: Vec::new(),
        hints: Vec::new(),
        not_checked: Vec::new(),
        conditions: Vec::new(),
        memory_model: None,
        errors: Vec::new(),
    }
}

fn property(check: Check, violated: bool, stopped: Option<&str>) -> PropertyReport {
    let (verdict, reason) = match (violated, stopped) {
        (true, _) => (Verdict::Violated, None),
        (false, Some(reason)) => (Verdict::Unknown, Some(reason.to_string())),
        (false, None) => (Verdict::Holds, None),
    };
    PropertyReport {
        name: check.name().to_string(),
        meaning: check.meaning().to_string(),
        verdict,
        reason,
        is_vacuous: false,
        vacuity: Vec::new(),
        remarks: Vec::new(),
        search: None,
    }
}

/// Violated where any is, otherwise unknown where any is.
pub(crate) fn overall(properties: &[PropertyReport]) -> Verdict {
    let any = |verdict| properties.iter().any(|property| property.verdict == verdict);
    if any(Verdict::Violated) {
        Verdict::Violated
    } else if any(Verdict::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Holds
    }
}
