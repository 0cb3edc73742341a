//! Statements (C11 6.8). An erroneous statement is reported and skipped; parsing of the block
//! continues after it.
//!
//! *Entry points:* [`Parser::compound`], [`Parser::statement`].

use axle_source::{Diagnostic, Loc};

use super::constant::wrap;
use super::parser::{Parsed, Parser, Reported, Switch};
use crate::grammar::Expressions;
use crate::tree::{Stmt, StmtKind};
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
        let labelled = self.is_name() && self.word_at(1) == ":";
        let extension = self.is("__extension__");
        if extension {
            self.next();
            let declaration = self.starts_type();
            self.at -= 1;
            if !declaration {
                let statement = self.statement()?;
                out.push(statement);
                return Ok(());
            }
        }
        let mut attributes = Default::default();
        if self.is("__attribute__") {
            self.attributes(&mut attributes)?;
            if self.eat(";") {
                return Ok(());
            }
        }
        if !labelled && (self.starts_type() || self.is("_Static_assert")) {
            return self.local_declaration(attributes, out);
        }
        let statement = self.statement()?;
        out.push(statement);
        Ok(())
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.deeper(|p| {
            let start = p.loc();
            let kind = p.statement_kind(start)?;
            Ok(Stmt { kind, loc: p.since(start) })
        })
    }

    /// The body of a loop or selection statement: a separate scope (6.8.4p3, 6.8.5p5).
    fn body_statement(&mut self) -> Parsed<Box<Stmt>> {
        self.enter();
        let mut ignored = Default::default();
        let result = match self.attributes(&mut ignored) {
            Ok(()) => self.statement(),
            Err(reported) => Err(reported),
        };
        self.leave();
        Ok(Box::new(result?))
    }

    fn switch(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.expect("(")?;
        let value = self.expression()?;
        let value = self.rvalue(value);
        self.expect(")")?;
        if !self.tree.types.is_integer(value.ty.ty) {
            self.report("E0723", "`switch` condition is not an integer", value.loc);
            return Err(Reported);
        }
        let value = self.promote(value);
        if let Some(body) = &mut self.body {
            body.breakable += 1;
            body.switches.push(Switch { ty: value.ty.ty, cases: Vec::new(), default: None });
        }
        let inner = self.body_statement();
        if let Some(body) = &mut self.body {
            body.breakable = body.breakable.saturating_sub(1);
            body.switches.pop();
        }
        Ok(StmtKind::Switch(value, inner?))
    }

    /// Parses a part in a separate scope.
    fn inside<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter();
        let result = part(self);
        self.leave();
        result
    }

    fn loop_body(&mut self) -> Parsed<Box<Stmt>> {
        self.count_loops(1);
        let body = self.body_statement();
        self.count_loops(-1);
        body
    }

    fn count_loops(&mut self, change: i32) {
        if let Some(body) = &mut self.body {
            body.loops = body.loops.saturating_add_signed(change);
            body.breakable = body.breakable.saturating_add_signed(change);
        }
    }

    fn statement_kind(&mut self, start: Loc) -> Parsed<StmtKind> {
        if self.is_name() && self.word_at(1) == ":" {
            return self.labelled();
        }
        match self.word() {
            ";" => {
                self.next();
                Ok(StmtKind::Empty)
            }
            "{" => {
                self.enter();
                let block = self.compound();
                self.leave();
                Ok(StmtKind::Block(block?))
            }
            // These statements are blocks (6.8.4p3, 6.8.5p5): declarations in the condition are
            // local to them.
            "if" => self.inside(|p| {
                p.next();
                let condition = p.bracketed_condition()?;
                let then = p.body_statement()?;
                let other = if p.eat("else") { Some(p.body_statement()?) } else { None };
                Ok(StmtKind::If(condition, then, other))
            }),
            "while" => self.inside(|p| {
                p.next();
                let condition = p.bracketed_condition()?;
                let body = p.loop_body()?;
                Ok(StmtKind::While(condition, body))
            }),
            "do" => {
                self.next();
                let body = self.loop_body()?;
                if !self.eat("while") {
                    return self.expected("`while`");
                }
                let condition = self.bracketed_condition()?;
                self.expect(";")?;
                Ok(StmtKind::DoWhile(body, condition))
            }
            "for" => {
                self.next();
                self.enter();
                let result = self.for_loop();
                self.leave();
                result
            }
            "switch" => self.inside(Self::switch),
            "case" => self.case(start),
            "default" => {
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
            "goto" => {
                self.next();
                if self.eat("*") {
                    let address = self.expression()?;
                    let address = self.assignable(address, Qual::plain(types::VOID_PTR), "the address");
                    self.expect(";")?;
                    return Ok(StmtKind::GotoAddress(address));
                }
                let Some((name, loc)) = self.name() else { return self.expected("a label") };
                self.expect(";")?;
                let name = self.label(&name);
                if let Some(body) = &mut self.body {
                    body.gotos.push((name.clone(), loc));
                }
                Ok(StmtKind::Goto(name))
            }
            word @ ("break" | "continue") => {
                self.next();
                self.expect(";")?;
                let body = self.body.as_ref();
                let inside = match word {
                    "break" => body.is_some_and(|body| body.breakable > 0),
                    _ => body.is_some_and(|body| body.loops > 0),
                };
                if !inside {
                    self.report("E0730", format!("`{word}` outside a loop or `switch`"), start);
                }
                Ok(if word == "break" { StmtKind::Break } else { StmtKind::Continue })
            }
            "return" => self.return_statement(start),
            "asm" if self.is_barrier() => {
                self.next();
                while matches!(self.word(), "volatile" | "inline") {
                    self.next();
                }
                self.balanced()?;
                self.expect(";")?;
                Ok(StmtKind::Empty)
            }
            "asm" => {
                let diagnostic = Diagnostic::error("E0710", "assembler code is not supported").at(start, "");
                self.diagnostics
                    .push(diagnostic.help("replace it by C, for example under `#ifdef __axle__`"));
                self.next();
                while matches!(self.word(), "volatile" | "goto" | "inline") {
                    self.next();
                }
                self.balanced()?;
                self.expect(";")?;
                Ok(StmtKind::Empty)
            }
            _ => {
                let e = self.expression()?;
                self.expect(";")?;
                let e = self.discard(e);
                Ok(StmtKind::Expr(e))
            }
        }
    }

    /// The value of an expression statement is read and discarded, unless its type is `void` or
    /// incomplete.
    fn discard(&mut self, e: crate::tree::Expr) -> crate::tree::Expr {
        let types = &self.tree.types;
        let valued = types.is_scalar(e.ty.ty) || types.record(e.ty.ty).is_some_and(|record| record.complete);
        if e.lvalue && !valued { e } else { self.rvalue(e) }
    }

    /// The statement after a label; before a `}` and, as in C23, before a declaration, an empty
    /// one.
    pub(super) fn after_label(&mut self) -> Parsed<Stmt> {
        let labelled = self.is_name() && self.word_at(1) == ":";
        if self.is("}") || (!labelled && self.starts_type() && !self.is("__extension__")) {
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

    fn bracketed_condition(&mut self) -> Parsed<crate::tree::Expr> {
        self.expect("(")?;
        let e = self.expression()?;
        let e = self.condition(e);
        self.expect(")")?;
        Ok(e)
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.expect("(")?;
        let mut init = Vec::new();
        if self.starts_type() {
            self.local_declaration(Default::default(), &mut init)?;
        } else if !self.eat(";") {
            let start = self.loc();
            let e = self.expression()?;
            let e = self.discard(e);
            let loc = self.since(start);
            init.push(Stmt { kind: StmtKind::Expr(e), loc });
            self.expect(";")?;
        }
        let cond = match self.is(";") {
            true => None,
            false => {
                let e = self.expression()?;
                Some(self.condition(e))
            }
        };
        self.expect(";")?;
        let step = match self.is(")") {
            true => None,
            false => {
                let e = self.expression()?;
                Some(self.discard(e))
            }
        };
        self.expect(")")?;
        let body = self.loop_body()?;
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn return_statement(&mut self, start: Loc) -> Parsed<StmtKind> {
        self.next();
        let ret = self.body.as_ref().map_or(types::ERROR, |body| body.ret.ty);
        if self.eat(";") {
            if ret != types::VOID {
                self.warn("W0705", "`return` without a value in a non-void function", start);
            }
            return Ok(StmtKind::Return(None));
        }
        let e = self.expression()?;
        self.expect(";")?;
        if ret == types::VOID {
            let e = self.rvalue(e);
            if e.ty.ty != types::VOID {
                self.warn("W0705", "`return` with a value in a void function", e.loc);
            }
            return Ok(StmtKind::Return(Some(e)));
        }
        let value = self.assignable(e, Qual::plain(ret), "the returned value");
        Ok(StmtKind::Return(Some(value)))
    }
}
