//! The values of terms in a state.
//!
//! *Entry point:* [`Evaluation::value`].
//! *Invariant:* each term is evaluated at most once for a state.

use axle_model::eval;

use crate::term::{FALSE, Term, TermId, Terms};

/// The values of the terms of a relation in one state after another.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    values: Vec<i64>,
    /// For each term, the number of the state in which its value was computed.
    computed: Vec<u32>,
    state: u32,
    stack: Vec<TermId>,
}

impl Evaluation {
    /// Values of a further state.
    pub fn begin(&mut self, terms: &Terms) {
        self.state = self.state.wrapping_add(1);
        if self.computed.len() != terms.len() || self.state == 0 {
            self.values = vec![0; terms.len()];
            self.computed = vec![0; terms.len()];
            self.state = 1;
        }
    }

    /// The value of a term in the present state.
    pub fn value(&mut self, terms: &Terms, state: &[i64], root: TermId) -> i64 {
        self.stack.push(root);
        // An explicit stack: terms of long arrays are deep.
        while let Some(&id) = self.stack.last() {
            if self.is_known(id) {
                self.stack.pop();
                continue;
            }
            if let Some(value) = self.compute(terms, state, id) {
                self.values[id.index()] = value;
                self.computed[id.index()] = self.state;
                self.stack.pop();
            }
        }
        self.values[root.index()]
    }

    /// Whether a condition holds in the present state.
    pub fn holds(&mut self, terms: &Terms, state: &[i64], condition: TermId) -> bool {
        condition != FALSE && self.value(terms, state, condition) != 0
    }

    fn is_known(&self, id: TermId) -> bool {
        self.computed[id.index()] == self.state
    }

    /// The value of an operand, or none after it was put on the stack.
    fn operand(&mut self, id: TermId) -> Option<i64> {
        if self.is_known(id) {
            return Some(self.values[id.index()]);
        }
        self.stack.push(id);
        None
    }

    fn compute(&mut self, terms: &Terms, state: &[i64], id: TermId) -> Option<i64> {
        Some(match terms.get(id) {
            Term::Const(value) => value,
            Term::Variable(variable) => state[variable.index()],
            Term::Unary(op, ty, a) => eval::unary(op, ty, self.operand(a)?),
            Term::Binary(op, ty, a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                eval::binary(op, ty, a, b).unwrap_or(0)
            }
            Term::Wrap(ty, a) => ty.wrap(self.operand(a)?),
            Term::And(a, b) => match self.operand(a)? {
                0 => 0,
                _ => self.operand(b)?,
            },
            Term::Or(a, b) => match self.operand(a)? {
                0 => self.operand(b)?,
                value => value,
            },
            Term::If(condition, a, b) => match self.operand(condition)? {
                0 => self.operand(b)?,
                _ => self.operand(a)?,
            },
        })
    }
}
