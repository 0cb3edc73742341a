//! Models as transition systems: a [`Relation`] lowered to bit vectors, and executions of the system as
//! steps of the model.
//!
//! Inputs select a process and one of the alternatives at its location. The selected group, if it is
//! executable, determines the next values; otherwise the state stays as it is.
//!
//! *Entry point:* [`Problem::new`].
//! *Invariant:* a state of the system is reachable if and only if the state of the relation is, inside
//! sequences included.

mod claim;
mod lasso;
mod lower;
mod names;
mod ranges;
mod replay;
mod sequences;

use axle_model::{EdgeId, IntType, Model};
use axle_outcome::FaultKind;
use axle_relation::{Action, Group, Range, Relation, TermId as SourceId};
use rustc_hash::{FxHashMap, FxHashSet};

pub use self::claim::{Acceptance, Observed};
pub(crate) use self::lower::shape;
use self::lower::{Lowering, Word, is_signed};
pub use self::replay::{Counterexample, Execution, ReplayError};
use crate::circuit::Bit;
use crate::invariant::{Clause, Literal};
use crate::safe_depth::SafeDepth;
use crate::system::{Bad, Cause, Step, System};
use crate::term::{FALSE, TermId};

/// The process and the alternative that select a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Selector {
    process: u32,
    alternative: u32,
}

/// A model as a transition system.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The system. Its first state variables are those of the relation.
    pub system: System,
    /// The ranges of the variables of the relation, an inductive invariant.
    pub facts: Vec<Clause>,
    /// The range of each variable of the relation, in all states.
    pub(crate) ranges: Vec<Range>,
    /// For each group, its selector.
    selectors: Vec<Selector>,
    /// The depth within which no bad state is reached, as far as engines know.
    pub safe: SafeDepth,
    /// For each group, its step without the selection by inputs.
    pub commands: Vec<Command>,
    /// The propositions of the relation, as conditions.
    pub propositions: Vec<TermId>,
    /// For each claim whose cycles are closed by loops, the state variable that tells whether a state was
    /// saved.
    saved: Vec<u32>,
}

/// A guarded command: a group of the relation over bit vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where the step is executable, and leads to a state of the relation.
    pub enabled: TermId,
    /// Variables with their values after the step; the others keep their values.
    pub updates: Vec<(u32, TermId)>,
}

/// A system under construction.
struct Builder<'r> {
    relation: &'r Relation,
    lowering: Lowering<'r>,
    system: System,
    /// The conditions of causes.
    bads: FxHashMap<Cause, TermId>,
    /// The causes in the order in which they were found.
    causes: Vec<Cause>,
    commands: Vec<Command>,
    /// The processes of the steps, each with where a step of it is made.
    movers: Vec<(u32, TermId)>,
    /// See [`Problem::saved`].
    saved: Vec<u32>,
}

impl Problem {
    /// The system of the relation of a model.
    #[must_use]
    pub fn new(model: &Model, relation: &Relation) -> Problem {
        Problem::with_claims(model, relation, &[], Acceptance::Justice, false)
    }

    /// The system with claims, on request under weak fairness of all processes.
    #[must_use]
    pub fn with_claims(
        model: &Model,
        relation: &Relation,
        claims: &[Observed<'_>],
        acceptance: Acceptance,
        is_fair: bool,
    ) -> Problem {
        let selectors = selectors(model, relation);
        let mut system = System::default();
        let mut used = FxHashSet::default();
        let names = names::names(model, relation);
        let variables = relation.variables.list().iter().zip(&relation.initial).zip(names);
        let words = variables.map(|((variable, initial), name)| Word {
            term: system.state(names::unique(&mut used, name), variable.ty, *initial),
            is_signed: is_signed(variable.ty),
        });
        let words = words.collect();
        let lowering = Lowering::new(&relation.terms, words);
        let (bads, causes, commands) = (FxHashMap::default(), Vec::new(), Vec::new());
        let (movers, saved) = (Vec::new(), Vec::new());
        let mut builder = Builder { relation, lowering, system, bads, causes, commands, movers, saved };
        let taken = builder.step(&selectors);
        builder.faults();
        let repeats = sequences::may_repeat(model, relation);
        if repeats {
            builder.endless(taken);
        }
        let propositions = relation.propositions.iter().map(|of| builder.condition(*of)).collect();
        if !claims.is_empty() {
            builder.claims(claims, (acceptance, is_fair), (taken, repeats));
        }
        let Builder { mut system, mut bads, causes, commands, saved, .. } = builder;
        let conditions = causes.into_iter().map(|cause| (cause, bads.remove(&cause).unwrap_or(FALSE)));
        system.bads.extend(
            conditions
                .filter(|(_, condition)| *condition != FALSE)
                .map(|(cause, condition)| Bad { cause, condition }),
        );
        let (ranges, located) = ranges::ranges(relation);
        let facts = facts(&system, &ranges, located);
        let safe = SafeDepth::default();
        Problem { system, facts, ranges, selectors, safe, commands, propositions, saved }
    }

    /// Whether cycles of claims are bad states that close loops.
    #[must_use]
    pub fn closes_loops(&self) -> bool {
        !self.saved.is_empty()
    }

    /// The selector of a group, as values of the two inputs.
    #[must_use]
    pub fn selector(&self, group: u32) -> (u32, u32) {
        let Selector { process, alternative } = self.selectors[group as usize];
        (process, alternative)
    }
}

/// A selector for each group: groups of a process that may be executable in the same state differ.
fn selectors(model: &Model, relation: &Relation) -> Vec<Selector> {
    let mut alternatives: FxHashMap<_, u32> = FxHashMap::default();
    let steps = relation.groups.iter().map(|group| match group.action {
        Action::Release(pid) => Selector { process: pid, alternative: 0 },
        Action::Step { by, .. } => {
            // A process has one type and is at one location.
            let place = (by.pid, by.proc, model.process(by.proc).edges[by.edge.index()].source);
            let next = alternatives.entry(place).or_insert(u32::from(relation.variables.control().is_some()));
            let alternative = *next;
            *next += 1;
            Selector { process: by.pid, alternative }
        }
    });
    steps.collect()
}

/// The bits that store a number.
fn bits(most: u32) -> u8 {
    (32 - most.leading_zeros()).max(1) as u8
}

impl Builder<'_> {
    /// Next values of the variables; returns where a step is made.
    fn step(&mut self, selectors: &[Selector]) -> TermId {
        let process_bits = bits(selectors.iter().map(|of| of.process).max().unwrap_or_default());
        let alternative_bits = bits(selectors.iter().map(|of| of.alternative).max().unwrap_or_default());
        let process = self.system.input("_process", process_bits);
        let alternative = self.system.input("_alternative", alternative_bits);
        for (group, selector) in self.relation.groups.iter().zip(selectors) {
            let terms = &mut self.system.terms;
            let own = terms.constant(process_bits, selector.process.into());
            let own = terms.equal(process, own);
            let which = terms.constant(alternative_bits, selector.alternative.into());
            let which = terms.equal(alternative, which);
            let executable = self.executable(group);
            let terms = &mut self.system.terms;
            let selected = terms.conjunction(own, which);
            let selected = terms.conjunction(selected, executable);
            if selected == FALSE {
                self.commands.push(Command { enabled: FALSE, updates: Vec::new() });
                continue;
            }
            let mut updates = Vec::new();
            for (variable, value) in &group.updates {
                let ty = self.relation.variables.list()[variable.index()].ty;
                let value = self.lowering.value(&mut self.system.terms, *value, ty.bits);
                updates.push((variable.index() as u32, value));
            }
            self.commands.push(Command { enabled: executable, updates: updates.clone() });
            if let Action::Step { by, partner, .. } = group.action {
                self.movers.push((by.pid, selected));
                self.movers.extend(partner.map(|partner| (partner.pid, selected)));
            }
            self.system.steps.push(Step { selected, updates });
        }
        (0..self.relation.variables.list().len()).for_each(|index| self.system.compose(index as u32));
        let taken = self.system.steps.iter().map(|step| step.selected).collect();
        self.system.terms.balanced(taken)
    }

    /// Where a group leads to a state of the relation.
    fn executable(&mut self, group: &Group) -> TermId {
        let enabled = self.condition(group.enabled);
        let beyond = self.condition(group.beyond);
        let within = self.system.terms.not(beyond);
        self.system.terms.conjunction(enabled, within)
    }

    fn condition(&mut self, condition: SourceId) -> TermId {
        self.lowering.condition(&mut self.system.terms, condition)
    }

    fn bad(&mut self, cause: Cause, condition: TermId) {
        match self.bads.get_mut(&cause) {
            Some(all) => *all = self.system.terms.disjunction(*all, condition),
            None => {
                self.bads.insert(cause, condition);
                self.causes.push(cause);
            }
        }
    }

    fn fault(&mut self, kind: FaultKind, pid: u32, edge: Option<EdgeId>, condition: TermId) {
        self.bad(Cause::Fault { kind, pid, edge }, condition);
    }

    /// The bad states.
    fn faults(&mut self) {
        let relation = self.relation;
        for fault in relation.initial_faults.iter().chain(&relation.faults).chain(&relation.ends) {
            let condition = self.condition(fault.condition);
            self.fault(fault.kind, fault.pid, fault.edge, condition);
        }
        for (pid, blocked) in &relation.blocked_sequences {
            let condition = self.condition(*blocked);
            self.fault(FaultKind::DeterministicBlocks, *pid, None, condition);
        }
        for group in &relation.groups {
            let (enabled, beyond) = (self.condition(group.enabled), self.condition(group.beyond));
            let beyond = self.system.terms.conjunction(enabled, beyond);
            self.bad(Cause::Beyond, beyond);
            let executable = self.executable(group);
            for fault in &group.faults {
                let condition = self.condition(fault.condition);
                let condition = self.system.terms.conjunction(executable, condition);
                self.fault(fault.kind, fault.pid, fault.edge, condition);
            }
        }
    }

    /// Endless sequences: an input saves a state inside a sequence, and a state that is reached again
    /// without leaving the sequence is bad.
    ///
    /// *Source:* Biere, Artho and Schuppan, "Liveness Checking as Safety Checking", FMICS 2002.
    fn endless(&mut self, taken: TermId) {
        let Some((control, _)) = self.relation.variables.control() else { return };
        let save = self.system.input("_save", 1);
        let count = self.relation.variables.list().len();
        let inside = self.in_control(self.system.states[control.index()].variable);
        let stays = self.in_control(self.system.states[control.index()].next);
        let saved = self.system.state("_saved", IntType::BIT, 0);
        let terms = &mut self.system.terms;
        let not_yet = terms.not(saved);
        let now = terms.conjunction(save, not_yet);
        let now = terms.conjunction(now, inside);
        let now = terms.conjunction(now, taken);
        let next = terms.disjunction(saved, now);
        let next = terms.conjunction(next, stays);
        self.system.states[count].next = next;
        let mut repeated = terms.conjunction(saved, inside);
        for index in 0..count {
            let (ty, name) = (self.system.states[index].ty, self.system.states[index].name.clone());
            let variable = self.system.states[index].variable;
            let copy = self.system.state(format!("saved({name})"), ty, 0);
            let terms = &mut self.system.terms;
            let value = terms.choose(now, variable, copy);
            self.system.states[count + 1 + index].next = value;
            let equal = terms.equal(variable, copy);
            repeated = terms.conjunction(repeated, equal);
        }
        self.bad(Cause::Fault { kind: FaultKind::EndlessSequence, pid: 0, edge: None }, repeated);
    }

    fn in_control(&mut self, control: TermId) -> TermId {
        let terms = &mut self.system.terms;
        let no_process = terms.constant(terms.width(control), 0);
        let free = terms.equal(control, no_process);
        terms.not(free)
    }
}

/// The most clauses of ranges at locations.
const MOST_FACTS: usize = 20_000;

/// The ranges of variables, in all states and at the locations of processes, as clauses.
fn facts(system: &System, all: &[Range], located: Vec<ranges::Located>) -> Vec<Clause> {
    let states = system.states.iter().zip(all).enumerate();
    let mut facts: Vec<Clause> =
        states.flat_map(|(index, (state, range))| bounds(index as u32, state.ty, *range)).collect();
    let of_all = facts.len();
    for of in located {
        let location = of.variable.index();
        let elsewhere: Clause = (0..system.states[location].ty.bits)
            .map(|bit| Literal { bit: Bit { of: location as u32, bit }, value: of.value >> bit & 1 == 0 })
            .collect();
        let Some(ranges) = of.ranges else {
            if of.value >= all[location].0 && of.value <= all[location].1 {
                facts.push(elsewhere);
            }
            continue;
        };
        for (index, range) in ranges.into_iter().enumerate() {
            if index != location && range != all[index] {
                let clauses = bounds(index as u32, system.states[index].ty, range).into_iter();
                facts.extend(clauses.map(|clause| [elsewhere.clone(), clause].concat()));
            }
        }
        if facts.len() > MOST_FACTS {
            facts.truncate(of_all);
            break;
        }
    }
    facts
}

/// The bounds of a state variable as clauses over its bits.
fn bounds(state: u32, ty: IntType, (low, high): Range) -> Vec<Clause> {
    // With an inverted sign, the order of signed numbers is that of unsigned ones.
    let sign = u64::from(is_signed(ty)) << (ty.bits - 1);
    let ordered = |value: i64| (value as u64 & (u64::MAX >> (64 - ty.bits))) ^ sign;
    let (low, high) = (ordered(low), ordered(high));
    let literal = |bit: u8, value: bool| {
        let is_sign = sign >> bit & 1 == 1;
        Literal { bit: Bit { of: state, bit }, value: value != is_sign }
    };
    let mut clauses = Vec::new();
    for (limit, is_upper) in [(high, true), (low, false)] {
        // A number exceeds the limit if it differs in a bit of this value and agrees above.
        let differs = |bit: u8| (limit >> bit & 1 == 0) == is_upper;
        for bit in (0..ty.bits).filter(|bit| differs(*bit)) {
            let above = (bit + 1..ty.bits).filter(|above| !differs(*above));
            let mut clause = vec![literal(bit, !is_upper)];
            clause.extend(above.map(|above| literal(above, !is_upper)));
            clauses.push(clause);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_admit_the_range_and_nothing_else() {
        for signed in [false, true] {
            let ty = IntType { bits: 5, signed };
            let all: Vec<i64> = (0..32).map(|value| ty.wrap(value)).collect();
            for (low, high) in all.iter().flat_map(|low| all.iter().map(|high| (*low, *high))) {
                let clauses = bounds(0, ty, (low, high));
                for value in all.iter().filter(|_| low <= high) {
                    let holds = |literal: &Literal| (value >> literal.bit.bit & 1 == 1) == literal.value;
                    let admitted = clauses.iter().all(|clause| clause.iter().any(holds));
                    assert_eq!(admitted, (low..=high).contains(value), "{value} in {low}..={high}");
                }
            }
        }
    }
}
