//! The values of C expressions on one `int`, as terms, with the condition that no operation overflows.
//!
//! *Entry point:* [`Values`].
//! *Invariant:* where the condition holds, the value of a term is that of the expression in C.

use axle_decide::aig::Aig;
use axle_decide::blast::Blaster;
use axle_decide::cnf::Encoder;
use axle_decide::sat::{SatAnswer, solver};
use axle_decide::term::{BinaryOp, FALSE, TermId, Terms};
use axle_extract::syntax::{Expr, Kind};

/// The decisions of a query; one that needs more counts as satisfiable.
const EFFORT: u64 = 200_000;
/// The width in which results of `int` operations do not wrap.
pub(super) const WIDTH: u8 = 66;

/// Whether a value is less than a number.
pub(super) fn compare(terms: &mut Terms, value: TermId, number: i64) -> TermId {
    let number = terms.constant(WIDTH, i128::from(number) as u128);
    terms.less(true, value, number)
}

/// Whether a value is an `int`.
pub(super) fn fits(terms: &mut Terms, value: TermId) -> TermId {
    let below = compare(terms, value, i64::from(i32::MIN));
    let within = compare(terms, value, i64::from(i32::MAX) + 1);
    let above = terms.not(below);
    terms.conjunction(above, within)
}

/// Whether a condition can hold; a query that needs too much effort counts as satisfiable.
pub(super) fn is_satisfiable(terms: &Terms, condition: TermId) -> bool {
    if condition == FALSE {
        return false;
    }
    let (mut aig, mut blaster, mut encoder, mut solver) =
        (Aig::default(), Blaster::default(), Encoder::default(), solver());
    let signal = blaster.word(&mut aig, terms, condition)[0];
    let literal = encoder.literal(&mut *solver, &aig, signal);
    solver.solve(&[literal], EFFORT) != SatAnswer::Unsat
}

/// The values of expressions on one variable.
pub(super) struct Values<'n> {
    pub terms: Terms,
    pub name: &'n str,
    pub is: TermId,
    /// Where no operation overflows or divides by zero.
    pub defined: TermId,
}

impl Values<'_> {
    /// The value that a statement assigns to the variable.
    pub fn assigned(&mut self, Expr { kind, .. }: &Expr) -> Option<TermId> {
        match kind {
            Kind::Assign("=", _, value) => self.value(value),
            Kind::Assign(op, _, by) => {
                let by = self.value(by)?;
                self.binary(op.trim_end_matches('='), self.is, by)
            }
            Kind::Prefix(op @ ("++" | "--"), _) | Kind::Postfix(_, op) => {
                let one = self.terms.constant(WIDTH, 1);
                self.binary(if *op == "++" { "+" } else { "-" }, self.is, one)
            }
            _ => None,
        }
    }

    /// The value of an expression; none if it is about other things than the variable and numbers.
    pub fn value(&mut self, Expr { kind, .. }: &Expr) -> Option<TermId> {
        match kind {
            Kind::Name(name) if **name == *self.name => Some(self.is),
            Kind::Literal(text) => {
                let number: i32 = text.parse().ok().filter(|_| &**text == "0" || !text.starts_with('0'))?;
                Some(self.terms.constant(WIDTH, i128::from(number) as u128))
            }
            Kind::Prefix("-", inner) => {
                let inner = self.value(inner)?;
                let zero = self.terms.constant(WIDTH, 0);
                self.binary("-", zero, inner)
            }
            Kind::Prefix("+", inner) => self.value(inner),
            Kind::Prefix("!", inner) => {
                let truth = self.truth(inner)?;
                let not = self.terms.not(truth);
                Some(self.terms.resize(false, WIDTH, not))
            }
            Kind::Binary(op @ ("&&" | "||"), a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let both = match *op {
                    "&&" => self.terms.conjunction(a, b),
                    _ => self.terms.disjunction(a, b),
                };
                Some(self.terms.resize(false, WIDTH, both))
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(op, a, b)
            }
            _ => None,
        }
    }

    fn truth(&mut self, expr: &Expr) -> Option<TermId> {
        let value = self.value(expr)?;
        let zero = self.terms.constant(WIDTH, 0);
        let is_zero = self.terms.equal(value, zero);
        Some(self.terms.not(is_zero))
    }

    fn binary(&mut self, op: &str, a: TermId, b: TermId) -> Option<TermId> {
        let terms = &mut self.terms;
        let result = match op {
            "+" => terms.sum(a, b),
            "-" => terms.difference(a, b),
            "*" => terms.binary(BinaryOp::Mul, a, b),
            "&" => terms.binary(BinaryOp::And, a, b),
            "|" => terms.binary(BinaryOp::Or, a, b),
            "^" => terms.binary(BinaryOp::Xor, a, b),
            "/" | "%" => {
                let zero = terms.constant(WIDTH, 0);
                let is_zero = terms.equal(b, zero);
                let is_defined = terms.not(is_zero);
                self.defined = terms.conjunction(self.defined, is_defined);
                terms.binary(if op == "/" { BinaryOp::SDiv } else { BinaryOp::SRem }, a, b)
            }
            _ => {
                let holds = match op {
                    "==" => terms.equal(a, b),
                    "<" => terms.less(true, a, b),
                    ">" => terms.less(true, b, a),
                    "!=" => {
                        let equal = terms.equal(a, b);
                        terms.not(equal)
                    }
                    "<=" => {
                        let less = terms.less(true, b, a);
                        terms.not(less)
                    }
                    ">=" => {
                        let less = terms.less(true, a, b);
                        terms.not(less)
                    }
                    _ => return None,
                };
                return Some(terms.resize(false, WIDTH, holds));
            }
        };
        let fits = fits(terms, result);
        self.defined = self.terms.conjunction(self.defined, fits);
        Some(result)
    }
}
