//! `ltl name { formula }`: temporal operators over Promela's expressions.
//!
//! From loosest to tightest: `->` and `<->`, `||`, `&&`, `U`, `W` and `V`, then `[]`, `<>` and `X`,
//! then Promela's comparisons and arithmetic; `!` binds tightest, as in expressions. All group to
//! the left, `->` too, as in Spin. The words that are operators are those of `axle_ltl`. `U V W X`
//! and the long words are operators in every place, `G F R not and or` only where no expression
//! could continue: models have variables with these names. Braces group, so that a proposition in
//! braces reads as in `axle ltl`.
//!
//! *Entry point:* [`Parser::formula`].

use axle_ltl::parse::{Operator, operator};
use axle_source::{Diagnostic, Loc as Place};

use super::expr::{Parsed, binary_op};
use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, Formula, FormulaKind, Item, Ltl, TemporalOp, UnaryOp};
use crate::loc::Loc;
use crate::token::{Tok, Word};

/// The kind of a part of a formula.
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
/// How tightly the loosest operator binds that belongs to the operand of `[]`, `<>` and `X`: `==`.
const COMPARISON: u8 = 8;

impl Parser<'_> {
    pub(super) fn ltl(&mut self) -> Parse<Item> {
        let first = self.bump();
        let name = self.optional_name()?;
        let open = self.expect(Tok::LBrace, "`{` and a formula")?;
        self.in_formula = true;
        let formula = self.formula()?;
        while self.eat(Tok::Semi) {}
        if self.tok() != Tok::RBrace {
            let fault = self.unexpected("an operator or `}`");
            // A formula of the command line stands in a file of its own.
            let same = open.span.file == self.here().span.file;
            let fault = if same { fault.also(open, "in this formula") } else { fault };
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
        let op = match token.tok {
            Tok::Arrow => Operator::Implies,
            Tok::Iff => Operator::Equivalent,
            Tok::Wedge => Operator::And,
            Tok::Vee => Operator::Or,
            Tok::Name => operator(&token.text)?,
            tok => return binary_op(tok).map(|(op, tightness)| (Joint::Plain(op), tightness)),
        };
        let op = match op {
            Operator::Implies => TemporalOp::Implies,
            Operator::Equivalent => TemporalOp::Iff,
            Operator::Until => TemporalOp::Until,
            Operator::Weak => TemporalOp::WeakUntil,
            Operator::Release => TemporalOp::Release,
            Operator::And => return Some((Joint::Plain(BinaryOp::And), 3)),
            Operator::Or => return Some((Joint::Plain(BinaryOp::Or), 2)),
            Operator::Not | Operator::Next | Operator::Always | Operator::Eventually => return None,
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
            let bare = matches!(parser.prefix_operator(), Some(Operator::Always | Operator::Eventually));
            let left = parser.prefixed()?;
            parser.continued(first, left, bare, least)
        })
    }

    /// The operators behind a part that bind at least as tightly as `least`, with their other
    /// operands. `bare`: the part begins with `[]` or `<>`.
    fn continued(&mut self, first: Place, left: Part, bare: bool, least: u8) -> Parse<Part> {
        let mut left = left;
        let mut implied = None;
        let mut joined = false;
        while let Some((joint, tightness)) = self.joint() {
            if tightness < least {
                break;
            }
            let place = self.bump();
            if joint == Joint::Temporal(TemporalOp::Implies) {
                if let Some(before) = implied {
                    self.chained(before, place);
                }
                implied = Some(place);
            }
            let right = self.joined(tightness + 1)?;
            left = self.join_parts(first, joint, place, left, right)?;
            if let Part::Temporal(Formula { kind: FormulaKind::Binary(op, a, b), .. }, _) = &left {
                self.half_covered(*op, a, b, bare && !joined, place);
            }
            joined = true;
        }
        Ok(left)
    }

    /// A part with the operators before it, as the operand of a prefix operator: with the
    /// comparison that continues it.
    fn operand_of_prefix(&mut self) -> Parse<Part> {
        let first = self.here();
        match self.nested(1, |parser| parser.prefixed())? {
            Part::Plain(parsed) => self.continued(first, Part::Plain(parsed), false, COMPARISON),
            temporal @ Part::Temporal(..) => Ok(temporal),
        }
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
            .note("comparisons and arithmetic have expressions as operands")
            .help("put parentheses around the condition, as in `[] (x == 1)`");
        self.fail(fault)
    }

    /// The prefix operator that stands here, `!` aside. A word that names variables in models is
    /// one where an operand follows it, which no expression allows.
    fn prefix_operator(&self) -> Option<Operator> {
        let token = self.raw();
        match token.tok {
            Tok::Always => Some(Operator::Always),
            Tok::Eventually => Some(Operator::Eventually),
            Tok::Next => Some(Operator::Next),
            Tok::Name => {
                let op = operator(&token.text).filter(|op| op.is_prefix())?;
                let reserved = matches!(&*token.text, "always" | "eventually" | "X" | "next");
                (reserved || self.operand_follows()).then_some(op)
            }
            _ => None,
        }
    }

    /// Whether the token behind this one begins an operand and cannot continue an expression.
    fn operand_follows(&self) -> bool {
        let Some(next) = self.tokens.get(self.at + 1) else { return false };
        match next.tok {
            Tok::Name => operator(&next.text).is_none_or(Operator::is_prefix),
            Tok::Number(_) | Tok::LParen | Tok::LBrace | Tok::Bang => true,
            Tok::Always | Tok::Eventually | Tok::Next => true,
            Tok::Word(word) => word != Word::Else,
            _ => false,
        }
    }

    /// A part with the operators before it.
    fn prefixed(&mut self) -> Parse<Part> {
        let first = self.here();
        let build: fn(Box<Formula>) -> FormulaKind = match (self.prefix_operator(), self.raw().tok) {
            (Some(Operator::Always), _) => FormulaKind::Always,
            (Some(Operator::Eventually), _) => FormulaKind::Eventually,
            (Some(Operator::Next), _) => FormulaKind::Next,
            (Some(_), _) | (None, Tok::Bang | Tok::Minus | Tok::Tilde) => return self.negated(),
            (None, Tok::LParen) => {
                let open = self.open_paren("`(`")?;
                let inner = self.joined(0)?;
                self.close_paren(open)?;
                return Ok(self.grouped(open, inner));
            }
            (None, Tok::LBrace) => {
                let open = self.bump();
                let inner = self.joined(0)?;
                self.close_brace(open)?;
                return Ok(self.grouped(open, inner));
            }
            (None, _) => return self.unprefixed(),
        };
        self.bump();
        let (operand, height) = whole(self.operand_of_prefix()?);
        let height = self.taller(height)?;
        let kind = build(Box::new(operand));
        Ok(Part::Temporal(Formula { kind, loc: self.since(first) }, height))
    }

    /// The end of a group in braces.
    #[inline(never)]
    fn close_brace(&mut self, open: Place) -> Parse<()> {
        if self.tok() == Tok::RBrace {
            self.bump();
            return Ok(());
        }
        let fault = self.unexpected("an operator or `}`").also(open, "in these braces");
        self.fail(fault)
    }

    /// A proposition.
    #[inline(never)]
    fn unprefixed(&mut self) -> Parse<Part> {
        const RESERVED: [&str; 9] =
            ["U", "V", "W", "until", "stronguntil", "weakuntil", "release", "implies", "equivalent"];
        match self.raw().tok {
            Tok::Name if RESERVED.contains(&&*self.raw().text) => {
                self.expected("a formula before this operator")
            }
            Tok::Word(Word::Else) => self.expected("a formula"),
            _ => self.primary().map(Part::Plain),
        }
    }

    /// A part with the parentheses or braces around it.
    fn grouped(&self, open: Place, inner: Part) -> Part {
        let loc = self.since(open);
        match inner {
            Part::Plain(parsed) => Part::Plain(Parsed { expr: Expr { loc, ..parsed.expr }, ..parsed }),
            Part::Temporal(formula, height) => Part::Temporal(Formula { loc, ..formula }, height),
        }
    }

    /// `!`, `not`, `-` or `~` before a part.
    #[inline(never)]
    fn negated(&mut self) -> Parse<Part> {
        let first = self.here();
        let op = match self.tok() {
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            _ => UnaryOp::Not,
        };
        let word = self.tok() == Tok::Name;
        self.bump();
        let operand = match word {
            true => self.operand_of_prefix()?,
            false => self.nested(1, |parser| parser.prefixed())?,
        };
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
