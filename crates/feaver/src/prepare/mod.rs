//! From a project to its runs: one for each property and each constraint that it is verified under.
//!
//! *Entry point:* [`prepare`].
//! *Invariant:* the order of runs and their names and keys depend on the project only.

mod c;
pub mod canonical;
mod extracted;
pub mod footprint;
pub mod key;
mod promela;
pub mod software;

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_c::Program;
use axle_check::program::RunProperty;
use axle_check::{Check, ProgramCheck};
use axle_evidence::sha256::sha256;
use axle_model::Model;
use axle_source::{Diagnostic, Diagnostics, FileId, Loc, Sources, Span};

use crate::abstraction::Rows;
use crate::codes::FLAG;
use crate::project::safety::Checks;
use crate::project::{Expected, Fairness, Limits, Loaded, Project, Property, Statement};
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
    /// The property that the software has no errors, and its checks; none if the project does not
    /// check it.
    pub safety: Option<(String, Checks)>,
    /// Why the property is undecided if it holds: the program writes a flag that the constraint is about.
    pub doubt: Option<String>,
}

impl Run {
    /// The run of a program that writes the variables of these flags.
    fn with_written(mut self, project: &Project, written: &[usize], constraint: Option<usize>) -> Run {
        let Some(constraint) = constraint else { return self };
        let mut found = None;
        project.constraints[constraint].expression.names(&mut |flag| {
            if written.contains(flag) {
                found.get_or_insert(*flag);
            }
        });
        self.doubt = found.map(|flag| {
            let flag = &project.flags[flag];
            format!(
                "holds, but the program writes `{}`, so the constraint does not apply to all of the execution",
                flag.variable.value
            )
        });
        self
    }
}

/// What a run checks.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A model with one property.
    Model(Arc<Model>),
    /// A model that was extracted from a C program, and the labels of the rows of its tables.
    Extracted(Arc<Model>, Arc<Rows>),
    /// A C program and a formula.
    Program(Arc<LoadedProgram>, Box<RunProperty>),
    /// The software itself.
    Safety(Safety),
}

/// The software, and the checks that are made of it.
#[derive(Clone, Debug)]
pub enum Safety {
    /// A C program.
    Program(Arc<LoadedProgram>, BTreeSet<ProgramCheck>),
    /// A model, and the labels of the rows of its tables if it was extracted.
    Model(Arc<Model>, Arc<Rows>, BTreeSet<Check>),
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
    /// The runs, by property and constraint; none if there are errors.
    pub runs: Vec<Run>,
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
}

impl Selection {
    /// Whether a property is selected.
    #[must_use]
    pub fn contains(&self, property: &Property) -> bool {
        let feature = property.feature.as_ref();
        (self.properties.is_empty() || self.properties.contains(&property.name.value))
            && (self.features.is_empty() || feature.is_some_and(|feature| self.features.contains(feature)))
    }
}

/// Prepares the selected runs of a loaded project.
#[must_use]
pub fn prepare(loaded: Loaded, selection: &Selection) -> Prepared {
    let Loaded { project, sources, diagnostics } = loaded;
    let Some(project) = project else { return Prepared { runs: Vec::new(), sources, diagnostics } };
    let mut preparer = Preparer {
        project: &project,
        sources,
        diagnostics: Diagnostics::new(),
        selection,
        items: Vec::new(),
        seen: Vec::new(),
    };
    let runs = match project.subject.promela.is_empty() {
        true => preparer.programs(),
        false => preparer.models(),
    };
    let mut all = Diagnostics::new();
    all.extend(diagnostics.iter().chain(preparer.diagnostics.iter()).cloned());
    all.sort(&preparer.sources);
    let runs = if all.has_errors() { Vec::new() } else { runs };
    Prepared { runs, sources: preparer.sources, diagnostics: all }
}

/// What is needed to prepare runs.
struct Preparer<'a> {
    project: &'a Project,
    sources: Sources,
    diagnostics: Diagnostics,
    selection: &'a Selection,
    /// Texts that were made of properties, with the files of these.
    items: Vec<(FileId, FileId)>,
    /// Places and messages of reported diagnostics: several runs read the same files.
    seen: Vec<String>,
}

impl<'a> Preparer<'a> {
    /// The selected properties.
    fn selected(&self) -> Vec<&'a Property> {
        let selection = self.selection;
        self.project.properties.iter().filter(|property| selection.contains(property)).collect()
    }

    /// The constraints of a property: name and components.
    fn constraints(&self, property: &Property) -> Vec<(Option<usize>, Vec<Component>)> {
        let flags = &self.project.flags;
        let of = |index: Option<usize>| {
            let expression = index.map(|index| &self.project.constraints[index].expression);
            // A project has no constraints with too many combinations.
            (index, components(flags, expression).unwrap_or_default())
        };
        match property.constraints.is_empty() {
            true => vec![of(None)],
            false => property.constraints.iter().map(|index| of(Some(*index))).collect(),
        }
    }

    /// Adds diagnostics that were not reported for another run.
    fn report(&mut self, found: &Diagnostics) -> bool {
        for one in found {
            let mut one = one.clone();
            for label in &mut one.labels {
                label.loc = self.written(label.loc);
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

    /// The position in the file of a property, for one in the text that was made of it. Lines and
    /// columns are the same.
    fn written(&self, loc: Loc) -> Loc {
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
            Subject::Model(_) | Subject::Extracted(..) => "slice",
            Subject::Program(..) | Subject::Safety(Safety::Program(..)) => "program",
            Subject::Safety(Safety::Model(..)) => "model",
        };
        // Properties are read together with the model, but a run is about one of them.
        let is_of_other = |name: &str| {
            name != property.statement_path()
                && self.project.properties.iter().any(|other| other.statement_path() == name)
        };
        let texts = match (subject.program(), subject.model()) {
            (Some(loaded), _) => loaded.texts.clone(),
            (None, model) => texts(&self.sources, &|name| {
                model.is_some_and(|model| model.files.iter().any(|file| file == name)) && !is_of_other(name)
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
            doubt: None,
            safety: (self.project.safety(property.model))
                .map(|(property, checks)| (property.name.value.clone(), checks.clone())),
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
    format!("memory {memory}, time {time}")
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
