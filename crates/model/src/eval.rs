//! Evaluation of expressions, for every component that computes values: the interpreter, and the
//! analyses that evaluate with the values known before a search.
//!
//! *Entry points:* [`eval`] for an [`Environment`]; [`unary`] and [`binary`] for values.
//! *Invariant:* the operators of the whole project are defined here; generated code is compared with
//! them (`crates/step/tests`).

use crate::expr::{BinOp, Expr, UnOp};
use crate::types::IntType;

/// The part of an evaluation that depends on a state.
pub trait Environment {
    /// The reason that ends an evaluation without a value; `Infallible` if there is none.
    type Stop;

    /// The value of an expression that refers to the state: every expression without operators of
    /// its own.
    fn primary(&mut self, expr: &Expr) -> Result<i64, Self::Stop>;

    /// The value of a quotient with divisor 0.
    fn division_by_zero(&mut self) -> Result<i64, Self::Stop>;
}

/// The value of an expression.
#[inline]
pub fn eval<E: Environment>(env: &mut E, expr: &Expr) -> Result<i64, E::Stop> {
    Ok(match expr {
        Expr::Const(value) => *value,
        Expr::Unary(op, ty, operand) => unary(*op, *ty, eval(env, operand)?),
        Expr::Binary(op, ty, lhs, rhs) => {
            let (lhs, rhs) = (eval(env, lhs)?, eval(env, rhs)?);
            match binary(*op, *ty, lhs, rhs) {
                Some(value) => value,
                None => env.division_by_zero()?,
            }
        }
        Expr::Convert(ty, operand) => ty.wrap(eval(env, operand)?),
        Expr::And(lhs, rhs) => i64::from(eval(env, lhs)? != 0 && eval(env, rhs)? != 0),
        Expr::Or(lhs, rhs) => i64::from(eval(env, lhs)? != 0 || eval(env, rhs)? != 0),
        Expr::Cond(cond, then, other) => {
            let chosen = if eval(env, cond)? != 0 { then } else { other };
            eval(env, chosen)?
        }
        Expr::Load(_)
        | Expr::Channel(_)
        | Expr::Query(..)
        | Expr::CanReceive { .. }
        | Expr::Timeout
        | Expr::SelfPid
        | Expr::ProcessCount
        | Expr::LastPid
        | Expr::NonProgress
        | Expr::Enabled(_)
        | Expr::Location(_)
        | Expr::Priority(_)
        | Expr::AtLocation { .. } => env.primary(expr)?,
    })
}

/// A unary operator on a value.
pub fn unary(op: UnOp, ty: IntType, value: i64) -> i64 {
    match op {
        UnOp::Neg => ty.wrap(value.wrapping_neg()),
        UnOp::BitNot => ty.wrap(!value),
        UnOp::Not => i64::from(value == 0),
    }
}

/// A binary operator on two values of the type; `None` is a division by zero.
pub fn binary(op: BinOp, ty: IntType, lhs: i64, rhs: i64) -> Option<i64> {
    // An unsigned 64-bit value is represented by the same bits; order and quotients then differ.
    let wide = !ty.signed && ty.bits == 64;
    let less = |a: i64, b: i64| if wide { (a as u64) < b as u64 } else { a < b };
    // x86 masks a shift amount by the width of the register to which the operand is promoted.
    let amount = if ty.bits > 32 { rhs & 63 } else { rhs & 31 } as u32;
    let value = match op {
        BinOp::Add => lhs.wrapping_add(rhs),
        BinOp::Sub => lhs.wrapping_sub(rhs),
        BinOp::Mul => lhs.wrapping_mul(rhs),
        BinOp::Div | BinOp::Rem if rhs == 0 => return None,
        BinOp::Div if wide => (lhs as u64 / rhs as u64) as i64,
        BinOp::Rem if wide => (lhs as u64 % rhs as u64) as i64,
        BinOp::Div => lhs.wrapping_div(rhs),
        BinOp::Rem => lhs.wrapping_rem(rhs),
        BinOp::Shl => ((lhs as u64) << amount) as i64,
        BinOp::Shr if wide => (lhs as u64 >> amount) as i64,
        BinOp::Shr => lhs >> amount,
        BinOp::BitAnd => lhs & rhs,
        BinOp::BitOr => lhs | rhs,
        BinOp::BitXor => lhs ^ rhs,
        BinOp::Eq => return Some(i64::from(lhs == rhs)),
        BinOp::Ne => return Some(i64::from(lhs != rhs)),
        BinOp::Lt => return Some(i64::from(less(lhs, rhs))),
        BinOp::Le => return Some(i64::from(!less(rhs, lhs))),
        BinOp::Gt => return Some(i64::from(less(rhs, lhs))),
        BinOp::Ge => return Some(i64::from(!less(lhs, rhs))),
    };
    Some(ty.wrap(value))
}
