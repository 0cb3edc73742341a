//! The values of terms.
//!
//! *Entry points:* [`Terms::evaluate`]; [`binary`] for values.
//! *Invariant:* values have no bit beyond their width.

use crate::term::{BinaryOp, Term, TermId, Terms, mask, signed};

/// A binary operator on two values of this width (for [`BinaryOp::Concat`], of the second operand).
#[must_use]
pub fn binary(op: BinaryOp, width: u8, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let value = match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv if y == 0 && x < 0 => 1,
        BinaryOp::SDiv if y == 0 => u128::MAX,
        BinaryOp::SDiv => x.wrapping_div(y) as u128,
        BinaryOp::SRem if y == 0 => a,
        BinaryOp::SRem => x.wrapping_rem(y) as u128,
        BinaryOp::Shl if b >= u128::from(width) => 0,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr if b >= u128::from(width) => 0,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (x >> b.min(127)) as u128,
        BinaryOp::Eq => return u128::from(a == b),
        BinaryOp::ULt => return u128::from(a < b),
        BinaryOp::SLt => return u128::from(x < y),
        BinaryOp::Concat => return (a << width) | b,
    };
    value & mask(width)
}

impl Terms {
    /// The values of all terms, in their order, for values of the variables.
    #[must_use]
    pub fn evaluate(&self, variables: &[u128]) -> Vec<u128> {
        let mut values = Vec::with_capacity(self.len());
        self.extend(&mut values, variables);
        values
    }

    /// Computes the values of the terms that are not yet among `values`.
    pub fn extend(&self, values: &mut Vec<u128>, variables: &[u128]) {
        for index in values.len()..self.len() {
            let id = TermId(index as u32);
            let value = self.compute(id, variables, |operand| values[operand.index()]);
            values.push(value);
        }
    }

    fn compute(&self, id: TermId, variables: &[u128], value: impl Fn(TermId) -> u128) -> u128 {
        let width = self.width(id);
        let result = match self.get(id) {
            Term::Const(number) => number,
            Term::Variable(number) => variables[number as usize],
            Term::Not(a) => !value(a),
            Term::Neg(a) => value(a).wrapping_neg(),
            Term::Binary(op, a, b) => binary(op, self.width(b), value(a), value(b)),
            Term::If(condition, a, b) if value(condition) == 0 => {
                let _ = a;
                value(b)
            }
            Term::If(_, a, _) | Term::ZeroExtend(a) => value(a),
            Term::Extract(low, a) => value(a) >> low,
            Term::SignExtend(a) => signed(self.width(a), value(a)) as u128,
        };
        result & mask(width)
    }
}
