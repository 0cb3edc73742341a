//! Traces of the system as executions of the model: the groups that the inputs select, executed on the
//! values of the variables.
//!
//! *Entry point:* [`Problem::counterexample`].
//! *Invariant:* an execution is returned only if its last state has the fault; no answer of an engine
//! is trusted.

use axle_model::EdgeId;
use axle_outcome::FaultKind;
use axle_relation::{Action, Evaluation, Relation, TermId};

use super::Problem;
use crate::circuit::Trace;
use crate::system::Cause;

/// An execution that leads to a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The groups of the relation that are executed, in order.
    pub groups: Vec<u32>,
    /// The states: one more than groups.
    pub states: Vec<Vec<i64>>,
    /// The cause, with the edge of a sequence.
    pub cause: Cause,
}

/// Why a trace is no execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The last state does not have the fault.
    #[error("the last state of the trace is not bad")]
    NotBad,
    /// The trace belongs to another system.
    #[error("the trace has a number that is not that of a cause")]
    NoCause,
}

impl Problem {
    /// The execution of a trace.
    ///
    /// # Errors
    /// The trace is not a counterexample.
    pub fn counterexample(&self, relation: &Relation, trace: &Trace) -> Result<Counterexample, ReplayError> {
        let cause = self.system.bads.get(trace.bad).ok_or(ReplayError::NoCause)?.cause;
        let mut evaluation = Evaluation::default();
        let mut states = vec![relation.initial.clone()];
        let mut groups = Vec::new();
        for inputs in &trace.inputs {
            let state = &states[states.len() - 1];
            evaluation.begin(&relation.terms);
            let Some(group) = self.selected(relation, &mut evaluation, state, inputs) else { continue };
            let mut next = state.clone();
            for (variable, value) in &relation.groups[group as usize].updates {
                next[variable.index()] = evaluation.value(&relation.terms, state, *value);
            }
            groups.push(group);
            states.push(next);
        }
        let cause = confirmed(relation, cause, &states, &groups).ok_or(ReplayError::NotBad)?;
        Ok(Counterexample { groups, states, cause })
    }

    /// The executable group that inputs select.
    fn selected(
        &self,
        relation: &Relation,
        evaluation: &mut Evaluation,
        state: &[i64],
        inputs: &[u64],
    ) -> Option<u32> {
        let [process, alternative, ..] = inputs else { return None };
        let mut holds = |condition| evaluation.holds(&relation.terms, state, condition);
        (0..relation.groups.len()).map(|index| index as u32).find(|index| {
            let group = &relation.groups[*index as usize];
            let (own, which) = self.selector(*index);
            (u64::from(own), u64::from(which)) == (*process, *alternative)
                && holds(group.enabled)
                && !holds(group.beyond)
        })
    }
}

/// The cause, if the last state of an execution has it.
fn confirmed(relation: &Relation, cause: Cause, states: &[Vec<i64>], groups: &[u32]) -> Option<Cause> {
    let state = &states[states.len() - 1];
    let mut evaluation = Evaluation::default();
    evaluation.begin(&relation.terms);
    let mut holds = |condition: TermId| evaluation.holds(&relation.terms, state, condition);
    let Cause::Fault { kind, pid, edge } = cause else {
        let beyond = relation.groups.iter().any(|group| holds(group.enabled) && holds(group.beyond));
        return beyond.then_some(cause);
    };
    let at = |edge: Option<EdgeId>| Some(Cause::Fault { kind, pid, edge });
    match kind {
        FaultKind::EndlessSequence => {
            let (pid, edge) = endless(relation, states, groups)?;
            return Some(Cause::Fault { kind, pid, edge: Some(edge) });
        }
        FaultKind::DeterministicBlocks => {
            let last = taken(relation, *groups.last()?)?;
            let blocks = (relation.blocked_sequences.iter())
                .any(|(of, blocked)| (*of, last.0) == (pid, pid) && holds(*blocked));
            return if blocks { at(Some(last.1)) } else { None };
        }
        _ => {}
    }
    let of_state = relation.initial_faults.iter().filter(|_| groups.is_empty());
    let of_state = of_state.chain(&relation.faults).chain(&relation.ends);
    let mut is_fault = of_state
        .filter(|fault| (fault.kind, fault.pid, fault.edge) == (kind, pid, edge))
        .any(|fault| holds(fault.condition));
    for group in &relation.groups {
        is_fault = is_fault
            || (group.faults.iter())
                .filter(|fault| (fault.kind, fault.pid, fault.edge) == (kind, pid, edge))
                .any(|fault| holds(fault.condition) && holds(group.enabled) && !holds(group.beyond));
    }
    if is_fault { at(edge) } else { None }
}

/// The process and edge that a step leaves in control.
fn taken(relation: &Relation, group: u32) -> Option<(u32, EdgeId)> {
    match relation.groups[group as usize].action {
        Action::Step { by, partner, .. } => {
            let last = partner.unwrap_or(by);
            Some((last.pid, last.edge))
        }
        Action::Release(_) => None,
    }
}

/// Where the sequence in which the last state repeats began.
fn endless(relation: &Relation, states: &[Vec<i64>], groups: &[u32]) -> Option<(u32, EdgeId)> {
    let (control, _) = relation.variables.control()?;
    let inside = states.iter().rev().take_while(|state| state[control.index()] != 0).count();
    let first = states.len() - inside;
    let (last, before) = states[first..].split_last()?;
    if !before.contains(last) {
        return None;
    }
    taken(relation, groups[first.checked_sub(1)?])
}
