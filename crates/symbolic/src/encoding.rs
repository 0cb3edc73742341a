//! The encoding of states: each variable of the relation as bits, each bit as a variable of the diagrams,
//! and terms as vectors of diagrams.
//!
//! Bit `i` of the state is variable `2 i` of the diagrams; variable `2 i + 1` is its value after a step.
//!
//! *Entry points:* [`Encoding::new`], [`Lowering::lower`].
//! *Invariant:* each value that fits in the code of its variable has exactly one representation, so
//! that states and solutions correspond one to one.

use axle_relation::{Evaluation, Part, Relation, Term, TermId, Terms, VariableId};
use rustc_hash::FxHashMap;

use crate::package::{Package, Refusal};
use crate::vector::{Arithmetic, Vector};
use crate::watch::Watcher;
use crate::widths::Code;

/// The representation of states.
pub(crate) struct Encoding<P: Package> {
    pub package: P,
    /// The codes of the variables of the relation, and then of those beside it.
    pub codes: Vec<Code>,
    /// For each variable its bits, the least significant first.
    bits: Vec<Vec<u32>>,
    /// The variable of each bit.
    owners: Vec<VariableId>,
    /// The variables from top to bottom, those together whose bits are interleaved.
    words: Vec<Vec<VariableId>>,
}

/// The variable of the diagrams for a bit, before the step.
pub(crate) fn current(bit: u32) -> u32 {
    2 * bit
}

/// The variable of the diagrams for a bit, after the step.
pub(crate) fn next(bit: u32) -> u32 {
    2 * bit + 1
}

impl<P: Package> Encoding<P> {
    /// An encoding with these codes and the words from top to bottom.
    pub(crate) fn new(
        codes: Vec<Code>,
        words: Vec<Vec<VariableId>>,
        nodes: usize,
        cache: usize,
    ) -> Result<Encoding<P>, Refusal> {
        let mut bits: Vec<Vec<u32>> = codes.iter().map(|code| vec![0; code.bits as usize]).collect();
        let mut owners = Vec::new();
        for word in &words {
            let widest = word.iter().map(|variable| codes[variable.index()].bits).max().unwrap_or(0);
            for at in (0..widest as usize).rev() {
                for variable in word {
                    if let Some(bit) = bits[variable.index()].get_mut(at) {
                        *bit = owners.len() as u32;
                        owners.push(*variable);
                    }
                }
            }
        }
        let package = P::new(2 * owners.len() as u32, nodes, cache)?;
        Ok(Encoding { package, codes, bits, owners, words })
    }

    /// The variables from top to bottom, those together whose bits are interleaved.
    pub(crate) fn words(&self) -> &[Vec<VariableId>] {
        &self.words
    }

    /// The bits of a variable, the least significant first.
    pub(crate) fn bits(&self, variable: VariableId) -> &[u32] {
        &self.bits[variable.index()]
    }

    /// The variable of each bit.
    pub(crate) fn owners(&self) -> &[VariableId] {
        &self.owners
    }

    /// The value of a variable.
    pub(crate) fn vector(&self, variable: VariableId) -> Vector<P> {
        let code = self.codes[variable.index()];
        let mut bits: Vec<_> =
            self.bits(variable).iter().map(|bit| self.package.variable(current(*bit))).collect();
        if !code.signed {
            bits.push(self.package.constant(false));
        }
        bits
    }

    /// The literals of a variable with a value that fits.
    fn literals(&self, variable: VariableId, value: i64) -> impl Iterator<Item = (u32, bool)> + '_ {
        let bits = self.bits(variable).iter().enumerate();
        bits.map(move |(at, bit)| (*bit, value >> at & 1 == 1))
    }

    /// The state in which each variable has a value.
    pub(crate) fn state(&self, values: &[i64]) -> Result<P::Diagram, Refusal> {
        let variables = (0..).map(VariableId).zip(values);
        self.assignment(variables.map(|(variable, value)| (variable, *value)))
    }

    /// The states in which some variables have values; none if a value has no representation.
    pub(crate) fn assignment(
        &self,
        values: impl IntoIterator<Item = (VariableId, i64)>,
    ) -> Result<P::Diagram, Refusal> {
        let mut literals = Vec::new();
        for (variable, value) in values {
            if !fits(self.codes[variable.index()], value) {
                return Ok(self.package.constant(false));
            }
            literals.extend(self.literals(variable, value).map(|(bit, holds)| (current(bit), holds)));
        }
        literals.sort_unstable();
        self.package.cube(&literals)
    }

    /// One state of a set; none if the set is empty. Bits that do not matter are 0.
    pub(crate) fn pick(&self, set: &P::Diagram) -> Option<Vec<i64>> {
        if self.package.is_empty(set) {
            return None;
        }
        let mut values = vec![0u64; self.codes.len()];
        let mut at = set.clone();
        while let Some((variable, high, low)) = self.package.decompose(&at) {
            if self.package.is_empty(&low) {
                let bit = variable / 2;
                let owner = self.owners[bit as usize];
                let position = self.bits(owner).iter().position(|of| *of == bit).unwrap_or(0);
                values[owner.index()] |= 1 << position;
                at = high;
            } else {
                at = low;
            }
        }
        let signed = values.into_iter().zip(&self.codes).map(|(value, code)| match code.bits {
            bits @ 1..64 if code.signed && value >> (bits - 1) & 1 == 1 => (value | u64::MAX << bits) as i64,
            _ => value as i64,
        });
        Some(signed.collect())
    }

    /// Whether a state is in a set of states before a step.
    pub(crate) fn contains(&self, set: &P::Diagram, state: &[i64]) -> bool {
        let mut at = set.clone();
        while let Some((variable, high, low)) = self.package.decompose(&at) {
            let bit = variable / 2;
            let owner = self.owners[bit as usize];
            let position = self.bits(owner).iter().position(|of| *of == bit).unwrap_or(0);
            at = if state[owner.index()] >> position & 1 == 1 { high } else { low };
        }
        !self.package.is_empty(&at)
    }

    /// Where a value does not fit in the code of a variable.
    pub(crate) fn overflow(&self, variable: VariableId, value: &Vector<P>) -> Result<P::Diagram, Refusal> {
        let code = self.codes[variable.index()];
        let no = self.package.constant(false);
        let sign = value.last().unwrap_or(&no);
        // All bits from the sign of the code on are equal, and 0 if it has none.
        let first = if code.signed { code.bits as usize - 1 } else { code.bits as usize };
        let wanted = if code.signed { value.get(first).unwrap_or(sign) } else { &no };
        let mut overflow = no.clone();
        for bit in value.iter().skip(first) {
            overflow = self.package.or(&overflow, &self.package.xor(bit, wanted)?)?;
        }
        match code.signed {
            true => Ok(overflow),
            false => self.package.or(&overflow, sign),
        }
    }
}

/// The diagrams of the terms of a relation, as far as they were needed.
pub(crate) struct Lowering<'e, P: Package> {
    encoding: &'e Encoding<P>,
    terms: &'e Terms,
    values: Vec<Option<Vector<P>>>,
    /// Terms whose value is given, and terms that depend on them.
    fixed: FxHashMap<TermId, Vector<P>>,
    /// What is asked when an operation pauses; none if the caller sees the pause.
    watch: Option<&'e dyn Watcher>,
}

impl<'e, P: Package> Lowering<'e, P> {
    pub(crate) fn new(
        encoding: &'e Encoding<P>,
        terms: &'e Terms,
        watch: Option<&'e dyn Watcher>,
    ) -> Lowering<'e, P> {
        Lowering { encoding, terms, values: vec![None; terms.len()], fixed: FxHashMap::default(), watch }
    }

    /// Sets what is asked when an operation pauses; returns what was asked before.
    pub(crate) fn set_watch(&mut self, watch: Option<&'e dyn Watcher>) -> Option<&'e dyn Watcher> {
        std::mem::replace(&mut self.watch, watch)
    }

    /// From now on, these terms have these values, and no others have given ones.
    pub(crate) fn fix(&mut self, values: &[(TermId, i64)]) {
        let arithmetic = Arithmetic::new(&self.encoding.package);
        self.fixed = values.iter().map(|(id, value)| (*id, arithmetic.number(*value))).collect();
    }

    /// The vector of a term.
    pub(crate) fn lower(&mut self, root: TermId) -> Result<Vector<P>, Refusal> {
        // An explicit stack: terms of long arrays are deep.
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known(id).is_some() {
                stack.pop();
                continue;
            }
            if let Some(operand) = self.missing(id) {
                stack.push(operand);
                continue;
            }
            let value = match self.watch {
                None => self.compute(id)?,
                Some(watch) => watch.run(&self.encoding.package, || self.compute(id))?,
            };
            let mut depends = false;
            self.terms.operands(id, |operand| depends |= self.fixed.contains_key(&operand));
            if depends {
                self.fixed.insert(id, value);
            } else {
                self.values[id.index()] = Some(value);
            }
            stack.pop();
        }
        Ok(self.value(root).clone())
    }

    /// The next operand that a value depends on and that is not known.
    fn missing(&self, id: TermId) -> Option<TermId> {
        let constant = |id: TermId, value: bool| {
            let bits = self.known(id);
            bits.is_some_and(|bits| bits[0] == self.encoding.package.constant(value))
        };
        let unknown = |id: TermId| self.known(id).is_none().then_some(id);
        match self.terms.get(id) {
            Term::And(a, b) => unknown(a).or_else(|| unknown(b).filter(|_| !constant(a, false))),
            Term::Or(a, b) => unknown(a).or_else(|| unknown(b).filter(|_| !constant(a, true))),
            Term::If(condition, a, b) => unknown(condition)
                .or_else(|| unknown(a).filter(|_| !constant(condition, false)))
                .or_else(|| unknown(b).filter(|_| !constant(condition, true))),
            _ => {
                let mut missing = None;
                self.terms.operands(id, |operand| missing = missing.or(unknown(operand)));
                missing
            }
        }
    }

    /// The states in which a condition holds.
    pub(crate) fn condition(&mut self, root: TermId) -> Result<P::Diagram, Refusal> {
        let vector = self.lower(root)?;
        Arithmetic::new(&self.encoding.package).truth(&vector)
    }

    fn known(&self, id: TermId) -> Option<&Vector<P>> {
        self.fixed.get(&id).or(self.values[id.index()].as_ref())
    }

    fn value(&self, id: TermId) -> &Vector<P> {
        self.known(id).expect("the operands of a term precede it")
    }

    fn compute(&self, id: TermId) -> Result<Vector<P>, Refusal> {
        let package = &self.encoding.package;
        let arithmetic = Arithmetic::new(package);
        let bit = |id: TermId| &self.value(id)[0];
        let is = |id: TermId, value: bool| *bit(id) == package.constant(value);
        match self.terms.get(id) {
            Term::Const(value) => Ok(arithmetic.number(value)),
            Term::Variable(variable) => Ok(arithmetic.trim(self.encoding.vector(variable))),
            Term::Unary(op, ty, a) => arithmetic.unary(op, ty, self.value(a)),
            Term::Binary(op, ty, a, b) => arithmetic.binary(op, ty, self.value(a), self.value(b)),
            Term::Wrap(ty, a) => Ok(arithmetic.wrap(ty, self.value(a))),
            Term::And(a, _) if is(a, false) => Ok(arithmetic.number(0)),
            Term::And(a, b) => Ok(arithmetic.condition(package.and(bit(a), bit(b))?)),
            Term::Or(a, _) if is(a, true) => Ok(arithmetic.number(1)),
            Term::Or(a, b) => Ok(arithmetic.condition(package.or(bit(a), bit(b))?)),
            Term::If(condition, a, _) if is(condition, true) => Ok(self.value(a).clone()),
            Term::If(condition, _, b) if is(condition, false) => Ok(self.value(b).clone()),
            Term::If(condition, a, b) => arithmetic.choose(bit(condition), self.value(a), self.value(b)),
        }
    }
}

/// A wider code for each value that groups, executed one after the other, store and that does not fit;
/// returns whether there is one.
pub(crate) fn widen(relation: &Relation, codes: &mut [Code], mut state: Vec<i64>, groups: &[usize]) -> bool {
    let mut widened = false;
    let mut evaluation = Evaluation::default();
    for group in groups {
        evaluation.begin(&relation.terms);
        let updates = relation.groups[*group].updates.iter();
        let values: Vec<_> = updates
            .map(|(variable, value)| (variable, evaluation.value(&relation.terms, &state, *value)))
            .collect();
        for (variable, value) in values {
            let code = &mut codes[variable.index()];
            if !fits(*code, value) {
                let old = *code;
                let wider = code.widened(value, relation.variables.list()[variable.index()].ty);
                *code = wider;
                widen_alike(relation, codes, *variable, (old, wider));
                widened = true;
            }
            state[variable.index()] = value;
        }
    }
    widened
}

/// Widens the variables of the same declaration that had the same code: their values are of the same kind, and
/// each overflow of its own would cost another lowering.
fn widen_alike(relation: &Relation, codes: &mut [Code], variable: VariableId, (old, wider): (Code, Code)) {
    let list = relation.variables.list();
    let of = &list[variable.index()];
    for (other, code) in list.iter().zip(codes) {
        let is_alike = match (&of.part, &other.part) {
            (Part::Global(a, _), Part::Global(b, _)) => a == b,
            (Part::Local(_, in_a, a, _), Part::Local(_, in_b, b, _)) => in_a == in_b && a == b,
            (Part::Message(a, _, field), Part::Message(b, _, of_b)) => a == b && field == of_b,
            _ => false,
        };
        if is_alike && other.ty == of.ty && *code == old {
            *code = wider;
        }
    }
}

/// Whether a code represents a value.
fn fits(code: Code, value: i64) -> bool {
    let needed = Code::of((value.min(0), value.max(0)));
    match (code.signed, needed.signed) {
        (false, signed) => !signed && needed.bits <= code.bits,
        (true, true) => needed.bits <= code.bits,
        (true, false) => needed.bits < code.bits,
    }
}
