//! Terms as text in SMT-LIB, for other solvers. Terms of width 1 are bit vectors, not Booleans.
//!
//! *Entry points:* [`declarations`], [`definitions`], [`Names`].
//! *Invariant:* each definition precedes its uses.

use std::fmt::Write;

use crate::term::{BinaryOp, Term, TermId, Terms};

/// The names of terms in one of several copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Names {
    /// The number of the copy.
    pub frame: usize,
}

impl Names {
    /// The name of a term.
    #[must_use]
    pub fn name(self, terms: &Terms, id: TermId) -> String {
        let frame = self.frame;
        match terms.get(id) {
            Term::Const(value) => constant(terms.width(id), value),
            Term::Variable(number) if frame == 0 => format!("v{number}"),
            Term::Variable(number) => format!("v{number}_{frame}"),
            _ if frame == 0 => format!("t{}", id.index()),
            _ => format!("t{}_{frame}", id.index()),
        }
    }
}

/// The name of a term in the first copy.
#[must_use]
pub fn name(terms: &Terms, id: TermId) -> String {
    Names { frame: 0 }.name(terms, id)
}

/// A number of some width.
#[must_use]
pub fn constant(width: u8, value: u128) -> String {
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
        if let Some(body) = body(terms, id, Names { frame: 0 }) {
            let _ =
                writeln!(text, "(define-fun {} () (_ BitVec {}) {body})", name(terms, id), terms.width(id));
        }
    }
    text
}

/// The operator that defines a term; none for numbers and variables.
#[must_use]
pub fn body(terms: &Terms, id: TermId, names: Names) -> Option<String> {
    let of = |operand| names.name(terms, operand);
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
