//! Safe states of a process: states in which its enabled steps form a persistent set, so that a search
//! may execute them alone.
//!
//! A step `t` of the process and a step `u` of another one conflict in a state in which `u` is enabled if
//! `u` enables or disables `t`, if `t` disables `u`, if the order matters to the state that both lead to,
//! or if one of them changes a fault of the other's process. Steps that share no variable do not
//! conflict. For steps that share only channels, the conflicts are computed exactly, by preimages: a
//! receive from a channel that is not empty and a send to it that is not full commute. Other steps that
//! share a variable conflict wherever `u` is enabled. A state is safe if no sequence of steps of other
//! processes leads from it to a conflict (a greatest fixed point), and the process is enabled.
//!
//! *Entry point:* [`safe_states`].
//! *Source:* P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032,
//! 1996, chapter 4; the conditions of section 3.4 of the IMPROVISO paper are the special case in which
//! a channel has one sender and one receiver.
//! *Invariant:* conditions are over the state without control of sequences: a sequence is one step of
//! the process in control, and its parts are compared one by one. In a sequence only the process in
//! control is enabled, so its steps are all steps.

use axle_relation::{Action, Part, Relation, VariableId};
use rustc_hash::FxHashSet;

use crate::package::Package;
use crate::search::{Halt, Search};
use crate::space::Place;

/// For each process with safe states: its number and those states.
pub(crate) fn safe_states<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
) -> Result<Vec<(u32, P::Diagram)>, Halt> {
    let steps = Steps::new(search, relation)?;
    let mut safe = Vec::new();
    for pid in 0..relation.variables.slots.len() as u32 {
        let states = steps.safe(search, relation, pid)?;
        if !search.space.package().is_empty(&states) {
            safe.push((pid, states));
        }
    }
    Ok(safe)
}

/// The number of the process that executes a group.
pub(crate) fn executing(relation: &Relation, group: usize) -> u32 {
    match relation.groups[group].action {
        Action::Step { by, .. } => by.pid,
        Action::Release(pid) => pid,
    }
}

/// The steps without control of sequences.
struct Steps<P: Package> {
    /// For each group, the states in which it is enabled if its process has or needs no control.
    enabled: Vec<P::Diagram>,
    reads: Vec<FxHashSet<u32>>,
    writes: Vec<FxHashSet<u32>>,
    /// Whether the group leaves its process in control.
    keeps: Vec<bool>,
    /// Groups by the bits that they read or write.
    touching: Vec<Vec<usize>>,
    /// The bits of channels and of the number of processes: conflicts over them are computed exactly.
    exact: FxHashSet<u32>,
    /// The cube of the bits of control.
    control: P::Diagram,
}

impl<P: Package> Steps<P> {
    fn new(search: &mut Search<'_, P>, relation: &Relation) -> Result<Steps<P>, Halt> {
        let space = search.space;
        let bits_of = |variable: VariableId| space.encoding.bits(variable).iter().copied();
        let control: Vec<u32> = (relation.variables.control().into_iter())
            .flat_map(|(control, deterministic)| bits_of(control).chain(bits_of(deterministic)))
            .collect();
        let mut literals: Vec<_> = control.iter().map(|bit| (crate::encoding::current(*bit), true)).collect();
        literals.sort_unstable();
        let cube = search.run(|package| package.cube(&literals))?;
        let is_exact = |index: usize| {
            matches!(relation.variables.list()[index].part, Part::Length(_) | Part::Message(..) | Part::Count)
        };
        let exact = (0..relation.variables.list().len()).filter(|index| is_exact(*index));
        let exact = exact.flat_map(|index| bits_of(VariableId(index as u32))).collect();
        let mut steps = Steps {
            enabled: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            keeps: Vec::new(),
            touching: vec![Vec::new(); space.bits() as usize],
            exact,
            control: cube,
        };
        let without = |bits: &[u32]| bits.iter().filter(|bit| !control.contains(bit)).copied().collect();
        for (index, transition) in space.transitions.iter().enumerate() {
            let keeps = transition.writes.iter().any(|bit| control.contains(bit));
            let enabled = search.run(|package| package.exists(&transition.guard, &steps.control))?;
            let (reads, writes): (FxHashSet<u32>, FxHashSet<u32>) =
                (without(&transition.reads), without(&transition.writes));
            for bit in reads.union(&writes) {
                steps.touching[*bit as usize].push(index);
            }
            steps.enabled.push(enabled);
            steps.reads.push(reads);
            steps.writes.push(writes);
            steps.keeps.push(keeps);
        }
        Ok(steps)
    }

    /// The safe states of a process.
    fn safe(
        &self,
        search: &mut Search<'_, P>,
        relation: &Relation,
        pid: u32,
    ) -> Result<P::Diagram, Halt> {
        let space = search.space;
        let (own, others): (Vec<usize>, Vec<usize>) =
            (0..self.enabled.len()).partition(|group| executing(relation, *group) == pid);
        let mut conflicts = space.package().constant(false);
        for &group in &own {
            // The first step of a sequence is not compared as a whole, so it is not safe.
            if self.keeps[group] {
                conflicts = search.union(&conflicts, &self.enabled[group])?;
            }
            for other in self.dependent(relation, pid, group) {
                let conflict = self.conflict(search, relation, group, other)?;
                conflicts = search.union(&conflicts, &conflict)?;
            }
        }
        let visible = self.visible(search, relation, pid, &own, &others)?;
        conflicts = search.union(&conflicts, &visible)?;
        // States from which the others can reach a conflict.
        let mut last = conflicts.clone();
        while !space.package().is_empty(&last) {
            let mut before = space.package().constant(false);
            for &other in &others {
                let by_other = self.preimage(search, other, &last)?;
                before = search.union(&before, &by_other)?;
            }
            last = search.difference(&before, &conflicts)?;
            conflicts = search.union(&conflicts, &last)?;
        }
        let (mut outside, mut inside) = (space.package().constant(false), space.package().constant(false));
        for &group in &own {
            let enabled = search.intersection(&space.transitions[group].guard, &space.observable)?;
            outside = search.union(&outside, &enabled)?;
            let enabled = search.difference(&space.transitions[group].guard, &space.observable)?;
            inside = search.union(&inside, &enabled)?;
        }
        let safe = search.difference(&outside, &conflicts)?;
        search.union(&safe, &inside)
    }

    /// The groups of other processes that share a variable with a group which one of them writes.
    fn dependent(&self, relation: &Relation, pid: u32, group: usize) -> Vec<usize> {
        let touched = self.reads[group].union(&self.writes[group]);
        let mut found: Vec<usize> = touched.flat_map(|bit| &self.touching[*bit as usize]).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|other| {
            executing(relation, *other) != pid
                && (self.shared(group, *other).next().is_some() || self.shared(*other, group).next().is_some())
        });
        found
    }

    /// The bits that the first group writes and the second reads or writes.
    fn shared(&self, writer: usize, reader: usize) -> impl Iterator<Item = u32> + '_ {
        let touches = move |bit: &u32| self.reads[reader].contains(bit) || self.writes[reader].contains(bit);
        self.writes[writer].iter().copied().filter(touches)
    }

    /// The predecessors of states without control by a group.
    fn preimage(
        &self,
        search: &mut Search<'_, P>,
        group: usize,
        set: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        let before = search.preimage(group, set)?;
        search.run(|package| package.exists(&before, &self.control))
    }

    /// The states in which a step of another process is enabled and conflicts with a step.
    fn conflict(
        &self,
        search: &mut Search<'_, P>,
        relation: &Relation,
        own: usize,
        other: usize,
    ) -> Result<P::Diagram, Halt> {
        let shared = self.shared(own, other).chain(self.shared(other, own));
        if shared.into_iter().any(|bit| !self.exact.contains(&bit)) {
            let here = self.location(search, relation, own)?;
            return search.intersection(&here, &self.enabled[other]);
        }
        let both = search.intersection(&self.enabled[own], &self.enabled[other])?;
        let still = self.preimage(search, other, &self.enabled[own])?;
        let changes = search.run(|package| package.xor(&both, &still))?;
        let kept = self.preimage(search, own, &self.enabled[other])?;
        let disables = search.difference(&both, &kept)?;
        let mut conflict = search.union(&changes, &disables)?;
        let mut bits: Vec<u32> = self.writes[own].union(&self.writes[other]).copied().collect();
        bits.sort_unstable();
        for bit in bits {
            if search.run(|package| Ok(package.is_empty(&package.without(&both, &conflict)?)))? {
                break;
            }
            let variable = search.space.package().variable(crate::encoding::current(bit));
            let first = self.preimage(search, other, &variable)?;
            let first = self.preimage(search, own, &first)?;
            let second = self.preimage(search, own, &variable)?;
            let second = self.preimage(search, other, &second)?;
            let differ = search.run(|package| package.and(&both, &package.xor(&first, &second)?))?;
            conflict = search.union(&conflict, &differ)?;
        }
        Ok(conflict)
    }

    /// The states in which the process of a group is where the group can be executed.
    fn location(
        &self,
        search: &mut Search<'_, P>,
        relation: &Relation,
        group: usize,
    ) -> Result<P::Diagram, Halt> {
        let location = relation.variables.location(executing(relation, group));
        let bits: Vec<u32> = search.space.encoding.bits(location).to_vec();
        let package = search.space.package();
        let mut others: Vec<_> = (package.support(&self.enabled[group]).into_iter())
            .filter(|variable| !bits.contains(&(variable / 2)))
            .map(|variable| (variable, true))
            .collect();
        others.sort_unstable();
        search.run(|package| package.exists(&self.enabled[group], &package.cube(&others)?))
    }

    /// The states in which a step of the process changes a fault of another, or the reverse.
    fn visible(
        &self,
        search: &mut Search<'_, P>,
        relation: &Relation,
        pid: u32,
        own: &[usize],
        others: &[usize],
    ) -> Result<P::Diagram, Halt> {
        let space = search.space;
        let mut visible = space.package().constant(false);
        for fault in &space.faults {
            if fault.place == Place::Start || relation.ends.iter().any(|end| end.kind == fault.kind) {
                continue;
            }
            let of = match fault.place {
                Place::Step(group) => executing(relation, group),
                Place::Start | Place::State => fault.pid,
            };
            let states = search.run(|package| package.exists(&fault.states, &self.control))?;
            let support: FxHashSet<u32> =
                space.package().support(&states).into_iter().map(|variable| variable / 2).collect();
            let groups = if of == pid { others } else { own };
            for &group in groups {
                if self.writes[group].is_disjoint(&support) {
                    continue;
                }
                let before = search.intersection(&self.enabled[group], &states)?;
                let after = self.preimage(search, group, &states)?;
                let changes = search.run(|package| package.xor(&before, &after))?;
                visible = search.union(&visible, &changes)?;
            }
        }
        Ok(visible)
    }
}
