//! Models that are extracted from a C program through abstraction tables.
//!
//! The tables are synchronised with the source in memory; statements without a row follow the
//! default and are reported as decisions to take. The wrapper includes the extracted processes as
//! files `FUNCTION.spn`, which exist in memory only.
//!
//! *Entry point:* [`Preparer::extracted`].
//! *Source:* G. J. Holzmann, *Software Model Checking*, 2000; `axle_extract`.
//! *Invariant:* the labels of all rows accompany the model, so that no verdict says more of the
//! program than they allow.

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_extract::{
    Extraction, Form, Judged, Program, Request, Surveyed, Table, declarations, open, synchronise, table,
    wrapper,
};
use axle_model::Model;
use axle_promela::{Meaning, lower};
use axle_source::{
    CommandLine, Diagnostic, Diagnostics, Dialect, FileId, LoadError, Loader, Options, Token, TokenKind,
    preprocess,
};

use super::promela::taken_premise;
use super::{Preparer, Run, Safety, Subject};
use crate::abstraction::{Row, Rows};
use crate::codes::MISSING_KEY;
use crate::project::folder::Folder;
use crate::project::safety::Checks;
use crate::project::{MANIFEST, Property, Statement};

/// An extracted process and its table.
struct Process {
    extraction: Extraction,
    table: Table,
}

/// The processes of a project, and the program that they come from.
struct Extracted {
    program: Program,
    processes: Vec<Process>,
    wrapper: FileId,
}

/// The files of the project, and the processes as files among them.
struct WithProcesses<'a>(&'a Folder, &'a [Process]);

impl Loader for WithProcesses<'_> {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        match process_of(self.1, path) {
            Some(process) => Ok(process.extraction.text.clone().into_bytes()),
            None => self.0.load(path, limit),
        }
    }
}

fn process_of<'a>(processes: &'a [Process], file: &str) -> Option<&'a Process> {
    let name = file.rsplit('/').next().unwrap_or(file).strip_suffix(".spn")?;
    processes.iter().find(|process| process.extraction.function == name)
}

/// A model, and the labels of the rows that it was made by.
pub(super) struct Compiled {
    pub model: Model,
    pub rows: Rows,
}

impl<'p> Preparer<'p> {
    /// The runs of a project of extracted models.
    pub(super) fn extracted(&mut self) -> Vec<Run> {
        let all: Vec<&'p Property> = self.project.properties.iter().collect();
        if let Ok(extracted) = self.attempt(|own| own.extract(&all)) {
            return self.runs_of_extracted(&extracted, &all);
        }
        // The generated wrapper declares the variables of all properties, and not each can be declared.
        let mut runs = Vec::new();
        for property in self.selected() {
            match self.attempt(|own| own.extract(&[property])) {
                Ok(extracted) => runs.extend(self.runs_of_extracted(&extracted, &[property])),
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The runs of properties of these processes.
    fn runs_of_extracted(&mut self, extracted: &Extracted, all: &[&'p Property]) -> Vec<Run> {
        let compile = |own: &mut Self, properties: &[&Property], found: &mut Diagnostics| {
            own.compile_extracted(extracted, properties, found)
        };
        let mut runs = Vec::new();
        for (property, Compiled { mut model, rows }) in self.each(all, &compile) {
            let rows = Arc::new(rows);
            let subject = |model: Arc<Model>| Subject::Extracted(model, Arc::clone(&rows));
            let premise = taken_premise(&mut model);
            let own = |preparer: &mut Self| {
                let stated = (property, premise.as_ref());
                if let Statement::Safety(Checks::Model(checks)) = &property.statement {
                    let subject =
                        |model| Subject::Safety(Safety::Model(model, Arc::clone(&rows), checks.clone()));
                    return Some(preparer.runs_of_model(stated, &model, &rows.text(), &subject));
                }
                preparer
                    .only(&mut model, property)
                    .then(|| preparer.runs_of_model(stated, &model, &rows.text(), &subject))
            };
            match self.attempt(own) {
                Ok(own) => runs.extend(own),
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The extracted model without a property.
    pub(super) fn extracted_model(&mut self) -> Option<Model> {
        let all: Vec<&Property> = self.project.properties.iter().collect();
        let extracted = match self.attempt(|own| own.extract(&all)) {
            Ok(extracted) => extracted,
            Err(_) => self.extract(&[])?,
        };
        let compile = |own: &mut Self, properties: &[&Property], found: &mut Diagnostics| {
            own.compile_extracted(&extracted, properties, found)
        };
        self.compiled(&[], &compile).map(|compiled| compiled.model)
    }

    /// Extracts the processes that the wrapper includes. A wrapper that is generated declares the
    /// variables that these properties name.
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
        let program = open(&files, &options, &project.folder, &mut self.sources, &mut found);
        if !self.report(&found) {
            return None;
        }
        let mut tables = Vec::new();
        for path in &subject.tables {
            let file = self.added(path)?;
            let mut found = Diagnostics::new();
            let table = table::read(file, &program.unit.types, &self.sources, &mut found);
            if !self.report(&found) {
                return None;
            }
            tables.push((stem(path).to_string(), table));
        }
        let given = match &subject.wrapper {
            Some(path) => Some(self.added(path)?),
            None => None,
        };
        let wanted = match given {
            Some(wrapper) => wrapper::wanted(self.sources.file(wrapper).text()),
            None => wrapper::unwrapped(&program, &tables),
        };
        if wanted.is_empty() {
            let message = "the wrapper includes no `FUNCTION.spn`, so there is nothing to extract";
            self.refuse(Diagnostic::error(MISSING_KEY, message));
            return None;
        }
        let table = |function: &str| table_of(&tables, &program, function).ok().map(|index| &tables[index].1);
        let wanted = wrapper::with_threads(&program, wanted, table, given.is_none());
        let mut groups: BTreeMap<usize, Vec<&(String, Form)>> = BTreeMap::new();
        for one in &wanted {
            match table_of(&tables, &program, &one.0) {
                Ok(index) => groups.entry(index).or_default().push(one),
                Err(message) => {
                    self.refuse(Diagnostic::error(MISSING_KEY, message));
                    return None;
                }
            }
        }
        let mut processes = Vec::new();
        for (index, wanted) in groups {
            processes.extend(self.processes(&program, &subject.tables[index], &tables[index].1, &wanted)?);
        }
        let wrapper = match given {
            Some(wrapper) => wrapper,
            None => {
                // Formulas and drivers name variables, too.
                let mut others = Vec::new();
                for driver in &subject.drivers {
                    others.push(self.added(driver)?);
                }
                for property in properties {
                    others.extend(self.item(property));
                }
                let others: Vec<&str> =
                    others.iter().map(|file| &**self.sources.file(*file).text()).collect();
                let others = others.join("\n");
                let mut found = Diagnostics::new();
                let tables: Vec<&Table> = processes.iter().map(|process| &process.table).collect();
                let extractions: Vec<&Extraction> =
                    processes.iter().map(|process| &process.extraction).collect();
                let text = declarations::wrapper(&program, &tables, &extractions, &others, &mut found);
                if !self.report(&found) {
                    return None;
                }
                self.sources.add("<wrapper>", &text)
            }
        };
        Some(Extracted { program, processes, wrapper })
    }

    /// A file of the project; reports why it cannot be read.
    fn added(&mut self, path: &str) -> Option<FileId> {
        let mut found = Diagnostics::new();
        let file = self.add(path, &mut found);
        self.report(&found);
        file
    }

    /// The processes of functions that share a table.
    fn processes(
        &mut self,
        program: &Program,
        path: &str,
        before: &Table,
        wanted: &[&(String, Form)],
    ) -> Option<Vec<Process>> {
        let mut found = Diagnostics::new();
        let shared: Vec<Surveyed> =
            wanted.iter().filter_map(|(function, _)| program.survey(function, false, &mut found)).collect();
        if !self.report(&found) {
            return None;
        }
        let mut found = Diagnostics::new();
        let next = synchronise(program, &shared, Some(before), path, &mut self.sources, &mut found);
        found.extend(next.changes.iter().map(|change| change.diagnostic(path)));
        let mut processes = Vec::new();
        for (function, form) in wanted {
            let request = Request { function: function.clone(), form: *form };
            let extraction =
                axle_extract::extract(program, &request, &next.table, &shared, &self.sources, &mut found);
            processes.extend(extraction.map(|extraction| Process { extraction, table: next.table.clone() }));
        }
        self.report(&found).then_some(processes)
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
        for driver in &subject.drivers {
            options.appended.push(self.add(driver, found)?);
        }
        for property in properties {
            let items = self.item(property);
            options.appended.extend(items);
        }
        options.include_dirs.clone_from(&subject.include);
        options.command_line =
            subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect();
        let loader = WithProcesses(&project.folder, &extracted.processes);
        let tokens = preprocess(extracted.wrapper, &options, &loader, &mut self.sources, found);
        let tree = axle_promela::parse(&tokens, &mut self.sources, found);
        let model = lower(&tree, &self.sources, &Meaning::default(), found);
        let rows = self.rows(extracted, &tokens.tokens);
        Some(Compiled { model: model?, rows })
    }

    /// The labels of all rows, in the surroundings that the model gives them.
    fn rows(&self, extracted: &Extracted, tokens: &[Token]) -> Rows {
        let processes = &extracted.processes;
        let mut own = vec![String::new(); processes.len()];
        let mut around = String::new();
        for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
            let file = self.sources.place(self.sources.outermost(token.loc())).file;
            let from = process_of(processes, &file);
            let index = from.and_then(|from| processes.iter().position(|one| std::ptr::eq(one, from)));
            let text = index.map_or(&mut around, |index| &mut own[index]);
            text.push_str(&token.text);
            text.push(' ');
        }
        let others: String = own.concat();
        let mut rows = Rows::default();
        for (process, own) in processes.iter().zip(&own) {
            let Process { extraction, table } = process;
            let judged = extraction.judge(&extracted.program, table, own, &around, &others);
            let row = |(of, judged): (&axle_extract::Use, Judged)| Row {
                label: judged.label,
                may_block: of.item.may_block(),
                text: format!("{}: {} ({}) {}", judged.label.name(), of.item.shown(), table.name, judged.why),
            };
            let all = extraction.uses.iter().zip(judged).map(row).collect();
            let lines = extraction.map.iter().map(|(line, _)| {
                (*line, extraction.executed(*line).into_iter().map(|(index, _)| index).collect())
            });
            rows.add(&extraction.function, lines.collect(), all);
        }
        rows
    }
}

/// The table of a function: the one with its name, or the only one that is named after no function.
/// Otherwise the reason why there is none.
fn table_of(tables: &[(String, Table)], program: &Program, function: &str) -> Result<usize, String> {
    if let Some(index) = tables.iter().position(|(stem, _)| stem == function) {
        return Ok(index);
    }
    let shared = tables.iter().enumerate().filter(|(_, (stem, _))| program.unit.function(stem).is_none());
    let shared: Vec<(usize, &str)> = shared.map(|(index, (_, table))| (index, &*table.name)).collect();
    match shared[..] {
        [(index, _)] => Ok(index),
        [] => Err(format!("`{function}` has no table; add `{function}.lut` to `tables` in {MANIFEST}")),
        [(_, one), (_, other), ..] => {
            Err(format!("`{one}` and `{other}` could both be the table of `{function}`"))
        }
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
