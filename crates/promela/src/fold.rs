//! Construction of expressions with constant folding: operators on constants are computed at
//! once, exactly as C's `int` would.
//!
//! *Entry points:* [`binary`], [`unary`], [`and`], [`or`], [`cond`].
//!
//! *Invariant:* nothing that could be a fault at run time (a division by zero) is folded away.

use axle_model::{BinOp, Expr, IntType, UnOp};

/// `op a`.
pub(crate) fn unary(op: UnOp, a: Expr) -> Expr {
    match (&op, a) {
        (UnOp::Neg, Expr::Const(v)) => Expr::Const(IntType::I32.wrap(v.wrapping_neg())),
        (UnOp::BitNot, Expr::Const(v)) => Expr::Const(IntType::I32.wrap(!v)),
        (UnOp::Not, Expr::Const(v)) => Expr::Const(i64::from(v == 0)),
        (_, a) => Expr::Unary(op, IntType::I32, Box::new(a)),
    }
}

/// `a op b`.
pub(crate) fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    if let (Expr::Const(x), Expr::Const(y)) = (&a, &b)
        && let Some(value) = compute(op, *x, *y)
    {
        return Expr::Const(IntType::I32.wrap(value));
    }
    Expr::int(op, a, b)
}

fn compute(op: BinOp, x: i64, y: i64) -> Option<i64> {
    let shift = (y & 31) as u32;
    Some(match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem => x.checked_rem(y)?,
        BinOp::Shl => x << shift,
        BinOp::Shr => x >> shift,
        BinOp::BitAnd => x & y,
        BinOp::BitOr => x | y,
        BinOp::BitXor => x ^ y,
        BinOp::Eq => i64::from(x == y),
        BinOp::Ne => i64::from(x != y),
        BinOp::Lt => i64::from(x < y),
        BinOp::Le => i64::from(x <= y),
        BinOp::Gt => i64::from(x > y),
        BinOp::Ge => i64::from(x >= y),
    })
}

/// `a && b`.
pub(crate) fn and(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Const(0), _) => Expr::Const(0),
        (Expr::Const(_), Expr::Const(y)) => Expr::Const(i64::from(*y != 0)),
        (Expr::Const(_), b) if is_boolean(b) => b.clone(),
        _ => Expr::And(Box::new(a), Box::new(b)),
    }
}

/// `a || b`.
pub(crate) fn or(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Const(0), Expr::Const(y)) => Expr::Const(i64::from(*y != 0)),
        (Expr::Const(0), b) if is_boolean(b) => b.clone(),
        (Expr::Const(x), _) if *x != 0 => Expr::Const(1),
        _ => Expr::Or(Box::new(a), Box::new(b)),
    }
}

/// All of them hold. The tree is balanced, so that a thousand conditions do not nest a thousand
/// deep.
pub(crate) fn all(conditions: Vec<Expr>) -> Expr {
    balanced(conditions, &and).unwrap_or(Expr::TRUE)
}

/// At least one of them holds; balanced as well.
pub(crate) fn any(conditions: Vec<Expr>) -> Expr {
    balanced(conditions, &or).unwrap_or(Expr::Const(0))
}

fn balanced(mut conditions: Vec<Expr>, join: &dyn Fn(Expr, Expr) -> Expr) -> Option<Expr> {
    let right = match conditions.len() {
        0 | 1 => return conditions.pop(),
        len => conditions.split_off(len / 2),
    };
    match (balanced(conditions, join), balanced(right, join)) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

/// `(c -> a : b)`.
pub(crate) fn cond(c: Expr, a: Expr, b: Expr) -> Expr {
    match c {
        Expr::Const(0) => b,
        Expr::Const(_) => a,
        c => Expr::Cond(Box::new(c), Box::new(a), Box::new(b)),
    }
}

/// Whether the value can only be 0 or 1.
fn is_boolean(e: &Expr) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    match e {
        Expr::Binary(op, ..) => matches!(op, Eq | Ne | Lt | Le | Gt | Ge),
        Expr::Unary(UnOp::Not, ..) | Expr::And(..) | Expr::Or(..) | Expr::CanReceive { .. } => true,
        Expr::Timeout | Expr::NonProgress | Expr::Enabled(_) | Expr::AtLocation { .. } => true,
        Expr::Const(v) => matches!(v, 0 | 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(op: BinOp, x: i64, y: i64) -> Option<i64> {
        match binary(op, Expr::Const(x), Expr::Const(y)) {
            Expr::Const(v) => Some(v),
            _ => None,
        }
    }

    #[test]
    fn constants_are_computed_as_c_computes_them() {
        let table = [
            (BinOp::Add, i64::from(i32::MAX), 1, Some(i64::from(i32::MIN))),
            (BinOp::Div, -7, 2, Some(-3)),
            (BinOp::Rem, -7, 2, Some(-1)),
            (BinOp::Div, 7, 0, None),
            (BinOp::Rem, 7, 0, None),
            (BinOp::Shl, 1, 31, Some(i64::from(i32::MIN))),
            (BinOp::Shr, -8, 1, Some(-4)),
            (BinOp::Div, i64::from(i32::MIN), -1, Some(i64::from(i32::MIN))),
            (BinOp::Lt, -1, 0, Some(1)),
        ];
        for (op, x, y, want) in table {
            assert_eq!(fold(op, x, y), want, "{x} {op:?} {y}");
        }
    }

    #[test]
    fn short_circuits_keep_what_may_be_a_fault() {
        let division = || binary(BinOp::Div, Expr::Const(1), Expr::Const(0));
        assert_eq!(and(Expr::Const(0), division()), Expr::Const(0));
        assert!(matches!(and(Expr::Const(1), division()), Expr::And(..)));
        assert!(matches!(and(division(), Expr::Const(0)), Expr::And(..)));
    }
}
