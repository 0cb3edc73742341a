//! The models of a project's runs: the Promela file, its drivers and the property are compiled
//! together, so that macros, names and types mean in a property what they mean in the model.
//!
//! *Entry point:* [`Preparer::models`].
//! *Invariant:* a model has exactly one property, that of its run.

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_ltl::timeline::Timeline;
use axle_model::{Model, Property as Stated, PropertyKind};
use axle_promela::Options;
use axle_source::{CommandLine, Diagnostic, Diagnostics, FileId, Loader};

use super::{Premise, Preparer, Run, Safety, Subject, canonical, identifier};
use crate::codes::{FLAG, NO_FILE, REFERENCE};
use crate::project::safety::Checks;
use crate::project::{Property, Statement};
use crate::provisioning::Component;
use crate::provisioning::model::provision;

/// The largest model file.
const LARGEST: u64 = 64 << 20;

/// The name of the files of premises.
pub(super) const PREMISE: &str = "<premise>";

/// Takes the premise of a timeline out of a model.
pub(super) fn taken_premise(model: &mut Model) -> Option<Stated> {
    let files = &model.files;
    let is_premise = |one: &Stated| files.get(one.origin.file.index()).is_some_and(|file| file == PREMISE);
    let at = model.properties.iter().position(is_premise)?;
    Some(model.properties.remove(at))
}

impl Preparer<'_> {
    /// The runs of a project of models.
    pub(super) fn models(&mut self) -> Vec<Run> {
        let project = self.project;
        let mut models: BTreeMap<&str, Model> = BTreeMap::new();
        for index in 0..project.subject.promela.len() {
            let all: Vec<&Property> =
                project.properties.iter().filter(|property| property.model == index).collect();
            let compile = |own: &mut Self, properties: &[&Property], found: &mut Diagnostics| {
                own.compile(index, properties, found)
            };
            let compiled = self.each(&all, &compile);
            models.extend(compiled.into_iter().map(|(property, model)| (&*property.name.value, model)));
        }
        let mut runs = Vec::new();
        for property in self.selected() {
            let Some(mut model) = models.remove(&*property.name.value) else { continue };
            let premise = taken_premise(&mut model);
            let own = |preparer: &mut Self| {
                let stated = (property, premise.as_ref());
                if let Statement::Safety(Checks::Model(checks)) = &property.statement {
                    let subject = |model| Subject::Safety(Safety::Model(model, None, checks.clone()));
                    return preparer.runs_of_model(stated, &model, &subject);
                }
                if !preparer.only(&mut model, property) {
                    return None;
                }
                preparer.runs_of_model(stated, &model, &Subject::Model)
            };
            match self.attempt(own) {
                Ok(own) => runs.extend(own),
                Err(errors) => self.fail(property, &errors),
            }
        }
        runs
    }

    /// The runs of a property of a model, with the premise of its timeline.
    fn runs_of_model(
        &mut self,
        stated: (&Property, Option<&Stated>),
        model: &Model,
        subject: &dyn Fn(Arc<Model>) -> Subject,
    ) -> Option<Vec<Run>> {
        let constraints = self.constraints(stated.0);
        let run = |(constraint, components): &(Option<usize>, Vec<Component>)| {
            self.run_of_model(stated, model, "", (*constraint, components), subject)
        };
        let mut runs = constraints.iter().map(run).collect::<Option<Vec<Run>>>()?;
        let components = constraints.into_iter().map(|(_, components)| components).collect();
        self.together(model, components, &mut runs);
        Some(runs)
    }

    /// The run of a property of a model under a constraint with its components. `more`: what the verdict
    /// depends on besides.
    pub(super) fn run_of_model(
        &mut self,
        (property, premise): (&Property, Option<&Stated>),
        model: &Model,
        more: &str,
        (constraint, components): (Option<usize>, &[Component]),
        subject: &dyn Fn(Arc<Model>) -> Subject,
    ) -> Option<Run> {
        let mut own = model.clone();
        own.properties.extend(premise.cloned());
        if let Err(unsuitable) = provision(&mut own, &self.project.flags, components) {
            self.unsuitable(unsuitable);
            return None;
        }
        let premise = taken_premise(&mut own).and_then(|premise| match premise.kind {
            PropertyKind::Ltl(formula) => Some(Premise::Model(formula)),
            PropertyKind::Never(_) | PropertyKind::Trace(_) | PropertyKind::NoTrace(_) => None,
        });
        if let Some(broken) = axle_model::verify::verify(&own).first() {
            let message = format!("internal error: the provisioned model is not well formed: {broken}");
            self.refuse(Diagnostic::error(FLAG, message));
            return None;
        }
        let flags = &self.project.flags;
        let (summary, text) = match property.statement {
            Statement::Safety(_) => {
                let summary = "the whole model: all of its executions are checked";
                (summary.to_string(), canonical::all(model, flags, components))
            }
            _ => {
                let canonical = canonical::text(model, flags, components);
                let summary = match canonical.whole {
                    None => "the part of the model that the property depends on".to_string(),
                    Some(reason) => format!("the whole model: {reason}"),
                };
                (summary, canonical.text)
            }
        };
        let run = self.run(property, constraint, subject(Arc::new(own)), (summary, text + more));
        Some(Run { premise, ..run })
    }

    /// Compiles a model with properties behind it.
    pub(super) fn compile(
        &mut self,
        index: usize,
        properties: &[&Property],
        found: &mut Diagnostics,
    ) -> Option<Model> {
        let project = self.project;
        let subject = &project.subject;
        let main = self.add(&subject.promela[index], found)?;
        let mut appended = Vec::new();
        for driver in &subject.drivers {
            appended.push(self.add(driver, found)?);
        }
        for property in properties {
            appended.extend(self.item(property));
        }
        let mut options = Options::default();
        options.preprocessor.include_dirs.clone_from(&subject.include);
        options.preprocessor.command_line =
            subject.define.iter().map(|define| CommandLine::Define(define.clone())).collect();
        options.preprocessor.appended = appended;
        axle_promela::compile(&mut self.sources, main, &project.folder, &options, found)
    }

    /// A file of the project.
    pub(super) fn add(&mut self, path: &str, found: &mut Diagnostics) -> Option<FileId> {
        match self.project.folder.load(path, LARGEST) {
            Ok(bytes) => {
                let (file, doubt) = self.sources.add_bytes(path, &bytes);
                found.extend(doubt);
                Some(file)
            }
            // It was there when the manifest was read.
            Err(_) => {
                let message = format!("`{path}` is gone or too large");
                found.push(Diagnostic::error(NO_FILE, message));
                None
            }
        }
    }

    /// Diagnostics that are not about premises, whose propositions occur in the properties themselves.
    pub(super) fn of_others(&self, found: &Diagnostics) -> Diagnostics {
        let is_of_premise =
            |one: &&Diagnostic| one.outer_place(&self.sources).is_some_and(|place| *place.file == *PREMISE);
        let (premises, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = found.iter().partition(is_of_premise);
        let shown = if others.is_empty() { premises } else { others };
        let mut kept = Diagnostics::new();
        kept.extend(shown.into_iter().cloned());
        kept
    }

    /// The premise of a timeline as a property of its own, which [`taken_premise`] finds in the model.
    fn premise(&mut self, property: &Property, timeline: &Timeline) -> Option<FileId> {
        let name = format!("premise_of_{}", identifier(&property.name.value));
        if self.project.properties.iter().any(|other| identifier(&other.name.value) == name) {
            return None;
        }
        let formula = axle_ltl::print::formula(&axle_ltl::timeline::matched(timeline), &timeline.atoms);
        Some(self.sources.add(PREMISE, &format!("ltl {name} {{\n{formula}\n}}\n")))
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
                let (head, body) = (self.sources.add(path, &(lines + &head)), self.sources.add(path, &body));
                self.timelines.push((body, property.name.value.clone()));
                [head, body].into_iter().chain(self.premise(property, timeline)).collect()
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
            self.refuse(diagnostic);
            return false;
        }
        model.properties[0].name = identifier(&property.name.value);
        true
    }
}
