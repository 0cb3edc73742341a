//! Statements as they are written: the nodes that are built while the grammar of C reads one. Labels and
//! cases stand in the list before the statement that they mark. A
//! faulty statement is reported and skipped to its end.
//!
//! *Entry points:* [`Reader::compound`], [`Reader::statement`].

use axle_c::grammar::Expressions;
use axle_c::grammar::declarations::Declarations;
use axle_c::grammar::statements::{Statements, Syntax};
use axle_source::Loc;
use rustc_hash::FxHashMap;

use super::{Parsed, Reader, squeeze};
use crate::syntax::{Expr, Stmt, StmtKind};

impl Reader<'_> {
    /// From `{` to its `}`.
    pub(super) fn compound(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        self.scopes.push(FxHashMap::default());
        let scopes = self.scopes.len();
        let mut out = Vec::new();
        while !self.is("}") {
            if self.is("end") {
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

    /// A statement that ends here.
    fn built(&self, kind: StmtKind, start: Loc) -> Stmt {
        Stmt { kind, loc: self.since(start) }
    }

    /// A statement with its labels.
    fn statement(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        loop {
            let start = self.loc();
            if self.word_at(1) == ":"
                && let Some(name) = self.name()
            {
                self.next();
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
                self.attribute()?;
            } else if self.is("__label__") {
                while !self.eat(";") {
                    if self.is("end") {
                        return self.expected("`;`");
                    }
                    self.next();
                }
            } else {
                break;
            }
            if self.is("}") {
                // Before the end of a block a label marks nothing, which C23 and gcc allow.
                return Ok(());
            }
        }
        if self.starts_declaration() {
            return self.read_declaration(out);
        }
        let statement = self.unlabelled()?;
        if !matches!(statement.kind, StmtKind::Empty) {
            out.push(statement);
        }
        Ok(())
    }
}

impl Statements for Reader<'_> {
    type Statement = Stmt;

    fn in_scope<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(FxHashMap::default());
        let result = part(self);
        self.scopes.pop();
        result
    }

    fn read_declaration(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.loc();
        if let Some(decl) = self.declaration_node()? {
            out.push(self.built(StmtKind::Declare(decl), start));
        }
        Ok(())
    }

    fn read_block(&mut self) -> Parsed<Stmt> {
        let start = self.loc();
        let list = Reader::deeper(self, Self::compound)?;
        Ok(self.built(StmtKind::Block(list), start))
    }

    fn read_body(&mut self) -> Parsed<Box<Stmt>> {
        self.single()
    }

    fn read_loop_body(&mut self) -> Parsed<Box<Stmt>> {
        self.single()
    }

    fn read_switch_body(&mut self, value: Expr, start: Loc) -> Parsed<Stmt> {
        let body = self.single()?;
        Ok(self.built(StmtKind::Switch(value, body), start))
    }

    fn read_assembler(&mut self, start: Loc) -> Parsed<Stmt> {
        let from = self.at;
        Reader::next(self);
        while self.is("volatile") || self.is("goto") || self.is("inline") {
            Reader::next(self);
        }
        self.balanced()?;
        let text = squeeze(&self.tokens[from..self.at]);
        self.expect(";")?;
        Ok(self.built(StmtKind::Asm(text), start))
    }

    fn read_goto(&mut self, start: Loc) -> Parsed<Stmt> {
        let Some(name) = self.name() else { return self.expected("the name of a label") };
        self.expect(";")?;
        Ok(self.built(StmtKind::Goto(name), start))
    }

    fn make_condition(&mut self, value: Expr) -> Expr {
        value
    }

    fn make_discarded(&mut self, value: Expr) -> Expr {
        value
    }

    fn make_statement(&mut self, parts: Syntax<Expr, Stmt>, start: Loc) -> Stmt {
        let kind = match parts {
            Syntax::Empty => StmtKind::Empty,
            Syntax::Expression(value) => StmtKind::Expr(value),
            Syntax::If(condition, then, other) => StmtKind::If(condition, then, other),
            Syntax::While(condition, body) => StmtKind::While(condition, body),
            Syntax::DoWhile(body, condition) => StmtKind::DoWhile(body, condition),
            Syntax::For { init, condition: cond, step, body } => StmtKind::For { init, cond, step, body },
            Syntax::Break => StmtKind::Break,
            Syntax::Continue => StmtKind::Continue,
            Syntax::Return(value) => StmtKind::Return(value),
        };
        self.built(kind, start)
    }
}
