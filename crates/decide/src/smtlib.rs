//! Terms as text in SMT-LIB, for other solvers. Terms of width 1 are bit vectors, not Booleans.
//!
//! *Entry points:* [`declarations`], [`definitions`], [`name`].
//! *Invariant:* each definition precedes its uses.

use std::fmt::Write;

use crate::term::{BinaryOp, Term, TermId, Terms};

/// The name of a term.
#[must_use]
pub fn name(terms: &Terms, id: TermId) -> String {
    match terms.get(id) {
        Term::Const(value) => constant(terms.width(id), value),
        Term::Variable(number) => format!("v{number}"),
        _ => format!("t{}", id.index()),
    }
}

fn constant(width: u8, value: u128) -> String {
    format!("#b{value:0width$b}", width = usize::from(width))
}

/// The declarations of all variables.
#[must_use]
pub fn declarations(terms: &Terms) -> String {
    let mut text = String::new();
    for id in terms.variables() {
        let _ = writeln!(text, "(declare-const {} (_ BitVec {}))", name(terms, *id), terms.width(*id));
    }
    text
}

/// The definitions of the operators in some terms.
#[must_use]
pub fn definitions(terms: &Terms, roots: impl IntoIterator<Item = TermId>) -> String {
    let mut text = String::new();
    for id in terms.cone(roots) {
        if let Some(body) = body(terms, id) {
            let _ =
                writeln!(text, "(define-fun {} () (_ BitVec {}) {body})", name(terms, id), terms.width(id));
        }
    }
    text
}

fn body(terms: &Terms, id: TermId) -> Option<String> {
    let of = |operand| name(terms, operand);
    let width = terms.width(id);
    Some(match terms.get(id) {
        Term::Const(_) | Term::Variable(_) => return None,
        Term::Not(a) => format!("(bvnot {})", of(a)),
        Term::Neg(a) => format!("(bvneg {})", of(a)),
        Term::If(condition, a, b) => format!("(ite (= {} #b1) {} {})", of(condition), of(a), of(b)),
        Term::Extract(low, a) => format!("((_ extract {} {low}) {})", low + width - 1, of(a)),
        Term::ZeroExtend(a) => format!("((_ zero_extend {}) {})", width - terms.width(a), of(a)),
        Term::SignExtend(a) => format!("((_ sign_extend {}) {})", width - terms.width(a), of(a)),
        Term::Binary(op, a, b) => {
            let applied = format!("({} {} {})", operator(op), of(a), of(b));
            if op.is_comparison() { format!("(ite {applied} #b1 #b0)") } else { applied }
        }
    })
}

/// The name of an operator.
#[must_use]
pub fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Add => "bvadd",
        BinaryOp::Mul => "bvmul",
        BinaryOp::UDiv => "bvudiv",
        BinaryOp::URem => "bvurem",
        BinaryOp::SDiv => "bvsdiv",
        BinaryOp::SRem => "bvsrem",
        BinaryOp::Shl => "bvshl",
        BinaryOp::LShr => "bvlshr",
        BinaryOp::AShr => "bvashr",
        BinaryOp::Eq => "=",
        BinaryOp::ULt => "bvult",
        BinaryOp::SLt => "bvslt",
        BinaryOp::Concat => "concat",
    }
}
