//! Terms over state variables that stand by themselves, for invariants over predicates: the operators in
//! order, operands first.
//!
//! *Entry points:* [`Definition::new`], [`Definition::term`].
//! *Invariant:* the term that a definition adds to a system depends on state variables only.

use rustc_hash::FxHashMap;

use crate::system::System;
use crate::term::{BinaryOp, MOST_BITS, Term, TermId, Terms};

/// An operator of a definition with its number of bits. Operands are positions of operators before it;
/// the number of a variable is the position of a state variable.
pub type Operator = (Term, u8);

/// A term over the state variables of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    operators: Vec<Operator>,
}

impl Definition {
    /// The definition of a term over the state variables of a system; none if it depends on inputs. The terms
    /// may have grown since the system was made.
    #[must_use]
    pub fn new(system: &System, terms: &Terms, root: TermId) -> Option<Definition> {
        let states: FxHashMap<TermId, u32> =
            system.states.iter().enumerate().map(|(index, state)| (state.variable, index as u32)).collect();
        let mut positions: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut operators = Vec::new();
        for id in terms.cone([root]) {
            let operator = match terms.get(id) {
                Term::Variable(_) => Term::Variable(*states.get(&id)?),
                other => other.map(|operand| positions[&operand]),
            };
            positions.insert(id, TermId(operators.len() as u32));
            operators.push((operator, terms.width(id)));
        }
        Some(Definition { operators })
    }

    /// The definition by these operators; none if one is not well-formed.
    #[must_use]
    pub fn from_operators(operators: Vec<Operator>) -> Option<Definition> {
        let well_formed = (0..operators.len()).all(|at| is_well_formed(&operators, at));
        (!operators.is_empty() && well_formed).then_some(Definition { operators })
    }

    /// The operators.
    #[must_use]
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The number of bits.
    #[must_use]
    pub fn bits(&self) -> u8 {
        self.operators.last().map_or(1, |(_, width)| *width)
    }

    /// The state variables, in ascending order.
    #[must_use]
    pub fn variables(&self) -> Vec<u32> {
        let variables = self.operators.iter().filter_map(|(term, _)| match term {
            Term::Variable(of) => Some(*of),
            _ => None,
        });
        let mut variables: Vec<u32> = variables.collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The term in the table of a system; none if the system does not have the variables.
    pub fn term(&self, system: &mut System) -> Option<TermId> {
        let mut terms: Vec<TermId> = Vec::with_capacity(self.operators.len());
        for (operator, width) in &self.operators {
            let term = match operator {
                Term::Variable(of) => {
                    let state = system.states.get(*of as usize).filter(|state| state.ty.bits == *width)?;
                    state.variable
                }
                _ => system.terms.apply(*operator, *width, |operand| terms[operand.index()]),
            };
            terms.push(term);
        }
        terms.last().copied()
    }
}

/// Whether the operands of an operator precede it and have the right numbers of bits.
fn is_well_formed(operators: &[Operator], at: usize) -> bool {
    let (term, width) = operators[at];
    if !(1..=MOST_BITS).contains(&width) {
        return false;
    }
    let mut precede = true;
    term.operands(|operand| precede &= operand.index() < at);
    if !precede {
        return false;
    }
    let of = |operand: TermId| operators[operand.index()].1;
    match term {
        Term::Const(value) => value & !crate::term::mask(width) == 0,
        Term::Variable(_) => true,
        Term::Not(a) | Term::Neg(a) => of(a) == width,
        Term::Binary(op, a, b) if op.is_comparison() => of(a) == of(b) && width == 1,
        Term::Binary(BinaryOp::Concat, a, b) => u16::from(of(a)) + u16::from(of(b)) == u16::from(width),
        Term::Binary(_, a, b) => of(a) == width && of(b) == width,
        Term::If(condition, a, b) => of(condition) == 1 && of(a) == width && of(b) == width,
        Term::Extract(low, a) => u16::from(low) + u16::from(width) <= u16::from(of(a)),
        Term::ZeroExtend(a) | Term::SignExtend(a) => of(a) <= width,
    }
}
