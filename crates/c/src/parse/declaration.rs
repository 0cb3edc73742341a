//! Typed declarations (C11 6.7, 6.9): the objects, functions and types that are declared while the
//! grammar reads a declaration (`grammar/declarations.rs`).
//!
//! *Entry points:* [`Declarations::external`]; [`Parser::local_declaration`] inside functions.

use std::sync::Arc;

use axle_source::{Diagnostic, Loc, TokenKind};

use super::constant::{Constant, evaluate};
use super::declarator::{Declarator, Param};
use super::lengths::Lengths;
use super::parser::{Entity, Linked, Parsed, Parser, Reported};
use super::specifiers::{Specs, Storage};
use crate::grammar::Expressions;
use crate::grammar::declarations::Declarations;
use crate::grammar::declarators::Parameters;
use crate::grammar::specifiers::Name;
use crate::headers;
use crate::tree::{Function, Global, Stmt};
use crate::types::{self, FnType, Qual, Type, TypeId};

impl Declarations for Parser<'_> {
    type Declared = Stmt;

    fn string(&self) -> Option<&str> {
        (self.token().kind == TokenKind::String).then(|| &*self.token().text)
    }

    fn read_file_assembler(&mut self) -> Parsed<()> {
        let loc = self.loc();
        self.report("E0710", "assembler code is not supported", loc);
        self.next();
        self.balanced()?;
        self.expect(";")
    }

    fn make_assertion(&mut self, value: i64, text: &str, start: Loc) {
        if value == 0 {
            let loc = self.since(start);
            self.report("E0728", format!("static assertion failed: {text}"), loc);
        }
    }

    fn function_of<'d>(&self, specs: &Specs, d: &'d Declarator) -> Option<&'d Parameters<Param>> {
        let function = matches!(self.tree.types.get(d.ty.ty), Type::Function(_));
        (function && specs.storage != Storage::Typedef).then_some(&d.parameters)
    }

    fn make_old_style(&mut self, name: &Name) -> Param {
        self.declare(name.0.clone(), Entity::Param, name.1);
        Param { name: Some(name.clone()), ty: Qual::plain(types::INT), again: None }
    }

    fn declare_old_style(&mut self, specs: &Specs, d: Declarator, params: &mut [Param]) -> Parsed<()> {
        let declared = self.parameter(specs, d);
        let Some((name, loc)) = &declared.name else { return self.expected("a name") };
        let own = |param: &&mut Param| param.name.as_ref().is_some_and(|(own, _)| own == name);
        match params.iter_mut().find(own) {
            Some(param) => (param.ty, param.again) = (declared.ty, declared.again),
            None => self.report("E0720", format!("`{name}` is not a parameter of this function"), *loc),
        }
        Ok(())
    }

    fn declare(&mut self, specs: &Specs, d: Declarator, out: &mut Vec<Stmt>) -> Parsed<()> {
        let specs = specs.with(&d);
        if self.at_file_scope() {
            return self.declare_at_file_scope(&specs, d);
        }
        // The lengths of a declaration are computed before the name is declared; those of type names in
        // the initialiser belong to its expressions.
        self.flush_lengths(out);
        self.declare_in_block(&specs, d, out)?;
        self.lengths = Lengths::Kept(Vec::new());
        Ok(())
    }

    fn read_function(&mut self, specs: &Specs, d: Declarator, old_style: Vec<Param>) -> Parsed<()> {
        self.define_function(&specs.with(&d), d, old_style)
    }
}

impl Parser<'_> {
    /// Declares the predefined names.
    pub(super) fn predeclare(&mut self) {
        let types = &mut self.tree.types;
        // An array of one record as on x86-64, so that it is passed by reference.
        let tag: Arc<str> = "__va_list_tag".into();
        let known = (0..types.records.len()).find(|&r| types.records[r].tag.as_ref() == Some(&tag));
        let record = match known {
            Some(known) => types.intern(Type::Record(known as u32)),
            None => {
                let record = types.new_record(Some(tag), false);
                let field = crate::types::Field {
                    name: Some("__at".into()),
                    ty: Qual::plain(types::VOID_PTR),
                    width: None,
                    align: 0,
                    natural: 0,
                    packed: false,
                    offset: 0,
                    bits: None,
                    loc: Loc::plain(self.tokens[0].span),
                };
                types.lay_out(record, vec![field], crate::types::Layout::default());
                record
            }
        };
        self.va_list = types.intern(Type::Array(Qual::plain(record), Some(1)));
        let loc = Loc::plain(self.tokens[0].span);
        for name in ["__builtin_va_list", "__gnuc_va_list"] {
            self.declare(name.into(), Entity::Typedef(Qual::plain(self.va_list), 0), loc);
        }
    }

    /// An integer constant expression.
    pub(super) fn constant_integer(&mut self) -> Parsed<i64> {
        self.typed_constant().map(|(value, _)| value as i64)
    }

    /// An integer constant expression and its type.
    pub(super) fn typed_constant(&mut self) -> Parsed<(u64, TypeId)> {
        let e = self.deeper(Self::conditional)?;
        let e = self.rvalue(e);
        if e.ty.ty == types::ERROR {
            return Err(Reported);
        }
        match evaluate(self.tree, &e) {
            Some(Constant::Int(value)) if self.tree.types.is_integer(e.ty.ty) => Ok((value, e.ty.ty)),
            _ => {
                let loc = e.loc;
                self.error(Diagnostic::error("E0726", "expected an integer constant expression").at(loc, ""))
            }
        }
    }

    /// One declarator at file scope with its initialiser.
    fn declare_at_file_scope(&mut self, specs: &Specs, d: Declarator) -> Parsed<()> {
        if let Some((_, loc)) = d.parameters.identifiers.first() {
            let message = "parameter names without types in a declaration that is not a definition";
            self.report("E0701", message, *loc);
        }
        let Some((name, loc)) = d.name else { return self.expected("a name") };
        if specs.storage == Storage::Typedef {
            self.typedef(specs, name, d.ty, loc);
            return Ok(());
        }
        if specs.auto_type {
            let diagnostic = Diagnostic::error("E0714", "`__auto_type` is supported inside functions only");
            return self.error(diagnostic.at(loc, ""));
        }
        if matches!(self.tree.types.get(d.ty.ty), Type::Function(_)) {
            self.declare_function(specs, &name, d.ty.ty, loc);
            return Ok(());
        }
        let known_as = name.clone();
        let id = self.declare_global(specs, name, d.ty, loc, specs.storage == Storage::Static);
        let ty = self.global_type(id);
        if self.eat("=") {
            let (mut init, ty) = self.initializer(ty, true)?;
            self.bound_initial_value(&known_as, loc, ty, &mut init);
            self.views.globals.insert(id, ty);
            let global = &mut self.tree.globals[id as usize];
            if global.init.is_some() {
                self.report("E0732", "redefinition: the variable is initialised twice", loc);
            } else {
                global.ty = ty;
                global.init = Some(init);
                (global.defined, global.ours) = (true, self.ours);
            }
        }
        Ok(())
    }

    pub(super) fn typedef(&mut self, specs: &Specs, name: Arc<str>, ty: Qual, loc: Loc) {
        if let Some(&(Entity::Typedef(old, _), old_loc)) =
            self.scopes.last().and_then(|scope| scope.names.get(&name))
            && !self.tree.types.compatible(old.ty, ty.ty)
        {
            self.conflict(&name, ty, old, old_loc, loc);
        }
        if specs.attributes.transparent {
            self.tree.types.make_transparent(ty.ty);
        }
        self.tree.types.name_after_typedef(ty.ty, &name);
        let align = self.named_align(specs, ty.ty).max(specs.attributes.align);
        self.declare(name, Entity::Typedef(ty, align), loc);
    }

    pub(super) fn declare_global(
        &mut self,
        specs: &Specs,
        name: Arc<str>,
        ty: Qual,
        loc: Loc,
        is_static: bool,
    ) -> u32 {
        if let Some(place) = specs.attributes.alias {
            self.report("E0714", "`alias` of variables is not supported", place);
        }
        let known = match self.scopes[0].names.get(&name) {
            Some((Entity::Global(id), _)) => Some(*id),
            Some((_, old)) => {
                let old = *old;
                let message = format!("`{name}` redeclared as different kind of symbol");
                self.diagnostics
                    .push(Diagnostic::error("E0721", message).at(loc, "").also(old, "previous declaration"));
                None
            }
            None if is_static => None,
            None => match self.linkage.names.get(&name) {
                Some(Linked::Global(id)) => Some(*id),
                Some(Linked::Function(_)) => {
                    self.report(
                        "E0721",
                        format!(
                            "`{name}` redeclared as different kind of symbol: a function in another file"
                        ),
                        loc,
                    );
                    None
                }
                None => None,
            },
        };
        let defined = specs.storage != Storage::Extern;
        let id = match known {
            Some(id) => {
                let old = &self.tree.globals[id as usize];
                let (old_ty, old_loc) = (old.ty, old.loc);
                let agree = self.tree.types.compatible(old_ty.ty, ty.ty) && old_ty.quals == ty.quals;
                if !self.ours && !agree {
                    self.conflict(&name, ty, old_ty, old_loc, loc);
                } else if self.tree.types.size(old_ty.ty).is_none() {
                    self.tree.globals[id as usize].ty = ty;
                }
                let old = &mut self.tree.globals[id as usize];
                if defined && !old.defined {
                    (old.defined, old.ours) = (true, self.ours);
                    old.loc = loc;
                }
                id
            }
            None => {
                let id = self.tree.globals.len() as u32;
                self.tree.globals.push(Global {
                    name: name.clone(),
                    ty,
                    init: None,
                    loc,
                    within: None,
                    thread_local: specs.thread_local,
                    defined,
                    ours: self.ours,
                    referenced: false,
                });
                if !is_static {
                    self.linkage.names.insert(name.clone(), Linked::Global(id));
                }
                id
            }
        };
        if ty.ty == types::VOID {
            self.report("E0722", format!("variable `{name}` has type `void`"), loc);
        }
        self.scopes[0].names.insert(name, (Entity::Global(id), loc));
        let complete = |types: &types::Types, ty: Qual| types.size(ty.ty).is_some();
        let known = self.views.globals.get(&id).is_some_and(|&known| complete(&self.tree.types, known));
        if !known || complete(&self.tree.types, ty) {
            self.views.globals.insert(id, ty);
        }
        id
    }

    /// The type of a variable as this translation unit declares it.
    pub(super) fn global_type(&self, id: u32) -> Qual {
        self.views.globals.get(&id).copied().unwrap_or(self.tree.globals[id as usize].ty)
    }

    /// The type of a function as this translation unit declares it.
    pub(super) fn function_type(&self, id: u32) -> Qual {
        Qual::plain(self.views.functions.get(&id).copied().unwrap_or(self.tree.functions[id as usize].ty))
    }

    /// Reports two declarations of a name whose types are not compatible.
    fn conflict(&mut self, name: &str, ty: Qual, old: Qual, old_loc: Loc, loc: Loc) {
        let mixed = self.mixes_headers(loc, old_loc);
        if mixed && std::mem::replace(&mut self.linkage.mixed_headers, true) {
            return;
        }
        let types = &self.tree.types;
        let mut diagnostic = Diagnostic::error("E0721", format!("conflicting types for `{name}`"))
            .at(loc, format!("declared as `{}`", types.show_qual(ty)))
            .also(old_loc, format!("previous declaration as `{}`", types.show_qual(old)));
        if mixed {
            diagnostic = diagnostic.help(
                "one file contains the headers of a compiler (it is preprocessed), another includes the headers of \
                 Axle: pass either only preprocessed files or none",
            );
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether one declaration is in a header of Axle and the other in a header included by another
    /// preprocessor.
    fn mixes_headers(&self, a: Loc, b: Loc) -> bool {
        let own = |loc: Loc| self.sources.file(loc.span.file).name().starts_with(headers::FOLDER);
        let preprocessed =
            |loc: Loc| *self.sources.place(loc.span).file != **self.sources.file(loc.span.file).name();
        (own(a) && preprocessed(b)) || (own(b) && preprocessed(a))
    }

    pub(super) fn declare_function(&mut self, specs: &Specs, name: &Arc<str>, ty: TypeId, loc: Loc) -> u32 {
        let is_static = specs.storage == Storage::Static;
        let visible = self.scopes[0].names.get(name).map(|(entity, loc)| (entity.clone(), *loc));
        let known = match visible {
            Some((Entity::Function(id), _)) => Some(id),
            Some((_, old)) if self.at_file_scope() => {
                let message = format!("`{name}` redeclared as different kind of symbol");
                self.diagnostics
                    .push(Diagnostic::error("E0721", message).at(loc, "").also(old, "previous declaration"));
                None
            }
            _ if is_static => None,
            _ => match self.linkage.names.get(name) {
                Some(Linked::Function(id)) => Some(*id),
                Some(Linked::Global(_)) => {
                    self.report(
                        "E0721",
                        format!(
                            "`{name}` redeclared as different kind of symbol: a variable in another file"
                        ),
                        loc,
                    );
                    None
                }
                None => None,
            },
        };
        let id = match known {
            Some(id) => {
                let old = &self.tree.functions[id as usize];
                let (old_ty, old_loc, had_body) = (old.ty, old.loc, old.body.is_some());
                if !self.ours && !self.tree.types.compatible(old_ty, ty) {
                    self.conflict(name, Qual::plain(ty), Qual::plain(old_ty), old_loc, loc);
                }
                let unprototyped =
                    matches!(self.tree.types.get(old_ty), Type::Function(FnType { unprototyped: true, .. }));
                let old = &mut self.tree.functions[id as usize];
                if unprototyped && !had_body {
                    old.ty = ty;
                }
                old.noreturn |= specs.noreturn;
                id
            }
            None => {
                let id = self.tree.functions.len() as u32;
                self.tree.functions.push(Function {
                    name: name.clone(),
                    ty,
                    params: Vec::new(),
                    locals: Vec::new(),
                    body: None,
                    loc,
                    end: loc,
                    noreturn: specs.noreturn,
                    ours: self.ours,
                    referenced: false,
                    addresses: Vec::new(),
                });
                if !is_static {
                    self.linkage.names.insert(name.clone(), Linked::Function(id));
                }
                id
            }
        };
        if !matches!(self.tree.types.get(ty), Type::Function(FnType { unprototyped: true, .. })) {
            self.views.functions.insert(id, ty);
        }
        self.before_and_after(&specs.attributes, id, loc);
        self.declare(name.clone(), Entity::Function(id), loc);
        if self.at_file_scope() {
            self.scopes[0].names.insert(name.clone(), (Entity::Function(id), loc));
        }
        id
    }
}
