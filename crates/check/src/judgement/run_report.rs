//! Reports of runs that violate properties.
//!
//! The message is in terms of the property; `axle_evidence` describes the steps of the run.
//!
//! *Entry point:* [`violation`].

use axle_evidence::lasso::SystemRun;
use axle_evidence::report::ViolationReport;
use axle_evidence::trace::{Account, Trace};
use axle_evidence::vocabulary::{Vocabulary, with_name};
use axle_model::Model;
use axle_outcome::ViolationKind;
use axle_question::account::of_formula;
use axle_question::claims::{Source, Stated};
use axle_search::{Fairness, Finding};

/// The name of a fairness assumption in options and reports.
pub fn fairness_name(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "none",
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
    }
}

/// The message of a violated formula: how the execution violates it, or the formula.
#[must_use]
pub fn formula_message(name: &str, meaning: &str, account: Option<&Account>) -> String {
    format!("LTL property {name} violated: {}", account.map_or(meaning, |account| &account.sentence))
}

/// The trace of an execution that violates a property, with the account of the violation.
#[must_use]
pub fn with_account(one: &Stated, trace: Trace) -> Trace {
    let Source::Formula(formula) = &one.source else { return trace };
    Trace { account: of_formula(formula, &one.texts, &trace), ..trace }
}

/// The report of a run that violates a property; `trace` is the replayed run.
pub(crate) fn violation(
    one: &Stated,
    finding: &Finding,
    run: &SystemRun,
    trace: &Trace,
    model: &Model,
    fairness: Fairness,
) -> ViolationReport {
    let (kind, message) = match (finding, &one.source) {
        (_, Source::Formula(formula)) => {
            let account = of_formula(formula, &one.texts, trace);
            (ViolationKind::Formula, formula_message(&one.name, &one.meaning, account.as_ref()))
        }
        (Finding::ClaimEnd(..), _) => {
            (ViolationKind::ClaimEnd, format!("never claim {} reaches its end state", one.name))
        }
        (Finding::ClaimAssertion(..), _) => {
            (ViolationKind::ClaimAssertion, format!("assertion of never claim {} violated", one.name))
        }
        (Finding::Cycle(_), Source::Progress) => {
            (ViolationKind::NonProgressCycle, "non-progress cycle".to_string())
        }
        (Finding::Cycle(_), Source::Never) => {
            (ViolationKind::AcceptanceCycle, format!("acceptance cycle of never claim {}", one.name))
        }
        (Finding::Cycle(_), Source::Acceptance | Source::Events(_)) => (
            ViolationKind::AcceptanceCycle,
            "acceptance cycle: an accept label is passed infinitely often".to_string(),
        ),
    };
    let mut details = Vec::new();
    if let Some(cycle) = cycle(run) {
        details.push(cycle);
        if fairness != Fairness::None {
            details.push(format!("under {} fairness", fairness_name(fairness)));
        }
    }
    if run.cycle == 0 && matches!(one.source, Source::Formula(_)) {
        details.push(violating_step(trace));
    }
    ViolationReport {
        details,
        cycle: (run.cycle > 0).then_some(run.cycle as u64),
        ..finite_run(one, model, run, kind, message)
    }
}

/// The next action for a cycle in which a process that is enabled throughout never executes.
pub fn weak_fairness(words: &Vocabulary) -> String {
    format!("{} this cycle is excluded", with_name(WITH_WEAK_FAIRNESS, words.weak_fairness))
}

/// Its first words.
const WITH_WEAK_FAIRNESS: &str = "with weak process fairness";

/// Whether a detail of a violation is the hint to weak fairness.
pub fn is_about_weak_fairness(detail: &str) -> bool {
    detail.starts_with(WITH_WEAK_FAIRNESS)
}

/// The last step of a bad prefix, in words.
pub fn violating_step(trace: &Trace) -> String {
    let Some(last) = trace.steps.last() else { return "violated in the initial state".to_string() };
    let place = last.by.place.as_ref();
    let at = place.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!("violated by step {}: {}{at}: {}", last.step, last.by.process, last.by.statement)
}

/// The steps of the cycle of a run, in words; none for a finite run.
pub fn cycle(run: &SystemRun) -> Option<String> {
    let (first, all) = (run.prefix() + 1, run.steps.len());
    let stands = run.steps[run.prefix()..].iter().all(Option::is_none);
    (run.cycle > 0).then(|| match (stands, run.prefix()) {
        (true, 0) => "every process is blocked in the initial state".to_string(),
        (true, 1) => "every process is blocked after 1 step".to_string(),
        (true, before) => format!("every process is blocked after {before} steps"),
        (false, _) if first == all => format!("cycle: step {all}"),
        (false, _) => format!("cycle: steps {first}-{all}"),
    })
}

/// The report of a finite run that violates a property in its last step.
pub(crate) fn finite_run(
    one: &Stated,
    model: &Model,
    run: &SystemRun,
    kind: ViolationKind,
    message: String,
) -> ViolationReport {
    ViolationReport {
        property: one.name.clone(),
        kind,
        message,
        process: None,
        place: axle_evidence::replay::place(model, one.origin),
        statement: None,
        depth: run.steps.len() as u64,
        count: 1,
        details: Vec::new(),
        path: run.steps.clone(),
        cycle: None,
        attempt: None,
        rows: Vec::new(),
    }
}
