//! Verdicts of machines behind tokens that another machine decides again.
//!
//! A replay confirms a violation, but nothing confirms that a search was complete. A sample of the verdicts
//! is therefore decided again by a machine with another token, or by one with access to the database.
//!
//! *Entry points:* [`is_due`], [`disagreement`], [`contradiction`].
//! *Invariant:* where two machines disagree, the run has no verdict: the result has both answers and is an
//! internal error.

use axle_check::Verdict;

use crate::execute::{Disagreement, MachineAnswer, Outcome};
use crate::jobs::error::StoreError;
use crate::jobs::job::NewJob;
use crate::jobs::task::Task;
use crate::results::database::Database;
use crate::results::ledger;
use crate::results::verdict::{NewVerdict, Phase};
use axle_outcome::Reason;

/// Whether a result decides its run.
fn is_decided(outcome: &Outcome) -> bool {
    outcome.verdict != Verdict::Unknown && outcome.internal.is_none() && !outcome.failed
}

/// Whether a result is one of the sample. `drawn` is a random number from 0 to 1.
#[must_use]
pub fn is_due(outcome: &Outcome, fraction: f64, drawn: f64) -> bool {
    is_decided(outcome) && drawn < fraction
}

/// The result of a run that two machines decided differently; none if they agree, or one did not decide.
#[must_use]
pub fn disagreement(first: &Outcome, second: &Outcome) -> Option<Outcome> {
    if !is_decided(first) || !is_decided(second) || first.verdict == second.verdict {
        return None;
    }
    let answer = |one: &Outcome| MachineAnswer {
        machine: one.machine.clone(),
        verdict: one.verdict,
        cycle: one.cycle,
        states: one.states.clone(),
    };
    let found = Disagreement { first: answer(first), second: answer(second) };
    let text = format!("two machines disagree: {}; {}", shown(&found.first), shown(&found.second));
    let violated = if first.verdict == Verdict::Violated { first } else { second };
    Some(Outcome {
        verdict: Verdict::Unknown,
        reason: Some(text.clone()),
        cause: Some(Reason::Disagreement),
        internal: Some(text),
        next: None,
        vacuity: Vec::new(),
        witness: violated.witness.clone(),
        footprint: None,
        proof: None,
        certificate: None,
        machine: None,
        disagreement: Some(found),
        ..first.clone()
    })
}

/// An answer in words.
#[must_use]
pub fn shown(answer: &MachineAnswer) -> String {
    let verdict = match answer.verdict {
        Verdict::Holds => "the property holds",
        Verdict::Violated => "the property is violated",
        Verdict::Unknown => "the property is undecided",
    };
    let machine = answer.machine.as_ref().map_or_else(|| "a machine".to_string(), ToString::to_string);
    format!("{machine} found that {verdict} (cycle {}, {} states)", answer.cycle, answer.states)
}

/// The verdict that replaces the recorded one, if the result of a search that was repeated contradicts it.
///
/// # Errors
/// The history cannot be read.
pub fn contradiction(
    database: &dyn Database,
    job: &NewJob,
    second: &Outcome,
) -> Result<Option<NewVerdict>, StoreError> {
    let Some(task) = Task::parse(&job.key) else { return Ok(None) };
    let verdicts = database.verdicts(job.round)?;
    let Some(record) = verdicts.into_iter().find(|record| record.run.number == task.run) else {
        return Ok(None);
    };
    let Some(kept) = ledger::kept(database, &record, Phase::First)? else { return Ok(None) };
    let Some(outcome) = disagreement(&kept.outcome, second) else { return Ok(None) };
    let verdict = ledger::verdict((job.round, task.run), &kept.key, &outcome, Phase::First, None)?;
    Ok(Some(NewVerdict { contradicts: true, ..verdict }))
}
