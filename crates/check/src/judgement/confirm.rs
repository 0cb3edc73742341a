//! Replays every violation with the interpreter. A violation that does not replay is an internal
//! error and not reported as a violation.
//!
//! *Entry point:* [`confirm`].
//! *Invariant:* every violation of the report was observed by the interpreter.

use std::sync::Arc;

use axle_evidence::end::{explain_end, sentences};
use axle_evidence::report::ViolationReport;
use axle_model::{Model, Origin, ProcId};
use axle_question::config::Config;
use axle_search::{Found, Outcome, Violation};
use axle_step::interpret::detail::{MicroStep, Steps};
use axle_step::{FaultKind, Interpreter, Successors};

use crate::judgement::describe;
use crate::judgement::passes::SideBySide;

/// What the interpreter saw at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The type of the process at fault, where there is such a process.
    pub proc: Option<ProcId>,
    /// The statement at fault, or where the process at fault stands.
    pub place: Origin,
    /// More sentences: which process is blocked where, or which messages a channel holds.
    pub details: Vec<String>,
}

/// Confirms all violations of an outcome, up to the first that does not replay; that one is
/// described.
pub fn all(model: &Arc<Model>, config: &Config, outcome: &Outcome) -> (Vec<Confirmed>, Option<String>) {
    let mut interpreter = Interpreter::new(Arc::clone(model), config.step_options());
    let mut confirmed = Vec::new();
    for violation in &outcome.violations {
        match confirm(&mut interpreter, violation) {
            Ok(seen) => confirmed.push(seen),
            Err(fault) => return (confirmed, Some(fault)),
        }
    }
    (confirmed, None)
}

/// The report of a violation of a model that passes made from another one; none if it does not
/// replay there.
pub(crate) fn report(
    model: &Arc<Model>,
    searched: &Arc<Model>,
    config: &Config,
    violation: &Violation,
) -> Option<ViolationReport> {
    let options = config.step_options();
    let violation = match Arc::ptr_eq(model, searched) {
        true => violation.clone(),
        false => SideBySide::new(searched, model, &options).violation(violation)?,
    };
    let seen = confirm(&mut Interpreter::new(Arc::clone(model), options), &violation).ok()?;
    Some(describe::violation(model, &violation, &seen))
}

/// Walks to a violation; says in a sentence what differs where it does not happen again.
pub fn confirm(interpreter: &mut Interpreter, violation: &Violation) -> Result<Confirmed, String> {
    let mut faults = Vec::new();
    let mut state = interpreter.initial(&mut faults);
    if violation.found == Found::Start {
        let same = |fault: &axle_step::Fault| (fault.site, fault.pid) == (violation.site, violation.pid);
        return match faults.iter().any(same) {
            true => Ok(Confirmed { proc: None, place: Origin::NONE, details: Vec::new() }),
            false => Err(disagreement(violation, "the initial values are without this fault")),
        };
    }
    for (number, &position) in violation.path.iter().enumerate() {
        match interpreter.successor(&state, position) {
            Some(next) => state = next,
            None => {
                let count = interpreter.steps(&state).steps.len();
                let what = format!("step {} is number {position} of {count} successors", number + 1);
                return Err(disagreement(violation, &what));
            }
        }
    }
    let steps = interpreter.steps(&state);
    let state = interpreter.widened(&state);
    let successor = match violation.found {
        Found::Step(position) => Some(position),
        Found::State | Found::Start => None,
    };
    let wanted = (violation.site, violation.pid, successor);
    let seen = steps.faults.iter().any(|fault| (fault.site, fault.pid, fault.successor) == wanted);
    if !seen {
        return Err(disagreement(violation, "the last state is without this fault"));
    }
    let proc = process_type(interpreter, violation, &steps, &state);
    let place = place(interpreter, violation, proc, &state);
    Ok(Confirmed { proc, place, details: details(interpreter, violation.site.kind, &state) })
}

/// The type of the process at fault: as it was when it took the edge at fault, or in the state.
fn process_type(
    interpreter: &Interpreter,
    violation: &Violation,
    steps: &Steps,
    state: &[u8],
) -> Option<ProcId> {
    let is_it = |taken: &axle_step::interpret::detail::Taken| {
        taken.pid == violation.pid && Some(taken.edge) == violation.site.edge
    };
    let by = |micro: &[MicroStep]| {
        let takers = micro.iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
        takers.rev().find(|taken| is_it(taken)).map(|taken| taken.proc)
    };
    let at_end = |state: &[u8]| {
        let view = interpreter.view(state);
        (violation.pid < view.process_count()).then(|| view.proc_at(violation.pid))
    };
    match violation.found {
        Found::Start => None,
        Found::Step(position) => {
            let micro = steps.steps.get(position as usize).map(|step| &step.micro[..]);
            micro.and_then(by).or_else(|| at_end(state))
        }
        Found::State => {
            let mishap = steps.mishaps.iter().find(|m| {
                (m.fault.kind, m.fault.pid, m.fault.edge)
                    == (violation.site.kind, violation.pid, violation.site.edge)
            });
            let micro = mishap.map_or(&[][..], |m| &m.micro);
            by(micro).or_else(|| at_end(micro.last().map_or(state, |last| &last.state)))
        }
    }
}

fn place(interpreter: &Interpreter, violation: &Violation, proc: Option<ProcId>, state: &[u8]) -> Origin {
    let model = interpreter.model();
    let view = interpreter.view(state);
    match (violation.site.edge, proc) {
        (Some(edge), Some(proc)) => {
            let edge = model.process(proc).edges.get(edge.index());
            edge.and_then(|e| e.origins.first().copied()).unwrap_or(Origin::NONE)
        }
        // Messages that remain in a channel belong to no process.
        (None, _) if violation.site.kind == FaultKind::MessagesLeft => Origin::NONE,
        (None, _) if violation.pid < view.process_count() => view.process(violation.pid).origin,
        (Some(_) | None, _) => Origin::NONE,
    }
}

fn details(interpreter: &Interpreter, kind: FaultKind, state: &[u8]) -> Vec<String> {
    let lines = match kind {
        FaultKind::InvalidEnd => sentences(&explain_end(interpreter, state)),
        FaultKind::MessagesLeft => {
            let channels = interpreter.view(state).channels();
            let full = channels.into_iter().filter(|channel| !channel.messages.is_empty());
            full.map(|channel| format!("{} holds {}", channel.name, channel.contents())).collect()
        }
        _ => Vec::new(),
    };
    lines.iter().map(|line| line.trim_start().to_string()).collect()
}

fn disagreement(violation: &Violation, what: &str) -> String {
    let edge = violation.site.edge.map_or_else(|| "no edge".to_string(), |edge| edge.to_string());
    format!(
        "a violation found by the search does not happen again on the interpreter: {:?} of process {} at {edge} \
         ({:?}): {what}; path {:?}",
        violation.site.kind, violation.pid, violation.found, violation.path
    )
}
