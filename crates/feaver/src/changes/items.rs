//! The parts of a source text that have names: functions and processes, macros, declarations.
//!
//! The text is divided into words without a parser, so that texts with errors have parts, too. A part
//! ends behind `;`, or behind the `}` of a body, outside of brackets. Where branches of the preprocessor
//! have different braces, each begins at the depth of the first.
//!
//! *Entry point:* [`items`].
//! *Invariant:* comments and blanks are in no part, and every other word is in exactly one.

use std::collections::{BTreeMap, BTreeSet};

/// Words of a text that are read; the rest of a larger text is one part.
const MOST_WORDS: usize = 2_000_000;

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A function, process, inline or claim, with its body.
    Function,
    /// A macro.
    Macro,
    /// A declaration or definition of anything else.
    Declaration,
}

impl Kind {
    /// The kind in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Macro => "macro",
            Kind::Declaration => "declaration",
        }
    }
}

/// A part of a text: its words, and the names that it introduces.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Item {
    /// The words, with single blanks between them.
    pub text: String,
    /// The names by which other parts refer to it.
    pub names: BTreeSet<String>,
}

/// The parts of a text by kind and name. Parts with the same name, such as the declarations of a
/// function in branches of the preprocessor, are one.
#[must_use]
pub fn items(text: &str) -> BTreeMap<(Kind, String), Item> {
    let mut found = Found::default();
    let mut part: Vec<&str> = Vec::new();
    let mut depth = 0usize;
    // The depths at the open `#if`s.
    let mut branches: Vec<usize> = Vec::new();
    let mut words = Words { rest: text, at_line_start: true };
    let mut count = 0;
    while let Some(word) = words.next_word() {
        count += 1;
        match word {
            Word::Directive(line) => match directive(line) {
                ("define", rest) => found.define(rest),
                ("if" | "ifdef" | "ifndef", _) => {
                    branches.push(depth);
                    part.push(without_comment(line));
                }
                ("else" | "elif" | "elifdef" | "elifndef", _) => {
                    depth = branches.last().copied().unwrap_or(depth);
                    part.push(without_comment(line));
                }
                ("endif", _) => {
                    branches.pop();
                    part.push(without_comment(line));
                }
                ("include", _) => {}
                _ => part.push(without_comment(line)),
            },
            Word::Plain(word) => {
                part.push(word);
                match word {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let ends = depth == 0 && (word == ";" || (word == "}" && is_body(&part)));
                if ends && count < MOST_WORDS {
                    found.add(&part);
                    part.clear();
                }
            }
        }
    }
    found.add(&part);
    found.items
}

/// The words of a text that may be names.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(move |c: char| !is_letter(c));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// A directive up to its first comment.
fn without_comment(line: &str) -> &str {
    let end = line.find("/*").unwrap_or(line.len()).min(line.find("//").unwrap_or(line.len()));
    line[..end].trim_end()
}

/// A directive without `#`, and what follows it.
fn directive(line: &str) -> (&str, &str) {
    let line = line.trim_start_matches('#').trim_start();
    let end = line.find(|c: char| !c.is_alphabetic()).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}

/// Whether words that end in `}` are a definition with a body: another `;` or declarator follows the
/// brace of a type or an initial value.
fn is_body(part: &[&str]) -> bool {
    let brace = part.iter().position(|word| *word == "{").unwrap_or(part.len());
    let head = &part[..brace];
    let is_type = |word: &&str| ["struct", "union", "enum", "="].contains(word);
    // Of Promela: `typedef T { ... }` and `mtype = { ... }` need no semicolon.
    let is_promela = match head {
        ["typedef", _] | ["mtype", "="] => true,
        [first, ..] => {
            ["proctype", "active", "init", "never", "ltl", "inline", "trace", "notrace"].contains(first)
        }
        [] => false,
    };
    is_promela || (head.contains(&"(") && !head.contains(&"=")) || !head.iter().any(is_type)
}

#[derive(Default)]
struct Found {
    items: BTreeMap<(Kind, String), Item>,
}

impl Found {
    fn define(&mut self, rest: &str) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_string();
        let mut words = Words { rest, at_line_start: false };
        let mut text: Vec<&str> = Vec::new();
        while let Some(word) = words.next_word() {
            let (Word::Plain(word) | Word::Directive(word)) = word;
            // A backslash continues the line.
            text.extend((word != "\\").then_some(word));
        }
        self.insert(Kind::Macro, name.clone(), text.join(" "), [name]);
    }

    fn add(&mut self, part: &[&str]) {
        let words: Vec<&str> = part.iter().copied().filter(|word| !word.starts_with('#')).collect();
        if words.is_empty() || words == [";"] {
            return;
        }
        let text = part.join(" ");
        let brace = words.iter().position(|word| *word == "{");
        let head = &words[..brace.unwrap_or(words.len())];
        let has_body = words.last() == Some(&"}");
        if has_body && !matches!(head, ["typedef", _] | ["mtype", ..]) {
            let name = function(head);
            return self.insert(Kind::Function, name.clone(), text, [name]);
        }
        let names = declared(&words, head, brace);
        let name = names.iter().next().cloned().unwrap_or_else(|| words[0].to_string());
        self.insert(Kind::Declaration, name, text, names);
    }

    fn insert(&mut self, kind: Kind, name: String, text: String, names: impl IntoIterator<Item = String>) {
        let item = self.items.entry((kind, name)).or_default();
        if !item.text.is_empty() {
            item.text.push('\n');
        }
        item.text.push_str(&text);
        item.names.extend(names);
    }
}

/// The name of a function or process: before the first parenthesis, or the last word.
fn function(head: &[&str]) -> String {
    let open = head.iter().position(|word| *word == "(").unwrap_or(head.len());
    let is_name = |word: &&&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    head[..open].iter().rev().find(is_name).map_or_else(String::new, |name| (*name).to_string())
}

/// The names that a declaration introduces, the first one in the text first.
fn declared(words: &[&str], head: &[&str], brace: Option<usize>) -> BTreeSet<String> {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut names = BTreeSet::new();
    // A tag.
    for pair in head.windows(2) {
        if ["struct", "union", "enum", "typedef"].contains(&pair[0]) && is_name(pair[1]) && brace.is_some() {
            names.insert(pair[1].to_string());
        }
    }
    // Constants of an enumeration or of `mtype`.
    if let Some(brace) = brace.filter(|_| head.contains(&"enum") || head.first() == Some(&"mtype")) {
        for pair in words[brace..].windows(2) {
            if ["{", ","].contains(&pair[0]) && is_name(pair[1]) {
                names.insert(pair[1].to_string());
            }
        }
    }
    // Declarators: a name before `=`, `[`, `(`, `,`, `:` or the end, outside of braces.
    let mut depth = 0usize;
    let mut in_value = false;
    for at in 0..words.len() {
        match words[at] {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "=" if depth == 0 => in_value = true,
            "," | ";" if depth == 0 => in_value = false,
            _ => {}
        }
        let next = words.get(at + 1).copied().unwrap_or(";");
        let ends = ["=", "[", "(", ",", ";", ")", "of"].contains(&next);
        if depth == 0 && !in_value && is_name(words[at]) && ends {
            names.insert(words[at].to_string());
            if next == "(" {
                // The parameters of a declared function are no names of the file.
                break;
            }
        }
    }
    names
}

enum Word<'t> {
    Plain(&'t str),
    /// A line of the preprocessor, with the lines that continue it.
    Directive(&'t str),
}

struct Words<'t> {
    rest: &'t str,
    at_line_start: bool,
}

impl<'t> Words<'t> {
    fn next_word(&mut self) -> Option<Word<'t>> {
        loop {
            let first = self.rest.chars().next()?;
            if first == '\n' {
                self.at_line_start = true;
            }
            if first.is_whitespace() {
                self.take(first.len_utf8());
            } else if self.rest.starts_with("//") {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if self.rest.starts_with("/*") {
                let end = self.rest.get(2..).and_then(|rest| rest.find("*/"));
                self.take(end.map_or(self.rest.len(), |end| end + 4));
            } else {
                break;
            }
        }
        if self.rest.starts_with('#') && self.at_line_start {
            let mut end = 0;
            loop {
                let line = self.rest[end..].find('\n');
                let stop = line.map_or(self.rest.len(), |line| end + line);
                let own = &self.rest[..stop];
                // A comment may end on a later line.
                let is_comment = own.rfind("/*").is_some_and(|open| !own[open + 2..].contains("*/"));
                let is_continued = is_comment || own.trim_end_matches('\r').ends_with('\\');
                if line.is_none() || !is_continued {
                    return Some(Word::Directive(self.take(stop)));
                }
                end = stop + 1;
            }
        }
        self.at_line_start = false;
        let first = self.rest.chars().next()?;
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '"' | '\'' => quoted(self.rest, first),
            _ if is_letter(first) => self.rest.find(|c| !is_letter(c)).unwrap_or(self.rest.len()),
            _ => first.len_utf8(),
        };
        Some(Word::Plain(self.take(length)))
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}

/// The length of a literal, which ends at the end of the line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        items(text).keys().map(|(kind, name)| format!("{} {name}", kind.name())).collect()
    }

    #[test]
    fn parts_of_c_have_names() {
        let text = "#include <x.h>\n#define LIMIT 4 /* most */\n#define OTHER /* one\n line */ 5\n#define TWICE(x) \\\n ((x) + (x))\n\
                    enum phase { IDLE, BOUND = 3 };\nstruct lease { int owner; };\n\
                    static int table[LIMIT] = { 1, 2 }, other;\nextern int get(int from, struct lease *to);\n\
                    typedef unsigned long word;\n\
                    /* } */ static struct lease *find(int who)\n{\n#ifdef A\n    if (who) {\n#else\n    if (!who) {\n\
                    #endif\n        return \"}\" ? 0 : 0; }\n    return 0;\n}\nint main(void) { return 0; }\n";
        assert_eq!(
            named(text),
            [
                "function find",
                "function main",
                "macro LIMIT",
                "macro OTHER",
                "macro TWICE",
                "declaration BOUND",
                "declaration get",
                "declaration lease",
                "declaration other",
                "declaration word",
            ]
        );
        let all = items(text);
        let names = &all[&(Kind::Declaration, "BOUND".to_string())].names;
        assert_eq!(names.iter().collect::<Vec<_>>(), ["BOUND", "IDLE", "phase"]);
        assert!(all[&(Kind::Declaration, "other".to_string())].names.contains("table"));
        let same = text
            .replace("/* most */", "")
            .replace("/* one\n line */", "")
            .replace("return 0;", "return\n 0 ;");
        assert_eq!(items(&same), all);
    }

    #[test]
    fn parts_of_promela_have_names() {
        let text = "mtype = { req, ack }\nchan c = [2] of { mtype };\nbool a, b;\ntypedef T { byte x }\n\
                    inline send(m) { c!m }\nactive [2] proctype p() { do :: a -> skip od }\n\
                    init { run p() }\nltl safe { [] a }\n";
        assert_eq!(
            named(text),
            [
                "function init",
                "function p",
                "function safe",
                "function send",
                "declaration T",
                "declaration a",
                "declaration ack",
                "declaration c",
            ]
        );
    }

    #[test]
    fn any_text_has_parts() {
        for text in
            ["", "}}}}", "{ ( [", "#define", "#if\n#else", "\"", "'\\", "/*", "int", "ä = ß;", "#define A \\"]
        {
            let _ = items(text);
        }
    }
}
