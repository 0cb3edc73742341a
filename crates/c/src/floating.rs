//! The operators of floating values, for constants and for execution alike. Main function: [`compute`]. Kept: an
//! operation of type `float` is computed in that type; rounding the result for doubles would not always be the same.

use crate::tree::Binary;

/// What an operator on two floating values gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Computed {
    Number(f64),
    Truth(bool),
}

/// The value of `x op y`, of type `float` where `single`; nothing for operators that floating values do not have.
pub fn compute(op: Binary, x: f64, y: f64, single: bool) -> Option<Computed> {
    let number = |narrow: fn(f32, f32) -> f32, wide: fn(f64, f64) -> f64| {
        Computed::Number(if single { narrow(x as f32, y as f32).into() } else { wide(x, y) })
    };
    Some(match op {
        Binary::Add => number(|a, b| a + b, |a, b| a + b),
        Binary::Sub => number(|a, b| a - b, |a, b| a - b),
        Binary::Mul => number(|a, b| a * b, |a, b| a * b),
        Binary::Div => number(|a, b| a / b, |a, b| a / b),
        Binary::Lt => Computed::Truth(x < y),
        Binary::Le => Computed::Truth(x <= y),
        Binary::Gt => Computed::Truth(x > y),
        Binary::Ge => Computed::Truth(x >= y),
        Binary::Eq => Computed::Truth(x == y),
        Binary::Ne => Computed::Truth(x != y),
        Binary::Rem | Binary::Shl | Binary::Shr | Binary::And | Binary::Or | Binary::Xor | Binary::Nand => {
            return None;
        }
    })
}
