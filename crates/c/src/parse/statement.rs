//! Typed statements (C11 6.8): labels, and the nodes that are built while a statement is read by the
//! grammar (`grammar/statements.rs`). An erroneous statement is reported and skipped; parsing of the block
//! continues after it.
//!
//! *Entry points:* [`Parser::compound`], [`Parser::statement`].

use axle_source::{Diagnostic, Loc};

use super::constant::wrap;
use super::parser::{Parsed, Parser, Reported, Switch};
use crate::grammar::Expressions;
use crate::grammar::declarations::Declarations;
use crate::grammar::statements::{Statements, Syntax};
use crate::tree::{Expr, Stmt, StmtKind};
use crate::types::{self, Qual};

impl Parser<'_> {
    /// From `{` to the matching `}`; the caller opens the scope.
    pub(super) fn compound(&mut self) -> Parsed<Vec<Stmt>> {
        let open = self.loc();
        self.expect("{")?;
        let mut out = Vec::new();
        while !self.is("}") {
            if self.is("end") {
                let diagnostic = Diagnostic::error("E0705", "missing `}`").at(open, "block starts here");
                return self.error(diagnostic);
            }
            let before = self.at;
            let scopes = self.scopes.len();
            let (depth, unevaluated) = (self.depth, self.unevaluated);
            if self.item(&mut out).is_err() {
                self.scopes.truncate(scopes);
                self.depth = depth;
                self.unevaluated = unevaluated;
                self.recover();
                if self.at == before {
                    self.next();
                }
            }
        }
        self.next();
        Ok(out)
    }

    fn item(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        while self.is("__label__") {
            self.local_labels()?;
        }
        let mut attributes = Default::default();
        if self.is("__attribute__") {
            self.attributes(&mut attributes)?;
            if self.eat(";") {
                return Ok(());
            }
        }
        let labelled = self.is_name() && self.word_at(1) == ":";
        if !labelled && self.starts_declaration() {
            return self.local_declaration(attributes, out);
        }
        let statement = self.statement()?;
        out.push(statement);
        Ok(())
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.deeper(|p| {
            let start = p.loc();
            let kind = match p.word() {
                _ if p.is_name() && p.word_at(1) == ":" => p.labelled()?,
                "case" => p.case(start)?,
                "default" => p.default(start)?,
                _ => return p.unlabelled(),
            };
            Ok(p.built(kind, start))
        })
    }

    /// A statement that ends here.
    fn built(&self, kind: StmtKind, start: Loc) -> Stmt {
        Stmt { kind, loc: self.since(start) }
    }

    fn count_loops(&mut self, change: i32) {
        if let Some(body) = &mut self.body {
            body.loops = body.loops.saturating_add_signed(change);
            body.breakable = body.breakable.saturating_add_signed(change);
        }
    }

    fn default(&mut self, start: Loc) -> Parsed<StmtKind> {
        self.next();
        self.expect(":")?;
        let old = match self.body.as_mut().and_then(|body| body.switches.last_mut()) {
            Some(switch) => switch.default.replace(start),
            None => {
                self.report("E0730", "`default` outside a `switch`", start);
                None
            }
        };
        if let Some(old) = old {
            let diagnostic =
                Diagnostic::error("E0730", "multiple `default` labels in one `switch`").at(start, "");
            self.diagnostics.push(diagnostic.also(old, "previous label"));
        }
        Ok(StmtKind::Default(Box::new(self.after_label()?)))
    }

    /// The value of an expression statement is read and discarded, unless its type is `void` or
    /// incomplete.
    fn discard(&mut self, e: Expr) -> Expr {
        let types = &self.tree.types;
        let valued = types.is_scalar(e.ty.ty) || types.record(e.ty.ty).is_some_and(|record| record.complete);
        if e.lvalue && !valued { e } else { self.rvalue(e) }
    }

    /// The statement after a label; before a `}` and, as in C23, before a declaration, an empty
    /// one.
    pub(super) fn after_label(&mut self) -> Parsed<Stmt> {
        let labelled = self.is_name() && self.word_at(1) == ":";
        if self.is("}") || (!labelled && self.starts_declaration()) {
            let loc = self.last().after();
            return Ok(Stmt { kind: StmtKind::Empty, loc });
        }
        self.statement()
    }

    fn case(&mut self, start: Loc) -> Parsed<StmtKind> {
        self.next();
        let first = self.constant_integer()?;
        let last = if self.eat("...") { self.constant_integer()? } else { first };
        self.expect(":")?;
        let loc = self.since(start);
        let ty = self.body.as_ref().and_then(|body| body.switches.last()).map(|switch| switch.ty);
        let Some(ty) = ty else {
            self.report("E0730", "`case` outside a `switch`", loc);
            return Ok(StmtKind::Block(vec![self.after_label()?]));
        };
        let (low, high) = (wrap(&self.tree.types, ty, first as u64), wrap(&self.tree.types, ty, last as u64));
        let signed = self.tree.types.is_signed(ty);
        let at_most = |a: u64, b: u64| if signed { a as i64 <= b as i64 } else { a <= b };
        let mut clash = None;
        if let Some(switch) = self.body.as_mut().and_then(|body| body.switches.last_mut()) {
            if switch.cases.len() < 5_000 {
                clash =
                    switch.cases.iter().find(|(l, h, _)| at_most(*l, high) && at_most(low, *h)).map(|c| c.2);
            }
            switch.cases.push((low, high, loc));
        }
        if let Some(old) = clash {
            let diagnostic = Diagnostic::error("E0730", "duplicate case value").at(loc, "");
            self.diagnostics.push(diagnostic.also(old, "previous label"));
        }
        Ok(StmtKind::Case(low, high, Box::new(self.after_label()?)))
    }
}

impl Statements for Parser<'_> {
    type Statement = Stmt;

    fn in_scope<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter();
        let result = part(self);
        self.leave();
        result
    }

    fn read_declaration(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        self.local_declaration(Default::default(), out)
    }

    fn read_block(&mut self) -> Parsed<Stmt> {
        let start = self.loc();
        let list = self.in_scope(Self::compound)?;
        Ok(self.built(StmtKind::Block(list), start))
    }

    fn read_body(&mut self) -> Parsed<Box<Stmt>> {
        self.in_scope(|p| {
            p.attributes(&mut Default::default())?;
            p.statement().map(Box::new)
        })
    }

    fn read_loop_body(&mut self) -> Parsed<Box<Stmt>> {
        self.count_loops(1);
        let body = self.read_body();
        self.count_loops(-1);
        body
    }

    fn read_switch_body(&mut self, value: Expr, start: Loc) -> Parsed<Stmt> {
        let value = self.rvalue(value);
        if !self.tree.types.is_integer(value.ty.ty) {
            self.report("E0723", "`switch` condition is not an integer", value.loc);
            return Err(Reported);
        }
        if self.refuse_wide(value.ty.ty, "a `switch` condition", value.loc) {
            return Err(Reported);
        }
        let value = self.promote(value);
        if let Some(body) = &mut self.body {
            body.breakable += 1;
            body.switches.push(Switch { ty: value.ty.ty, cases: Vec::new(), default: None });
        }
        let inner = self.read_body();
        if let Some(body) = &mut self.body {
            body.breakable = body.breakable.saturating_sub(1);
            body.switches.pop();
        }
        let inner = inner?;
        Ok(self.built(StmtKind::Switch(value, inner), start))
    }

    fn read_assembler(&mut self, start: Loc) -> Parsed<Stmt> {
        if !self.is_barrier() {
            let diagnostic = Diagnostic::error("E0710", "assembler code is not supported").at(start, "");
            self.diagnostics.push(diagnostic.help("replace it by C, for example under `#ifdef __axle__`"));
        }
        self.next();
        while matches!(self.word(), "volatile" | "goto" | "inline") {
            self.next();
        }
        self.balanced()?;
        self.expect(";")?;
        Ok(self.built(StmtKind::Empty, start))
    }

    fn read_goto(&mut self, start: Loc) -> Parsed<Stmt> {
        if self.eat("*") {
            let address = self.expression()?;
            let address = self.assignable(address, Qual::plain(types::VOID_PTR), "the address");
            self.expect(";")?;
            return Ok(self.built(StmtKind::GotoAddress(address), start));
        }
        let Some((name, loc)) = self.name() else { return self.expected("a label") };
        self.expect(";")?;
        let name = self.label(&name);
        if let Some(body) = &mut self.body {
            body.gotos.push((name.clone(), loc));
        }
        Ok(self.built(StmtKind::Goto(name), start))
    }

    fn make_condition(&mut self, value: Expr) -> Expr {
        self.condition(value)
    }

    fn make_discarded(&mut self, value: Expr) -> Expr {
        self.discard(value)
    }

    fn make_statement(&mut self, parts: Syntax<Expr, Stmt>, start: Loc) -> Stmt {
        let kind = match parts {
            Syntax::Empty => StmtKind::Empty,
            Syntax::Expression(value) => StmtKind::Expr(value),
            Syntax::If(condition, then, other) => StmtKind::If(condition, then, other),
            Syntax::While(condition, body) => StmtKind::While(condition, body),
            Syntax::DoWhile(body, condition) => StmtKind::DoWhile(body, condition),
            Syntax::For { init, condition: cond, step, body } => StmtKind::For { init, cond, step, body },
            Syntax::Break => {
                let inside = self.body.as_ref().is_some_and(|body| body.breakable > 0);
                self.jump("break", StmtKind::Break, inside, start)
            }
            Syntax::Continue => {
                let inside = self.body.as_ref().is_some_and(|body| body.loops > 0);
                self.jump("continue", StmtKind::Continue, inside, start)
            }
            Syntax::Return(value) => StmtKind::Return(self.returned(value, start)),
        };
        self.built(kind, start)
    }
}

impl Parser<'_> {
    /// `break` or `continue`, which must be inside a statement that it leaves.
    fn jump(&mut self, word: &str, kind: StmtKind, inside: bool, start: Loc) -> StmtKind {
        if !inside {
            self.report("E0730", format!("`{word}` outside a loop or `switch`"), start);
        }
        kind
    }

    /// The value of `return` in the type of the function.
    fn returned(&mut self, value: Option<Expr>, start: Loc) -> Option<Expr> {
        let ret = self.body.as_ref().map_or(types::ERROR, |body| body.ret.ty);
        match value {
            None => {
                if ret != types::VOID {
                    self.warn("W0705", "`return` without a value in a non-void function", start);
                }
                None
            }
            Some(e) if ret == types::VOID => {
                let e = self.rvalue(e);
                if e.ty.ty != types::VOID {
                    self.warn("W0705", "`return` with a value in a void function", e.loc);
                }
                Some(e)
            }
            Some(e) => Some(self.assignable(e, Qual::plain(ret), "the returned value")),
        }
    }
}
