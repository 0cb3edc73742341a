//! Which row speaks of a statement. A text goes before a form with `$x`, that before `...`; then
//! the narrower scope counts, then a row with the statement's own prefix, then the one that stands
//! first. Without a row, restrictions on data decide, and then the default of the class.
//!
//! *Entry point:* [`lookup`].

use rustc_hash::FxHashSet;

use crate::item::{Class, Item};
use crate::pattern::{Bindings, Fit};
use crate::table::{Mapping, Table};

/// Why a statement becomes what it becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The row in this line of the table, counted from 0.
    Row(usize),
    /// What is said of this object.
    Object(String),
    /// The default of its class.
    Default,
}

/// What becomes of a statement.
#[derive(Clone, Debug)]
pub struct Found {
    /// The mapping.
    pub mapping: Mapping,
    /// What stands for names in it.
    pub bindings: Bindings,
    /// Why.
    pub reason: Reason,
    /// How well the row fits.
    pub fit: Option<Fit>,
}

/// What there is in the functions that a table is used for: class and key of each item.
pub type Present = FxHashSet<(Class, String)>;

/// What becomes of an item in a function of a file. A row with the prefix of another class serves
/// only where nothing of that class has its text (`present`), because prefixes are decoration.
#[must_use]
pub fn lookup(table: &Table, item: &Item, function: &str, file: &str, present: &Present) -> Found {
    let mut best = None;
    for (line, row) in table.rows() {
        if !row.scope.takes(function, file) {
            continue;
        }
        let Some((fit, bindings)) = row.pattern.matches(item) else { continue };
        let own = match row.class {
            Some(class) if class == item.class => 2,
            None => 1,
            Some(class) => {
                if fit != Fit::Exact || present.contains(&(class, item.key.clone())) {
                    continue;
                }
                0
            }
        };
        let rank = (fit, row.scope.rank(), own);
        if best.as_ref().is_none_or(|(before, _, _)| rank > *before) {
            best = Some((rank, line, bindings));
        }
    }
    if let Some(((fit, ..), line, bindings)) = best
        && let Some(row) = table.row(line)
    {
        return Found { mapping: row.mapping.clone(), bindings, reason: Reason::Row(line), fit: Some(fit) };
    }
    let plain = |mapping, reason| Found { mapping, bindings: Vec::new(), reason, fit: None };
    if let Some((name, mapping)) = restricted(table, item, function, file) {
        return plain(mapping, Reason::Object(name));
    }
    plain(table.default_of(item.class, function, file), Reason::Default)
}

/// What is said of the objects that an item uses; `keep` goes before `print`, that before `comment`
/// and `hide`.
fn restricted(table: &Table, item: &Item, function: &str, file: &str) -> Option<(String, Mapping)> {
    if table.restrictions.is_empty() {
        return None;
    }
    let names = item.names();
    let rank = |mapping: &Mapping| match mapping {
        Mapping::Keep => 3,
        Mapping::Print => 2,
        Mapping::Comment => 1,
        _ => 0,
    };
    (table.restrictions.iter())
        .filter(|one| one.scope.takes(function, file) && names.iter().any(|name| **name == *one.name))
        .max_by_key(|one| rank(&one.mapping))
        .map(|one| (one.name.clone(), one.mapping.clone()))
}
