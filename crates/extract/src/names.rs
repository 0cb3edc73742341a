//! Names of C in the text of a model: a function, object, member or label whose name Promela
//! reserves gets a free name, `c_NAME`.
//!
//! *Entry points:* [`Names::model_name`], [`Names::label`], `Names::rename`.
//!
//! *Invariant:* two names of C never get one name in the model, and no name of the model is a
//! reserved word.

use axle_source::{Token, TokenKind};
use rustc_hash::FxHashSet;

/// The words of Promela and its predefined variables. A test compares the list with the parser's.
pub(crate) const RESERVED: &[&str] = &[
    "D_proctype",
    "STDIN",
    "_",
    "_last",
    "_nr_pr",
    "_pid",
    "_priority",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Prefixes that give a label of Promela a meaning.
const SPECIAL_LABELS: &[&str] = &["end", "accept", "progress"];

/// The identifiers of a C program, from which free names are chosen.
#[derive(Clone, Default, Debug)]
pub struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// Adds the names of a preprocessed file.
    pub(crate) fn add(&mut self, tokens: &[Token]) {
        let names = tokens.iter().filter(|token| token.kind == TokenKind::Identifier);
        self.taken.extend(names.map(|token| token.text.to_string()));
    }

    /// A name like the one given that the program does not use.
    #[must_use]
    pub fn free(&self, name: String) -> String {
        let mut name = name;
        while self.taken.contains(&name) || RESERVED.contains(&&*name) {
            name.push('_');
        }
        name
    }

    /// The name that a function or object of C has in the model.
    #[must_use]
    pub fn model_name(&self, name: &str) -> String {
        match RESERVED.contains(&name) {
            true => self.free(format!("c_{name}")),
            false => name.to_string(),
        }
    }

    /// The name that a label of C has in the model.
    #[must_use]
    pub fn label(&self, name: &str) -> String {
        match SPECIAL_LABELS.iter().any(|word| name.starts_with(word)) {
            true => self.free(format!("c_{name}")),
            false => self.model_name(name),
        }
    }

    /// Text of C with its names as the model has them. Words in `exempt` are the user's own
    /// Promela. Calls of `assert` and `printf` mean the same in both languages.
    #[must_use]
    pub(crate) fn rename(&self, text: &str, exempt: impl Fn(&str) -> bool) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (mut out, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => quoted(rest),
                _ if is_word(first) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (part, behind) = rest.split_at(length);
            let same = axle_c::grammar::words::keyword(part).is_some()
                || matches!(part, "true" | "false")
                || matches!(part, "assert" | "printf") && behind.trim_start().starts_with('(')
                || exempt(part);
            if same {
                out.push_str(part)
            } else {
                out.push_str(&self.model_name(part))
            }
            rest = behind;
        }
        out
    }
}

/// The length of the string or character that a text starts with.
pub(crate) fn quoted(text: &str) -> usize {
    let quote = text.chars().next();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if Some(c) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Names, RESERVED};

    #[test]
    fn reserved_words_are_those_of_the_parser() {
        let missing: Vec<_> =
            axle_promela::token::WORDS.iter().filter(|word| !RESERVED.contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn names_are_free_and_strings_unchanged() {
        let mut names = Names::default();
        names.taken.insert("c_len".into());
        assert_eq!(names.rename("len=f(run,\"len\")+a.len", |_| false), "c_len_=f(c_run,\"len\")+a.c_len_");
        assert_eq!(names.rename("assert((len>0))", |word| word == "len"), "assert((len>0))");
        assert_eq!(names.label("end_of_it"), "c_end_of_it");
    }
}
