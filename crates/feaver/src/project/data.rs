//! The content of a project as plain data.

use axle_ltl::timeline::Timeline;
use axle_source::Diagnostic;

use super::checks::Checks;
use super::expression::Expression;
use super::fields::Located;
use super::folder::Folder;
use super::lanes::DeclaredLanes;

use super::sections::Document;
use super::settings::{Expected, Fairness, Limits, Schedule};
use super::triggers::{Notifications, Triggers};

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
    /// What starts rounds of a server.
    pub triggers: Triggers,
    /// The receivers of results.
    pub notifications: Notifications,
    /// The assumption about the scheduler, unless a property has its own.
    pub fairness: Fairness,
    /// The lanes of charts.
    pub lanes: Option<DeclaredLanes>,
    /// The folders of requirements, properties and timelines.
    pub folders: Folders,
}

impl Project {
    /// The property that the software has no errors, of the model with this index; none if the
    /// manifest switches it off.
    #[must_use]
    pub fn safety(&self, model: usize) -> Option<(&Property, &Checks)> {
        self.properties.iter().find_map(|property| match &property.statement {
            Statement::Safety(checks) if property.model == model => Some((property, checks)),
            _ => None,
        })
    }
}

/// Folders of further files, with paths relative to the project. A project need not have them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Folders {
    /// Those of requirement documents.
    pub requirements: Vec<String>,
    /// Those of properties.
    pub properties: Vec<String>,
    /// Those of timelines.
    pub timelines: Vec<String>,
}

impl Folders {
    /// The folder of a new property.
    #[must_use]
    pub fn of_new_property(&self) -> &str {
        self.properties.first().map_or(PROPERTIES, String::as_str)
    }

    /// The folder of a new timeline.
    #[must_use]
    pub fn of_new_timeline(&self) -> &str {
        self.timelines.first().map_or(TIMELINES, String::as_str)
    }
}

/// The folders of a project whose manifest names none.
pub(super) const REQUIREMENTS: &str = "requirements";
pub(super) const PROPERTIES: &str = "properties";
pub(super) const TIMELINES: &str = "timelines";

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
    /// The formula over variables of the program that determines the rows which no person has written.
    pub derive: Option<String>,
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
    /// The software has no errors: the property that Axle adds to those of the project.
    Safety(Checks),
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

/// A property that cannot be verified: its file, or something that it needs, has errors.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokenProperty {
    /// Its name; the name of its file if the file gives none that is valid and unique.
    pub name: String,
    /// The path of its file.
    pub path: String,
    /// Its file, and that of its timeline or never claim, if there is one.
    pub files: Vec<String>,
    /// The feature that it belongs to.
    pub feature: Option<String>,
    /// Whether the keys of the file could be read, so that no feature means that there is none.
    pub is_readable: bool,
    /// The Markdown text.
    pub words: String,
    /// The errors, at least one, with positions in the files that were read.
    pub errors: Vec<Diagnostic>,
}

impl BrokenProperty {
    /// A property that was read, with errors that were found later.
    #[must_use]
    pub fn of(property: &Property, errors: Vec<Diagnostic>) -> BrokenProperty {
        let mut files = vec![property.path.clone()];
        if property.statement_path() != property.path {
            files.push(property.statement_path().to_string());
        }
        BrokenProperty {
            name: property.name.value.clone(),
            path: property.path.clone(),
            files,
            feature: property.feature.clone(),
            is_readable: true,
            words: property.words.clone(),
            errors,
        }
    }
}

impl Property {
    /// The path of the file that contains its formula, timeline or never claim.
    #[must_use]
    pub fn statement_path(&self) -> &str {
        match &self.statement {
            Statement::Formula(_) | Statement::Safety(_) => &self.path,
            Statement::Timeline(_, path) | Statement::Never(path, _) => path,
        }
    }
}
