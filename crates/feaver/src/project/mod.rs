//! A verification project: the manifest `axle.toml` and the files that it names, as typed data.
//!
//! *Entry point:* [`load`]. *Invariant:* a project that is returned has no errors: every name is
//! unique and defined, every file was read, and every path lies inside the project's folder.
//! Nothing is written.

mod checks;
pub mod coverage;
mod data;
pub mod expression;
pub mod fields;
mod flags;
pub mod folder;
mod manifest;
mod names;
mod properties;
mod reader;
mod requirements;
pub mod safety;
pub mod sections;
mod settings;
mod timeline;
mod triggers;
mod unread;

use std::path::Path;

use axle_source::{Diagnostics, Sources};

use folder::Folder;
use reader::{Reader, refused};

pub use data::{Constraint, Flag, Project, Property, Statement, Subject};
pub use reader::{LARGEST_DOCUMENT, MANIFEST};
pub use settings::{Expected, Fairness, Limits, Schedule};
pub use triggers::{Notifications, Triggers};

/// A project that was read, with everything that is to be said about it.
#[derive(Debug)]
pub struct Loaded {
    /// The project, unless there are errors.
    pub project: Option<Project>,
    /// The files that were read.
    pub sources: Sources,
    /// Errors and warnings, by location.
    pub diagnostics: Diagnostics,
}

/// Reads the project in a folder.
#[must_use]
pub fn load(root: &Path) -> Loaded {
    match Folder::open(root) {
        Ok(folder) => load_folder(&folder),
        Err(refusal) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(refused(&root.display().to_string(), &refusal));
            Loaded { project: None, sources: Sources::new(), diagnostics }
        }
    }
}

/// Reads the project in a folder that was opened.
#[must_use]
pub fn load_folder(folder: &Folder) -> Loaded {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let project = Reader { folder, sources: &mut sources, diagnostics: &mut diagnostics }.project();
    diagnostics.sort(&sources);
    let project = project.filter(|_| !diagnostics.has_errors());
    Loaded { project, sources, diagnostics }
}

impl Reader<'_> {
    fn project(mut self) -> Option<Project> {
        let manifest = self.manifest()?;
        let requirements = self.requirements(&manifest);
        let mut properties = self.properties(&manifest, &requirements);
        self.unread(&manifest, &requirements);
        properties.extend(self.safety(&manifest, &properties));
        let manifest::Manifest {
            name,
            subject,
            flags,
            features,
            constraints,
            schedule,
            limits,
            triggers,
            ..
        } = manifest;
        Some(Project {
            folder: self.folder.clone(),
            name,
            subject,
            flags,
            features,
            constraints,
            requirements,
            properties,
            schedule,
            limits,
            triggers,
            notifications: manifest.notifications,
            fairness: manifest.fairness,
        })
    }
}
