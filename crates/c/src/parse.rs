//! Parses C text to the typed tree in one pass: recursive descent by the grammar (`grammar.rs`) with
//! types computed during parsing, because the grammar of C depends on them (C11 6.5 to 6.9, with the GNU extensions used
//! in glibc's headers). The parser of each part is in a file of this directory; `parser.rs` holds
//! what they share.
//!
//! *Entry point:* [`parse_unit`].
//! *Invariant:* every error is reported, and parsing continues after it. The nesting depth is
//! bounded, so no input overflows the stack.

mod atomic_builtin;
mod attribute;
mod bound;
mod builtin;
mod constant;
mod convert;
mod declaration;
mod declarator;
mod enumeration;
mod expression;
mod function;
mod initializer;
mod label;
mod lengths;
mod literal;
mod local;
mod long_array;
mod operator;
mod parser;
mod pragma;
mod record;
mod specifiers;
mod statement;
mod unmodelled;

use axle_source::{Diagnostics, Sources, Token};

use crate::grammar::attributes::without_standard_attributes;
use crate::grammar::declarations::Declarations;
use crate::grammar::words::word;
use crate::tree::Tree;
use crate::types;
use lengths::Lengths;
use parser::{Parser, Scope, Views};

pub use constant::{Base, Constant, evaluate, evaluate_wide};
pub use parser::Linkage;

/// Parses one translation unit into the tree.
pub fn parse_unit(
    tokens: &[Token],
    ours: bool,
    sources: &Sources,
    tree: &mut Tree,
    linkage: &mut Linkage,
    diagnostics: &mut Diagnostics,
) {
    let unmodelled = unmodelled::included(tokens, sources);
    let mut found = Diagnostics::new();
    let own = if unmodelled.is_empty() { &mut *diagnostics } else { &mut found };
    let tokens = without_standard_attributes(tokens);
    let (tokens, packing) = pragma::without_pragmas(&tokens, own);
    let words = tokens.iter().map(word).collect();
    tree.types.unit += 1;
    let mut parser = Parser {
        tokens: &tokens,
        words,
        at: 0,
        sources,
        diagnostics: own,
        tree,
        linkage,
        scopes: vec![Scope::default()],
        views: Views::default(),
        body: None,
        depth: 0,
        ours,
        unevaluated: 0,
        va_list: types::ERROR,
        lengths: Lengths::default(),
        unspecified: 0,
        packing,
        asked_align: 0,
        aligned: false,
    };
    parser.predeclare();
    parser.unit();
    unmodelled::condense(&unmodelled, &found, diagnostics);
}

impl Parser<'_> {
    /// Parses all declarations of the file.
    fn unit(&mut self) {
        while !self.is("end") {
            let before = self.at;
            if self.eat(";") {
                continue;
            }
            if self.is("}") {
                let loc = self.loc();
                self.report("E0705", "unmatched `}`", loc);
                self.next();
                continue;
            }
            if self.external(&mut Vec::new()).is_err() {
                self.scopes.truncate(1);
                self.body = None;
                self.lengths = Lengths::default();
                self.unevaluated = 0;
                self.depth = 0;
                self.recover();
            }
            if self.at == before {
                self.next();
            }
        }
        self.complete_tentative();
    }

    /// At the end of the file: tentative definitions must have a complete type (6.9.2).
    fn complete_tentative(&mut self) {
        for id in 0..self.tree.globals.len() {
            let global = &self.tree.globals[id];
            let (ty, loc) = (global.ty, global.loc);
            if !global.defined || self.tree.types.size(ty.ty).is_some() {
                continue;
            }
            match *self.tree.types.get(ty.ty) {
                types::Type::Array(element, None) => {
                    let one = self.tree.types.intern(types::Type::Array(element, Some(1)));
                    self.tree.globals[id].ty.ty = one;
                }
                _ => {
                    let message =
                        format!("tentative definition has incomplete type `{}`", self.tree.types.show(ty.ty));
                    self.report("E0722", message, loc);
                }
            }
        }
    }
}
