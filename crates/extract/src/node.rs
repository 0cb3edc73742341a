//! The model's text as a tree, and how it is laid out: statements with the C that they stand for
//! behind them as a comment with its line.
//!
//! *Entry point:* [`print`].
//! *Invariant:* The map tells for each line of the text whose statement it is.

use std::fmt::Write as _;

/// A part of a process.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A statement without its semicolon; what it stands for, as a number of the caller's, and a comment.
    Step(String, Option<usize>, String),
    /// A comment.
    Note(String),
    /// `if`.
    If(Vec<Arm>),
    /// `do`.
    Do(Vec<Arm>),
    /// A label.
    Label(String),
    /// `goto`.
    Goto(String),
    /// `break`.
    Break,
}

/// A way through `if` or `do`.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// Its guard; none when it begins with its body.
    pub guard: Option<(String, Option<usize>, String)>,
    /// Comments before the guard's arrow.
    pub body: Vec<Node>,
}

impl Node {
    /// Whether it is there when the model runs.
    pub fn acts(&self) -> bool {
        !matches!(self, Node::Note(_) | Node::Label(_))
    }
}

/// Whether any of these is there when the model runs.
pub(crate) fn act(nodes: &[Node]) -> bool {
    nodes.iter().any(Node::acts)
}

/// Text of a model with whose statement each line is.
#[derive(Clone, Default, Debug)]
pub(crate) struct Printed {
    pub text: String,
    /// Line, counted from 1, and number of what it stands for.
    pub map: Vec<(u32, usize)>,
    line: u32,
}

impl Printed {
    pub fn new() -> Printed {
        Printed { text: String::new(), map: Vec::new(), line: 1 }
    }

    pub fn line(&mut self, depth: usize, text: &str, stands_for: Option<usize>, note: &str) {
        let indent = "\t".repeat(depth);
        if let Some(index) = stands_for {
            self.map.push((self.line, index));
        }
        let _ = match (text.is_empty(), note.is_empty()) {
            (true, true) => writeln!(self.text),
            (true, false) => writeln!(self.text, "{indent}{}", commented(note)),
            (false, true) => writeln!(self.text, "{indent}{text}"),
            (false, false) => writeln!(self.text, "{indent}{text}\t{}", commented(note)),
        };
        self.line += 1;
    }
}

/// Text as a comment, whatever is in it.
fn commented(text: &str) -> String {
    let text = text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ");
    format!("/* {text} */")
}

/// Lays out statements.
pub(crate) fn print(nodes: &[Node], depth: usize, out: &mut Printed) {
    for (index, node) in nodes.iter().enumerate() {
        match node {
            Node::Step(text, of, note) => out.line(depth, &ended(text), *of, note),
            Node::Note(note) => out.line(depth, "", None, note),
            Node::Goto(label) => out.line(depth, &format!("goto {label};"), None, ""),
            Node::Break => out.line(depth, "break;", None, ""),
            Node::Label(name) => {
                // A label needs a statement to mark.
                let marks = nodes[index + 1..].iter().find(|next| !matches!(next, Node::Note(_)));
                let skip = match marks {
                    Some(Node::Label(_)) | None => " skip;",
                    Some(_) => "",
                };
                out.line(depth.saturating_sub(1), &format!("{name}:{skip}"), None, "");
            }
            Node::If(arms) => block("if", "fi;", arms, depth, out),
            Node::Do(arms) => block("do", "od;", arms, depth, out),
        }
    }
}

fn block(open: &str, close: &str, arms: &[Arm], depth: usize, out: &mut Printed) {
    out.line(depth, open, None, "");
    for arm in arms {
        match &arm.guard {
            Some((text, of, note)) => {
                let follows = arm.body.iter().any(|node| !matches!(node, Node::Note(_)));
                let arrow = if follows { " ->" } else { "" };
                out.line(depth, &format!(":: {}{arrow}", text.trim_end_matches(';')), *of, note);
                print(&arm.body, depth + 1, out);
            }
            None => {
                let first = arm.body.iter().position(|node| !matches!(node, Node::Note(_)));
                match first.map(|at| (at, &arm.body[at])) {
                    Some((at, Node::Step(text, of, note))) => {
                        out.line(depth, &format!(":: {}", ended(text)), *of, note);
                        print(&arm.body[..at], depth + 1, out);
                        print(&arm.body[at + 1..], depth + 1, out);
                    }
                    Some((_, Node::Break)) if arm.body.len() == 1 => out.line(depth, ":: break", None, ""),
                    Some(_) => {
                        out.line(depth, "::", None, "");
                        print(&arm.body, depth + 1, out);
                    }
                    None => {
                        out.line(depth, ":: skip;", None, "");
                        print(&arm.body, depth + 1, out);
                    }
                }
            }
        }
    }
    out.line(depth, close, None, "");
}

/// With its semicolon.
fn ended(text: &str) -> String {
    let text = text.trim_end().trim_end_matches(';').trim_end();
    format!("{text};")
}
