//! Directives (C11 6.10): lines whose first token is `#`. Conditional groups that do not apply are
//! skipped by [`Preprocessor::skip_group`], which reads nothing but the names of directives.
//!
//! *Entry point:* [`Preprocessor::directive`].
//! *Invariant:* after a directive the lexer stands at its line's end.

use std::rc::Rc;

use super::Preprocessor;
use super::dialect::Dialect;
use super::hide::{HideId, Tok};
use super::lex::Scanned;
use super::macros::{self, Macro, MacroKind};
use crate::diagnostic::Diagnostic;
use crate::span::Loc;
use crate::token::{Token, TokenKind};

/// An open `#if`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditional {
    /// The directive that opened it.
    pub loc: Loc,
    /// One of its groups was taken.
    taken: bool,
    /// Its `#else` was met.
    in_else: bool,
}

const DIRECTIVES: [&str; 18] = [
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "define",
    "undef",
    "include",
    "include_next",
    "import",
    "line",
    "error",
    "warning",
    "pragma",
    "ident",
];

impl Preprocessor<'_> {
    /// Whether a token opens a directive: `#` (or its digraph), first on a line of a file.
    pub(super) fn opens_directive(&self, scanned: Scanned) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        if !scanned.newline_before || scanned.kind != TokenKind::Punct {
            return false;
        }
        match &*frame.lexer.spelling(scanned) {
            "#" => true,
            "%:" => self.options.dialect == Dialect::C,
            _ => false,
        }
    }

    /// Carries out the directive whose `#` was just read; the token is that of a kept pragma.
    pub(super) fn directive(&mut self) -> Option<Tok> {
        (self.use_began, self.use_at) = (self.expanded_tokens, self.here);
        let name = self.next_in_line()?;
        let loc = name.token.loc();
        match name.token.kind {
            TokenKind::Number => self.line_marker(Some(name)),
            TokenKind::Identifier => match &*name.token.text {
                "define" => self.define(loc),
                "undef" => self.undefine(loc),
                "include" | "include_next" | "import" => self.include(&name.token),
                "if" => {
                    let active = self.condition(loc);
                    self.open_conditional(loc, active);
                }
                directive @ ("ifdef" | "ifndef") => {
                    let active = self.is_name_defined(loc).is_some_and(|yes| yes == (directive == "ifdef"));
                    self.open_conditional(loc, active);
                }
                "else" | "endif" | "elif" | "elifdef" | "elifndef" => {
                    if !self.turn(&name.token) {
                        self.skip_group();
                    }
                }
                "line" => self.line_marker(None),
                "error" => {
                    let text = self.rest_as_text();
                    self.diagnostics.push(Diagnostic::error("E0104", format!("#error {text}")).at(loc, ""));
                }
                "warning" => {
                    let text = self.rest_as_text();
                    let message = format!("#warning {text}");
                    self.diagnostics.push(Diagnostic::warning("W0104", message).at(loc, ""));
                }
                "pragma" => return self.pragma(&name.token),
                "ident" | "sccs" | "assert" | "unassert" => self.skip_line(),
                _ => self.unknown_directive(&name.token),
            },
            _ => self.unknown_directive(&name.token),
        }
        None
    }

    fn unknown_directive(&mut self, name: &Token) {
        self.skip_line();
        let mut diagnostic =
            Diagnostic::error("E0103", format!("there is no directive `#{}`", name.text)).at(name.loc(), "");
        if !self.diagnostics.is_full() {
            diagnostic = diagnostic.did_you_mean(&name.text, DIRECTIVES);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The rest of the line as it is written.
    fn rest_as_text(&mut self) -> String {
        let Some(frame) = self.frames.last_mut() else { return String::new() };
        let start = frame.lexer.at;
        frame.lexer.skip_line();
        let text = &frame.lexer.text[start..frame.lexer.at];
        text.replace("\\\r\n", " ").replace("\\\n", " ").trim().to_owned()
    }

    /// Warns when something follows a directive that takes nothing more.
    pub(super) fn expect_line_end(&mut self, directive: &str) {
        let Some(extra) = self.next_in_line() else { return };
        self.skip_line();
        self.diagnostics.push(
            Diagnostic::warning("W0118", format!("what follows `#{directive}` is ignored"))
                .at(extra.token.loc(), "")
                .help("put it in a comment"),
        );
    }

    /// The name that `#ifdef` and its like ask about.
    fn is_name_defined(&mut self, directive: Loc) -> Option<bool> {
        match self.next_in_line() {
            Some(name) if name.token.kind == TokenKind::Identifier => {
                self.expect_line_end("ifdef NAME");
                Some(self.is_defined(&name.token.text))
            }
            other => {
                self.skip_line();
                let loc = other.map_or(directive.after(), |tok| tok.token.loc());
                let message = "the directive is not followed by a macro's name";
                self.diagnostics.push(Diagnostic::error("E0112", message).at(loc, "expected a name"));
                None
            }
        }
    }

    fn condition(&mut self, directive: Loc) -> bool {
        let tokens = self.rest_of_line();
        self.evaluate(tokens, directive)
    }

    fn open_conditional(&mut self, loc: Loc, active: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.conditionals.push(Conditional { loc, taken: active, in_else: false });
        if !active {
            self.skip_group();
        }
    }

    /// `#elif`, `#else` and `#endif` of the innermost conditional: whether the following group applies.
    fn turn(&mut self, name: &Token) -> bool {
        let (loc, directive) = (name.loc(), &*name.text);
        let conditional = self.frames.last_mut().and_then(|frame| frame.conditionals.last_mut());
        let Some(conditional) = conditional else {
            self.skip_line();
            let message = format!("`#{directive}` without an `#if`");
            self.diagnostics.push(Diagnostic::error("E0106", message).at(loc, ""));
            return true;
        };
        let open = *conditional;
        if directive == "endif" {
            if let Some(frame) = self.frames.last_mut() {
                frame.conditionals.pop();
            }
            self.expect_line_end(directive);
            return true;
        }
        if open.in_else {
            self.skip_line();
            self.diagnostics.push(
                Diagnostic::error("E0106", format!("`#{directive}` after `#else`"))
                    .at(loc, "")
                    .also(open.loc, "in the conditional that starts here"),
            );
            return false;
        }
        let active = match directive {
            "else" => {
                conditional.in_else = true;
                self.expect_line_end(directive);
                !open.taken
            }
            _ if open.taken => {
                self.skip_line();
                false
            }
            "elif" => self.condition(loc),
            _ => self.is_name_defined(loc).is_some_and(|yes| yes == (directive == "elifdef")),
        };
        let conditional = self.frames.last_mut().and_then(|frame| frame.conditionals.last_mut());
        if let Some(conditional) = conditional {
            conditional.taken |= active;
        }
        active
    }

    /// Skips to the group of the innermost conditional that applies, or past its `#endif`.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        loop {
            let Some(frame) = self.frames.last_mut() else { return };
            let Some(scanned) = frame.lexer.next() else { return };
            if !self.opens_directive(scanned) {
                continue;
            }
            let Some(name) = self.next_in_line() else { continue };
            if name.token.kind != TokenKind::Identifier {
                continue;
            }
            match &*name.token.text {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" | "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => {
                    let active = self.turn(&name.token);
                    if active {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn define(&mut self, directive: Loc) {
        let Some(name) = self.macro_name(directive) else {
            self.skip_line();
            return;
        };
        let rest = self.rest_of_line();
        for tok in &rest {
            if tok.token.kind == TokenKind::Unknown && tok.token.text.starts_with(['"', '\'']) {
                self.diagnostics.push(
                    Diagnostic::warning("W0102", "the quote is not closed on its line")
                        .at(tok.token.loc(), "starts here"),
                );
            }
        }
        let definition = match macros::parse(&name, &rest) {
            Ok(definition) => definition,
            Err(diagnostic) => return self.diagnostics.push(diagnostic),
        };
        if let Some(old) = self.macros.get(&name.text) {
            if matches!(old.kind, MacroKind::Builtin(_)) {
                let message = format!("the built-in macro `{}` is redefined", name.text);
                self.diagnostics.push(Diagnostic::warning("W0119", message).at(name.loc(), ""));
            } else if old.kind != definition.kind || old.canonical != definition.canonical {
                self.diagnostics.push(
                    Diagnostic::warning("W0107", format!("macro `{}` is redefined differently", name.text))
                        .at(name.loc(), "this definition holds from here on")
                        .also(Loc::plain(old.definition), "first defined here")
                        .help("put an `#undef` before it when this is meant"),
                );
            }
        }
        let replaced = self.replaced(&name, &rest, &definition);
        let next_id = self.macro_ids.len() as u32;
        let id = *self.macro_ids.entry(name.text.clone()).or_insert(next_id);
        let new = Macro {
            name: name.text.clone(),
            id,
            definition: name.span,
            kind: definition.kind,
            body: replaced.unwrap_or(definition.body),
            canonical: definition.canonical,
        };
        self.macros.insert(name.text, Rc::new(new));
    }

    fn undefine(&mut self, directive: Loc) {
        let Some(name) = self.macro_name(directive) else {
            self.skip_line();
            return;
        };
        self.expect_line_end("undef NAME");
        if let Some(old) = self.macros.remove(&name.text)
            && matches!(old.kind, MacroKind::Builtin(_))
        {
            let message = format!("the built-in macro `{}` is undefined", name.text);
            self.diagnostics.push(Diagnostic::warning("W0119", message).at(name.loc(), ""));
        }
    }

    /// The name that `#define` or `#undef` is about.
    fn macro_name(&mut self, directive: Loc) -> Option<Token> {
        let (loc, message) = match self.next_in_line() {
            None => (directive.after(), "a macro's name is missing".to_owned()),
            Some(Tok { token, .. }) => {
                let reserved = matches!(
                    &*token.text,
                    "defined" | "__VA_ARGS__" | "__VA_OPT__" | "__has_include" | "__has_include_next"
                );
                match token.kind {
                    TokenKind::Identifier if !reserved => return Some(token),
                    _ => (token.loc(), format!("`{}` cannot be a macro's name", token.text)),
                }
            }
        };
        self.diagnostics.push(Diagnostic::error("E0107", message).at(loc, ""));
        None
    }

    /// `#line 12 "file"`, and `# 12 "file" flags` as other preprocessors leave it behind.
    fn line_marker(&mut self, number: Option<Tok>) {
        let Some(frame) = self.frames.last() else { return };
        let here = Loc::plain(crate::span::Span::new(
            frame.lexer.file,
            frame.lexer.at as u32,
            frame.lexer.at as u32,
        ));
        let (marker, tokens) = match number {
            Some(number) => {
                let mut tokens = vec![number];
                tokens.extend(self.rest_of_line());
                (true, tokens)
            }
            None => {
                let tokens = self.rest_of_line();
                (false, self.expand_list(tokens, false))
            }
        };
        let number = tokens.first().filter(|tok| tok.token.kind == TokenKind::Number);
        let line =
            number.and_then(|tok| tok.token.text.parse::<u32>().ok()).filter(|&line| line <= i32::MAX as u32);
        let name = match tokens.get(1).map(|tok| &tok.token) {
            None => Some(None),
            Some(token) if token.kind == TokenKind::String && token.text.starts_with('"') => {
                Some(Some(unquoted(&token.text)))
            }
            Some(_) => None,
        };
        let flags = tokens.get(2..).unwrap_or_default();
        let tail =
            flags.is_empty() || (marker && flags.iter().all(|tok| tok.token.kind == TokenKind::Number));
        let (Some(line), Some(name), true) = (line, name, tail) else {
            let loc = tokens.first().map_or(here, |tok| tok.token.loc());
            self.diagnostics.push(
                Diagnostic::error("E0117", "bad line directive")
                    .at(loc, "expected a line number, then perhaps a file's name in quotes"),
            );
            return;
        };
        let Some(frame) = self.frames.last_mut() else { return };
        let (file, next) = (frame.lexer.file, frame.lexer.next_line());
        let name = match name {
            Some(name) => self.intern(&name),
            None => self.presumed(Loc::plain(self.here)).0,
        };
        self.sources.mark_line(file, next as u32, line, name);
    }

    fn pragma(&mut self, name: &Token) -> Option<Tok> {
        let rest = self.rest_of_line();
        if rest.first().is_some_and(|tok| tok.token.is_ident("once")) {
            if let Some(frame) = self.frames.last() {
                self.once.insert(frame.lexer.file);
            }
            return None;
        }
        let mut text = String::new();
        for (index, tok) in rest.iter().enumerate() {
            if index > 0 && tok.token.space_before {
                text.push(' ');
            }
            text.push_str(&tok.token.text);
        }
        let last = rest.last().map_or(name.loc(), |tok| tok.token.loc());
        self.pragma_token(name, name.loc().to(last), &text)
    }

    fn pragma_token(&mut self, name: &Token, loc: Loc, text: &str) -> Option<Tok> {
        if !self.options.keep_pragmas {
            return None;
        }
        let token = Token {
            kind: TokenKind::Pragma,
            newline_before: true,
            space_before: true,
            made: true,
            span: loc.span,
            text: text.into(),
            ..name.clone()
        };
        Some(Tok { token, hide: HideId::EMPTY })
    }

    /// Whether this is C's `_Pragma`.
    pub(super) fn is_pragma_operator(&self, token: &Token) -> bool {
        self.options.dialect == Dialect::C && token.is_ident("_Pragma")
    }

    /// `_Pragma ( "text" )` (C11 6.10.9), after its name: the pragma's token if pragmas are kept.
    /// When it is not written so, that is said, and the name is dropped.
    pub(super) fn pragma_operator(&mut self, name: &Tok, feed: &mut super::expand::Feed) -> Option<Tok> {
        let mut parts = Vec::new();
        for wanted in [Some("("), None, Some(")")] {
            let part = self.pull_raw(feed);
            let fits = part.as_ref().is_some_and(|tok| match wanted {
                Some(punct) => tok.token.is_punct(punct),
                None => tok.token.kind == TokenKind::String,
            });
            parts.extend(part);
            if !fits {
                feed.stack.extend(parts.into_iter().rev());
                let message = "`_Pragma` takes a string in brackets";
                self.diagnostics.push(Diagnostic::error("E0120", message).at(name.token.loc(), ""));
                return None;
            }
        }
        let text = parts.get(1).map(|tok| unquoted(&tok.token.text)).unwrap_or_default();
        feed.newline |= name.token.newline_before;
        feed.space |= name.token.space_before;
        self.pragma_token(&name.token, name.token.loc(), text.trim())
    }
}

/// The inside of a string literal, `\"` and `\\` undone.
fn unquoted(text: &str) -> String {
    let inside = match (text.find('"'), text.rfind('"')) {
        (Some(start), Some(end)) if start < end => &text[start + 1..end],
        _ => text,
    };
    let mut plain = String::with_capacity(inside.len());
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                plain.push(escaped);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}
