//! Declarations inside functions (C11 6.7, 6.2.2). Variables with static storage duration become
//! globals that record their function. Automatic variables are declared by a statement that begins
//! their lifetime.
//!
//! *Entry point:* [`Parser::local_declaration`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};

use super::attribute::Attributes;
use super::declarator::Declarator;
use super::lengths::Lengths;
use super::parser::{Entity, Parsed, Parser};
use super::specifiers::{Specs, Storage};
use crate::grammar::Expressions;
use crate::grammar::declarations::Declarations;
use crate::tree::{Global, Init, Kind, Local, Stmt, StmtKind};
use crate::types::{self, Qual, Type, TypeId};

impl Parser<'_> {
    pub(super) fn new_local(&mut self, name: Arc<str>, ty: Qual) -> u32 {
        match &mut self.body {
            Some(body) => {
                body.locals.push(Local { name, ty, addressed: false, cleanup: None });
                body.locals.len() as u32 - 1
            }
            None => 0,
        }
    }

    /// A declaration inside a function, after its attributes.
    pub(super) fn local_declaration(&mut self, before: Attributes, out: &mut Vec<Stmt>) -> Parsed<()> {
        let around = std::mem::replace(&mut self.lengths, Lengths::Kept(Vec::new()));
        let result = self.declaration(before, out);
        // Of specifiers without a declarator.
        self.flush_lengths(out);
        self.lengths = around;
        result.map(|_| ())
    }

    /// Adds the computations of the collected lengths to the statements.
    pub(super) fn flush_lengths(&mut self, out: &mut Vec<Stmt>) {
        let lengths = std::mem::take(&mut self.lengths).made();
        out.extend(lengths.into_iter().map(|e| Stmt { loc: e.loc, kind: StmtKind::Expr(e) }));
    }

    /// One declarator of a declaration inside a function, with its initialiser.
    pub(super) fn declare_in_block(
        &mut self,
        specs: &Specs,
        d: Declarator,
        out: &mut Vec<Stmt>,
    ) -> Parsed<()> {
        let first = d.start == specs.end;
        let start = if first { self.tokens[specs.start].loc() } else { self.after_pointers(d.start) };
        let Some((name, loc)) = d.name else { return self.expected("a name") };
        let long = self.tree.types.is_long(d.ty.ty);
        let automatic = matches!(specs.storage, Storage::None | Storage::Auto) && !specs.thread_local;
        let external = specs.storage == Storage::Extern && self.tree.types.has_long(d.ty.ty);
        if external || (long && !automatic && specs.storage != Storage::Typedef) {
            return self.error(
                Diagnostic::error("E0711", "array length is not constant")
                    .at(loc, "")
                    .help("only arrays with automatic storage duration may have variable length"),
            );
        }
        if self.is("{") && matches!(self.tree.types.get(d.ty.ty), Type::Function(_)) {
            return self.error(Diagnostic::error("E0712", "nested functions are not supported").at(loc, ""));
        }
        self.check_fresh(&name, loc, specs.storage);
        match specs.storage {
            Storage::Typedef => self.typedef(specs, name, d.ty, loc),
            _ if matches!(self.tree.types.get(d.ty.ty), Type::Function(_)) => {
                self.declare_function(specs, &name, d.ty.ty, loc);
            }
            Storage::Extern => {
                let shadowed = self.scopes[0].names.remove(&name);
                let visible = matches!(shadowed, Some((Entity::Global(_), _)));
                if visible && let Some(entry) = shadowed.clone() {
                    self.scopes[0].names.insert(name.clone(), entry);
                }
                let id = self.declare_global(specs, name.clone(), d.ty, loc, false);
                if !visible {
                    self.scopes[0].names.remove(&name);
                    if let Some(entry) = shadowed {
                        self.scopes[0].names.insert(name.clone(), entry);
                    }
                }
                self.declare(name, Entity::Global(id), loc);
            }
            Storage::Static => self.static_local(specs, name, d.ty, loc)?,
            Storage::None | Storage::Auto => {
                if specs.thread_local {
                    self.report(
                        "E0706",
                        "`_Thread_local` variable in a function must be `static` or `extern`",
                        loc,
                    );
                }
                if let (true, Some((_, place))) = (long, specs.attributes.cleanup) {
                    self.report("E0714", "`cleanup` of a variable-length array is not supported", place);
                }
                match long {
                    true => self.long_array(name, d.ty, (loc, start), out),
                    false => self.automatic(specs, name, d.ty, loc, start, out)?,
                }
            }
        }
        Ok(())
    }

    /// The location of a further declarator, from its name or first bracket on. The text `p = b` of
    /// the declaration `int a, *p = b` must not be shown as the assignment `*p = b`.
    fn after_pointers(&self, start: usize) -> Loc {
        let skipped = |word: &&&str| matches!(**word, "*" | "const" | "volatile" | "restrict" | "_Atomic");
        let behind = self.words[start..].iter().take_while(skipped).count();
        self.tokens[(start + behind).min(self.tokens.len() - 1)].loc()
    }

    fn check_fresh(&mut self, name: &Arc<str>, loc: Loc, storage: Storage) {
        let Some((entity, old)) = self.scopes.last().and_then(|scope| scope.names.get(name)) else { return };
        let again = match entity {
            Entity::Typedef(..) => storage != Storage::Typedef,
            Entity::Function(_) => false,
            Entity::Global(_) => storage != Storage::Extern,
            Entity::Local(_) | Entity::Constant(..) | Entity::Param => true,
        };
        let old = *old;
        if again {
            let diagnostic = Diagnostic::error("E0732", format!("redeclaration of `{name}`")).at(loc, "");
            self.diagnostics.push(diagnostic.also(old, "previous declaration"));
        }
    }

    fn static_local(&mut self, specs: &Specs, name: Arc<str>, ty: Qual, loc: Loc) -> Parsed<()> {
        let id = self.tree.globals.len() as u32;
        self.tree.globals.push(Global {
            name: name.clone(),
            ty,
            init: None,
            loc,
            within: self.body.as_ref().map(|body| body.id),
            thread_local: specs.thread_local,
            defined: true,
            ours: self.ours,
            referenced: false,
        });
        let known_as = name.clone();
        self.declare(name, Entity::Global(id), loc);
        if self.eat("=") {
            let (mut init, ty) = self.initializer(ty, true)?;
            self.bound_initial_value(&known_as, loc, ty, &mut init);
            let global = &mut self.tree.globals[id as usize];
            (global.init, global.ty) = (Some(init), ty);
        }
        let ty = self.tree.globals[id as usize].ty.ty;
        self.check_complete(ty, loc);
        Ok(())
    }

    fn automatic(
        &mut self,
        specs: &Specs,
        name: Arc<str>,
        ty: Qual,
        loc: Loc,
        start: Loc,
        out: &mut Vec<Stmt>,
    ) -> Parsed<()> {
        let mut init = None;
        let local = self.new_local(name.clone(), ty);
        if specs.auto_type {
            self.expect("=")?;
            let e = self.assignment()?;
            let e = self.rvalue(e);
            let ty = Qual::plain(e.ty.ty);
            if let Some(body) = &mut self.body {
                body.locals[local as usize].ty = ty;
            }
            let item = crate::tree::InitItem { offset: 0, bits: None, value: e };
            init = Some(Init { zero: false, items: vec![item] });
            self.declare(name, Entity::Local(local), loc);
        } else {
            let known_as = name.clone();
            self.declare(name, Entity::Local(local), loc);
            if self.eat("=") {
                let (mut value, full) = self.initializer(ty, false)?;
                self.bound_initial_value(&known_as, loc, ty, &mut value);
                if let Some(body) = &mut self.body {
                    body.locals[local as usize].ty = full;
                }
                init = Some(value);
            }
        }
        let ty = self.body.as_ref().map_or(types::ERROR, |body| body.locals[local as usize].ty.ty);
        self.check_complete(ty, loc);
        if let Some(cleanup) = specs.attributes.cleanup {
            self.cleaned_up(local, cleanup);
        }
        let loc = self.since(start);
        out.push(Stmt { kind: StmtKind::Declare(local, init), loc });
        Ok(())
    }

    /// The `cleanup` call of a variable, with its address as argument.
    fn cleaned_up(&mut self, local: u32, (function, loc): (u32, Loc)) {
        let Some(ty) = self.body.as_ref().and_then(|body| Some(body.locals.get(local as usize)?.ty)) else {
            return;
        };
        let variable = self.object(Kind::Local(local), ty, loc);
        let address = self.address_of(variable, loc);
        let callee = self.object(Kind::Function(function), self.function_type(function), loc);
        let call = self.call(callee, vec![address], loc);
        if let Some(body) = &mut self.body {
            body.locals[local as usize].cleanup = Some(Box::new(call));
        }
    }

    fn check_complete(&mut self, ty: TypeId, loc: Loc) {
        if ty == types::VOID || self.tree.types.size(ty).is_none() {
            let message = format!("variable has incomplete type `{}`", self.tree.types.show(ty));
            self.report("E0722", message, loc);
        }
    }
}
