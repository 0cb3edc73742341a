//! Typed declaration specifiers (C11 6.7.1 to 6.7.5): the types that are computed while the grammar
//! reads them (`grammar/specifiers.rs`).
//!
//! *Entry point:* [`Specifiers::specifiers`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc, TokenKind};

use super::attribute::Attributes;
use super::declarator::Declarator;
use super::parser::{Entity, Parsed, Parser, Reported};
use crate::grammar::declarators::Declarators;
use crate::grammar::specifiers::{Name, NamedType, Specifiers, Written};
use crate::headers;
use crate::types::{self, Qual, Quals};

/// A position of the parser.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Of the next token.
    pub at: usize,
    /// See [`Parser::unspecified`].
    pub unspecified: u32,
    /// Number of collected lengths.
    pub lengths: usize,
}

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
    pub noreturn: bool,
    pub auto_type: bool,
    pub attributes: Attributes,
    /// The alignment of the typedef name, if it exceeds that of the type.
    pub align: u64,
    /// The token positions of the first and behind the last.
    pub start: usize,
    pub end: usize,
    /// Some lengths in them are not constant, and no definition has used them yet.
    pub unspecified: bool,
}

impl Specs {
    /// Specifiers that name this type, at a token position.
    pub fn new(ty: Qual, start: usize) -> Self {
        Self {
            ty,
            storage: Storage::None,
            thread_local: false,
            noreturn: false,
            auto_type: false,
            attributes: Attributes::default(),
            align: 0,
            start,
            end: start,
            unspecified: false,
        }
    }

    /// Combines the specifiers with the attributes of one declarator.
    pub fn with(&self, d: &Declarator) -> Self {
        let noreturn = self.noreturn || d.attributes.noreturn;
        Self { attributes: self.attributes.with(d.attributes), noreturn, ..self.clone() }
    }
}

impl Specifiers for Parser<'_> {
    type Mark = Mark;
    type Type = Qual;
    type Constant = i64;
    type Attributes = Attributes;
    type Specifiers = Specs;

    fn mark(&self) -> Mark {
        Mark { at: self.at, unspecified: self.unspecified, lengths: self.lengths.count() }
    }

    fn word_at(&self, ahead: usize) -> &'static str {
        Parser::word_at(self, ahead)
    }

    fn name_at(&self, ahead: usize) -> Option<&Arc<str>> {
        let token = self.tokens.get(self.at + ahead)?;
        (token.kind == TokenKind::Identifier && self.word_at(ahead).is_empty()).then_some(&token.text)
    }

    fn read_name(&mut self) -> Option<Name> {
        self.name()
    }

    fn is_typedef_name(&self, name: &str) -> bool {
        matches!(self.lookup(name), Some(Entity::Typedef(..)))
    }

    fn read_type_name(&mut self) -> Parsed<Qual> {
        self.type_name()
    }

    fn read_attributes(&mut self, found: &mut Attributes) -> Parsed<()> {
        self.attributes(found)
    }

    fn read_constant(&mut self) -> Parsed<i64> {
        self.constant_integer()
    }

    fn read_tagged(&mut self, keyword: &'static str) -> Parsed<Qual> {
        let ty = self.deeper(|p| match keyword {
            "enum" => p.enumeration(),
            _ => p.record(keyword == "union"),
        })?;
        Ok(Qual::plain(ty))
    }

    fn read_typeof(&mut self) -> Parsed<Qual> {
        self.type_of_expression()
    }

    fn missing_type<T>(&mut self) -> Parsed<T> {
        let Some(name) = self.name_at(0).cloned() else { return self.expected("a declaration") };
        let loc = self.loc();
        self.unknown_type(&name, loc);
        Err(Reported)
    }

    fn is_undeclared(&self, name: &str) -> bool {
        self.lookup(name).is_none()
    }

    fn declare_unknown_type(&mut self) -> Parsed<()> {
        let Some(name) = self.name_at(0).cloned() else { return self.expected("a declaration") };
        let loc = self.loc();
        self.unknown_type(&name, loc);
        Ok(())
    }

    fn make_parenthesised(&mut self, keyword: &'static str, ty: Qual) -> Qual {
        match keyword {
            "_Atomic" => {
                let loc = self.last();
                self.refuse_wide(ty.ty, "an atomic object", loc);
                Qual { quals: ty.quals.with(Quals::ATOMIC), ..ty }
            }
            _ => ty,
        }
    }

    fn make_alignof(&mut self, ty: Qual) -> i64 {
        self.tree.types.align(ty.ty) as i64
    }

    fn make_alignas(&mut self, found: &mut Attributes, alignment: i64, at: Loc) {
        self.set_align(found, alignment, at);
    }

    fn make_specifiers(&mut self, written: Written<Qual, Attributes, Mark>) -> Parsed<Specs> {
        let Written { start, modifiers, mut words, ty, attributes } = written;
        let mut specs = Specs::new(Qual::plain(types::ERROR), start.at);
        let mut quals = Quals::default();
        for (word, loc) in modifiers {
            let storage = match word {
                "typedef" => Storage::Typedef,
                "extern" => Storage::Extern,
                "static" => Storage::Static,
                "auto" | "register" => Storage::Auto,
                "_Thread_local" => {
                    specs.thread_local = true;
                    continue;
                }
                "inline" => continue,
                "_Noreturn" => {
                    specs.noreturn = true;
                    continue;
                }
                _ => {
                    quals = quals.with(qualifier(word));
                    continue;
                }
            };
            if specs.storage != Storage::None && specs.storage != storage {
                self.report("E0706", "multiple storage classes in declaration", loc);
            }
            specs.storage = storage;
        }
        let loc = self.tokens[start.at].loc();
        specs.auto_type = words.contains(&"__auto_type");
        let several = if specs.auto_type { words.len() > 1 } else { ty.is_some() && !words.is_empty() };
        let ty = match (ty, words.is_empty()) {
            _ if several => {
                let loc = self.last();
                return self.error(Diagnostic::error("E0706", "multiple types in declaration").at(loc, ""));
            }
            (Some(NamedType::Other(ty)), true) => ty,
            (Some(NamedType::Typedef(name)), true) => match self.lookup(&name) {
                Some(&Entity::Typedef(ty, align)) => {
                    specs.align = align;
                    ty
                }
                _ => return self.missing_type(),
            },
            (None, true) => {
                self.warn("W0701", "type specifier missing, defaults to `int`", loc);
                Qual::plain(types::INT)
            }
            _ if specs.auto_type => specs.ty,
            _ => self.basic(&mut words, loc)?,
        };
        let ty = self.with_mode(ty, &attributes);
        if quals.has(Quals::ATOMIC) {
            self.refuse_wide(ty.ty, "an atomic object", loc);
        }
        specs.noreturn |= attributes.noreturn;
        specs.ty = Qual { quals: ty.quals.with(quals), ..ty };
        specs.attributes = attributes;
        specs.end = self.at;
        specs.unspecified = self.unspecified != start.unspecified;
        Ok(specs)
    }
}

impl Parser<'_> {
    /// Reports a name that is used as a type and denotes none, once.
    pub(super) fn unknown_type(&mut self, name: &Arc<str>, loc: Loc) {
        let diagnostic = Diagnostic::error("E0720", format!("unknown type name `{name}`")).at(loc, "");
        let types = self.scopes.iter().flat_map(|scope| &scope.names);
        let types = types.filter(|(_, (entity, _))| matches!(entity, Entity::Typedef(..)));
        let known: Vec<Arc<str>> = types.map(|(name, _)| name.clone()).take(500).collect();
        let diagnostic = match headers::declares(name) {
            Some(header) => diagnostic.help(format!("add `#include <{header}>`")),
            None => diagnostic.did_you_mean(name, known.iter().map(|name| &**name)),
        };
        self.diagnostics.push(diagnostic);
        // Its uses are no errors of their own.
        let entity = Entity::Typedef(Qual::plain(types::ERROR), 0);
        self.scopes[0].names.entry(name.clone()).or_insert((entity, loc));
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
}

fn qualifier(word: &str) -> Quals {
    match word {
        "const" => Quals::CONST,
        "volatile" => Quals::VOLATILE,
        "restrict" => Quals::RESTRICT,
        _ => Quals::ATOMIC,
    }
}

/// The qualifiers among these words; `static` in the brackets of a parameter is none.
pub(super) fn qualifiers(words: &[&'static str]) -> Quals {
    let all = words.iter().filter(|word| **word != "static");
    all.fold(Quals::default(), |quals, word| quals.with(qualifier(word)))
}
