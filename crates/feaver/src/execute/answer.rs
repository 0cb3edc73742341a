//! The answer of a run: from the report of a check to the result of a cycle.
//!
//! *Entry point:* [`outcome`], with the row of the report that answers the question of the run: that of
//! its property ([`row`]), or all checks of the software together ([`all_rows`]).
//! *Invariant:* an error of a program never decides a formula; it is the answer of the run that checks the
//! software. Every violation has a replayed witness.

use axle_check::Verdict;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{PropertyReport, Report, ViolationReport, overall};
use axle_outcome::Reason;

use super::{Coverage, EXACT, Outcome, Witness};
use crate::prepare::{Run, Subject};
use crate::project::Fairness;
use crate::project::safety::{Checks, SAFETY};

/// The row of a property.
pub(super) fn row(report: &Report, property: &str) -> Option<PropertyReport> {
    report.properties.iter().find(|one| one.name == property).cloned()
}

/// The rows of all checks as one: violated if any is, otherwise unknown if any is.
pub(super) fn all_rows(report: &Report) -> PropertyReport {
    let rows = &report.properties;
    let not_checked = report.not_checked.iter().map(|one| format!("{}: {}", one.name, one.remark));
    // The search of a check ends with a violation of another one, whose own reason says more.
    let mut open: Vec<_> = rows.iter().filter(|row| row.verdict == Verdict::Unknown).collect();
    open.sort_by_key(|row| matches!(row.cause, Some(Reason::Violations { .. })));
    let open = open.first();
    PropertyReport {
        verdict: overall(rows),
        reason: open.and_then(|row| row.reason.clone()),
        cause: open.and_then(|row| row.cause.clone()),
        vacuity: rows.iter().flat_map(|row| row.vacuity.iter().cloned()).collect(),
        remarks: rows.iter().flat_map(|row| row.remarks.iter().cloned()).chain(not_checked).collect(),
        ..PropertyReport::undecided(SAFETY, "")
    }
}

/// The error of the program because of which a formula is undecided.
fn ended_by(run: &Run, violation: &ViolationReport) -> Reason {
    let check = violation.property.clone();
    let reports = |checks: &Checks| checks.names().contains(&check.as_str());
    let property = run.safety.as_ref().filter(|(_, checks)| reports(checks)).map(|(name, _)| name.clone());
    Reason::ProgramError { error: violation.message.clone(), place: violation.place.clone(), check, property }
}

/// The result of a cycle. `own`: the row that answers the question of the run.
pub(super) fn outcome(
    run: &Run,
    cycle: u8,
    own: Option<PropertyReport>,
    report: Report,
    mut witness: Option<Witness>,
) -> Outcome {
    let own = own.as_ref();
    let search = own.and_then(|own| own.search.as_ref());
    let words = &Words::PLAIN;
    let mut decided = own.cloned().unwrap_or_else(|| PropertyReport::undecided("", ""));
    if let Some(fault) = &report.internal {
        decided.leave_open(Reason::Internal { fault: fault.clone() }, words);
    }
    if decided.verdict == Verdict::Violated && witness.is_none() {
        decided.leave_open(Reason::NoWitness, words);
    }
    // The only check of the run is its property, so the violation is an error in a proposition.
    let is_model = matches!(run.subject, Subject::Model(_));
    if is_model && decided.verdict == Verdict::Unknown && witness.is_some() && report.internal.is_none() {
        decided.decide(Verdict::Violated);
    }
    if let (Verdict::Holds, Some(variable)) = (decided.verdict, &run.doubt) {
        decided.leave_open(Reason::Constraint { variable: variable.clone() }, words);
    }
    if decided.verdict == Verdict::Unknown && report.internal.is_none() {
        let is_of_program = matches!(run.subject, Subject::Program(..));
        let error = witness
            .take_if(|found| is_of_program && own.is_none_or(|own| own.name != found.violation.property));
        match error {
            Some(error) => decided.leave_open(ended_by(run, &error.violation), words),
            None => decided.reason = decided.reason.or_else(|| report.reason().map(str::to_string)),
        }
    }
    let PropertyReport { verdict, reason, cause, .. } = decided;
    let next = next_cycle(run, cycle, verdict, &report);
    let mut remarks = own.map_or_else(Vec::new, |own| own.remarks.clone());
    remarks.extend(report.conditions.iter().filter(|_| verdict == Verdict::Holds).cloned());
    let mut vacuity = own.map_or_else(Vec::new, |own| own.vacuity.clone());
    vacuity.extend(own.and_then(early_warning));
    let (states, transitions, memory) = match search {
        Some(search) => {
            (search.states.clone(), search.transitions.clone(), search.states_memory + search.search_memory)
        }
        None => (
            report.search.states.clone(),
            report.search.transitions.clone(),
            report.search.states_memory + report.search.paths_memory,
        ),
    };
    Outcome {
        run: run.name.clone(),
        key: run.key.hash.clone(),
        cycle,
        verdict,
        reason: reason.filter(|_| verdict == Verdict::Unknown),
        cause: cause.filter(|_| verdict == Verdict::Unknown),
        next,
        states,
        transitions,
        memory,
        engine: Some(own.and_then(|own| own.answered_by.clone()).unwrap_or(report.search.answered_by)),
        proof: own.and_then(|own| own.proof.clone()).or(report.search.proof),
        abstraction: report.search.abstraction,
        certificate: None,
        conflict: report.conflict,
        seconds: 0.0,
        is_vacuous: verdict == Verdict::Holds && own.is_some_and(|own| own.is_vacuous),
        vacuity,
        remarks,
        coverage: Coverage {
            automaton_states: search.map_or([0, 0], |search| search.claim_states),
            automaton_transitions: search.map_or([0, 0], |search| search.claim_transitions),
            states: search.and_then(|search| search.approximation.as_ref()).and_then(|one| one.coverage),
            unreached: report.unreached,
        },
        warnings: report.warnings,
        witness,
        likeliest: None,
        internal: report.internal,
        footprint: None,
        functions: Vec::new(),
        texts: run.texts.clone(),
        failed: false,
        machine: None,
        disagreement: None,
    }
}

/// The next cycle that may find out more. A search that ended before its time has seen what it can
/// see, so the exact check follows, or nothing if it was exact itself.
fn next_cycle(run: &Run, cycle: u8, verdict: Verdict, report: &Report) -> Option<u8> {
    if verdict != Verdict::Unknown || cycle >= EXACT {
        return None;
    }
    let is_lossy = run.subject.model().is_some() && run.options.fairness == Fairness::None;
    let ended_early = report.stop.as_ref().is_some_and(|stop| stop.reason.is_end_of_time());
    match (ended_early, is_lossy) {
        (true, _) => Some(cycle + 1),
        (false, true) => Some(EXACT),
        (false, false) => None,
    }
}

/// A warning where the automaton never left its first state, before there is a verdict.
fn early_warning(own: &PropertyReport) -> Option<String> {
    let stays = own.search.as_ref()?.stays_initial && own.verdict == Verdict::Unknown;
    stays.then(|| {
        "perhaps vacuous: the automaton of the negated property has not left its initial state yet"
            .to_string()
    })
}
