//! `cargo xtask phrases`: searches the tree for phrases and identifiers that the project has
//! replaced.
//!
//! The list is `xtask/phrases.tsv` (phrase, scope, replacement); `{a,b}` stands for alternatives. A
//! phrase with scope `prose` is searched in documentation, in comments, and in string literals,
//! across line breaks, as whole words without regard to case. With scope `code PATH` it is an
//! identifier of the Rust files below PATH; with scope `path` a component of a path.
//!
//! *Entry point:* [`search`].
//! *Invariant:* the list itself and entries of the glossary marked "formerly" are exempt.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folders and files with text of other authors, and the list itself.
const EXEMPT: [&str; 5] =
    ["xtask/phrases.tsv", "tests/conformance/", "LICENSE", "Cargo.lock", "bench/results/"];

/// Arguments of `cargo xtask phrases`.
#[derive(clap::Args)]
pub struct Args {
    /// Print each occurrence, not only the number per crate.
    #[arg(long)]
    list: bool,
    /// Search only files whose path starts with this.
    #[arg(long)]
    under: Option<String>,
}

/// One row of the list after expansion of alternatives.
struct Phrase {
    text: String,
    scope: Scope,
    better: String,
}

enum Scope {
    Prose,
    Code(String),
    Path,
}

/// An occurrence of a phrase.
pub struct Occurrence {
    file: String,
    line: usize,
    phrase: String,
    better: String,
}

impl std::fmt::Display for Occurrence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: `{}`", self.file, self.line, self.phrase)?;
        if self.better.is_empty() { Ok(()) } else { write!(f, " (use: {})", self.better) }
    }
}

/// Prints the number of occurrences per crate or top folder.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let mut found = search(root)?;
    if let Some(under) = &args.under {
        found.retain(|occurrence| occurrence.file.starts_with(under.as_str()));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for occurrence in &found {
        if args.list {
            println!("{occurrence}");
        }
        let parts: Vec<&str> = occurrence.file.split('/').collect();
        let group = if parts[0] == "crates" { parts[..2].join("/") } else { parts[0].to_string() };
        *counts.entry(group).or_default() += 1;
    }
    for (group, count) in counts {
        println!("{count:6}  {group}");
    }
    println!("{:6}  total", found.len());
    Ok(())
}

/// All occurrences in the tree.
pub fn search(root: &Path) -> Result<Vec<Occurrence>, String> {
    let list = root.join("xtask/phrases.tsv");
    let list = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let phrases = parse(&list)?;
    let mut found = Vec::new();
    for path in super::tidy::files(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        if EXEMPT.iter().any(|exempt| name.starts_with(exempt)) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        found.extend(in_file(&phrases, &name, &text));
    }
    Ok(found)
}

/// Reads the list: one header line, then phrase, scope and replacement.
fn parse(list: &str) -> Result<Vec<Phrase>, String> {
    let mut phrases = Vec::new();
    for (i, line) in list.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [text, scope, better] = fields[..] else {
            return Err(format!("xtask/phrases.tsv:{}: not three columns", i + 1));
        };
        for text in alternatives(text) {
            let scope = match scope.split_once(' ') {
                None if scope == "prose" => Scope::Prose,
                None if scope == "path" => Scope::Path,
                Some(("code", path)) => Scope::Code(path.to_string()),
                _ => return Err(format!("xtask/phrases.tsv:{}: unknown scope `{scope}`", i + 1)),
            };
            phrases.push(Phrase { text, scope, better: better.to_string() });
        }
    }
    Ok(phrases)
}

/// Expands `{a,b}` from left to right; `{}` stands for itself.
pub fn alternatives(text: &str) -> Vec<String> {
    let parts = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (inner, after))) = parts else { return vec![text.to_string()] };
    let rest = alternatives(after);
    let inner = if inner.is_empty() { "{}" } else { inner };
    let expand = |choice: &str| rest.iter().map(|end| format!("{before}{choice}{end}")).collect::<Vec<_>>();
    inner.split(',').flat_map(expand).collect()
}

/// All occurrences in one file.
fn in_file(phrases: &[Phrase], name: &str, text: &str) -> Vec<Occurrence> {
    let Split { prose, code } = split(name, text);
    let mut found = Vec::new();
    let mut add = |phrase: &Phrase, line: usize| {
        let (phrase, better) = (phrase.text.clone(), phrase.better.clone());
        found.push(Occurrence { file: name.to_string(), line, phrase, better });
    };
    for phrase in phrases {
        match &phrase.scope {
            Scope::Path => {
                if name.split(['/', '.']).any(|part| part == phrase.text) {
                    add(phrase, 1);
                }
            }
            Scope::Code(path) => {
                if !name.starts_with(path.as_str()) {
                    continue;
                }
                for (line, _) in code.iter().filter(|(_, word)| *word == phrase.text) {
                    add(phrase, *line);
                }
            }
            Scope::Prose => {
                for piece in &prose {
                    for at in whole_words(&piece.text, &phrase.text) {
                        let line = piece.lines.iter().rev().find(|(start, _)| *start <= at);
                        add(phrase, line.map_or(1, |(_, line)| *line));
                    }
                }
            }
        }
    }
    found
}

/// Offsets of `phrase` in `text` where it is not part of a longer word.
fn whole_words(text: &str, phrase: &str) -> Vec<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = phrase.starts_with(word);
    let ends = phrase.ends_with(word);
    text.match_indices(phrase)
        .filter(|(at, _)| !(starts && text[..*at].ends_with(word)))
        .filter(|(at, _)| !(ends && text[at + phrase.len()..].starts_with(word)))
        .map(|(at, _)| at)
        .collect()
}

/// Text with single spaces, in lower case, and the line on which each part of it starts.
#[derive(Default)]
struct Piece {
    text: String,
    lines: Vec<(usize, usize)>,
}

impl Piece {
    fn push(&mut self, line: usize, text: &str) {
        self.lines.push((self.text.len(), line));
        for word in text.split_whitespace() {
            self.text.push_str(&word.to_lowercase());
            self.text.push(' ');
        }
    }
}

/// A file in parts: prose, and identifiers with their lines.
#[derive(Default)]
struct Split {
    prose: Vec<Piece>,
    code: Vec<(usize, String)>,
}

fn split(name: &str, text: &str) -> Split {
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    if ends(&[".rs"]) {
        return rust(text);
    }
    let mut split = Split::default();
    if ends(&[".md", ".txt", ".toml", ".tsv", ".pml", ".lut", ".svg"]) || ends(&[".c", ".h"]) {
        let mut piece = Piece::default();
        for (i, line) in text.lines().enumerate() {
            // An entry of the glossary may quote the word that it replaces.
            let formerly = name.ends_with("glossary.md") && line.contains("formerly");
            if !formerly {
                piece.push(i + 1, line.trim_start().trim_start_matches(['#', '/', '*', '>']));
            }
        }
        split.prose.push(piece);
    }
    split
}

/// Comments and string literals of Rust, consecutive line comments joined; identifiers between
/// them.
fn rust(text: &str) -> Split {
    let mut split = Split::default();
    let (mut last_comment, mut in_comment) = (0, false);
    let mut rest = text;
    let mut line = 1;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let length = literal_length(rest, before);
        let (token, after) = rest.split_at(length.max(first.len_utf8()));
        if token.starts_with("//") {
            if last_comment + 1 != line || !in_comment {
                split.prose.push(Piece::default());
            }
            if let Some(piece) = split.prose.last_mut() {
                piece.push(line, token.trim_start_matches(['/', '!']));
            }
            (last_comment, in_comment) = (line, true);
        } else if length > 0 && !token.starts_with('\'') {
            let mut piece = Piece::default();
            for (i, part) in token.split('\n').enumerate() {
                let part = part.replace("\\n", " ").replace("\\\"", "\"");
                piece.push(line + i, part.trim_end_matches('\\'));
            }
            split.prose.push(piece);
            in_comment = false;
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            split.code.push((line, rest[..end].to_string()));
            before = 'a';
            rest = &rest[end..];
            in_comment = false;
            continue;
        } else if !first.is_whitespace() {
            in_comment = false;
        }
        line += token.matches('\n').count();
        before = token.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    split
}

/// The length of the comment, string or character literal at the start of `rest`; 0 if there is
/// none.
fn literal_length(rest: &str, before: char) -> usize {
    let bytes = rest.as_bytes();
    let until = |end: Option<usize>| end.unwrap_or(rest.len());
    if rest.starts_with("//") {
        return until(rest.find('\n'));
    }
    if rest.starts_with("/*") {
        return until(rest.find("*/").map(|at| at + 2));
    }
    if bytes[0] == b'"' {
        return quoted(bytes, b'"');
    }
    if !(before.is_alphanumeric() || before == '_') {
        let prefix = rest.len() - rest.trim_start_matches(['b', 'r']).len();
        let hashes = rest[prefix..].len() - rest[prefix..].trim_start_matches('#').len();
        let raw = prefix > 0 && rest[..prefix].contains('r');
        if raw && prefix <= 2 && rest[prefix + hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = prefix + hashes + 1;
            return until(rest[body..].find(&close).map(|at| body + at + close.len()));
        }
        if rest.starts_with("b\"") {
            return 1 + quoted(&bytes[1..], b'"');
        }
    }
    if bytes[0] == b'\'' {
        let mut chars = rest.char_indices().skip(1);
        let first = chars.next().map(|(_, c)| c);
        let second = chars.next();
        let literal = first == Some('\\') || second.is_some_and(|(_, c)| c == '\'');
        return if literal { quoted(bytes, b'\'') } else { 0 };
    }
    0
}

/// The length of a literal that starts with `quote` and ends at the next one that is not escaped.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &str, name: &str, text: &str) -> Vec<String> {
        let phrases = parse(&format!("phrase\tscope\tbetter\n{list}")).expect("a list");
        in_file(&phrases, name, text).iter().map(|occurrence| format!("{occurrence}")).collect()
    }

    #[test]
    fn prose_is_searched_across_lines_as_whole_words() {
        let text = "fn f() {\n    // An old\n    // phrase here.\n    let s = \"Old word\";\n}\n";
        let list = "old phrase\tprose\tnew phrase\nold word\tprose\t\n";
        assert_eq!(
            found(list, "a.rs", text),
            ["a.rs:2: `old phrase` (use: new phrase)", "a.rs:4: `old word`"]
        );
        assert_eq!(found(list, "a.rs", "// old phrases\nfn old_phrase() {}\n"), Vec::<String>::new());
        assert_eq!(found(list, "a.md", "an old\nphrase"), ["a.md:1: `old phrase` (use: new phrase)"]);
    }

    #[test]
    fn identifiers_are_searched_below_their_path_and_not_in_strings() {
        let text = "struct Way<'a>(&'a str); // Way\nlet c = '\"'; let w = \"Way\"; Way::new(r#\"Way\"#);\n";
        let list = "Way\tcode crates/c/\ttransition\n";
        let wanted = ["crates/c/a.rs:1: `Way` (use: transition)", "crates/c/a.rs:2: `Way` (use: transition)"];
        assert_eq!(found(list, "crates/c/a.rs", text), wanted);
        assert_eq!(found(list, "crates/d/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn alternatives_paths_and_the_glossary() {
        assert_eq!(alternatives("go{es,} on"), ["goes on", "go on"]);
        let path = "crates/c/src/oldname.rs";
        assert_eq!(found("oldname\tpath\t\n", path, ""), ["crates/c/src/oldname.rs:1: `oldname`"]);
        let glossary = "transaction (formerly: oldname)\noldname\n";
        assert_eq!(found("oldname\tprose\t\n", "docs/reference/glossary.md", glossary).len(), 1);
    }
}
