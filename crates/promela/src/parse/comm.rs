//! Sends, receives, and the variables that they name.

use axle_source::Loc as Place;

use super::{Parse, Parser};
use crate::ast::{Receive, RecvArg, RecvArgKind, Send, VarPart, VarRef};
use crate::token::{Tok, Word};

impl Parser<'_> {
    /// `c!a,b`, `c!a(b)`, `c!!a,b`.
    pub(super) fn send(&mut self) -> Parse<Send> {
        let chan = self.var_ref("a channel")?;
        let sorted = self.tok() == Tok::BangBang;
        self.bump();
        let outside = self.message_head.replace(self.parens);
        let head = self.expr();
        self.message_head = outside;
        let mut args = vec![head?];
        if self.tok() == Tok::LParen {
            let open = self.open_paren("`(`")?;
            args.push(self.expr()?);
            while self.eat(Tok::Comma) {
                args.push(self.expr()?);
            }
            self.close_paren(open)?;
        } else {
            while self.eat(Tok::Comma) {
                args.push(self.expr()?);
            }
        }
        Ok(Send { chan, sorted, args })
    }

    /// `c?a,b`, `c??a(b)`, `c?<a,b>`.
    pub(super) fn receive(&mut self) -> Parse<Receive> {
        let chan = self.var_ref("a channel")?;
        let random = self.tok() == Tok::QueryQuery;
        self.bump();
        let copy = self.eat(Tok::Lt);
        let args = self.recv_args()?;
        if copy {
            self.expect(Tok::Gt, "`,` or `>`")?;
        }
        Ok(Receive { chan, random, copy, args })
    }

    /// The arguments of a receive: `a,b`, `a(b,c)`, `(a,b)`, `a,b(c)`.
    pub(super) fn recv_args(&mut self) -> Parse<Vec<RecvArg>> {
        let mut args = Vec::new();
        let mut open: Vec<Place> = Vec::new();
        loop {
            while self.tok() == Tok::LParen {
                open.push(self.open_paren("`(`")?);
            }
            args.push(self.recv_arg()?);
            loop {
                match (self.tok(), open.last()) {
                    (Tok::RParen, Some(&bracket)) => {
                        self.close_paren(bracket)?;
                        open.pop();
                        // Behind a bracket the list ends.
                        if open.is_empty() {
                            return Ok(args);
                        }
                    }
                    (Tok::Comma, _) => {
                        self.bump();
                        break;
                    }
                    (Tok::LParen, _) => break,
                    (_, Some(&bracket)) => {
                        return self.expected_closing("`,` or `)`", bracket, "this bracket is open");
                    }
                    (_, None) => return Ok(args),
                }
            }
        }
    }

    fn recv_arg(&mut self) -> Parse<RecvArg> {
        let first = self.here();
        let kind = match self.tok() {
            Tok::Word(Word::Eval) => {
                self.bump();
                let open = self.open_paren("`(` and an expression")?;
                let value = self.expr()?;
                self.close_paren(open)?;
                RecvArgKind::Eval(value)
            }
            Tok::Name => {
                let var = self.var_ref("a variable")?;
                match var.plain() {
                    Some(name) if name.text == "_" => RecvArgKind::Any,
                    _ => RecvArgKind::Var(var),
                }
            }
            Tok::Minus => {
                self.bump();
                let Some(value) = constant(self.tok()) else { return self.expected("a number") };
                self.bump();
                RecvArgKind::Const(value.wrapping_neg())
            }
            tok => {
                let Some(value) = constant(tok) else {
                    let fault = self.unexpected("a variable, a constant or `eval(...)`");
                    return self.fail(fault.help("to match the value of an expression, write `eval(e)`"));
                };
                self.bump();
                RecvArgKind::Const(value)
            }
        };
        Ok(RecvArg { kind, loc: self.since(first) })
    }

    /// A variable, a field or an element.
    pub(super) fn var_ref(&mut self, what: &str) -> Parse<VarRef> {
        let first = self.here();
        let mut parts = Vec::new();
        loop {
            let name = self.name(if parts.is_empty() { what } else { "the name of a field" })?;
            let mut index = None;
            if self.tok() == Tok::LBracket {
                let open = self.bump();
                index = Some(self.nested(1, |parser| parser.expr())?);
                if self.tok() != Tok::RBracket {
                    return self.expected_closing("`]`", open, "this bracket is open");
                }
                self.bump();
            }
            parts.push(VarPart { name, index });
            if !self.eat(Tok::Dot) {
                return Ok(VarRef { parts, loc: self.since(first) });
            }
        }
    }
}

/// The value of a constant token.
fn constant(tok: Tok) -> Option<i64> {
    match tok {
        Tok::Number(value) => Some(value),
        Tok::Char(value) => Some(value.into()),
        Tok::Word(Word::True | Word::Skip) => Some(1),
        Tok::Word(Word::False) => Some(0),
        _ => None,
    }
}
