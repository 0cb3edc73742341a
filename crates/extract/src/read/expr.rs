//! Expressions as they are written: the nodes that are built while the grammar of C reads one.
//!
//! *Entry points:* [`Expressions::expression`], [`Expressions::assignment`].

use std::sync::Arc;

use axle_c::grammar::declarators::Declarators;
use axle_c::grammar::specifiers::Specifiers;
use axle_c::grammar::{Expressions, Operators};
use axle_source::{Diagnostic, Loc, TokenKind};

use super::{LONGEST, Parsed, Reader, Reported, squeeze};
use crate::syntax::{Expr, Kind};

/// Calls with a type among their arguments.
const TYPE_CALLS: &[&str] =
    &["__builtin_va_arg", "__builtin_offsetof", "__builtin_types_compatible_p", "va_arg", "offsetof"];

impl Operators for Reader<'_> {
    type Expr = Expr;
    type Error = Reported;

    fn word(&self) -> &'static str {
        Reader::word(self)
    }

    fn next(&mut self) {
        Reader::next(self);
    }

    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        Reader::deeper(self, part)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        self.cast()
    }

    fn make_binary(&mut self, operator: &'static str, left: Expr, right: Expr) -> Parsed<Expr> {
        let start = left.loc;
        self.node(Kind::Binary(operator, left.into(), right.into()), start)
    }
}

impl Expressions for Reader<'_> {
    /// As written.
    type TypeName = String;
    type MemberName = Arc<str>;

    fn here(&self) -> Loc {
        self.loc()
    }

    fn require(&mut self, word: &str) -> Parsed<()> {
        self.expect(word)
    }

    fn is_type_in_parentheses(&mut self) -> bool {
        self.is_type_at(1)
    }

    fn read_type(&mut self) -> Parsed<String> {
        self.type_name()
    }

    fn read_member(&mut self) -> Parsed<Arc<str>> {
        match self.name() {
            Some(name) => Ok(name),
            None => self.expected("the name of a member"),
        }
    }

    fn keyword_operand(&mut self) -> Parsed<Option<Expr>> {
        let start = self.loc();
        let word = Reader::word(self);
        if !matches!(word, "sizeof" | "_Alignof") {
            return Ok(None);
        }
        Reader::next(self);
        if self.is("(") && self.is_type_in_parentheses() {
            Reader::next(self);
            let text = self.type_name()?;
            self.expect(")")?;
            return self.node(Kind::Opaque(format!("{word}({text})").into()), start).map(Some);
        }
        let operand = Reader::deeper(self, Self::unary)?;
        self.node(Kind::Prefix("sizeof", operand.into()), start).map(Some)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        let token = self.token();
        match token.kind {
            TokenKind::Number | TokenKind::Char => {
                Reader::next(self);
                self.node(Kind::Literal(token.text.clone()), start)
            }
            TokenKind::String => {
                let from = self.at;
                while self.token().kind == TokenKind::String {
                    Reader::next(self);
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
                Ok(Expr { loc: self.since(start), ..inner })
            }
            _ if self.is("_Generic") => self.opaque_call(start),
            _ if TYPE_CALLS.contains(&&*token.text) => self.opaque_call(start),
            _ => match self.name() {
                Some(name) => self.node(Kind::Name(name), start),
                None => self.expected("an expression"),
            },
        }
    }

    fn compound_literal(&mut self, ty: String, start: Loc) -> Parsed<Expr> {
        let list = squeeze(self.balanced()?);
        self.node(Kind::Opaque(format!("({ty}){list}").into()), start)
    }

    fn make_comma(&mut self, left: Expr, right: Expr) -> Parsed<Expr> {
        let start = left.loc;
        self.node(Kind::Comma(left.into(), right.into()), start)
    }

    fn make_assignment(&mut self, operator: &'static str, target: Expr, value: Expr) -> Parsed<Expr> {
        let start = target.loc;
        self.node(Kind::Assign(operator, target.into(), value.into()), start)
    }

    fn make_conditional(&mut self, condition: Expr, middle: Option<Expr>, other: Expr) -> Parsed<Expr> {
        let start = condition.loc;
        self.node(Kind::Cond(condition.into(), middle.map(Box::new), other.into()), start)
    }

    fn make_prefix(&mut self, operator: &'static str, operand: Expr, start: Loc) -> Parsed<Expr> {
        self.node(Kind::Prefix(operator, operand.into()), start)
    }

    fn make_postfix(&mut self, operand: Expr, operator: &'static str) -> Parsed<Expr> {
        let start = operand.loc;
        self.node(Kind::Postfix(operand.into(), operator), start)
    }

    fn make_cast(&mut self, ty: String, operand: Expr, start: Loc) -> Parsed<Expr> {
        self.node(Kind::Cast(ty.into(), operand.into()), start)
    }

    fn make_index(&mut self, array: Expr, index: Expr) -> Parsed<Expr> {
        let start = array.loc;
        self.node(Kind::Index(array.into(), index.into()), start)
    }

    fn make_call(&mut self, callee: Expr, arguments: Vec<Expr>) -> Parsed<Expr> {
        let start = callee.loc;
        self.node(Kind::Call(callee.into(), arguments), start)
    }

    fn make_member(&mut self, object: Expr, operator: &'static str, member: Arc<str>) -> Parsed<Expr> {
        let start = object.loc;
        self.node(Kind::Member(object.into(), operator, member), start)
    }
}

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

    fn opaque_call(&mut self, start: Loc) -> Parsed<Expr> {
        let from = self.at;
        self.next();
        if self.is("(") {
            self.balanced()?;
        }
        let text = squeeze(&self.tokens[from..self.at]);
        self.node(Kind::Opaque(text.into()), start)
    }
}
