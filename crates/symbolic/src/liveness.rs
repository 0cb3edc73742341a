//! Claims: fair cycles of the product of a relation and a claim.
//!
//! In a product state the claim moves first and the system then makes a step, or stutters if it has
//! none. Three variables are added to the encoding: the location of the claim, the edge that it has
//! taken, and which of the two moves next. Acceptance on edges is then a condition on states in which
//! the system moves.
//!
//! The fair states are a greatest fixed point: a state is removed if it has no successor in the set, if
//! it cannot reach a state of some acceptance set, a step of some process or a state in which that
//! process is not enabled (weak fairness), or if a process is enabled in it and it cannot reach a step of
//! the process (strong fairness). A terminal component of what is left satisfies all conditions.
//!
//! *Entry point:* [`Product::new`], [`Product::accepted`].
//! *Source:* Y. Kesten, A. Pnueli, L. Raviv, "Algorithmic Verification of Linear Temporal Logic
//! Specifications", ICALP 1998; E. A. Emerson, C.-L. Lei, "Efficient Model Checking in Fragments of the
//! Propositional Mu-Calculus", LICS 1986.
//! *Invariant:* no state of a fair cycle is ever removed. All sequences are composed, so that "enabled" and
//! "executed" are those of the explicit search.

use axle_outcome::claim::{Cube, Guard};
use axle_outcome::{AtomFault, Claim, ClaimCoverage, Fairness, Finding, Lasso, LassoStep, Prefix, Stop};
use axle_relation::{Action, Evaluation, Relation, VariableId};

use crate::package::{Package, Refusal};
use crate::search::{Halt, Search};
use crate::space::{Space, TooLarge, unions};
use crate::steps::Step;
use crate::transition::Transition;
use crate::widths::Code;
use crate::witness::{self, Path};
use crate::{GroupPath, ProductStep};

/// The product of a relation and a claim.
pub(crate) struct Product<'a, P: Package> {
    pub space: Space<P>,
    relation: &'a Relation,
    claim: &'a Claim,
    /// The location of the claim, the edge taken, and whether the system moves next.
    location: VariableId,
    edge: VariableId,
    turn: VariableId,
    /// The number of transitions of the system; those of the claim and the stutter step follow.
    system: usize,
    /// For each edge of the claim, the states in which it is enabled.
    enabled: Vec<P::Diagram>,
    /// For each edge of the claim, the states in which taking it is a violation.
    alarms: Vec<(usize, P::Diagram)>,
}

/// The codes of a relation with those of the claim, which are at the bottom of the order.
pub(crate) fn extended(claim: &Claim, codes: &[Code], order: &[VariableId]) -> (Vec<Code>, Vec<VariableId>) {
    let edges = claim.edges().count() as i64;
    let most = [(claim.locations.len() as i64).max(1) - 1, (edges - 1).max(0), 1];
    let first = codes.len() as u32;
    let codes = codes.iter().copied().chain(most.map(|most| Code::of((0, most)))).collect();
    (codes, order.iter().copied().chain((first..first + 3).map(VariableId)).collect())
}

impl<'a, P: Package> Product<'a, P> {
    /// The product in a space whose encoding is [`extended`].
    pub(crate) fn new(
        mut space: Space<P>,
        relation: &'a Relation,
        claim: &'a Claim,
    ) -> Result<Product<'a, P>, TooLarge> {
        let first = relation.variables.list().len() as u32;
        let [location, edge, turn] = [first, first + 1, first + 2].map(VariableId);
        let encoding = &space.encoding;
        let package = &encoding.package;
        let (claims_turn, systems_turn) =
            (encoding.assignment([(turn, 0)])?, encoding.assignment([(turn, 1)])?);
        let mut enabled = package.constant(false);
        let mut transitions = Vec::new();
        let reset: Vec<(u32, bool)> =
            encoding.bits(edge).iter().chain(encoding.bits(turn)).map(|bit| (*bit, false)).collect();
        for transition in &space.transitions {
            enabled = package.or(&enabled, &transition.guard)?;
            transitions.push(transition.beside(package, &systems_turn, &reset)?);
        }
        let system = transitions.len();
        let (mut edges, mut alarms) = (Vec::new(), Vec::new());
        for (number, (from, taken)) in claim.edges().enumerate() {
            let here = encoding.assignment([(location, from.into()), (turn, 0)])?;
            let guard = package.and(&here, &guard(&space, &taken.guard)?)?;
            let mut alarm = package.constant(claim.locations[taken.to as usize].end);
            if let Some(atom) = taken.asserts {
                alarm = package.or(&alarm, &package.not(&space.propositions[atom as usize])?)?;
            }
            alarms.push((number, package.and(&guard, &alarm)?));
            edges.push(guard.clone());
            let values = [(location, i64::from(taken.to)), (edge, number as i64), (turn, 1)];
            let step = constant_step(&space, guard, &values);
            transitions.push(Transition::new(encoding, (space.steps.len(), &step), &step.enabled)?);
        }
        let stutter = package.without(&systems_turn, &enabled)?;
        let step = constant_step(&space, stutter, &[(edge, 0), (turn, 0)]);
        transitions.push(Transition::new(encoding, (space.steps.len(), &step), &step.enabled)?);
        let start = package.and(&space.initial, &encoding.assignment([(edge, 0)])?)?;
        let start = package.and(&start, &claims_turn)?;
        let mut initial = package.constant(false);
        for at in &claim.initial {
            let here = package.and(&start, &encoding.assignment([(location, (*at).into())])?)?;
            initial = package.or(&initial, &here)?;
        }
        space.observable = package.and(&space.observable, &claims_turn)?;
        space.initial = initial;
        space.unions = unions(package, &transitions)?;
        space.transitions = transitions;
        // The steps of the claim consist of no groups.
        space.steps.push(Vec::new());
        Ok(Product { space, relation, claim, location, edge, turn, system, enabled: edges, alarms })
    }

    /// A counterexample in a part of the reached states that no step leaves; none if the claim accepts no
    /// execution there.
    pub(crate) fn accepted(
        &self,
        search: &mut Search<'_, P>,
        (reached, part): (&P::Diagram, &P::Diagram),
        rings: &[P::Diagram],
        fairness: Fairness,
    ) -> Result<Option<(Finding, GroupPath)>, Halt> {
        for (number, alarm) in &self.alarms {
            let states = search.intersection(part, alarm)?;
            if !self.space.package().is_empty(&states) {
                let path = witness::path(search, reached, rings, &states)?;
                let groups = GroupPath { stem: self.groups(&path), cycle: Vec::new() };
                return Ok(Some((self.alarm(*number, &path)?, groups)));
            }
        }
        let fair = self.fair(search, part, fairness)?;
        if self.space.package().is_empty(&fair) {
            return Ok(None);
        }
        let component = self.terminal(search, &fair)?;
        let turn = search.intersection(&component, &self.space.observable)?;
        let prefix = witness::path(search, reached, rings, &turn)?;
        let start = prefix.states[prefix.states.len() - 1].clone();
        let cycle = self.cycle(search, &component, &start, fairness)?;
        let lasso = Lasso {
            start: self.value(&prefix.states[0], self.location) as u32,
            prefix: self.steps(&prefix)?,
            cycle: self.steps(&cycle)?,
        };
        let groups = GroupPath { stem: self.groups(&prefix), cycle: self.groups(&cycle) };
        Ok(Some((Finding::Cycle(lasso), groups)))
    }

    /// The locations that the claim reaches, and the edges that are enabled in some reached state.
    pub(crate) fn coverage(
        &self,
        search: &mut Search<'_, P>,
        reached: &P::Diagram,
    ) -> Result<ClaimCoverage, Halt> {
        let mut coverage = ClaimCoverage::none(self.claim);
        for at in &self.claim.initial {
            coverage.locations[*at as usize] = true;
        }
        for ((number, (from, edge)), enabled) in self.claim.edges().enumerate().zip(&self.enabled) {
            if search.run(|package| package.intersects(enabled, reached))? {
                coverage.edges[from as usize][self.index_of(number) as usize] = true;
                coverage.locations[edge.to as usize] = true;
            }
        }
        Ok(coverage)
    }

    /// The propositions without a value that the claim depends on in some state of a part of the reached
    /// ones: one for each kind and proposition.
    pub(crate) fn faults(
        &self,
        search: &mut Search<'_, P>,
        (reached, part): (&P::Diagram, &P::Diagram),
        rings: &[P::Diagram],
    ) -> Result<Vec<AtomFault>, Halt> {
        let mut found: Vec<AtomFault> = Vec::new();
        for (fault, states) in &self.space.claim_faults {
            if found.iter().any(|known| (known.kind, known.atom) == (fault.kind, fault.atom)) {
                continue;
            }
            let here = search.run(|_| {
                self.space.encoding.assignment([(self.location, fault.location.into()), (self.turn, 0)])
            })?;
            let states = search.intersection(states, &here)?;
            let states = search.intersection(&states, part)?;
            if self.space.package().is_empty(&states) {
                continue;
            }
            let path = witness::path(search, reached, rings, &states)?;
            let start = self.value(&path.states[0], self.location) as u32;
            let prefix = Prefix { start, steps: self.steps(&path)? };
            found.push(AtomFault { kind: fault.kind, atom: fault.atom, prefix });
        }
        Ok(found)
    }

    /// The states from which a fair execution stays in the set, and perhaps others that lead to them.
    fn fair(
        &self,
        search: &mut Search<'_, P>,
        reached: &P::Diagram,
        fairness: Fairness,
    ) -> Result<P::Diagram, Halt> {
        let mut fair = reached.clone();
        loop {
            let before = fair.clone();
            loop {
                let with_successor = self.before(search, &fair)?;
                let next = search.intersection(&fair, &with_successor)?;
                if next == fair {
                    break;
                }
                fair = next;
            }
            for set in 0..self.claim.sets {
                let marked = self.marked(search, set)?;
                let marked = search.intersection(&fair, &marked)?;
                fair = self.leading_to(search, &fair, &marked)?;
            }
            for pid in self.processes(fairness) {
                let executed = self.executed(search, pid, &fair)?;
                let enabled = self.enabled(search, pid)?;
                fair = match fairness {
                    Fairness::Strong => {
                        let leading = self.leading_to(search, &fair, &executed)?;
                        let disabled = search.difference(&fair, &enabled)?;
                        search.union(&leading, &disabled)?
                    }
                    Fairness::None | Fairness::Weak => {
                        let moving = self.systems_turn(search)?;
                        let disabled = search.difference(&moving, &enabled)?;
                        let disabled = search.intersection(&disabled, &fair)?;
                        let target = search.union(&executed, &disabled)?;
                        self.leading_to(search, &fair, &target)?
                    }
                };
            }
            if fair == before {
                return Ok(fair);
            }
        }
    }

    /// A terminal component of a set in which each state has a successor.
    fn terminal(&self, search: &mut Search<'_, P>, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let mut set = set.clone();
        loop {
            let state = self.space.encoding.pick(&set).expect("the set is not empty");
            let state = search.run(|_| self.space.encoding.state(&state))?;
            let forward = self.reached_from(search, &set, &state)?;
            let backward = self.leading_to(search, &forward, &state)?;
            let rest = search.difference(&forward, &backward)?;
            if self.space.package().is_empty(&rest) {
                return Ok(forward);
            }
            set = rest;
        }
    }

    /// A cycle through a component that meets all conditions.
    fn cycle(
        &self,
        search: &mut Search<'_, P>,
        component: &P::Diagram,
        start: &[i64],
        fairness: Fairness,
    ) -> Result<Path, Halt> {
        let mut path = Path { groups: Vec::new(), states: vec![start.to_vec()] };
        for set in 0..self.claim.sets {
            let marked = self.marked(search, set)?;
            let target = search.intersection(&marked, component)?;
            self.go(search, component, &mut path, &target)?;
        }
        for pid in self.processes(fairness) {
            let enabled = self.enabled(search, pid)?;
            let moving = self.systems_turn(search)?;
            let moving = search.intersection(&moving, component)?;
            let disabled = search.difference(&moving, &enabled)?;
            let enabled = search.intersection(&moving, &enabled)?;
            let none = |set: &P::Diagram| self.space.package().is_empty(set);
            if none(&enabled) {
                continue;
            }
            if fairness == Fairness::Weak && !none(&disabled) {
                self.go(search, component, &mut path, &disabled)?;
                continue;
            }
            let executed = self.executed(search, pid, component)?;
            self.go(search, component, &mut path, &executed)?;
            let own = self.own(pid);
            let here = path.states[path.states.len() - 1].clone();
            self.step(search, component, &mut path, &here, &own)?;
        }
        let home = search.run(|_| self.space.encoding.state(start))?;
        if path.groups.is_empty() {
            // At least one step.
            let all: Vec<usize> = (0..self.space.transitions.len()).collect();
            self.step(search, component, &mut path, start, &all)?;
        }
        self.go(search, component, &mut path, &home)?;
        Ok(path)
    }

    /// Extends a path by a step of one of these transitions to a state of the component.
    fn step(
        &self,
        search: &mut Search<'_, P>,
        component: &P::Diagram,
        path: &mut Path,
        from: &[i64],
        transitions: &[usize],
    ) -> Result<(), Halt> {
        let here = search.run(|_| self.space.encoding.state(from))?;
        for &index in transitions {
            let after = search.image(index, &here)?;
            let after = search.intersection(&after, component)?;
            if let Some(state) = self.space.encoding.pick(&after) {
                path.groups.push(self.space.steps[self.space.transitions[index].step].clone());
                path.states.push(state);
                return Ok(());
            }
        }
        unreachable!("a state of the component has such a step")
    }

    /// Extends a path to a set, by a shortest way inside the component.
    fn go(
        &self,
        search: &mut Search<'_, P>,
        component: &P::Diagram,
        path: &mut Path,
        target: &P::Diagram,
    ) -> Result<(), Halt> {
        let from = path.states[path.states.len() - 1].clone();
        let mut rings = vec![search.run(|_| self.space.encoding.state(&from))?];
        let mut seen = rings[0].clone();
        while !search.run(|package| package.intersects(&rings[rings.len() - 1], target))? {
            let after = self.after(search, &rings[rings.len() - 1].clone())?;
            let after = search.intersection(&after, component)?;
            let ring = search.difference(&after, &seen)?;
            assert!(!self.space.package().is_empty(&ring), "a component is strongly connected");
            seen = search.union(&seen, &ring)?;
            rings.push(ring);
        }
        let last = rings.len() - 1;
        let end = search.intersection(&rings[last].clone(), target)?;
        let way = witness::path(search, &seen, &rings, &end)?;
        path.groups.extend(way.groups);
        path.states.extend(way.states.into_iter().skip(1));
        Ok(())
    }

    /// All predecessors of a set.
    fn before(&self, search: &mut Search<'_, P>, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let mut before = self.space.package().constant(false);
        for index in 0..self.space.unions.len() {
            let by_one = search.preimage_of_union(index, set)?;
            before = search.union(&before, &by_one)?;
        }
        Ok(before)
    }

    /// All successors of a set.
    fn after(&self, search: &mut Search<'_, P>, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let mut after = self.space.package().constant(false);
        for index in 0..self.space.unions.len() {
            let by_one = search.image_of_union(index, set)?;
            after = search.union(&after, &by_one)?;
        }
        Ok(after)
    }

    /// The states of a set from which a part of it can be reached inside it.
    fn leading_to(
        &self,
        search: &mut Search<'_, P>,
        set: &P::Diagram,
        target: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        let mut leading = target.clone();
        loop {
            let before = leading.clone();
            for index in 0..self.space.unions.len() {
                let by_one = search.preimage_of_union(index, &leading)?;
                let by_one = search.intersection(&by_one, set)?;
                leading = search.union(&leading, &by_one)?;
            }
            if leading == before {
                return Ok(leading);
            }
        }
    }

    /// The states of a set that can be reached from a part of it inside it.
    fn reached_from(
        &self,
        search: &mut Search<'_, P>,
        set: &P::Diagram,
        start: &P::Diagram,
    ) -> Result<P::Diagram, Halt> {
        let mut reached = start.clone();
        loop {
            let before = reached.clone();
            for index in 0..self.space.unions.len() {
                let by_one = search.image_of_union(index, &reached)?;
                let by_one = search.intersection(&by_one, set)?;
                reached = search.union(&reached, &by_one)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }

    /// The states in which the system moves after an edge of an acceptance set.
    fn marked(&self, search: &mut Search<'_, P>, set: u32) -> Result<P::Diagram, Halt> {
        let mut marked = self.space.package().constant(false);
        for (number, (_, edge)) in self.claim.edges().enumerate() {
            if edge.marks >> set & 1 == 1 {
                let values = [(self.edge, number as i64), (self.turn, 1)];
                let states = search.run(|_| self.space.encoding.assignment(values))?;
                marked = search.union(&marked, &states)?;
            }
        }
        Ok(marked)
    }

    fn systems_turn(&self, search: &mut Search<'_, P>) -> Result<P::Diagram, Halt> {
        search.run(|_| self.space.encoding.assignment([(self.turn, 1)]))
    }

    /// The processes that a fairness assumption concerns.
    fn processes(&self, fairness: Fairness) -> std::ops::Range<u32> {
        match fairness {
            Fairness::None => 0..0,
            Fairness::Weak | Fairness::Strong => 0..self.relation.variables.slots.len() as u32,
        }
    }

    /// The transitions in which a process executes an edge.
    fn own(&self, pid: u32) -> Vec<usize> {
        let executes = |group: &usize| match self.relation.groups[*group].action {
            Action::Step { by, partner, .. } => {
                by.pid == pid || partner.is_some_and(|partner| partner.pid == pid)
            }
            Action::Release(_) => false,
        };
        let is_own =
            |index: &usize| self.space.steps[self.space.transitions[*index].step].iter().any(executes);
        (0..self.system).filter(is_own).collect()
    }

    /// The states in which a process is enabled.
    fn enabled(&self, search: &mut Search<'_, P>, pid: u32) -> Result<P::Diagram, Halt> {
        let mut enabled = self.space.package().constant(false);
        for index in self.own(pid) {
            enabled = search.union(&enabled, &self.space.transitions[index].guard)?;
        }
        Ok(enabled)
    }

    /// The states of a set from which a step of a process leads into the set.
    fn executed(&self, search: &mut Search<'_, P>, pid: u32, set: &P::Diagram) -> Result<P::Diagram, Halt> {
        let mut executed = self.space.package().constant(false);
        for index in self.own(pid) {
            let before = search.preimage(index, set)?;
            executed = search.union(&executed, &before)?;
        }
        search.intersection(&executed, set)
    }

    fn value(&self, state: &[i64], variable: VariableId) -> i64 {
        state[variable.index()]
    }

    /// The index of an edge among those of its location.
    fn index_of(&self, number: usize) -> u32 {
        let mut rest = number;
        for location in &self.claim.locations {
            if rest < location.edges.len() {
                break;
            }
            rest -= location.edges.len();
        }
        rest as u32
    }

    /// The steps of a path as groups.
    fn groups(&self, path: &Path) -> Vec<ProductStep> {
        let mut steps: Vec<ProductStep> = Vec::new();
        for (groups, to) in path.groups.iter().zip(&path.states[1..]) {
            if self.value(to, self.turn) == 1 {
                let edge = self.index_of(self.value(to, self.edge) as usize);
                steps.push(ProductStep { edge, groups: Vec::new() });
            } else if let Some(step) = steps.last_mut() {
                step.groups = groups.iter().map(|group| *group as u32).collect();
            }
        }
        steps
    }

    /// The steps of a path that begins and ends where the claim moves.
    fn steps(&self, path: &Path) -> Result<Vec<LassoStep>, Halt> {
        let mut steps = Vec::new();
        for (at, groups) in path.groups.iter().enumerate() {
            let (from, to) = (&path.states[at], &path.states[at + 1]);
            if self.value(to, self.turn) == 1 {
                let edge = self.index_of(self.value(to, self.edge) as usize);
                steps.push(LassoStep { edge, system: None });
                continue;
            }
            let step = steps.last_mut().expect("the claim moves first");
            if !groups.is_empty() {
                let groups: Vec<u32> = groups.iter().map(|group| *group as u32).collect();
                let position = witness::position(&self.space, self.relation, from, &groups, false)
                    .map_err(Halt::Stop)?;
                step.system = Some(position.ok_or(Halt::Stop(Stop::Approximate))?);
            }
        }
        Ok(steps)
    }

    /// The violation of taking an edge at the end of a path.
    fn alarm(&self, number: usize, path: &Path) -> Result<Finding, Halt> {
        let start = self.value(&path.states[0], self.location) as u32;
        let prefix = Prefix { start, steps: self.steps(path)? };
        let end = &path.states[path.states.len() - 1];
        let index = self.index_of(number);
        let location = &self.claim.locations[self.value(end, self.location) as usize];
        let edge = &location.edges[index as usize];
        Ok(match self.claim.locations[edge.to as usize].end {
            true if edge.asserts.is_none() => Finding::ClaimEnd(prefix, index),
            true if self.holds(edge.asserts, end) => Finding::ClaimEnd(prefix, index),
            _ => Finding::ClaimAssertion(prefix, index),
        })
    }

    fn holds(&self, atom: Option<u32>, state: &[i64]) -> bool {
        let mut evaluation = Evaluation::default();
        evaluation.begin(&self.relation.terms);
        atom.is_none_or(|atom| {
            let condition = self.relation.propositions[atom as usize];
            evaluation.holds(&self.relation.terms, state, condition)
        })
    }
}

/// A step that sets variables to numbers.
fn constant_step<P: Package>(space: &Space<P>, enabled: P::Diagram, values: &[(VariableId, i64)]) -> Step<P> {
    let package = space.package();
    let mut updates: Vec<_> = (values.iter())
        .flat_map(|(variable, value)| {
            space
                .encoding
                .bits(*variable)
                .iter()
                .enumerate()
                .map(move |(at, bit)| (*bit, value >> at & 1 == 1))
        })
        .map(|(bit, holds)| (bit, package.constant(holds)))
        .collect();
    updates.sort_by_key(|(bit, _)| *bit);
    Step { groups: Vec::new(), enabled, overflow: package.constant(false), updates }
}

/// The states in which a guard of the claim holds.
fn guard<P: Package>(space: &Space<P>, guard: &Guard) -> Result<P::Diagram, Refusal> {
    let package = space.package();
    let cube = |cube: &Cube| {
        cube.0.iter().try_fold(package.constant(true), |all, literal| {
            let atom = &space.propositions[literal.atom as usize];
            if literal.holds { package.and(&all, atom) } else { package.without(&all, atom) }
        })
    };
    guard.0.iter().try_fold(package.constant(false), |any, of| package.or(&any, &cube(of)?))
}
