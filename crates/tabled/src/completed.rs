//! Tables of which a formula determines the rows that no person has written.
//!
//! *Entry point:* [`completed`].
//! *Invariant:* a row that a person wrote stays as it is; a derived one replaces only a row that
//! synchronisation has added with the default of its class.

use std::collections::BTreeSet;

use axle_extract::Table;
use axle_extract::table::Line;

use crate::derive::Derived;

/// A completed table.
pub(crate) struct Completed {
    /// Its text.
    pub text: String,
    /// The statements of the derived rows.
    pub derived: BTreeSet<String>,
}

/// A table that is in line with its functions, with the rows that were derived for them.
pub(crate) fn completed(table: &Table, found: &Derived) -> Completed {
    let mut lines = Vec::new();
    let mut derived = BTreeSet::new();
    for line in &table.lines {
        let text = line.text();
        let Line::Row(row, _) = line else {
            lines.push(text);
            continue;
        };
        let left = text.split('\t').next().unwrap_or_default();
        // A row for one of several functions begins with its name.
        let shown = match left.split_once("] ") {
            Some((scope, rest)) if scope.starts_with('[') => rest,
            _ => left,
        };
        match found.rows.get(shown).filter(|_| row.new) {
            Some((right, label)) => {
                derived.insert(shown.to_string());
                let label = label.map_or_else(String::new, |label| format!("\t{}", label.name()));
                lines.push(format!("{left}\t{right}{label}"));
            }
            None => lines.push(text),
        }
    }
    // Directives may stand anywhere; at the end, places of rows are those of the file.
    lines.extend(found.maps.iter().cloned());
    lines.push(String::new());
    Completed { text: lines.join("\n"), derived }
}
