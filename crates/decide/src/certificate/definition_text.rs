//! The text of a term in a certificate: its operators in order, separated by spaces. Operands are
//! positions of operators.
//!
//! `$count` is a state variable, `#16:5` a number in some number of bits, `bvult:0:1` a binary operator
//! with its name in SMT-LIB. The other operators are `not`, `neg`, `ite`, `extract:low:bits:operand`,
//! `zero:bits:operand` and `sign:bits:operand`.
//!
//! *Entry points:* [`write`], [`read`].
//! *Invariant:* reading what was written returns an equal definition, and every other text is refused.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::definition::{Definition, Operator};
use crate::smtlib::operator;
use crate::system::System;
use crate::term::{BinaryOp, Term, TermId};

const BINARY: [BinaryOp; 16] = {
    use BinaryOp::{AShr, Add, And, Concat, Eq, LShr, Mul, Or, SDiv, SLt, SRem, Shl, UDiv, ULt, URem, Xor};
    [And, Or, Xor, Add, Mul, UDiv, URem, SDiv, SRem, Shl, LShr, AShr, Eq, ULt, SLt, Concat]
};

/// The operators, each after a space.
pub(super) fn write(system: &System, definition: &Definition) -> String {
    let mut text = String::new();
    for (term, width) in definition.operators() {
        let _ = match *term {
            Term::Const(value) => write!(text, " #{width}:{value}"),
            Term::Variable(of) => write!(text, " ${}", system.states[of as usize].name),
            Term::Not(a) => write!(text, " not:{}", a.index()),
            Term::Neg(a) => write!(text, " neg:{}", a.index()),
            Term::Binary(op, a, b) => write!(text, " {}:{}:{}", operator(op), a.index(), b.index()),
            Term::If(c, a, b) => write!(text, " ite:{}:{}:{}", c.index(), a.index(), b.index()),
            Term::Extract(low, a) => write!(text, " extract:{low}:{width}:{}", a.index()),
            Term::ZeroExtend(a) => write!(text, " zero:{width}:{}", a.index()),
            Term::SignExtend(a) => write!(text, " sign:{width}:{}", a.index()),
        };
    }
    text
}

/// The definition by operators over listed variables; none if the text is malformed.
pub(super) fn read(system: &System, listed: &FxHashMap<&str, usize>, text: &str) -> Option<Definition> {
    let mut operators: Vec<Operator> = Vec::new();
    for token in text.split(' ') {
        let operator = match token.strip_prefix('$') {
            Some(name) => {
                let of = *listed.get(name)?;
                (Term::Variable(of as u32), system.states[of].ty.bits)
            }
            None => operation(&operators, token)?,
        };
        operators.push(operator);
    }
    let definition = Definition::from_operators(operators)?;
    // Every definition has one text.
    (write(system, &definition).strip_prefix(' ') == Some(text)).then_some(definition)
}

/// An operator other than a variable.
fn operation(before: &[Operator], token: &str) -> Option<Operator> {
    if let Some(number) = token.strip_prefix('#') {
        let (width, value) = number.split_once(':')?;
        return Some((Term::Const(value.parse().ok()?), width.parse().ok()?));
    }
    let parts: Vec<&str> = token.split(':').collect();
    let (name, operands) = parts.split_first()?;
    let operands: Vec<u32> = operands.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let width = |of: u32| before.get(of as usize).map(|(_, width)| *width);
    let small = |number: u32| u8::try_from(number).ok();
    match (*name, &operands[..]) {
        ("not", [a]) => Some((Term::Not(TermId(*a)), width(*a)?)),
        ("neg", [a]) => Some((Term::Neg(TermId(*a)), width(*a)?)),
        ("ite", [c, a, b]) => Some((Term::If(TermId(*c), TermId(*a), TermId(*b)), width(*a)?)),
        ("extract", [low, bits, a]) => Some((Term::Extract(small(*low)?, TermId(*a)), small(*bits)?)),
        ("zero", [bits, a]) => Some((Term::ZeroExtend(TermId(*a)), small(*bits)?)),
        ("sign", [bits, a]) => Some((Term::SignExtend(TermId(*a)), small(*bits)?)),
        (_, [a, b]) => {
            let op = BINARY.into_iter().find(|op| operator(*op) == *name)?;
            let bits = match op {
                BinaryOp::Concat => width(*a)?.checked_add(width(*b)?)?,
                op if op.is_comparison() => 1,
                _ => width(*a)?,
            };
            Some((Term::Binary(op, TermId(*a), TermId(*b)), bits))
        }
        _ => None,
    }
}
