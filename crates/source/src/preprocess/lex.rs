//! Text to preprocessing tokens (C11 5.1.1.2 phases 2 and 3, and 6.4): line splices vanish,
//! comments become a space, the longest punctuator wins.
//!
//! *Entry points:* [`skip_space`] and [`scan`], both pure; [`Lexer`] walks a file with them.
//! *Invariant:* a token's range is never empty, lies on character boundaries and its text is the
//! range's text without splices.

use std::borrow::Cow;
use std::sync::Arc;

use super::dialect::Dialect;
use crate::span::{FileId, Span};
use crate::token::TokenKind;

/// A token's shape and range, before it gets a text of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scanned {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    /// First on its line: a new line outside comments stands before it, or nothing at all.
    pub newline_before: bool,
    pub space_before: bool,
    /// A line splice lies inside.
    pub spliced: bool,
    /// A quote that is not closed on its line.
    pub open: bool,
}

/// The text between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Gap {
    pub end: usize,
    pub newline: bool,
    pub space: bool,
    /// A block comment that starts here is never closed.
    pub open_comment: Option<usize>,
}

/// Length of a line splice at `at`: a backslash, blanks (as gcc allows), a line end; 0 when there
/// is none.
fn splice(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'\\') {
        return 0;
    }
    let mut end = at + 1;
    while let Some(b' ' | b'\t' | 0x0b | 0x0c | b'\r') = bytes.get(end) {
        end += 1;
    }
    if bytes.get(end) == Some(&b'\n') { end + 1 - at } else { 0 }
}

/// The byte at `at` or after the splices there, and the offset after it.
fn byte(bytes: &[u8], mut at: usize) -> (Option<u8>, usize) {
    loop {
        match splice(bytes, at) {
            0 => return (bytes.get(at).copied(), at + 1),
            length => at += length,
        }
    }
}

/// The character at `at` (after splices), and the offset after it.
fn character(text: &str, at: usize) -> (Option<char>, usize) {
    match byte(text.as_bytes(), at) {
        (Some(first), after) if first < 0x80 => (Some(first as char), after),
        (Some(_), after) => {
            let c = text[after - 1..].chars().next();
            (c, after - 1 + c.map_or(1, char::len_utf8))
        }
        (None, after) => (None, after),
    }
}

/// Skips white space, splices and comments from `at`; stops before a line end when `in_line`.
pub(super) fn skip_space(text: &str, at: usize, in_line: bool) -> Gap {
    let bytes = text.as_bytes();
    let mut gap = Gap { end: at, ..Gap::default() };
    loop {
        match bytes.get(gap.end) {
            Some(b'\n') => {
                if in_line {
                    return gap;
                }
                gap.newline = true;
                gap.space = true;
                gap.end += 1;
            }
            Some(b' ' | b'\t' | 0x0b | 0x0c | b'\r' | 0) => {
                gap.space = true;
                gap.end += 1;
            }
            Some(b'\\') => match splice(bytes, gap.end) {
                0 => return gap,
                length => gap.end += length,
            },
            Some(b'/') => match byte(bytes, gap.end + 1) {
                (Some(b'/'), after) => {
                    gap.space = true;
                    gap.end = line_comment_end(bytes, after);
                }
                (Some(b'*'), after) => {
                    gap.space = true;
                    match block_comment_end(bytes, after) {
                        Some(end) => gap.end = end,
                        None => {
                            gap.open_comment = Some(gap.end);
                            gap.end = bytes.len();
                            return gap;
                        }
                    }
                }
                _ => return gap,
            },
            _ => return gap,
        }
    }
}

/// The line end (or the end of the file) at which a line comment ends.
fn line_comment_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            None | Some(b'\n') => return at.min(bytes.len()),
            Some(b'\\') => at += splice(bytes, at).max(1),
            Some(_) => at += 1,
        }
    }
}

/// The offset after `*/`.
fn block_comment_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'*' => match byte(bytes, at + 1) {
                (Some(b'/'), after) => return Some(after),
                _ => at += 1,
            },
            _ => at += 1,
        }
    }
}

/// The token that starts at `at`, where neither white space nor a comment starts; nothing at the
/// end.
pub(super) fn scan(text: &str, at: usize, dialect: Dialect) -> Option<Scanned> {
    let bytes = text.as_bytes();
    // A splice before the token belongs to the gap.
    let mut start = at;
    while splice(bytes, start) > 0 {
        start += splice(bytes, start);
    }
    let (first, after) = character(text, start);
    let first = first?;
    let next = byte(bytes, after).0;
    let mut open = false;
    let (kind, end) = match first {
        '0'..='9' => (TokenKind::Number, number_end(text, after, dialect)),
        '.' if dialect == Dialect::C && next.is_some_and(|next| next.is_ascii_digit()) => {
            (TokenKind::Number, number_end(text, after, dialect))
        }
        '"' | '\'' => {
            let (end, closed) = quote_end(bytes, after, first as u8);
            open = !closed;
            (quote_kind(first, open), end)
        }
        c if is_name_start(c, dialect) => match prefixed_quote(bytes, start, dialect) {
            Some((quote, inside)) => {
                let (end, closed) = quote_end(bytes, inside, quote);
                open = !closed;
                (quote_kind(quote as char, open), end)
            }
            None => (TokenKind::Identifier, name_end(text, after, dialect)),
        },
        '\\' if universal(text, start, dialect).is_some_and(|(c, _)| is_name_start(c, dialect)) => {
            (TokenKind::Identifier, name_end(text, start, dialect))
        }
        c if c.is_ascii() => match punctuator_end(bytes, start, dialect) {
            Some(end) => (TokenKind::Punct, end),
            None => (TokenKind::Unknown, after),
        },
        c if dialect == Dialect::Promela && TEMPORAL_SYMBOLS.contains(&c) => (TokenKind::Punct, after),
        _ => (TokenKind::Unknown, after),
    };
    let spliced = bytes[start..end].contains(&b'\\')
        && (kind == TokenKind::Identifier || (start..end).any(|at| splice(bytes, at) > 0));
    Some(Scanned { kind, start, end, newline_before: false, space_before: false, spliced, open })
}

/// Whether `text` as a whole is one token, and which kind.
pub(super) fn single(text: &str, dialect: Dialect) -> Option<TokenKind> {
    if skip_space(text, 0, false).end > 0 {
        return None;
    }
    let scanned = scan(text, 0, dialect)?;
    (scanned.end == text.len() && !scanned.open && scanned.kind != TokenKind::Unknown).then_some(scanned.kind)
}

/// A range's text without its line splices; in a name, characters stand for their numbers.
pub(super) fn unspliced(text: &str, scanned: Scanned) -> Cow<'_, str> {
    let range = &text[scanned.start..scanned.end];
    if !scanned.spliced {
        return Cow::Borrowed(range);
    }
    let mut clean = String::with_capacity(range.len());
    let mut at = 0;
    while let (Some(c), after) = character(range, at) {
        let written = (scanned.kind == TokenKind::Identifier && c == '\\')
            .then(|| universal(range, at, Dialect::C))
            .flatten();
        let (c, after) = written.unwrap_or((c, after));
        clean.push(c);
        at = after;
    }
    Cow::Owned(clean)
}

/// Symbols of temporal logic that Promela's formulas may use.
const TEMPORAL_SYMBOLS: [char; 14] = ['□', '◇', '◊', '○', '◯', '¬', '∧', '∨', '→', '↔', '⇒', '⇔', '≠', '⊕'];

fn is_name_start(c: char, dialect: Dialect) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '_' => true,
        '$' => dialect == Dialect::C,
        c => !c.is_ascii() && c.is_alphabetic(),
    }
}

fn is_name_part(c: char, dialect: Dialect) -> bool {
    c.is_ascii_digit() || is_name_start(c, dialect) || (!c.is_ascii() && c.is_alphanumeric())
}

fn name_end(text: &str, mut end: usize, dialect: Dialect) -> usize {
    loop {
        match character(text, end) {
            (Some(c), after) if is_name_part(c, dialect) => end = after,
            (Some('\\'), _) => match universal(text, end, dialect) {
                Some((_, after)) => end = after,
                None => return end,
            },
            _ => return end,
        }
    }
}

/// A character of a name that is written by its number (C11 6.4.3), and the offset after it.
fn universal(text: &str, at: usize, dialect: Dialect) -> Option<(char, usize)> {
    if dialect != Dialect::C {
        return None;
    }
    let digits = match text.get(at..at + 2)? {
        "\\u" => 4,
        "\\U" => 8,
        _ => return None,
    };
    let end = at + 2 + digits;
    let written = text.get(at + 2..end).filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()))?;
    let c = char::from_u32(u32::from_str_radix(written, 16).ok()?)?;
    (!c.is_ascii() && is_name_part(c, dialect)).then_some((c, end))
}

/// A pp-number's end (C11 6.4.8). In Promela only digits and letters belong to it, so that `0..N`
/// is a range whose bound may be a macro, which to C's preprocessor would be one number.
fn number_end(text: &str, mut end: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let mut last = b'0';
    loop {
        match character(text, end) {
            (Some('+' | '-'), after)
                if dialect == Dialect::C && matches!(last, b'e' | b'E' | b'p' | b'P') =>
            {
                end = after;
            }
            (Some('.'), after) if dialect == Dialect::C => end = after,
            (Some(c), after) if is_name_part(c, dialect) => end = after,
            _ => return end,
        }
        last = bytes[end - 1];
    }
}

fn quote_kind(quote: char, open: bool) -> TokenKind {
    match (open, quote) {
        (true, _) => TokenKind::Unknown,
        (false, '"') => TokenKind::String,
        (false, _) => TokenKind::Char,
    }
}

/// The end of a quoted token whose inside starts at `at`, and whether it is closed before the line
/// ends.
fn quote_end(bytes: &[u8], mut at: usize, quote: u8) -> (usize, bool) {
    loop {
        match byte(bytes, at) {
            (None | Some(b'\n'), _) => return (before_line_end(bytes, at), false),
            (Some(b'\\'), after) => match byte(bytes, after) {
                (None | Some(b'\n'), _) => return (before_line_end(bytes, after), false),
                (Some(_), after) => at = after,
            },
            (Some(found), after) if found == quote => return (after, true),
            (Some(_), after) => at = after,
        }
    }
}

/// An open quote ends before the carriage return of its line's end.
fn before_line_end(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    if at > 0 && bytes[at - 1] == b'\r' { at - 1 } else { at }
}

/// The quote and the offset after it, when an encoding prefix (`L`, `u`, `U`, `u8`) and a quote
/// stand at `at`.
fn prefixed_quote(bytes: &[u8], at: usize, dialect: Dialect) -> Option<(u8, usize)> {
    if dialect == Dialect::Promela {
        return None;
    }
    let (first, mut after) = byte(bytes, at);
    let first = first.filter(|first| matches!(first, b'L' | b'u' | b'U'))?;
    let (mut second, mut after_second) = byte(bytes, after);
    if first == b'u' && second == Some(b'8') {
        after = after_second;
        (second, after_second) = byte(bytes, after);
        // `u8'a'` is C23; `u8"a"` is C11.
    }
    match second {
        Some(quote @ (b'"' | b'\'')) => Some((quote, after_second)),
        _ => None,
    }
}

/// Punctuators of both dialects, those of several characters only.
const COMMON: [&str; 23] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##",
];
/// Promela's own.
const PROMELA: [&str; 5] = ["<->", "::", "..", "!!", "??"];
/// Whether the end of a comment stands outside of any, which Promela's readers skip: not `*//` or
/// `*/*`, which are a sign and the start of a comment.
fn stray_comment_end(found: &[u8]) -> bool {
    matches!(found, [b'*', b'/'] | [b'*', b'/', b' '..=b')' | b'+'..=b'.' | b':'..=b'~', ..])
}

/// C's digraphs.
const DIGRAPHS: [&str; 6] = ["%:%:", "<:", ":>", "<%", "%>", "%:"];

fn punctuator_end(bytes: &[u8], at: usize, dialect: Dialect) -> Option<usize> {
    let mut found = [0u8; 4];
    let mut ends = [at; 4];
    let mut count = 0;
    let mut next = at;
    while count < 4 {
        let (Some(byte), after) = byte(bytes, next) else { break };
        if !byte.is_ascii_punctuation() {
            break;
        }
        found[count] = byte;
        ends[count] = after;
        count += 1;
        next = after;
    }
    let own: &[&str] = match dialect {
        Dialect::Promela => &PROMELA,
        Dialect::C => &DIGRAPHS,
    };
    for length in (2..=count).rev() {
        let candidate = &found[..length];
        if COMMON.iter().chain(own).any(|known| known.as_bytes() == candidate) {
            return Some(ends[length - 1]);
        }
    }
    if dialect == Dialect::Promela && stray_comment_end(&found[..count]) {
        return Some(ends[1]);
    }
    let single: &[u8] = match dialect {
        Dialect::Promela => b"[](){}.&*+-~!/%<>^|?:;=,#@\\`",
        Dialect::C => b"[](){}.&*+-~!/%<>^|?:;=,#",
    };
    (count > 0 && single.contains(&found[0])).then_some(ends[0])
}

/// A walk over a file's tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer {
    pub file: FileId,
    pub text: Arc<str>,
    pub dialect: Dialect,
    /// Offset of the next character.
    pub at: usize,
    /// Where an unclosed block comment starts, once met.
    pub open_comment: Option<usize>,
}

impl Lexer {
    pub fn new(file: FileId, text: Arc<str>, dialect: Dialect) -> Lexer {
        Lexer { file, text, dialect, at: 0, open_comment: None }
    }

    /// The next token, across line ends; nothing at the end of the file.
    pub fn next(&mut self) -> Option<Scanned> {
        let fresh = self.at == 0;
        self.read(false).map(|scanned| Scanned {
            newline_before: scanned.newline_before || fresh,
            space_before: scanned.space_before || fresh,
            ..scanned
        })
    }

    /// The next token of this line; nothing at its end, which is not passed.
    pub fn next_in_line(&mut self) -> Option<Scanned> {
        self.read(true)
    }

    fn read(&mut self, in_line: bool) -> Option<Scanned> {
        let gap = skip_space(&self.text, self.at, in_line);
        self.at = gap.end;
        self.open_comment = self.open_comment.or(gap.open_comment);
        if in_line && self.text.as_bytes().get(self.at) == Some(&b'\n') {
            return None;
        }
        let scanned = scan(&self.text, self.at, self.dialect)?;
        self.at = scanned.end;
        Some(Scanned { newline_before: gap.newline, space_before: gap.space, ..scanned })
    }

    /// Goes to this line's end, comments minded.
    pub fn skip_line(&mut self) {
        while self.next_in_line().is_some() {}
    }

    /// Offset of the next line's first byte (or the end of the file); splices continue a line.
    pub fn next_line(&mut self) -> usize {
        self.skip_line();
        (self.at + 1).min(self.text.len())
    }

    /// The spelling of a token.
    pub fn spelling(&self, scanned: Scanned) -> Cow<'_, str> {
        unspliced(&self.text, scanned)
    }

    /// The place of a token.
    pub fn span(&self, scanned: Scanned) -> Span {
        Span::new(self.file, scanned.start as u32, scanned.end as u32)
    }
}
