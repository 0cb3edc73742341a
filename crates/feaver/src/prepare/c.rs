//! The programs of a project's runs: the C files, the drivers, and a generated file that chooses the
//! provisioning.
//!
//! The key of a run contains the program as lowered, without names of files, locations and functions
//! that `main` does not lead to. Which of its steps matter is known after a search only
//! ([`super::footprint`]).
//!
//! *Entry point:* [`Preparer::programs`].

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_c::{Program, compile};
use axle_check::program::{self, RunProperty};
use axle_evidence::sha256::sha256;
use axle_source::{CommandLine, Diagnostic, Diagnostics, Loader, Sources};

use super::{LoadedProgram, Preparer, Run, Subject, identifier};
use crate::codes::{EXCLUSIVE, NO_FILE, VALUE};
use crate::project::{Property, Statement};
use crate::provisioning::{Component, program as choice};

/// The largest file of C.
const LARGEST: u64 = 64 << 20;

impl Preparer<'_> {
    /// The runs of a C program.
    pub(super) fn programs(&mut self) -> Vec<Run> {
        if !self.project.subject.tables.is_empty() {
            return self.extracted();
        }
        let Some((plain, _)) = self.program(None) else { return Vec::new() };
        let mut known: BTreeMap<Option<usize>, (Arc<LoadedProgram>, String)> = BTreeMap::new();
        let mut runs = Vec::new();
        for property in self.selected() {
            let Some(text) = self.formula(property, &plain) else { continue };
            for (constraint, components) in self.constraints(property) {
                let (loaded, whole) = match known.get(&constraint) {
                    Some(loaded) => loaded.clone(),
                    None => {
                        let Some(loaded) = self.provisioned(&plain, &components) else { return Vec::new() };
                        let whole = sha256(axle_c::canonical::whole(&loaded.program).as_bytes());
                        known.insert(constraint, (Arc::clone(&loaded), whole.clone()));
                        (loaded, whole)
                    }
                };
                let own = match self.project.flags.is_empty() {
                    true => text.clone(),
                    false => choice::formula(&text, &self.project.flags),
                };
                let Some(formula) = self.stated(property, &own, &loaded.program) else { break };
                let summary = "the functions that `main` leads to, without locations".to_string();
                let content = (summary, format!("{whole}\n{}", formula.shape(&loaded.program)));
                let subject = Subject::Program(loaded, Box::new(formula));
                runs.push(self.run(property, constraint, subject, content));
            }
        }
        runs
    }

    /// The program under a provisioning, without a property.
    pub(super) fn whole_program(&mut self, components: &[Component]) -> Option<Arc<LoadedProgram>> {
        let (plain, _) = self.program(None)?;
        self.provisioned(&plain, components)
    }

    /// The program with a choice of the provisioning.
    fn provisioned(&mut self, plain: &Program, components: &[Component]) -> Option<Arc<LoadedProgram>> {
        let flags = &self.project.flags;
        let generated = match flags.is_empty() {
            true => None,
            false => match choice::source(plain, flags, components) {
                Ok(text) => Some(text),
                Err(unsuitable) => {
                    self.unsuitable(unsuitable);
                    return None;
                }
            },
        };
        let (mut program, sources) = self.program(generated.as_deref())?;
        // Formulas may observe local variables.
        let observes = |property: &&Property| super::statement(&property.statement).contains("::");
        if self.project.properties.iter().any(|property| observes(&property)) {
            program.keep_locals();
        }
        let subject = &self.project.subject;
        let files = subject.c.iter().chain(&subject.drivers).cloned().collect();
        let arguments = subject.define.iter().map(|define| format!("-D{define}")).collect();
        Some(Arc::new(LoadedProgram { program, sources, files, arguments }))
    }

    /// Compiles the program, with a generated file.
    fn program(&mut self, generated: Option<&str>) -> Option<(Program, Sources)> {
        let project = self.project;
        let subject = &project.subject;
        // Reports of a program refer to its own files only.
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let mut mains = Vec::new();
        for path in subject.c.iter().chain(&subject.drivers) {
            let Ok(bytes) = project.folder.load(path, LARGEST) else {
                let message = format!("`{path}` is gone or too large");
                self.diagnostics.push(Diagnostic::error(NO_FILE, message));
                return None;
            };
            let (main, doubt) = sources.add_bytes(path, &bytes);
            found.extend(doubt);
            mains.push(main);
        }
        mains.extend(generated.map(|text| sources.add(choice::FILE, text)));
        let options = axle_c::Options {
            include_dirs: subject.include.clone(),
            command_line: subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect(),
            ..axle_c::Options::default()
        };
        let program = compile(&mains, &options, &project.folder, &mut sources, &mut found);
        let is_valid = self.moved(&found, &sources);
        program.filter(|_| is_valid).map(|program| (program, sources))
    }

    /// Reports diagnostics whose files are in another table: those are added to the table of the
    /// project.
    fn moved(&mut self, found: &Diagnostics, program: &Sources) -> bool {
        let mut moved = Diagnostics::new();
        let mut files = BTreeMap::new();
        for one in found {
            let mut own = one.clone();
            for label in &mut own.labels {
                // Macro expansions belong to the other table.
                let span = program.outermost(label.loc);
                let file = program.file(span.file);
                let id = *files
                    .entry(span.file.index())
                    .or_insert_with(|| self.sources.add(file.name(), file.text()));
                label.loc = axle_source::Span::new(id, span.start, span.end).into();
            }
            moved.push(own);
        }
        self.report(&moved)
    }

    /// The formula of a property, checked against the program.
    fn formula(&mut self, property: &Property, program: &Program) -> Option<String> {
        let text = match &property.statement {
            Statement::Formula(formula) => formula.value.clone(),
            Statement::Timeline(timeline, _) => {
                let atoms: Vec<String> = timeline.atoms.iter().map(|atom| in_braces(atom)).collect();
                axle_ltl::print::formula(&axle_ltl::timeline::formula(timeline), &atoms)
            }
            Statement::Never(..) => {
                let message = "a C program has no never claims";
                self.diagnostics.push(Diagnostic::error(EXCLUSIVE, message).at(property.name.at.into(), ""));
                return None;
            }
        };
        self.stated(property, &text, program)?;
        Some(text)
    }

    fn stated(&mut self, property: &Property, text: &str, program: &Program) -> Option<RunProperty> {
        let given = format!("{}={text}", identifier(&property.name.value));
        match program::formula(program, &given, 1) {
            Ok(formula) => Some(formula),
            Err(message) => {
                let at = match &property.statement {
                    Statement::Formula(formula) => formula.at,
                    Statement::Timeline(..) | Statement::Never(..) => property.name.at,
                };
                let problem = message.lines().next().unwrap_or_default().to_string();
                let mut found = Diagnostics::new();
                found.push(Diagnostic::error(VALUE, problem).at(at.into(), ""));
                self.report(&found);
                None
            }
        }
    }
}

fn in_braces(atom: &str) -> String {
    match atom.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => atom.to_string(),
        false => format!("{{{atom}}}"),
    }
}
