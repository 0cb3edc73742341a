//! Pragmas (C11 6.10.6): the layout of `#pragma pack`, and pragmas that would change the semantics.
//!
//! *Entry point:* [`without_pragmas`], which removes the pragmas from the tokens before parsing.
//! *Invariant:* a pragma that changes the semantics of a program is applied or rejected; all others
//! are hints to a compiler.

use axle_source::{Diagnostic, Diagnostics, Token, TokenKind};

/// The maximum alignment of members, by token position.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    /// In token order.
    changes: Vec<(usize, u64)>,
}

impl Packing {
    pub fn at(&self, token: usize) -> u64 {
        self.changes.iter().rev().find(|(from, _)| *from <= token).map_or(u64::MAX, |(_, most)| *most)
    }
}

/// The tokens without the pragmas, and the packing that they request.
pub(super) fn without_pragmas(tokens: &[Token], diagnostics: &mut Diagnostics) -> (Vec<Token>, Packing) {
    let (mut kept, mut packing) = (Vec::with_capacity(tokens.len()), Packing::default());
    let (mut most, mut pushed) = (u64::MAX, Vec::new());
    for token in tokens {
        if token.kind != TokenKind::Pragma {
            kept.push(token.clone());
            continue;
        }
        let words = words(&token.text);
        match *words {
            ["pack", ref rest @ ..] => {
                pack(rest, &mut most, &mut pushed);
                packing.changes.push((kept.len(), most));
            }
            ["omp", ..] => {
                let error = Diagnostic::error("E0714", "OpenMP directives are not supported");
                let help = "without them the program is what compilers make of it that do not know OpenMP; \
                            threads can be begun with `pthread_create`";
                diagnostics.push(error.at(token.loc(), "").help(help));
            }
            ["scalar_storage_order" | "ms_struct" | "push_macro" | "pop_macro" | "redefine_extname", ..] => {
                let message = format!("the pragma `{}` is not supported", words[0]);
                diagnostics.push(Diagnostic::error("E0714", message).at(token.loc(), ""));
            }
            _ => {}
        }
    }
    (kept, packing)
}

/// Identifiers, numbers and punctuators.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut words, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(length);
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

/// `pack(n)`, `pack()`, `pack(push)`, `pack(push, n)`, `pack(push, name, n)`, `pack(pop)` and
/// `pack(pop, name)`.
fn pack<'a>(words: &[&'a str], most: &mut u64, pushed: &mut Vec<(Option<&'a str>, u64)>) {
    let inside = words.iter().copied().filter(|word| !matches!(*word, "(" | ")" | ","));
    let inside: Vec<&str> = inside.collect();
    let number = |word: &&str| word.parse::<u64>().ok().filter(|n| n.is_power_of_two() && *n <= 16);
    let named = inside.get(1).copied().filter(|word| number(word).is_none());
    let asked = inside.iter().find_map(number);
    match inside.first() {
        Some(&"push") => pushed.push((named, *most)),
        Some(&"pop") => {
            let to = match named {
                Some(_) => pushed.iter().rposition(|(name, _)| *name == named),
                None => pushed.len().checked_sub(1),
            };
            if let Some(to) = to {
                *most = pushed[to].1;
                pushed.truncate(to);
            }
        }
        None => *most = u64::MAX,
        Some(_) => {}
    }
    if let Some(asked) = asked {
        *most = asked;
    } else if inside == ["0"] {
        *most = u64::MAX;
    }
}
