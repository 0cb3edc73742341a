//! The bits of the variables.
//!
//! The first estimate comes from a few rounds of interval evaluation, so that a counter of a small loop
//! has few bits and not the 32 of its type. It may be too small: the search finds every step whose
//! value does not fit, and starts again with wider codes. A value is never truncated.
//!
//! *Entry points:* [`estimate`], [`Code::widened`].
//! *Invariant:* each value of a code has exactly one representation.

use axle_model::{BinOp, IntType, UnOp};
use axle_relation::{Range, Relation, Term, TermId, VariableId, values};

use crate::guard_ranges::GuardRanges;

/// Rounds of interval evaluation: values travel through as many variables, and counters count as far.
const ROUNDS: usize = 24;

/// Bits of the first estimate of a variable whose values are not bounded, unless a constant needs more.
const FIRST: u32 = 4;

/// The most bits of an estimate that comes from bounds.
const MOST_TRUSTED: u32 = 8;

/// The representation of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code {
    /// The number of bits; 0 for a variable that is always 0.
    pub bits: u32,
    /// Two's complement, with the last bit as the sign.
    pub signed: bool,
}

impl Code {
    /// The code with the fewest bits for a range that contains 0.
    pub(crate) fn of((low, high): Range) -> Code {
        let magnitude = |value: i64| 64 - (if value < 0 { !value } else { value }).leading_zeros();
        let bits = magnitude(low).max(magnitude(high));
        Code { bits: bits + u32::from(low < 0), signed: low < 0 }
    }

    /// A code for another value as well, with at least twice the bits if it is new.
    pub(crate) fn widened(self, value: i64, ty: IntType) -> Code {
        let needed = Code::of((value.min(0), value.max(0)));
        let signed = self.signed || needed.signed;
        let sign = |code: Code| u32::from(signed && !code.signed);
        let bits = (needed.bits + sign(needed)).max(self.bits + sign(self));
        let grown =
            bits.max(2 * self.bits).min((u32::from(ty.bits) + u32::from(signed && !ty.signed)).min(64));
        Code { bits: bits.max(grown), signed }
    }
}

/// The first codes of the variables of a relation.
pub(crate) fn estimate(relation: &Relation) -> Vec<Code> {
    let mut ranges: Vec<Range> = relation.initial.iter().map(|v| (*v.min(&0), *v.max(&0))).collect();
    let mut least = ranges.clone();
    let terms = &relation.terms;
    let mut guards = GuardRanges::new(relation);
    for _ in 0..ROUNDS {
        let mut found: Vec<Range> = Vec::with_capacity(terms.len());
        for id in terms.ids() {
            let range = interval(terms.get(id), |of| ranges[of.index()], |of| found[of.index()]);
            let (low, high) = terms.range(id);
            found.push((range.0.max(low).min(high), range.1.min(high).max(low)));
        }
        let (before, mut is_new) = (ranges.clone(), false);
        loop {
            let first = guards.begun();
            for (number, group) in relation.groups.iter().enumerate() {
                let Some(assigned) = guards.assigned(number, &before, &found) else { continue };
                for ((variable, value), assigned) in group.updates.iter().zip(assigned) {
                    let range = &mut ranges[variable.index()];
                    *range = assigned.map_or(*range, |(low, high)| (range.0.min(low), range.1.max(high)));
                    if let Some(constant) = terms.constant(*value) {
                        let least = &mut least[variable.index()];
                        *least = (least.0.min(constant), least.1.max(constant));
                    }
                }
            }
            // All groups that something leads to are evaluated in the first round.
            if guards.begun() == first {
                break;
            }
            is_new = true;
        }
        if before == ranges && !is_new {
            break;
        }
    }
    let variables = relation.variables.list().iter();
    let codes = ranges.into_iter().zip(least).zip(variables).map(|((range, least), variable)| {
        // A range that is not bounded by the expressions that are assigned says little.
        let (code, least) = (Code::of(range), Code::of(least));
        let (low, high) = values(variable.ty);
        let is_bounded = (low == 0 || range.0 > low) && range.1 < high || code.bits <= least.bits;
        if is_bounded && code.bits <= MOST_TRUSTED {
            return code;
        }
        // Initial values and constants fit, with the sign of the code.
        let needed = least.bits + u32::from(code.signed && !least.signed);
        Code { bits: code.bits.min(FIRST.max(needed)), signed: code.signed }
    });
    codes.collect()
}

/// The range of a term for ranges of the variables and of its operands.
pub(crate) fn interval(
    term: Term,
    variable: impl Fn(VariableId) -> Range,
    of: impl Fn(TermId) -> Range,
) -> Range {
    match term {
        Term::Const(value) => (value, value),
        Term::Variable(id) => variable(id),
        Term::Unary(UnOp::Not, ..) | Term::And(..) | Term::Or(..) => (0, 1),
        Term::Unary(UnOp::Neg, ty, a) => {
            let (low, high) = of(a);
            within(ty, -i128::from(high), -i128::from(low))
        }
        Term::Unary(UnOp::BitNot, ty, a) => {
            let (low, high) = of(a);
            within(ty, (!high).into(), (!low).into())
        }
        Term::Wrap(ty, a) => within(ty, of(a).0.into(), of(a).1.into()),
        Term::If(_, a, b) => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
        Term::Binary(op, ty, a, b) => binary(op, ty, of(a), of(b)),
    }
}

fn binary(op: BinOp, ty: IntType, a: Range, b: Range) -> Range {
    let wide = |(low, high): Range| (i128::from(low), i128::from(high));
    let (x, y) = (wide(a), wide(b));
    let positive = a.0 >= 0 && b.0 >= 0;
    let most = x.0.abs().max(x.1.abs());
    let (low, high) = match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => return (0, 1),
        BinOp::Add => (x.0 + y.0, x.1 + y.1),
        BinOp::Sub => (x.0 - y.1, x.1 - y.0),
        BinOp::Mul => {
            let corners = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
            (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
        }
        BinOp::BitAnd if a.0 >= 0 || b.0 >= 0 => {
            let bound = |range: Range| if range.0 >= 0 { range.1 } else { i64::MAX };
            (0, bound(a).min(bound(b)).into())
        }
        BinOp::BitOr | BinOp::BitXor if positive => {
            (0, (((x.1 | y.1) as u128 + 1).next_power_of_two() - 1) as i128)
        }
        BinOp::Div | BinOp::Shr | BinOp::Rem if positive => (0, x.1),
        BinOp::Div | BinOp::Rem | BinOp::Shr => (-most, most),
        BinOp::Shl if a.0 >= 0 && (0..32).contains(&b.0) && b.1 < 32 => (0, x.1 << y.1),
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shl => (i128::MIN, i128::MAX),
    };
    within(ty, low, high)
}

/// A range if nothing of it wraps, or the range of the type.
fn within(ty: IntType, low: i128, high: i128) -> Range {
    let (least, most) = values(ty);
    if low < i128::from(least) || high > i128::from(most) { (least, most) } else { (low as i64, high as i64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_fewest_bits() {
        let bits = |low, high| {
            let code = Code::of((low, high));
            (code.bits, code.signed)
        };
        assert_eq!(bits(0, 0), (0, false));
        assert_eq!(bits(0, 1), (1, false));
        assert_eq!(bits(0, 255), (8, false));
        assert_eq!(bits(-1, 0), (1, true));
        assert_eq!(bits(-1, 1), (2, true));
        assert_eq!(bits(-128, 127), (8, true));
        assert_eq!(bits(i64::MIN, i64::MAX), (64, true));
    }

    #[test]
    fn widened_codes_have_room_for_the_value() {
        let widened = |code: Code, value, ty| {
            let code = code.widened(value, ty);
            (code.bits, code.signed)
        };
        let byte = Code { bits: 2, signed: false };
        assert_eq!(widened(byte, 4, IntType::BYTE), (4, false));
        assert_eq!(widened(Code { bits: 5, signed: false }, 32, IntType::BYTE), (8, false));
        assert_eq!(widened(byte, -1, IntType::I32), (4, true));
        assert_eq!(widened(Code { bits: 3, signed: true }, 100, IntType::I32), (8, true));
        assert_eq!(
            widened(Code { bits: 0, signed: false }, i64::MIN, IntType { bits: 64, signed: true }),
            (64, true)
        );
        assert_eq!(widened(Code { bits: 31, signed: false }, -1, IntType::I32), (32, true));
    }
}
