//! The software of a project under a provisioning, without a property: for diagnosis.
//!
//! *Entry point:* [`software`].

use std::sync::Arc;

use axle_model::Model;
use axle_source::{Diagnostics, Severity, Sources};
use axle_tabled::Rows;

use super::{LoadedProgram, Preparer, Selection};
use crate::project::{Loaded, Project, Property};
use crate::provisioning::model::provision;
use crate::provisioning::{Component, components};

/// The software under verification.
#[derive(Clone, Debug)]
pub enum Software {
    /// A model, and the rows that it was made by if it was extracted.
    Model(Arc<Model>, Option<Arc<Rows>>),
    /// A C program.
    Program(Arc<LoadedProgram>),
}

/// The software, and everything that is to be said about it.
#[derive(Debug)]
pub struct PreparedSoftware {
    /// The software; none if there are errors.
    pub software: Option<Software>,
    /// The files that were read.
    pub sources: Sources,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Prepares the software of a loaded project under a constraint; none is every provisioning. `model`
/// is the index of the model, if the project has several.
#[must_use]
pub fn software(loaded: Loaded, constraint: Option<usize>, model: usize) -> PreparedSoftware {
    let Loaded { project, subject_errors, sources, diagnostics, .. } = loaded;
    let Some(project) = project else { return PreparedSoftware { software: None, sources, diagnostics } };
    let selection = Selection::default();
    let mut preparer = Preparer::new(&project, sources, &selection);
    let components = chosen(&project, constraint);
    // Errors of properties do not concern the software.
    let mut all = Diagnostics::new();
    all.extend(subject_errors);
    let prepared = |preparer: &mut Preparer<'_>| match (
        project.subject.promela.is_empty(),
        project.subject.tables.is_empty(),
    ) {
        (true, true) => preparer.whole_program(&components).map(Software::Program),
        (true, false) => {
            let own = preparer.extracted_model();
            own.and_then(|own| preparer.with(own.model, Some(own.rows), &components))
        }
        (false, _) => {
            let compile = |own: &mut Preparer<'_>, properties: &[&Property], found: &mut Diagnostics| {
                own.compile(model, properties, found)
            };
            preparer.compiled(&[], &compile).and_then(|own| preparer.with(own, None, &components))
        }
    };
    let software = if all.has_errors() { None } else { prepared(&mut preparer) };
    let warnings = diagnostics.iter().filter(|one| one.severity != Severity::Error);
    all.extend(warnings.chain(preparer.diagnostics.iter()).cloned());
    all.sort(&preparer.sources);
    let software = software.filter(|_| !all.has_errors());
    PreparedSoftware { software, sources: preparer.sources, diagnostics: all }
}

fn chosen(project: &Project, constraint: Option<usize>) -> Vec<Component> {
    let expression = constraint.map(|index| &project.constraints[index].expression);
    // A project has no constraints with too many combinations.
    components(&project.flags, expression).unwrap_or_default()
}

impl Preparer<'_> {
    /// A model under a provisioning.
    fn with(
        &mut self,
        mut model: Model,
        rows: Option<Arc<Rows>>,
        components: &[Component],
    ) -> Option<Software> {
        model.properties.clear();
        match provision(&mut model, &self.project.flags, components) {
            Ok(()) => Some(Software::Model(Arc::new(model), rows)),
            Err(unsuitable) => {
                self.unsuitable(unsuitable);
                None
            }
        }
    }
}
