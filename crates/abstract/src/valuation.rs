//! The values of conditions in one concrete state after another.
//!
//! *Entry point:* [`Valuation::value`].
//! *Invariant:* each term is evaluated at most once for a state.

use axle_decide::evaluate::binary;
use axle_decide::model::Problem;
use axle_decide::term::{Term, TermId, Terms, mask, signed};

/// A concrete state: the value of each state variable.
pub(crate) type Concrete = Vec<u64>;

/// The initial state of a problem.
pub(crate) fn initial(problem: &Problem) -> Concrete {
    let states = problem.system.states.iter();
    states.map(|state| state.initial as u64 & mask(state.ty.bits) as u64).collect()
}

/// The values of terms in a state.
#[derive(Debug, Default)]
pub(crate) struct Valuation {
    values: Vec<u128>,
    computed: Vec<u32>,
    round: u32,
    /// For each variable of the terms, the position of the state variable.
    positions: Vec<u32>,
}

impl Valuation {
    /// For the state variables of a problem.
    pub fn new(problem: &Problem) -> Valuation {
        let mut positions = vec![u32::MAX; problem.system.terms.variables().len()];
        for (index, state) in problem.system.states.iter().enumerate() {
            if let Term::Variable(number) = problem.system.terms.get(state.variable) {
                positions[number as usize] = index as u32;
            }
        }
        Valuation { positions, ..Valuation::default() }
    }

    /// Values of a further state.
    pub fn begin(&mut self, terms: &Terms) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.computed.clear();
            self.round = 1;
        }
        self.values.resize(terms.len(), 0);
        self.computed.resize(terms.len(), 0);
    }

    /// Whether a condition holds in the present state.
    pub fn holds(&mut self, terms: &Terms, state: &[u64], condition: TermId) -> bool {
        self.value(terms, state, condition) == 1
    }

    /// The value of a term in the present state. The terms may have grown.
    pub fn value(&mut self, terms: &Terms, state: &[u64], root: TermId) -> u128 {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), 0);
            self.computed.resize(terms.len(), 0);
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.is_known(id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match terms.get(id) {
                // Only the branch that is taken.
                Term::If(condition, a, b) if self.is_known(condition) => {
                    let taken = if self.values[condition.index()] == 1 { a } else { b };
                    if !self.is_known(taken) {
                        stack.push(taken);
                    }
                }
                Term::If(condition, ..) => stack.push(condition),
                _ => terms.operands(id, |operand| {
                    if !self.is_known(operand) {
                        stack.push(operand);
                    }
                }),
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.values[id.index()] = self.compute(terms, state, id);
            self.computed[id.index()] = self.round;
        }
        self.values[root.index()]
    }

    fn is_known(&self, id: TermId) -> bool {
        self.computed[id.index()] == self.round
    }

    fn compute(&self, terms: &Terms, state: &[u64], id: TermId) -> u128 {
        let width = terms.width(id);
        let value = |operand: TermId| self.values[operand.index()];
        let result = match terms.get(id) {
            Term::Const(number) => number,
            Term::Variable(number) => u128::from(state[self.positions[number as usize] as usize]),
            Term::Not(a) => !value(a),
            Term::Neg(a) => value(a).wrapping_neg(),
            Term::Binary(op, a, b) => binary(op, terms.width(b), value(a), value(b)),
            Term::If(condition, a, _) if value(condition) == 1 => value(a),
            Term::If(_, _, b) => value(b),
            Term::ZeroExtend(a) => value(a),
            Term::Extract(low, a) => value(a) >> low,
            Term::SignExtend(a) => signed(terms.width(a), value(a)) as u128,
        };
        result & mask(width)
    }
}
