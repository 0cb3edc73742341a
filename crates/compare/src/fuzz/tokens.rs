//! Splits Promela or C text into pieces for mutation. The pieces are coarser than tokens, and
//! splitting never fails.
//!
//! *Entry points:* [`cut`], [`close`] (the end of a bracket, `if` or `do`), [`statement`] (the text
//! between two separators).
//! *Invariant:* the concatenation of the pieces is the text.

use std::ops::Range;

use super::mutate::Text;
use axle_generate::Random;

/// The class of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// An identifier or keyword.
    Word,
    /// Starts with a digit.
    Number,
    /// A string, character constant or comment.
    Quoted,
    /// Blanks, or one line break.
    Space,
    /// Anything else.
    Sign,
}

/// The class of a piece, determined by its first characters.
pub fn class(piece: &str) -> Class {
    match piece.as_bytes().first() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => Class::Word,
        Some(b'0'..=b'9') => Class::Number,
        Some(b'"' | b'\'') => Class::Quoted,
        Some(b'/') if piece.len() > 1 => Class::Quoted,
        Some(b' ' | b'\t' | b'\r' | b'\n') => Class::Space,
        Some(_) | None => Class::Sign,
    }
}

/// Operators of two and three characters.
const SIGNS: [&str; 20] = [
    "<->", "...", "->", "::", "..", "!!", "??", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--",
    "[]", "<>", "##",
];

/// The pieces of a text.
pub fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(length(rest));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Length of the first piece in bytes.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |wanted: fn(&u8) -> bool| bytes.iter().take_while(|&byte| wanted(byte)).count();
    match bytes[0] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' => run(|b| b.is_ascii_alphanumeric() || *b == b'_'),
        b' ' | b'\t' | b'\r' => run(|b| matches!(b, b' ' | b'\t' | b'\r')),
        quote @ (b'"' | b'\'') => {
            let end = bytes.iter().skip(1).position(|&b| b == quote || b == b'\n');
            end.map_or(1, |end| end + 2)
        }
        b'/' if text.starts_with("/*") => text.find("*/").map_or(2, |end| end + 2),
        b'/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        _ => match SIGNS.iter().find(|sign| text.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None => text.chars().next().map_or(1, char::len_utf8),
        },
    }
}

/// The change of the nesting depth by a piece; with `words_nest`, `if` and `do` count as brackets.
fn depth(piece: &str, words_nest: bool) -> i32 {
    match piece {
        "{" | "(" | "[" => 1,
        "}" | ")" | "]" => -1,
        "if" | "do" if words_nest => 1,
        "fi" | "od" if words_nest => -1,
        _ => 0,
    }
}

/// The position that closes the bracket at `open`.
pub fn close(pieces: &[Text], open: usize, words_nest: bool) -> Option<usize> {
    let mut level = 0;
    for (at, piece) in pieces.iter().enumerate().skip(open) {
        level += depth(piece, words_nest);
        if level <= 0 {
            return (at > open).then_some(at);
        }
    }
    None
}

/// A random balanced range, including its brackets.
pub fn balanced(pieces: &[Text], words_nest: bool, random: &mut Random) -> Option<Range<usize>> {
    let from = random.below(pieces.len());
    let order = (from..pieces.len()).chain(0..from);
    let open = order.into_iter().find(|&at| depth(&pieces[at], words_nest) > 0)?;
    close(pieces, open, words_nest).map(|end| open..end + 1)
}

/// A random range between two separators of the same depth.
pub fn statement(pieces: &[Text], words_nest: bool, random: &mut Random) -> Range<usize> {
    let at = random.below(pieces.len());
    let divides = |piece: &str| match piece {
        ";" | "\n" | "{" => true,
        "->" | "::" | "do" | "if" => words_nest,
        "}" => !words_nest,
        _ => false,
    };
    let begin = (0..at).rev().find(|&before| divides(&pieces[before])).map_or(0, |before| before + 1);
    let mut level = 0;
    let mut end = begin;
    while end < pieces.len() {
        let change = depth(&pieces[end], words_nest);
        if (level == 0 && end > begin && divides(&pieces[end]) && change == 0) || level + change < 0 {
            break;
        }
        level += change;
        end += 1;
    }
    begin..end
}
