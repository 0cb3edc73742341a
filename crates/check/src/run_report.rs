//! Runs that break properties, as reports tell of them.
//!
//! Main function: [`violation`]. What is told here is in the words of the property; the steps are told by
//! `axle_evidence`, from the run.

use axle_evidence::lasso::SystemRun;
use axle_evidence::report::ViolationReport;
use axle_model::Model;
use axle_search::{Fairness, Finding};

use crate::claims::{Source, Stated};

/// The name of an assumption about the scheduler, in options and reports.
pub fn fairness_name(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "none",
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
    }
}

/// A run that breaks a property, for the report.
pub(crate) fn violation(
    one: &Stated,
    finding: &Finding,
    run: &SystemRun,
    model: &Model,
    fairness: Fairness,
) -> ViolationReport {
    let (kind, message) = match (finding, &one.source) {
        (Finding::ClaimEnd(..), _) => ("claim-end", format!("the claim {} comes to its end", one.name)),
        (Finding::ClaimAssertion(..), _) => {
            ("claim-assertion", format!("an assertion of the claim {} fails", one.name))
        }
        (Finding::Cycle(_), Source::Formula(_)) => {
            ("formula", format!("a run does not satisfy {}: {}", one.name, one.meaning))
        }
        (Finding::Cycle(_), Source::Progress) => {
            ("non-progress-cycle", "a run goes on for ever without progress".to_string())
        }
        (Finding::Cycle(_), Source::Never) => {
            ("acceptance-cycle", format!("a run goes on for ever as the claim {} describes", one.name))
        }
        (Finding::Cycle(_), Source::Acceptance | Source::Events(_)) => {
            ("acceptance-cycle", "a run passes an accept label infinitely often".to_string())
        }
    };
    let mut details = Vec::new();
    if run.cycle > 0 {
        let first = run.prefix() + 1;
        let all = run.steps.len();
        let stands = run.steps[run.prefix()..].iter().all(Option::is_none);
        details.push(match (stands, run.prefix()) {
            (true, 0) => "nobody can ever move".to_string(),
            (true, before) => format!("after {before} steps nobody can move any more"),
            (false, _) if first == all => format!("step {all} repeats for ever"),
            (false, _) => format!("steps {first} to {all} repeat for ever"),
        });
        if fairness != Fairness::None {
            details.push(format!("under {} fairness", fairness_name(fairness)));
        }
    }
    ViolationReport {
        details,
        cycle: (run.cycle > 0).then_some(run.cycle as u64),
        ..told_of_run(one, model, run, kind, message)
    }
}

/// The report of a run that is wrong at its end.
pub(crate) fn told_of_run(
    one: &Stated,
    model: &Model,
    run: &SystemRun,
    kind: &str,
    message: String,
) -> ViolationReport {
    ViolationReport {
        property: one.name.clone(),
        kind: kind.to_string(),
        message,
        process: None,
        place: axle_evidence::replay::place(model, one.origin),
        statement: None,
        depth: run.steps.len() as u64,
        count: 1,
        details: Vec::new(),
        path: run.steps.clone(),
        cycle: None,
    }
}
