//! The grammar of declaration specifiers (C11 6.7.1 to 6.7.5), with GNU's extensions and without
//! their meaning. Each reader supplies its own types: the parser of programs computes them, the
//! extraction of models keeps their text.
//!
//! *Entry points:* [`Specifiers::specifiers`], [`Specifiers::is_type_at`].
//!
//! *Source:* C11 6.7.1 to 6.7.5; "Extensions to the C Language Family" in the manual of GCC.
//! *Invariant:* an identifier is a type specifier only if it denotes a type and no type specifier
//! precedes it (6.7.8p3), so that declarations can give typedef names another meaning.

use std::sync::Arc;

use axle_source::Loc;

use super::words::is_type_word;
use super::{Expressions, Read};

/// An identifier and its location.
pub type Name = (Arc<str>, Loc);

/// A type specifier other than the keywords of arithmetic types and `void`.
#[derive(Clone, Debug)]
pub enum NamedType<T> {
    /// A typedef name.
    Typedef(Arc<str>),
    /// `struct`, `union`, `enum`, `typeof` or `_Atomic(type)`.
    Other(T),
}

/// Declaration specifiers as they are written: types `T`, attributes `A`, positions `M`.
#[derive(Clone, Debug)]
pub struct Written<T, A, M> {
    /// The position of the first.
    pub start: M,
    /// Storage classes, qualifiers and function specifiers, in order.
    pub modifiers: Vec<(&'static str, Loc)>,
    /// The keywords that denote a type, in order. Without them and `ty` it is `int`.
    pub words: Vec<&'static str>,
    /// The last type that is not denoted by such keywords.
    pub ty: Option<NamedType<T>>,
    /// Attributes and alignments.
    pub attributes: A,
}

/// A reader of declaration specifiers.
pub trait Specifiers: Expressions {
    /// A position in the text.
    type Mark: Copy;
    /// A type.
    type Type;
    /// The value of a constant expression.
    type Constant;
    /// Attributes and alignments.
    type Attributes: Default;
    /// Declaration specifiers.
    type Specifiers;

    /// The current position.
    fn mark(&self) -> Self::Mark;

    /// The keyword or punctuator this many tokens ahead; empty if something else is there, `end` behind
    /// the last token.
    fn word_at(&self, ahead: usize) -> &'static str;

    /// The identifier this many tokens ahead.
    fn name_at(&self, ahead: usize) -> Option<&Arc<str>>;

    /// Passes an identifier.
    fn read_name(&mut self) -> Option<Name>;

    /// Whether an identifier denotes a type here.
    fn is_typedef_name(&self, name: &str) -> bool;

    /// Reads the name of a type (6.7.7).
    fn read_type_name(&mut self) -> Read<Self, Self::Type>;

    /// Reads any number of attributes, and the assembler name behind a declarator. Passes at least
    /// `__attribute__` if it comes next.
    fn read_attributes(&mut self, found: &mut Self::Attributes) -> Read<Self, ()>;

    /// Reads an integer constant expression.
    fn read_constant(&mut self) -> Read<Self, Self::Constant>;

    /// Reads a `struct`, `union` or `enum` specifier behind its keyword.
    fn read_tagged(&mut self, keyword: &'static str) -> Read<Self, Self::Type>;

    /// Reads the expression in `typeof`, which is used for its type.
    fn read_typeof(&mut self) -> Read<Self, Self::Type>;

    /// Reports that a type is missing.
    fn missing_type<T>(&mut self) -> Read<Self, T>;

    /// Whether nothing of this name is declared. A reader that does not know says no.
    fn is_undeclared(&self, _name: &str) -> bool {
        false
    }

    /// Reports that a name denotes no type; from here on it does, so that its uses are read.
    fn declare_unknown_type(&mut self) -> Read<Self, ()> {
        self.missing_type()
    }

    /// `typeof(ty)` or `_Atomic(ty)`, by the keyword.
    fn make_parenthesised(&mut self, keyword: &'static str, ty: Self::Type) -> Self::Type;

    /// `_Alignof(ty)`.
    fn make_alignof(&mut self, ty: Self::Type) -> Self::Constant;

    /// `_Alignas` with the operand at this location.
    fn make_alignas(&mut self, found: &mut Self::Attributes, alignment: Self::Constant, at: Loc);

    /// The specifiers, which end here.
    fn make_specifiers(
        &mut self,
        written: Written<Self::Type, Self::Attributes, Self::Mark>,
    ) -> Read<Self, Self::Specifiers>;

    /// Whether the specifiers of a declaration, or the name of a type, begin this many tokens ahead.
    fn is_type_at(&self, ahead: usize) -> bool {
        match self.word_at(ahead) {
            "" => self.name_at(ahead).is_some_and(|name| self.is_typedef_name(name)),
            word => is_type_word(word),
        }
    }

    /// Whether a name this many tokens ahead is used as a type and is not declared: two names in a row,
    /// or a name before a pointer to the next.
    fn is_unknown_type_at(&self, ahead: usize) -> bool {
        let stars = (1..).take_while(|&more| self.word_at(ahead + more) == "*").count();
        let named = self.name_at(ahead + 1 + stars).is_some();
        let ends = matches!(self.word_at(ahead + 2 + stars), ";" | "=" | "," | "[" | ")" | "(");
        named && (stars == 0 || ends) && self.name_at(ahead).is_some_and(|name| self.is_undeclared(name))
    }

    /// Reads declaration specifiers behind attributes; `at_file_scope` if a type may be missing
    /// altogether.
    fn specifiers(
        &mut self,
        attributes: Self::Attributes,
        at_file_scope: bool,
    ) -> Read<Self, Self::Specifiers> {
        let start = self.mark();
        let mut written = Written { start, modifiers: Vec::new(), words: Vec::new(), ty: None, attributes };
        loop {
            let (word, at) = (self.word(), self.here());
            match word {
                "_Atomic" if self.word_at(1) == "(" => {
                    self.next();
                    self.next();
                    let ty = self.read_type_name()?;
                    self.require(")")?;
                    written.ty = Some(NamedType::Other(self.make_parenthesised(word, ty)));
                }
                "typedef" | "extern" | "static" | "auto" | "register" | "_Thread_local" | "inline"
                | "_Noreturn" | "const" | "volatile" | "restrict" | "_Atomic" => {
                    self.next();
                    written.modifiers.push((word, at));
                }
                "__extension__" => self.next(),
                "__attribute__" => self.read_attributes(&mut written.attributes)?,
                "_Alignas" => self.alignment(&mut written.attributes)?,
                "struct" | "union" | "enum" => {
                    self.next();
                    written.ty = Some(NamedType::Other(self.read_tagged(word)?));
                }
                "typeof" => {
                    self.next();
                    self.require("(")?;
                    let ty = if self.is_type_at(0) { self.read_type_name()? } else { self.read_typeof()? };
                    self.require(")")?;
                    written.ty = Some(NamedType::Other(self.make_parenthesised(word, ty)));
                }
                "" if written.ty.is_none() && written.words.is_empty() && self.is_type_at(0) => {
                    written.ty = self.read_name().map(|(name, _)| NamedType::Typedef(name));
                }
                // Where the type stands: a pointer or the name of a parameter may follow, or nothing.
                "" if written.ty.is_none()
                    && written.words.is_empty()
                    && self.name_at(0).is_some_and(|name| self.is_undeclared(name))
                    && (self.name_at(1).is_some()
                        || self.word_at(1) == "*"
                        || (self.word_at(1) == "(" && self.word_at(2) == "*" && self.word_at(4) == ")")
                        || !at_file_scope
                            && written.modifiers.is_empty()
                            && matches!(self.word_at(1), "," | ")")) =>
                {
                    self.declare_unknown_type()?;
                }
                // The keywords of arithmetic types, `void` and `__auto_type`.
                _ if is_type_word(word) => {
                    self.next();
                    written.words.push(word);
                }
                _ => break,
            }
        }
        // C89 has neither of these words, so they do not imply `int`.
        let implies = |(word, _): &(&str, Loc)| !matches!(*word, "_Thread_local" | "_Noreturn");
        let typed = written.ty.is_some() || !written.words.is_empty();
        if typed || written.modifiers.iter().any(implies) || (at_file_scope && self.implies_int()) {
            return self.make_specifiers(written);
        }
        self.missing_type()
    }

    /// Whether a declaration without any specifier comes next, whose type is `int` (C89).
    fn implies_int(&self) -> bool {
        let stars = (0..).take_while(|&ahead| self.word_at(ahead) == "*").count();
        let behind = matches!(self.word_at(stars + 1), "(" | ";" | "=" | "," | "[");
        self.name_at(stars).is_some() && (stars > 0 || behind)
    }

    /// Reads `_Alignas` and its operand (6.7.5).
    fn alignment(&mut self, found: &mut Self::Attributes) -> Read<Self, ()> {
        self.next();
        self.require("(")?;
        let at = self.here();
        let alignment = if self.is_type_at(0) {
            let ty = self.read_type_name()?;
            self.make_alignof(ty)
        } else {
            self.read_constant()?
        };
        self.make_alignas(found, alignment, at);
        self.require(")")
    }
}
