//! The models of a project's runs: the Promela file, its drivers and the property are compiled
//! together, so that macros, names and types mean in a property what they mean in the model.
//!
//! *Entry point:* [`Preparer::models`].
//! *Invariant:* a model has exactly one property, that of its run.

use std::sync::Arc;

use axle_model::Model;
use axle_promela::Options;
use axle_source::{CommandLine, Diagnostic, Diagnostics, FileId, Loader, Severity};

use super::{Preparer, Run, Safety, Subject, canonical, identifier};
use crate::abstraction::Rows;
use crate::codes::{FLAG, NO_FILE, REFERENCE};
use crate::project::safety::Checks;
use crate::project::{Property, Statement};
use crate::provisioning::model::provision;

/// The largest model file.
const LARGEST: u64 = 64 << 20;

impl Preparer<'_> {
    /// The runs of a project of models.
    pub(super) fn models(&mut self) -> Vec<Run> {
        // With all its properties, a model has its errors once, and no variable appears unused.
        let mut valid = true;
        for index in 0..self.project.subject.promela.len() {
            let all: Vec<&Property> =
                self.project.properties.iter().filter(|property| property.model == index).collect();
            valid &= self.compile(index, &all, Severity::Warning).is_some();
        }
        let mut runs = Vec::new();
        for property in self.selected() {
            if !valid {
                break;
            }
            let compiled = self.compile(property.model, &[property], Severity::Error);
            let Some(mut model) = compiled else { continue };
            if let Statement::Safety(Checks::Model(checks)) = &property.statement {
                let rows = Arc::new(Rows::default());
                let subject =
                    |model| Subject::Safety(Safety::Model(model, Arc::clone(&rows), checks.clone()));
                runs.extend(self.runs_of_model(property, &model, "", &subject));
                continue;
            }
            if !self.only(&mut model, property) {
                continue;
            }
            runs.extend(self.runs_of_model(property, &model, "", &Subject::Model));
        }
        runs
    }

    /// The runs of a property of a model. `more`: what the verdicts depend on besides.
    pub(super) fn runs_of_model(
        &mut self,
        property: &Property,
        model: &Model,
        more: &str,
        subject: &dyn Fn(Arc<Model>) -> Subject,
    ) -> Vec<Run> {
        let mut runs = Vec::new();
        for (constraint, components) in self.constraints(property) {
            let mut own = model.clone();
            if let Err(unsuitable) = provision(&mut own, &self.project.flags, &components) {
                self.unsuitable(unsuitable);
                break;
            }
            if let Some(broken) = axle_model::verify::verify(&own).first() {
                let message = format!("internal error: the provisioned model is not well formed: {broken}");
                self.diagnostics.push(Diagnostic::error(FLAG, message));
                break;
            }
            let flags = &self.project.flags;
            let (summary, text) = match property.statement {
                Statement::Safety(_) => {
                    let summary = "the whole model: all of its executions are checked";
                    (summary.to_string(), canonical::all(model, flags, &components))
                }
                _ => {
                    let canonical = canonical::text(model, flags, &components);
                    let summary = match canonical.whole {
                        None => "the part of the model that the property depends on".to_string(),
                        Some(reason) => format!("the whole model: {reason}"),
                    };
                    (summary, canonical.text)
                }
            };
            let content = (summary, text + more);
            runs.push(self.run(property, constraint, subject(Arc::new(own)), content));
        }
        runs
    }

    /// Compiles a model with properties behind it; reports diagnostics that are at least as bad as
    /// `least`.
    pub(super) fn compile(
        &mut self,
        index: usize,
        properties: &[&Property],
        least: Severity,
    ) -> Option<Model> {
        let project = self.project;
        let subject = &project.subject;
        let main = self.add(&subject.promela[index])?;
        let mut appended = Vec::new();
        for driver in &subject.drivers {
            appended.push(self.add(driver)?);
        }
        for property in properties {
            appended.extend(self.item(property));
        }
        let mut options = Options::default();
        options.preprocessor.include_dirs.clone_from(&subject.include);
        options.preprocessor.command_line =
            subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect();
        options.preprocessor.appended = appended;
        let mut found = Diagnostics::new();
        let model = axle_promela::compile(&mut self.sources, main, &project.folder, &options, &mut found);
        let mut reported = Diagnostics::new();
        reported.extend(found.iter().filter(|one| one.severity <= least).cloned());
        if !self.report(&reported) {
            return None;
        }
        model
    }

    /// A file of the project.
    pub(super) fn add(&mut self, path: &str) -> Option<FileId> {
        match self.project.folder.load(path, LARGEST) {
            Ok(bytes) => {
                let (file, doubt) = self.sources.add_bytes(path, &bytes);
                let mut found = Diagnostics::new();
                found.extend(doubt);
                self.report(&found);
                Some(file)
            }
            // It was there when the manifest was read.
            Err(_) => {
                let message = format!("`{path}` is gone or too large");
                self.diagnostics.push(Diagnostic::error(NO_FILE, message));
                None
            }
        }
    }

    /// A property as Promela, in files whose lines and columns are those of the property.
    pub(super) fn item(&mut self, property: &Property) -> Vec<FileId> {
        let head = format!("ltl {} {{\n", identifier(&property.name.value));
        match &property.statement {
            Statement::Formula(formula) => {
                let place = self.sources.place(formula.at);
                let source = self.sources.text(formula.at);
                let quote = ["\"\"\"", "'''", "\"", "'"].iter().find(|quote| source.starts_with(**quote));
                let quote = quote.map_or(0, |quote| quote.len());
                let lines = "\n".repeat(place.start.line as usize - 1);
                let blanks = " ".repeat(place.start.column as usize - 1 + quote);
                let body = format!("{lines}{blanks}{}\n}}", formula.value);
                let head = self.sources.add(&property.path, &(lines + &head));
                let body = self.sources.add(&property.path, &body);
                self.items.extend([(head, formula.at.file), (body, formula.at.file)]);
                vec![head, body]
            }
            Statement::Timeline(timeline, path) => {
                // The property stands in the line of the mark that decides.
                let line = timeline.marks.last().map_or(1, |mark| mark.line);
                let lines = "\n".repeat(line as usize - 1);
                let formula =
                    axle_ltl::print::formula(&axle_ltl::timeline::formula(timeline), &timeline.atoms);
                let body = format!("{lines}{formula}\n}}");
                vec![self.sources.add(path, &(lines + &head)), self.sources.add(path, &body)]
            }
            Statement::Never(path, text) => vec![self.sources.add(path, text)],
            Statement::Safety(_) => Vec::new(),
        }
    }

    /// Removes all properties but that of a run.
    pub(super) fn only(&mut self, model: &mut Model, property: &Property) -> bool {
        let path = property.statement_path();
        let files = &model.files;
        model.properties.retain(|one| files.get(one.origin.file.index()).is_some_and(|file| file == path));
        if model.properties.len() != 1 {
            let message = format!("`{path}` states {} properties, not one", model.properties.len());
            let diagnostic = Diagnostic::error(REFERENCE, message)
                .at(property.name.at.into(), "")
                .help("a file of a never claim contains one `never { ... }`");
            let mut found = Diagnostics::new();
            found.push(diagnostic);
            return self.report(&found);
        }
        model.properties[0].name = identifier(&property.name.value);
        true
    }
}
