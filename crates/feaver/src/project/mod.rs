//! A verification project: the manifest `axle.toml` and the files that it names, as typed data.
//!
//! *Entry point:* [`load`]. *Invariant:* a project that is returned has no errors: every name is
//! unique and defined, every file was read, and every path lies inside the project's folder.
//! Nothing is written.

pub mod expression;
pub mod fields;
mod flags;
pub mod folder;
mod manifest;
mod names;
mod properties;
pub mod requirements;
mod settings;
mod timeline;

use std::path::Path;

use axle_ltl::timeline::Timeline;
use axle_source::{Diagnostic, Diagnostics, FileId, Sources, Span};

use crate::codes::{ENCODING, NO_FILE, NO_PROPERTY, OUTSIDE, TOO_MANY};
use expression::Expression;
use fields::Located;
use folder::{Folder, Refusal};
use requirements::Document;

pub use settings::{Expected, Fairness, Limits, Schedule};

/// The name of the manifest.
pub const MANIFEST: &str = "axle.toml";

/// The largest manifest, property or timeline.
const LARGEST: u64 = 1 << 20;

/// The largest requirement document.
const LARGEST_DOCUMENT: u64 = 16 << 20;

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its folder.
    pub folder: Folder,
    /// Its name.
    pub name: String,
    /// The software under verification.
    pub subject: Subject,
    /// Feature flags, in the order of the manifest.
    pub flags: Vec<Flag>,
    /// Features without a flag.
    pub features: Vec<String>,
    /// Provisioning constraints, in the order of the manifest.
    pub constraints: Vec<Constraint>,
    /// Requirement documents, by path.
    pub requirements: Vec<Document>,
    /// Properties, by path of their files.
    pub properties: Vec<Property>,
    /// When runs are executed.
    pub schedule: Schedule,
    /// Limits of each run.
    pub limits: Limits,
    /// The assumption about the scheduler, unless a property has its own.
    pub fairness: Fairness,
}

/// The software under verification.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Subject {
    /// C files of the program; empty for a project of models.
    pub c: Vec<String>,
    /// Promela models; empty for a C program.
    pub promela: Vec<String>,
    /// Environment of the software: C files that belong to the program, or Promela files that are
    /// appended to each model.
    pub drivers: Vec<String>,
    /// Directories of included files.
    pub include: Vec<String>,
    /// Macro definitions: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Abstraction tables, for models that are extracted from C.
    pub tables: Vec<String>,
    /// The Promela file that includes the extracted processes.
    pub wrapper: Option<String>,
}

/// A feature flag: a global variable of the subject that is chosen at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// Its name in constraints.
    pub name: Located<String>,
    /// The variable.
    pub variable: Located<String>,
    /// Its possible values, in ascending order.
    pub values: Vec<i64>,
}

/// A provisioning constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Its name.
    pub name: Located<String>,
    /// The constraint as written.
    pub text: String,
    /// The constraint over flags, given by their indices; other constraints are expanded.
    pub expression: Expression<usize>,
}

/// What a property states.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// A formula of linear temporal logic, as written.
    Formula(Located<String>),
    /// A timeline and its path.
    Timeline(Box<Timeline>, String),
    /// A never claim in Promela: its path and text.
    Never(String, String),
}

/// A property.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: Located<String>,
    /// The path of its file.
    pub path: String,
    /// The feature that it belongs to.
    pub feature: Option<String>,
    /// The document and heading of the requirement: indices of [`Project::requirements`] and
    /// [`Document::sections`]. No heading is the whole document.
    pub reference: Option<(usize, Option<usize>)>,
    /// What it states.
    pub statement: Statement,
    /// Indices of the constraints under which it is verified; none: every provisioning.
    pub constraints: Vec<usize>,
    /// Free words to select by.
    pub tags: Vec<String>,
    /// The risk: runs with a higher weight go first within a cycle.
    pub weight: i64,
    /// The expected verdict.
    pub expected: Expected,
    /// The assumption about the scheduler, if it differs from that of the project.
    pub fairness: Option<Fairness>,
    /// The model that it is about, as an index of [`Subject::promela`].
    pub model: usize,
    /// The Markdown text: the property in plain words, and why it must hold.
    pub words: String,
}

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
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let project = match Folder::open(root) {
        Ok(folder) => {
            Reader { folder: &folder, sources: &mut sources, diagnostics: &mut diagnostics }.project()
        }
        Err(refusal) => {
            diagnostics.push(refused(&root.display().to_string(), &refusal));
            None
        }
    };
    diagnostics.sort(&sources);
    let project = project.filter(|_| !diagnostics.has_errors());
    Loaded { project, sources, diagnostics }
}

/// What is needed to read any part of a project.
struct Reader<'a> {
    folder: &'a Folder,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn project(mut self) -> Option<Project> {
        let manifest = self.manifest()?;
        let requirements = self.requirements(&manifest);
        let properties = self.properties(&manifest, &requirements);
        let manifest::Manifest { name, subject, flags, features, constraints, schedule, limits, .. } =
            manifest;
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
            fairness: manifest.fairness,
        })
    }

    /// Reads a text file; `at` is the position of its name.
    fn text(&mut self, path: &str, limit: u64, at: Option<Span>) -> Option<FileId> {
        let bytes = match self.folder.read(path, limit) {
            Ok(bytes) => bytes,
            Err(refusal) => {
                let diagnostic = refused(path, &refusal);
                self.diagnostics.push(match at {
                    Some(at) => diagnostic.at(at.into(), ""),
                    None => diagnostic,
                });
                return None;
            }
        };
        let (file, doubt) = self.sources.add_bytes(path, &bytes);
        if let Some(label) = doubt.as_ref().and_then(Diagnostic::primary) {
            let error = Diagnostic::error(ENCODING, "the file is not valid UTF-8")
                .at(label.loc, "the first invalid byte")
                .help("save the file as UTF-8");
            self.diagnostics.push(error);
            return None;
        }
        Some(file)
    }

    /// Reports a file that is not one of the project.
    fn exists(&mut self, path: &Located<String>) {
        let found = self.folder.file(&path.value);
        self.report(&path.value, path.at, found);
    }

    /// Whether a folder of the project can be read; reports why not.
    fn is_folder(&mut self, path: &Located<String>) -> bool {
        let found = self.folder.folder(&path.value);
        self.report(&path.value, path.at, found)
    }

    fn report(&mut self, path: &str, at: Span, found: Result<(), Refusal>) -> bool {
        let diagnostic = found.as_ref().err().map(|refusal| refused(path, refusal).at(at.into(), ""));
        self.diagnostics.extend(diagnostic);
        found.is_ok()
    }

    /// A warning for a project without properties.
    fn no_properties(&mut self, at: Span) {
        let warning = Diagnostic::warning(NO_PROPERTY, "the project has no properties")
            .at(at.into(), "")
            .help("add a file such as `properties/NAME.md`; `axle init` shows its form");
        self.diagnostics.push(warning);
    }
}

/// The diagnostic for a path that cannot be used.
fn refused(path: &str, refusal: &Refusal) -> Diagnostic {
    let path: String = path.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    match refusal {
        Refusal::Outside => Diagnostic::error(OUTSIDE, format!("`{path}` lies outside of the project")).help(
            "name a file below the folder of the manifest, without a symbolic link that leads out of it",
        ),
        Refusal::NotFound => Diagnostic::error(NO_FILE, format!("there is no file or folder `{path}`"))
            .help("paths are relative to the folder of the manifest"),
        Refusal::WrongKind => {
            Diagnostic::error(NO_FILE, format!("`{path}` is not a file or folder of the required kind"))
        }
        Refusal::Unreadable(why) => Diagnostic::error(NO_FILE, format!("cannot read `{path}`: {why}")),
        Refusal::TooMany => Diagnostic::error(TOO_MANY, format!("`{path}` contains more than 10,000 files")),
    }
}
