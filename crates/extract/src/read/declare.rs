//! Declarations as they are written: the texts that are built while the grammar of C reads one, and which
//! names stand for types.
//!
//! *Entry points:* [`Declarations::external`], [`Reader::declaration_node`].

use std::sync::Arc;

use axle_c::grammar::Expressions;
use axle_c::grammar::declarations::Declarations;
use axle_c::grammar::declarators::{ArrayLength, Declarators, Parameters};
use axle_c::grammar::specifiers::{Name, NamedType, Specifiers, Written};
use axle_source::{Diagnostic, Loc, TokenKind};

use super::{Parsed, Reader, is_reserved, squeeze};
use crate::canonical;
use crate::syntax::{Decl, Declared, Function, Init, Param};

/// The text before the declarators.
pub(super) struct Specs {
    storage: Vec<Arc<str>>,
    base: String,
    is_typedef: bool,
    start: usize,
}

/// A part of a declarator.
pub(super) enum Derivation {
    /// Before the name.
    Pointer(String),
    /// Behind the name, and the parameters of a function.
    Suffix(String, Option<Parameters<Option<Param>>>),
}

/// A declarator.
pub(super) struct Declarator {
    name: Option<Name>,
    text: String,
    /// The parameters of the function that it declares.
    function: Option<Parameters<Option<Param>>>,
    derived: bool,
}

impl Specifiers for Reader<'_> {
    /// Of the next token.
    type Mark = usize;
    /// As written.
    type Type = String;
    type Constant = ();
    type Attributes = ();
    type Specifiers = Specs;

    fn mark(&self) -> usize {
        self.at
    }

    fn word_at(&self, ahead: usize) -> &'static str {
        Reader::word_at(self, ahead)
    }

    fn name_at(&self, ahead: usize) -> Option<&Arc<str>> {
        let token = self.tokens.get(self.at + ahead)?;
        (token.kind == TokenKind::Identifier && !is_reserved(&token.text)).then_some(&token.text)
    }

    fn read_name(&mut self) -> Option<Name> {
        let loc = self.loc();
        self.name().map(|name| (name, loc))
    }

    fn is_typedef_name(&self, name: &str) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied().unwrap_or(false)
    }

    fn read_type_name(&mut self) -> Parsed<String> {
        self.type_name()
    }

    fn read_attributes(&mut self, (): &mut ()) -> Parsed<()> {
        while self.is("__attribute__") || (self.is("asm") && Reader::word_at(self, 1) == "(") {
            self.attribute()?;
        }
        Ok(())
    }

    fn read_constant(&mut self) -> Parsed<()> {
        self.conditional().map(|_| ())
    }

    fn read_tagged(&mut self, keyword: &'static str) -> Parsed<String> {
        self.read_attributes(&mut ())?;
        let mut text = keyword.to_string();
        if let Some(tag) = self.name() {
            text = format!("{text} {tag}");
        }
        if self.is("{") {
            let body = self.balanced()?;
            text.push_str(&squeeze(body));
            self.note_tagged(&text, body);
        }
        self.read_attributes(&mut ())?;
        Ok(text)
    }

    fn read_typeof(&mut self) -> Parsed<String> {
        let start = self.at;
        self.expression()?;
        Ok(squeeze(&self.tokens[start..self.at]))
    }

    fn missing_type<T>(&mut self) -> Parsed<T> {
        self.expected("a declaration")
    }

    fn make_parenthesised(&mut self, keyword: &'static str, ty: String) -> String {
        format!("{keyword}({ty})")
    }

    fn make_alignof(&mut self, _: String) {}

    fn make_alignas(&mut self, (): &mut (), (): (), _: Loc) {}

    fn make_specifiers(&mut self, written: Written<String, (), usize>) -> Parsed<Specs> {
        let (typedefs, storage): (Vec<_>, Vec<_>) =
            written.modifiers.iter().map(|(word, _)| *word).partition(|word| *word == "typedef");
        let base = match written.ty {
            Some(NamedType::Typedef(name)) => name.to_string(),
            Some(NamedType::Other(text)) => text,
            None if written.words.is_empty() => "int".into(),
            None => written.words.join(" "),
        };
        let storage = storage.into_iter().map(Arc::from).collect();
        Ok(Specs { storage, base, is_typedef: !typedefs.is_empty(), start: written.start })
    }
}

impl Declarators for Reader<'_> {
    type Length = ();
    type Derivation = Derivation;
    /// None for parameters without a name.
    type Parameter = Option<Param>;
    type Declarator = Declarator;

    fn read_length(&mut self) -> Parsed<()> {
        self.assignment().map(|_| ())
    }

    fn in_prototype<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(rustc_hash::FxHashMap::default());
        let result = part(self);
        self.scopes.pop();
        result
    }

    fn make_pointer(&mut self, qualifiers: &[&'static str], _: Option<((), Loc)>, (): &mut ()) -> Derivation {
        Derivation::Pointer(qualifiers.iter().fold("*".into(), |text, word| text + word + " "))
    }

    fn make_array(
        &mut self,
        start: usize,
        _: &[&'static str],
        _: ArrayLength<()>,
        _: bool,
    ) -> Parsed<Derivation> {
        Ok(Derivation::Suffix(squeeze(&self.tokens[start..self.at]), None))
    }

    fn make_function(&mut self, start: usize, parameters: Parameters<Option<Param>>) -> Derivation {
        Derivation::Suffix(squeeze(&self.tokens[start..self.at]), Some(parameters))
    }

    fn make_declarator(
        &mut self,
        _: &Specs,
        _: usize,
        name: Option<Name>,
        derivations: Vec<Derivation>,
        (): (),
    ) -> Parsed<Declarator> {
        let text = name.as_ref().map(|(name, _)| name.to_string()).unwrap_or_default();
        let mut found = Declarator { name, text, function: None, derived: false };
        let mut pointer = false;
        for part in derivations {
            match part {
                Derivation::Pointer(text) => {
                    found.text = text + &found.text;
                    pointer = true;
                }
                Derivation::Suffix(text, parameters) => {
                    if std::mem::take(&mut pointer) {
                        found.text = format!("({})", found.text);
                    }
                    found.text.push_str(&text);
                    found.function = found.function.or(parameters.filter(|_| !found.derived));
                }
            }
            found.derived = true;
        }
        Ok(found)
    }

    fn make_type(&mut self, specs: &Specs, declarator: Declarator) -> Parsed<String> {
        let words = specs.storage.iter().map(|word| &**word).chain([&*specs.base]);
        let words = words.chain(Some(declarator.text.trim_end()).filter(|text| !text.is_empty()));
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    fn make_parameter(&mut self, specs: &Specs, declarator: Declarator) -> Parsed<Option<Param>> {
        let Declarator { name: Some((name, loc)), text, derived, .. } = declarator else { return Ok(None) };
        self.declare_name(&name, false);
        let declared = Declared { name, text, derived, init: None, loc };
        Ok(Some(Param { decl: self.decl_of(specs, vec![declared]) }))
    }
}

impl Declarations for Reader<'_> {
    type Declared = Declared;

    fn string(&self) -> Option<&str> {
        (self.token().kind == TokenKind::String).then(|| &*self.token().text)
    }

    fn read_file_assembler(&mut self) -> Parsed<()> {
        self.read_attributes(&mut ())?;
        self.expect(";")
    }

    /// The compiler checks it.
    fn make_assertion(&mut self, (): (), _: &str, _: Loc) {}

    fn function_of<'d>(
        &self,
        specs: &Specs,
        declarator: &'d Declarator,
    ) -> Option<&'d Parameters<Option<Param>>> {
        declarator.function.as_ref().filter(|_| !specs.is_typedef)
    }

    fn make_old_style(&mut self, (name, loc): &Name) -> Option<Param> {
        self.declare_name(name, false);
        let declared =
            Declared { name: name.clone(), text: name.to_string(), derived: false, init: None, loc: *loc };
        let decl = Decl { storage: Vec::new(), base: "int".into(), declared: vec![declared], loc: *loc };
        Some(Param { decl })
    }

    fn declare_old_style(
        &mut self,
        specs: &Specs,
        declarator: Declarator,
        parameters: &mut [Option<Param>],
    ) -> Parsed<()> {
        let Some(declared) = self.make_parameter(specs, declarator)? else { return self.expected("a name") };
        let name_of = |param: &Param| param.decl.declared.first().map(|one| one.name.clone());
        let name = name_of(&declared);
        if let Some(own) = parameters.iter_mut().flatten().find(|own| name_of(own) == name) {
            *own = declared;
        }
        Ok(())
    }

    fn declare(&mut self, specs: &Specs, declarator: Declarator, out: &mut Vec<Declared>) -> Parsed<()> {
        let Declarator { name, text, function, derived } = declarator;
        let Some((name, loc)) = name else { return self.expected("a name") };
        self.declare_name(&name, specs.is_typedef);
        if specs.is_typedef && !derived {
            self.unit.tags.name(&name, &specs.base);
        }
        let init = match self.eat("=") {
            false => None,
            true if self.is("{") => Some(Init::List(squeeze(self.balanced()?))),
            true => Some(Init::Value(self.assignment()?)),
        };
        if function.is_none() && !specs.is_typedef {
            out.push(Declared { name, text, derived, init, loc });
        }
        Ok(())
    }

    fn read_function(
        &mut self,
        _: &Specs,
        declarator: Declarator,
        old_style: Vec<Option<Param>>,
    ) -> Parsed<()> {
        let Some((name, loc)) = declarator.name else { return self.expected("a name") };
        self.declare_name(&name, false);
        let list = declarator.function.map(|parameters| parameters.list).unwrap_or_default();
        let params: Vec<Param> = list.into_iter().chain(old_style).flatten().collect();
        self.scopes.push(rustc_hash::FxHashMap::default());
        for declared in params.iter().flat_map(|param| &param.decl.declared) {
            self.declare_name(&declared.name, false);
        }
        let body = self.compound();
        self.scopes.truncate(1);
        let body = body?;
        let end = self.tokens[self.at.saturating_sub(1)].loc();
        if self.unit.function(&name).is_some() {
            let message = format!("the function `{name}` is defined twice");
            self.diagnostics.push(Diagnostic::error("E0803", message).at(loc, ""));
            return Ok(());
        }
        let file = self.unit.file.clone();
        self.unit.functions.push(Function { name, file, params, body, loc, end });
        Ok(())
    }
}

impl Reader<'_> {
    fn declare_name(&mut self, name: &Arc<str>, is_type: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), is_type);
        }
    }

    /// Passes an attribute or an assembler name.
    pub(super) fn attribute(&mut self) -> Parsed<()> {
        self.next();
        if self.is("(") { self.balanced().map(|_| ()) } else { self.expected("`(`") }
    }

    /// A declaration that ends here.
    pub(super) fn decl_of(&self, specs: &Specs, declared: Vec<Declared>) -> Decl {
        let loc = self.since(self.tokens[specs.start].loc());
        Decl { storage: specs.storage.clone(), base: specs.base.as_str().into(), declared, loc }
    }

    /// Reads a declaration inside a function. None if it makes no object.
    pub(super) fn declaration_node(&mut self) -> Parsed<Option<Decl>> {
        let mut declared = Vec::new();
        let specs = self.declaration((), &mut declared)?;
        let made = specs
            .filter(|specs| !declared.is_empty() && !specs.storage.iter().any(|word| &**word == "extern"));
        Ok(made.map(|specs| self.decl_of(&specs, declared)))
    }

    /// Reads a declaration or a function at file scope.
    pub(super) fn external_node(&mut self) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let mut declared = Vec::new();
        if let Some(specs) = self.external(&mut declared)?.filter(|_| !declared.is_empty()) {
            let decl = self.decl_of(&specs, declared);
            self.unit.globals.push(decl);
        }
        Ok(())
    }
}

impl Decl {
    /// The declaration as rows have it: `short s,E=0,cnt=0;`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out: String = self.storage.iter().map(|word| format!("{word} ")).collect();
        out.push_str(&self.base);
        for (index, declared) in self.declared.iter().enumerate() {
            out.push(if index == 0 { ' ' } else { ',' });
            out.push_str(&declared.text);
            match &declared.init {
                None => {}
                Some(Init::Value(value)) => out.push_str(&format!("={}", canonical::text(value))),
                Some(Init::List(text)) => out.push_str(&format!("={text}")),
            }
        }
        out.push(';');
        out
    }
}
