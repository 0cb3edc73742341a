//! Embedded C: recognised and kept as text. Nothing here understands C.

use axle_source::Diagnostic;

use super::{Parse, Parser};
use crate::ast::{CCode, CState, Item};
use crate::token::{Tok, Token, Word};

impl Parser<'_> {
    /// `c_code [pre] { text }`, and so `c_decl` and `c_expr`.
    pub(super) fn c_code(&mut self) -> Parse<CCode> {
        let word = self.raw().tok;
        let decl = word == Tok::Word(Word::CDecl);
        let first = self.bump();
        let precondition = match self.raw().tok {
            Tok::LBracket => Some(self.enclosed(Tok::LBracket, Tok::RBracket)?),
            Tok::Always => {
                self.force();
                Some(String::new())
            }
            _ => None,
        };
        if self.raw().tok != Tok::LBrace {
            return self.expected("`{` and C code");
        }
        let text = self.enclosed(Tok::LBrace, Tok::RBrace)?;
        let loc = self.since(first);
        // Where the line ends here, so does the statement; but the brace was C's, not Promela's.
        self.prev = word;
        Ok(CCode { decl, precondition, text, loc })
    }

    /// The text between the bracket that stands here and the one that closes it; goes past both.
    fn enclosed(&mut self, open: Tok, close: Tok) -> Parse<String> {
        let bracket = self.here();
        self.force();
        let start = self.at;
        let mut depth = 1u32;
        loop {
            let tok = self.raw().tok;
            if tok == open {
                depth += 1;
            } else if tok == close {
                depth -= 1;
            }
            if depth == 0 {
                break;
            }
            if tok == Tok::End {
                let fault =
                    Diagnostic::error("E0244", "this C code is not closed").at(bracket, "this is open");
                return self.fail(fault);
            }
            self.force();
        }
        let text = self.raw_text(&self.tokens[start..self.at]);
        self.force();
        Ok(text)
    }

    /// Tokens as text on one line, with the spaces between them that the source has.
    pub(super) fn raw_text(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.space && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }

    /// `c_state "object" "scope" "initial"`, `c_track "object" "size" "matched"`.
    pub(super) fn c_state(&mut self) -> Parse<Item> {
        let track = self.raw().tok == Tok::Word(Word::CTrack);
        let first = self.bump();
        let mut strings = Vec::new();
        while self.tok() == Tok::Str && strings.len() < 3 {
            strings.push(self.string().text);
        }
        let mut strings = strings.into_iter();
        match (strings.next(), strings.next()) {
            (Some(object), Some(scope)) => {
                let extra = strings.next();
                Ok(Item::State(CState { track, object, scope, extra, loc: self.since(first) }))
            }
            _ => self.expected("a string"),
        }
    }
}
