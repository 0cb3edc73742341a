//! Attributes of C23 (6.7.12): `[[nodiscard]]`, `[[gnu::packed, deprecated("old")]]`. They may stand at
//! nearly every place of the grammar, and two brackets in a row begin nothing else, so they are replaced
//! in the tokens before parsing.
//!
//! *Entry point:* [`without_standard_attributes`].
//! *Source:* ISO/IEC 9899:2024, 6.7.12; "Attribute Syntax" in the manual of GCC.
//! *Invariant:* an attribute that changes layout or execution becomes a GNU attribute; hints are
//! removed.

use std::borrow::Cow;
use std::sync::Arc;

use axle_source::{Token, TokenKind};

/// Standard attributes, and those of the vendor `gnu`, with the GNU attribute that they are. All others
/// are hints, or are ignored by compilers that do not know them (6.7.12p3).
const MEANT: &[&str] = &[
    "noreturn",
    "packed",
    "aligned",
    "alias",
    "cleanup",
    "constructor",
    "destructor",
    "ifunc",
    "mode",
    "ms_struct",
    "scalar_storage_order",
    "transparent_union",
    "vector_size",
    "weakref",
];

/// The tokens with attributes in the form of GNU's, where they have a meaning here.
#[must_use]
pub fn without_standard_attributes(tokens: &[Token]) -> Cow<'_, [Token]> {
    let begins =
        |at: usize| tokens[at].is_punct("[") && tokens.get(at + 1).is_some_and(|next| next.is_punct("["));
    if !(0..tokens.len()).any(begins) {
        return Cow::Borrowed(tokens);
    }
    let (mut kept, mut at) = (Vec::with_capacity(tokens.len()), 0);
    while at < tokens.len() {
        match behind(tokens, at).filter(|_| begins(at)) {
            Some(end) => {
                meant(&tokens[at + 2..end - 2], &tokens[at], &mut kept);
                at = end;
            }
            None => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    Cow::Owned(kept)
}

/// The position behind the brackets that open here.
fn behind(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.punct() {
            _ if token.kind != TokenKind::Punct => {}
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let is_end = token.is_punct("]") && tokens[index - 1].is_punct("]") && index >= at + 3;
            return is_end.then_some(index + 1);
        }
    }
    None
}

/// The attributes of a list that have a meaning, as GNU attributes.
fn meant(list: &[Token], near: &Token, out: &mut Vec<Token>) {
    let mut depth = 0usize;
    let attributes = list.split(|token| {
        match token.punct() {
            _ if token.kind != TokenKind::Punct => {}
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," => return depth == 0,
            _ => {}
        }
        false
    });
    for attribute in attributes {
        let colons = attribute.iter().skip(1).take_while(|token| matches!(token.punct(), ":" | "::")).count();
        let own = match (colons, attribute.first()) {
            (0, _) => attribute,
            (_, Some(vendor)) if matches!(&*vendor.text, "gnu" | "__gnu__") => &attribute[1 + colons..],
            _ => continue,
        };
        let name = match own.first().map(|name| name.text.trim_matches('_')) {
            Some("Noreturn") => "noreturn",
            Some(name) => name,
            None => continue,
        };
        if !MEANT.contains(&name) {
            continue;
        }
        let made = |kind, text: &str| Token { kind, text: Arc::from(text), made: true, ..near.clone() };
        out.push(made(TokenKind::Identifier, "__attribute__"));
        out.extend(["(", "("].map(|text| made(TokenKind::Punct, text)));
        out.push(made(TokenKind::Identifier, name));
        out.extend_from_slice(&own[1..]);
        out.extend([")", ")"].map(|text| made(TokenKind::Punct, text)));
    }
}
