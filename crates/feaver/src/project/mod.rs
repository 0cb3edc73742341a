//! A verification project: the manifest `axle.toml` and the files that it names, as typed data.
//!
//! *Entry point:* [`load`]. *Invariant:* a project that is returned has no errors: every name is
//! unique and defined, every file was read, and every path lies inside the project's folder.
//! Properties with errors are not among its properties: they are listed beside it, each with its
//! errors. Nothing is written.

mod checks;
pub mod components;
pub mod coverage;
mod data;
pub mod expression;
pub mod fields;
mod flags;
pub mod folder;
pub mod front_matter;
mod lanes;
mod manifest;
mod names;
mod properties;
mod reader;
mod requirements;
pub mod safety;
mod safety_table;
pub mod sections;
mod settings;
mod timeline;
mod triggers;
mod unread;

use std::path::Path;

use axle_source::{Diagnostic, Diagnostics, Severity, Sources};

use folder::Folder;
use reader::{Reader, refused};

pub use data::{BrokenProperty, Constraint, Flag, Folders, Project, Property, Statement, Subject};
pub use lanes::DeclaredLanes;
pub use reader::{LARGEST_DOCUMENT, MANIFEST};
pub use settings::{Expected, Fairness, Limits, Schedule};
pub use triggers::{Notifications, Triggers};

/// A project that was read, with everything that is to be said about it.
#[derive(Debug)]
pub struct Loaded {
    /// The project, unless the manifest has errors.
    pub project: Option<Project>,
    /// Properties with errors; all properties if the manifest has errors. No error of a property
    /// affects another one.
    pub broken: Vec<BrokenProperty>,
    /// Errors of the software that the manifest names. They are among those of the properties that
    /// need this software.
    pub subject_errors: Vec<Diagnostic>,
    /// The files that were read.
    pub sources: Sources,
    /// All errors and warnings, by location.
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
            let (broken, subject_errors) = (Vec::new(), Vec::new());
            Loaded { project: None, broken, subject_errors, sources: Sources::new(), diagnostics }
        }
    }
}

/// Reads the project in a folder that was opened.
#[must_use]
pub fn load_folder(folder: &Folder) -> Loaded {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let mut reader = Reader { folder, sources: &mut sources, diagnostics: &mut diagnostics };
    let manifest = reader.manifest();
    let global: Vec<Diagnostic> = errors(reader.diagnostics);
    let read = match manifest {
        Some(manifest) => reader.project(manifest, &global),
        None => {
            // The properties are listed all the same. Their errors may result from that of the manifest.
            let (mut files, mut found) = (Sources::new(), Diagnostics::new());
            let mut reader = Reader { folder, sources: &mut files, diagnostics: &mut found };
            let manifest = reader.defaults();
            let (_, mut broken, _) = reader.project(manifest, &global);
            broken.iter_mut().for_each(|one| one.errors.clone_from(&global));
            (None, broken, Vec::new())
        }
    };
    let (project, broken, subject_errors) = read;
    diagnostics.extend(subject_errors.iter().cloned());
    diagnostics.sort(&sources);
    Loaded { project, broken, subject_errors, sources, diagnostics }
}

/// The errors among diagnostics.
pub(crate) fn errors(diagnostics: &Diagnostics) -> Vec<Diagnostic> {
    diagnostics.iter().filter(|one| one.severity == Severity::Error).cloned().collect()
}

/// A project without errors in its manifest, its properties with errors, and the errors of its
/// software.
type Read = (Option<Project>, Vec<BrokenProperty>, Vec<Diagnostic>);

impl Reader<'_> {
    /// Reads what a manifest names. `global` are the errors of the manifest itself.
    fn project(mut self, manifest: manifest::Manifest, global: &[Diagnostic]) -> Read {
        let requirements = self.requirements(&manifest);
        let (mut properties, mut broken) = self.properties(&manifest, &requirements);
        self.unread(&manifest, &requirements.documents);
        self.reserved(&manifest, &mut properties, &mut broken);
        let before = self.diagnostics.error_count();
        let safety = self.safety(&manifest, &properties);
        // Errors of the table `safety` are errors of the manifest.
        let own: Vec<Diagnostic> = errors(self.diagnostics).into_iter().skip(before).collect();
        let subject_errors = manifest.subject_errors();
        let global: Vec<Diagnostic> = global.iter().cloned().chain(own).collect();
        for property in safety.into_iter().filter(|_| global.is_empty()) {
            match manifest.errors_of_model(Some(property.model)) {
                errors if errors.is_empty() => properties.push(property),
                errors => broken.push(BrokenProperty::of(&property, errors)),
            }
        }
        if !global.is_empty() {
            let all = properties.iter().map(|property| BrokenProperty::of(property, Vec::new()));
            broken.extend(all.collect::<Vec<_>>());
            broken.sort_by(|one, other| one.path.cmp(&other.path));
            broken.iter_mut().for_each(|one| one.errors.splice(0..0, global.iter().cloned()).for_each(drop));
            return (None, broken, subject_errors);
        }
        let manifest::Manifest {
            name,
            subject,
            flags,
            features,
            constraints,
            schedule,
            limits,
            triggers,
            lanes,
            folders,
            ..
        } = manifest;
        let project = Project {
            folder: self.folder.clone(),
            name,
            subject,
            flags,
            features,
            constraints,
            requirements: requirements.documents,
            properties,
            schedule,
            limits,
            triggers,
            notifications: manifest.notifications,
            fairness: manifest.fairness,
            lanes,
            folders,
        };
        (Some(project), broken, subject_errors)
    }
}
