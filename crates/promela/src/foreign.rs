//! Statements of other languages that newcomers write, and their equivalents in Promela.
//!
//! *Entry point:* [`help`].
//! *Invariant:* the words are ordinary names of Promela. The help is given only where such a word
//! is in an error.

const WORDS: &[(&str, &str)] = &[
    ("while", "Promela writes `do :: cond -> ... :: else -> break od`"),
    ("until", "Promela writes `do :: ... od` with a `break`"),
    ("continue", "Promela has no `continue`; close the option, or use `goto`"),
    ("switch", "Promela writes `if :: x == 1 -> ... :: else -> ... fi`"),
    ("then", "Promela writes `if :: cond -> ... :: else -> ... fi`"),
    ("elif", "Promela writes one more option: `:: cond -> ...`"),
    ("await", "an expression is a statement that waits until it is true: write `(cond)`"),
    ("wait", "an expression is a statement that waits until it is true: write `(cond)`"),
    ("var", "a declaration starts with its type: `int x = 0`"),
    ("const", "write a constant as a macro: `#define N 3`"),
];

/// The equivalent in Promela of a word of another language; none for other names.
pub(crate) fn help(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, help)| *help)
}
