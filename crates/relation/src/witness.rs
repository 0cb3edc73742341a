//! Paths of groups as violations: positions among the successors of the interpreter.
//!
//! *Entry points:* [`Relation::violation`], [`Relation::positions`].
//! *Invariant:* every position names the successor that the groups of the path lead to.

use axle_model::{EdgeId, ProcId};
use axle_outcome::{FaultKind, Found, ModelSite, Stop, Violation};

use crate::evaluate::Evaluation;
use crate::{Action, Relation};

/// A path from the initial state, states inside sequences included.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    /// The groups that are executed, as positions in [`Relation::groups`].
    pub groups: &'p [u32],
    /// The states: one more than groups.
    pub states: &'p [Vec<i64>],
}

/// A fault in the last state of a path, or in a step from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultAt {
    /// The kind.
    pub kind: FaultKind,
    /// The number of the process.
    pub pid: u32,
    /// The edge.
    pub edge: Option<EdgeId>,
}

impl Relation {
    /// The violation that a fault at the end of a path is.
    ///
    /// # Errors
    /// A sequence on the path has too many paths, or the path is none of the relation.
    pub fn violation(&self, path: Path<'_>, fault: FaultAt) -> Result<Violation, Stop> {
        let mut evaluation = Evaluation::default();
        let (mut positions, mut rest) = (Vec::new(), Vec::new());
        let mut state = path.states.first().ok_or(Stop::NotApplicable)?;
        for (group, after) in path.groups.iter().zip(&path.states[1..]) {
            rest.push(*group);
            if !self.is_outside(after) {
                continue;
            }
            let successors = self.successors(state, &mut evaluation)?;
            let found = successors.iter().find(|successor| successor.groups == rest);
            positions.push(found.ok_or_else(|| self.sequence_of(rest[0]))?.position);
            state = after;
            rest.clear();
        }
        let last = path.states.last().ok_or(Stop::NotApplicable)?;
        let successors = self.successors(state, &mut evaluation)?;
        rest.extend(self.failing_group(last, fault, &mut evaluation));
        let step = successors.iter().find(|successor| successor.groups.starts_with(&rest));
        let is_initial = path.groups.is_empty() && self.is_initial(fault);
        let found = match step {
            _ if is_initial => Found::Start,
            Some(found) if !rest.is_empty() && fault.kind != FaultKind::EndlessSequence => {
                Found::Step(found.position)
            }
            Some(_) | None => Found::State,
        };
        let site = ModelSite { kind: fault.kind, edge: fault.edge };
        let proc = self.process_type(last, fault.pid);
        Ok(Violation { site, pid: fault.pid, proc, path: positions, found, count: 1 })
    }

    /// The positions of steps among the successors of the interpreter, from the initial state; none for a
    /// step without groups, in which no process can execute a statement.
    ///
    /// # Errors
    /// A sequence has too many paths, or the steps are none of the relation.
    pub fn positions(&self, steps: &[Vec<u32>]) -> Result<Vec<Option<u32>>, Stop> {
        let mut evaluation = Evaluation::default();
        let mut state = self.initial.clone();
        let mut positions = Vec::new();
        for groups in steps {
            let Some(first) = groups.first() else {
                positions.push(None);
                continue;
            };
            let successors = self.successors(&state, &mut evaluation)?;
            let found = successors.into_iter().find(|successor| successor.groups == *groups);
            let found = found.ok_or_else(|| self.sequence_of(*first))?;
            positions.push(Some(found.position));
            state = found.state;
        }
        Ok(positions)
    }

    /// Whether a state is outside sequences.
    pub(crate) fn is_outside(&self, state: &[i64]) -> bool {
        self.variables.control().is_none_or(|(control, _)| state[control.index()] == 0)
    }

    /// Whether a fault is one of the initial values.
    fn is_initial(&self, fault: FaultAt) -> bool {
        let mut faults = self.initial_faults.iter();
        faults.any(|one| (one.kind, one.pid, one.edge) == (fault.kind, fault.pid, fault.edge))
    }

    /// The group whose step from a state has a fault.
    fn failing_group(&self, state: &[i64], fault: FaultAt, evaluation: &mut Evaluation) -> Option<u32> {
        evaluation.begin(&self.terms);
        let mut holds = |condition| evaluation.holds(&self.terms, state, condition);
        let group = self.groups.iter().position(|group| {
            let mut own = group.faults.iter();
            holds(group.enabled)
                && own.any(|one| {
                    (one.kind, one.pid, one.edge) == (fault.kind, fault.pid, fault.edge)
                        && holds(one.condition)
                })
        });
        group.map(|group| group as u32)
    }

    /// The reason for which a sequence that begins with a group cannot be followed.
    #[must_use]
    pub fn sequence_of(&self, group: u32) -> Stop {
        match self.groups[group as usize].action {
            Action::Step { by, .. } => Stop::Sequence { proc: by.proc, edge: by.edge },
            Action::Release(_) => Stop::NotApplicable,
        }
    }

    /// The type of a process in a state; none if the state does not identify it.
    #[must_use]
    pub fn process_type(&self, state: &[i64], pid: u32) -> Option<ProcId> {
        let types = self.variables.slots.get(pid as usize)?;
        match self.variables.process_type(pid) {
            Some(variable) => types.iter().find(|of| i64::from(of.0) == state[variable.index()]).copied(),
            None => types.first().copied(),
        }
    }
}
