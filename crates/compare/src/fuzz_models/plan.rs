//! Checks one program with the default plan of attempts, as `axle check` does, and compares the verdicts
//! with those of the reference exploration and of the search for strongly connected components.
//!
//! *Entry point:* [`plan_agrees`].
//! *Invariant:* a verdict of the plan is that of the reference, or unknown because the check ended at its
//! first violation.

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_check::{Auto, Check, CheckedModel, Config, Pass, SystemKind, Verdict, check};
use axle_model::Model;
use axle_search::{Limits, Reduction, Silent};

use super::plain::Explored;

/// Compares the default plan with the reference: by one thread and by two, until the first violation and
/// until all are found. `properties` are the verdicts without fairness.
pub fn plan_agrees(
    model: &Arc<Model>,
    explored: &Explored,
    properties: &BTreeMap<String, Verdict>,
) -> Result<(), (String, String)> {
    for threads in [1, 2] {
        for errors in [Some(1), None] {
            let checked = check(model, &default_of(threads, errors), &mut Silent);
            let name = format!("plan, {threads} threads, errors {errors:?}");
            if let Some(internal) = &checked.report.internal {
                return Err((format!("{name}: replay"), internal.clone()));
            }
            if let Some(why) = contradiction(&checked, errors.is_some(), explored, properties) {
                return Err((format!("{name}: verdict"), why));
            }
        }
    }
    Ok(())
}

/// What `axle check` does by default.
fn default_of(threads: usize, errors: Option<u64>) -> Config {
    Config {
        checks: Check::MODELS.into_iter().filter(|check| check.by_default()).collect(),
        reduction: Reduction::Stubborn,
        passes: Pass::ALL.into(),
        auto: Auto::All,
        attempts: true,
        limits: Limits { errors, ..Limits::default() },
        threads,
        ..Config::default()
    }
}

/// A verdict of the plan that is not that of the reference.
fn contradiction(
    checked: &CheckedModel,
    ends_early: bool,
    explored: &Explored,
    properties: &BTreeMap<String, Verdict>,
) -> Option<String> {
    let verdicts = &checked.report.properties;
    let found = verdicts.iter().any(|property| property.verdict == Verdict::Violated);
    for property in verdicts {
        let expected = match Check::named(&property.name, SystemKind::Model) {
            Some(check) => {
                // The reference evaluates no propositions, whose faults belong to the same checks.
                let of_propositions = checked.found.runs.iter().filter_map(|run| run.fault);
                let wrong = (explored.faults.iter().map(|(kind, _)| *kind).chain(of_propositions))
                    .any(|kind| Check::of(kind) == check);
                if wrong { Verdict::Violated } else { Verdict::Holds }
            }
            None => *properties.get(&property.name)?,
        };
        let allowed = match property.verdict {
            Verdict::Unknown => (ends_early && found) || expected == Verdict::Unknown,
            verdict => verdict == expected || expected == Verdict::Unknown,
        };
        if !allowed {
            return Some(format!("{} {:?}, not {expected:?}", property.name, property.verdict));
        }
    }
    None
}
