//! Declarations and function definitions (C11 6.7, 6.9).
//!
//! *Entry points:* [`Parser::specifiers`], [`Parser::external`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};

use super::attribute::Attributes;
use super::constant::{Constant, evaluate};
use super::declarator::Declarator;
use super::parser::{Entity, Linked, Parsed, Parser, Reported};
use crate::grammar::Expressions;
use crate::grammar::words::is_type_word;
use crate::headers;
use crate::tree::{Function, Global};
use crate::types::{self, FnType, Qual, Quals, Type, TypeId};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub(super) struct Specs {
    pub ty: Qual,
    pub storage: Storage,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub auto_type: bool,
    pub attributes: Attributes,
    /// The alignment of the typedef name, if it exceeds that of the type.
    pub align: u64,
}

impl Specs {
    /// Combines the specifiers with the attributes of one declarator.
    pub fn with(&self, d: &Declarator) -> Self {
        let noreturn = self.noreturn || d.attributes.noreturn;
        Self { attributes: self.attributes.with(d.attributes), noreturn, ..self.clone() }
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

    /// Whether a declaration or a type name starts here.
    pub(super) fn starts_type(&self) -> bool {
        match self.word() {
            "" => match self.lookup(&self.token().text) {
                Some(Entity::Typedef(..)) => self.is_name(),
                _ => false,
            },
            word => is_type_word(word),
        }
    }

    pub(super) fn specifiers(&mut self, file_scope: bool) -> Parsed<Specs> {
        let mut specs = Specs {
            ty: Qual::plain(types::ERROR),
            storage: Storage::None,
            thread_local: false,
            inline: false,
            noreturn: false,
            auto_type: false,
            attributes: Attributes::default(),
            align: 0,
        };
        let start = self.loc();
        let mut quals = Quals::default();
        let mut whole: Option<Qual> = None;
        let mut words: Vec<&'static str> = Vec::new();
        loop {
            let word = self.word();
            match word {
                "typedef" | "extern" | "static" | "auto" | "register" => {
                    let storage = match word {
                        "typedef" => Storage::Typedef,
                        "extern" => Storage::Extern,
                        "static" => Storage::Static,
                        _ => Storage::Auto,
                    };
                    if specs.storage != Storage::None && specs.storage != storage {
                        let loc = self.loc();
                        self.report("E0706", "multiple storage classes in declaration", loc);
                    }
                    specs.storage = storage;
                    self.next();
                }
                "_Thread_local" => {
                    specs.thread_local = true;
                    self.next();
                }
                "inline" => {
                    specs.inline = true;
                    self.next();
                }
                "_Noreturn" => {
                    specs.noreturn = true;
                    self.next();
                }
                "const" | "volatile" | "restrict" => {
                    quals = quals.with(qualifier(word));
                    self.next();
                }
                "__extension__" => self.next(),
                "__attribute__" => self.attributes(&mut specs.attributes)?,
                "_Alignas" => {
                    self.next();
                    self.expect("(")?;
                    let loc = self.loc();
                    let value = match self.starts_type() {
                        true => {
                            let ty = self.type_name()?;
                            self.tree.types.align(ty.ty) as i64
                        }
                        false => self.constant_integer()?,
                    };
                    self.set_align(&mut specs.attributes, value, loc);
                    self.expect(")")?;
                }
                "_Atomic" if self.word_at(1) == "(" => {
                    self.next();
                    self.next();
                    let ty = self.type_name()?;
                    self.expect(")")?;
                    whole = Some(ty);
                    quals = quals.with(Quals::ATOMIC);
                }
                "_Atomic" => {
                    quals = quals.with(Quals::ATOMIC);
                    self.next();
                }
                "struct" | "union" => {
                    self.next();
                    whole = Some(Qual::plain(self.deeper(|p| p.record(word == "union"))?));
                }
                "enum" => {
                    self.next();
                    whole = Some(Qual::plain(self.deeper(Self::enumeration)?));
                }
                "typeof" => {
                    self.next();
                    whole = Some(self.typeof_operand()?);
                }
                "__auto_type" => {
                    specs.auto_type = true;
                    whole = Some(Qual::plain(types::ERROR));
                    self.next();
                }
                "void" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "unsigned"
                | "_Bool" | "_Complex" | "_Imaginary" | "__int128" | "_Float128" | "_Float64"
                | "_Float32" | "_Float64x" | "_Float32x" => {
                    words.push(word);
                    self.next();
                }
                "" if whole.is_none() && words.is_empty() && self.is_name() => {
                    match self.lookup(&self.token().text) {
                        Some(&Entity::Typedef(ty, align)) => {
                            whole = Some(ty);
                            specs.align = align;
                            self.next();
                        }
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        let mut ty = match (whole, words.is_empty()) {
            (Some(whole), true) => whole,
            (None, false) => self.basic(&mut words, start)?,
            (None, true) => {
                // Implicit `int`: only if a specifier shows that this is a declaration.
                let declared = specs.storage != Storage::None || quals != Quals::default() || specs.inline;
                let old_style =
                    file_scope && self.is_name() && matches!(self.word_at(1), "(" | ";" | "=" | "," | "[");
                let old_style = old_style || (file_scope && self.is("*") && self.word_at(1).is_empty());
                if !declared && !old_style {
                    if self.is_name() {
                        let (name, loc) = (self.token().text.clone(), self.loc());
                        let diagnostic = Diagnostic::error("E0720", format!("unknown type name `{name}`"));
                        let known: Vec<Arc<str>> =
                            self.scopes.iter().flat_map(|s| s.names.keys().cloned()).collect();
                        let diagnostic = diagnostic
                            .at(loc, "")
                            .did_you_mean(&name, known.iter().take(500).map(|name| &**name));
                        return self.error(diagnostic);
                    }
                    return self.expected("a declaration");
                }
                self.warn("W0701", "type specifier missing, defaults to `int`", start);
                Qual::plain(types::INT)
            }
            (Some(_), false) => {
                let loc = self.last();
                return self.error(Diagnostic::error("E0706", "multiple types in declaration").at(loc, ""));
            }
        };
        ty = self.with_mode(ty, &specs.attributes);
        specs.noreturn |= specs.attributes.noreturn;
        ty.quals = ty.quals.with(quals);
        specs.ty = ty;
        Ok(specs)
    }

    fn basic(&mut self, words: &mut [&'static str], start: Loc) -> Parsed<Qual> {
        words.sort_unstable();
        let ty = match *words {
            ["void"] => types::VOID,
            ["_Bool"] => types::BOOL,
            ["char"] => types::CHAR,
            ["char", "signed"] => types::SCHAR,
            ["char", "unsigned"] => types::UCHAR,
            ["short"] | ["int", "short"] | ["short", "signed"] | ["int", "short", "signed"] => types::SHORT,
            ["short", "unsigned"] | ["int", "short", "unsigned"] => types::USHORT,
            ["int"] | ["signed"] | ["int", "signed"] => types::INT,
            ["unsigned"] | ["int", "unsigned"] => types::UINT,
            ["long"] | ["int", "long"] | ["long", "signed"] | ["int", "long", "signed"] => types::LONG,
            ["long", "unsigned"] | ["int", "long", "unsigned"] => types::ULONG,
            ["long", "long"] | ["int", "long", "long"] | ["long", "long", "signed"] => types::LLONG,
            ["int", "long", "long", "signed"] => types::LLONG,
            ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => types::ULLONG,
            ["__int128"] | ["__int128", "signed"] => types::INT128,
            ["__int128", "unsigned"] => types::UINT128,
            ["float"] | ["_Float32"] => types::FLOAT,
            ["double"] | ["_Float64"] | ["_Float32x"] => types::DOUBLE,
            ["double", "long"] | ["_Float128"] | ["_Float64x"] => types::LDOUBLE,
            _ if words.contains(&"_Complex") || words.contains(&"_Imaginary") => {
                self.report("E0714", "complex numbers are not supported", start);
                types::DOUBLE
            }
            _ => {
                let loc = self.since(start);
                let message = format!("invalid combination of type specifiers `{}`", words.join(" "));
                return self.error(Diagnostic::error("E0706", message).at(loc, ""));
            }
        };
        Ok(Qual::plain(ty))
    }

    pub(super) fn static_assert(&mut self) -> Parsed<()> {
        let start = self.loc();
        self.next();
        self.expect("(")?;
        let value = self.constant_integer()?;
        let mut text = String::new();
        if self.eat(",") {
            while self.token().kind == axle_source::TokenKind::String {
                text.push_str(&self.token().text);
                self.next();
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        if value == 0 {
            let loc = self.since(start);
            self.report("E0728", format!("static assertion failed: {text}"), loc);
        }
        Ok(())
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

    /// A declaration or function definition at file scope.
    pub(super) fn external(&mut self) -> Parsed<()> {
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        if self.is("asm") {
            let loc = self.loc();
            self.report("E0710", "assembler code is not supported", loc);
            self.next();
            self.balanced()?;
            return self.expect(";");
        }
        let shared = self.specifiers(true)?;
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let d = self.declarator(shared.ty)?;
            let specs = shared.with(&d);
            let is_function = matches!(self.tree.types.get(d.ty.ty), Type::Function(_));
            let body = self.is("{") || (!d.identifiers.is_empty() && self.starts_type());
            if is_function && body && specs.storage != Storage::Typedef {
                return self.function(&specs, d);
            }
            if !d.identifiers.is_empty() {
                let loc = d.identifiers[0].1;
                self.report(
                    "E0701",
                    "parameter names without types in a declaration that is not a definition",
                    loc,
                );
            }
            self.init_declarator(&specs, d)?;
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// One declarator at file scope with its initialiser.
    fn init_declarator(&mut self, specs: &Specs, d: Declarator) -> Parsed<()> {
        let Some((name, loc)) = d.name.clone() else { return self.expected("a name") };
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
        let id = self.declare_global(specs, name, d.ty, loc, specs.storage == Storage::Static);
        let ty = self.global_type(id);
        if self.eat("=") {
            let (init, ty) = self.initializer(ty, true)?;
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
                    noreturn: specs.noreturn,
                    ours: self.ours,
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

pub(super) fn qualifier(word: &str) -> Quals {
    match word {
        "const" => Quals::CONST,
        "volatile" => Quals::VOLATILE,
        "restrict" => Quals::RESTRICT,
        _ => Quals::ATOMIC,
    }
}
