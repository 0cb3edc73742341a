//! Statements (C11 6.8). Labels and cases stand in the list before the statement that they mark. A
//! faulty statement is reported and skipped to its end.
//!
//! *Entry points:* [`Reader::compound`], [`Reader::statement`].

use axle_c::grammar::Expressions;
use axle_source::Loc;
use rustc_hash::FxHashMap;

use super::{Parsed, Reader, squeeze};
use crate::syntax::{Stmt, StmtKind};

impl Reader<'_> {
    /// From `{` to its `}`.
    pub(super) fn compound(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        self.scopes.push(FxHashMap::default());
        let scopes = self.scopes.len();
        let mut out = Vec::new();
        while !self.is("}") {
            if self.is("<end>") {
                return self.expected("`}`");
            }
            let (before, depth) = (self.at, self.depth);
            if self.statement(&mut out).is_err() {
                self.scopes.truncate(scopes);
                self.depth = depth;
                self.recover();
                if self.at == before {
                    self.next();
                }
            }
        }
        self.scopes.pop();
        self.next();
        Ok(out)
    }

    /// One statement as one: labels before it make it a block.
    fn single(&mut self) -> Parsed<Box<Stmt>> {
        let start = self.loc();
        let mut list = Vec::new();
        self.deeper(|this| this.statement(&mut list))?;
        Ok(Box::new(match list.pop() {
            Some(only) if list.is_empty() => only,
            None => Stmt { kind: StmtKind::Empty, loc: start },
            Some(last) => {
                list.push(last);
                Stmt { kind: StmtKind::Block(list), loc: self.since(start) }
            }
        }))
    }

    fn put(&mut self, out: &mut Vec<Stmt>, kind: StmtKind, start: Loc) {
        out.push(Stmt { kind, loc: self.since(start) });
    }

    fn bracketed(&mut self) -> Parsed<crate::syntax::Expr> {
        self.expect("(")?;
        let expr = self.expression()?;
        self.expect(")")?;
        Ok(expr)
    }

    /// A statement with what marks it.
    fn statement(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        loop {
            let start = self.loc();
            if self.is_name_at(0) && self.word_at(1) == ":" {
                let name = self.token().text.clone();
                self.next();
                self.next();
                self.attributes()?;
                self.put(out, StmtKind::Label(name), start);
            } else if self.eat("case") {
                let first = self.conditional()?;
                let last = if self.eat("...") { Some(self.conditional()?) } else { None };
                self.expect(":")?;
                self.put(out, StmtKind::Case(first, last), start);
            } else if self.is("default") && self.word_at(1) == ":" {
                self.next();
                self.next();
                self.put(out, StmtKind::Default, start);
            } else if self.is("__attribute__") {
                self.attributes()?;
            } else {
                break;
            }
            if self.is("}") {
                // Before the end of a block a label marks nothing, which C23 and gcc allow.
                return Ok(());
            }
        }
        let start = self.loc();
        match self.word() {
            ";" => self.next(),
            "{" => {
                let list = self.deeper(Self::compound)?;
                self.put(out, StmtKind::Block(list), start);
            }
            "if" => {
                self.next();
                let cond = self.bracketed()?;
                let yes = self.single()?;
                let no = if self.eat("else") { Some(self.single()?) } else { None };
                self.put(out, StmtKind::If(cond, yes, no), start);
            }
            "while" => {
                self.next();
                let cond = self.bracketed()?;
                let body = self.single()?;
                self.put(out, StmtKind::While(cond, body), start);
            }
            "do" => {
                self.next();
                let body = self.single()?;
                self.expect("while")?;
                let cond = self.bracketed()?;
                self.expect(";")?;
                self.put(out, StmtKind::DoWhile(body, cond), start);
            }
            "for" => self.for_loop(out)?,
            "switch" => {
                self.next();
                let value = self.bracketed()?;
                let body = self.single()?;
                self.put(out, StmtKind::Switch(value, body), start);
            }
            "goto" => {
                self.next();
                match self.name() {
                    Some(name) => self.put(out, StmtKind::Goto(name), start),
                    None => return self.expected("the name of a label"),
                }
                self.expect(";")?;
            }
            "break" => {
                self.next();
                self.expect(";")?;
                self.put(out, StmtKind::Break, start);
            }
            "continue" => {
                self.next();
                self.expect(";")?;
                self.put(out, StmtKind::Continue, start);
            }
            "return" => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                self.put(out, StmtKind::Return(value), start);
            }
            "asm" => {
                let from = self.at;
                self.next();
                while self.is("volatile") || self.is("goto") || self.is("inline") {
                    self.next();
                }
                self.balanced()?;
                let text = squeeze(&self.tokens[from..self.at]);
                self.expect(";")?;
                self.put(out, StmtKind::Asm(text), start);
            }
            _ if self.starts_type() => {
                if let Some(decl) = self.declaration()? {
                    self.put(out, StmtKind::Declare(decl), start);
                }
            }
            _ => {
                let expr = self.expression()?;
                self.expect(";")?;
                self.put(out, StmtKind::Expr(expr), start);
            }
        }
        Ok(())
    }

    fn for_loop(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.loc();
        self.next();
        self.expect("(")?;
        self.scopes.push(FxHashMap::default());
        let mut init = Vec::new();
        let at = self.loc();
        if self.starts_type() {
            if let Some(decl) = self.declaration()? {
                self.put(&mut init, StmtKind::Declare(decl), at);
            }
        } else if !self.eat(";") {
            let expr = self.expression()?;
            self.put(&mut init, StmtKind::Expr(expr), at);
            self.expect(";")?;
        }
        let cond = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = self.single()?;
        self.scopes.pop();
        self.put(out, StmtKind::For { init, cond, step, body }, start);
        Ok(())
    }
}
