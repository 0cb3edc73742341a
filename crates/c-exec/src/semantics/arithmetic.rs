//! Arithmetic as C defines it on this machine (C11 6.5): widths, overflow, shifts, division,
//! comparison, and what can be computed with addresses as numbers. An operation without a defined
//! result is a [`ErrorKind`]; what depends on the numeric value of an address is refused.
//!
//! *Entry points:* [`binary`], [`unary`], [`convert`].

use axle_c::code::{Class, Scalar};
use axle_c::floating::{self, Computed};
use axle_c::{Binary, BitOp, Unary};

use crate::machine::{Execution, Machine};
use crate::state::error_kind::ErrorKind;
use crate::state::value::Value;

pub const ADDRESS: ErrorKind = ErrorKind::Unsupported("the numeric value of an address decides something");

/// The result of arithmetic on the number of an address, too far from its object to be represented.
const FAR_FROM_OBJECT: ErrorKind =
    ErrorKind::Unsupported("arithmetic on the numeric value of an address, far outside of the object");

fn float(bits: u64, scalar: Scalar) -> f64 {
    if scalar.size == 4 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

fn float_value(value: f64, scalar: Scalar) -> Value {
    Value::Int(if scalar.size == 4 { u64::from((value as f32).to_bits()) } else { value.to_bits() })
}

impl<E: Execution> Machine<'_, E> {
    /// Whether a value counts as true.
    pub fn truth(&self, value: Value, scalar: Scalar) -> Result<bool, ErrorKind> {
        match value {
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Ptr(..) if self.is_cut(value, scalar) => Err(ADDRESS),
            Value::Ptr(..) => Ok(true),
            Value::Int(bits) if scalar.class == Class::Float => Ok(float(bits, scalar) != 0.0),
            Value::Int(value) => Ok(value != 0),
        }
    }

    /// Whether a value is what a number too small for it has kept of an address: it can be shown,
    /// and decides nothing.
    pub fn is_cut(&self, value: Value, scalar: Scalar) -> bool {
        matches!(value, Value::Ptr(..)) && usize::from(scalar.size) < self.pointer_size()
    }

    pub fn unary(&self, op: Unary, a: Value, scalar: Scalar) -> Result<Value, ErrorKind> {
        let value = match a {
            Value::Undef => return Err(ErrorKind::Uninitialised),
            Value::Ptr(..) if op == Unary::LogNot && !self.is_cut(a, scalar) => return Ok(Value::Int(0)),
            Value::Ptr(..) => return Err(ADDRESS),
            Value::Int(value) => value,
        };
        Ok(match op {
            Unary::LogNot => Value::Int((!self.truth(a, scalar)?).into()),
            Unary::Not => Value::Int(scalar.extend(!value)),
            Unary::Neg if scalar.class == Class::Float => float_value(-float(value, scalar), scalar),
            Unary::Neg => return self.fit(-i128::from(value as i64), value.wrapping_neg(), scalar),
        })
    }

    /// A result in its type: `exact` for signed ones, `raw` wrapped for the others.
    fn fit(&self, exact: i128, raw: u64, scalar: Scalar) -> Result<Value, ErrorKind> {
        let cut = scalar.extend(raw);
        if scalar.is_signed() && i128::from(cut as i64) != exact && !self.settings.wrap {
            return Err(ErrorKind::SignedOverflow);
        }
        Ok(Value::Int(cut))
    }

    pub fn binary(&self, op: Binary, a: Value, b: Value, scalar: Scalar) -> Result<Value, ErrorKind> {
        let (x, y) = match (a, b) {
            (Value::Undef, _) | (_, Value::Undef) => return Err(ErrorKind::Uninitialised),
            (Value::Int(x), Value::Int(y)) => (x, y),
            _ => return self.with_address(op, a, b, scalar),
        };
        if scalar.class == Class::Float {
            return float_binary(op, float(x, scalar), float(y, scalar), scalar);
        }
        let (sx, sy) = (x as i64, y as i64);
        let signed = scalar.is_signed();
        let exact = |f: fn(i128, i128) -> i128| f(sx.into(), sy.into());
        let less = |a: u64, b: u64| if signed { (a as i64) < (b as i64) } else { a < b };
        let fact = |fact: bool| Ok(Value::Int(fact.into()));
        match op {
            Binary::Add => self.fit(exact(|a, b| a + b), x.wrapping_add(y), scalar),
            Binary::Sub => self.fit(exact(|a, b| a - b), x.wrapping_sub(y), scalar),
            Binary::Mul => self.fit(exact(|a, b| a * b), x.wrapping_mul(y), scalar),
            Binary::Div | Binary::Rem if y == 0 => Err(ErrorKind::DivisionByZero),
            Binary::Div if signed => self.fit(exact(|a, b| a / b), sx.wrapping_div(sy) as u64, scalar),
            Binary::Rem if signed => {
                // INT_MIN % -1 is undefined because the quotient is (6.5.5p6).
                self.fit(exact(|a, b| a / b), sx.wrapping_div(sy) as u64, scalar)?;
                Ok(Value::Int(scalar.extend(sx.wrapping_rem(sy) as u64)))
            }
            Binary::Div => Ok(Value::Int(x / y)),
            Binary::Rem => Ok(Value::Int(x % y)),
            Binary::Shl | Binary::Shr => {
                if y >= u64::from(scalar.bits()) {
                    return Err(ErrorKind::Shift);
                }
                match (op, signed) {
                    (Binary::Shr, true) => Ok(Value::Int((sx >> y) as u64)),
                    (Binary::Shr, false) => Ok(Value::Int(x >> y)),
                    // What does not fit, or is negative, has no value (6.5.7p4), whatever gcc makes
                    // of it.
                    (_, true) if !self.settings.wrap => {
                        let shifted = i128::from(sx) << y;
                        let cut = scalar.extend(x << y);
                        match sx >= 0 && i128::from(cut as i64) == shifted {
                            true => Ok(Value::Int(cut)),
                            false => Err(ErrorKind::Shift),
                        }
                    }
                    _ => Ok(Value::Int(scalar.extend(x << y))),
                }
            }
            Binary::And => Ok(Value::Int(x & y)),
            Binary::Or => Ok(Value::Int(x | y)),
            Binary::Xor => Ok(Value::Int(scalar.extend(x ^ y))),
            Binary::Nand => Ok(Value::Int(scalar.extend(!(x & y)))),
            Binary::Lt => fact(less(x, y)),
            Binary::Gt => fact(less(y, x)),
            Binary::Le => fact(!less(y, x)),
            Binary::Ge => fact(!less(x, y)),
            Binary::Eq => fact(x == y),
            Binary::Ne => fact(x != y),
        }
    }

    /// Operators of which at least one operand is an address.
    fn with_address(&self, op: Binary, a: Value, b: Value, scalar: Scalar) -> Result<Value, ErrorKind> {
        if self.is_cut(a, scalar) || self.is_cut(b, scalar) {
            return Err(ADDRESS);
        }
        let fact = |fact: bool| Ok(Value::Int(fact.into()));
        // A number may leave the object that its address is in: only an access would be an error. The
        // numbers of an unsigned type are those modulo 2^N (6.2.5p9), so that the distance has two signs.
        let signed = Scalar { class: Class::Signed, ..scalar };
        let moved = |object: u32, offset: i32, by: i64| {
            let by = signed.extend(by as u64) as i64;
            let sum = i64::from(offset).checked_add(by).and_then(|sum| i32::try_from(sum).ok());
            sum.map(|offset| Value::Ptr(object, offset)).ok_or(FAR_FROM_OBJECT)
        };
        match (op, a, b) {
            (Binary::Eq, a, b) => fact(a == b),
            (Binary::Ne, a, b) => fact(a != b),
            (Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge, Value::Ptr(o, x), Value::Ptr(q, y)) => {
                let order = if o == q {
                    x.cmp(&y)
                } else if self.object(o).is_none() && self.object(q).is_none() {
                    // Variables have some fixed order; ours is that of their numbers.
                    o.cmp(&q)
                } else {
                    return Err(ADDRESS);
                };
                fact(match op {
                    Binary::Lt => order.is_lt(),
                    Binary::Le => order.is_le(),
                    Binary::Gt => order.is_gt(),
                    _ => order.is_ge(),
                })
            }
            // Any address is above zero.
            (Binary::Lt | Binary::Le, Value::Int(0), Value::Ptr(..)) => fact(true),
            (Binary::Gt | Binary::Ge, Value::Int(0), Value::Ptr(..)) => fact(false),
            (Binary::Gt | Binary::Ge, Value::Ptr(..), Value::Int(0)) => fact(true),
            (Binary::Lt | Binary::Le, Value::Ptr(..), Value::Int(0)) => fact(false),
            (Binary::Add, Value::Ptr(o, x), Value::Int(by))
            | (Binary::Add, Value::Int(by), Value::Ptr(o, x)) => moved(o, x, by as i64),
            (Binary::Sub, Value::Ptr(o, x), Value::Int(by)) => moved(o, x, (by as i64).wrapping_neg()),
            (Binary::Sub, Value::Ptr(o, x), Value::Ptr(q, y)) if o == q => {
                Ok(Value::Int(scalar.extend((i64::from(x) - i64::from(y)) as u64)))
            }
            // Every object is aligned to 16 bytes, so the low bits of an address are those of its
            // offset.
            (Binary::And, Value::Ptr(o, x), Value::Int(mask))
            | (Binary::And, Value::Int(mask), Value::Ptr(o, x)) => {
                let ones = scalar.extend(u64::MAX);
                if mask < 16 {
                    Ok(Value::Int((x as u64) & mask))
                } else if !mask & ones < 16 {
                    Ok(Value::Ptr(o, x & !((!mask & ones) as i32)))
                } else {
                    Err(ADDRESS)
                }
            }
            (Binary::Or, Value::Ptr(o, x), Value::Int(mask))
            | (Binary::Or, Value::Int(mask), Value::Ptr(o, x)) => {
                if mask < 16 {
                    Ok(Value::Ptr(o, x | mask as i32))
                } else {
                    Err(ADDRESS)
                }
            }
            (Binary::Xor, Value::Ptr(o, x), Value::Int(mask)) if mask < 16 => {
                Ok(Value::Ptr(o, x ^ mask as i32))
            }
            (Binary::Rem, Value::Ptr(_, x), Value::Int(by)) if by.is_power_of_two() && by <= 16 => {
                Ok(Value::Int((x as u64) & (by - 1)))
            }
            _ => Err(ADDRESS),
        }
    }

    /// Pointer plus elements. Numbers that stand for pointers are moved too (`offsetof` by hand).
    pub fn move_pointer(
        &self,
        pointer: Value,
        index: Value,
        size: u64,
        minus: bool,
    ) -> Result<Value, ErrorKind> {
        let index = match index {
            Value::Int(index) => index as i64,
            Value::Undef => return Err(ErrorKind::Uninitialised),
            Value::Ptr(..) => return Err(ADDRESS),
        };
        let by = index.checked_mul(size as i64).ok_or(ErrorKind::OutOfBounds)?;
        let by = if minus { by.checked_neg().ok_or(ErrorKind::OutOfBounds)? } else { by };
        match pointer {
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Int(number) => Ok(Value::Int(number.wrapping_add(by as u64))),
            Value::Ptr(object, offset) => {
                let sum = i64::from(offset).checked_add(by).ok_or(ErrorKind::OutOfBounds)?;
                Ok(Value::Ptr(object, i32::try_from(sum).map_err(|_| ErrorKind::OutOfBounds)?))
            }
        }
    }

    pub fn pointer_difference(&self, a: Value, b: Value, size: u64) -> Result<Value, ErrorKind> {
        let bytes = match (a, b) {
            (Value::Undef, _) | (_, Value::Undef) => return Err(ErrorKind::Uninitialised),
            (Value::Ptr(o, x), Value::Ptr(q, y)) if o == q => i64::from(x) - i64::from(y),
            (Value::Int(x), Value::Int(y)) => x.wrapping_sub(y) as i64,
            _ => return Err(ErrorKind::PointerComparison),
        };
        Ok(Value::Int((bytes / size.max(1) as i64) as u64))
    }

    pub fn convert(&self, a: Value, from: Scalar, to: Scalar) -> Result<Value, ErrorKind> {
        let bits = match a {
            Value::Undef => return Ok(Value::Undef),
            Value::Ptr(..) => {
                return match to.class {
                    _ if self.is_cut(a, from) && to.size != from.size => Err(ADDRESS),
                    Class::Bool => Ok(Value::Int(1)),
                    Class::Float => Err(ADDRESS),
                    _ if to.size >= 4 => Ok(a),
                    _ => Err(ErrorKind::Unsupported("an address is cut to a smaller number")),
                };
            }
            Value::Int(bits) => bits,
        };
        Ok(match (from.class, to.class) {
            (Class::Float, Class::Float) => float_value(float(bits, from), to),
            (Class::Float, Class::Bool) => Value::Int((float(bits, from) != 0.0).into()),
            (Class::Float, _) => {
                let value = float(bits, from).trunc();
                let width = to.bits() as i32;
                let (low, high) = match to.is_signed() {
                    true => (-(2f64.powi(width - 1)), 2f64.powi(width - 1)),
                    false => (0.0, 2f64.powi(width)),
                };
                if value.is_nan() || value < low || value >= high {
                    return Err(ErrorKind::FloatConversion);
                }
                let int = if to.is_signed() { value as i64 as u64 } else { value as u64 };
                Value::Int(to.extend(int))
            }
            (Class::Signed, Class::Float) => {
                let value = bits as i64;
                Value::Int(if to.size == 4 {
                    u64::from((value as f32).to_bits())
                } else {
                    (value as f64).to_bits()
                })
            }
            (_, Class::Float) => Value::Int(if to.size == 4 {
                u64::from((bits as f32).to_bits())
            } else {
                (bits as f64).to_bits()
            }),
            (_, Class::Bool) => Value::Int((bits != 0).into()),
            _ => Value::Int(to.extend(bits)),
        })
    }

    pub fn bit_operation(&self, what: BitOp, a: Value, scalar: Scalar) -> Result<Value, ErrorKind> {
        match a {
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Ptr(..) => Err(ADDRESS),
            Value::Int(value) => what.of(value, scalar.bits()).map(Value::Int).ok_or(ErrorKind::BitsOfZero),
        }
    }

    /// Exact arithmetic: the wrapped result, and whether it did not fit.
    pub fn overflow(
        &self,
        op: Binary,
        (a, sa): (Value, Scalar),
        (b, sb): (Value, Scalar),
        to: Scalar,
    ) -> Result<(Value, bool), ErrorKind> {
        let wide = |value: Value, scalar: Scalar| match value {
            Value::Int(value) if scalar.is_signed() => Ok(i128::from(value as i64)),
            Value::Int(value) => Ok(i128::from(value)),
            Value::Undef => Err(ErrorKind::Uninitialised),
            Value::Ptr(..) => Err(ADDRESS),
        };
        let (x, y) = (wide(a, sa)?, wide(b, sb)?);
        let exact = match op {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            _ => x.checked_mul(y).ok_or(ErrorKind::Unsupported("a product of more than 127 bits"))?,
        };
        let cut = to.extend(exact as u64);
        let back = if to.is_signed() { i128::from(cut as i64) } else { i128::from(cut) };
        Ok((Value::Int(cut), back != exact))
    }
}

fn float_binary(op: Binary, x: f64, y: f64, scalar: Scalar) -> Result<Value, ErrorKind> {
    match floating::compute(op, x, y, scalar.size == 4) {
        Some(Computed::Number(value)) => Ok(float_value(value, scalar)),
        Some(Computed::Truth(fact)) => Ok(Value::Int(fact.into())),
        None => Err(ErrorKind::Unsupported("an operator on floating values")),
    }
}
