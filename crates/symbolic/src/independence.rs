//! Safe states of a process: states in which its enabled steps form a persistent set, so that a search
//! may execute them alone.
//!
//! A step `t` of the process and a step `u` of another one conflict in a state in which `u` is enabled if
//! `u` enables or disables `t`, if `t` disables `u`, if the order matters to the state that both lead to,
//! or if one of them changes a fault of the other's process. Steps that share no variable do not
//! conflict. A receive from the front of a channel and a send to its end conflict only where the channel
//! is empty (the send enables the receive) or full. Other steps that share a variable are assumed to
//! conflict wherever the process of `t` is at its location. A state is safe if the
//! process is enabled, the state is no conflict, and steps of other processes lead to safe states only (a
//! greatest fixed point).
//!
//! *Entry point:* [`safe_states`].
//! *Source:* P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032,
//! 1996, chapter 4; G. J. Holzmann, D. Peled, "An Improvement in Formal Verification", FORTE 1994
//! (channels). The conditions of section 3.4 of the IMPROVISO paper are the case of a channel with one
//! sender and one receiver.
//! *Invariant:* conditions are over the state without control of sequences: a sequence is one step of
//! the process in control, and its parts are compared one by one. In a sequence only the process in
//! control is enabled, so its steps are all steps.

use axle_model::EdgeId;
use axle_relation::{Action, Relation, VariableId};
use rustc_hash::FxHashSet;

use crate::channel_roles::{Role, Roles, capacity, length_of};
use crate::encoding::current;
use crate::package::Package;
use crate::search::{Halt, Search};
use crate::space::Space;
use crate::steps::Place;

/// For each process with safe states: its number and those states.
pub(crate) fn safe_states<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
) -> Result<Vec<(u32, P::Diagram)>, Halt> {
    let steps = Steps::new(search, relation)?;
    let mut safe = Vec::new();
    for pid in 0..relation.variables.slots.len() as u32 {
        let states = steps.safe(search, pid)?;
        if !search.space.package().is_empty(&states) {
            safe.push((pid, states));
        }
    }
    Ok(safe)
}

/// The steps without control of sequences.
struct Steps<'r, P: Package> {
    relation: &'r Relation,
    /// For each group, the states in which it is enabled if its process has or needs no control.
    enabled: Vec<P::Diagram>,
    /// For each group, the states in which its process is where the group can be executed. Each is compared with many
    /// other groups.
    locations: Vec<P::Diagram>,
    reads: Vec<FxHashSet<u32>>,
    writes: Vec<FxHashSet<u32>>,
    /// Whether the group leaves its process in control.
    keeps: Vec<bool>,
    /// Groups by the bits that they read or write.
    touching: Vec<Vec<usize>>,
    roles: Roles,
    /// The cube of the bits of control.
    control: P::Diagram,
}

impl<'r, P: Package> Steps<'r, P> {
    fn new(search: &mut Search<'_, P>, relation: &'r Relation) -> Result<Steps<'r, P>, Halt> {
        let space = search.space;
        let bits_of = |variable: VariableId| space.encoding.bits(variable).iter().copied();
        let control: Vec<u32> = (relation.variables.control().into_iter())
            .flat_map(|(control, deterministic)| bits_of(control).chain(bits_of(deterministic)))
            .collect();
        let mut literals: Vec<_> = control.iter().map(|bit| (current(*bit), true)).collect();
        literals.sort_unstable();
        let cube = search.run(|package| package.cube(&literals))?;
        let groups = space.steps.len();
        let mut steps = Steps {
            relation,
            enabled: vec![space.package().constant(false); groups],
            locations: Vec::with_capacity(groups),
            reads: vec![FxHashSet::default(); groups],
            writes: vec![FxHashSet::default(); groups],
            keeps: vec![false; groups],
            touching: vec![Vec::new(); space.bits() as usize],
            roles: Roles::default(),
            control: cube,
        };
        let outside = |bit: &&u32| !control.contains(bit);
        for transition in &space.transitions {
            let group = transition.step;
            let enabled = search.run(|package| package.exists(&transition.guard, &steps.control))?;
            steps.enabled[group] = search.union(&steps.enabled[group], &enabled)?;
            steps.keeps[group] |= transition.writes.iter().any(|bit| control.contains(bit));
            steps.reads[group].extend(transition.reads.iter().filter(outside));
            steps.writes[group].extend(transition.writes.iter().filter(outside));
        }
        for group in 0..groups {
            for bit in steps.reads[group].union(&steps.writes[group]) {
                steps.touching[*bit as usize].push(group);
            }
        }
        steps.roles = Roles::new(search, relation, &steps.enabled)?;
        for group in 0..groups {
            let pid = space.executing(relation, group);
            let location = steps.at_location(search, pid, &steps.enabled[group])?;
            steps.locations.push(location);
        }
        Ok(steps)
    }

    /// The safe states of a process.
    fn safe(&self, search: &mut Search<'_, P>, pid: u32) -> Result<P::Diagram, Halt> {
        let space = search.space;
        let is_own = |step: usize| space.executing(self.relation, step) == pid;
        let nothing = space.package().constant(false);
        let (mut enabled, mut conflicts) = (nothing.clone(), nothing.clone());
        for group in (0..self.enabled.len()).filter(|group| is_own(*group)) {
            enabled = search.union(&enabled, &self.enabled[group])?;
            // The first step of a sequence is not compared as a whole, so it is not safe.
            if self.keeps[group] {
                conflicts = search.union(&conflicts, &self.enabled[group])?;
            }
            for other in self.dependent(space, pid, group) {
                let conflict = self.conflict(search, group, other)?;
                conflicts = search.union(&conflicts, &conflict)?;
            }
        }
        let visible = self.visible(search, pid)?;
        conflicts = search.union(&conflicts, &visible)?;
        let mut safe = search.difference(&enabled, &conflicts)?;
        let mut outside = search.run(|package| package.not(&safe))?;
        // States from which another process leads outside are removed, until there are none.
        while !space.package().is_empty(&safe) {
            let mut before = nothing.clone();
            for index in 0..space.transitions.len() {
                if !is_own(space.transitions[index].step) {
                    let by_other = self.preimage(search, index, &outside)?;
                    before = search.union(&before, &by_other)?;
                }
            }
            outside = search.intersection(&safe, &before)?;
            if space.package().is_empty(&outside) {
                break;
            }
            safe = search.difference(&safe, &outside)?;
        }
        let (mut without, mut within) = (nothing.clone(), nothing);
        for transition in space.transitions.iter().filter(|transition| is_own(transition.step)) {
            let enabled = search.intersection(&transition.guard, &space.observable)?;
            without = search.union(&without, &enabled)?;
            let enabled = search.difference(&transition.guard, &space.observable)?;
            within = search.union(&within, &enabled)?;
        }
        let safe = search.intersection(&safe, &without)?;
        search.union(&safe, &within)
    }

    /// The groups of other processes that share a variable with a group which one of them writes.
    fn dependent(&self, space: &Space<P>, pid: u32, group: usize) -> Vec<usize> {
        let touched = self.reads[group].union(&self.writes[group]);
        let mut found: Vec<usize> = touched.flat_map(|bit| &self.touching[*bit as usize]).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|other| {
            space.executing(self.relation, *other) != pid
                && (self.shared(group, *other).next().is_some()
                    || self.shared(*other, group).next().is_some())
        });
        found
    }

    /// The bits that the first group writes and the second reads or writes.
    fn shared(&self, writer: usize, reader: usize) -> impl Iterator<Item = u32> + '_ {
        let touches = move |bit: &u32| self.reads[reader].contains(bit) || self.writes[reader].contains(bit);
        self.writes[writer].iter().copied().filter(touches)
    }

    /// The predecessors of states without control by a transition.
    fn preimage(
        &self,
        search: &mut Search<'_, P>,
        transition: usize,
        set: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        let before = search.preimage(transition, set)?;
        search.run(|package| package.exists(&before, &self.control))
    }

    /// The states in which a step of another process conflicts with a step.
    fn conflict(&self, search: &mut Search<'_, P>, own: usize, other: usize) -> Result<P::Diagram, Halt> {
        let owners = search.space.encoding.owners();
        let shared = self.shared(own, other).chain(self.shared(other, own));
        let mut channels: Vec<Option<u32>> =
            shared.map(|bit| self.roles.channel(owners[bit as usize])).collect();
        channels.sort_unstable();
        channels.dedup();
        let here = &self.locations[own];
        let both = search.intersection(here, &self.enabled[other])?;
        let mut conflicts = search.space.package().constant(false);
        for channel in channels {
            let role = |group| channel.and_then(|channel| self.roles.role(group, channel));
            let length = match (role(own), role(other)) {
                (Some(Role::Receive), Some(Role::Send)) => Some(0),
                (Some(Role::Send), Some(Role::Receive)) => channel.map(|of| capacity(self.relation, of)),
                _ => None,
            };
            let conflict = match (channel, length) {
                (Some(channel), Some(length)) => {
                    let variable = length_of(self.relation, channel);
                    let space = search.space;
                    search.run(|package| {
                        package.and(&both, &space.encoding.assignment([(variable, length)])?)
                    })?
                }
                _ => here.clone(),
            };
            conflicts = search.union(&conflicts, &conflict)?;
        }
        Ok(conflicts)
    }

    /// The states in which a process is at a location that it has in some states.
    fn at_location(
        &self,
        search: &mut Search<'_, P>,
        pid: u32,
        states: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        let bits = search.space.encoding.bits(self.relation.variables.location(pid));
        let others: Vec<_> = (search.space.package().support(states).into_iter())
            .filter(|variable| !bits.contains(&(variable / 2)))
            .map(|variable| (variable, true))
            .collect();
        search.run(|package| package.exists(states, &package.cube(&others)?))
    }

    /// The locations at which a step of the process may change a fault of another, or the reverse.
    fn visible(&self, search: &mut Search<'_, P>, pid: u32) -> Result<P::Diagram, Halt> {
        let space = search.space;
        let mut visible = space.package().constant(false);
        for fault in &space.faults {
            // Blocked states are preserved without that.
            if fault.place == Place::Start || self.relation.ends.iter().any(|end| end.kind == fault.kind) {
                continue;
            }
            let of = fault
                .place
                .groups()
                .first()
                .map_or(fault.pid, |group| self.relation.groups[*group].executing());
            let support = space.package().support(&fault.states);
            let support: FxHashSet<u32> = support.into_iter().map(|variable| variable / 2).collect();
            for group in 0..self.enabled.len() {
                let is_own = space.executing(self.relation, group) == pid;
                if is_own == (of == pid) || self.writes[group].is_disjoint(&support) {
                    continue;
                }
                let locations = match is_own {
                    true => self.locations[group].clone(),
                    false => self.at_location(search, pid, &fault.states)?,
                };
                visible = search.union(&visible, &locations)?;
            }
        }
        // Faults whose states are found after the search, by the variables of their conditions.
        for fault in self.relation.faults.iter().filter(|_| self.relation.variables.control().is_none()) {
            let variables = self.relation.terms.support([fault.condition]);
            let support: FxHashSet<u32> =
                variables.into_iter().flat_map(|of| space.encoding.bits(of)).copied().collect();
            for group in 0..self.enabled.len() {
                let is_own = space.executing(self.relation, group) == pid;
                if is_own == (fault.pid == pid) || self.writes[group].is_disjoint(&support) {
                    continue;
                }
                let locations = match is_own {
                    true => self.locations[group].clone(),
                    false => self.of_edge(search, pid, fault.edge)?,
                };
                visible = search.union(&visible, &locations)?;
            }
        }
        Ok(visible)
    }

    /// The states in which a process is where an edge can be executed; all states if that is not known.
    fn of_edge(
        &self,
        search: &mut Search<'_, P>,
        pid: u32,
        edge: Option<EdgeId>,
    ) -> Result<P::Diagram, Halt> {
        let space = search.space;
        let mut found = space.package().constant(false);
        for (number, groups) in space.steps.iter().enumerate() {
            let takes = |of: &usize| match self.relation.groups[*of].action {
                Action::Step { by, partner, .. } => [Some(by), partner]
                    .into_iter()
                    .flatten()
                    .any(|taken| taken.pid == pid && Some(taken.edge) == edge),
                Action::Release(_) => false,
            };
            if groups.iter().any(takes) {
                let here = self.at_location(search, pid, &self.enabled[number])?;
                found = search.union(&found, &here)?;
            }
        }
        match space.package().is_empty(&found) {
            true => Ok(space.package().constant(true)),
            false => Ok(found),
        }
    }
}
