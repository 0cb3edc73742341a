//! Formulas that rarely express the intention of their author.
//!
//! The shapes are those that teachers of temporal logic warn of (Holzmann, The Spin model checker,
//! 2003, chapter 6, on `p -> <> q`).
//!
//! *Entry points:* [`Parser::misread`], for a whole formula, and [`Parser::half_covered`], where
//! two parts meet.
//! *Invariant:* each is legal, is kept as it is written, and comes with the text to write where the
//! warning is right.

use axle_source::{Diagnostic, Loc as Place};

use super::Parser;
use crate::ast::{Formula, FormulaKind, TemporalOp};

impl Parser<'_> {
    /// Warns of a whole formula.
    pub(super) fn misread(&mut self, formula: &Formula) {
        let place = formula.loc.0;
        match &formula.kind {
            FormulaKind::Binary(TemporalOp::Implies, left, _) if is_plain(left) => {
                let trap = Diagnostic::warning("W0203", "this says something of the first state only")
                    .at(place, "there is no `[]` around the implication")
                    .help("write `[] (...)` around it if it is meant of every state");
                self.diagnostics.push(trap);
            }
            FormulaKind::Eventually(inner)
                if matches!(inner.kind, FormulaKind::Binary(TemporalOp::Implies, ..)) =>
            {
                let trap = Diagnostic::warning("W0205", "this holds as soon as the left side is false once")
                    .at(place, "`<>` around an implication")
                    .help("write `[] (p -> <> q)` if one thing leads to the other, `<> (p && q)` if both come at once");
                self.diagnostics.push(trap);
            }
            _ => {}
        }
    }

    /// Warns of `[] p && q` and `[] p -> q`: the second operand is outside the operator. `bare` says
    /// that the left part begins with it, and not with a bracket.
    pub(super) fn half_covered(
        &mut self,
        op: TemporalOp,
        left: &Formula,
        right: &Formula,
        bare: bool,
        at: Place,
    ) {
        let (FormulaKind::Always(inner) | FormulaKind::Eventually(inner)) = &left.kind else { return };
        let always = matches!(left.kind, FormulaKind::Always(_));
        let doubtful = match op {
            TemporalOp::And | TemporalOp::Or => is_plain(right),
            // `[] p -> [] q` is a sentence of its own: if the one always holds, so does the other.
            TemporalOp::Implies => always && !matches!(right.kind, FormulaKind::Always(_)),
            TemporalOp::Iff | TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release => false,
        };
        if bare && doubtful && is_plain(inner) {
            let name = if always { "[]" } else { "<>" };
            let trap = Diagnostic::warning("W0204", format!("`{name}` covers only what stands before this"))
                .at(at, "")
                .also(left.loc.0, "this is all that it covers")
                .help(format!("write `{name} (...)` around the whole, or brackets around the left side"));
            self.diagnostics.push(trap);
        }
    }
}

/// Without temporal operators, but for connectives between expressions.
fn is_plain(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) => true,
        FormulaKind::Not(inner) => is_plain(inner),
        FormulaKind::Binary(
            TemporalOp::And | TemporalOp::Or | TemporalOp::Implies | TemporalOp::Iff,
            left,
            right,
        ) => is_plain(left) && is_plain(right),
        FormulaKind::Always(_) | FormulaKind::Eventually(_) | FormulaKind::Next(_) => false,
        FormulaKind::Binary(TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release, ..) => false,
    }
}
