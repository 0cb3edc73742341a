//! Broken and odd models: the corpus with random changes. Nothing panics, and what parses survives
//! printing.

use axle_generate::Random;
use axle_promela::print::print;

use crate::support::{conformance, parse_text};

const SPICE: &[&str] = &[
    ";",
    "->",
    "\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "::",
    ":",
    ",",
    ".",
    "..",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "=",
    "==",
    "++",
    "--",
    "-",
    "@",
    "if",
    "fi",
    "do",
    "od",
    "else",
    "unless",
    "atomic",
    "d_step",
    "goto",
    "L:",
    "break",
    "skip",
    "timeout",
    "run",
    "len",
    "full",
    "eval",
    "_",
    "x",
    "byte",
    "chan",
    "mtype",
    "typedef",
    "inline",
    "proctype",
    "active",
    "init",
    "never",
    "ltl",
    "trace",
    "c_code",
    "c_expr",
    "printf",
    "\"s\"",
    "assert",
    "select",
    "for",
    "in",
    "return",
    "xr",
    "priority",
    "provided",
    "0x1f",
    "017",
    "'a'",
    "[]",
    "<>",
    "U",
    "#define A A",
    "\n#if 1\n",
    "/*",
    "//",
    "`",
    "\u{25a1}",
    "\\",
];

/// Words, numbers, signs and runs of white space.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| last != class(c) || class(c) == 2) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(class(c));
    }
    pieces.push(&text[start..]);
    pieces
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(3) {
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        match random.below(6) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, SPICE[random.below(SPICE.len())]),
            2 => pieces[at] = SPICE[random.below(SPICE.len())],
            3 => pieces.swap(at, other),
            4 => pieces.insert(at, pieces[other]),
            _ => {
                let end = (at + random.below(8)).min(pieces.len());
                pieces.drain(at..end);
            }
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn changed_models_neither_panic_nor_change_when_printed() {
    let models: Vec<String> =
        conformance().iter().map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect();
    let mut random = Random::of(2, 0);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let text = mutate(&models[random.below(models.len())], &mut random);
        let parsed = parse_text(&text);
        let printed = print(&parsed.program);
        if parsed.has_errors() {
            continue;
        }
        accepted += 1;
        let again = parse_text(&printed);
        assert!(!again.has_errors(), "{text}\n\nis printed as\n\n{printed}\n{}", again.first_error());
        assert!(parsed.items() == again.items(), "{text}\n\nis printed as\n\n{printed}");
    }
    assert!(accepted > 2_000, "the changes are too wild: only {accepted} still parse");
}
