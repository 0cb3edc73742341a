//! The manifest `axle.toml`.
//!
//! *Entry point:* [`Reader::manifest`].

use axle_source::{Diagnostic, Diagnostics, Span};

use super::data::{Constraint, Flag, Folders, PROPERTIES, REQUIREMENTS, Subject, TIMELINES};
use super::fields::{Fields, Located, Region, document};
use super::lanes::{self, DeclaredLanes};
use super::reader::{LARGEST, MANIFEST, Reader};
use super::safety_table;
use super::settings::{self, Fairness, Limits, Schedule};
use super::triggers::{self, Notifications, Triggers};
use super::{flags, names};
use crate::codes::{EXCLUSIVE, MISSING_KEY, NO_FILE, VALUE};

/// The content of a manifest. Its paths exist.
pub(super) struct Manifest {
    pub name: String,
    pub subject: Subject,
    pub flags: Vec<Flag>,
    pub features: Vec<String>,
    pub constraints: Vec<Constraint>,
    pub schedule: Schedule,
    pub limits: Limits,
    pub triggers: Triggers,
    pub notifications: Notifications,
    pub fairness: Fairness,
    pub lanes: Option<DeclaredLanes>,
    pub folders: Folders,
    /// Errors of the software as a whole.
    pub software_errors: Vec<Diagnostic>,
    /// Errors of each model, by its index.
    pub model_errors: Vec<Vec<Diagnostic>>,
    pub safety: safety_table::Written,
    /// The key of the table `safety`.
    pub safety_at: Option<Span>,
    /// The beginning of the file.
    pub at: Span,
    /// Whether all names that properties refer to were read.
    pub complete: bool,
}

impl Manifest {
    /// All errors of the software.
    pub fn subject_errors(&self) -> Vec<Diagnostic> {
        self.software_errors.iter().chain(self.model_errors.iter().flatten()).cloned().collect()
    }

    /// The errors of the software that a property of this model needs.
    pub fn errors_of_model(&self, model: Option<usize>) -> Vec<Diagnostic> {
        let own = model.and_then(|model| self.model_errors.get(model));
        self.software_errors.iter().chain(own.into_iter().flatten()).cloned().collect()
    }
}

/// The paths of a subject and of folders, with positions.
#[derive(Default)]
struct Paths {
    c: Vec<Located<String>>,
    promela: Vec<Located<String>>,
    drivers: Vec<Located<String>>,
    include: Vec<Located<String>>,
    define: Vec<Located<String>>,
    tables: Vec<Located<String>>,
    wrapper: Option<Located<String>>,
    derive: Option<Located<String>>,
    at: Option<Span>,
}

#[derive(Default)]
struct FolderPaths {
    requirements: Option<Vec<Located<String>>>,
    properties: Option<Vec<Located<String>>>,
    timelines: Option<Vec<Located<String>>>,
}

impl Reader<'_> {
    /// Reads the manifest and checks the paths that it names.
    pub(super) fn manifest(&mut self) -> Option<Manifest> {
        if self.folder.file(MANIFEST).is_err() {
            let message = format!("there is no `{MANIFEST}` in {}", self.folder.root().display());
            let help = "`axle init` creates a project";
            self.diagnostics.push(Diagnostic::error(NO_FILE, message).help(help));
            return None;
        }
        let file = self.text(MANIFEST, LARGEST, None)?;
        let text = self.sources.file(file).text().to_string();
        let region = Region { file, base: 0 };
        let table = document(&text, region, self.diagnostics)?;
        let at = Span::new(file, 0, 0);
        let slice =
            |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default().to_string();
        let mut fields = Fields::new(table.get_ref(), at, "the manifest", region, self.diagnostics);
        let name = fields.required("name", "name the project: `name = \"exchange\"`");
        if let Some(name) = &name {
            names::check(name, "a project", fields.diagnostics());
        }
        let fairness = settings::fairness(&mut fields).unwrap_or_default();
        let before = fields.diagnostics().error_count();
        let features = fields.strings("features");
        let mut errors = fields.diagnostics().error_count() - before;
        let paths = fields.table("sources", sources);
        if paths.is_none() && !fields.has("sources") {
            fields.missing(
                "sources",
                "name the software: `[sources]` with `c = [\"file.c\"]` or `promela = [\"model.pml\"]`",
            );
        }
        let before = fields.diagnostics().error_count();
        let flags = fields.table("flags", flags::flags).unwrap_or_default();
        let flags_are_valid = fields.diagnostics().error_count() == before;
        let constraints = fields
            .table("constraints", |own| flags::constraints(own, &flags, flags_are_valid, &slice))
            .unwrap_or_default();
        errors += fields.diagnostics().error_count() - before;
        let folders = fields.table("folders", folders).unwrap_or_default();
        let schedule = fields.table("schedule", settings::schedule).unwrap_or_default();
        let limits = fields.table("limits", settings::limits).unwrap_or_default();
        let safety_at = fields.key_at("safety");
        let safety = fields.table("safety", safety_table::safety).unwrap_or_default();
        let lanes = fields.table("lanes", lanes::lanes).flatten();
        let triggers = fields.table("triggers", triggers::triggers).unwrap_or_default();
        let notifications = fields.table("notifications", triggers::notifications).unwrap_or_default();
        let before = fields.diagnostics().error_count();
        fields.finish();
        errors += self.diagnostics.error_count() - before;
        for feature in &features {
            names::check(feature, "a feature", self.diagnostics);
        }
        let all = flags.iter().map(|flag| &flag.name).chain(&features);
        names::unique(all, "the feature", "defined", self.diagnostics);
        let (subject, software_errors, model_errors) = self.subject(&paths.unwrap_or_default());
        let folders = self.folders(&folders);
        Some(Manifest {
            name: name.map_or_else(String::new, |name| name.value),
            subject,
            flags,
            features: features.into_iter().map(|feature| feature.value).collect(),
            constraints,
            schedule,
            limits,
            triggers,
            notifications,
            fairness,
            lanes,
            folders,
            software_errors,
            model_errors,
            safety,
            safety_at,
            at,
            complete: errors == 0 && !table.get_ref().is_empty(),
        })
    }

    /// The folders of a project whose manifest cannot be read.
    pub(super) fn defaults(&mut self) -> Manifest {
        let at = Span::new(self.sources.add(MANIFEST, ""), 0, 0);
        Manifest {
            name: String::new(),
            subject: Subject::default(),
            flags: Vec::new(),
            features: Vec::new(),
            constraints: Vec::new(),
            schedule: Schedule::default(),
            limits: Limits::default(),
            triggers: Triggers::default(),
            notifications: Notifications::default(),
            fairness: Fairness::default(),
            lanes: None,
            folders: self.folders(&FolderPaths::default()),
            software_errors: Vec::new(),
            model_errors: Vec::new(),
            safety: safety_table::Written::default(),
            safety_at: None,
            at,
            complete: false,
        }
    }

    /// The software, the errors that concern all of it, and those of each model. They are not among
    /// the diagnostics of the reader, which are those of the manifest itself.
    fn subject(&mut self, paths: &Paths) -> (Subject, Vec<Diagnostic>, Vec<Vec<Diagnostic>>) {
        let before = std::mem::take(self.diagnostics);
        let mut of_models = Vec::new();
        for path in &paths.promela {
            self.exists(path);
            of_models.push(super::errors(&std::mem::take(self.diagnostics)));
        }
        let subject = self.software(paths);
        let of_all = super::errors(&std::mem::replace(self.diagnostics, before));
        (subject, of_all, of_models)
    }

    fn software(&mut self, paths: &Paths) -> Subject {
        exclusions(paths, self.diagnostics);
        names::unique(&paths.promela, "the file", "listed", self.diagnostics);
        let files = [&paths.c, &paths.drivers, &paths.tables];
        for list in files {
            names::unique(list, "the file", "listed", self.diagnostics);
            list.iter().for_each(|path| self.exists(path));
        }
        paths.wrapper.iter().for_each(|path| self.exists(path));
        for folder in &paths.include {
            self.is_folder(folder);
        }
        for define in &paths.define {
            let name = define.value.split('=').next().unwrap_or_default();
            if !is_identifier(name.split('(').next().unwrap_or_default()) {
                let message = format!("`{}` does not define a macro", define.value);
                let help = "write `NAME` or `NAME=VALUE`";
                self.diagnostics.push(Diagnostic::error(VALUE, message).at(define.at.into(), "").help(help));
            }
        }
        let values = |list: &[Located<String>]| list.iter().map(|one| one.value.clone()).collect();
        Subject {
            c: values(&paths.c),
            promela: values(&paths.promela),
            drivers: values(&paths.drivers),
            include: values(&paths.include),
            define: values(&paths.define),
            tables: values(&paths.tables),
            derive: paths.derive.as_ref().map(|formula| formula.value.clone()),
            wrapper: paths.wrapper.as_ref().map(|path| path.value.clone()),
        }
    }

    fn folders(&mut self, paths: &FolderPaths) -> Folders {
        let mut checked = |given: &Option<Vec<Located<String>>>, default: &str| match given {
            Some(list) => {
                let good = list.iter().filter(|path| self.is_folder(path));
                good.map(|path| path.value.clone()).collect()
            }
            None if self.folder.folder(default).is_ok() => vec![default.to_string()],
            None => Vec::new(),
        };
        Folders {
            requirements: checked(&paths.requirements, REQUIREMENTS),
            properties: checked(&paths.properties, PROPERTIES),
            timelines: checked(&paths.timelines, TIMELINES),
        }
    }
}

fn sources(fields: &mut Fields<'_, '_>) -> Paths {
    Paths {
        c: fields.strings("c"),
        promela: fields.strings("promela"),
        drivers: fields.strings("drivers"),
        include: fields.strings("include"),
        define: fields.strings("define"),
        tables: fields.strings("tables"),
        wrapper: fields.string("wrapper"),
        derive: fields.string("derive"),
        at: Some(fields.at),
    }
}

fn folders(fields: &mut Fields<'_, '_>) -> FolderPaths {
    let mut list = |key: &'static str| {
        let given = fields.has(key);
        let paths = fields.strings(key);
        given.then_some(paths)
    };
    FolderPaths {
        requirements: list("requirements"),
        properties: list("properties"),
        timelines: list("timelines"),
    }
}

/// Reports combinations of sources that mean nothing.
fn exclusions(paths: &Paths, diagnostics: &mut Diagnostics) {
    let Some(at) = paths.at else { return };
    let first = |list: &[Located<String>]| list.first().map(|path| path.at);
    match (first(&paths.c), first(&paths.promela)) {
        (None, None) => diagnostics.push(
            Diagnostic::error(MISSING_KEY, "the project names neither C files nor Promela models")
                .at(at.into(), "")
                .help("add `c = [\"file.c\"]` or `promela = [\"model.pml\"]`"),
        ),
        (Some(_), Some(promela)) => diagnostics.push(
            Diagnostic::error(EXCLUSIVE, "a project has either C files or Promela models")
                .at(promela.into(), "")
                .help("for a model that is extracted from C, name its tables and wrapper instead"),
        ),
        _ => {}
    }
    let tables = first(&paths.tables);
    if let (Some(wrapper), None) = (&paths.wrapper, tables) {
        let message = "a wrapper belongs to abstraction tables";
        let help = "add `tables = [\"FUNCTION.lut\"]`";
        diagnostics.push(Diagnostic::error(EXCLUSIVE, message).at(wrapper.at.into(), "").help(help));
    }
    if let (Some(formula), None) = (&paths.derive, tables) {
        let message = "a formula derives rows of abstraction tables";
        let help = "add `tables = [\"FUNCTION.lut\"]`; the file may be empty";
        diagnostics.push(Diagnostic::error(EXCLUSIVE, message).at(formula.at.into(), "").help(help));
    }
    if let Some(tables) = tables
        && paths.c.len() != 1
    {
        let message = "models are extracted from exactly one C file";
        diagnostics.push(Diagnostic::error(EXCLUSIVE, message).at(tables.into(), ""));
    }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
