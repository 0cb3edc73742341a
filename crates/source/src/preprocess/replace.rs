//! Replacement of the values of object-like macros, for a program that is scaled down.
//!
//! *Entry point:* [`Preprocessor::replaced`].
//! *Invariant:* a macro without a value, and one whose text contains a string, keeps its text.

use std::sync::Arc;

use super::Preprocessor;
use super::hide::Tok;
use super::macros::{Definition, Item, MacroKind};
use crate::token::{Token, TokenKind};

/// A definition of an object-like macro with a value, where values are replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinedConstant {
    /// The name in the `#define`.
    pub name: Token,
    /// The text as written.
    pub text: String,
    /// [`Options::replace`](super::Options::replace) has another value for it.
    pub replaced: bool,
}

impl Preprocessor<'_> {
    /// The body of a macro with another value, if the options have one. An integer suffix stays, so that
    /// the type of a plain number does.
    pub(super) fn replaced(
        &mut self,
        name: &Token,
        rest: &[Tok],
        definition: &Definition,
    ) -> Option<Vec<Item>> {
        let first = &rest.first()?.token;
        let is_text = |tok: &Tok| tok.token.kind == TokenKind::String;
        if self.options.replace.is_empty() || definition.kind != MacroKind::Object || rest.iter().any(is_text)
        {
            return None;
        }
        let value =
            self.options.replace.iter().find(|(wanted, _)| *wanted == *name.text).map(|(_, value)| *value);
        let words: Vec<&str> = rest.iter().map(|tok| &*tok.token.text).collect();
        self.constants.push(DefinedConstant {
            name: name.clone(),
            text: words.join(" "),
            replaced: value.is_some(),
        });
        let value = value?;
        let suffix = match rest {
            [only] if only.token.kind == TokenKind::Number => {
                let digits = only.token.text.trim_end_matches(['u', 'U', 'l', 'L']);
                &only.token.text[digits.len()..]
            }
            _ => "",
        };
        let item = |kind: TokenKind, text: &str| {
            let text: Arc<str> = text.into();
            Item::Token(Token { kind, text, made: true, space_before: false, ..first.clone() })
        };
        let number = item(TokenKind::Number, &format!("{}{suffix}", value.unsigned_abs()));
        Some(match value < 0 {
            false => vec![number],
            true => vec![
                item(TokenKind::Punct, "("),
                item(TokenKind::Punct, "-"),
                number,
                item(TokenKind::Punct, ")"),
            ],
        })
    }
}
