//! Determines inputs that cannot influence the behaviour of the program (non-interference), such as
//! a random delay that is passed to `sleep` and printed. One value of such an input represents all.
//! A forward taint analysis, as in `clocks.rs`, follows the values computed from the input. It
//! tracks an interval for each, so that arithmetic errors are excluded.
//!
//! *Entry point:* [`is_irrelevant`].
//! *Source:* D. E. Denning and P. J. Denning, "Certification of programs for secure information
//! flow", CACM 1977.
//! *Invariant:* a tainted value reaches only arithmetic without errors, printed arguments of
//! `printf` and `fprintf`, and durations of sleeps. The result of a sleep depends on a duration
//! only if the duration may be invalid.

use std::collections::BTreeMap;

use crate::analysis::data_flow::{Known, Lost, forward};
use crate::analysis::liveness::is_live;
use crate::code::{Arg, Class, Code, Op, Scalar};
use crate::library::Lib;
use crate::operators::{Binary, Unary};

/// The taint of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputTaint {
    /// An integer computed from the input, with its minimum and maximum.
    Value(i128, i128),
    /// A floating value computed from the input.
    Real,
    /// An address in the variable with this slot.
    Place(u32),
}

use InputTaint::{Place, Real, Value};

type State = Known<InputTaint>;

/// Tainted variables with the bounds of their values.
type Kept = BTreeMap<u32, (i128, i128)>;

/// Whether the program behaves identically for all values of the input at a step. `range` is the
/// range of the input. `errno` is true if the program uses `errno`. `text` returns the contents of
/// an argument that is a string literal.
pub fn is_irrelevant<'a>(
    code: &Code,
    input: u32,
    range: (i128, i128),
    errno: bool,
    text: &impl Fn(Arg) -> Option<&'a [u8]>,
) -> bool {
    let mut kept = Kept::new();
    loop {
        let known = kept.clone();
        let pass = forward(
            code,
            Known::new(),
            |pc, op, state| {
                let result = step(code, pc, op, state, &mut kept, errno, text)?;
                Ok(if pc == input { Some(Value(range.0, range.1)) } else { result })
            },
            meet,
        );
        if pass.is_err() {
            return false;
        }
        if kept == known {
            return true;
        }
    }
}

/// An arbitrary value: on one of the paths it is not computed from the input.
const ANY: InputTaint = Value(i64::MIN as i128, u64::MAX as i128);

/// The bounds of an arbitrary value.
const WIDE: (i128, i128) = (i64::MIN as i128, u64::MAX as i128);

/// Adds an interval to the possible values of a variable.
fn keep(kept: &mut Kept, slot: u32, (low, high): (i128, i128)) {
    let ends = kept.entry(slot).or_insert((low, high));
    *ends = (ends.0.min(low), ends.1.max(high));
}

/// The taint at a join of two paths. A value that is tainted on one path only is arbitrary on the
/// other; an address on one path only is not supported.
fn meet(one: Option<InputTaint>, other: Option<InputTaint>) -> Result<InputTaint, Lost> {
    match (one, other) {
        (Some(Value(a, b)), Some(Value(c, d))) => Ok(Value(a.min(c), b.max(d))),
        (Some(one), Some(other)) if one == other => Ok(one),
        (Some(Value(..)), None) | (None, Some(Value(..))) => Ok(ANY),
        (Some(Real), None) | (None, Some(Real)) => Ok(Real),
        _ => Err(Lost),
    }
}

/// The range of an integer type.
fn ends(scalar: Scalar) -> Result<(i128, i128), Lost> {
    let bits = scalar.bits().min(64);
    match scalar.class {
        Class::Bool => Ok((0, 1)),
        Class::Signed => Ok((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        Class::Unsigned => Ok((0, (1 << bits) - 1)),
        Class::Pointer | Class::Float => Err(Lost),
    }
}

/// The transfer function: the taint of the result.
fn step<'a>(
    code: &Code,
    pc: u32,
    op: &Op,
    state: &State,
    kept: &mut Kept,
    errno: bool,
    text: &impl Fn(Arg) -> Option<&'a [u8]>,
) -> Result<Option<InputTaint>, Lost> {
    let what = |arg: &Arg| match arg {
        Arg::Reg(reg) => state.get(reg).copied(),
        Arg::Int(_) | Arg::Static(..) => None,
    };
    let is_value = |arg: &Arg| matches!(what(arg), Some(Value(..) | Real));
    let holds = |arg: &Arg| matches!(what(arg), Some(Place(slot)) if kept.contains_key(&slot));
    Ok(match op {
        Op::Move { src, .. } => what(src),
        Op::Convert { a, to, .. } => match what(a) {
            Some(Value(low, high)) => Some(match to.class {
                Class::Float => Real,
                _ => {
                    let (least, most) = ends(*to)?;
                    let fits = least <= low && high <= most;
                    if fits { Value(low, high) } else { Value(least, most) }
                }
            }),
            Some(Real) if to.class != Class::Float => return Err(Lost),
            other => other,
        },
        Op::Unary { op, a, scalar, .. } => match (what(a), op) {
            (None, _) => None,
            (Some(Value(..)), Unary::LogNot) => Some(Value(0, 1)),
            (Some(Value(..)), Unary::Not) => ends(*scalar).map(|(low, high)| Some(Value(low, high)))?,
            (Some(Value(low, high)), Unary::Neg) => Some(within((-high, -low), *scalar)?),
            (Some(Real), Unary::Neg) => Some(Real),
            _ => return Err(Lost),
        },
        Op::Binary { op, a, b, scalar, .. } if is_value(a) || is_value(b) => {
            Some(binary(*op, *scalar, (a, what(a)), (b, what(b)))?)
        }
        Op::SlotAddress { slot, .. } => Some(Place(*slot)),
        Op::PtrAdd { pointer, index, .. } => {
            if is_value(pointer) || what(index).is_some() {
                return Err(Lost);
            }
            what(pointer)
        }
        Op::Load { addr, mem, .. } => match what(addr) {
            Some(Value(..) | Real) => return Err(Lost),
            Some(Place(slot)) if kept.contains_key(&slot) => Some(match mem.scalar.class {
                Class::Float => Real,
                _ => ends(mem.scalar).map(|(low, high)| Value(low, high))?,
            }),
            Some(Place(_)) | None => None,
        },
        Op::Store { addr, value, mem, .. } => {
            match (what(addr), what(value)) {
                (Some(Place(slot)), Some(value @ (Value(..) | Real))) => {
                    // A store to a part of an integer changes the whole value.
                    let whole = mem.bits.is_none() && mem.scalar.size >= 8;
                    let ends = if let (Value(low, high), true) = (value, whole) { (low, high) } else { WIDE };
                    keep(kept, slot, ends);
                }
                (Some(Value(..) | Real), _) | (None, Some(Value(..) | Real)) => return Err(Lost),
                // The address of a tainted variable escapes.
                (_, Some(Place(slot))) if kept.contains_key(&slot) => return Err(Lost),
                (_, Some(Place(_)) | None) => {}
            }
            None
        }
        Op::Copy { to, from, .. } => {
            match (what(to), what(from)) {
                (Some(Place(to)), Some(Place(from))) if kept.contains_key(&from) => {
                    keep(kept, to, WIDE);
                }
                (None, Some(Place(from))) if kept.contains_key(&from) => return Err(Lost),
                (Some(Value(..) | Real), _) | (_, Some(Value(..) | Real)) => return Err(Lost),
                _ => {}
            }
            None
        }
        Op::Zero { to, .. } if !is_value(to) => None,
        // The duration is nondeterministic. The result is the remaining time after an interruption.
        Op::Lib { lib: Lib::Sleep, dst, .. } if !is_live(code, pc + 1, *dst) => None,
        // A nanosecond count of one second or more is invalid, and the result differs.
        Op::Lib { lib: lib @ (Lib::Nanosleep | Lib::ClockNanosleep), dst, args } => {
            let is_time = |arg: &Arg| match what(arg) {
                Some(Place(slot)) => {
                    kept.get(&slot).is_none_or(|(low, high)| *low >= 0 && *high <= 999_999_999)
                }
                other => other.is_none(),
            };
            let ignored = !is_live(code, pc + 1, *dst) && (!errno || *lib == Lib::ClockNanosleep);
            if !ignored && !args.iter().all(is_time) {
                return Err(Lost);
            }
            None
        }
        Op::Lib { lib, args, dst } if let Some(format) = lib.shown_format() => {
            let format = args.get(format).and_then(|format| text(*format));
            let shows =
                format.is_some_and(crate::analysis::inputs::only_shows) && !is_live(code, pc + 1, *dst);
            if args.iter().any(holds) || args.iter().any(is_value) && !shows {
                return Err(Lost);
            }
            None
        }
        Op::Live { .. } | Op::Dead { .. } => None,
        other => {
            // Any other use of a tainted value or of the address of a tainted variable.
            let mut fine = true;
            other.operands(|arg| fine &= !is_value(&arg) && !holds(&arg));
            if !fine {
                return Err(Lost);
            }
            None
        }
    })
}

/// The interval of a result: unsigned arithmetic wraps around, signed arithmetic must not overflow.
fn within((low, high): (i128, i128), scalar: Scalar) -> Result<InputTaint, Lost> {
    let (least, most) = ends(scalar)?;
    match (least <= low && high <= most, scalar.class) {
        (true, _) => Ok(Value(low, high)),
        (false, Class::Unsigned) => Ok(Value(least, most)),
        (false, _) => Err(Lost),
    }
}

/// The result of a binary operator with at least one tainted operand.
fn binary(
    op: Binary,
    scalar: Scalar,
    a: (&Arg, Option<InputTaint>),
    b: (&Arg, Option<InputTaint>),
) -> Result<InputTaint, Lost> {
    if matches!(op, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne) {
        let places = [a.1, b.1].iter().any(|what| matches!(what, Some(Place(_))));
        return if places { Err(Lost) } else { Ok(Value(0, 1)) };
    }
    if scalar.class == Class::Float {
        let divides = op == Binary::Div && !matches!(b.0, Arg::Int(bits) if *bits != 0);
        let computes = matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div);
        return if computes && !divides { Ok(Real) } else { Err(Lost) };
    }
    let (least, most) = ends(scalar)?;
    let interval = |(arg, what): (&Arg, Option<InputTaint>)| match (arg, what) {
        (_, Some(Value(low, high))) => Ok((low.max(least), high.min(most))),
        (_, Some(Real | Place(_))) | (Arg::Static(..), _) => Err(Lost),
        (Arg::Int(number), None) => {
            let number = if scalar.is_signed() { i128::from(*number as i64) } else { i128::from(*number) };
            if (least..=most).contains(&number) { Ok((number, number)) } else { Err(Lost) }
        }
        (Arg::Reg(_), None) => Ok((least, most)),
    };
    let ((low, high), (from, to)) = (interval(a)?, interval(b)?);
    if low > high || from > to {
        return Ok(Value(least, most));
    }
    match op {
        Binary::Add => within((low + from, high + to), scalar),
        Binary::Sub => within((low - to, high - from), scalar),
        Binary::Mul => {
            let ends = [low * from, low * to, high * from, high * to];
            within((ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0)), scalar)
        }
        Binary::Div | Binary::Rem => {
            // Division by zero, or of the minimum by -1.
            if from <= 0 && to >= 0 || scalar.is_signed() && low == least && from <= -1 && to >= -1 {
                return Err(Lost);
            }
            let size = low.abs().max(high.abs());
            let size = if op == Binary::Rem { size.min(from.abs().max(to.abs()) - 1) } else { size };
            Ok(if low >= 0 && from > 0 { Value(0, size) } else { Value(-size, size) })
        }
        Binary::Shr if from >= 0 && to < i128::from(scalar.bits()) => {
            Ok(if low >= 0 { Value(0, high) } else { Value(least, most) })
        }
        Binary::Shl if !scalar.is_signed() && from >= 0 && to < i128::from(scalar.bits()) => {
            Ok(Value(least, most))
        }
        Binary::And | Binary::Or | Binary::Xor | Binary::Nand => Ok(Value(least, most)),
        _ => Err(Lost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Scalar = Scalar::INT;
    const UNSIGNED: Scalar = Scalar { size: 4, class: Class::Unsigned };

    fn of(op: Binary, scalar: Scalar, a: (i128, i128), b: u64) -> Option<InputTaint> {
        binary(op, scalar, (&Arg::Reg(0), Some(Value(a.0, a.1))), (&Arg::Int(b), None)).ok()
    }

    #[test]
    fn intervals_are_those_of_the_type() {
        assert_eq!(of(Binary::Rem, INT, (0, i32::MAX.into()), 10), Some(Value(0, 9)));
        assert_eq!(of(Binary::Add, INT, (0, 9), 1), Some(Value(1, 10)));
        assert_eq!(of(Binary::Add, INT, (0, i32::MAX.into()), 1), None);
        assert_eq!(of(Binary::Add, UNSIGNED, (0, u32::MAX.into()), 1), Some(Value(0, u32::MAX.into())));
        assert_eq!(of(Binary::Mul, INT, (1, 10), 1_000_000), Some(Value(1_000_000, 10_000_000)));
        assert_eq!(of(Binary::Div, INT, (0, 9), 0), None);
        assert_eq!(of(Binary::Rem, INT, (i32::MIN.into(), 0), -1_i64 as u64), None);
        assert_eq!(of(Binary::Shl, INT, (0, 1), 1), None);
    }
}
