//! Expressions, by precedence climbing (Richards and Whitby-Strevens, "BCPL", 1979; Pratt, "Top
//! down operator precedence", 1973). All operators group to the left.
//!
//! `full`, `empty`, `nfull` and `nempty` may only be joined by `&&` and `||`, as in Spin, whose
//! reduction rests on that; every tree carries along whether it holds one of them at its top.

use axle_source::{Diagnostic, Loc as Place};

use super::{MAX_HEIGHT, Parse, Parser};
use crate::ast::{BinaryOp, ConstWord, Expr, ExprKind, QueryKind, Receive, Run, UnaryOp, VarRef};
use crate::loc::Loc;
use crate::token::{Tok, Word};

/// An expression on its way.
pub(super) struct Parsed {
    pub expr: Expr,
    /// The height of the tree.
    pub height: u32,
    /// Joins questions such as `full(c)`, which nothing else may be made of.
    pub probe: bool,
}

/// A binary operator and how tightly it binds.
pub(super) fn binary_op(tok: Tok) -> Option<(BinaryOp, u8)> {
    Some(match tok {
        Tok::OrOr => (BinaryOp::Or, 2),
        Tok::AndAnd => (BinaryOp::And, 3),
        Tok::Pipe => (BinaryOp::BitOr, 5),
        Tok::Caret => (BinaryOp::BitXor, 6),
        Tok::Amp => (BinaryOp::BitAnd, 7),
        Tok::EqEq => (BinaryOp::Eq, 8),
        Tok::Ne => (BinaryOp::Ne, 8),
        Tok::Lt => (BinaryOp::Lt, 9),
        Tok::Le => (BinaryOp::Le, 9),
        Tok::Gt => (BinaryOp::Gt, 9),
        Tok::Ge => (BinaryOp::Ge, 9),
        Tok::Shl => (BinaryOp::Shl, 10),
        Tok::Shr => (BinaryOp::Shr, 10),
        Tok::Plus => (BinaryOp::Add, 11),
        Tok::Minus => (BinaryOp::Sub, 11),
        Tok::Star => (BinaryOp::Mul, 12),
        Tok::Slash => (BinaryOp::Div, 12),
        Tok::Percent => (BinaryOp::Rem, 12),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with a value.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let parsed = self.binary(0)?;
        self.no_probe(&parsed, "as a value");
        self.inner_height = self.inner_height.max(parsed.height);
        Ok(parsed.expr)
    }

    /// An expression that may ask whether channels are full or empty.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        let parsed = self.binary(0)?;
        self.inner_height = self.inner_height.max(parsed.height);
        Ok(parsed.expr)
    }

    /// An expression without binary operators outside brackets.
    pub(super) fn operand(&mut self) -> Parse<Expr> {
        let parsed = self.unary()?;
        self.inner_height = self.inner_height.max(parsed.height);
        Ok(parsed.expr)
    }

    /// Reports a question such as `full(c)` where Spin takes none.
    #[inline(never)]
    fn no_probe(&mut self, parsed: &Parsed, what: &str) {
        if !parsed.probe {
            return;
        }
        let fault = Diagnostic::error("E0231", format!("`full`, `empty`, `nfull` and `nempty` cannot stand {what}"))
            .at(parsed.expr.loc.0, "")
            .note("they are conditions of their own, joined by `&&` and `||` only")
            .help("for `!full(c)` write `nfull(c)`, for `!empty(c)` write `nempty(c)`; `len(c)` is a number like any other");
        self.report(fault);
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parse<Parsed> {
        self.nested(1, |parser| {
            let first = parser.here();
            let mut left = parser.unary()?;
            while let Some((op, tightness)) = binary_op(parser.tok()) {
                if tightness < least {
                    break;
                }
                parser.bump();
                let right = parser.binary(tightness + 1)?;
                left = parser.join(first, op, left, right)?;
            }
            Ok(left)
        })
    }

    /// Two operands joined by an operator.
    pub(super) fn join(&mut self, first: Place, op: BinaryOp, left: Parsed, right: Parsed) -> Parse<Parsed> {
        let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
        if !joins {
            self.no_probe(&left, "under this operator");
            self.no_probe(&right, "under this operator");
        }
        let height = self.taller(left.height.max(right.height))?;
        let probe = joins && (left.probe || right.probe);
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Parsed { expr: Expr { kind, loc: self.since(first) }, height, probe })
    }

    /// One more than a height.
    pub(super) fn taller(&mut self, height: u32) -> Parse<u32> {
        if height < MAX_HEIGHT {
            return Ok(height + 1);
        }
        let fault = Diagnostic::error("E0232", "the expression is too long")
            .at(
                self.prev_loc,
                format!("more than {MAX_HEIGHT} operators are applied to each other's results here"),
            )
            .help("split the expression, or use brackets to join its parts in pairs");
        self.abort(fault)
    }

    fn unary(&mut self) -> Parse<Parsed> {
        let first = self.here();
        let op = match self.tok() {
            Tok::Bang => UnaryOp::Not,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            // Two negations, which Spin reads as a sorted send and refuses.
            Tok::BangBang => {
                self.bump();
                let operand = self.nested(1, |parser| parser.unary())?;
                let inner = self.negate(first, UnaryOp::Not, operand)?;
                return self.negate(first, UnaryOp::Not, inner);
            }
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.nested(1, |parser| parser.unary())?;
        self.negate(first, op, operand)
    }

    /// A unary operator applied to its operand.
    pub(super) fn negate(&mut self, first: Place, op: UnaryOp, operand: Parsed) -> Parse<Parsed> {
        self.no_probe(&operand, "under this operator");
        let height = self.taller(operand.height)?;
        let kind = ExprKind::Unary(op, Box::new(operand.expr));
        Ok(Parsed { expr: Expr { kind, loc: self.since(first) }, height, probe: false })
    }

    /// An operand.
    pub(super) fn primary(&mut self) -> Parse<Parsed> {
        if self.tok() == Tok::LParen {
            return self.nested(1, |parser| parser.bracketed());
        }
        let first = self.here();
        // The expressions inside this one (an index, arguments) leave their heights here.
        let outside = std::mem::take(&mut self.inner_height);
        let kind = match self.tok() {
            Tok::Number(value) => self.leaf(ExprKind::Number(value)),
            Tok::Char(value) => self.leaf(ExprKind::Char(value)),
            Tok::Name => self.name_operand()?,
            Tok::Word(word) => self.word_operand(word)?,
            _ => return self.expected("an expression"),
        };
        let probe = matches!(&kind, ExprKind::Query(kind, _) if *kind != QueryKind::Len);
        let height = self.taller(self.inner_height)?;
        self.inner_height = outside;
        Ok(Parsed { expr: Expr { kind, loc: self.since(first) }, height, probe })
    }

    fn leaf(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    /// `(e)` and `(c -> a : b)`.
    #[inline(never)]
    fn bracketed(&mut self) -> Parse<Parsed> {
        let open = self.open_paren("`(`")?;
        let mut inner = self.binary(0)?;
        if self.tok() == Tok::Arrow {
            self.bump();
            let then = self.binary(0)?;
            if self.tok() != Tok::Colon {
                return self.expected_closing(
                    "`:` and the other value",
                    open,
                    "of this conditional expression",
                );
            }
            self.bump();
            let other = self.binary(0)?;
            for part in [&inner, &then, &other] {
                self.no_probe(part, "in a conditional expression");
            }
            let height = self.taller(inner.height.max(then.height).max(other.height))?;
            let kind = ExprKind::Cond(Box::new(inner.expr), Box::new(then.expr), Box::new(other.expr));
            inner = Parsed { expr: Expr { kind, loc: Loc(open) }, height, probe: false };
        }
        self.close_paren(open)?;
        inner.expr.loc = self.since(open);
        Ok(inner)
    }

    /// A variable, a poll of a channel, or a reference into another process.
    #[inline(never)]
    fn name_operand(&mut self) -> Parse<ExprKind> {
        let text = self.raw().text.clone();
        let process = self.proctypes.contains(&text) || self.in_formula;
        match self.ahead(1) {
            Tok::At => {
                let proc = self.name("a process type")?;
                self.bump();
                let label = self.name("a label")?;
                return Ok(ExprKind::RemoteLabel { proc, pid: None, label });
            }
            Tok::Colon if process => {
                let proc = self.name("a process type")?;
                self.bump();
                return self.remote_var(proc, None);
            }
            Tok::LParen if self.message_head != Some(self.parens) => return self.call_in_expression(),
            _ => {}
        }
        let mut var = self.var_ref("a variable")?;
        match self.tok() {
            Tok::Query | Tok::QueryQuery if self.ahead(1) == Tok::LBracket => return self.poll(var),
            Tok::At if var.parts.len() == 1 => {
                self.bump();
                let label = self.name("a label")?;
                if let Some(part) = var.parts.pop() {
                    return Ok(ExprKind::RemoteLabel {
                        proc: part.name,
                        pid: part.index.map(Box::new),
                        label,
                    });
                }
            }
            Tok::Colon if process && var.parts.len() == 1 && var.parts[0].index.is_some() => {
                self.bump();
                if let Some(part) = var.parts.pop() {
                    return self.remote_var(part.name, part.index.map(Box::new));
                }
            }
            _ => {}
        }
        Ok(ExprKind::Var(var))
    }

    /// The name after `P:` or `P[e]:`.
    #[inline(never)]
    fn remote_var(&mut self, proc: crate::ast::Name, pid: Option<Box<Expr>>) -> Parse<ExprKind> {
        let var = self.var_ref("a variable of the process")?;
        Ok(ExprKind::RemoteVar { proc, pid, var })
    }

    /// `c?[a,b]`, the channel being read.
    #[inline(never)]
    fn poll(&mut self, chan: VarRef) -> Parse<ExprKind> {
        let random = self.tok() == Tok::QueryQuery;
        self.bump();
        let open = self.bump();
        let args = self.nested(1, |parser| parser.recv_args())?;
        if self.tok() != Tok::RBracket {
            return self.expected_closing("`,` or `]`", open, "this bracket is open");
        }
        self.bump();
        Ok(ExprKind::Poll(Box::new(Receive { chan, random, copy: false, args })))
    }

    /// A name with a bracket behind it inside an expression.
    #[inline(never)]
    fn call_in_expression<T>(&mut self) -> Parse<T> {
        let text = self.raw().text.clone();
        let fault = if self.inlines.contains_key(&text) {
            Diagnostic::error("E0233", format!("the inline `{text}` is called inside an expression"))
                .at(self.here(), "")
                .help(format!("its result can only be assigned, as in `x = {text}(...)`; use `x` then"))
        } else if self.proctypes.contains(&text) {
            Diagnostic::error("E0226", format!("`{text}` is a process type"))
                .at(self.here(), "")
                .help(format!("to start a process, write `run {text}(...)`"))
        } else {
            let fault = Diagnostic::error("E0234", format!("there is no function `{text}`"))
                .at(self.here(), "")
                .note("Promela's functions are len, full, empty, nfull, nempty, enabled, pc_value, get_priority and run");
            fault.did_you_mean(
                &text,
                ["len", "full", "empty", "nfull", "nempty", "enabled", "pc_value", "get_priority", "eval"],
            )
        };
        self.fail(fault)
    }

    #[inline(never)]
    fn word_operand(&mut self, word: Word) -> Parse<ExprKind> {
        Ok(match word {
            Word::True => self.leaf(ExprKind::Word(ConstWord::True)),
            Word::False => self.leaf(ExprKind::Word(ConstWord::False)),
            Word::Skip => self.leaf(ExprKind::Word(ConstWord::Skip)),
            Word::Timeout => self.leaf(ExprKind::Timeout),
            Word::NonProgress => self.leaf(ExprKind::NonProgress),
            Word::Run => self.nested(1, |parser| parser.run())?,
            Word::Len => self.query(QueryKind::Len)?,
            Word::Full => self.query(QueryKind::Full)?,
            Word::Empty => self.query(QueryKind::Empty)?,
            Word::NFull => self.query(QueryKind::NFull)?,
            Word::NEmpty => self.query(QueryKind::NEmpty)?,
            Word::Enabled => ExprKind::Enabled(self.argument()?),
            Word::PcValue => ExprKind::PcValue(self.argument()?),
            Word::GetPriority => ExprKind::GetPriority(self.argument()?),
            Word::CExpr => ExprKind::Code(Box::new(self.c_code()?)),
            Word::Eval => {
                let fault = Diagnostic::error("E0235", "`eval` stands in the arguments of a receive only")
                    .at(self.here(), "")
                    .help("elsewhere write the expression alone");
                return self.fail(fault);
            }
            _ => return self.expected("an expression"),
        })
    }

    /// `(e)` behind the word that stands here.
    fn argument(&mut self) -> Parse<Box<Expr>> {
        self.bump();
        let open = self.open_paren("`(` and a process number")?;
        let value = self.expr()?;
        self.close_paren(open)?;
        Ok(Box::new(value))
    }

    /// `len(c)`.
    #[inline(never)]
    fn query(&mut self, kind: QueryKind) -> Parse<ExprKind> {
        self.bump();
        let open = self.open_paren("`(` and a channel")?;
        let chan = self.var_ref("a channel")?;
        self.close_paren(open)?;
        Ok(ExprKind::Query(kind, chan))
    }

    /// `run P(a, b) priority 3`.
    #[inline(never)]
    fn run(&mut self) -> Parse<ExprKind> {
        self.bump();
        let proc = self.name("the name of a process type")?;
        let open = self.open_paren("`(` and the arguments")?;
        let mut args = Vec::new();
        if self.tok() != Tok::RParen {
            args.push(self.expr()?);
            while self.eat(Tok::Comma) {
                args.push(self.expr()?);
            }
        }
        self.close_paren(open)?;
        let priority = self.priority()?.map(Box::new);
        Ok(ExprKind::Run(Box::new(Run { proc, args, priority })))
    }
}
