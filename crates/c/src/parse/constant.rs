//! Constant expressions (C11 6.6), evaluated on the typed tree. Integers are extended to 64 bits
//! according to the signedness of their type, so equal values are equal words.
//!
//! *Entry points:* [`evaluate`], and [`evaluate_wide`] for 128-bit integers.

use crate::floating::{self, Computed};
use crate::operators::{Binary, Unary};
use crate::tree::{Builtin, Expr, Kind, Tree};
use crate::types::{self, Type, TypeId, Types};

/// The value of a constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    Int(u64),
    Real(f64),
    /// An address in an object of static storage duration, a string literal or a function.
    Address(Base, i64),
}

/// The base of an address constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    Global(u32),
    Function(u32),
    Str(u32),
}

/// Truncates a value to the size of the type, and extends it according to its signedness.
pub fn wrap(types: &Types, ty: TypeId, value: u64) -> u64 {
    match types.get(ty) {
        Type::Bool => u64::from(value != 0),
        Type::Float(_) => value,
        _ => {
            let bits = 8 * types.size(ty).unwrap_or(8).min(8) as u32;
            if bits >= 64 {
                return value;
            }
            let shifted = value << (64 - bits);
            if types.is_signed(ty) {
                ((shifted as i64) >> (64 - bits)) as u64
            } else {
                shifted >> (64 - bits)
            }
        }
    }
}

/// The value; `None` if the expression is not constant or not supported.
pub fn evaluate(tree: &Tree, e: &Expr) -> Option<Constant> {
    let types = &tree.types;
    if types.is_wide(e.ty.ty) {
        // As a constant of 64 bits, which is extended with its sign.
        let value = i64::try_from(evaluate_wide(tree, e)? as i128).ok()?;
        return Some(Constant::Int(value as u64));
    }
    match &e.kind {
        Kind::Int(value) => Some(Constant::Int(*value)),
        Kind::Real(value) => Some(Constant::Real(*value)),
        Kind::Decay(inner) | Kind::AddressOf(inner) => place(tree, inner),
        Kind::Function(_) => place(tree, e),
        Kind::Convert(inner) if types.is_wide(inner.ty.ty) => {
            let value = evaluate_wide(tree, inner)?;
            let low = if *types.get(e.ty.ty) == Type::Bool { u64::from(value != 0) } else { value as u64 };
            convert(types, Constant::Int(low), types::ULLONG, e.ty.ty)
        }
        Kind::Binary(op, a, b) if types.is_wide(a.ty.ty) && types.is_wide(b.ty.ty) => {
            let (x, y) = (evaluate_wide(tree, a)?, evaluate_wide(tree, b)?);
            let fact = wide_order(*op, types.is_signed(a.ty.ty), x, y)?;
            Some(Constant::Int(fact.into()))
        }
        Kind::Convert(inner) => convert(types, evaluate(tree, inner)?, inner.ty.ty, e.ty.ty),
        Kind::Unary(op, inner) => {
            let value = evaluate(tree, inner)?;
            match (op, value) {
                (Unary::Neg, Constant::Int(v)) => Some(Constant::Int(wrap(types, e.ty.ty, v.wrapping_neg()))),
                (Unary::Neg, Constant::Real(v)) => Some(Constant::Real(-v)),
                (Unary::Not, Constant::Int(v)) => Some(Constant::Int(wrap(types, e.ty.ty, !v))),
                (Unary::LogNot, v) => Some(Constant::Int((!truth(v)?).into())),
                _ => None,
            }
        }
        Kind::Binary(op, a, b) => {
            let (x, y) = (evaluate(tree, a)?, evaluate(tree, b)?);
            match (x, y) {
                (Constant::Int(x), Constant::Int(y)) => integer(types, *op, a.ty.ty, b.ty.ty, x, y)
                    .map(|v| Constant::Int(wrap(types, e.ty.ty, v))),
                (Constant::Real(x), Constant::Real(y)) => real(*op, e.ty.ty, x, y),
                (Constant::Address(..), Constant::Address(..)) if matches!(op, Binary::Eq | Binary::Ne) => {
                    Some(Constant::Int(((x == y) == (*op == Binary::Eq)).into()))
                }
                (Constant::Address(..), Constant::Int(0)) | (Constant::Int(0), Constant::Address(..)) => {
                    match op {
                        Binary::Eq => Some(Constant::Int(0)),
                        Binary::Ne => Some(Constant::Int(1)),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        Kind::PtrAdd { pointer, index, size, minus } => {
            let Constant::Int(index) = evaluate(tree, index)? else { return None };
            let step = (index as i64).wrapping_mul(*size as i64);
            let step = if *minus { step.wrapping_neg() } else { step };
            match evaluate(tree, pointer)? {
                Constant::Address(base, offset) => Some(Constant::Address(base, offset.wrapping_add(step))),
                Constant::Int(value) => {
                    Some(Constant::Int(wrap(types, e.ty.ty, value.wrapping_add(step as u64))))
                }
                Constant::Real(_) => None,
            }
        }
        Kind::PtrDiff(a, b, size) => match (evaluate(tree, a)?, evaluate(tree, b)?) {
            (Constant::Address(x, p), Constant::Address(y, q)) if x == y && *size > 0 => {
                Some(Constant::Int(((p - q) / *size as i64) as u64))
            }
            (Constant::Int(p), Constant::Int(q)) if *size > 0 => {
                Some(Constant::Int(((p.wrapping_sub(q) as i64) / *size as i64) as u64))
            }
            _ => None,
        },
        Kind::AndAnd(a, b) => {
            if truth(evaluate(tree, a)?)? {
                Some(Constant::Int(truth(evaluate(tree, b)?)?.into()))
            } else {
                Some(Constant::Int(0))
            }
        }
        Kind::OrOr(a, b) => {
            if truth(evaluate(tree, a)?)? {
                Some(Constant::Int(1))
            } else {
                Some(Constant::Int(truth(evaluate(tree, b)?)?.into()))
            }
        }
        Kind::Cond(c, a, b) => {
            let condition = evaluate(tree, c)?;
            match (truth(condition)?, a) {
                (true, Some(a)) => evaluate(tree, a),
                (true, None) => Some(condition),
                (false, _) => evaluate(tree, b),
            }
        }
        Kind::Builtin(Builtin::Bits(what), operands) => {
            let operand = operands.first()?;
            let Constant::Int(value) = evaluate(tree, operand)? else { return None };
            let bits = 8 * types.size(operand.ty.ty)? as u32;
            what.of(value, bits).map(Constant::Int)
        }
        _ => None,
    }
}

/// The address of an lvalue with static storage duration.
fn place(tree: &Tree, e: &Expr) -> Option<Constant> {
    match &e.kind {
        Kind::Global(id) if !tree.globals[*id as usize].thread_local => {
            Some(Constant::Address(Base::Global(*id), 0))
        }
        Kind::Function(id) => Some(Constant::Address(Base::Function(*id), 0)),
        Kind::Str(id) => Some(Constant::Address(Base::Str(*id), 0)),
        Kind::Member { base, offset, bits: None, .. } => match place(tree, base)? {
            Constant::Address(base, at) => Some(Constant::Address(base, at.checked_add(*offset as i64)?)),
            Constant::Int(at) => Some(Constant::Int(at.wrapping_add(*offset))),
            Constant::Real(_) => None,
        },
        Kind::Deref(pointer) => evaluate(tree, pointer),
        _ => None,
    }
}

fn truth(value: Constant) -> Option<bool> {
    match value {
        Constant::Int(value) => Some(value != 0),
        Constant::Real(value) => Some(value != 0.0),
        Constant::Address(..) => Some(true),
    }
}

fn convert(types: &Types, value: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
    let target = types.get(to);
    Some(match (value, target) {
        (Constant::Int(v), Type::Float(_)) => {
            let real = if types.is_signed(from) { v as i64 as f64 } else { v as f64 };
            Constant::Real(narrow(to, real))
        }
        (Constant::Int(v), _) => Constant::Int(wrap(types, to, v)),
        (Constant::Real(v), Type::Float(_)) => Constant::Real(narrow(to, v)),
        (Constant::Real(v), Type::Bool) => Constant::Int((v != 0.0).into()),
        (Constant::Real(v), _) if types.is_integer(to) => {
            let int = if types.is_signed(to) { v as i64 as u64 } else { v as u64 };
            Constant::Int(wrap(types, to, int))
        }
        (Constant::Address(..), Type::Bool) => Constant::Int(1),
        (Constant::Address(..), _) if types.size(to) == Some(types.pointer_size()) => value,
        _ => return None,
    })
}

fn narrow(ty: TypeId, value: f64) -> f64 {
    if ty == types::FLOAT { f64::from(value as f32) } else { value }
}

fn real(op: Binary, ty: TypeId, x: f64, y: f64) -> Option<Constant> {
    Some(match floating::compute(op, x, y, ty == types::FLOAT)? {
        Computed::Number(value) => Constant::Real(value),
        Computed::Truth(fact) => Constant::Int(fact.into()),
    })
}

/// The bits of a constant of 128 bits.
pub fn evaluate_wide(tree: &Tree, e: &Expr) -> Option<u128> {
    let types = &tree.types;
    match &e.kind {
        // Extended from 64 bits with its sign.
        Kind::Int(value) => Some(i128::from(*value as i64) as u128),
        Kind::Convert(inner) if types.is_wide(inner.ty.ty) => evaluate_wide(tree, inner),
        Kind::Convert(inner) => {
            let Constant::Int(value) = evaluate(tree, inner)? else { return None };
            Some(match types.is_signed(inner.ty.ty) {
                true => i128::from(value as i64) as u128,
                false => value.into(),
            })
        }
        Kind::Unary(Unary::Neg, inner) => Some(evaluate_wide(tree, inner)?.wrapping_neg()),
        Kind::Unary(Unary::Not, inner) => Some(!evaluate_wide(tree, inner)?),
        Kind::Binary(op, a, b) => {
            let x = evaluate_wide(tree, a)?;
            let y = match (op, types.is_wide(b.ty.ty)) {
                (_, true) => evaluate_wide(tree, b)?,
                (Binary::Shl | Binary::Shr, false) => match evaluate(tree, b)? {
                    Constant::Int(distance) => distance.into(),
                    Constant::Real(_) | Constant::Address(..) => return None,
                },
                (_, false) => return None,
            };
            wide(*op, types.is_signed(e.ty.ty), x, y)
        }
        Kind::Cond(c, Some(a), b) => {
            let chosen = if truth(evaluate(tree, c)?)? { a } else { b };
            evaluate_wide(tree, chosen)
        }
        _ => None,
    }
}

/// Arithmetic on 128-bit integers, wrapped around; `None` if undefined.
fn wide(op: Binary, signed: bool, x: u128, y: u128) -> Option<u128> {
    let (sx, sy) = (x as i128, y as i128);
    Some(match op {
        Binary::Add => x.wrapping_add(y),
        Binary::Sub => x.wrapping_sub(y),
        Binary::Mul => x.wrapping_mul(y),
        Binary::Div if signed => sx.checked_div(sy)? as u128,
        Binary::Rem if signed => sx.checked_rem(sy)? as u128,
        Binary::Div => x.checked_div(y)?,
        Binary::Rem => x.checked_rem(y)?,
        Binary::Shl => x.checked_shl(u32::try_from(y).ok()?)?,
        Binary::Shr if signed => sx.checked_shr(u32::try_from(y).ok()?)? as u128,
        Binary::Shr => x.checked_shr(u32::try_from(y).ok()?)?,
        Binary::And => x & y,
        Binary::Or => x | y,
        Binary::Xor => x ^ y,
        _ => return None,
    })
}

/// A comparison of 128-bit integers.
fn wide_order(op: Binary, signed: bool, x: u128, y: u128) -> Option<bool> {
    let order = if signed { (x as i128).cmp(&(y as i128)) } else { x.cmp(&y) };
    Some(match op {
        Binary::Lt => order.is_lt(),
        Binary::Le => order.is_le(),
        Binary::Gt => order.is_gt(),
        Binary::Ge => order.is_ge(),
        Binary::Eq => order.is_eq(),
        Binary::Ne => order.is_ne(),
        _ => return None,
    })
}

/// Integer arithmetic on extended words; `None` if undefined. The caller truncates the result.
fn integer(types: &Types, op: Binary, ty: TypeId, right: TypeId, x: u64, y: u64) -> Option<u64> {
    let signed = types.is_signed(ty);
    let bits = 8 * types.size(ty)?.min(8);
    let (sx, sy) = (x as i64, y as i64);
    let less = |a: u64, b: u64| if signed { (a as i64) < (b as i64) } else { a < b };
    Some(match op {
        Binary::Add => x.wrapping_add(y),
        Binary::Sub => x.wrapping_sub(y),
        Binary::Mul => x.wrapping_mul(y),
        Binary::Div | Binary::Rem if y == 0 => return None,
        Binary::Div if signed => sx.wrapping_div(sy) as u64,
        Binary::Rem if signed => sx.wrapping_rem(sy) as u64,
        Binary::Div => x / y,
        Binary::Rem => x % y,
        Binary::Shl | Binary::Shr => {
            let negative = types.is_signed(right) && sy < 0;
            if negative || y >= bits {
                return None;
            }
            match (op, signed) {
                (Binary::Shl, _) => x << y,
                (_, true) => (sx >> y) as u64,
                (_, false) => x >> y,
            }
        }
        Binary::And => x & y,
        Binary::Or => x | y,
        Binary::Xor => x ^ y,
        Binary::Nand => !(x & y),
        Binary::Lt => less(x, y).into(),
        Binary::Gt => less(y, x).into(),
        Binary::Le => (!less(y, x)).into(),
        Binary::Ge => (!less(x, y)).into(),
        Binary::Eq => (x == y).into(),
        Binary::Ne => (x != y).into(),
    })
}
