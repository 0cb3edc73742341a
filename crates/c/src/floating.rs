//! Operators on floating values, for constant expressions and for execution, and the functions of
//! `math.h`.
//!
//! *Entry points:* [`compute`], [`Real::of`].
//! *Invariant:* operations of type `float` are computed in single precision, because rounding a
//! double-precision result may differ (double rounding).

use crate::operators::Binary;

/// The result of an operator on two floating values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Computed {
    /// A number.
    Number(f64),
    /// The result of a comparison.
    Truth(bool),
}

/// The value of `x op y`, in type `float` if `single`; `None` for operators that floating types do
/// not have.
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

/// The implementation of a function of `math.h`.
enum By {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

use By::{One, Two};

macro_rules! functions {
    ($($variant:ident = $($name:literal)|+ => $by:expr),* $(,)?) => {
        /// A function of `math.h` that the interpreter executes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Real {
            $(#[doc = concat!($("`", $name, "` "),+)] $variant),*
        }

        impl Real {
            /// The function with this name.
            pub fn find(name: &str) -> Option<Real> {
                match name {
                    $($($name)|+ => Some(Real::$variant),)*
                    _ => None,
                }
            }

            /// The name of the function, for messages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Real::$variant => [$($name),+][0]),*
                }
            }

            fn by(self) -> By {
                match self {
                    $(Real::$variant => $by),*
                }
            }
        }
    };
}

functions! {
    Fabs = "fabs" | "__axle_fabs" => One(f64::abs),
    Sqrt = "sqrt" | "__axle_sqrt" => One(f64::sqrt),
    Floor = "floor" | "__axle_floor" => One(f64::floor),
    Ceil = "ceil" | "__axle_ceil" => One(f64::ceil),
    Exp = "exp" | "__axle_exp" => One(f64::exp),
    Exp2 = "exp2" => One(f64::exp2),
    Expm1 = "expm1" => One(f64::exp_m1),
    Log = "log" | "__axle_log" => One(f64::ln),
    Log2 = "log2" => One(f64::log2),
    Log10 = "log10" => One(f64::log10),
    Log1p = "log1p" => One(f64::ln_1p),
    Cbrt = "cbrt" => One(f64::cbrt),
    Round = "round" | "__axle_round" => One(f64::round),
    Trunc = "trunc" | "__axle_trunc" => One(f64::trunc),
    Sin = "sin" | "__axle_sin" => One(f64::sin),
    Cos = "cos" | "__axle_cos" => One(f64::cos),
    Tan = "tan" | "__axle_tan" => One(f64::tan),
    Asin = "asin" => One(f64::asin),
    Acos = "acos" => One(f64::acos),
    Atan = "atan" => One(f64::atan),
    Sinh = "sinh" => One(f64::sinh),
    Cosh = "cosh" => One(f64::cosh),
    Tanh = "tanh" => One(f64::tanh),
    Fmod = "fmod" | "__axle_fmod" => Two(|a, b| a % b),
    Pow = "pow" | "__axle_pow" => Two(f64::powf),
    Atan2 = "atan2" => Two(f64::atan2),
    Hypot = "hypot" => Two(f64::hypot),
    Fmin = "fmin" => Two(f64::min),
    Fmax = "fmax" => Two(f64::max),
}

impl Real {
    /// The number of arguments.
    pub fn arguments(self) -> usize {
        match self.by() {
            One(_) => 1,
            Two(_) => 2,
        }
    }

    /// The value of the function; a unary function ignores the second argument.
    pub fn of(self, [a, b]: [f64; 2]) -> f64 {
        match self.by() {
            One(of) => of(a),
            Two(of) => of(a, b),
        }
    }
}
