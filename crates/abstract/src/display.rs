//! Predicates as text, in the names of the state variables.
//!
//! *Entry point:* [`text`].

use axle_decide::system::System;
use axle_decide::term::{BinaryOp, Term, TermId, Terms, mask, signed};

/// The most characters of an operand before it is shortened.
const MOST: usize = 400;

/// A condition in the form of an expression. Numbers are written as signed ones where operators have a sign.
#[must_use]
pub fn text(system: &System, terms: &Terms, id: TermId) -> String {
    // Terms share their parts, so that a text may be exponentially longer than its term.
    let mut written = operand(system, terms, id, true, Level { depth: 0 });
    if written.len() > MOST {
        let end = (0..=MOST).rev().find(|at| written.is_char_boundary(*at)).unwrap_or_default();
        written.truncate(end);
        written.push_str(" ...");
    }
    written
}

/// The negation of a condition whose text is known.
#[must_use]
pub(crate) fn negation(system: &System, terms: &Terms, id: TermId, own: &str) -> String {
    let (symbol, a, b, is_signed) = match terms.get(id) {
        Term::Binary(BinaryOp::Eq, a, b) => ("!=", a, b, true),
        Term::Binary(BinaryOp::SLt, a, b) => (">=", a, b, true),
        Term::Binary(BinaryOp::ULt, a, b) => (">=", a, b, false),
        Term::Variable(_) => return format!("!{own}"),
        _ => return format!("!({own})"),
    };
    let side = |of: TermId| operand(system, terms, of, is_signed, Level { depth: 1 });
    format!("{} {symbol} {}", side(a), side(b))
}

/// The number of operators around an operand.
#[derive(Clone, Copy)]
struct Level {
    depth: u32,
}

/// The most operators around an operand that is written.
const MOST_DEPTH: u32 = 9;

fn operand(system: &System, terms: &Terms, id: TermId, is_signed: bool, level: Level) -> String {
    let width = terms.width(id);
    let nested = level.depth > 0;
    let inside = Level { depth: level.depth + 1 };
    if level.depth > MOST_DEPTH {
        return "...".to_owned();
    }
    let of = |inner: TermId| operand(system, terms, inner, is_signed, inside);
    let binary = |op: &str, a: TermId, b: TermId, is_signed: bool| {
        let side = |inner| operand(system, terms, inner, is_signed, inside);
        let joined = format!("{} {op} {}", side(a), side(b));
        if nested { format!("({joined})") } else { joined }
    };
    match terms.get(id) {
        Term::Const(value) if is_signed && width > 1 => signed(width, value & mask(width)).to_string(),
        Term::Const(value) => value.to_string(),
        Term::Variable(_) => {
            let state = system.states.iter().find(|state| state.variable == id);
            state.map_or_else(|| "_".to_owned(), |state| state.name.clone())
        }
        Term::Not(a) if width == 1 => match terms.get(a) {
            Term::Binary(BinaryOp::Eq, x, y) => binary("!=", x, y, is_signed),
            Term::Binary(BinaryOp::ULt, x, y) => binary(">=", x, y, false),
            Term::Binary(BinaryOp::SLt, x, y) => binary(">=", x, y, true),
            _ => format!("!{}", of(a)),
        },
        Term::Not(a) => format!("~{}", of(a)),
        Term::Neg(a) => format!("-{}", of(a)),
        Term::If(c, a, b) => format!("({} -> {} : {})", of(c), of(a), of(b)),
        Term::Extract(low, a) => format!("{}[{}:{low}]", of(a), low + width - 1),
        Term::ZeroExtend(a) => operand(system, terms, a, false, inside),
        Term::SignExtend(a) => of(a),
        Term::Binary(op, a, b) => {
            let conditions = terms.width(a) == 1;
            let (symbol, is_signed) = match op {
                BinaryOp::And if conditions => ("&&", is_signed),
                BinaryOp::Or if conditions => ("||", is_signed),
                BinaryOp::And => ("&", is_signed),
                BinaryOp::Or => ("|", is_signed),
                BinaryOp::Xor => ("^", is_signed),
                BinaryOp::Add => ("+", is_signed),
                BinaryOp::Mul => ("*", is_signed),
                BinaryOp::UDiv => ("/", false),
                BinaryOp::SDiv => ("/", true),
                BinaryOp::URem => ("%", false),
                BinaryOp::SRem => ("%", true),
                BinaryOp::Shl => ("<<", is_signed),
                BinaryOp::LShr => (">>", false),
                BinaryOp::AShr => (">>", true),
                BinaryOp::Eq => ("==", is_signed),
                BinaryOp::ULt => ("<", false),
                BinaryOp::SLt => ("<", true),
                BinaryOp::Concat => ("::", false),
            };
            binary(symbol, a, b, is_signed)
        }
    }
}
