//! The parts of the software that a verdict depends on and that have changed, with their commits.
//!
//! *Entry point:* [`explain`].

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_feaver::changes::items::names;
use axle_feaver::changes::{Changed, Origin, Origins, Parts, Relevance, Texts, changed, parts};
use axle_feaver::project::MANIFEST;

use crate::application::Application;
use crate::pages::fault::Fault;
use crate::versions::{self, Files};

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

/// A run whose verdict is of an earlier version.
pub struct Question {
    /// The property.
    pub property: String,
    /// Whether the software is a C program.
    pub is_program: bool,
    /// Whether the software has changed for the run.
    pub depends: bool,
    /// What the property states.
    pub stated: String,
    /// The functions that the search has executed, if the property holds.
    pub functions: Vec<String>,
}

/// Adds the parts that have changed between two versions, for each run of the earlier one. `is_present`:
/// the later version is that of the files as they are.
///
/// # Errors
/// The history cannot be read.
pub fn explain(
    app: &Application,
    (old, new): (&Files, &Files),
    (questions, is_present): (&[Question], bool),
    origins: &mut Origins,
    found: &mut BTreeMap<String, Vec<Part>>,
) -> Result<(), Fault> {
    let (old, new) = (software(app, old)?, software(app, new)?);
    let changes = changed(&old, &new);
    if changes.is_empty() {
        return Ok(());
    }
    let relevance = Relevance::of(&old, &new);
    for question in questions.iter().filter(|question| question.depends) {
        let relevant = match question.is_program {
            true => {
                let roots: Vec<&str> = ["main"].into_iter().chain(names(&question.stated)).collect();
                relevance.relevant(&changes, &roots, &question.functions)
            }
            false => changes.clone(),
        };
        let known = found.entry(question.property.clone()).or_default();
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
fn software(app: &Application, files: &Files) -> Result<Parts, Fault> {
    let mut texts = Texts::new();
    for (path, content) in files {
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
        if path == MANIFEST || extension.is_some_and(|extension| SOURCES.contains(&extension)) {
            texts.insert(path.clone(), Arc::from(versions::text(&*app.database, content)?));
        }
    }
    Ok(parts(&texts))
}
