//! From a project to its runs: one for each property and each constraint that it is verified under.
//!
//! *Entry point:* [`prepare`].
//! *Invariant:* the order of runs and their names and keys depend on the project only. Each selected
//! property has either runs or errors. An error of one property affects no other one; an error of
//! the software is one of every property that needs it.

mod c;
pub mod canonical;
mod each;
mod extracted;
pub mod footprint;
pub mod key;
pub mod names;
mod promela;
pub mod software;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axle_c::Program;
use axle_c_exec::Settings;
use axle_check::Check;
use axle_check::program::RunProperty;
use axle_evidence::sha256::sha256;
use axle_model::Model;
use axle_source::{Diagnostic, Diagnostics, FileId, Loc, Severity, Sources, Span};
use axle_tabled::Origin;
pub use axle_tabled::{ProcessText, PromelaLine, RowOrigin, Statement as ExtractedStatement, TableRow};

use crate::codes::{FLAG, VALUE};
use crate::project::fields::{within_string, word};
use crate::project::safety::Checks;
use crate::project::{BrokenProperty, Expected, Fairness, Limits, Loaded, Project, Property, Statement};
use crate::provisioning::joint::{Member, Together};
use crate::provisioning::{Component, components};
use key::Key;

/// The name of the constraint of a run whose property has none.
pub const ANY: &str = "any";

/// A run: a property under a provisioning constraint.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its stable name: `PROPERTY@CONSTRAINT`.
    pub name: String,
    /// The name of the property.
    pub property: String,
    /// The feature of the property.
    pub feature: Option<String>,
    /// The name of the constraint; [`ANY`] for every provisioning.
    pub constraint: String,
    /// Free words to select by.
    pub tags: Vec<String>,
    /// Runs with a higher weight go first within a cycle.
    pub weight: i64,
    /// The expected verdict.
    pub expected: Expected,
    /// What is checked.
    pub subject: Subject,
    /// How it is checked.
    pub options: Options,
    /// What the verdict depends on.
    pub key: Key,
    /// The hash of the texts that the subject was read from: locations in reports refer to them.
    pub texts: String,
    /// The timeline that the property is stated as.
    pub timeline: Option<Arc<axle_ltl::timeline::Timeline>>,
    /// The situation that a timeline is about, as it is evaluated under the provisioning.
    pub premise: Option<Premise>,
    /// The property that the software has no errors, and its checks; none if the project does not
    /// check it.
    pub safety: Option<(String, Checks)>,
    /// The variable of a flag that the constraint is about and the program writes: then the property is
    /// undecided if it holds.
    pub doubt: Option<String>,
    /// The other runs of the property of a model, if there are some.
    pub member: Option<Member>,
}

impl Run {
    /// The rows of the tables that the model was extracted by, if it was.
    #[must_use]
    pub fn table_rows(&self) -> Vec<TableRow> {
        match &self.subject {
            Subject::Extracted(_, origin) | Subject::Safety(Safety::Model(_, Some(origin), _)) => {
                origin.rows.table_rows()
            }
            Subject::Model(_) | Subject::Program(..) | Subject::Safety(_) => Vec::new(),
        }
    }

    /// The run of a program that writes the variables of these flags.
    fn with_written(mut self, project: &Project, written: &[usize], constraint: Option<usize>) -> Run {
        let Some(constraint) = constraint else { return self };
        let mut found = None;
        project.constraints[constraint].expression.names(&mut |flag| {
            if written.contains(flag) {
                found.get_or_insert(*flag);
            }
        });
        self.doubt = found.map(|flag| project.flags[flag].variable.value.to_string());
        self
    }
}

/// The premise of a timeline: its marks occur, and the bars hold between them.
#[derive(Clone, PartialEq, Debug)]
pub enum Premise {
    /// A formula of the model.
    Model(axle_model::Formula),
    /// A formula over the propositions of the property of a program.
    Program(axle_ltl::Formula),
}

/// What a run checks.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A model with one property.
    Model(Arc<Model>),
    /// A model that was extracted from a C program, and the program with the rows of its tables.
    Extracted(Arc<Model>, Arc<Origin>),
    /// A C program and a formula.
    Program(Arc<LoadedProgram>, Box<RunProperty>),
    /// The software itself.
    Safety(Safety),
}

/// The software, and the checks that are made of it.
#[derive(Clone, Debug)]
pub enum Safety {
    /// A C program.
    Program(Arc<LoadedProgram>, BTreeSet<Check>),
    /// A model, and the program that it was extracted from, if any.
    Model(Arc<Model>, Option<Arc<Origin>>, BTreeSet<Check>),
}

impl Subject {
    /// The C program that is checked; none for a model.
    #[must_use]
    pub fn program(&self) -> Option<&Arc<LoadedProgram>> {
        match self {
            Subject::Program(loaded, _) | Subject::Safety(Safety::Program(loaded, _)) => Some(loaded),
            Subject::Model(_) | Subject::Extracted(..) | Subject::Safety(Safety::Model(..)) => None,
        }
    }

    /// The texts of the processes that were extracted from a C program, beside its statements.
    #[must_use]
    pub fn texts(&self) -> Vec<ProcessText> {
        match self {
            Subject::Extracted(_, origin) | Subject::Safety(Safety::Model(_, Some(origin), _)) => {
                origin.rows.texts()
            }
            Subject::Model(_) | Subject::Program(..) | Subject::Safety(_) => Vec::new(),
        }
    }

    /// The model that is checked; none for a C program.
    #[must_use]
    pub fn model(&self) -> Option<&Arc<Model>> {
        match self {
            Subject::Model(model)
            | Subject::Extracted(model, _)
            | Subject::Safety(Safety::Model(model, ..)) => Some(model),
            Subject::Program(..) | Subject::Safety(Safety::Program(..)) => None,
        }
    }
}

/// A C program, and everything that its reports refer to.
#[derive(Debug)]
pub struct LoadedProgram {
    /// The program.
    pub program: Program,
    /// The text that it was read from.
    pub sources: Sources,
    /// The hash of the names and texts of all sources.
    pub texts: String,
    /// Its files.
    pub files: Vec<String>,
    /// The options that decide what the program is.
    pub arguments: Vec<String>,
    /// How it is executed.
    pub settings: Settings,
}

/// How a run is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The assumption about the scheduler.
    pub fairness: Fairness,
    /// Limits on memory and time.
    pub limits: Limits,
}

/// The runs of a project.
#[derive(Debug)]
pub struct Prepared {
    /// The runs, by property and constraint.
    pub runs: Vec<Run>,
    /// The selected properties that have no runs because of errors.
    pub broken: Vec<BrokenProperty>,
    /// The files that were read.
    pub sources: Sources,
    /// Errors and warnings about the sources and properties.
    pub diagnostics: Diagnostics,
}

/// A selection of runs; an empty list selects all.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// Names of properties.
    pub properties: Vec<String>,
    /// Names of features.
    pub features: Vec<String>,
    /// Names of constraints: of the selected properties, only the runs under these; [`ANY`] for those of
    /// properties without constraints.
    pub constraints: Vec<String>,
}

impl Selection {
    /// Whether a property is selected.
    #[must_use]
    pub fn contains(&self, property: &Property) -> bool {
        let feature = property.feature.as_ref();
        (self.properties.is_empty() || self.properties.contains(&property.name.value))
            && (self.features.is_empty() || feature.is_some_and(|feature| self.features.contains(feature)))
    }

    /// Whether a property with errors is selected. One whose feature is not known may belong to any.
    fn contains_broken(&self, property: &BrokenProperty) -> bool {
        let is_of_feature = match &property.feature {
            Some(feature) => self.features.contains(feature),
            None => !property.is_readable,
        };
        (self.properties.is_empty() || self.properties.contains(&property.name))
            && (self.features.is_empty() || is_of_feature)
    }

    /// Whether all properties are selected.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.properties.is_empty() && self.features.is_empty() && self.constraints.is_empty()
    }

    /// Whether the runs under a constraint are selected.
    #[must_use]
    pub fn contains_constraint(&self, name: &str) -> bool {
        self.constraints.is_empty() || self.constraints.iter().any(|own| own == name)
    }
}

/// Prepares the selected runs of a loaded project.
#[must_use]
pub fn prepare(loaded: Loaded, selection: &Selection) -> Prepared {
    let Loaded { project, broken, subject_errors, sources, diagnostics } = loaded;
    let (mut broken, others): (Vec<_>, Vec<_>) =
        broken.into_iter().partition(|property| selection.contains_broken(property));
    let Some(project) = project else { return Prepared { runs: Vec::new(), broken, sources, diagnostics } };
    let mut preparer = Preparer::new(&project, sources, selection);
    preparer.has_all_properties = broken.is_empty() && others.is_empty();
    preparer.compiles_alone = selection.is_all() && subject_errors.is_empty();
    let mut runs = match project.subject.promela.is_empty() {
        true => preparer.programs(),
        false => preparer.models(),
    };
    preparer.check_all_prepared(&runs);
    let Preparer { sources, diagnostics: found, failed, .. } = preparer;
    runs.retain(|run| !failed.contains_key(&run.property));
    let of = |(name, errors)| {
        let property = project.properties.iter().find(|property| property.name.value == name)?;
        Some(BrokenProperty::of(property, errors))
    };
    broken.extend(failed.into_iter().filter_map(of));
    broken.sort_by(|one, other| one.path.cmp(&other.path));
    // Errors of properties that are not selected are left out.
    let is_of_others = |error: &Diagnostic| {
        others.iter().any(|other| other.errors.contains(error))
            && !broken.iter().any(|own| own.errors.contains(error))
    };
    let mut all = Diagnostics::new();
    all.extend(diagnostics.iter().filter(|one| !is_of_others(one)).chain(found.iter()).cloned());
    all.sort(&sources);
    Prepared { runs, broken, sources, diagnostics: all }
}

/// What is needed to prepare runs.
struct Preparer<'a> {
    project: &'a Project,
    sources: Sources,
    diagnostics: Diagnostics,
    selection: &'a Selection,
    /// Whether software without a selected property is compiled to report its errors.
    compiles_alone: bool,
    /// Whether no property is missing, so that a variable that nothing reads is unused.
    has_all_properties: bool,
    /// Texts that were made of properties, with the files of these.
    items: Vec<(FileId, FileId)>,
    /// Formulas that were made of timelines, with the names of their properties.
    timelines: Vec<(FileId, String)>,
    /// Places and messages of reported diagnostics: several runs read the same files.
    seen: Vec<String>,
    /// All errors since the last attempt began, those that were reported before among them.
    attempted: Vec<Diagnostic>,
    /// The properties that cannot be verified, with their errors.
    failed: BTreeMap<String, Vec<Diagnostic>>,
}

impl<'a> Preparer<'a> {
    fn new(project: &'a Project, sources: Sources, selection: &'a Selection) -> Preparer<'a> {
        Preparer {
            project,
            sources,
            diagnostics: Diagnostics::new(),
            selection,
            compiles_alone: false,
            has_all_properties: false,
            items: Vec::new(),
            timelines: Vec::new(),
            seen: Vec::new(),
            attempted: Vec::new(),
            failed: BTreeMap::new(),
        }
    }

    /// Does work that ends with a result or with errors.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Vec<Diagnostic>> {
        let outer = std::mem::take(&mut self.attempted);
        let result = work(self);
        let mut errors = std::mem::replace(&mut self.attempted, outer);
        match result {
            Some(result) if errors.is_empty() => Ok(result),
            _ => {
                if errors.is_empty() {
                    errors.push(self.unexplained());
                }
                Err(errors)
            }
        }
    }

    /// The error of work that ended with neither a result nor an error.
    fn unexplained(&mut self) -> Diagnostic {
        let error = Diagnostic::error(VALUE, "internal error: the property was not prepared");
        self.diagnostics.push(error.clone());
        error
    }

    /// Marks a property as one that cannot be verified.
    fn fail(&mut self, property: &Property, errors: &[Diagnostic]) {
        let own = self.failed.entry(property.name.value.clone()).or_default();
        for error in errors {
            if !own.contains(error) {
                own.push(error.clone());
            }
        }
    }

    /// Marks each selected property without runs and without errors as one that cannot be verified.
    fn check_all_prepared(&mut self, runs: &[Run]) {
        for property in self.selected() {
            let has_run = runs.iter().any(|run| run.property == property.name.value);
            if !has_run && !self.failed.contains_key(&property.name.value) {
                let error = self.unexplained();
                self.fail(property, &[error]);
            }
        }
    }

    /// Reports one error.
    fn refuse(&mut self, error: Diagnostic) {
        let mut found = Diagnostics::new();
        found.push(error);
        self.report(&found);
    }

    /// The selected properties.
    fn selected(&self) -> Vec<&'a Property> {
        self.project.properties.iter().filter(|property| self.is_selected(property)).collect()
    }

    /// Whether a property is selected, and a constraint that it is verified under.
    fn is_selected(&self, property: &Property) -> bool {
        self.selection.contains(property) && !self.indices(property).is_empty()
    }

    /// The selected constraints of a property; none for every provisioning.
    fn indices(&self, property: &Property) -> Vec<Option<usize>> {
        let name = |index: Option<usize>| match index {
            Some(index) => self.project.constraints[index].name.value.as_str(),
            None => ANY,
        };
        let all: Vec<Option<usize>> = match property.constraints.is_empty() {
            true => vec![None],
            false => property.constraints.iter().map(|index| Some(*index)).collect(),
        };
        all.into_iter().filter(|index| self.selection.contains_constraint(name(*index))).collect()
    }

    /// The selected constraints of a property: index and components.
    fn constraints(&self, property: &Property) -> Vec<(Option<usize>, Vec<Component>)> {
        let flags = &self.project.flags;
        let of = |index: Option<usize>| {
            let expression = index.map(|index| &self.project.constraints[index].expression);
            // A project has no constraints with too many combinations.
            (index, components(flags, expression).unwrap_or_default())
        };
        self.indices(property).into_iter().map(of).collect()
    }

    /// Adds diagnostics that were not reported for another run. Whether there is no error among them.
    fn report(&mut self, found: &Diagnostics) -> bool {
        for one in found {
            let mut one = one.clone();
            for label in &mut one.labels {
                label.loc = self.written(label.loc);
            }
            if one.severity == Severity::Error {
                self.attempted.push(one.clone());
            }
            let place = one.outer_place(&self.sources);
            let told = format!("{place:?} {} {}", one.code, one.message);
            if !self.seen.contains(&told) {
                self.seen.push(told);
                self.diagnostics.push(one);
            }
        }
        !found.has_errors()
    }

    /// The position in the formula or timeline of a property, for an offset in its text.
    fn place_in_statement(&self, property: &Property, at: usize) -> Span {
        match &property.statement {
            Statement::Formula(formula) => within_string(&self.sources, formula, at),
            Statement::Timeline(_, path) | Statement::Never(path, _) => {
                let file = self.sources.files().find(|(_, file)| **file.name() == **path);
                let Some((id, file)) = file else { return property.name.at };
                let width = word(file.text().get(at..).unwrap_or_default());
                Span::new(id, at as u32, (at + width) as u32)
            }
            Statement::Safety(_) => property.name.at,
        }
    }

    /// The position in the file of a timeline, for one in the formula that was made of it: that of the
    /// first proposition with the same word.
    fn in_timeline(&self, loc: Loc) -> Option<Loc> {
        let (_, name) = self.timelines.iter().find(|(file, _)| *file == loc.span.file)?;
        let property = self.project.properties.iter().find(|property| property.name.value == *name)?;
        let Statement::Timeline(timeline, _) = &property.statement else { return None };
        let wanted = self.sources.text(loc.span);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut found = timeline.atoms.iter().zip(&timeline.places).filter_map(|(atom, place)| {
            let mut places = atom.match_indices(wanted).map(|(at, _)| at);
            let at = places.find(|at| {
                !atom[..*at].ends_with(is_part) && !atom[at + wanted.len()..].starts_with(is_part)
            });
            Some(self.place_in_statement(property, place + at?))
        });
        found.next().map(Loc::from)
    }

    /// The position in the file of a property, for one in the text that was made of it. Lines and
    /// columns are the same.
    fn written(&self, loc: Loc) -> Loc {
        if let Some(found) = self.in_timeline(loc) {
            return found;
        }
        let Some((_, file)) = self.items.iter().find(|(item, _)| *item == loc.span.file) else { return loc };
        let (made, real) = (self.sources.file(loc.span.file), self.sources.file(*file));
        let offset = |at: u32| {
            let position = made.position(at);
            let line = real.line(position.line);
            let column = position.column as usize - 1;
            let inside = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
            real.line_start(position.line) + inside as u32
        };
        Span::new(*file, offset(loc.span.start), offset(loc.span.end)).into()
    }

    /// Reports flags whose variables cannot be chosen.
    fn unsuitable(&mut self, flags: Vec<(usize, String, &'static str)>) {
        let mut found = Diagnostics::new();
        for (index, problem, remedy) in flags {
            let at = self.project.flags[index].variable.at;
            found.push(Diagnostic::error(FLAG, problem).at(at.into(), "").help(remedy));
        }
        self.report(&found);
    }

    /// The run of a property under a constraint.
    fn run(
        &self,
        property: &Property,
        constraint: Option<usize>,
        subject: Subject,
        content: (String, String),
    ) -> Run {
        let name = constraint.map_or(ANY, |index| &self.project.constraints[index].name.value);
        let options = Options {
            fairness: property.fairness.unwrap_or(self.project.fairness),
            limits: self.project.limits,
        };
        let provisioning = self.provisioning(constraint);
        let subject_of_key = match subject {
            Subject::Model(_) | Subject::Extracted(..) => key::SLICE,
            Subject::Program(..) | Subject::Safety(Safety::Program(..)) => key::PROGRAM,
            Subject::Safety(Safety::Model(..)) => key::MODEL,
        };
        // Properties are read together with the model, but a run is about one of them.
        let is_of_other = |name: &str| {
            name != property.statement_path()
                && self.project.properties.iter().any(|other| other.statement_path() == name)
        };
        let texts = match (subject.program(), subject.model()) {
            (Some(loaded), _) => loaded.texts.clone(),
            (None, model) => texts(&self.sources, &|name| {
                let is_of_model = model.is_some_and(|model| model.files.iter().any(|file| file == name));
                is_of_model && name != promela::PREMISE && !is_of_other(name)
            }),
        };
        let told = format!("fairness {}, {}", options.fairness.name(), limits(&options.limits));
        let key = Key::new(&[
            (subject_of_key, content.0, content.1),
            ("property", statement(&property.statement), statement(&property.statement)),
            ("provisioning", name.to_string(), provisioning),
            ("options", told.clone(), told),
            ("version", format!("Axle {}", env!("CARGO_PKG_VERSION")), env!("CARGO_PKG_VERSION").to_string()),
        ]);
        Run {
            name: format!("{}@{name}", property.name.value),
            property: property.name.value.clone(),
            feature: property.feature.clone(),
            constraint: name.to_string(),
            tags: property.tags.clone(),
            weight: property.weight,
            expected: property.expected,
            subject,
            options,
            key,
            texts,
            premise: None,
            timeline: match &property.statement {
                Statement::Timeline(line, _) => Some(Arc::from(line.clone())),
                _ => None,
            },
            doubt: None,
            member: None,
            safety: (self.project.safety(property.model))
                .map(|(property, checks)| (property.name.value.clone(), checks.clone())),
        }
    }

    /// Lets the runs of a property of a model know of each other, if they are checked for nothing else.
    fn together(&self, model: &Model, components: Vec<Vec<Component>>, runs: &mut [Run]) {
        let is_of_property = |run: &Run| !matches!(run.subject, Subject::Safety(_));
        if !runs.iter().all(is_of_property) {
            return;
        }
        let Some(together) = Together::new(model, &self.project.flags, components) else { return };
        for (number, run) in runs.iter_mut().enumerate() {
            run.member = Some(Member { together: Arc::clone(&together), number });
        }
    }

    /// A constraint as text: the expanded expression, and the flags that occur in it with their
    /// values.
    fn provisioning(&self, constraint: Option<usize>) -> String {
        let Some(index) = constraint else { return ANY.to_string() };
        let flags = &self.project.flags;
        let expression = &self.project.constraints[index].expression;
        let named = expression.replace(&|flag: &usize| {
            crate::project::expression::Expression::Name(flags[*flag].variable.value.clone())
        });
        let mut values = std::collections::BTreeSet::new();
        expression.names(&mut |flag| {
            values.insert(format!("{}: {:?}", flags[*flag].variable.value, flags[*flag].values));
        });
        format!("{named:?} {values:?}")
    }
}

fn limits(limits: &Limits) -> String {
    let memory = limits.memory.map_or("default".to_string(), |bytes| format!("{bytes} bytes"));
    let time = limits.time.map_or("budget".to_string(), |time| format!("{} s", time.as_secs()));
    let workers = limits.workers.map_or_else(String::new, |workers| format!(", workers {workers}"));
    format!("memory {memory}, time {time}{workers}")
}

/// What a property states, with spaces and parentheses in one form.
fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Formula(formula) => match axle_ltl::parse(&formula.value) {
            Ok(parsed) => axle_ltl::print::formula(&parsed.formula, &parsed.atoms),
            Err(_) => formula.value.clone(),
        },
        Statement::Timeline(timeline, _) => {
            axle_ltl::print::formula(&axle_ltl::timeline::formula(timeline), &timeline.atoms)
        }
        Statement::Safety(checks) => format!("no error: {}", checks.names().join(", ")),
        Statement::Never(_, text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// The hash of the names and texts of those files that count.
fn texts(sources: &Sources, counts: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = (sources.files())
        .filter(|(_, file)| counts(file.name()))
        .map(|(_, file)| format!("{} {}\n", file.name(), sha256(file.text().as_bytes())))
        .collect();
    lines.sort();
    lines.dedup();
    sha256(lines.concat().as_bytes())
}

/// The name of a property as an identifier.
fn identifier(name: &str) -> String {
    name.replace('-', "_")
}
