//! Steps as functions: the groups of the relation, and whole sequences composed of them.
//!
//! The relation makes a sequence of several groups, with a variable for the process in control. States
//! inside sequences are not states of the explicit search, and they multiply the diagrams by the number
//! of processes. A sequence is therefore composed into steps from a state outside to a state outside
//! sequences, one for each path through it. If a sequence has too many paths, as with a loop, its groups
//! remain steps of their own, and so do the states between them.
//!
//! *Entry point:* [`Composer::compose`].
//! *Invariant:* each path of the relation between two states outside sequences is one step, or a sequence
//! of the steps that remain.

use std::collections::BTreeMap;

use axle_model::{BinOp, EdgeId, UnOp};
use axle_outcome::FaultKind;
use axle_relation::{Fault, Group, Part, Relation, Term, TermId, VariableId};
use rustc_hash::FxHashSet;

use crate::encoding::{Encoding, Lowering, current};
use crate::package::{Package, Refusal};
use crate::watch::Watcher;

/// The most paths through the sequences that begin with one group.
const MOST_PATHS: usize = 64;

/// The most groups of a path.
const MOST_GROUPS: usize = 48;

/// A step as a function of the state before it.
pub(crate) struct Step<P: Package> {
    /// The groups that it consists of, in order.
    pub groups: Vec<usize>,
    /// The states in which it is executable, values that do not fit included.
    pub enabled: P::Diagram,
    /// The states in which it assigns a value that does not fit.
    pub overflow: P::Diagram,
    /// The new values of bits, in ascending order; other bits keep their values.
    pub updates: Vec<(u32, P::Diagram)>,
}

impl<P: Package> Clone for Step<P> {
    fn clone(&self) -> Step<P> {
        Step {
            groups: self.groups.clone(),
            enabled: self.enabled.clone(),
            overflow: self.overflow.clone(),
            updates: self.updates.clone(),
        }
    }
}

/// The states in which a fault occurs.
pub(crate) struct FaultStates<P: Package> {
    pub kind: FaultKind,
    pub pid: u32,
    pub edge: Option<EdgeId>,
    pub place: Place,
    pub states: P::Diagram,
}

/// A fault with the states in which it occurs.
pub(crate) fn fault_states<P: Package>(fault: &Fault, place: Place, states: P::Diagram) -> FaultStates<P> {
    FaultStates { kind: fault.kind, pid: fault.pid, edge: fault.edge, place, states }
}

/// Where a fault is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the initial values.
    Start,
    /// In the state after these groups, which may be none.
    State(Vec<usize>),
    /// In the last of these groups.
    Step(Vec<usize>),
}

impl Place {
    /// The groups between the state and the fault.
    pub(crate) fn groups(&self) -> &[usize] {
        match self {
            Place::Start => &[],
            Place::State(groups) | Place::Step(groups) => groups,
        }
    }

    /// The place after some groups.
    fn after(&self, before: &[usize]) -> Place {
        let groups = before.iter().chain(self.groups()).copied().collect();
        match self {
            Place::Start => Place::Start,
            Place::State(_) => Place::State(groups),
            Place::Step(_) => Place::Step(groups),
        }
    }
}

/// The most steps of operations for a group whose indices are not divided into cases.
const WHOLE_STEPS: u32 = 200_000;

/// The step of a single group as a part of sequences: undivided, so that the paths through a sequence do not
/// multiply, unless that takes long.
#[allow(clippy::type_complexity, reason = "as `singles`")]
pub(crate) fn whole<P: Package>(
    encoding: &Encoding<P>,
    lowering: &mut Lowering<'_, P>,
    relation: &Relation,
    number: usize,
    faults: &mut Vec<FaultStates<P>>,
) -> Result<Vec<(Step<P>, P::Diagram)>, Refusal> {
    let package = &encoding.package;
    let before = faults.len();
    let always = vec![(Vec::new(), package.constant(true))];
    let watch = lowering.set_watch(None);
    package.set_patience(Some(WHOLE_STEPS));
    let whole = in_cases(encoding, lowering, relation, number, faults, always);
    package.set_patience(None);
    lowering.set_watch(watch);
    package.begin();
    match whole {
        Err(Refusal::Paused) => {
            faults.truncate(before);
            singles(encoding, lowering, relation, number, faults)
        }
        whole => whole,
    }
}

/// The steps of a single group, one for each case of its indices ([`cases_of`]), each with the states in
/// which it would create too many processes. The faults of the group are appended.
#[allow(clippy::type_complexity, reason = "a step beside states that belong to it")]
pub(crate) fn singles<P: Package>(
    encoding: &Encoding<P>,
    lowering: &mut Lowering<'_, P>,
    relation: &Relation,
    number: usize,
    faults: &mut Vec<FaultStates<P>>,
) -> Result<Vec<(Step<P>, P::Diagram)>, Refusal> {
    let cases = cases_of(encoding, lowering, relation, &relation.groups[number])?;
    in_cases(encoding, lowering, relation, number, faults, cases)
}

/// A case: terms with their values, and the states in which they have them.
type Case<P> = (Vec<(TermId, i64)>, <P as Package>::Diagram);

#[allow(clippy::type_complexity, reason = "as `singles`")]
fn in_cases<P: Package>(
    encoding: &Encoding<P>,
    lowering: &mut Lowering<'_, P>,
    relation: &Relation,
    number: usize,
    faults: &mut Vec<FaultStates<P>>,
    cases: Vec<Case<P>>,
) -> Result<Vec<(Step<P>, P::Diagram)>, Refusal> {
    let package = &encoding.package;
    let group = &relation.groups[number];
    let no = package.constant(false);
    let mut found = Vec::new();
    let mut faulty = vec![no.clone(); group.faults.len()];
    for (fixed, states) in cases {
        lowering.fix(&fixed);
        let enabled = package.and(&states, &lowering.condition(group.enabled)?)?;
        if package.is_empty(&enabled) {
            continue;
        }
        let beyond = package.and(&enabled, &lowering.condition(group.beyond)?)?;
        let enabled = package.without(&enabled, &beyond)?;
        let (mut updates, mut overflow) = (Vec::new(), no.clone());
        for &(variable, term) in &group.updates {
            let value = lowering.lower(term)?;
            overflow = package.or(&overflow, &encoding.overflow(variable, &value)?)?;
            for (at, bit) in encoding.bits(variable).iter().enumerate() {
                updates.push((*bit, value.get(at).or(value.last()).unwrap_or(&no).clone()));
            }
        }
        updates.sort_by_key(|(bit, _)| *bit);
        let overflow = package.and(&enabled, &overflow)?;
        for (fault, states) in group.faults.iter().zip(&mut faulty) {
            let here = package.and(&enabled, &lowering.condition(fault.condition)?)?;
            *states = package.or(states, &here)?;
        }
        found.push((Step { groups: vec![number], enabled, overflow, updates }, beyond));
    }
    lowering.fix(&[]);
    let faulty = group.faults.iter().zip(faulty);
    faults.extend(faulty.map(|(fault, states)| fault_states(fault, Place::Step(vec![number]), states)));
    Ok(found)
}

/// The most cases of a group.
const MOST_CASES: usize = 128;

/// The cases of a group by its indices: in each, an index has one value, so that the step reads and writes
/// one element of an array or one channel, and not a choice among all of them.
fn cases_of<P: Package>(
    encoding: &Encoding<P>,
    lowering: &mut Lowering<'_, P>,
    relation: &Relation,
    group: &Group,
) -> Result<Vec<Case<P>>, Refusal> {
    let package = &encoding.package;
    let mut cases = vec![(Vec::new(), package.constant(true))];
    for (index, comparisons) in indices(relation, group) {
        if cases.len() * (comparisons.len() + 1) > MOST_CASES {
            break;
        }
        let mut divided = Vec::new();
        for (fixed, states) in cases {
            lowering.fix(&fixed);
            let (mut rest, mut different) = (states.clone(), fixed.clone());
            for &(value, comparison) in &comparisons {
                let equal = lowering.condition(comparison)?;
                let here = package.and(&states, &equal)?;
                rest = package.without(&rest, &equal)?;
                different.push((comparison, 0));
                if !package.is_empty(&here) {
                    let mut fixed = fixed.clone();
                    fixed.push((index, value));
                    fixed.extend(comparisons.iter().map(|(of, term)| (*term, i64::from(*of == value))));
                    divided.push((fixed, here));
                }
            }
            if !package.is_empty(&rest) {
                divided.push((different, rest));
            }
        }
        cases = divided;
    }
    Ok(cases)
}

/// The terms that conditions of choices compare with several numbers, inner ones first, each with these
/// numbers and comparisons.
pub(crate) fn indices(relation: &Relation, group: &Group) -> Vec<(TermId, Vec<(i64, TermId)>)> {
    let terms = &relation.terms;
    let comparison = |id: TermId| match terms.get(id) {
        Term::Binary(BinOp::Eq, _, a, b) => match (terms.constant(a), terms.constant(b)) {
            (None, Some(value)) => Some((a, value)),
            (Some(value), None) => Some((b, value)),
            _ => None,
        },
        _ => None,
    };
    let is_index = |id: TermId| match terms.get(id) {
        Term::Variable(variable) => matches!(
            relation.variables.list()[variable.index()].part,
            Part::Global(..) | Part::Local(..) | Part::Length(_) | Part::Message(..)
        ),
        _ => true,
    };
    let mut found: BTreeMap<TermId, (bool, BTreeMap<i64, TermId>)> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    let faults = group.faults.iter().map(|fault| fault.condition);
    let roots = group.updates.iter().map(|(_, value)| *value).chain(faults);
    let mut stack: Vec<TermId> = roots.chain([group.enabled, group.beyond]).collect();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Some((index, value)) = comparison(id).filter(|(index, _)| is_index(*index)) {
            found.entry(index).or_default().1.insert(value, id);
        }
        if let Term::If(condition, ..) = terms.get(id) {
            let mut conditions = vec![condition];
            while let Some(id) = conditions.pop() {
                match terms.get(id) {
                    Term::And(a, b) | Term::Or(a, b) => conditions.extend([a, b]),
                    Term::Unary(UnOp::Not, _, a) => conditions.push(a),
                    _ => {
                        if let Some((index, _)) = comparison(id).filter(|(index, _)| is_index(*index)) {
                            found.entry(index).or_default().0 = true;
                        }
                    }
                }
            }
        }
        terms.operands(id, |operand| stack.push(operand));
    }
    let several = found.into_iter().filter(|(_, (chooses, values))| *chooses && values.len() > 1);
    several.map(|(index, (_, values))| (index, values.into_iter().collect())).collect()
}

/// What sequences are composed of.
pub(crate) struct Composer<'a, P: Package> {
    pub encoding: &'a Encoding<P>,
    pub relation: &'a Relation,
    /// The steps of single groups that begin sequences, in order, and where each would create too many
    /// processes.
    pub singles: &'a [(Step<P>, P::Diagram)],
    /// The same for those that continue sequences.
    pub wholes: &'a [(Step<P>, P::Diagram)],
    /// The faults of single groups and states that occur inside sequences.
    pub faults: &'a [FaultStates<P>],
    /// For each process, where its deterministic sequence is blocked.
    pub blocked: &'a [(u32, P::Diagram)],
    /// The process in control, and whether its sequence is deterministic.
    pub control: (VariableId, VariableId),
    /// What is asked between two steps.
    pub watch: &'a dyn Watcher,
}

/// The sequences that begin with a group.
pub(crate) struct Composed<P: Package> {
    pub steps: Vec<Step<P>>,
    pub faults: Vec<FaultStates<P>>,
    pub beyond: P::Diagram,
}

impl<P: Package> Composer<'_, P> {
    /// The steps of the sequences that begin with a step outside sequences; none if there are too many.
    pub(crate) fn compose(&self, first: usize, outside: &P::Diagram) -> Result<Option<Composed<P>>, Refusal> {
        let package = &self.encoding.package;
        let mut composed =
            Composed { steps: Vec::new(), faults: Vec::new(), beyond: package.constant(false) };
        let step = &self.singles[first].0;
        let mut open = vec![Step {
            groups: step.groups.clone(),
            enabled: package.and(&step.enabled, outside)?,
            overflow: package.and(&step.overflow, outside)?,
            updates: step.updates.clone(),
        }];
        let mut paths = 0;
        while let Some(step) = open.pop() {
            self.watch.poll(package)?;
            paths += 1;
            if paths > MOST_PATHS || step.groups.len() > MOST_GROUPS {
                return Ok(None);
            }
            if self.is_outside(&step) {
                composed.steps.push(step);
                continue;
            }
            self.continued(&step, &mut open, &mut composed)?;
        }
        Ok(Some(composed))
    }

    /// Whether the state after a step is outside sequences. The new value of control is a number.
    fn is_outside(&self, step: &Step<P>) -> bool {
        let package = &self.encoding.package;
        self.encoding.bits(self.control.0).iter().all(|bit| {
            let update = step.updates.iter().find(|(of, _)| of == bit);
            update.is_none_or(|(_, value)| package.is_empty(value))
        })
    }

    /// The steps that continue a step inside a sequence, and the faults between.
    fn continued(
        &self,
        step: &Step<P>,
        open: &mut Vec<Step<P>>,
        composed: &mut Composed<P>,
    ) -> Result<(), Refusal> {
        let package = &self.encoding.package;
        let functions: Vec<_> =
            step.updates.iter().map(|(bit, value)| (current(*bit), value.clone())).collect();
        let fits = package.without(&step.enabled, &step.overflow)?;
        let before = |states: &P::Diagram| package.and(&fits, &package.compose(states, &functions)?);
        for fault in self.faults {
            let states = before(&fault.states)?;
            if package.is_empty(&states) {
                continue;
            }
            let &FaultStates { kind, pid, edge, .. } = fault;
            let place = fault.place.after(&step.groups);
            composed.faults.push(FaultStates { kind, pid, edge, place, states });
        }
        let end = step.groups.last().and_then(|group| self.relation.groups[*group].last());
        for (pid, blocked) in self.blocked {
            let Some(end) = end.filter(|end| end.pid == *pid) else { continue };
            let (kind, edge) = (FaultKind::DeterministicBlocks, Some(end.edge));
            let (place, states) = (Place::State(step.groups.clone()), before(blocked)?);
            composed.faults.push(FaultStates { kind, pid: *pid, edge, place, states });
        }
        let begun = open.len();
        for (next, beyond) in self.wholes {
            let number = next.groups[0];
            if end.is_some_and(|end| end.pid != self.relation.groups[number].executing()) {
                continue;
            }
            composed.beyond = package.or(&composed.beyond, &before(beyond)?)?;
            let enabled = before(&next.enabled)?;
            if package.is_empty(&enabled) {
                continue;
            }
            let mut updates = step.updates.clone();
            for (bit, value) in &next.updates {
                let value = package.compose(value, &functions)?;
                match updates.binary_search_by_key(bit, |(of, _)| *of) {
                    Ok(at) => updates[at].1 = value,
                    Err(at) => updates.insert(at, (*bit, value)),
                }
            }
            let groups = step.groups.iter().copied().chain([number]).collect();
            let overflow = before(&next.overflow)?;
            open.push(Step { groups, enabled, overflow, updates });
        }
        // An overflow ends the search, wherever it is in the sequence.
        if let Some(next) = open.get_mut(begun) {
            next.overflow = package.or(&next.overflow, &step.overflow)?;
            next.enabled = package.or(&next.enabled, &step.overflow)?;
        } else if !package.is_empty(&step.overflow) {
            let Step { groups, overflow, .. } = step;
            let (groups, updates) = (groups.clone(), Vec::new());
            composed.steps.push(Step {
                groups,
                enabled: overflow.clone(),
                overflow: overflow.clone(),
                updates,
            });
        }
        open[begun..].reverse();
        Ok(())
    }
}
