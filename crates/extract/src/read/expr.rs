//! Expressions (C11 6.5), by precedence.
//!
//! *Entry points:* [`Reader::expression`], [`Reader::assignment`].

use axle_source::{Diagnostic, Loc, TokenKind};

use super::{LONGEST, Parsed, Reader, squeeze};
use crate::syntax::{Expr, Kind};

/// Operators between two operands, each with how tightly it binds.
const BINARY: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

const ASSIGN: &[&str] = &["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="];

/// Operators before their operand. The first of a pair of signs is not one of these: `&&label` is
/// refused as it is.
const PREFIX: &[&str] = &["-", "+", "!", "~", "*", "&", "++", "--"];

impl Reader<'_> {
    fn node(&mut self, kind: Kind, start: Loc) -> Parsed<Expr> {
        let mut expr = Expr { kind, loc: self.since(start), depth: 0 };
        expr.depth = 1 + expr.parts().iter().map(|part| part.depth).max().unwrap_or(0);
        if expr.depth > LONGEST {
            let fault = Diagnostic::error("E0802", "the expression has too many operators in one chain");
            return self.error(fault.at(start, "starts here"));
        }
        Ok(expr)
    }

    /// With commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        let mut left = self.assignment()?;
        while self.eat(",") {
            let right = self.assignment()?;
            left = self.node(Kind::Comma(left.into(), right.into()), start)?;
        }
        Ok(left)
    }

    /// Without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.deeper(|this| {
            let start = this.loc();
            let left = this.conditional()?;
            let Some(op) = ASSIGN.iter().find(|op| this.is(op)) else { return Ok(left) };
            this.next();
            let right = this.assignment()?;
            this.node(Kind::Assign(op, left.into(), right.into()), start)
        })
    }

    /// Without assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        let cond = self.binary(0)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let middle = if self.is(":") { None } else { Some(Box::new(self.deeper(Self::expression)?)) };
        self.expect(":")?;
        let other = self.deeper(Self::conditional)?;
        self.node(Kind::Cond(cond.into(), middle, other.into()), start)
    }

    fn binary(&mut self, above: u8) -> Parsed<Expr> {
        let start = self.loc();
        let mut left = self.unary()?;
        while let Some((op, binds)) = BINARY.iter().find(|(op, binds)| *binds > above && self.is(op)) {
            self.next();
            let right = self.deeper(|this| this.binary(*binds))?;
            left = self.node(Kind::Binary(op, left.into(), right.into()), start)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.deeper(|this| {
            let start = this.loc();
            if let Some(op) = PREFIX.iter().find(|op| this.is(op)) {
                this.next();
                let operand = this.unary()?;
                return this.node(Kind::Prefix(op, operand.into()), start);
            }
            if this.is("sizeof") || this.is("_Alignof") {
                let word = this.word();
                this.next();
                if this.is("(") && this.type_in_brackets() {
                    this.next();
                    let text = this.type_name()?;
                    this.expect(")")?;
                    return this.node(Kind::Opaque(format!("{word}({text})").into()), start);
                }
                let operand = this.unary()?;
                return this.node(Kind::Prefix("sizeof", operand.into()), start);
            }
            if this.eat("__extension__") {
                return this.unary();
            }
            if this.is("(") && this.type_in_brackets() {
                this.next();
                let text = this.type_name()?;
                this.expect(")")?;
                if this.is("{") {
                    let list = squeeze(this.balanced()?);
                    let literal = this.node(Kind::Opaque(format!("({text}){list}").into()), start)?;
                    return this.postfix(literal, start);
                }
                let operand = this.unary()?;
                return this.node(Kind::Cast(text.into(), operand.into()), start);
            }
            let primary = this.primary()?;
            this.postfix(primary, start)
        })
    }

    fn type_in_brackets(&mut self) -> bool {
        self.at += 1;
        let found = self.at < self.tokens.len() && self.starts_type();
        self.at -= 1;
        found
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        let token = self.token();
        match token.kind {
            TokenKind::Number | TokenKind::Char => {
                self.next();
                self.node(Kind::Literal(token.text.clone()), start)
            }
            TokenKind::String => {
                let from = self.at;
                while self.token().kind == TokenKind::String {
                    self.next();
                }
                let text = squeeze(&self.tokens[from..self.at]);
                self.node(Kind::Literal(text.into()), start)
            }
            _ if self.eat("...") => self.node(Kind::Rest, start),
            _ if self.is("(") && self.word_at(1) == "{" => {
                let text = squeeze(self.balanced()?);
                self.node(Kind::Opaque(text.into()), start)
            }
            _ if self.eat("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            _ if self.is("_Generic") => self.opaque_call(start),
            // Calls with a type among their arguments.
            _ if matches!(self.word(), "__builtin_va_arg" | "__builtin_offsetof" | "va_arg" | "offsetof") => {
                self.opaque_call(start)
            }
            _ => match self.name() {
                Some(name) => self.node(Kind::Name(name), start),
                None => self.expected("an expression"),
            },
        }
    }

    fn opaque_call(&mut self, start: Loc) -> Parsed<Expr> {
        let from = self.at;
        self.next();
        if self.is("(") {
            self.balanced()?;
        }
        let text = squeeze(&self.tokens[from..self.at]);
        self.node(Kind::Opaque(text.into()), start)
    }

    fn postfix(&mut self, mut expr: Expr, start: Loc) -> Parsed<Expr> {
        loop {
            expr = match self.word() {
                "(" => {
                    self.next();
                    let mut args = Vec::new();
                    while !self.is(")") {
                        args.push(self.assignment()?);
                        if !self.eat(",") {
                            break;
                        }
                    }
                    self.expect(")")?;
                    self.node(Kind::Call(expr.into(), args), start)?
                }
                "[" => {
                    self.next();
                    let index = self.expression()?;
                    self.expect("]")?;
                    self.node(Kind::Index(expr.into(), index.into()), start)?
                }
                word @ ("." | "->") => {
                    let word = if word == "." { "." } else { "->" };
                    self.next();
                    match self.name() {
                        Some(name) => self.node(Kind::Member(expr.into(), word, name), start)?,
                        None => return self.expected("the name of a member"),
                    }
                }
                "++" => {
                    self.next();
                    self.node(Kind::Postfix(expr.into(), "++"), start)?
                }
                "--" => {
                    self.next();
                    self.node(Kind::Postfix(expr.into(), "--"), start)?
                }
                _ => return Ok(expr),
            };
        }
    }
}
