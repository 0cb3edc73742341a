//! `ltl name { formula }`: temporal operators over Promela's expressions.
//!
//! From loosest to tightest: `->` and `<->`, `||`, `&&`, `U`, `W` and `V`, then Promela's own
//! operators; `[]`, `<>`, `X` and `!` bind tightest. All group to the left, `->` too, as in Spin.
//! The words `always eventually next until stronguntil weakuntil release implies equivalent` and
//! the letters `U V W X` are operators here and nowhere else.
//!
//! *Entry point:* [`Parser::formula`].

use axle_source::{Diagnostic, Loc as Place};

use super::expr::{Parsed, binary_op};
use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, Formula, FormulaKind, Item, Ltl, TemporalOp, UnaryOp};
use crate::loc::Loc;
use crate::token::{Tok, Word};

/// What a part of a formula turned out to be.
enum Part {
    /// Without temporal operators.
    Plain(Parsed),
    /// With; and its height.
    Temporal(Formula, u32),
}

/// A binary operator of formulas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Temporal(TemporalOp),
    Plain(BinaryOp),
}

/// How tightly `->` and `<->` bind.
const IMPLICATION: u8 = 1;
/// How tightly `U`, `W` and `V` bind.
const UNTIL: u8 = 4;

impl Parser<'_> {
    pub(super) fn ltl(&mut self) -> Parse<Item> {
        let first = self.bump();
        let name = self.optional_name()?;
        let open = self.expect(Tok::LBrace, "`{` and a formula")?;
        self.in_formula = true;
        let formula = self.formula()?;
        while self.eat(Tok::Semi) {}
        if self.tok() != Tok::RBrace {
            let fault = self.unexpected("an operator or `}`").also(open, "in this formula");
            let fault = match (self.prev, self.raw().tok) {
                (Tok::Name, Tok::Name | Tok::LParen | Tok::Always | Tok::Eventually) => fault.help(
                    "write `[] p` for always, `<> p` for eventually, `X p` for next, `p U q` for until",
                ),
                _ => fault,
            };
            return self.fail(fault);
        }
        self.in_formula = false;
        self.bump();
        self.misread(&formula);
        Ok(Item::Ltl(Ltl { name, formula, loc: self.since(first) }))
    }

    fn formula(&mut self) -> Parse<Formula> {
        let part = self.joined(0)?;
        Ok(whole(part).0)
    }

    /// The binary operator that stands here, and how tightly it binds.
    fn joint(&self) -> Option<(Joint, u8)> {
        let token = self.raw();
        let op = match (token.tok, &*token.text) {
            (Tok::Arrow, _) | (Tok::Name, "implies") => TemporalOp::Implies,
            (Tok::Iff, _) | (Tok::Name, "equivalent") => TemporalOp::Iff,
            (Tok::Wedge, _) => return Some((Joint::Plain(BinaryOp::And), 3)),
            (Tok::Vee, _) => return Some((Joint::Plain(BinaryOp::Or), 2)),
            (Tok::Name, "U" | "until" | "stronguntil") => TemporalOp::Until,
            (Tok::Name, "W" | "weakuntil") => TemporalOp::WeakUntil,
            (Tok::Name, "V" | "release") => TemporalOp::Release,
            (tok, _) => return binary_op(tok).map(|(op, tightness)| (Joint::Plain(op), tightness)),
        };
        let tightness = match op {
            TemporalOp::Implies | TemporalOp::Iff => IMPLICATION,
            TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release => UNTIL,
            TemporalOp::And => 3,
            TemporalOp::Or => 2,
        };
        Some((Joint::Temporal(op), tightness))
    }

    /// Parts joined by operators that bind at least as tightly as `least`.
    fn joined(&mut self, least: u8) -> Parse<Part> {
        self.nested(1, |parser| {
            let first = parser.here();
            let bare = matches!(parser.raw().tok, Tok::Always | Tok::Eventually)
                || matches!(&*parser.raw().text, "always" | "eventually");
            let mut left = parser.prefixed()?;
            let mut implied = None;
            let mut joined = false;
            while let Some((joint, tightness)) = parser.joint() {
                if tightness < least {
                    break;
                }
                let place = parser.bump();
                if joint == Joint::Temporal(TemporalOp::Implies) {
                    if let Some(before) = implied {
                        parser.chained(before, place);
                    }
                    implied = Some(place);
                }
                let right = parser.joined(tightness + 1)?;
                left = parser.join_parts(first, joint, place, left, right)?;
                if let Part::Temporal(Formula { kind: FormulaKind::Binary(op, a, b), .. }, _) = &left {
                    parser.half_covered(*op, a, b, bare && !joined, place);
                }
                joined = true;
            }
            Ok(left)
        })
    }

    /// Says that `p -> q -> r` is `(p -> q) -> r`.
    #[inline(never)]
    fn chained(&mut self, before: Place, place: Place) {
        let trap = Diagnostic::warning("W0202", "`p -> q -> r` is read as `(p -> q) -> r`")
            .at(place, "this one is applied last")
            .also(before, "this one first")
            .note("implication groups to the left here, as in Spin")
            .help("write the brackets that you mean");
        self.diagnostics.push(trap);
    }

    fn join_parts(
        &mut self,
        first: Place,
        joint: Joint,
        place: Place,
        left: Part,
        right: Part,
    ) -> Parse<Part> {
        let op = match joint {
            Joint::Temporal(op) => op,
            Joint::Plain(op) => match (left, right) {
                (Part::Plain(left), Part::Plain(right)) => {
                    return self.join(first, op, left, right).map(Part::Plain);
                }
                (left, right) => {
                    let op = match op {
                        BinaryOp::And => TemporalOp::And,
                        BinaryOp::Or => TemporalOp::Or,
                        _ => return self.not_a_number(&left, &right, place),
                    };
                    return self.temporal(first, op, left, right);
                }
            },
        };
        self.temporal(first, op, left, right)
    }

    fn temporal(&mut self, first: Place, op: TemporalOp, left: Part, right: Part) -> Parse<Part> {
        let ((left, a), (right, b)) = (whole(left), whole(right));
        let height = self.taller(a.max(b))?;
        let kind = FormulaKind::Binary(op, Box::new(left), Box::new(right));
        Ok(Part::Temporal(Formula { kind, loc: self.since(first) }, height))
    }

    /// An operator on numbers was applied to a temporal formula: `[] x == 1`.
    #[inline(never)]
    fn not_a_number(&mut self, left: &Part, right: &Part, place: Place) -> Parse<Part> {
        let temporal = match (left, right) {
            (Part::Temporal(formula, _), _) | (_, Part::Temporal(formula, _)) => formula.loc.0,
            (Part::Plain(_), Part::Plain(_)) => place,
        };
        let fault = Diagnostic::error("E0236", "this operator joins numbers, not temporal formulas")
            .at(place, "")
            .also(temporal, "this is a temporal formula")
            .note("`[]`, `<>`, `X` and `!` bind tighter than all binary operators")
            .help("put brackets around the condition, as in `[] (x == 1)`");
        self.fail(fault)
    }

    /// A part with the operators before it.
    fn prefixed(&mut self) -> Parse<Part> {
        let first = self.here();
        let build: fn(Box<Formula>) -> FormulaKind = match (self.raw().tok, &*self.raw().text) {
            (Tok::Always, _) | (Tok::Name, "always") => FormulaKind::Always,
            (Tok::Eventually, _) | (Tok::Name, "eventually") => FormulaKind::Eventually,
            (Tok::Next, _) | (Tok::Name, "X" | "next") => FormulaKind::Next,
            (Tok::Bang | Tok::Minus | Tok::Tilde, _) => return self.negated(),
            (Tok::LParen, _) => {
                let open = self.open_paren("`(`")?;
                let inner = self.joined(0)?;
                self.close_paren(open)?;
                let loc = self.since(open);
                return Ok(match inner {
                    Part::Plain(parsed) => {
                        Part::Plain(Parsed { expr: Expr { loc, ..parsed.expr }, ..parsed })
                    }
                    Part::Temporal(formula, height) => Part::Temporal(Formula { loc, ..formula }, height),
                });
            }
            (Tok::Name, "U" | "V" | "W" | "until" | "stronguntil" | "weakuntil" | "release") => {
                return self.expected("a formula before this operator");
            }
            (Tok::Name, "implies" | "equivalent") => {
                return self.expected("a formula before this operator");
            }
            (Tok::Word(Word::Else), _) => return self.expected("a formula"),
            _ => return self.primary().map(Part::Plain),
        };
        self.bump();
        let (operand, height) = whole(self.nested(1, |parser| parser.prefixed())?);
        let height = self.taller(height)?;
        let kind = build(Box::new(operand));
        Ok(Part::Temporal(Formula { kind, loc: self.since(first) }, height))
    }

    /// `!`, `-` or `~` before a part.
    #[inline(never)]
    fn negated(&mut self) -> Parse<Part> {
        let first = self.here();
        let op = match self.tok() {
            Tok::Bang => UnaryOp::Not,
            Tok::Minus => UnaryOp::Neg,
            _ => UnaryOp::BitNot,
        };
        self.bump();
        let operand = self.nested(1, |parser| parser.prefixed())?;
        match (operand, op) {
            (Part::Plain(parsed), _) => self.negate(first, op, parsed).map(Part::Plain),
            (Part::Temporal(formula, height), UnaryOp::Not) => {
                let height = self.taller(height)?;
                let kind = FormulaKind::Not(Box::new(formula));
                Ok(Part::Temporal(Formula { kind, loc: self.since(first) }, height))
            }
            (operand @ Part::Temporal(..), UnaryOp::Neg | UnaryOp::BitNot) => {
                let other = Part::Temporal(
                    Formula { kind: FormulaKind::Atom(Parser::error_expr(first)), loc: Loc(first) },
                    0,
                );
                self.not_a_number(&operand, &other, first)
            }
        }
    }
}

/// A part as a formula, and its height.
fn whole(part: Part) -> (Formula, u32) {
    match part {
        Part::Plain(parsed) => {
            let loc = parsed.expr.loc;
            (Formula { kind: FormulaKind::Atom(parsed.expr), loc }, parsed.height)
        }
        Part::Temporal(formula, height) => (formula, height),
    }
}
