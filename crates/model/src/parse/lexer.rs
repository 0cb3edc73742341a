//! Splits the textual form of a model into words, numbers, texts in quotes and symbols.
//!
//! Nothing is thrown away but blanks and comments (`//` to the end of the line), and every token
//! knows its line and column (counted from 1, columns in characters).
//!
//! *Entry point:* [`tokens`].

use super::ParseError;

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub line: u32,
    pub column: u32,
    pub what: TokenKind,
}

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A letter or `_`, then letters, digits and `_`.
    Word(String),
    /// Decimal digits. A sign is a symbol of its own.
    Number(u64),
    /// The text between quotes, escapes undone.
    Text(String),
    /// One of [`SYMBOLS`].
    Symbol(&'static str),
    /// The end of the input.
    End,
}

/// All symbols; where one begins with another, the longer stands first.
const SYMBOLS: &[&str] = &[
    "<->", ":=", "->", "&&", "||", "<<", ">>", "<=", ">=", "==", "!=", "!!", "??", "[]", "<>", "{", "}", "(",
    ")", "[", "]", ",", ";", ":", ".", "@", "!", "?", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">",
    "=",
];

/// The place of the next character.
struct Cursor<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl Cursor<'_> {
    fn bump(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        match c {
            '\n' => (self.line, self.column) = (self.line.saturating_add(1), 1),
            _ => self.column = self.column.saturating_add(1),
        }
        Some(c)
    }

    /// Passes so many characters.
    fn take(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while self.rest.starts_with(&keep) {
            taken.extend(self.bump());
        }
        taken
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// The tokens of `text`, with [`TokenKind::End`] last.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut at = Cursor { rest: text, line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        at.take_while(char::is_whitespace);
        if at.rest.starts_with("//") {
            at.take_while(|c| c != '\n');
            continue;
        }
        let (line, column) = (at.line, at.column);
        let what = match at.rest.chars().next() {
            None => TokenKind::End,
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                TokenKind::Word(at.take_while(|c| c.is_ascii_alphanumeric() || c == '_'))
            }
            Some(c) if c.is_ascii_digit() => {
                let number = at.take_while(|c| c.is_ascii_digit()).parse();
                TokenKind::Number(number.map_err(|_| ParseError {
                    line,
                    column,
                    message: "this number is larger than 64 bits hold".into(),
                })?)
            }
            Some('"') => TokenKind::Text(quoted(&mut at)?),
            Some(c) => match SYMBOLS.iter().find(|s| at.rest.starts_with(**s)) {
                Some(symbol) => {
                    at.take(symbol.len());
                    TokenKind::Symbol(symbol)
                }
                None => return Err(at.error(format!("the character {c:?} begins nothing"))),
            },
        };
        let end = what == TokenKind::End;
        tokens.push(Token { line, column, what });
        if end {
            return Ok(tokens);
        }
    }
}

fn quoted(at: &mut Cursor) -> Result<String, ParseError> {
    let mut text = String::new();
    at.bump();
    loop {
        match at.bump() {
            Some('"') => return Ok(text),
            Some('\\') => text.push(escape(at)?),
            Some('\n') | None => return Err(at.error("the quotes are not closed on their line")),
            Some(c) => text.push(c),
        }
    }
}

fn escape(at: &mut Cursor) -> Result<char, ParseError> {
    match at.bump() {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some(c @ ('"' | '\\')) => Ok(c),
        Some('u') => {
            let open = at.bump();
            let digits = at.take_while(|c| c.is_ascii_hexdigit());
            let close = at.bump();
            let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            match (open, code, close) {
                (Some('{'), Some(c), Some('}')) => Ok(c),
                _ => Err(at.error("an escape is \\n, \\t, \\\", \\\\ or \\u{hexadecimal}")),
            }
        }
        _ => Err(at.error("an escape is \\n, \\t, \\\", \\\\ or \\u{hexadecimal}")),
    }
}
