//! What the parser does with array lengths that are not constant.
//!
//! *Entry point:* [`Lengths`].

use crate::tree::Expr;

/// The treatment of array lengths that are not constant.
#[derive(Clone, Default, Debug)]
pub(super) enum Lengths {
    #[default]
    Refused,
    /// In a prototype: the length is never used.
    Unspecified,
    /// The expressions that compute the lengths are collected here.
    Kept(Vec<Expr>),
    /// The same for a parameter, which is a pointer if it is declared as an array.
    Parameter(Vec<Expr>),
}

impl Lengths {
    /// Number of collected expressions.
    pub fn count(&self) -> usize {
        match self {
            Lengths::Kept(made) | Lengths::Parameter(made) => made.len(),
            Lengths::Refused | Lengths::Unspecified => 0,
        }
    }

    /// The last length in a declarator is computed first, as in GCC; C leaves the order
    /// unspecified.
    pub fn reverse_from(&mut self, start: usize) {
        if let Lengths::Kept(made) | Lengths::Parameter(made) = self {
            made[start..].reverse();
        }
    }

    /// The collected expressions.
    pub fn made(self) -> Vec<Expr> {
        match self {
            Lengths::Kept(made) | Lengths::Parameter(made) => made,
            Lengths::Refused | Lengths::Unspecified => Vec::new(),
        }
    }
}
