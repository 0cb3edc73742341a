//! The faults of the reached states and of the steps from them.
//!
//! Most are conditions of the relation. Two concern sequences as a whole: a deterministic sequence that
//! blocks belongs to the step before, and an endless sequence is a greatest fixed point inside sequences.
//!
//! *Entry point:* [`faults`].
//! *Invariant:* the faults are those that the explicit search reports for the same states.

use axle_model::{EdgeId, UnOp};
use axle_outcome::FaultKind;
use axle_relation::{Group, Relation, Taken, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::encoding::Lowering;
use crate::package::Package;
use crate::search::{Halt, Search};
use crate::steps::{FaultStates, Place, fault_states};

/// Each fault with the reached states in which it occurs: one entry for each kind, process and edge.
pub(crate) fn faults<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
    reached: &P::Diagram,
) -> Result<Vec<FaultStates<P>>, Halt> {
    let space = search.space;
    let groups = &relation.groups;
    let mut found: Vec<FaultStates<P>> = Vec::new();
    let mut lowering = Lowering::new(&space.encoding, &relation.terms, None);
    let mut parts = Parts::<P>::default();
    // With sequences, the others are conditions of the space.
    let others = relation.faults.iter().filter(|_| relation.variables.control().is_none());
    for fault in relation.ends.iter().chain(others) {
        let states = part(&mut lowering, &relation.terms, search, reached, fault.condition, &mut parts)?;
        add(search, &mut found, fault_states(fault, Place::State(Vec::new()), states));
    }
    for fault in &space.faults {
        if !search.run(|package| package.intersects(&fault.states, reached))? {
            continue;
        }
        let states = search.intersection(&fault.states, reached)?;
        let &FaultStates { kind, pid, edge, ref place, .. } = fault;
        add(search, &mut found, FaultStates { kind, pid, edge, place: place.clone(), states });
    }
    blocked_sequences(search, groups, reached, &mut found)?;
    endless_sequences(search, groups, reached, &mut found)?;
    Ok(found)
}

fn add<P: Package>(search: &Search<'_, P>, found: &mut Vec<FaultStates<P>>, fault: FaultStates<P>) {
    let key = |of: &FaultStates<P>| (of.kind, of.pid, of.edge);
    if !search.space.package().is_empty(&fault.states) && found.iter().all(|other| key(other) != key(&fault))
    {
        found.push(fault);
    }
}

/// The process that a step leaves in control, and its edge.
fn end(groups: &[Group], step: &[usize]) -> Option<Taken> {
    step.last().and_then(|group| groups[*group].last())
}

/// Deterministic sequences that block, by the step before.
fn blocked_sequences<P: Package>(
    search: &mut Search<'_, P>,
    groups: &[Group],
    reached: &P::Diagram,
    found: &mut Vec<FaultStates<P>>,
) -> Result<(), Halt> {
    let space = search.space;
    for (pid, condition) in &space.blocked_sequences {
        let blocked = search.intersection(condition, reached)?;
        if space.package().is_empty(&blocked) {
            continue;
        }
        for (index, transition) in space.transitions.iter().enumerate() {
            let Some(last) = end(groups, &space.steps[transition.step]).filter(|last| last.pid == *pid)
            else {
                continue;
            };
            let before = search.preimage(index, &blocked)?;
            let states = search.intersection(&before, reached)?;
            add(
                search,
                found,
                step(FaultKind::DeterministicBlocks, last, &space.steps[transition.step], states),
            );
        }
    }
    Ok(())
}

/// Sequences that never end, by their first step.
fn endless_sequences<P: Package>(
    search: &mut Search<'_, P>,
    groups: &[Group],
    reached: &P::Diagram,
    found: &mut Vec<FaultStates<P>>,
) -> Result<(), Halt> {
    let space = search.space;
    let mut endless = search.difference(reached, &space.observable)?;
    loop {
        if space.package().is_empty(&endless) {
            return Ok(());
        }
        let mut before = space.package().constant(false);
        for index in 0..space.transitions.len() {
            let by_group = search.preimage(index, &endless)?;
            before = search.union(&before, &by_group)?;
        }
        let next = search.intersection(&endless, &before)?;
        if next == endless {
            break;
        }
        endless = next;
    }
    let outside = search.intersection(reached, &space.observable)?;
    for (index, transition) in space.transitions.iter().enumerate() {
        let Some(first) = groups[space.steps[transition.step][0]].last() else { continue };
        let before = search.preimage(index, &endless)?;
        let states = search.intersection(&before, &outside)?;
        add(search, found, step(FaultKind::EndlessSequence, first, &space.steps[transition.step], states));
    }
    Ok(())
}

fn step<P: Package>(kind: FaultKind, of: Taken, groups: &[usize], states: P::Diagram) -> FaultStates<P> {
    let edge: Option<EdgeId> = Some(of.edge);
    FaultStates { kind, pid: of.pid, edge, place: Place::State(groups.to_vec()), states }
}

/// The states of a set in which a condition holds. Its parts are evaluated where the others leave
/// states, so that a conjunction over all processes is never a diagram of its own.
fn part<P: Package>(
    lowering: &mut Lowering<'_, P>,
    terms: &Terms,
    search: &mut Search<'_, P>,
    set: &P::Diagram,
    root: TermId,
    known: &mut Parts<P>,
) -> Result<P::Diagram, Halt> {
    if search.space.package().is_empty(set) {
        return Ok(set.clone());
    }
    let key = (root, set.clone());
    if let Some(part) = known.get(&key) {
        return Ok(part.clone());
    }
    let is_chain = |id: TermId| matches!(terms.get(id), Term::And(..));
    let part = match terms.get(root) {
        Term::And(a, b) => {
            // Conditions begin with the same conjunctions.
            let (first, second) = if is_chain(b) && !is_chain(a) { (b, a) } else { (a, b) };
            let set = part(lowering, terms, search, set, first, known)?;
            part(lowering, terms, search, &set, second, known)?
        }
        Term::Or(a, b) => {
            let first = part(lowering, terms, search, set, a, known)?;
            let rest = search.difference(set, &first)?;
            let second = part(lowering, terms, search, &rest, b, known)?;
            search.union(&first, &second)?
        }
        Term::Unary(UnOp::Not, _, a) if terms.range(a) == (0, 1) => {
            let without = part(lowering, terms, search, set, a, known)?;
            search.difference(set, &without)?
        }
        _ => {
            let states = search.run_once(|| lowering.condition(root))?;
            search.intersection(set, &states)?
        }
    };
    known.insert(key, part.clone());
    Ok(part)
}

/// For conditions and sets, the parts in which the conditions hold.
type Parts<P> = FxHashMap<(TermId, <P as Package>::Diagram), <P as Package>::Diagram>;
