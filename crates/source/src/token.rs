//! Preprocessing tokens: the output of the preprocessor and input of a parser.

use std::sync::Arc;

use crate::span::{ExpansionId, Loc, Span};

/// The lexical class of a token; the parser determines its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// A name or keyword.
    Identifier,
    /// A number: in Promela digits and letters that start with a digit, in C a pp-number.
    Number,
    /// A character constant with its quotes and prefix.
    Char,
    /// A string literal with its quotes and prefix.
    String,
    /// An operator or separator, the longest that the dialect knows.
    Punct,
    /// A kept `#pragma`; the text is that after the word `pragma`.
    Pragma,
    /// A character that starts no token, or a quote that is never closed (already reported).
    Unknown,
    /// The end of the input; always the last token of a [`Preprocessed`](crate::Preprocessed), and
    /// only there.
    End,
}

/// A preprocessing token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its lexical class.
    pub kind: TokenKind,
    /// Whether it is the first on its line when the output is laid out as gcc does: a macro's
    /// expansion lies on the line of its use's name; text after a line splice, or a comment or
    /// use that ends on a later line, starts a line.
    pub newline_before: bool,
    /// Whether white space (or a new line) stands before it.
    pub space_before: bool,
    /// Whether it was made (by `##`, `#`, `__LINE__` and their like) and so is not spelled at its
    /// span.
    pub made: bool,
    /// The expansion chain that it came through.
    pub expansion: ExpansionId,
    /// Where it is spelled.
    pub span: Span,
    /// The spelling, without line splices.
    pub text: Arc<str>,
}

impl Token {
    /// Where the token is spelled and through which macros it came.
    #[must_use]
    pub fn loc(&self) -> Loc {
        Loc { span: self.span, expansion: self.expansion }
    }

    /// Whether it is this name or keyword.
    #[must_use]
    pub fn is_ident(&self, name: &str) -> bool {
        self.kind == TokenKind::Identifier && *self.text == *name
    }

    /// Whether it is this punctuator (a digraph is equal to its replacement).
    #[must_use]
    pub fn is_punct(&self, text: &str) -> bool {
        self.kind == TokenKind::Punct && self.punct() == text
    }

    /// The text, with digraphs replaced.
    #[must_use]
    pub fn punct(&self) -> &str {
        match &*self.text {
            "<:" => "[",
            ":>" => "]",
            "<%" => "{",
            "%>" => "}",
            "%:" => "#",
            "%:%:" => "##",
            text => text,
        }
    }
}
