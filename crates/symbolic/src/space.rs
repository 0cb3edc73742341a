//! The relation as diagrams: the encoding, a transition for each group, the initial state and the
//! conditions of faults.
//!
//! *Entry point:* [`Space::new`].

use axle_model::EdgeId;
use axle_outcome::FaultKind;
use axle_relation::{Fault, Group, Part, Relation, TermId, VariableId};

use crate::encoding::{Encoding, Lowering};
use crate::package::{Full, Package};
use crate::transition::Transition;
use crate::widths::Code;

/// The states in which a fault occurs.
pub(crate) struct FaultStates<P: Package> {
    pub kind: FaultKind,
    pub pid: u32,
    pub edge: Option<EdgeId>,
    pub place: Place,
    pub states: P::Diagram,
}

/// Where a fault is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the initial values.
    Start,
    /// In a state.
    State,
    /// In the step of a group from a state.
    Step(usize),
}

/// A relation as diagrams.
pub(crate) struct Space<P: Package> {
    pub encoding: Encoding<P>,
    /// The transitions of the groups, in their order: one for each length of a channel that a group
    /// changes.
    pub transitions: Vec<Transition<P>>,
    pub initial: P::Diagram,
    /// The states in which no process is in control of a sequence: those of the explicit search.
    pub observable: P::Diagram,
    pub faults: Vec<FaultStates<P>>,
    /// For each process, where its deterministic sequence is blocked.
    pub blocked_sequences: Vec<(u32, P::Diagram)>,
    /// Where a step would create more processes than the relation has.
    pub beyond: P::Diagram,
    /// Where no process has an executable edge.
    pub blocked: P::Diagram,
    pub propositions: Vec<P::Diagram>,
}

/// The diagrams of a part of the relation exceed the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge {
    /// The group; none for another part.
    pub group: Option<usize>,
}

impl From<Full> for TooLarge {
    fn from(Full: Full) -> TooLarge {
        TooLarge { group: None }
    }
}

impl<P: Package> Space<P> {
    pub(crate) fn new(
        relation: &Relation,
        codes: Vec<Code>,
        order: &[VariableId],
        (nodes, cache): (usize, usize),
    ) -> Result<Space<P>, TooLarge> {
        let encoding: Encoding<P> = Encoding::new(codes, order, nodes, cache)?;
        let package = &encoding.package;
        let mut lowering = Lowering::new(&encoding, &relation.terms);
        let (mut transitions, mut faults) = (Vec::new(), Vec::new());
        let mut beyond = package.constant(false);
        for (index, group) in relation.groups.iter().enumerate() {
            let mut lower = || -> Result<Vec<Transition<P>>, Full> {
                let mut enabled = lowering.condition(group.enabled)?;
                let not_created = package.and(&enabled, &lowering.condition(group.beyond)?)?;
                beyond = package.or(&beyond, &not_created)?;
                enabled = package.without(&enabled, &not_created)?;
                let updates: Result<Vec<_>, Full> =
                    group.updates.iter().map(|(id, value)| Ok((*id, lowering.lower(*value)?))).collect();
                for fault in &group.faults {
                    let states = package.and(&enabled, &lowering.condition(fault.condition)?)?;
                    faults.push(fault_states(fault, Place::Step(index), states));
                }
                let updates = updates?;
                cases(&encoding, relation, group, &enabled)?
                    .iter()
                    .map(|case| Transition::new(&encoding, index, case, &updates))
                    .collect()
            };
            transitions.extend(lower().map_err(|Full| TooLarge { group: Some(index) })?);
        }
        for fault in relation.faults.iter().chain(&relation.ends) {
            let states = lowering.condition(fault.condition)?;
            faults.push(fault_states(fault, Place::State, states));
        }
        let initial = encoding.state(&relation.initial)?;
        for fault in &relation.initial_faults {
            let states = package.and(&initial, &lowering.condition(fault.condition)?)?;
            faults.push(fault_states(fault, Place::Start, states));
        }
        let mut blocked_sequences = Vec::new();
        for &(pid, condition) in &relation.blocked_sequences {
            blocked_sequences.push((pid, lowering.condition(condition)?));
        }
        faults.retain(|fault| !package.is_empty(&fault.states));
        let observable = match relation.variables.control() {
            None => package.constant(true),
            Some((control, _)) => encoding.assignment([(control, 0)])?,
        };
        let blocked = lowering.condition(relation.blocked)?;
        let propositions: Result<Vec<_>, Full> =
            relation.propositions.iter().map(|id: &TermId| lowering.condition(*id)).collect();
        let propositions = propositions?;
        drop(lowering);
        encoding.package.collect();
        Ok(Space {
            encoding,
            transitions,
            initial,
            observable,
            faults,
            blocked_sequences,
            beyond,
            blocked,
            propositions,
        })
    }

    pub(crate) fn package(&self) -> &P {
        &self.encoding.package
    }

    /// The number of bits of a state.
    pub(crate) fn bits(&self) -> u32 {
        self.encoding.owners().len() as u32
    }
}

/// The states in which a group is enabled, divided by the lengths of the channels that it changes: each
/// case then writes few cells.
fn cases<P: Package>(
    encoding: &Encoding<P>,
    relation: &Relation,
    group: &Group,
    enabled: &P::Diagram,
) -> Result<Vec<P::Diagram>, Full> {
    let mut cases = vec![enabled.clone()];
    for &(variable, _) in &group.updates {
        let Part::Length(id) = relation.variables.list()[variable.index()].part else { continue };
        let capacity = i64::from(relation.variables.channels[id.0 as usize].shape.capacity);
        let most = capacity.min((1 << encoding.codes[variable.index()].bits) - 1);
        let mut divided = Vec::new();
        for length in 0..=most {
            let here = encoding.assignment([(variable, length)])?;
            for case in &cases {
                let case = encoding.package.and(case, &here)?;
                if !encoding.package.is_empty(&case) {
                    divided.push(case);
                }
            }
        }
        cases = divided;
    }
    Ok(cases)
}

fn fault_states<P: Package>(fault: &Fault, place: Place, states: P::Diagram) -> FaultStates<P> {
    FaultStates { kind: fault.kind, pid: fault.pid, edge: fault.edge, place, states }
}
