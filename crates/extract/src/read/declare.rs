//! Declarations (C11 6.7) and function definitions (6.9): what names stand for types, what a
//! declaration declares.
//!
//! *Entry points:* [`Reader::external`], [`Reader::declaration`].

use std::sync::Arc;

use axle_c::grammar::Expressions;
use axle_c::grammar::words::is_type_word;
use axle_source::{Diagnostic, Loc, TokenKind};

use super::{Parsed, Reader, Unit, is_reserved, keyword, squeeze};
use crate::canonical;
use crate::syntax::{Decl, Declared, Function, Init, Param};

/// What stands before the declarators.
pub(super) struct Specifiers {
    storage: Vec<Arc<str>>,
    base: String,
    is_typedef: bool,
}

/// A declarator.
struct Declarator {
    name: Option<(Arc<str>, Loc)>,
    text: String,
    /// Of the function that it declares, when it declares one.
    params: Option<Vec<Param>>,
    derived: bool,
}

impl Reader<'_> {
    /// Whether a declaration, or the name of a type, starts here.
    pub(super) fn starts_type(&self) -> bool {
        let token = self.token();
        if token.kind != TokenKind::Identifier {
            return false;
        }
        let word = keyword(&token.text);
        match word {
            "_Static_assert" | "__label__" => true,
            "__extension__" | "__attribute__" => self.word_at(1) != "(" || word == "__attribute__",
            _ => is_type_word(word) || (!is_reserved(word) && self.is_type_name(&token.text)),
        }
    }

    /// Specifiers and qualifiers; at file scope they may be missing, as in C89.
    fn specifiers(&mut self) -> Parsed<Specifiers> {
        let (mut storage, mut words) = (Vec::new(), Vec::<String>::new());
        let (mut is_typedef, mut named) = (false, false);
        loop {
            let word = self.word();
            match word {
                "typedef" => is_typedef = true,
                "extern" | "static" | "auto" | "register" | "inline" | "_Noreturn" | "_Thread_local"
                | "const" | "volatile" | "restrict" => storage.push(word.into()),
                "__attribute__" | "__extension__" | "asm" => {
                    let before = self.at;
                    self.attributes()?;
                    if self.at == before {
                        self.next();
                    }
                    continue;
                }
                "_Alignas" => {
                    self.next();
                    self.balanced()?;
                    continue;
                }
                "struct" | "union" | "enum" => {
                    self.next();
                    self.attributes()?;
                    let mut text = word.to_string();
                    if let Some(tag) = self.name() {
                        text = format!("{text} {tag}");
                    }
                    if self.is("{") {
                        text.push_str(&squeeze(self.balanced()?));
                    }
                    self.attributes()?;
                    words.push(text);
                    named = true;
                    continue;
                }
                "typeof" => {
                    self.next();
                    words.push(format!("typeof{}", squeeze(self.balanced()?)));
                    named = true;
                    continue;
                }
                "_Atomic" if self.word_at(1) == "(" => {
                    self.next();
                    words.push(format!("_Atomic{}", squeeze(self.balanced()?)));
                    named = true;
                    continue;
                }
                "_Atomic" => storage.push(word.into()),
                _ if is_reserved(word) && self.starts_type() => {
                    words.push(word.into());
                    named = true;
                }
                _ if !named && self.is_name_at(0) && self.is_type_name(&self.token().text) => {
                    words.push(self.token().text.to_string());
                    named = true;
                }
                _ => break,
            }
            self.next();
        }
        let base = if words.is_empty() { "int".into() } else { words.join(" ") };
        Ok(Specifiers { storage, base, is_typedef })
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        self.deeper(|this| {
            this.attributes()?;
            if this.eat("*") || this.eat("^") {
                let mut text = String::from("*");
                while matches!(this.word(), "const" | "volatile" | "restrict" | "_Atomic") {
                    text.push_str(this.word());
                    text.push(' ');
                    this.next();
                }
                let mut inner = this.declarator()?;
                inner.text = text + &inner.text;
                inner.derived = true;
                return Ok(inner);
            }
            let mut found = if this.is_name_at(0) {
                let loc = this.loc();
                let name = this.token().text.clone();
                this.next();
                Declarator { text: name.to_string(), name: Some((name, loc)), params: None, derived: false }
            } else if this.is("(") && !this.opens_parameters() {
                this.next();
                let mut inner = this.declarator()?;
                this.expect(")")?;
                inner.text = format!("({})", inner.text);
                inner
            } else {
                Declarator { name: None, text: String::new(), params: None, derived: false }
            };
            loop {
                if this.is("[") {
                    found.text.push_str(&squeeze(this.balanced()?));
                    found.derived = true;
                } else if this.is("(") {
                    let start = this.at;
                    let params = this.parameters()?;
                    found.text.push_str(&squeeze(&this.tokens[start..this.at]));
                    if !found.derived && found.params.is_none() {
                        found.params = Some(params);
                    }
                    found.derived = true;
                } else {
                    break;
                }
            }
            this.attributes()?;
            Ok(found)
        })
    }

    /// Whether a bracket opens parameters of a declarator without a name, rather than a declarator.
    fn opens_parameters(&mut self) -> bool {
        if self.word_at(1) == ")" {
            return true;
        }
        self.at += 1;
        let found = self.starts_type();
        self.at -= 1;
        found
    }

    fn parameters(&mut self) -> Parsed<Vec<Param>> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is(")") {
            if self.eat("...") {
                continue;
            }
            let start = self.loc();
            let specifiers = self.specifiers()?;
            let declarator = self.declarator()?;
            if let Some((name, loc)) = declarator.name {
                let declared =
                    Declared { name, text: declarator.text, derived: declarator.derived, init: None, loc };
                let decl = Decl {
                    storage: specifiers.storage,
                    base: specifiers.base.into(),
                    declared: vec![declared],
                    loc: self.since(start),
                };
                params.push(Param { decl });
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(params)
    }

    /// The name of a type in brackets, the brackets being the caller's.
    pub(super) fn type_name(&mut self) -> Parsed<String> {
        let mut text = self.specifiers_text()?;
        let declarator = self.declarator()?;
        if !declarator.text.is_empty() {
            text.push(' ');
            text.push_str(declarator.text.trim_end());
        }
        Ok(text)
    }

    fn specifiers_text(&mut self) -> Parsed<String> {
        let specifiers = self.specifiers()?;
        let words = specifiers.storage.iter().map(|word| &**word).chain([&*specifiers.base]);
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    fn initializer(&mut self) -> Parsed<Init> {
        if self.is("{") {
            return Ok(Init::List(squeeze(self.balanced()?)));
        }
        Ok(Init::Value(self.assignment()?))
    }

    /// A declaration inside a function, with its `;`. None for those that make no object.
    pub(super) fn declaration(&mut self) -> Parsed<Option<Decl>> {
        let start = self.loc();
        if self.is("__label__") || self.is("_Static_assert") {
            while !self.eat(";") {
                if self.is("<end>") {
                    return self.expected("`;`");
                }
                self.next();
            }
            return Ok(None);
        }
        let specifiers = self.specifiers()?;
        let mut declared = Vec::new();
        while !self.is(";") {
            declared.extend(self.init_declarator(&specifiers)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        let external = specifiers.storage.iter().any(|word| &**word == "extern");
        if specifiers.is_typedef || external || declared.is_empty() {
            return Ok(None);
        }
        let loc = self.since(start);
        Ok(Some(Decl { storage: specifiers.storage, base: specifiers.base.into(), declared, loc }))
    }

    /// A declarator and its value; none for functions.
    fn init_declarator(&mut self, specifiers: &Specifiers) -> Parsed<Option<Declared>> {
        let declarator = self.declarator()?;
        let Some((name, loc)) = declarator.name else { return self.expected("a name") };
        self.declare(&name, specifiers.is_typedef);
        let init = if self.eat("=") { Some(self.initializer()?) } else { None };
        let object = declarator.params.is_none() && !specifiers.is_typedef;
        Ok(object.then_some(Declared { name, text: declarator.text, derived: declarator.derived, init, loc }))
    }

    /// A declaration or a function at file scope.
    pub(super) fn external(&mut self, unit: &mut Unit) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if matches!(self.word(), "_Static_assert") {
            return self.declaration().map(|_| ());
        }
        if self.is("asm") {
            self.attributes()?;
            return self.expect(";");
        }
        let start = self.loc();
        let specifiers = self.specifiers()?;
        let mut declared = Vec::new();
        loop {
            if self.eat(";") {
                break;
            }
            let declarator = self.declarator()?;
            let Some((name, loc)) = declarator.name else { return self.expected("a declaration") };
            self.declare(&name, specifiers.is_typedef);
            if let Some(params) = declarator.params {
                let old_style = self.starts_type();
                if self.is("{") || old_style {
                    return self.function(name, loc, params, unit);
                }
            } else if !specifiers.is_typedef {
                let init = if self.eat("=") { Some(self.initializer()?) } else { None };
                declared.push(Declared {
                    name,
                    text: declarator.text,
                    derived: declarator.derived,
                    init,
                    loc,
                });
            }
            if !self.eat(",") && !self.is(";") {
                return self.expected("`;`");
            }
        }
        if !declared.is_empty() {
            let loc = self.since(start);
            unit.globals.push(Decl {
                storage: specifiers.storage,
                base: specifiers.base.into(),
                declared,
                loc,
            });
        }
        Ok(())
    }

    fn function(&mut self, name: Arc<str>, loc: Loc, mut params: Vec<Param>, unit: &mut Unit) -> Parsed<()> {
        self.scopes.push(rustc_hash::FxHashMap::default());
        // K&R's parameters are declared between the brackets and the body.
        while !self.is("{") && self.starts_type() {
            params.extend(self.declaration()?.map(|decl| Param { decl }));
        }
        for param in &params {
            for declared in &param.decl.declared {
                self.declare(&declared.name, false);
            }
        }
        let body = self.compound();
        self.scopes.truncate(1);
        let body = body?;
        let end = self.tokens[self.at.saturating_sub(1)].loc();
        if unit.function(&name).is_some() {
            let message = format!("the function `{name}` is defined twice");
            self.diagnostics.push(Diagnostic::error("E0803", message).at(loc, ""));
            return Ok(());
        }
        unit.functions.push(Function { name, params, body, loc, end });
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
