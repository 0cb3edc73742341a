//! The tables that come with Axle, for libraries that programs use: `Include <threads>`.
//!
//! *Entry point:* [`named`].

use std::sync::{Arc, LazyLock};

use axle_source::{Diagnostics, Sources};
use rustc_hash::FxHashSet;

use super::Table;

/// Name and text of each table.
const TABLES: &[(&str, &str)] = &[("<threads>", THREADS)];

/// The rows for the library for threads.
pub(super) const THREADS: &str = include_str!("../threads.lut");

/// The tables, read once.
static READ: LazyLock<Vec<(&'static str, Arc<Table>)>> = LazyLock::new(|| {
    let read = |(name, text): &(&'static str, &str)| {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let file = sources.add(name, text);
        (*name, Arc::new(super::read(file, &FxHashSet::default(), &sources, &mut diagnostics)))
    };
    TABLES.iter().map(read).collect()
});

/// The table of this name, and the name.
pub(crate) fn named(name: &str) -> Option<(&'static str, Arc<Table>)> {
    READ.iter().find(|(known, _)| *known == name).cloned()
}

/// All tables, with their names.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static Arc<Table>)> {
    READ.iter().map(|(name, table)| (*name, table))
}

/// The names of all tables.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_no_errors_and_every_row_has_a_label() {
        for (name, text) in TABLES {
            let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
            let file = sources.add(name, text);
            let table = super::super::read(file, &FxHashSet::default(), &sources, &mut diagnostics);
            let reported: Vec<&str> = diagnostics.iter().map(|one| &*one.message).collect();
            assert_eq!(reported, Vec::<&str>::new());
            let rows = table.rows().count();
            assert!(
                rows > 40 && table.rows().all(|(_, row)| row.vouched.is_some() || row.left.ends_with("...")),
                "{name}: {rows} rows"
            );
        }
    }
}
