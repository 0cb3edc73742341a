//! Change of variables before a proof: variables are as narrow as their ranges, and those that occur in
//! differences are replaced by a base and their differences to it.
//!
//! Counters that grow without end often matter only relative to each other: `sent - acked`, or a ticket
//! and the number that is served. In terms of the differences, the base influences no bad state, and few
//! values remain.
//!
//! *Entry points:* [`Reformulation::new`], [`Reformulation::circuit`], [`Reformulation::invariant`].
//! *Source:* Kroening and Strichman, "Decision Procedures", chapter 5 (linear forms); Dureja, Gurfinkel,
//! Ivrii and Vizel, "IC3 with Internal Signals", FMCAD 2021 (invariants over defined signals).
//! *Invariant:* the two systems have the same inputs (the new one may have more), state variables and bad
//! states at the same positions. The steps of the original are steps of the new system, and the reverse
//! unless differences may become any number: traces must be replayed.

use axle_model::IntType;
use axle_relation::Range;
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::invariant::{Clause, Invariant, Literal, Word};
use crate::model::Problem;
use crate::system::{Bad, Step, System};
use crate::term::{BinaryOp, Term, TermId, Terms};

/// Variables of fewer bits are not replaced by differences.
const LEAST_BITS: u8 = 6;
/// The most bases that are tried for one set of variables.
const MOST_BASES: usize = 6;
/// The most nodes of a circuit for which bases are tried.
const MOST_NODES: usize = 60_000;

/// How a state variable is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// By a variable of this type, which is extended.
    Narrow(IntType),
    /// The lowest bits by the difference to those of another state variable, the others as they are.
    Difference {
        /// The other variable.
        base: u32,
        /// The number of bits.
        bits: u8,
    },
}

/// What becomes of the difference of a variable that is set to a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reset {
    /// The number minus the base.
    Exact,
    /// Any number, which over-approximates: variables are often reset where their values do not matter.
    Any,
}

/// A system in other variables.
#[derive(Clone, Debug)]
pub struct Reformulation {
    /// The system.
    pub system: System,
    /// The forms of the state variables, which were narrowed before.
    forms: Vec<Form>,
    /// For each state variable of the original, its value in terms of the new ones.
    words: Vec<TermId>,
    /// Inductive facts, over bits of the original.
    facts: Vec<Clause>,
}

impl Reformulation {
    /// Reformulates a problem for the bad conditions at these positions.
    #[must_use]
    pub fn new(problem: &Problem, bads: &[usize]) -> Reformulation {
        let original = &problem.system;
        let forms: Vec<Form> = (original.states.iter().enumerate())
            .map(|(index, state)| Form::Narrow(narrowed(state.ty, problem.ranges.get(index).copied())))
            .collect();
        let variables: Vec<_> = original.states.iter().map(|state| state.variable).collect();
        let (narrow, values) = transformed(original, &forms, &variables, Reset::Exact);
        let same: Vec<Form> = narrow.states.iter().map(|state| Form::Narrow(state.ty)).collect();
        let facts = problem.facts.clone();
        let mut best = Reformulation { system: narrow.clone(), forms: same, words: values.clone(), facts };
        let mut size = best.size(bads);
        if size.1 > MOST_NODES {
            return best;
        }
        for related in related(&narrow) {
            let before = best.forms.clone();
            for base in related.iter().copied().take(MOST_BASES) {
                let mut forms = before.clone();
                for of in related.iter().copied().filter(|of| *of != base) {
                    let bits = narrow.states[of as usize].ty.bits;
                    forms[of as usize] = Form::Difference { base, bits };
                }
                for reset in [Reset::Exact, Reset::Any] {
                    let (system, words) = transformed(&narrow, &forms, &values, reset);
                    let facts = problem.facts.clone();
                    let other = Reformulation { system, forms: forms.clone(), words, facts };
                    let smaller = other.size(bads);
                    if smaller < size {
                        (best, size) = (other, smaller);
                    }
                }
            }
        }
        best
    }

    /// The number of latches that influence bad states, and of nodes.
    fn size(&self, bads: &[usize]) -> (usize, usize) {
        let circuit = Circuit::new(&self.system, bads);
        (circuit.latches.len(), circuit.aig.nodes().len())
    }

    /// For each state variable of the original, its value as a term of the new system.
    #[must_use]
    pub fn values(&self) -> &[TermId] {
        &self.words
    }

    /// The circuit for the bad conditions at these positions, with the facts about its latches.
    #[must_use]
    pub fn circuit(&self, bads: &[usize]) -> Circuit {
        Circuit::with_facts(&self.system, bads, &self.words, &self.facts)
    }

    /// An invariant of the original, from one of the circuit.
    #[must_use]
    pub fn invariant(&self, found: &Invariant) -> Invariant {
        let mut invariant = Invariant { clauses: self.facts.clone(), words: Vec::new(), ..*found };
        let count = self.forms.len() as u32;
        let mut defined: FxHashMap<u32, u32> = FxHashMap::default();
        for clause in &found.clauses {
            let literals = clause.iter().map(|literal| {
                let Form::Difference { base, bits } = self.forms[literal.bit.of as usize] else {
                    return *literal;
                };
                let of = *defined.entry(literal.bit.of).or_insert_with(|| {
                    invariant.words.push(Word::Sum { bits, sum: vec![(literal.bit.of, 1), (base, -1)] });
                    count + invariant.words.len() as u32 - 1
                });
                let bit = crate::circuit::Bit { of, ..literal.bit };
                Literal { bit, ..*literal }
            });
            let clause = literals.collect();
            invariant.clauses.push(clause);
        }
        invariant
    }
}

/// The narrowest type of the values of a range.
fn narrowed(ty: IntType, range: Option<Range>) -> IntType {
    let Some((low, high)) = range else { return ty };
    let (bits, signed) = crate::model::shape((low, high));
    if bits < ty.bits { IntType { bits, signed } } else { ty }
}

/// Sets of state variables of which differences occur, in which they are compared, or of which one is
/// assigned to another. Those that no step updates are in none.
fn related(system: &System) -> Vec<Vec<u32>> {
    let terms = &system.terms;
    let stepped = (0..).zip(&system.states).filter(|(index, _)| system.is_stepped(*index));
    let states: FxHashMap<TermId, u32> = stepped.map(|(index, state)| (state.variable, index)).collect();
    let mut sets = Sets((0..system.states.len() as u32).collect());
    let mut link = |form: Option<(Vec<(TermId, u128)>, u128)>| {
        let Some((leaves, _)) = form else { return };
        let variables: Vec<_> =
            leaves.iter().filter_map(|(term, factor)| Some((*states.get(term)?, *factor, *term))).collect();
        for (one, factor, term) in &variables {
            let width = terms.width(*term);
            let negative = factor.wrapping_neg() & crate::term::mask(width);
            let other = variables.iter().find(|(_, theirs, _)| *theirs == negative && width >= LEAST_BITS);
            other.into_iter().for_each(|(other, ..)| sets.join(*one, *other));
        }
    };
    let values = system.steps.iter().flat_map(|step| step.updates.iter().map(|(_, value)| *value));
    let conditions = system.steps.iter().map(|step| step.selected);
    let bads = system.bads.iter().map(|bad| bad.condition);
    for id in terms.cone(values.chain(conditions).chain(bads)) {
        match terms.get(id) {
            Term::Binary(BinaryOp::Add, ..) => link(terms.difference_form(id, None)),
            Term::Binary(BinaryOp::Eq, a, b) => link(terms.difference_form(a, Some(b))),
            _ => {}
        }
    }
    for (of, value) in system.steps.iter().flat_map(|step| &step.updates) {
        let variable = system.states[*of as usize].variable;
        if terms.width(variable) >= LEAST_BITS {
            link(terms.difference_form(*value, Some(variable)));
        }
    }
    let mut found: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for of in 0..system.states.len() as u32 {
        found.entry(sets.of(of)).or_default().push(of);
    }
    let mut found: Vec<_> = found.into_values().filter(|set| set.len() > 1).collect();
    found.sort_unstable();
    found
}

/// Disjoint sets, each with a representative.
struct Sets(Vec<u32>);

impl Sets {
    fn of(&mut self, mut element: u32) -> u32 {
        while self.0[element as usize] != element {
            let above = self.0[self.0[element as usize] as usize];
            self.0[element as usize] = above;
            element = above;
        }
        element
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// A system in which state variables have other forms, and some terms in it. Differences are those of variables
/// whose next values are those of the steps ([`System::is_stepped`]).
pub(crate) fn transformed(
    from: &System,
    forms: &[Form],
    terms_before: &[TermId],
    reset: Reset,
) -> (System, Vec<TermId>) {
    let mut system = System::default();
    for (state, form) in from.states.iter().zip(forms) {
        match *form {
            Form::Narrow(ty) => system.state(state.name.clone(), ty, state.initial),
            Form::Difference { base, bits } => {
                let base = &from.states[base as usize];
                let low = IntType { bits, signed: false };
                let difference = low.wrap(state.initial.wrapping_sub(base.initial));
                let initial = state.ty.wrap(state.initial.wrapping_sub(low.wrap(state.initial)) | difference);
                system.state(format!("{}-{}", state.name, base.name), state.ty, initial)
            }
        };
    }
    let own: Vec<TermId> = system.states.iter().map(|state| state.variable).collect();
    let terms = &mut system.terms;
    let plain: Vec<TermId> = (from.states.iter().zip(&own).zip(forms))
        .map(|((state, own), form)| match form {
            Form::Narrow(ty) => terms.resize(ty.signed, state.ty.bits, *own),
            Form::Difference { .. } => *own,
        })
        .collect();
    let words: Vec<TermId> = (plain.iter().zip(forms))
        .map(|(own, form)| match form {
            Form::Narrow(_) => *own,
            Form::Difference { base, bits } => {
                let base = terms.extract(0, *bits, plain[*base as usize]);
                low_bits(terms, *own, *bits, |terms, low| terms.sum(low, base))
            }
        })
        .collect();
    let mut map: FxHashMap<TermId, TermId> =
        from.states.iter().zip(&words).map(|(state, word)| (state.variable, *word)).collect();
    for input in &from.inputs {
        let variable = system.input(input.name.clone(), from.terms.width(input.variable));
        map.insert(input.variable, variable);
    }
    let any: FxHashMap<u32, TermId> = match reset {
        Reset::Exact => FxHashMap::default(),
        Reset::Any => anything(&mut system, from, forms),
    };
    let mut rebuilding = Rebuilding { from: &from.terms, map };
    for step in &from.steps {
        let selected = rebuilding.term(&mut system.terms, step.selected);
        let updates = updates(forms, &mut rebuilding, &mut system, step, &words, &any);
        system.steps.push(Step { selected, updates });
    }
    for (index, state) in from.states.iter().enumerate() {
        system.compose(index as u32);
        if !from.is_stepped(index as u32) {
            let next = rebuilding.term(&mut system.terms, state.next);
            let next = system.terms.extract(0, system.states[index].ty.bits, next);
            system.states[index].next = next;
        }
    }
    for bad in &from.bads {
        let condition = rebuilding.term(&mut system.terms, bad.condition);
        system.bads.push(Bad { cause: bad.cause, condition });
    }
    let terms = terms_before.iter().map(|term| rebuilding.term(&mut system.terms, *term)).collect();
    (system, terms)
}

/// A term in which the lowest bits are replaced by a function of them.
fn low_bits(
    terms: &mut Terms,
    term: TermId,
    bits: u8,
    function: impl FnOnce(&mut Terms, TermId) -> TermId,
) -> TermId {
    let low = terms.extract(0, bits, term);
    let low = function(terms, low);
    match terms.width(term) - bits {
        0 => low,
        more => {
            let high = terms.extract(bits, more, term);
            terms.binary(BinaryOp::Concat, high, low)
        }
    }
}

/// An input for each difference.
fn anything(system: &mut System, from: &System, forms: &[Form]) -> FxHashMap<u32, TermId> {
    let differences = forms.iter().zip(&from.states).enumerate();
    let differences = differences.filter(|(_, (form, _))| matches!(form, Form::Difference { .. }));
    differences
        .map(|(index, (_, state))| {
            (index as u32, system.input(format!("any({})", state.name), state.ty.bits))
        })
        .collect()
}

/// The updates of a step in the new variables.
fn updates(
    forms: &[Form],
    rebuilding: &mut Rebuilding<'_>,
    system: &mut System,
    step: &Step,
    words: &[TermId],
    any: &FxHashMap<u32, TermId>,
) -> Vec<(u32, TermId)> {
    let mut after: FxHashMap<u32, TermId> = FxHashMap::default();
    for (of, value) in &step.updates {
        after.insert(*of, rebuilding.term(&mut system.terms, *value));
    }
    let mut updates = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        let of = index as u32;
        let value = match form {
            Form::Narrow(ty) => {
                let Some(value) = after.get(&of) else { continue };
                system.terms.extract(0, ty.bits, *value)
            }
            Form::Difference { base, bits } => {
                if !after.contains_key(&of) && !after.contains_key(base) {
                    continue;
                }
                let is_reset = after.get(&of).is_some_and(|value| system.terms.value(*value).is_some());
                if let (true, Some(any)) = (is_reset, any.get(&of)) {
                    updates.push((of, *any));
                    continue;
                }
                let now = |of: u32| after.get(&of).copied().unwrap_or(words[of as usize]);
                let base = system.terms.extract(0, *bits, now(*base));
                low_bits(&mut system.terms, now(of), *bits, |terms, low| terms.difference(low, base))
            }
        };
        if value != system.states[index].variable {
            updates.push((of, value));
        }
    }
    updates
}

/// Terms of one table in another one, under a substitution of the variables.
struct Rebuilding<'t> {
    from: &'t Terms,
    map: FxHashMap<TermId, TermId>,
}

impl Rebuilding<'_> {
    fn term(&mut self, into: &mut Terms, root: TermId) -> TermId {
        let map = &self.map;
        for id in self.from.order(root, |id| map.contains_key(&id)) {
            let term = self.rebuilt(into, id);
            self.map.insert(id, term);
        }
        self.map[&root]
    }

    fn rebuilt(&self, into: &mut Terms, id: TermId) -> TermId {
        let operator = self.from.get(id);
        // Variables are states and inputs, which are substituted.
        debug_assert!(!matches!(operator, Term::Variable(_)), "variables are substituted");
        into.apply(operator, self.from.width(id), |operand| self.map[&operand])
    }
}
