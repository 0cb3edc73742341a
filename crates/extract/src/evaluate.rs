//! The values of constant expressions of C.
//!
//! *Entry points:* [`value_of`], [`number`].

use crate::syntax::{Expr, Kind};

/// The value of an expression over numbers and names. None: it contains anything else, or is
/// undefined in C.
pub(crate) fn value_of(expr: &Expr, named: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
    let of = |expr: &Expr| value_of(expr, named);
    match &expr.kind {
        Kind::Name(name) => named(name),
        Kind::Literal(text) => number(text).ok()?.parse().ok(),
        Kind::Prefix("-", e) => of(e)?.checked_neg(),
        Kind::Prefix("+", e) => of(e),
        Kind::Prefix("!", e) => Some(i64::from(of(e)? == 0)),
        Kind::Prefix("~", e) => Some(!of(e)?),
        Kind::Binary("&&", a, b) => Some(i64::from(of(a)? != 0 && of(b)? != 0)),
        Kind::Binary("||", a, b) => Some(i64::from(of(a)? != 0 || of(b)? != 0)),
        Kind::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            match *op {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                "%" => a.checked_rem(b),
                "&" => Some(a & b),
                "|" => Some(a | b),
                "^" => Some(a ^ b),
                "<<" => u32::try_from(b).ok().filter(|&b| b < 31).map(|b| a << b),
                ">>" => u32::try_from(b).ok().filter(|&b| b < 31).map(|b| a >> b),
                "<" => Some(i64::from(a < b)),
                ">" => Some(i64::from(a > b)),
                "<=" => Some(i64::from(a <= b)),
                ">=" => Some(i64::from(a >= b)),
                "==" => Some(i64::from(a == b)),
                "!=" => Some(i64::from(a != b)),
                _ => None,
            }
        }
        Kind::Cond(c, Some(a), b) => of(if of(c)? != 0 { a } else { b }),
        _ => None,
    }
}

/// A number without suffix, in decimal.
pub(crate) fn number(text: &str) -> Result<String, String> {
    if text.starts_with('\'') {
        return Ok(text.to_string());
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(&digits[2..], 16),
        Some("0b" | "0B") => i64::from_str_radix(&digits[2..], 2),
        _ if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        _ => digits.parse(),
    };
    match value {
        Ok(value) => Ok(value.to_string()),
        Err(_) => Err(format!("`{text}` is not an integer of Promela")),
    }
}
