//! The verdict of each property: holds, violated or unknown.
//!
//! *Entry point:* [`report`].
//! *Invariant:* "holds" is the verdict of an exhaustive search without a violation of the property.
//! A property that cannot be checked is unknown, and never left out.

use axle_evidence::report::reason::Words;
use axle_evidence::report::{
    PropertyReport, Report, SearchReport, StopReport, UnreachedReport, ViolationReport,
};
use axle_model::Model;
use axle_outcome::{Answer, Counterexample, Proof, Reason, Steps, Witness};
use axle_question::checks::{Check, SystemKind};
use axle_question::config::Config;
use axle_search::Outcome;

use crate::judgement::confirm::Confirmed;
use crate::judgement::describe;
use crate::judgement::runs::Runs;

/// The report of a search.
pub fn report(
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
    let words = Words { names: config.vocabulary, model: Some(model) };
    let reason = outcome.stop.map(|stop| describe::reason(stop, config));
    let mut properties = Vec::new();
    for &check in &config.checks {
        let witness = match check {
            Check::Properties => {
                properties.extend(runs.properties.iter().cloned());
                continue;
            }
            Check::Unreached if unreached.is_empty() || outcome.stop.is_some() => None,
            Check::Unreached => Some(Witness { shape: Counterexample::Blocked, steps: Steps::Absent }),
            _ => violations.iter().find(|one| one.property == check.name()).map(|one| one.witness(false)),
        };
        let answer = answer(witness, reason.as_ref());
        properties.push(PropertyReport::answered(
            check.name(),
            check.meaning(SystemKind::Model),
            &answer,
            &words,
        ));
    }
    if runs.internal.is_some() {
        // No result of this search is reliable.
        for property in &mut properties {
            property.leave_open(Reason::NotReplayed { own: false }, &words);
        }
    }
    let stop = outcome.stop.or(runs.stop);
    Report {
        violations,
        found: outcome.found + runs.violations.len() as u64,
        stop: stop.map(|stop| StopReport::new(stop, &describe::reason(stop, config), &words)),
        search,
        unreached,
        internal: runs.internal,
        ..Report::new(model.files.first().cloned().unwrap_or_default(), properties)
    }
}

/// The answer of a search: the witness, otherwise the reason why it is incomplete, otherwise the proof.
pub(crate) fn answer(witness: Option<Witness>, incomplete: Option<&Reason>) -> Answer {
    match (witness, incomplete) {
        (Some(witness), _) => Answer::Refuted(witness),
        (None, Some(reason)) => Answer::Open(reason.clone()),
        (None, None) => Answer::Proved(Proof::EXHAUSTIVE),
    }
}
