//! A table and a newer version of the source: statements that are new get rows with their default,
//! rows whose statement is gone are put out of force where they stand and come back with it, and a
//! new statement that resembles a lost one is offered its mapping (Holzmann, *Software Model
//! Checking*, section 6.5).
//!
//! *Entry point:* [`sync`].
//! *Invariant:* A source that is changed and changed back leaves the table as it was; no row that a
//! person wrote is ever lost.

use std::sync::Arc;

use axle_source::Diagnostic;
use rustc_hash::FxHashSet;

use crate::codes::NEW_STATEMENT;
use crate::item::Item;
use crate::lookup::{Present, Reason, lookup};
use crate::pattern::Pattern;
use crate::table::{Included, Line, Mapping, NEW, Row, Scope, Table, library};

/// A function that a table is used for.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: Arc<str>,
    /// Its items.
    pub items: Vec<Item>,
}

/// A difference between a table and the source.
#[derive(Clone, Debug)]
pub enum Change {
    /// The statement has no row: it gets one.
    Added {
        /// The function that it is in.
        function: String,
        /// The statement.
        item: Box<Item>,
        /// The mapping of a row that resembles it, and that row's text.
        proposal: Option<(String, String)>,
    },
    /// The row's statement is gone.
    Gone(Box<Row>),
    /// The row's statement is back.
    Back(Box<Row>),
}

impl Change {
    /// The warning about it; `table` is the name of the table.
    pub fn diagnostic(&self, table: &str) -> Diagnostic {
        match self {
            Change::Added { function, item, proposal } => {
                let message = format!("new in `{function}`: {} has no row in {table}", item.shown());
                let warning = Diagnostic::warning(NEW_STATEMENT, message).at(item.loc, "");
                match proposal {
                    Some((right, from)) => warning
                        .help(format!("it resembles `{from}`, which is gone and was mapped to `{right}`")),
                    None => warning,
                }
            }
            Change::Gone(row) => {
                let message = format!("the statement of a row is gone: {}", row.left);
                Diagnostic::warning("W0832", message).at(row.loc, "")
            }
            Change::Back(row) => {
                let message = format!("the statement of a row is back: {}", row.left);
                Diagnostic::warning("W0833", message).at(row.loc, "")
            }
        }
    }
}

/// Includes in a new table those that come with Axle and have rows for calls in the functions.
pub(crate) fn include_useful(into: &mut Table, functions: &[Surveyed]) {
    for (name, table) in library::all() {
        let included = Included { name, table: Arc::clone(table), scope: Scope::All };
        let mut with = Table::empty(&into.name);
        with.included.push(included.clone());
        let serves = |function: &Surveyed| {
            let present = present(std::slice::from_ref(function));
            let calls = function.items.iter().filter(|item| item.decl.is_none());
            let found =
                calls.map(|item| lookup(&with, item, &function.name, &function.file, &present).reason);
            found.into_iter().any(|reason| matches!(reason, Reason::Included(..)))
        };
        if functions.iter().any(serves) {
            into.lines.push(Line::Other(format!("Include {name}")));
            into.included.push(included);
        }
    }
}

/// How alike texts must be for one to be taken for the other, as a part of all their tokens.
const ALIKE: f64 = 0.6;

/// The items of the functions: class and key.
#[must_use]
pub fn present(functions: &[Surveyed]) -> Present {
    let items = functions.iter().flat_map(|function| &function.items);
    items.map(|item| (item.class, item.key.clone())).collect()
}

/// Brings a table in line with functions of a program. `first`: the table is new, so nothing in it
/// is called new.
#[must_use]
pub fn sync(table: &Table, functions: &[Surveyed], first: bool) -> (String, Vec<Change>) {
    let mut changes = Vec::new();
    let present = present(functions);
    let mut next = table.clone();
    next.lines.retain(|line| !matches!(line, Line::Proposal(_)));
    for line in &mut next.lines {
        if let Line::Gone(row, text) = line
            && serves(row, functions, &present)
        {
            changes.push(Change::Back(Box::new(row.clone())));
            *line = Line::Row(row.clone(), text.clone());
        }
    }
    let mut lost = FxHashSet::default();
    for (index, line) in next.lines.iter_mut().enumerate() {
        let Line::Row(row, text) = line else { continue };
        if !matches!(row.pattern, Pattern::Exact(_)) || serves(row, functions, &present) {
            continue;
        }
        changes.push(Change::Gone(Box::new(row.clone())));
        if row.new {
            lost.insert(index);
        }
        *line = Line::Gone(row.clone(), text.clone());
    }
    // Generated text that the user has not edited is no loss.
    let mut index = 0;
    next.lines.retain(|line| {
        let ours = match line {
            Line::Gone(row, _) => lost.contains(&index) && is_default(row, table, functions),
            _ => false,
        };
        index += 1;
        !ours
    });
    add(&mut next, functions, first, &present, &mut changes);
    propose(&mut next, functions);
    (next.text(), changes)
}

/// Whether the statement would have the same mapping without the row.
fn is_default(row: &Row, table: &Table, functions: &[Surveyed]) -> bool {
    let (name, file) = functions.first().map_or(("", ""), |function| (&*function.name, &*function.file));
    row.vouched.is_none() && row.class.is_some_and(|class| table.default_of(class, name, file) == row.mapping)
}

/// Whether some statement is the row's.
fn serves(row: &Row, functions: &[Surveyed], present: &Present) -> bool {
    functions.iter().any(|function| {
        row.scope.takes(&function.name, &function.file)
            && function.items.iter().any(|item| {
                let class = match row.class {
                    Some(class) => class == item.class || !present.contains(&(class, item.key.clone())),
                    None => true,
                };
                class && row.pattern.matches(item).is_some()
            })
    })
}

fn add(table: &mut Table, functions: &[Surveyed], first: bool, present: &Present, changes: &mut Vec<Change>) {
    for function in functions {
        let file = &*function.file;
        let mut behind = None;
        for item in &function.items {
            let found = lookup(table, item, &function.name, file, present);
            if let Reason::Row(line) = found.reason {
                behind = Some(line);
                continue;
            }
            // Restrictions of its data apply to it; an included table has its row.
            if matches!(found.reason, Reason::Object(_) | Reason::Included(..)) {
                continue;
            }
            let alike = if first { None } else { resembling(table, item, &function.name, file) };
            // Beside the row that it resembles, or behind that of the statement before; and behind
            // rows that are out of force there, so that they come back to their place.
            let at = alike.as_ref().map(|(line, ..)| *line).or(behind).map_or(table.lines.len(), |line| {
                let more = table.lines[line + 1..].iter().take_while(|line| matches!(line, Line::Gone(..)));
                line + 1 + more.count()
            });
            let scope = scope_at(table, at);
            let own = if scope.takes(&function.name, file) {
                String::new()
            } else {
                format!("[{}] ", function.name)
            };
            let proposal = alike.map(|(_, right, from)| (right, from));
            let mapping = shown(&found.mapping);
            let mark = if first { String::new() } else { format!("\t{NEW}") };
            let row = Row {
                scope: if own.is_empty() { scope } else { Scope::Function(function.name.as_str().into()) },
                class: Some(item.class),
                left: item.text.clone(),
                pattern: Pattern::Exact(item.key.clone()),
                mapping: found.mapping.clone(),
                right: mapping.to_string(),
                vouched: None,
                new: !first,
                loc: item.loc,
            };
            table.lines.insert(at, Line::Row(row, format!("{own}{}\t{mapping}{mark}", item.shown())));
            behind = Some(at);
            changes.push(Change::Added {
                function: function.name.clone(),
                item: Box::new(item.clone()),
                proposal,
            });
        }
    }
}

/// Offers the mappings of rows out of force for statements that got the default and resemble
/// theirs.
fn propose(table: &mut Table, functions: &[Surveyed]) {
    let mut line = 0;
    while line < table.lines.len() {
        let offer = match &table.lines[line] {
            Line::Row(row, text) if row.new => functions.iter().find_map(|function| {
                let item = function.items.iter().find(|item| row.pattern.matches(item).is_some())?;
                let default = table.default_of(item.class, &function.name, &function.file);
                let (_, right, from) = resembling(table, item, &function.name, &function.file)?;
                let left = text.split('\t').next().unwrap_or_default();
                (row.mapping == default && row.vouched.is_none())
                    .then(|| format!("{left}\t{right}\t# as {from}"))
            }),
            _ => None,
        };
        if let Some(offer) = offer {
            table.lines.insert(line + 1, Line::Proposal(offer));
        }
        line += 1;
    }
}

/// The scope of the text before a line.
fn scope_at(table: &Table, at: usize) -> Scope {
    let heading = |line: &Line| match line {
        Line::Other(text) => {
            let text = text.trim();
            let name = text.strip_prefix('[')?.strip_suffix(']')?.trim();
            Some(match name {
                "*" | "" => Scope::All,
                _ if name.contains('.') => Scope::File(name.into()),
                _ => Scope::Function(name.into()),
            })
        }
        _ => None,
    };
    table.lines[..at].iter().rev().find_map(heading).unwrap_or(Scope::All)
}

/// The row out of force that is most like a statement: its line, its mapping and its text. Rows
/// that only say the default are no help.
fn resembling(table: &Table, item: &Item, function: &str, file: &str) -> Option<(usize, String, String)> {
    let mut best: Option<(f64, usize, &Row)> = None;
    for (number, line) in table.lines.iter().enumerate() {
        let Line::Gone(row, _) = line else { continue };
        let class = row.class.is_none_or(|class| class == item.class);
        if !class
            || !row.scope.takes(function, file)
            || row.mapping == table.default_of(item.class, function, file)
        {
            continue;
        }
        let likeness = likeness(&row.left, &item.text);
        if likeness >= ALIKE && best.is_none_or(|(before, ..)| likeness > before) {
            best = Some((likeness, number, row));
        }
    }
    best.map(|(_, line, row)| (line, row.right.clone(), row.left.clone()))
}

/// Tokens, roughly: words, and signs one by one.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let joined = before.is_some_and(is_word) && is_word(c);
        if !joined && at > start {
            words.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// How much of two texts is in both, in the same order: from 0 to 1.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let mut row = vec![0usize; b.len() + 1];
    for one in &a {
        let mut diagonal = 0;
        for (index, other) in b.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if one == other { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    let common = row.last().copied().unwrap_or(0);
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}

/// A predefined mapping as rows have it.
fn shown(mapping: &Mapping) -> &str {
    match mapping {
        Mapping::Keep => "keep",
        Mapping::Hide => "hide",
        Mapping::Print => "print",
        Mapping::Comment => "comment",
        Mapping::Skip => "skip",
        Mapping::True => "true",
        Mapping::False => "false",
        Mapping::Else => "else",
        Mapping::Nondet => "nondet",
        Mapping::Havoc(..) => "havoc",
        Mapping::Assume(text) | Mapping::Text(text) => text,
    }
}

/// The first line of a new table.
#[must_use]
pub fn heading(name: &str) -> String {
    format!("# Axle lookup table {name}")
}
