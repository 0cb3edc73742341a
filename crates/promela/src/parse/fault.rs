//! Error messages of the parser, and its error recovery.
//!
//! After a fault in a statement, reading goes on at the next separator, line or closing word
//! outside brackets; after one in a declaration, at the next word that starts one. A fault at the
//! very place of the one before is a consequence of it and not reported.

use axle_source::{Diagnostic, Loc, nearest};

use super::expr::binary_op;
use super::{Parse, Parser, Reported};
use crate::token::{Tok, WORDS, Word, starts_declaration};

impl Parser<'_> {
    /// Reports a fault, unless it follows from the one before.
    pub(super) fn report(&mut self, fault: Diagnostic) {
        let place = fault.primary().map(|label| label.loc);
        if self.aborted || (place.is_some() && place == self.last_fault) {
            return;
        }
        self.last_fault = place;
        self.diagnostics.push(fault);
    }

    /// Reports a fault and leaves the statement or declaration.
    pub(super) fn fail<T>(&mut self, fault: Diagnostic) -> Parse<T> {
        self.report(fault);
        Err(Reported)
    }

    /// Reports a fault and leaves the whole model.
    pub(super) fn abort<T>(&mut self, fault: Diagnostic) -> Parse<T> {
        self.report(fault);
        self.aborted = true;
        self.at = self.tokens.len() - 1;
        Err(Reported)
    }

    /// Something else was expected here.
    #[inline(never)]
    pub(super) fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let fault = self.unexpected(what);
        self.fail(fault)
    }

    /// A closing bracket was expected here.
    #[inline(never)]
    pub(super) fn expected_closing<T>(&mut self, what: &str, open: Loc, text: &str) -> Parse<T> {
        let fault = self.unexpected(what).also(open, text);
        self.fail(fault)
    }

    /// The error that something else was expected here, with help if there is any.
    #[inline(never)]
    pub(super) fn unexpected(&self, what: &str) -> Diagnostic {
        let token = self.raw();
        if self.implied() && token.newline && self.prev != Tok::RBrace {
            let message = format!("expected {what}, but the statement ends with the line");
            return Diagnostic::error("E0206", message)
                .at(self.prev_loc.after(), format!("expected {what}"))
                .note("the end of a line ends a statement that could end there, except inside round brackets")
                .help("put round brackets around the expression, or break the line behind an operator");
        }
        let fault = match token.tok {
            Tok::End if !self.expanding.is_empty() => {
                Diagnostic::error("E0205", format!("expected {what}, found the end of the inline"))
            }
            Tok::End => Diagnostic::error("E0205", format!("expected {what}, found the end of the file")),
            _ => Diagnostic::error("E0205", format!("expected {what}, found `{}`", token.text)),
        };
        let fault = fault.at(token.loc, format!("expected {what}"));
        match token.tok {
            Tok::Other if token.text.len() > 1 && token.text.ends_with('=') => {
                fault.help("Promela has no such assignment; write `x = x + 1`")
            }
            tok if token.newline
                && self.in_body
                && self.prev == Tok::Semi
                && binary_op(tok).is_some() =>
            {
                fault
                    .note("the end of a line ends a statement that could end there, except inside round brackets")
                    .help("put round brackets around the expression, or break the line behind the operator")
            }
            Tok::Assign if !matches!(what, "`]`" | "`:` or `in`") => fault.help("`=` assigns and is a statement; to compare, write `==`"),
            Tok::Query => fault.help("Promela writes the conditional expression as `(c -> a : b)`"),
            Tok::Incr | Tok::Decr => fault.help("`x++` and `x--` are statements of their own"),
            Tok::Always | Tok::Eventually => fault.help("temporal operators belong into `ltl { ... }`"),
            Tok::Name => self.did_you_mean(fault, &token.text),
            _ => fault,
        }
    }

    /// The nearest name among the words of the language and the names that are known here.
    /// Names of one or two letters are near to everything.
    pub(super) fn similar(&self, name: &str) -> Option<&str> {
        if name.len() < 3 {
            return None;
        }
        // Further diagnostics are only counted.
        if self.diagnostics.is_full() {
            return None;
        }
        let known = self.inlines.keys().chain(&self.typedefs).map(|known| &**known);
        nearest(name, WORDS.iter().copied().chain(known))
    }

    /// Adds the nearest name.
    pub(super) fn did_you_mean(&self, fault: Diagnostic, name: &str) -> Diagnostic {
        match self.similar(name) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault,
        }
    }

    /// After a fault in a statement that began at token `before`, inside so many round brackets:
    /// goes to where the next one may begin.
    pub(super) fn skip_to_step(&mut self, before: usize, mut round: u32) {
        let mut open: u32 = 0;
        loop {
            let token = self.raw();
            let moved = self.at > before;
            if open == 0 {
                match token.tok {
                    Tok::Semi | Tok::Arrow if round == 0 => break,
                    Tok::RBrace | Tok::Option | Tok::End | Tok::Word(Word::Fi | Word::Od) => break,
                    tok if starts_item(tok) => break,
                    _ if moved && token.newline => break,
                    _ => {}
                }
            }
            match token.tok {
                Tok::End => break,
                Tok::LParen | Tok::LBracket | Tok::LBrace | Tok::Word(Word::If | Word::Do) => open += 1,
                Tok::RParen if open == 0 => round = round.saturating_sub(1),
                Tok::RParen | Tok::RBracket | Tok::RBrace | Tok::Word(Word::Fi | Word::Od) => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            self.force();
        }
        // The skipped text ends as a statement does.
        self.prev = Tok::RBrace;
    }

    /// After a fault in a declaration that began at token `before`: goes to where the next one may
    /// begin.
    pub(super) fn skip_to_item(&mut self, before: usize) {
        let mut open: u32 = 0;
        loop {
            let moved = self.at > before;
            match self.raw().tok {
                Tok::End => break,
                tok if moved && starts_item(tok) => break,
                tok if moved && open == 0 && self.raw().newline && starts_declaration(tok) => break,
                Tok::Semi if moved && open == 0 => break,
                Tok::LBrace => open += 1,
                Tok::RBrace if open <= 1 => {
                    self.force();
                    break;
                }
                Tok::RBrace => open -= 1,
                _ => {}
            }
            self.force();
        }
        self.prev = Tok::Semi;
    }

    /// Remembers the names in a declaration that could not be parsed, from one token to another.
    pub(super) fn leave_unparsed(&mut self, from: usize, to: usize) {
        let tokens = self.tokens.get(from..=to.min(self.tokens.len() - 1)).unwrap_or_default();
        let names = tokens.iter().filter(|token| token.tok == Tok::Name);
        self.unparsed.extend(names.map(|token| token.text.to_string()));
    }

    /// Goes past the next token as written.
    pub(super) fn force(&mut self) {
        self.prev = self.raw().tok;
        self.prev_loc = self.here();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }
}

/// Whether a token starts a declaration that can stand nowhere but at the top level.
pub(super) fn starts_item(tok: Tok) -> bool {
    use Word::{
        Active, CState, CTrack, DProctype, Init, Inline, Ltl, Never, NoTrace, Proctype, Trace, Typedef,
    };
    matches!(
        tok,
        Tok::Word(
            Active
                | CState
                | CTrack
                | DProctype
                | Init
                | Inline
                | Ltl
                | Never
                | NoTrace
                | Proctype
                | Trace
                | Typedef
        )
    )
}

/// A token as it stands in a sentence.
pub(super) fn spelt(tok: Tok, text: &str) -> String {
    match tok {
        Tok::End => "the end of the file".to_owned(),
        _ => format!("`{text}`"),
    }
}
