//! The table of abstraction: a text of rows, each with a statement's canonical text on the left and
//! its mapping to the model on the right (Holzmann, *Software Model Checking*, section 6;
//! Holzmann and Smith, appendix *The Working of AX*).
//!
//! *Entry point:* [`read`].
//! *Invariant:* every line is kept as it was written, so that an unchanged table is printed with the
//! same text, and a changed one keeps the text of the user.

pub(crate) mod library;
mod row;

pub use axle_outcome::Label;
use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, FileId, Loc, Sources, Span};
use rustc_hash::FxHashSet;

use crate::item::Class;
use crate::pattern::Pattern;
use crate::syntax::Expr;

/// The mapping of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mapping {
    /// It is in the model as it stands, after the `Substitute` rules.
    Keep,
    /// It leaves no trace.
    Hide,
    /// The model prints its text.
    Print,
    /// The model has its text as a comment.
    Comment,
    /// A step that does nothing.
    Skip,
    /// Of a condition: always possible.
    True,
    /// Of a condition: never possible.
    False,
    /// Of a condition: possible when its opposite is not.
    Else,
    /// Of a condition: a nondeterministic choice, in every state.
    Nondet,
    /// An object gets any of some values: the object, where it is not the one assigned to, and the
    /// values.
    Havoc(Option<String>, Values),
    /// The run goes on only where this holds.
    Assume(String),
    /// Text of the model.
    Text(String),
}

/// Values that an object may get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// 0 and 1.
    Bits,
    /// From one to another, as written.
    Range(String, String),
    /// These, as written.
    List(Vec<String>),
}

/// The functions to which a row applies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Every function that the table is used for.
    All,
    /// The functions of a file: its name.
    File(Arc<str>),
    /// One function.
    Function(Arc<str>),
}

impl Scope {
    /// Whether it takes in a function of a file.
    #[must_use]
    pub fn takes(&self, function: &str, file: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::File(name) => file == &**name || file.ends_with(&format!("/{name}")),
            Scope::Function(name) => &**name == function,
        }
    }

    /// How narrow it is.
    #[must_use]
    pub fn rank(&self) -> u8 {
        match self {
            Scope::All => 0,
            Scope::File(_) => 1,
            Scope::Function(_) => 2,
        }
    }
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The functions to which it applies.
    pub scope: Scope,
    /// The class of its prefix.
    pub class: Option<Class>,
    /// Its left side as written, without the prefix.
    pub left: String,
    /// The items to which it applies.
    pub pattern: Pattern,
    /// Their mapping.
    pub mapping: Mapping,
    /// The mapping as written.
    pub right: String,
    /// The assurance of the user.
    pub vouched: Option<Label>,
    /// It was added by us and its mapping is the default.
    pub new: bool,
    /// Its place in the table.
    pub loc: Loc,
}

/// A line of a table.
#[derive(Clone, Debug)]
pub enum Line {
    /// A comment, an empty line, a heading, a directive: as written.
    Other(String),
    /// A row in force, and the line as written.
    Row(Row, String),
    /// A row whose statement is gone from the source, and the line without its mark.
    Gone(Row, String),
    /// A proposal of ours, made anew each time.
    Proposal(String),
}

impl Line {
    /// The line as it stands in the file.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Line::Other(text) | Line::Row(_, text) => text.clone(),
            Line::Gone(_, text) => format!("{GONE} {text}"),
            Line::Proposal(text) => format!("{PROPOSAL} {text}"),
        }
    }
}

/// Before a row whose statement is gone.
pub const GONE: &str = "#-";
/// Before a proposal.
pub const PROPOSAL: &str = "#?";
/// Behind a row that we added.
pub const NEW: &str = "# new";

/// A replacement in kept text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Substitute {
    /// The replaced text.
    pub from: String,
    /// The replacement.
    pub to: String,
    /// The functions to which it applies.
    pub scope: Scope,
}

/// An object of the model, and the lvalue of C that denotes it; the author of the table answers for
/// this.
#[derive(Clone, Debug)]
pub struct Object {
    /// The lvalue, in which `$x` stands for any expression.
    pub from: Expr,
    /// The lvalue, as written.
    pub left: String,
    /// Its name in the model.
    pub to: String,
    /// The functions for which it is in force.
    pub scope: Scope,
    /// Its line of the table, counted from 0.
    pub line: usize,
}

/// A table whose rows serve where a table has none of its own.
#[derive(Clone, Debug)]
pub struct Included {
    /// Its name in the directive.
    pub name: &'static str,
    /// The table.
    pub table: Arc<Table>,
    /// The functions for which it is in force.
    pub scope: Scope,
}

/// The mapping of statements that use an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// The object.
    pub name: String,
    /// `keep`, `print`, `comment` or `hide`.
    pub mapping: Mapping,
    /// The functions to which it applies.
    pub scope: Scope,
}

/// The policy for a result outside the domain of a [`ValueMap`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outside {
    /// The object keeps its class.
    Skip,
    /// The object gets any class.
    #[default]
    Nondet,
    /// The statement is refused.
    Error,
}

/// An abstraction of an object: the model stores only the class of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueMap {
    /// The object in the program.
    pub name: String,
    /// Its name in the model.
    pub model: String,
    /// The values that it has in the program.
    pub domain: (i64, i64),
    /// From, to, and the name of the class; they cover the domain and do not overlap.
    pub classes: Vec<(i64, i64, String)>,
    /// The treatment of a result outside the domain.
    pub outside: Outside,
    /// The functions for which it is in force.
    pub scope: Scope,
    /// Its place in the table.
    pub loc: Loc,
}

impl ValueMap {
    /// Whether the names of the classes are all the values of a `bool`.
    #[must_use]
    pub fn is_boolean(&self) -> bool {
        let [(_, _, a), (_, _, b)] = &self.classes[..] else { return false };
        let is = |name: &str, words: [&str; 2]| words.contains(&name);
        let (no, yes) = (["false", "0"], ["true", "1"]);
        is(a, no) && is(b, yes) || is(a, yes) && is(b, no)
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its file's name, as shown to people.
    pub name: String,
    /// Its lines in order.
    pub lines: Vec<Line>,
    /// Replacements in kept text, in order of definition.
    pub substitutes: Vec<Substitute>,
    /// The mapping of statements without a row, by class; the last one of a class counts.
    pub defaults: Vec<(Class, Mapping, Scope)>,
    /// The mapping of statements that use an object.
    pub restrictions: Vec<Restriction>,
    /// Classes of values.
    pub maps: Vec<ValueMap>,
    /// Objects of the model that lvalues of C denote; the first that fits counts.
    pub objects: Vec<Object>,
    /// Types of the model for types of C.
    pub types: Vec<(String, String)>,
    /// Tables that serve where this one has no row.
    pub included: Vec<Included>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn empty(name: &str) -> Table {
        Table {
            name: name.into(),
            lines: Vec::new(),
            substitutes: Vec::new(),
            defaults: Vec::new(),
            restrictions: Vec::new(),
            maps: Vec::new(),
            objects: Vec::new(),
            types: Vec::new(),
            included: Vec::new(),
        }
    }

    /// The rows in force, each with the number of its line, counted from 0.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.lines.iter().enumerate().filter_map(|(index, line)| match line {
            Line::Row(row, _) => Some((index, row)),
            Line::Other(_) | Line::Gone(..) | Line::Proposal(_) => None,
        })
    }

    /// The row in a line.
    #[must_use]
    pub fn row(&self, line: usize) -> Option<&Row> {
        match self.lines.get(line) {
            Some(Line::Row(row, _)) => Some(row),
            _ => None,
        }
    }

    /// The type of the model for a type of C, where the table or one that it includes names it.
    #[must_use]
    pub fn type_of(&self, base: &str) -> Option<&str> {
        let own = self.types.iter().rev().find(|(from, _)| from == base).map(|(_, to)| &**to);
        own.or_else(|| self.included.iter().find_map(|included| included.table.type_of(base)))
    }

    /// The text of the table.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text() + "\n").collect()
    }

    /// The mapping of a class without a row or restriction.
    #[must_use]
    pub fn default_of(&self, class: Class, function: &str, file: &str) -> Mapping {
        let own = self.defaults.iter().filter(|(of, _, scope)| *of == class && scope.takes(function, file));
        own.max_by_key(|(_, _, scope)| scope.rank()).map_or_else(|| default(class), |found| found.1.clone())
    }
}

/// AX's defaults.
#[must_use]
pub fn default(class: Class) -> Mapping {
    match class {
        Class::Declaration | Class::Assignment => Mapping::Hide,
        Class::Condition => Mapping::True,
        Class::Call | Class::Return | Class::Expression => Mapping::Print,
    }
}

/// Reads a table that is a file of `sources`. `types` are names of types, which casts need. Faults
/// go to `diagnostics`; with errors the table must not be used.
pub fn read(
    file: FileId,
    types: &FxHashSet<Arc<str>>,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Table {
    let source = sources.file(file);
    let mut table = Table::empty(source.name());
    let mut scope = Scope::All;
    for number in 1..=source.line_count() {
        let text = source.line(number).to_string();
        let start = source.line_start(number);
        if number == source.line_count() && text.is_empty() {
            break;
        }
        let reader = row::LineReader { file, start, number: table.lines.len(), text: &text, types };
        let line = match reader.read(&scope, &mut table, diagnostics) {
            row::Outcome::Scope(new) => {
                scope = new;
                Line::Other(text)
            }
            row::Outcome::Line(line) => *line,
        };
        table.lines.push(line);
    }
    doubles(&table, diagnostics);
    table
}

/// Rows that no statement can ever reach, because one before them says the same.
fn doubles(table: &Table, diagnostics: &mut Diagnostics) {
    let rows: Vec<&Row> = table.rows().map(|(_, row)| row).collect();
    for (index, row) in rows.iter().enumerate() {
        let same = |other: &&&Row| {
            other.scope == row.scope && other.class == row.class && other.pattern.same(&row.pattern)
        };
        if let Some(first) = rows[..index].iter().find(same) {
            let fault = if first.mapping == row.mapping {
                Diagnostic::warning("W0811", "the row stands twice")
            } else {
                Diagnostic::error("E0813", "the statement has two rows that say different things")
            };
            diagnostics.push(fault.at(row.loc, "again").also(first.loc, "first here"));
        }
    }
}

/// A place in a table.
pub(crate) fn place(file: FileId, from: u32, to: u32) -> Loc {
    Loc::plain(Span::new(file, from, to))
}
