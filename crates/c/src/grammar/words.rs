//! Keywords and punctuators, in all their spellings.
//!
//! *Entry point:* [`word`].
//! *Invariant:* a keyword has one canonical spelling. The empty word is neither a keyword nor a
//! punctuator.

use std::sync::LazyLock;

use axle_source::{Token, TokenKind};
use rustc_hash::FxHashMap;

/// Words that cannot be identifiers, of C and of the supported GNU extensions.
pub const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "asm",
    "typeof",
    "__attribute__",
    "__extension__",
    "__auto_type",
    "__int128",
    "__label__",
    "_Float128",
    "_Float64",
    "_Float32",
    "_Float64x",
    "_Float32x",
];

/// All punctuators.
pub const PUNCTUATORS: &[&str] = &[
    "[", "]", "(", ")", "{", "}", ".", "->", "++", "--", "&", "*", "+", "-", "~", "!", "/", "%", "<<", ">>",
    "<", ">", "<=", ">=", "==", "!=", "^", "|", "&&", "||", "?", ":", ";", "...", "=", "*=", "/=", "%=",
    "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",", "#", "##",
];

/// Alternative spellings of keywords, with their canonical form.
const SPELLINGS: &[(&str, &str)] = &[
    ("__const", "const"),
    ("__const__", "const"),
    ("__volatile", "volatile"),
    ("__volatile__", "volatile"),
    ("__restrict", "restrict"),
    ("__restrict__", "restrict"),
    ("__signed", "signed"),
    ("__signed__", "signed"),
    ("__inline", "inline"),
    ("__inline__", "inline"),
    ("__asm", "asm"),
    ("__asm__", "asm"),
    ("__typeof", "typeof"),
    ("__typeof__", "typeof"),
    ("__attribute", "__attribute__"),
    ("__alignof", "_Alignof"),
    ("__alignof__", "_Alignof"),
    ("__thread", "_Thread_local"),
    ("__complex__", "_Complex"),
    ("__complex", "_Complex"),
    ("__int128_t", "__int128"),
    ("__float128", "_Float128"),
];

/// The table of keywords and punctuators: each token is looked up once.
static WORDS: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let same = PUNCTUATORS.iter().chain(KEYWORDS).map(|&word| (word, word));
    same.chain(SPELLINGS.iter().copied()).collect()
});

/// The keyword or punctuator that a token is.
#[must_use]
pub fn word(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Punct => WORDS.get(token.punct()).copied().unwrap_or("?!"),
        TokenKind::Identifier => WORDS.get(&*token.text).copied().unwrap_or(""),
        TokenKind::End => "end",
        _ => "",
    }
}

/// The longest punctuator that a text begins with; empty if there is none.
#[must_use]
pub fn punctuator(text: &str) -> &'static str {
    let fits = PUNCTUATORS.iter().filter(|word| text.starts_with(**word));
    fits.max_by_key(|word| word.len()).copied().unwrap_or_default()
}

/// The keyword with this spelling, in its canonical form.
#[must_use]
pub fn keyword(text: &str) -> Option<&'static str> {
    WORDS.get(text).copied()
}

/// Whether a keyword can begin a declaration or the name of a type. `__extension__` can also begin an
/// expression.
#[must_use]
pub fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "typedef"
            | "extern"
            | "static"
            | "auto"
            | "register"
            | "_Thread_local"
            | "inline"
            | "_Noreturn"
            | "const"
            | "volatile"
            | "restrict"
            | "__attribute__"
            | "_Alignas"
            | "_Atomic"
            | "struct"
            | "union"
            | "enum"
            | "typeof"
            | "__auto_type"
            | "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "_Complex"
            | "_Imaginary"
            | "__int128"
            | "_Float128"
            | "_Float64"
            | "_Float32"
            | "_Float64x"
            | "_Float32x"
    )
}
