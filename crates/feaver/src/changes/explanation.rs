//! The parts of the software that a verdict depends on and that have changed, with their commits.
//!
//! *Entry point:* [`explain`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::items::names;
use super::versions::{self, Files};
use super::{Changed, Origin, Origins, Parts, Relevance, Texts, changed, parts};
use crate::jobs::error::StoreError;
use crate::prepare::key::PROGRAM;
use crate::project::{MANIFEST, Property, Statement};
use crate::results::database::Database;
use crate::results::ledger::kept;
use crate::results::verdict::{Phase, Record};

/// Parts that are named for each property.
const MOST_PARTS: usize = 100;

/// Files that contain software.
const SOURCES: [&str; 10] = ["c", "h", "inc", "def", "pml", "prom", "promela", "spin", "spn", "lut"];

/// A part that has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The part.
    pub changed: Changed,
    /// Where the change comes from, if the project is in a repository.
    pub origin: Option<Origin>,
}

/// A run whose verdict is of an earlier version: what leads to the parts that the verdict depends on.
#[derive(Clone, Debug)]
pub struct ChangedRun {
    /// The property.
    pub property: String,
    /// Whether the software is a C program.
    pub is_program: bool,
    /// What the property states.
    pub stated: String,
    /// The functions that the search has executed, if the property holds.
    pub functions: Vec<String>,
}

impl ChangedRun {
    /// The run of a recorded verdict. `property` is the present property; without
    /// one, the text counts that the round has recorded.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn of(
        database: &dyn Database,
        old: &Record,
        property: Option<&Property>,
    ) -> Result<ChangedRun, StoreError> {
        let kept = kept(database, old, Phase::First)?;
        let is_program =
            kept.as_ref().is_some_and(|kept| kept.key.parts.iter().any(|part| part.name == PROGRAM));
        let stated = match property.map(|property| &property.statement) {
            Some(Statement::Formula(formula)) => formula.value.clone(),
            Some(Statement::Timeline(timeline, _)) => timeline.atoms.join(" "),
            Some(Statement::Never(_, text)) => text.clone(),
            Some(Statement::Safety(_)) => String::new(),
            None => old.run.property_text.clone(),
        };
        let functions = kept.map(|kept| kept.outcome.functions).unwrap_or_default();
        Ok(ChangedRun { property: old.run.property.clone(), is_program, stated, functions })
    }
}

/// Adds the parts that have changed between two versions, for each run of the earlier one. `is_present`:
/// the later version is that of the files as they are.
///
/// # Errors
/// The history cannot be read.
pub fn explain(
    database: &dyn Database,
    (old, new): (&Files, &Files),
    (runs, is_present): (&[ChangedRun], bool),
    origins: &mut Origins,
    found: &mut BTreeMap<String, Vec<Part>>,
) -> Result<(), StoreError> {
    let (old, new) = (software(database, old)?, software(database, new)?);
    let changes = changed(&old, &new);
    if changes.is_empty() {
        return Ok(());
    }
    let relevance = Relevance::of(&old, &new);
    for run in runs {
        let relevant = match run.is_program {
            true => {
                let roots: Vec<&str> = ["main"].into_iter().chain(names(&run.stated)).collect();
                relevance.relevant(&changes, &roots, &run.functions)
            }
            false => changes.clone(),
        };
        let known = found.entry(run.property.clone()).or_default();
        for changed in relevant {
            if known.len() >= MOST_PARTS || known.iter().any(|part| part.changed == changed) {
                continue;
            }
            let key = (changed.path.clone(), changed.kind, changed.name.clone());
            let origin = origins.origin(&changed, new.get(&key), is_present);
            known.push(Part { changed, origin });
        }
    }
    Ok(())
}

/// The parts of the files that contain software.
fn software(database: &dyn Database, files: &Files) -> Result<Parts, StoreError> {
    let mut texts = Texts::new();
    for (path, content) in files {
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
        if path == MANIFEST || extension.is_some_and(|extension| SOURCES.contains(&extension)) {
            texts.insert(path.clone(), Arc::from(versions::text(database, content)?));
        }
    }
    Ok(parts(&texts))
}
