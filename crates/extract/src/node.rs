//! The model's text as a tree, and how it is laid out: statements with the C that they stand for
//! behind them as a comment with its line.
//!
//! *Entry point:* [`print`].
//! *Invariant:* The map tells for each line of the text whose statement it is.

use std::fmt::Write as _;

/// A part of a process.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A statement without its semicolon; the number of its origin, assigned by the caller, and a
    /// comment.
    Step(String, Option<usize>, String),
    /// A comment.
    Note(String),
    /// A statement of C that leaves nothing in the model: its number, and whether it is executed
    /// whenever control comes here. It is not known for the ways of a choice that the table removes.
    Hidden(usize, bool),
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
        !self.is_silent() && !matches!(self, Node::Label(_))
    }

    /// Whether it has no statement in the text.
    fn is_silent(&self) -> bool {
        matches!(self, Node::Note(_) | Node::Hidden(..))
    }
}

/// Whether any of these is there when the model runs.
pub(crate) fn act(nodes: &[Node]) -> bool {
    nodes.iter().any(Node::acts)
}

/// A statement of C that leaves nothing in the model.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    /// The line of the text that is executed next to it, counted from 1.
    pub line: u32,
    /// Whether that line is executed before it.
    pub behind: bool,
    /// Its number: an index into the uses of the table.
    pub index: usize,
    /// Whether it is executed whenever the line is; not so in the ways of a removed choice.
    pub certain: bool,
}

/// Text of a model with whose statement each line is.
#[derive(Clone, Default, Debug)]
pub(crate) struct Printed {
    pub text: String,
    /// Line, counted from 1, and number of its origin.
    pub map: Vec<(u32, usize)>,
    /// Statements that leave no text.
    pub hidden: Vec<Hidden>,
    line: u32,
    /// The line that was executed last, where control comes from there alone.
    before: Option<u32>,
    /// Hidden statements that no line comes before.
    waiting: Vec<(usize, bool)>,
}

impl Printed {
    pub fn new() -> Printed {
        Printed { line: 1, ..Printed::default() }
    }

    pub fn line(&mut self, depth: usize, text: &str, stands_for: Option<usize>, note: &str) {
        let indent = "\t".repeat(depth);
        if let Some(index) = stands_for {
            self.map.push((self.line, index));
            let line = self.line;
            let before = |(index, certain)| Hidden { line, behind: false, index, certain };
            self.hidden.extend(self.waiting.drain(..).map(before));
            self.before = Some(line);
        }
        // A string takes all text.
        let _ = match (text.is_empty(), note.is_empty()) {
            (true, true) => writeln!(self.text),
            (true, false) => writeln!(self.text, "{indent}{}", commented(note)),
            (false, true) => writeln!(self.text, "{indent}{text}"),
            (false, false) => writeln!(self.text, "{indent}{text}\t{}", commented(note)),
        };
        self.line += 1;
    }
}

impl Printed {
    /// Notes a statement that leaves no text.
    fn hide(&mut self, index: usize, certain: bool) {
        match self.before {
            Some(line) => self.hidden.push(Hidden { line, behind: true, index, certain }),
            None => self.waiting.push((index, certain)),
        }
    }

    /// Control comes here from elsewhere, or goes elsewhere; `waiting`: the statements executed before the
    /// next line.
    fn part(&mut self, waiting: Vec<(usize, bool)>) {
        self.before = None;
        self.waiting = waiting;
    }
}

/// Text as a comment; delimiters of comments in it are separated.
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
            Node::Hidden(of, certain) => out.hide(*of, *certain),
            Node::Goto(label) => {
                out.line(depth, &format!("goto {label};"), None, "");
                out.part(Vec::new());
            }
            Node::Break => {
                out.line(depth, "break;", None, "");
                out.part(Vec::new());
            }
            Node::Label(name) => {
                out.part(Vec::new());
                // A label needs a statement to mark.
                let marks = nodes[index + 1..].iter().find(|next| !next.is_silent());
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
    // Waiting statements are executed before every branch of a choice, but only before the first
    // iteration of a loop.
    let waiting = if open == "if" { std::mem::take(&mut out.waiting) } else { Vec::new() };
    for arm in arms {
        out.part(waiting.clone());
        match &arm.guard {
            Some((text, of, note)) => {
                let follows = arm.body.iter().any(|node| !node.is_silent());
                let arrow = if follows { " ->" } else { "" };
                out.line(depth, &format!(":: {}{arrow}", text.trim_end_matches(';')), *of, note);
                print(&arm.body, depth + 1, out);
            }
            None => {
                let first = arm.body.iter().position(|node| !node.is_silent());
                match first.map(|at| (at, &arm.body[at])) {
                    Some((at, Node::Step(text, of, note))) => {
                        // Comments follow the line, hidden statements precede it.
                        let (hidden, notes): (Vec<_>, Vec<_>) =
                            arm.body[..at].iter().cloned().partition(|node| matches!(node, Node::Hidden(..)));
                        print(&hidden, depth + 1, out);
                        out.line(depth, &format!(":: {}", ended(text)), *of, note);
                        print(&notes, depth + 1, out);
                        print(&arm.body[at + 1..], depth + 1, out);
                    }
                    Some((at, Node::Break))
                        if arm.body.len() == at + 1
                            && arm.body[..at].iter().all(|node| matches!(node, Node::Hidden(..))) =>
                    {
                        out.line(depth, ":: break", None, "")
                    }
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
    out.part(Vec::new());
}

/// With its semicolon.
fn ended(text: &str) -> String {
    let text = text.trim_end().trim_end_matches(';').trim_end();
    format!("{text};")
}
