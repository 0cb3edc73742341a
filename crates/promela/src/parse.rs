//! The parser: tokens to syntax tree, by recursive descent.
//!
//! The grammar is that of Spin 6.5 (its man pages, and where they are silent, its behaviour). The
//! parser never gives up: a fault is reported where it is met, the statement or declaration is
//! skipped, and reading goes on behind it. Invariants: every loop consumes a token or ends;
//! recursion is bounded by `MAX_DEPTH`, the height of an expression by `MAX_HEIGHT`, so no
//! input exhausts the stack.
//!
//! *Entry point:* [`parse`].
//!
//! Statements are separated by `;` or `->`, but Spin lets most of them be left out.
//! `Parser::implied` says where: before a token that starts a line and behind one that can end a
//! statement, outside round brackets, inside a body; and behind every `}` and `else`.

mod c;
mod comm;
mod decl;
mod expr;
mod fault;
mod inline;
mod ltl;
mod misread;
mod stmt;

use std::rc::Rc;
use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Preprocessed, Sources};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Item, Name, Program, VarRef};
use crate::loc::Loc;
use crate::token::starts_declaration;
use crate::token::{self, Tok, Token, Word};
use inline::Definition;

/// How deep the parser may call itself, in units of up to 2 KiB of stack: threads may have as
/// little as 2 MiB. So 300 brackets can be open, or 150 statements. (`inline(never)` keeps frames
/// small.)
const MAX_DEPTH: u32 = 600;

/// The maximum height of the tree of an expression: it is traversed recursively.
const MAX_HEIGHT: u32 = 1000;

/// Parses a model. Faults go to `diagnostics`; there is always a tree of the text that could be parsed, with
/// [`StmtKind::Error`](crate::ast::StmtKind::Error) in place of statements that could not. Calls of
/// `inline` are recorded in `sources` as expansions.
pub fn parse(input: &Preprocessed, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Program {
    let tokens = token::read(&input.tokens, diagnostics);
    // The preprocessor ends its output with such a token; without one there is nothing to point at.
    if !matches!(tokens.last(), Some(Token { tok: Tok::End, .. })) {
        return Program::default();
    }
    let mut parser = Parser::new(tokens, sources, diagnostics);
    let mut items = parser.program();
    let mut calls = parser.inlines.values().map(|def| (def.loc, def.calls.get())).collect::<Vec<_>>();
    for item in &mut items {
        if let Item::Inline(inline) = item {
            let found = calls.iter().position(|(loc, _)| *loc == inline.loc.0);
            inline.calls = found.map_or(0, |index| calls.swap_remove(index).1);
        }
    }
    let unparsed = std::mem::take(&mut parser.unparsed);
    Program { items, unparsed }
}

/// The fault has been reported.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Where an inline is being expanded.
struct Expanding {
    name: Arc<str>,
    /// The target of the value of `return`.
    target: Option<VarRef>,
}

struct Parser<'a> {
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    /// The model, or the body of the inline that is being expanded. Ends with [`Tok::End`].
    tokens: Rc<[Token]>,
    /// The next token.
    at: usize,
    /// The preceding token, as far as separators are concerned.
    prev: Tok,
    /// Where the token before is.
    prev_loc: axle_source::Loc,
    /// Inside a body or a typedef, where the end of a line may end a statement.
    in_body: bool,
    /// How many round brackets are open; none of them lets a line end count.
    parens: u32,
    /// See [`MAX_DEPTH`].
    depth: u32,
    /// The greatest height of an expression inside the operand that is being read.
    inner_height: u32,
    /// Inside `ltl { ... }`.
    in_formula: bool,
    /// In the first argument of a send, how many round brackets are open around it: `m(a)` in
    /// `c!m(a)` is not a call.
    message_head: Option<u32>,
    /// Parsing was given up (and why was reported).
    aborted: bool,
    /// See [`Program::unparsed`].
    unparsed: FxHashSet<String>,
    /// The place of the latest fault: a second one there would be a consequence.
    last_fault: Option<axle_source::Loc>,
    proctypes: FxHashSet<Arc<str>>,
    typedefs: FxHashSet<Arc<str>>,
    inlines: FxHashMap<Arc<str>, Rc<Definition>>,
    expanding: Vec<Expanding>,
    /// Tokens that calls of inlines have produced altogether.
    expanded: usize,
}

impl<'a> Parser<'a> {
    fn new(tokens: Vec<Token>, sources: &'a mut Sources, diagnostics: &'a mut Diagnostics) -> Parser<'a> {
        let prev_loc = tokens[0].loc;
        Parser {
            sources,
            diagnostics,
            tokens: tokens.into(),
            at: 0,
            prev: Tok::Semi,
            prev_loc,
            in_body: false,
            parens: 0,
            depth: 0,
            inner_height: 0,
            in_formula: false,
            message_head: None,
            aborted: false,
            unparsed: FxHashSet::default(),
            last_fault: None,
            proctypes: FxHashSet::default(),
            typedefs: FxHashSet::default(),
            inlines: FxHashMap::default(),
            expanding: Vec::new(),
            expanded: 0,
        }
    }

    /// Whether a separator is to be read before the next token although none is written.
    fn implied(&self) -> bool {
        // A formula has no separators: its braces are around propositions.
        !self.in_formula && self.implied_between(self.prev, self.raw())
    }

    /// Whether a separator is to be read between two tokens.
    fn implied_between(&self, prev: Tok, token: &Token) -> bool {
        let next = token.tok;
        match next {
            // The end of a sequence needs none before it.
            Tok::RBrace | Tok::End | Tok::Option | Tok::Word(Word::Fi | Word::Od) => return false,
            Tok::Semi | Tok::Arrow => return false,
            _ => {}
        }
        match prev {
            // Spin does not except the comma, and so refuses `byte a[2] = {1,2}, b`.
            Tok::RBrace => !matches!(
                next,
                Tok::Comma | Tok::Word(Word::Proctype | Word::Init | Word::Never | Word::Unless)
            ),
            Tok::Word(Word::Else) => true,
            prev => token.newline && self.in_body && self.parens == 0 && self.ends(prev),
        }
    }

    /// Whether a token can be the last of a statement that ends with its line.
    fn ends(&self, tok: Tok) -> bool {
        use Word::{Break, CCode, CDecl, CExpr, False, Fi, Od, Skip, Timeout, True};
        match tok {
            Tok::Name | Tok::Number(_) | Tok::Char(_) => true,
            Tok::RParen | Tok::RBracket | Tok::Incr | Tok::Decr => true,
            Tok::Word(Od | Fi | Break | CCode | CDecl | CExpr | True | False | Skip) => true,
            // Spin reads `(timeout)` for `timeout`, but not where it expands an inline.
            Tok::Word(Timeout) => self.expanding.is_empty(),
            _ => false,
        }
    }

    /// The class of a token for separators: the names of process types, types and
    /// inlines do not end a statement.
    fn ended_by(&self, index: usize) -> Tok {
        let token = &self.tokens[index];
        let text = &token.text;
        let special = token.tok == Tok::Name
            && (self.proctypes.contains(text)
                || self.typedefs.contains(text)
                || self.inlines.contains_key(text));
        if special { Tok::Other } else { token.tok }
    }

    /// The next token, or [`Tok::Semi`] where a separator is implied.
    fn tok(&self) -> Tok {
        if self.implied() { Tok::Semi } else { self.tokens[self.at].tok }
    }

    /// The token `n` behind the next one, [`Tok::Semi`] where a separator is implied before it,
    /// [`Tok::End`] past the end.
    fn ahead(&self, n: usize) -> Tok {
        match (self.tokens.get(self.at + n), n) {
            (None, _) => Tok::End,
            (Some(_), 0) => self.tok(),
            (Some(token), _) if self.implied_between(self.ended_by(self.at + n - 1), token) => Tok::Semi,
            (Some(token), _) => token.tok,
        }
    }

    /// The next token as written.
    fn raw(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// Whether the next token is this name.
    fn at_name(&self, text: &str) -> bool {
        self.tok() == Tok::Name && *self.raw().text == *text
    }

    /// Where the next token is.
    fn here(&self) -> axle_source::Loc {
        self.raw().loc
    }

    /// Goes past the next token (or the implied separator) and gives its place.
    fn bump(&mut self) -> axle_source::Loc {
        if self.implied() {
            self.prev = Tok::Semi;
            return self.prev_loc;
        }
        let loc = self.here();
        self.prev = self.ended_by(self.at);
        self.prev_loc = loc;
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        loc
    }

    /// Goes past the next token if it is this one.
    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: Word) -> bool {
        self.eat(Tok::Word(word))
    }

    /// Goes past the next token, which must be this one.
    fn expect(&mut self, tok: Tok, what: &str) -> Parse<axle_source::Loc> {
        if self.tok() == tok { Ok(self.bump()) } else { self.expected(what) }
    }

    /// `(`, inside which the end of a line means nothing.
    fn open_paren(&mut self, what: &str) -> Parse<axle_source::Loc> {
        let loc = self.expect(Tok::LParen, what)?;
        self.parens += 1;
        Ok(loc)
    }

    /// The `)` that belongs to the bracket at `open`.
    fn close_paren(&mut self, open: axle_source::Loc) -> Parse<()> {
        if self.tok() != Tok::RParen {
            return self.expected_closing("`)`", open, "this bracket is open");
        }
        self.bump();
        self.parens = self.parens.saturating_sub(1);
        Ok(())
    }

    /// A name.
    fn name(&mut self, what: &str) -> Parse<Name> {
        if self.tok() != Tok::Name {
            return self.expected(what);
        }
        let text = self.raw().text.to_string();
        let loc = self.bump();
        Ok(Name { text, loc: Loc(loc) })
    }

    /// From `first` to the last token that was read.
    fn since(&self, first: axle_source::Loc) -> Loc {
        Loc(self.sources.join(first, self.prev_loc))
    }

    /// Runs `inner` one level deeper, or gives up where that is too deep.
    fn nested<T>(&mut self, weight: u32, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth + weight > MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += weight;
        let result = inner(self);
        self.depth -= weight;
        result
    }

    #[inline(never)]
    fn too_deep<T>(&mut self) -> Parse<T> {
        let fault = Diagnostic::error("E0204", "the text is nested too deeply")
            .at(self.here(), "brackets, blocks, operators or inlines are nested too deeply here");
        self.abort(fault)
    }

    /// Declarations to the end of the input.
    fn program(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.tok() != Tok::End {
            if matches!(self.tok(), Tok::Semi | Tok::Arrow) {
                self.bump();
                continue;
            }
            let before = self.at;
            (self.in_body, self.parens, self.depth) = (false, 0, 0);
            (self.inner_height, self.in_formula, self.message_head) = (0, false, None);
            match self.item() {
                Ok(item) => items.push(item),
                Err(Reported) => {
                    let reached = self.at;
                    self.skip_to_item(before);
                    let variables = starts_declaration(self.tokens[before].tok);
                    self.leave_unparsed(before, if variables { self.at } else { reached });
                }
            }
        }
        items
    }
}
