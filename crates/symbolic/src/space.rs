//! The relation as diagrams: the encoding, a transition for each group, the initial state and the
//! conditions of faults.
//!
//! *Entry point:* [`Space::new`].

use std::collections::BTreeMap;

use axle_model::Atomicity;
use axle_relation::{Action, ClaimFault, Part, Relation, TermId, VariableId};
use rustc_hash::FxHashSet;

use crate::encoding::{Encoding, Lowering, current};
use crate::order;
use crate::package::{Package, Refusal};
use crate::steps::{self, Composer, FaultStates, Place, Step, fault_states};
use crate::transition::Transition;
use crate::watch::Watcher;
use crate::widths::Code;

/// A relation as diagrams.
pub(crate) struct Space<P: Package> {
    pub encoding: Encoding<P>,
    /// The groups of each step.
    pub steps: Vec<Vec<usize>>,
    /// The transitions of the steps, in their order: one for each length of a channel that a step changes.
    pub transitions: Vec<Transition<P>>,
    /// The transitions, those with the same top united as far as the unions stay small: for strategies that
    /// need no steps.
    pub unions: Vec<Transition<P>>,
    pub initial: P::Diagram,
    /// The states in which no process is in control of a sequence: those of the explicit search.
    pub observable: P::Diagram,
    /// Whether all sequences are composed: no process is ever in control.
    pub is_composed: bool,
    pub faults: Vec<FaultStates<P>>,
    /// For each process, where its deterministic sequence is blocked.
    pub blocked_sequences: Vec<(u32, P::Diagram)>,
    /// Where a step would create more processes than the relation has.
    pub beyond: P::Diagram,
    pub propositions: Vec<P::Diagram>,
    /// The propositions without a value that the claim of the relation depends on.
    pub claim_faults: Vec<(ClaimFault, P::Diagram)>,
}

/// The diagrams of a part of the relation exceed the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge {
    /// The group; none for another part.
    pub group: Option<usize>,
}

impl From<Refusal> for TooLarge {
    fn from(_: Refusal) -> TooLarge {
        TooLarge { group: None }
    }
}

impl<P: Package> Space<P> {
    pub(crate) fn new(
        relation: &Relation,
        codes: Vec<Code>,
        order: &[VariableId],
        (nodes, cache): (usize, usize),
        watch: &dyn Watcher,
    ) -> Result<Space<P>, TooLarge> {
        let words = order::words(relation, &codes, order);
        let encoding: Encoding<P> = Encoding::new(codes, words, nodes, cache)?;
        let package = &encoding.package;
        let mut lowering = Lowering::new(&encoding, &relation.terms, Some(watch));
        let observable = match relation.variables.control() {
            None => package.constant(true),
            Some((control, _)) => encoding.assignment([(control, 0)])?,
        };
        let (mut singles, mut faults) = (Vec::new(), Vec::new());
        let mut beyond = package.constant(false);
        // Inside sequences, the steps of groups are undivided.
        let mut wholes: Vec<(Step<P>, P::Diagram)> = Vec::new();
        for index in 0..relation.groups.len() {
            let mut lower = || -> Result<_, Refusal> {
                watch.poll(package)?;
                let keeps = match relation.groups[index].action {
                    Action::Step { keep, .. } => keep != Atomicity::Release,
                    Action::Release(_) => false,
                };
                let (lowering, faults) = (&mut lowering, &mut faults);
                if relation.variables.control().is_some() {
                    let mut repeated = Vec::new();
                    let of = if keeps { &mut *faults } else { &mut repeated };
                    wholes.extend(steps::whole(&encoding, lowering, relation, index, of)?);
                }
                match keeps {
                    true => Ok(wholes.iter().filter(|(step, _)| step.groups[0] == index).cloned().collect()),
                    false => steps::singles(&encoding, lowering, relation, index, faults),
                }
            };
            let single: Vec<(Step<P>, P::Diagram)> = lower().map_err(|_| TooLarge { group: Some(index) })?;
            for (step, too_many) in single {
                beyond = package.or(&beyond, &too_many)?;
                singles.push((step, too_many));
            }
        }
        // Without sequences, they are found as parts of the reached states.
        if relation.variables.control().is_some() {
            for fault in &relation.faults {
                let states = lowering.condition(fault.condition)?;
                faults.push(fault_states(fault, Place::State(Vec::new()), states));
            }
        }
        let mut blocked_sequences = Vec::new();
        for &(pid, condition) in &relation.blocked_sequences {
            blocked_sequences.push((pid, lowering.condition(condition)?));
        }
        let (mut steps, mut is_composed) = (Vec::new(), true);
        if let Some(control) = relation.variables.control() {
            let mut inside = Vec::new();
            for &FaultStates { kind, pid, edge, ref place, ref states } in &faults {
                let states = package.without(states, &observable)?;
                if !package.is_empty(&states) {
                    inside.push(FaultStates { kind, pid, edge, place: place.clone(), states });
                }
            }
            let blocked = &blocked_sequences;
            let (singles, wholes, inside) = (&singles, &wholes, &inside);
            let composer = Composer {
                encoding: &encoding,
                relation,
                singles,
                wholes,
                faults: inside,
                blocked,
                control,
                watch,
            };
            is_composed = sequences(&composer, &observable, &mut steps, &mut faults, &mut beyond)?;
        } else {
            steps.extend(singles.into_iter().map(|(step, _)| step));
        }
        let mut transitions = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let mut divide = || -> Result<Vec<Transition<P>>, Refusal> {
                watch.poll(package)?;
                let cases = cases(&encoding, &mut lowering, relation, step)?;
                cases.iter().map(|case| Transition::new(&encoding, (number, step), case)).collect()
            };
            transitions.extend(divide().map_err(|_| TooLarge { group: step.groups.first().copied() })?);
        }
        let initial = encoding.state(&relation.initial)?;
        for fault in &relation.initial_faults {
            let states = package.and(&initial, &lowering.condition(fault.condition)?)?;
            faults.push(fault_states(fault, Place::Start, states));
        }
        faults.retain(|fault| !package.is_empty(&fault.states));
        let propositions: Result<Vec<_>, Refusal> =
            relation.propositions.iter().map(|id: &TermId| lowering.condition(*id)).collect();
        let propositions = propositions?;
        let mut claim_faults = Vec::new();
        for fault in relation.claim.iter().flat_map(|claim| &claim.faults) {
            claim_faults.push((*fault, lowering.condition(fault.condition)?));
        }
        drop(lowering);
        let steps = steps.into_iter().map(|step| step.groups).collect();
        let unions = unions(package, &transitions)?;
        encoding.package.collect();
        Ok(Space {
            encoding,
            steps,
            transitions,
            unions,
            initial,
            observable,
            is_composed,
            faults,
            blocked_sequences,
            beyond,
            propositions,
            claim_faults,
        })
    }

    pub(crate) fn package(&self) -> &P {
        &self.encoding.package
    }

    /// The number of the process that executes a step, or begins it.
    pub(crate) fn executing(&self, relation: &Relation, step: usize) -> u32 {
        relation.groups[self.steps[step][0]].executing()
    }

    /// The number of bits of a state.
    pub(crate) fn bits(&self) -> u32 {
        self.encoding.owners().len() as u32
    }
}

/// The most nodes of a union of transitions.
const MOST_NODES: usize = 3000;

/// The most bits that a union writes.
const MOST_WRITES: usize = 64;

/// The most steps of operations for a union.
const UNION_STEPS: u32 = 20_000;

/// Transitions with the same top, united: one image instead of several that descend to the same place. A
/// union that would be large, or takes long to compute, is none.
pub(crate) fn unions<P: Package>(
    package: &P,
    transitions: &[Transition<P>],
) -> Result<Vec<Transition<P>>, Refusal> {
    let mut by_top: BTreeMap<Option<u32>, Vec<(usize, Transition<P>)>> = BTreeMap::new();
    for transition in transitions {
        let size = transition.size(package);
        let unions = by_top.entry(transition.top()).or_default();
        let mut is_united = false;
        for (nodes, one) in unions.iter_mut() {
            let more = transition.writes.iter().filter(|bit| one.writes.binary_search(bit).is_err()).count();
            if *nodes + size > MOST_NODES || one.writes.len() + more > MOST_WRITES {
                continue;
            }
            package.set_patience(Some(UNION_STEPS));
            let union = one.union(package, transition);
            package.set_patience(None);
            package.begin();
            let union = match union {
                Ok(union) => union,
                Err(Refusal::Paused) => continue,
                Err(Refusal::Full) => return Err(Refusal::Full),
            };
            let united = union.size(package);
            if united <= MOST_NODES {
                (*nodes, *one, is_united) = (united, union, true);
                break;
            }
        }
        if !is_united {
            unions.push((size, transition.clone()));
        }
    }
    Ok(by_top.into_values().flatten().map(|(_, union)| union).collect())
}

/// The steps of a relation with sequences; returns whether all sequences are composed.
fn sequences<P: Package>(
    composer: &Composer<'_, P>,
    outside: &P::Diagram,
    steps: &mut Vec<Step<P>>,
    faults: &mut Vec<FaultStates<P>>,
    beyond: &mut P::Diagram,
) -> Result<bool, Refusal> {
    let package = &composer.encoding.package;
    let part = |step: &Step<P>, states: &P::Diagram| -> Result<Step<P>, Refusal> {
        Ok(Step {
            groups: step.groups.clone(),
            enabled: package.and(&step.enabled, states)?,
            overflow: package.and(&step.overflow, states)?,
            updates: step.updates.clone(),
        })
    };
    let inside = package.not(outside)?;
    let mut is_composed = true;
    for (number, (step, _)) in composer.singles.iter().enumerate() {
        if !package.intersects(&step.enabled, outside)? {
            continue;
        }
        match composer.compose(number, outside)? {
            Some(composed) => {
                steps.extend(composed.steps);
                faults.extend(composed.faults);
                *beyond = package.or(beyond, &composed.beyond)?;
            }
            None => {
                is_composed = false;
                steps.push(part(step, outside)?);
            }
        }
    }
    if !is_composed {
        for (step, _) in composer.wholes {
            let step = part(step, &inside)?;
            if !package.is_empty(&step.enabled) {
                steps.push(step);
            }
        }
        return Ok(false);
    }
    // No process is ever in control, so nothing depends on it.
    let (control, deterministic) = composer.control;
    let bits = composer.encoding.bits(control).iter().chain(composer.encoding.bits(deterministic));
    let no_control: Vec<_> = bits.map(|bit| (current(*bit), package.constant(false))).collect();
    for step in steps {
        step.enabled = package.compose(&step.enabled, &no_control)?;
        step.overflow = package.compose(&step.overflow, &no_control)?;
        step.updates.retain(|(bit, _)| no_control.iter().all(|(of, _)| *of != current(*bit)));
        for (_, value) in &mut step.updates {
            *value = package.compose(value, &no_control)?;
        }
    }
    Ok(true)
}

/// The most cases of a step by the indices of its groups.
const MOST_CASES: usize = 128;

/// The states in which a step is executable, divided by the lengths of the channels that it changes and by
/// the indices that it uses: each case then writes few cells.
fn cases<P: Package>(
    encoding: &Encoding<P>,
    lowering: &mut Lowering<'_, P>,
    relation: &Relation,
    step: &Step<P>,
) -> Result<Vec<P::Diagram>, Refusal> {
    let package = &encoding.package;
    let mut cases = vec![step.enabled.clone()];
    let mut changed: Vec<VariableId> =
        step.updates.iter().map(|(bit, _)| encoding.owners()[*bit as usize]).collect();
    changed.dedup();
    for variable in changed {
        let Part::Length(id) = relation.variables.list()[variable.index()].part else { continue };
        let capacity = i64::from(relation.variables.channels[id.0 as usize].shape.capacity);
        let lengths: Result<Vec<_>, Refusal> =
            (0..=capacity).map(|length| encoding.assignment([(variable, length)])).collect();
        cases = divided(package, &cases, &lengths?)?;
    }
    if step.groups.len() < 2 {
        // The steps of single groups are divided before.
        return Ok(cases);
    }
    let (mut written, mut seen) = (FxHashSet::default(), FxHashSet::default());
    for number in &step.groups {
        let group = &relation.groups[*number];
        for (index, comparisons) in steps::indices(relation, group) {
            // The value of the index in the state before the sequence.
            let is_old = relation.terms.support([index]).iter().all(|of| !written.contains(of));
            if !is_old || !seen.insert(index) || cases.len() * (comparisons.len() + 1) > MOST_CASES {
                continue;
            }
            let mut parts = Vec::new();
            let mut rest = package.constant(true);
            for (_, comparison) in comparisons {
                let equal = lowering.condition(comparison)?;
                rest = package.without(&rest, &equal)?;
                parts.push(equal);
            }
            parts.push(rest);
            cases = divided(package, &cases, &parts)?;
        }
        written.extend(group.updates.iter().map(|(variable, _)| *variable));
    }
    Ok(cases)
}

/// The common parts of sets and sets, without empty ones.
fn divided<P: Package>(
    package: &P,
    cases: &[P::Diagram],
    parts: &[P::Diagram],
) -> Result<Vec<P::Diagram>, Refusal> {
    let mut divided = Vec::new();
    for part in parts {
        for case in cases {
            let case = package.and(case, part)?;
            if !package.is_empty(&case) {
                divided.push(case);
            }
        }
    }
    Ok(divided)
}
