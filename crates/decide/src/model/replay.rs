//! Traces of the system as executions of the model: the groups that the inputs select, executed on the
//! values of the variables.
//!
//! *Entry points:* [`Problem::counterexample`], [`Problem::execution`] for claims.
//! *Invariant:* an execution is returned only if its last state has the fault; no answer of an engine
//! is trusted.

use std::collections::BTreeSet;

use axle_model::{EdgeId, MOST_BY_PATH};
use axle_outcome::FaultKind;
use axle_relation::{Action, Evaluation, Relation};

use super::Problem;
use crate::circuit::Trace;
use crate::system::Cause;
use crate::term::TermId;

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

/// An execution of the model in steps between states outside sequences.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Execution {
    /// The groups of each step; none where no process can execute a statement.
    pub steps: Vec<Vec<u32>>,
    /// The number of steps at the end that repeat; 0 for a finite execution.
    pub cycle: usize,
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
    /// The cycle does not treat all processes as the fairness assumption says.
    #[error("the cycle of the trace is not fair")]
    Unfair,
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
        let cause = match cause {
            Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. } => {
                self.simulate(trace).1.then_some(cause)
            }
            Cause::Fault { .. } | Cause::Beyond => confirmed(relation, cause, &states, &groups),
        };
        let cause = cause.ok_or(ReplayError::NotBad)?;
        Ok(Counterexample { groups, states, cause })
    }

    /// The execution of a trace to a bad state of a claim. On a cycle, every process that `is_fair` concerns
    /// executes, or is not enabled somewhere.
    ///
    /// # Errors
    /// The trace is not a counterexample.
    pub fn execution(
        &self,
        relation: &Relation,
        trace: &Trace,
        is_fair: bool,
    ) -> Result<Execution, ReplayError> {
        let cause = self.counterexample(relation, trace)?.cause;
        // The step before which a state was saved.
        let begin = match cause {
            Cause::Cycle { claim } => {
                let saved = *self.saved.get(claim as usize).ok_or(ReplayError::NoCause)?;
                let values = self.simulate(trace).0;
                let at = values.iter().position(|state| state[saved as usize] == 1);
                Some(at.and_then(|at| at.checked_sub(1)).ok_or(ReplayError::NotBad)?)
            }
            _ => None,
        };
        let mut evaluation = Evaluation::default();
        let (mut state, mut before) = (relation.initial.clone(), relation.initial.clone());
        let mut found = Execution::default();
        let (mut groups, mut first) = (Vec::new(), None);
        let mut movers = Movers::default();
        for (number, inputs) in trace.inputs.iter().enumerate() {
            if begin == Some(number) {
                first = Some((found.steps.len(), state.clone()));
                movers = Movers::default();
            }
            evaluation.begin(&relation.terms);
            match self.selected(relation, &mut evaluation, &state, inputs) {
                Some(group) => {
                    let mut next = state.clone();
                    for (variable, value) in &relation.groups[group as usize].updates {
                        next[variable.index()] = evaluation.value(&relation.terms, &state, *value);
                    }
                    state = next;
                    groups.push(group);
                }
                None if evaluation.holds(&relation.terms, &state, relation.blocked) => {}
                None => continue,
            }
            let is_outside =
                relation.variables.control().is_none_or(|(control, _)| state[control.index()] == 0);
            if is_outside {
                movers.add(relation, &before, &groups);
                before.clone_from(&state);
                found.steps.push(std::mem::take(&mut groups));
            }
        }
        if let Some((stem, begin)) = first {
            found.cycle = found.steps.len() - stem;
            if found.cycle == 0 || begin != state {
                return Err(ReplayError::NotBad);
            }
            if is_fair && !movers.are_fair() {
                return Err(ReplayError::Unfair);
            }
        }
        Ok(found)
    }

    /// The values of the state variables before each step and after the last, and whether the last state is
    /// bad.
    fn simulate(&self, trace: &Trace) -> (Vec<Vec<u128>>, bool) {
        let Some(bad) = self.system.bads.get(trace.bad) else { return (Vec::new(), false) };
        let mut state = self.initial();
        let mut states = Vec::new();
        for inputs in &trace.inputs {
            let next = self.stepped(&state, inputs).0;
            states.push(std::mem::replace(&mut state, next));
        }
        // A bad condition does not depend on inputs.
        let values = self.stepped(&state, &vec![0; self.system.inputs.len()]).1;
        states.push(state);
        (states, values[bad.condition.index()] == 1)
    }

    /// The initial values of the state variables.
    pub(super) fn initial(&self) -> Vec<u128> {
        let states = self.system.states.iter();
        states.map(|state| state.initial as u128 & crate::term::mask(state.ty.bits)).collect()
    }

    /// The values of the state variables after a step, and those of all terms before it.
    pub(super) fn stepped(&self, state: &[u128], inputs: &[u64]) -> (Vec<u128>, Vec<u128>) {
        let terms = &self.system.terms;
        let mut variables = vec![0; terms.variables().len()];
        let mut set = |variable: TermId, value: u128| {
            if let crate::term::Term::Variable(number) = terms.get(variable) {
                variables[number as usize] = value;
            }
        };
        for (of, value) in self.system.states.iter().zip(state) {
            set(of.variable, *value);
        }
        for (of, value) in self.system.inputs.iter().zip(inputs) {
            set(of.variable, u128::from(*value));
        }
        let values = terms.evaluate(&variables);
        (self.system.states.iter().map(|of| values[of.next.index()]).collect(), values)
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

/// The processes that are enabled and that execute on a cycle.
#[derive(Default)]
struct Movers {
    /// Those enabled in all states so far.
    always: Option<BTreeSet<u32>>,
    executed: BTreeSet<u32>,
    /// Whether the sequences from some state have too many steps, or create too many processes: then nothing is
    /// known of those enabled.
    is_cut: bool,
}

impl Movers {
    /// Adds a step from a state by groups.
    fn add(&mut self, relation: &Relation, state: &[i64], groups: &[u32]) {
        let of = |groups: &[u32]| -> BTreeSet<u32> {
            let actions = groups.iter().map(|group| &relation.groups[*group as usize].action);
            let pids = actions.flat_map(|action| match action {
                Action::Step { by, partner, .. } => [Some(by.pid), partner.map(|partner| partner.pid)],
                Action::Release(_) => [None, None],
            });
            pids.flatten().collect()
        };
        let executed = relation.execute(state, &mut Evaluation::default(), MOST_BY_PATH as usize);
        if executed.cut.is_some() || executed.is_beyond {
            self.is_cut = true;
            return;
        }
        let enabled = executed.successors.iter().flat_map(|successor| of(&successor.groups)).collect();
        self.always = Some(match self.always.take() {
            Some(always) => &always & &enabled,
            None => enabled,
        });
        self.executed.extend(of(groups));
    }

    /// Whether each process that is always enabled executes.
    fn are_fair(&self) -> bool {
        !self.is_cut && self.always.as_ref().is_none_or(|always| always.is_subset(&self.executed))
    }
}

/// The cause, if the last state of an execution has it.
fn confirmed(relation: &Relation, cause: Cause, states: &[Vec<i64>], groups: &[u32]) -> Option<Cause> {
    let state = &states[states.len() - 1];
    let mut evaluation = Evaluation::default();
    evaluation.begin(&relation.terms);
    let mut holds = |condition: axle_relation::TermId| evaluation.holds(&relation.terms, state, condition);
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
