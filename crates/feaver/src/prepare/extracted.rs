//! Models that are extracted from a C program through abstraction tables.
//!
//! The program, the tables, the wrapper and the drivers are those of the manifest. The flags of the
//! project are chosen in the model and, for the confirmation of counterexamples, in the program.
//!
//! *Entry point:* [`Preparer::extracted`].
//! *Invariant:* the program and the labels of all rows accompany the model, so that no verdict says more
//! of the program than they allow; the key of a run contains them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_model::Model;
use axle_promela::Meaning;
use axle_source::{CommandLine, Diagnostic, Diagnostics, Dialect, FileId, Options};
use axle_tabled::{Compiled, Extracted, NamedTable, Origin, Original, Refusal, Rows, SourceProgram};

use super::promela::taken_premise;
use super::{Preparer, Run, Safety, Subject};
use crate::codes::MISSING_KEY;
use crate::project::safety::Checks;
use crate::project::{MANIFEST, Property, Statement};
use crate::provisioning::{Component, program as choice};

/// The programs on which counterexamples are confirmed.
#[derive(Default)]
struct Originals {
    /// Without provisioning.
    plain: Option<Arc<Original>>,
    /// Under constraints.
    provisioned: BTreeMap<Option<usize>, Arc<Original>>,
}

impl<'p> Preparer<'p> {
    /// The runs of a project of extracted models.
    pub(super) fn extracted(&mut self) -> Vec<Run> {
        let all: Vec<&'p Property> = self.project.properties.iter().collect();
        let mut originals = Originals::default();
        if let Ok(extracted) = self.attempt(|own| own.extract(&all)) {
            return self.runs_of_extracted(&extracted, &all, &mut originals);
        }
        // The generated wrapper declares the variables of all properties, and not each can be declared.
        let mut runs = Vec::new();
        for property in self.selected() {
            match self.attempt(|own| own.extract(&[property])) {
                Ok(extracted) => {
                    runs.extend(self.runs_of_extracted(&extracted, &[property], &mut originals));
                }
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The runs of properties of these processes.
    fn runs_of_extracted(
        &mut self,
        extracted: &Extracted,
        all: &[&'p Property],
        originals: &mut Originals,
    ) -> Vec<Run> {
        let compile = |own: &mut Self, properties: &[&Property], found: &mut Diagnostics| {
            own.compile_extracted(extracted, properties, found)
        };
        let mut runs = Vec::new();
        for (property, Compiled { mut model, rows, .. }) in self.each(all, &compile) {
            let premise = taken_premise(&mut model);
            let is_safety = matches!(property.statement, Statement::Safety(_));
            let own = |preparer: &mut Self| {
                if !is_safety && !preparer.only(&mut model, property) {
                    return None;
                }
                let (mut runs, mut all) = (Vec::new(), Vec::new());
                for (constraint, components) in preparer.constraints(property) {
                    let original = preparer.original(&extracted.source, constraint, &components, originals);
                    let origin = Arc::new(Origin { rows: Arc::clone(&rows), original });
                    let content = content(&rows, &origin.original);
                    let subject = |model: Arc<Model>| match &property.statement {
                        Statement::Safety(Checks::Model(checks)) => {
                            let origin = Some(Arc::clone(&origin));
                            Subject::Safety(Safety::Model(model, origin, checks.clone()))
                        }
                        _ => Subject::Extracted(model, Arc::clone(&origin)),
                    };
                    let stated = (property, premise.as_ref());
                    let constraint = (constraint, &components[..]);
                    runs.push(preparer.run_of_model(stated, &model, &content, constraint, &subject)?);
                    all.push(components);
                }
                preparer.together(&model, all, &mut runs);
                Some(runs)
            };
            match self.attempt(own) {
                Ok(own) => runs.extend(own),
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The program under a constraint with these components.
    fn original(
        &mut self,
        source: &SourceProgram,
        constraint: Option<usize>,
        components: &[Component],
        known: &mut Originals,
    ) -> Arc<Original> {
        let (flags, folder, sources) = (&self.project.flags, &self.project.folder, &self.sources);
        let compile = || Arc::new(Original::compile(source, &[], folder, sources));
        let plain = Arc::clone(known.plain.get_or_insert_with(compile));
        let Some(program) = plain.program().filter(|_| !flags.is_empty()) else { return plain };
        let provision = || match choice::source(program, flags, components) {
            Ok(text) => {
                let mut sources = sources.clone();
                let chosen = sources.add(choice::FILE, &text);
                Arc::new(Original::compile(source, &[chosen], folder, &sources))
            }
            Err(_) => Arc::new(Original::unusable("the flags of the project cannot be chosen in it")),
        };
        Arc::clone(known.provisioned.entry(constraint).or_insert_with(provision))
    }

    /// The extracted model without a property.
    pub(super) fn extracted_model(&mut self) -> Option<Compiled> {
        let all: Vec<&Property> = self.project.properties.iter().collect();
        let extracted = match self.attempt(|own| own.extract(&all)) {
            Ok(extracted) => extracted,
            Err(_) => self.extract(&[])?,
        };
        let compile = |own: &mut Self, properties: &[&Property], found: &mut Diagnostics| {
            own.compile_extracted(&extracted, properties, found)
        };
        self.compiled(&[], &compile)
    }

    /// Extracts the processes of the model. A wrapper that is generated declares the variables that these
    /// properties name.
    fn extract(&mut self, properties: &[&Property]) -> Option<Extracted> {
        let project = self.project;
        let subject = &project.subject;
        let files = subject.c.iter().map(|path| self.added(path)).collect::<Option<Vec<_>>>()?;
        let options = axle_c::Options {
            include_dirs: subject.include.clone(),
            command_line: subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect(),
            ..axle_c::Options::default()
        };
        let mut found = Diagnostics::new();
        let source = SourceProgram::open(files, options, &project.folder, &mut self.sources, &mut found);
        if !self.report(&found) {
            return None;
        }
        let mut tables = Vec::new();
        for path in &subject.tables {
            let file = self.added(path)?;
            let mut found = Diagnostics::new();
            tables.push(NamedTable::read(file, &source, &self.sources, &mut found));
            if !self.report(&found) {
                return None;
            }
        }
        let wrapper = match &subject.wrapper {
            Some(path) => Some(self.added(path)?),
            None => None,
        };
        let mut found = Diagnostics::new();
        let appended = self.appended(properties, &mut found)?;
        let source = Arc::new(source);
        let (formula, texts) = (subject.derive.as_deref(), (&mut self.sources, &mut found));
        let extracted = Extracted::new(&source, &tables, wrapper, &appended, formula, texts);
        self.report(&found);
        match extracted {
            Ok(mut extracted) => {
                extracted.is_wrapped |= !subject.drivers.is_empty();
                Some(extracted)
            }
            Err(Refusal::Invalid) => None,
            Err(refusal) => {
                self.refuse(Diagnostic::error(MISSING_KEY, sentence(&refusal)));
                None
            }
        }
    }

    /// A file of the project; reports why it cannot be read.
    fn added(&mut self, path: &str) -> Option<FileId> {
        let mut found = Diagnostics::new();
        let file = self.add(path, &mut found);
        self.report(&found);
        file
    }

    /// The drivers and properties that stand behind the wrapper.
    fn appended(&mut self, properties: &[&Property], found: &mut Diagnostics) -> Option<Vec<FileId>> {
        let project = self.project;
        let mut appended = Vec::new();
        for driver in &project.subject.drivers {
            appended.push(self.add(driver, found)?);
        }
        for property in properties {
            appended.extend(self.item(property));
        }
        Some(appended)
    }

    /// Compiles the wrapper, the drivers and properties.
    fn compile_extracted(
        &mut self,
        extracted: &Extracted,
        properties: &[&Property],
        found: &mut Diagnostics,
    ) -> Option<Compiled> {
        let project = self.project;
        let subject = &project.subject;
        let mut options = Options::new(Dialect::Promela);
        options.appended = self.appended(properties, found)?;
        options.include_dirs.clone_from(&subject.include);
        options.command_line =
            subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect();
        extracted.compile(&options, &Meaning::default(), &project.folder, &mut self.sources, found)
    }
}

/// What a verdict depends on besides the model.
fn content(rows: &Rows, original: &Original) -> String {
    format!("{}\n{}", rows.text(), original.canonical())
}

/// Why there is no model.
fn sentence(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Invalid => "the program or a table has errors".to_string(),
        Refusal::NoProcess => {
            "the wrapper includes no `FUNCTION.spn`, so there is nothing to extract".to_string()
        }
        Refusal::NoFunction => {
            "no table is named after a function, and there is no `main`: add a `wrapper`".to_string()
        }
        Refusal::NoTable(function) => {
            format!("`{function}` has no table; add `{function}.lut` to `tables` in {MANIFEST}")
        }
        Refusal::NoRows { table, reason } => format!("`derive` determines no rows of `{table}`: {reason}"),
        Refusal::Ambiguous { function, tables: [one, other] } => {
            format!("`{one}` and `{other}` could both be the table of `{function}`")
        }
    }
}
