//! C text to [`syntax`](crate::syntax): the declarations of a file, and the bodies of its functions, by the
//! grammar of C (`grammar.rs` in the crate `axle-c`). It needs to know of a name only whether it is a type's.
//! Invariants: every fault is reported and reading goes on behind it; nesting is bounded.
//!
//! *Entry point:* [`read_unit`].

mod declare;
mod expr;
pub(crate) mod records;
mod stmt;

use std::sync::Arc;

use axle_c::grammar::declarations::Declarations;
use axle_c::grammar::specifiers::Specifiers;
use axle_c::grammar::{Expressions, words};
use axle_source::{Diagnostic, Diagnostics, Loc, Sources, Token, TokenKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{Decl, Expr, Function};

/// Brackets, blocks and operators nested in one another.
const DEEPEST: u32 = 200;
/// Nodes on one way down a tree.
const LONGEST: u32 = 1000;

/// The error has been added to the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// A translation unit, or several that are linked.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The file that is read, as the user gave its name.
    file: Arc<str>,
    /// Functions with a body, in order.
    pub functions: Vec<Function>,
    /// Names of types.
    pub types: FxHashSet<Arc<str>>,
    /// Variables outside of functions.
    pub globals: Vec<Decl>,
    /// Structures, enumerations and other names of types.
    pub(crate) tags: records::Types,
}

impl Unit {
    /// The function of this name; of several `static` functions the first.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| &*function.name == name)
    }

    /// Adds the declarations of another file of the program.
    pub(crate) fn link(&mut self, other: Unit) {
        self.functions.extend(other.functions);
        self.types.extend(other.types);
        self.globals.extend(other.globals);
        self.tags.add(other.tags);
    }
}

/// Reads a preprocessed file with this name.
pub fn read_unit(file: &str, tokens: &[Token], sources: &Sources, diagnostics: &mut Diagnostics) -> Unit {
    let mut reader = Reader::new(tokens, sources, diagnostics, &FxHashSet::default());
    reader.unit.file = file.into();
    reader.scopes[0].insert("__builtin_va_list".into(), true);
    while !reader.is("end") {
        let before = reader.at;
        if reader.external_node().is_err() {
            reader.scopes.truncate(1);
            reader.depth = 0;
            reader.recover();
        }
        if reader.at == before {
            reader.next();
        }
    }
    let types = reader.scopes[0].iter().filter(|(_, is_type)| **is_type);
    let types = types.map(|(name, _)| name.clone()).collect();
    Unit { types, ..reader.unit }
}

/// Reads an expression that makes up all of the tokens, as rows of a table hold them.
pub(crate) fn read_expression(
    tokens: &[Token],
    sources: &Sources,
    types: &FxHashSet<Arc<str>>,
    diagnostics: &mut Diagnostics,
) -> Parsed<Expr> {
    let mut reader = Reader::new(tokens, sources, diagnostics, types);
    let expr = reader.expression()?;
    reader.eat(";");
    if reader.is("end") { Ok(expr) } else { reader.expected("the end of the statement") }
}

/// Reads a declaration of objects that makes up all of the tokens, with its `;`.
pub(crate) fn read_declaration(
    tokens: &[Token],
    sources: &Sources,
    types: &FxHashSet<Arc<str>>,
    diagnostics: &mut Diagnostics,
) -> Parsed<Decl> {
    let mut reader = Reader::new(tokens, sources, diagnostics, types);
    if !reader.starts_declaration() {
        return reader.expected("a declaration");
    }
    let decl = reader.declaration_node()?;
    match decl {
        Some(decl) if reader.is("end") => Ok(decl),
        _ => reader.expected("a declaration of objects"),
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
    /// Names, and whether each is a type's.
    scopes: Vec<FxHashMap<Arc<str>, bool>>,
    depth: u32,
    /// The functions and variables of the file.
    unit: Unit,
}

/// One spelling for each keyword; other words as they are.
fn keyword(text: &str) -> &str {
    words::keyword(text).unwrap_or(text)
}

/// Words that cannot be names.
fn is_reserved(text: &str) -> bool {
    words::keyword(text).is_some()
}

/// Tokens as text, with a space only where two of them would otherwise become one.
#[must_use]
pub fn squeeze(tokens: &[Token]) -> String {
    let mut out = String::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    for token in tokens {
        let text = match token.kind {
            TokenKind::Identifier => keyword(&token.text),
            TokenKind::Punct => token.punct(),
            TokenKind::End => "",
            _ => &token.text,
        };
        if let (Some(last), Some(first)) = (out.chars().last(), text.chars().next()) {
            let words = is_word(last) && is_word(first);
            let glued = last == first && "+-&|<>=".contains(first) || (last == '/' && first == '*');
            if words || glued {
                out.push(' ');
            }
        }
        out.push_str(text);
    }
    out
}

impl<'a> Reader<'a> {
    fn new(
        tokens: &'a [Token],
        sources: &'a Sources,
        diagnostics: &'a mut Diagnostics,
        types: &FxHashSet<Arc<str>>,
    ) -> Reader<'a> {
        let scope = types.iter().map(|name| (name.clone(), true)).collect();
        Reader { tokens, at: 0, sources, diagnostics, scopes: vec![scope], depth: 0, unit: Unit::default() }
    }

    fn token(&self) -> &'a Token {
        &self.tokens[self.at]
    }

    fn word_at(&self, ahead: usize) -> &'static str {
        self.tokens.get(self.at + ahead).map_or("end", words::word)
    }

    fn word(&self) -> &'static str {
        self.word_at(0)
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

    fn next(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn loc(&self) -> Loc {
        self.token().loc()
    }

    fn since(&self, start: Loc) -> Loc {
        self.sources.join(start, self.tokens[self.at.saturating_sub(1)].loc())
    }

    fn name(&mut self) -> Option<Arc<str>> {
        let found = self.name_at(0).cloned();
        if found.is_some() {
            self.next();
        }
        found
    }

    fn error<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.token().kind {
            TokenKind::End => "the end".into(),
            _ => format!("`{}`", self.token().text),
        };
        let loc = self.loc();
        self.error(Diagnostic::error("E0801", format!("expected {what}, found {found}")).at(loc, ""))
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Runs a part one level deeper.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let loc = self.loc();
            // Going on would meet the same limit at every level: the rest is given up.
            self.at = self.tokens.len() - 1;
            return self
                .error(Diagnostic::error("E0802", "this is nested too deeply").at(loc, "too deep here"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// From an opening bracket to behind the one that closes it.
    fn balanced(&mut self) -> Parsed<&'a [Token]> {
        let start = self.at;
        let mut open = 0usize;
        loop {
            match self.word() {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                "end" => {
                    let loc = self.tokens[start].loc();
                    return self.error(
                        Diagnostic::error("E0801", "the bracket is not closed").at(loc, "starts here"),
                    );
                }
                _ => {}
            }
            self.next();
            if open == 0 {
                return Ok(&self.tokens[start..self.at]);
            }
        }
    }

    /// Skips to behind the next `;` at this level, or behind the `}` of a block that starts here.
    fn recover(&mut self) {
        loop {
            match self.word() {
                "end" | "}" => return,
                // A block that is not closed is reported and skipped like one that is.
                "{" => match self.balanced() {
                    Ok(_) | Err(Reported) => return,
                },
                ";" => {
                    self.next();
                    return;
                }
                _ => self.next(),
            }
        }
    }
}
