//! Parses C text to the typed tree in one pass: recursive descent with types computed during
//! parsing, because the grammar of C depends on them (C11 6.5 to 6.9, with the GNU extensions used
//! in glibc's headers). The parser of each part is in a file of this directory.
//!
//! *Entry point:* [`parse_unit`].
//! *Invariant:* every error is reported, and parsing continues after it. The nesting depth is
//! bounded, so no input overflows the stack.

mod atomic_builtin;
mod attribute;
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
mod literal;
mod local;
mod long_array;
mod operator;
mod pragma;
mod record;
mod statement;
mod unmodelled;

use std::sync::{Arc, LazyLock};

use axle_source::{Diagnostic, Diagnostics, Loc, Sources, Token, TokenKind};
use rustc_hash::FxHashMap;

use crate::tree::{Expr, Kind, Local, Tree};
use crate::types::{self, Qual, TypeId};

pub use constant::{Base, Constant, evaluate, wrap};

/// Maximum nesting of brackets, blocks and operators.
const DEEPEST: u32 = 250;
/// Maximum height of the tree: a long chain of one operator makes a high tree without nesting.
const LONGEST: u32 = 1500;

/// The error is already in the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

type Parsed<T> = Result<T, Reported>;

/// The entity that an ordinary identifier denotes.
#[derive(Clone, Debug)]
enum Entity {
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
struct Scope {
    names: FxHashMap<Arc<str>, (Entity, Loc)>,
    tags: FxHashMap<Arc<str>, TypeId>,
    /// Labels local to this block (GNU's `__label__`), with their unique names.
    labels: FxHashMap<Arc<str>, Arc<str>>,
}

/// Names with external linkage, over all translation units.
#[derive(Clone, Default, Debug)]
pub struct Linkage {
    names: FxHashMap<Arc<str>, Linked>,
    /// Headers of Axle and headers in a preprocessed file conflict; already reported.
    mixed_headers: bool,
}

#[derive(Clone, Copy, Debug)]
enum Linked {
    Global(u32),
    Function(u32),
}

/// The innermost `switch`.
#[derive(Debug)]
struct Switch {
    ty: TypeId,
    cases: Vec<(u64, u64, Loc)>,
    default: Option<Loc>,
}

/// The function being parsed.
#[derive(Debug)]
struct Body {
    id: u32,
    ret: Qual,
    locals: Vec<Local>,
    labels: FxHashMap<Arc<str>, Loc>,
    gotos: Vec<(Arc<str>, Loc)>,
    /// Labels whose addresses are taken, with their values.
    addresses: Vec<(Arc<str>, u64)>,
    /// Number of block-local labels.
    local_labels: u32,
    /// Number of enclosing loops, and of enclosing loops or switches.
    loops: u32,
    breakable: u32,
    switches: Vec<Switch>,
}

/// See [`Parser::views`].
#[derive(Default, Debug)]
struct Views {
    globals: FxHashMap<u32, Qual>,
    functions: FxHashMap<u32, TypeId>,
}

struct Parser<'a> {
    tokens: &'a [Token],
    /// Canonical keyword or punctuator of each token, empty for others.
    words: Vec<&'static str>,
    at: usize,
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
    tree: &'a mut Tree,
    linkage: &'a mut Linkage,
    scopes: Vec<Scope>,
    /// The types with which this translation unit declares variables and functions that other units
    /// also declare.
    views: Views,
    body: Option<Body>,
    depth: u32,
    /// A library source of Axle: its functions are marked.
    ours: bool,
    /// Greater than 0 inside unevaluated operands (`sizeof`, `typeof`).
    unevaluated: u32,
    va_list: TypeId,
    /// The treatment of array lengths that are not constant.
    lengths: long_array::Lengths,
    /// Number of lengths that no definition has used yet.
    unspecified: u32,
    packing: pragma::Packing,
    /// The alignment of the typedef name in the last parsed type, if it exceeds that of the type.
    asked_align: u64,
    /// An attribute or specifier changes an alignment.
    aligned: bool,
}

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
    let (tokens, packing) = pragma::without_pragmas(tokens, own);
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
        lengths: long_array::Lengths::default(),
        unspecified: 0,
        packing,
        asked_align: 0,
        aligned: false,
    };
    parser.predeclare();
    parser.unit();
    unmodelled::condense(&unmodelled, &found, diagnostics);
}

/// Words that cannot be identifiers, of C and of the supported GNU extensions.
pub const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "asm",
    "typeof",
    "__attribute__",
    "__extension__",
    "__auto_type",
    "__int128",
    "__label__",
    "_Float128",
    "_Float64",
    "_Float32",
    "_Float64x",
    "_Float32x",
];

/// All punctuators.
const PUNCTUATORS: &[&str] = &[
    "[", "]", "(", ")", "{", "}", ".", "->", "++", "--", "&", "*", "+", "-", "~", "!", "/", "%", "<<", ">>",
    "<", ">", "<=", ">=", "==", "!=", "^", "|", "&&", "||", "?", ":", ";", "...", "=", "*=", "/=", "%=",
    "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",", "#", "##",
];

/// Alternative spellings of keywords, with their canonical form.
const SPELLINGS: &[(&str, &str)] = &[
    ("__const", "const"),
    ("__const__", "const"),
    ("__volatile", "volatile"),
    ("__volatile__", "volatile"),
    ("__restrict", "restrict"),
    ("__restrict__", "restrict"),
    ("__signed", "signed"),
    ("__signed__", "signed"),
    ("__inline", "inline"),
    ("__inline__", "inline"),
    ("__asm", "asm"),
    ("__asm__", "asm"),
    ("__typeof", "typeof"),
    ("__typeof__", "typeof"),
    ("__attribute", "__attribute__"),
    ("__alignof", "_Alignof"),
    ("__alignof__", "_Alignof"),
    ("__thread", "_Thread_local"),
    ("__complex__", "_Complex"),
    ("__complex", "_Complex"),
    ("__int128_t", "__int128"),
    ("__float128", "_Float128"),
];

/// The table of keywords and punctuators: each token is looked up once.
static WORDS: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let same = PUNCTUATORS.iter().chain(KEYWORDS).map(|&word| (word, word));
    same.chain(SPELLINGS.iter().copied()).collect()
});

/// The keyword or punctuator that a token is.
fn word(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Punct => WORDS.get(token.punct()).copied().unwrap_or("?!"),
        TokenKind::Identifier => WORDS.get(&*token.text).copied().unwrap_or(""),
        TokenKind::End => "end",
        _ => "",
    }
}

impl Parser<'_> {
    fn word(&self) -> &'static str {
        self.words[self.at]
    }

    fn word_at(&self, ahead: usize) -> &'static str {
        self.words.get(self.at + ahead).copied().unwrap_or("end")
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn loc(&self) -> Loc {
        self.token().loc()
    }

    /// The location of the preceding token.
    fn last(&self) -> Loc {
        self.tokens[self.at.saturating_sub(1)].loc()
    }

    fn since(&self, start: Loc) -> Loc {
        self.sources.join(start, self.last())
    }

    fn next(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, word: &str) -> bool {
        self.word() == word
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.next();
        }
        found
    }

    fn is_name(&self) -> bool {
        self.token().kind == TokenKind::Identifier && self.word().is_empty()
    }

    fn name(&mut self) -> Option<(Arc<str>, Loc)> {
        if !self.is_name() {
            return None;
        }
        let found = (self.token().text.clone(), self.loc());
        self.next();
        Some(found)
    }

    fn error<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    fn report(&mut self, code: &'static str, message: impl Into<String>, loc: Loc) {
        self.diagnostics.push(Diagnostic::error(code, message).at(loc, ""));
    }

    fn warn(&mut self, code: &'static str, message: impl Into<String>, loc: Loc) {
        if !self.ours {
            self.diagnostics.push(Diagnostic::warning(code, message).at(loc, ""));
        }
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.token().kind {
            TokenKind::End => "end of file".into(),
            _ => format!("`{}`", self.token().text),
        };
        let message = format!("expected {what}, found {found}");
        let loc = self.loc();
        self.error(Diagnostic::error("E0701", message).at(loc, ""))
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
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
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
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
    fn recover(&mut self) {
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

    fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn leave(&mut self) {
        self.scopes.pop();
    }

    fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).map(|(entity, _)| entity)
    }

    fn lookup_tag(&self, name: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    fn declare(&mut self, name: Arc<str>, entity: Entity, loc: Loc) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, (entity, loc));
        }
    }

    fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// An expression node; its height is computed from its operands.
    fn node(&mut self, kind: Kind, ty: Qual, loc: Loc) -> Expr {
        let depth = 1 + deepest(&kind);
        if depth > LONGEST {
            self.report("E0702", "too many operators in one expression", loc);
            return bad(loc);
        }
        Expr { kind, ty, loc, lvalue: false, depth }
    }

    fn value(&mut self, kind: Kind, ty: TypeId, loc: Loc) -> Expr {
        self.node(kind, Qual::plain(ty), loc)
    }

    fn object(&mut self, kind: Kind, ty: Qual, loc: Loc) -> Expr {
        let mut node = self.node(kind, ty, loc);
        node.lvalue = true;
        node
    }

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
            if self.external().is_err() {
                self.scopes.truncate(1);
                self.body = None;
                self.lengths = long_array::Lengths::default();
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

/// A placeholder for an erroneous expression.
fn bad(loc: Loc) -> Expr {
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
