//! The parser: its position in the tokens, the scopes of names, and the steps that all parts of the
//! grammar share. The grammar itself is in the other files of this directory.
//!
//! *Entry points:* [`Parser`], [`Parser::expect`], [`Parser::lookup`], [`Parser::node`].
//! *Invariant:* the position never passes the token that ends the file. The nesting depth and the
//! height of an expression are bounded.

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Loc, Sources, Token, TokenKind};
use rustc_hash::FxHashMap;

use super::lengths::Lengths;
use super::pragma::Packing;
use crate::tree::{Expr, Kind, Local, Tree};
use crate::types::{self, Qual, TypeId};

/// Maximum nesting of brackets, blocks and operators.
const DEEPEST: u32 = 250;
/// Maximum height of the tree: a long chain of one operator makes a high tree without nesting.
const LONGEST: u32 = 1500;

/// The error is already in the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// The entity that an ordinary identifier denotes.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    /// A type, and the alignment of the typedef name if it exceeds that of the type.
    Typedef(Qual, u64),
    Global(u32),
    Local(u32),
    Function(u32),
    Constant(u64, TypeId),
    /// A parameter of a prototype: only its type is used.
    Param,
}

#[derive(Default, Debug)]
pub(super) struct Scope {
    pub names: FxHashMap<Arc<str>, (Entity, Loc)>,
    pub tags: FxHashMap<Arc<str>, TypeId>,
    /// Labels local to this block (GNU's `__label__`), with their unique names.
    pub labels: FxHashMap<Arc<str>, Arc<str>>,
}

/// Names with external linkage, over all translation units.
#[derive(Clone, Default, Debug)]
pub struct Linkage {
    pub(super) names: FxHashMap<Arc<str>, Linked>,
    /// Headers of Axle and headers in a preprocessed file conflict; already reported.
    pub(super) mixed_headers: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Linked {
    Global(u32),
    Function(u32),
}

/// The innermost `switch`.
#[derive(Debug)]
pub(super) struct Switch {
    pub ty: TypeId,
    pub cases: Vec<(u64, u64, Loc)>,
    pub default: Option<Loc>,
}

/// The function being parsed.
#[derive(Debug)]
pub(super) struct Body {
    pub id: u32,
    pub ret: Qual,
    pub locals: Vec<Local>,
    pub labels: FxHashMap<Arc<str>, Loc>,
    pub gotos: Vec<(Arc<str>, Loc)>,
    /// Labels whose addresses are taken, with their values.
    pub addresses: Vec<(Arc<str>, u64)>,
    /// Number of block-local labels.
    pub local_labels: u32,
    /// Number of enclosing loops, and of enclosing loops or switches.
    pub loops: u32,
    pub breakable: u32,
    pub switches: Vec<Switch>,
}

/// See [`Parser::views`].
#[derive(Default, Debug)]
pub(super) struct Views {
    pub globals: FxHashMap<u32, Qual>,
    pub functions: FxHashMap<u32, TypeId>,
}

/// The parser of one translation unit.
pub(super) struct Parser<'a> {
    pub tokens: &'a [Token],
    /// Canonical keyword or punctuator of each token, empty for others.
    pub words: Vec<&'static str>,
    pub at: usize,
    pub sources: &'a Sources,
    pub diagnostics: &'a mut Diagnostics,
    pub tree: &'a mut Tree,
    pub linkage: &'a mut Linkage,
    pub scopes: Vec<Scope>,
    /// The types with which this translation unit declares variables and functions that other units
    /// also declare.
    pub views: Views,
    pub body: Option<Body>,
    pub depth: u32,
    /// A library source of Axle: its functions are marked.
    pub ours: bool,
    /// Greater than 0 inside unevaluated operands (`sizeof`, `typeof`).
    pub unevaluated: u32,
    pub va_list: TypeId,
    /// The treatment of array lengths that are not constant.
    pub lengths: Lengths,
    /// Number of lengths that no definition has used yet.
    pub unspecified: u32,
    pub packing: Packing,
    /// The alignment of the typedef name in the last parsed type, if it exceeds that of the type.
    pub asked_align: u64,
    /// An attribute or specifier changes an alignment.
    pub aligned: bool,
}

impl Parser<'_> {
    pub(super) fn word(&self) -> &'static str {
        self.words[self.at]
    }

    pub(super) fn word_at(&self, ahead: usize) -> &'static str {
        self.words.get(self.at + ahead).copied().unwrap_or("end")
    }

    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn loc(&self) -> Loc {
        self.token().loc()
    }

    /// The location of the preceding token.
    pub(super) fn last(&self) -> Loc {
        self.tokens[self.at.saturating_sub(1)].loc()
    }

    pub(super) fn since(&self, start: Loc) -> Loc {
        self.sources.join(start, self.last())
    }

    pub(super) fn next(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.word() == word
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn is_name(&self) -> bool {
        self.token().kind == TokenKind::Identifier && self.word().is_empty()
    }

    pub(super) fn name(&mut self) -> Option<(Arc<str>, Loc)> {
        if !self.is_name() {
            return None;
        }
        let found = (self.token().text.clone(), self.loc());
        self.next();
        Some(found)
    }

    pub(super) fn error<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    pub(super) fn report(&mut self, code: &'static str, message: impl Into<String>, loc: Loc) {
        self.diagnostics.push(Diagnostic::error(code, message).at(loc, ""));
    }

    pub(super) fn warn(&mut self, code: &'static str, message: impl Into<String>, loc: Loc) {
        if !self.ours {
            self.diagnostics.push(Diagnostic::warning(code, message).at(loc, ""));
        }
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.token().kind {
            TokenKind::End => "end of file".into(),
            _ => format!("`{}`", self.token().text),
        };
        let message = format!("expected {what}, found {found}");
        let loc = self.loc();
        self.error(Diagnostic::error("E0701", message).at(loc, ""))
    }

    pub(super) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(word) {
            return Ok(());
        }
        // A missing token is reported after the preceding token.
        if matches!(word, ";" | ")" | "]" | "}") {
            let loc = self.last().after();
            let found = self.token().text.clone();
            let label = if found.is_empty() { "end of file".into() } else { format!("before `{found}`") };
            return self.error(Diagnostic::error("E0701", format!("expected `{word}`")).at(loc, label));
        }
        self.expected(&format!("`{word}`"))
    }

    /// Parses a part one nesting level deeper.
    pub(super) fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let loc = self.loc();
            // Parsing would hit the same limit at every level: skip the rest of the file.
            self.at = self.tokens.len() - 1;
            return self.error(Diagnostic::error("E0702", "nesting too deep").at(loc, "limit exceeded here"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Skips past the next `;` at this level, or to the `}` that closes it.
    pub(super) fn recover(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.word() {
                "end" => return,
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        self.next();
                        self.eat(";");
                        return;
                    }
                }
                ";" if depth == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).map(|(entity, _)| entity)
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    pub(super) fn declare(&mut self, name: Arc<str>, entity: Entity, loc: Loc) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, (entity, loc));
        }
    }

    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// An expression node; its height is computed from its operands.
    pub(super) fn node(&mut self, kind: Kind, ty: Qual, loc: Loc) -> Expr {
        let depth = 1 + deepest(&kind);
        if depth > LONGEST {
            self.report("E0702", "too many operators in one expression", loc);
            return bad(loc);
        }
        Expr { kind, ty, loc, lvalue: false, depth }
    }

    pub(super) fn value(&mut self, kind: Kind, ty: TypeId, loc: Loc) -> Expr {
        self.node(kind, Qual::plain(ty), loc)
    }

    pub(super) fn object(&mut self, kind: Kind, ty: Qual, loc: Loc) -> Expr {
        match kind {
            Kind::Global(id) => self.tree.globals[id as usize].referenced = true,
            Kind::Function(id) => self.tree.functions[id as usize].referenced = true,
            _ => {}
        }
        let mut node = self.node(kind, ty, loc);
        node.lvalue = true;
        node
    }

    /// The maximum alignment of a member in a record that ends here.
    pub(super) fn packing(&self) -> u64 {
        self.packing.at(self.at)
    }
}

/// A placeholder for an erroneous expression.
pub(super) fn bad(loc: Loc) -> Expr {
    Expr { kind: Kind::Error, ty: Qual::plain(types::ERROR), loc, lvalue: false, depth: 1 }
}

fn deepest(kind: &Kind) -> u32 {
    match kind {
        Kind::Error | Kind::Int(_) | Kind::Real(_) | Kind::Str(_) | Kind::Local(_) | Kind::Global(_) => 0,
        Kind::Function(_) | Kind::Compound(..) => 0,
        // The height of a block is bounded by the nesting of the text.
        Kind::Block(_) => 20,
        Kind::Member { base, .. } => base.depth,
        Kind::Deref(e) | Kind::AddressOf(e) | Kind::Decay(e) | Kind::Load(e) | Kind::Unary(_, e) => e.depth,
        Kind::Convert(e) => e.depth,
        Kind::Binary(_, a, b) | Kind::PtrDiff(a, b, _) | Kind::AndAnd(a, b) | Kind::OrOr(a, b) => {
            a.depth.max(b.depth)
        }
        Kind::Comma(a, b) | Kind::Assign(a, b) => a.depth.max(b.depth),
        Kind::PtrAdd { pointer, index, .. } => pointer.depth.max(index.depth),
        Kind::Cond(c, a, b) => c.depth.max(b.depth).max(a.as_ref().map_or(0, |a| a.depth)),
        Kind::AssignOp { target, value, .. } => target.depth.max(value.depth),
        Kind::Step { target, .. } => target.depth,
        Kind::Call(f, args) => f.depth.max(args.iter().map(|a| a.depth).max().unwrap_or(0)),
        Kind::Builtin(_, args) => args.iter().map(|a| a.depth).max().unwrap_or(0),
    }
}
