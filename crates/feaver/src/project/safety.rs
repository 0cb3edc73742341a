//! The table `[safety]` of the manifest: a check of the software itself, next to the properties.
//!
//! An error of the program (an access outside of an object, an overflow, a data race, a deadlock, a
//! failed assertion) ends executions, so that no property can hold. The check makes it a result of
//! its own: a property that Axle adds to those of the project.
//!
//! *Entry point:* `Reader::safety`.
//! *Invariant:* each program or model of a project has exactly one such property, unless the manifest
//! has an empty list of checks.

use std::collections::BTreeSet;

use axle_check::Check;
use axle_source::Diagnostic;

pub use super::checks::Checks;
use super::data::{BrokenProperty, Property, Statement};
use super::fields::Located;
use super::manifest::Manifest;
use super::names;
use super::reader::{MANIFEST, Reader};
use super::safety_table::Written;
use crate::codes::{DUPLICATE, NOTHING, VALUE};

/// The name of the property.
pub const SAFETY: &str = "safety";

impl Reader<'_> {
    /// The checks of the software as properties, one for each program or model. `stated` are the
    /// properties of the project.
    pub(super) fn safety(&mut self, manifest: &Manifest, stated: &[Property]) -> Vec<Property> {
        let written = &manifest.safety;
        let is_program = manifest.subject.promela.is_empty() && manifest.subject.tables.is_empty();
        let checks = match is_program {
            true => Checks::Program(self.checks(written, &program_checks(), |check| check.name())),
            false => Checks::Model(self.checks(written, &model_checks(), |check| check.name())),
        };
        let known = manifest.constraints.iter().map(|one| one.name.value.as_str());
        let mut constraints: Vec<usize> = Vec::new();
        for name in written.constraints.iter().filter(|_| manifest.complete) {
            constraints.extend(names::find(name, "constraint", known.clone(), self.diagnostics));
        }
        names::unique(&written.constraints, "the constraint", "listed", self.diagnostics);
        let names = row_names(&manifest.subject.promela);
        let at = manifest.safety_at.unwrap_or(manifest.at);
        if checks.names().is_empty() {
            if stated.is_empty() && self.diagnostics.error_count() == 0 {
                let message =
                    "the project checks nothing: it has no properties and no checks of the software";
                let help = "add a property, or remove the empty list of checks";
                self.diagnostics.push(Diagnostic::error(NOTHING, message).at(at.into(), "").help(help));
            }
            return Vec::new();
        }
        let property = |(model, name): (usize, String)| Property {
            name: Located { value: name, at },
            path: MANIFEST.to_string(),
            feature: None,
            reference: None,
            statement: Statement::Safety(checks.clone()),
            constraints: constraints.clone(),
            tags: Vec::new(),
            weight: 0,
            expected: written.expected.unwrap_or_default(),
            fairness: None,
            model,
            words: words(manifest.subject.promela.get(model), is_program),
        };
        names.into_iter().enumerate().map(property).collect()
    }

    /// Takes out properties that have the name of a check of the software.
    pub(super) fn reserved(
        &mut self,
        manifest: &Manifest,
        stated: &mut Vec<Property>,
        broken: &mut Vec<BrokenProperty>,
    ) {
        let names = row_names(&manifest.subject.promela);
        for property in stated.extract_if(.., |property| names.contains(&property.name.value)) {
            let message = format!("the name `{}` is that of the check of the software", property.name.value);
            let error = Diagnostic::error(DUPLICATE, message)
                .at(property.name.at.into(), "")
                .help("choose another name for the property");
            self.diagnostics.push(error.clone());
            broken.push(BrokenProperty::of(&property, vec![error]));
        }
    }

    /// The checks that the manifest names, or those that `axle check` makes by default.
    fn checks<T: Copy + Ord>(
        &mut self,
        written: &Written,
        known: &[(T, bool)],
        name: impl Fn(T) -> &'static str,
    ) -> BTreeSet<T> {
        let Some(list) = &written.checks else {
            return known.iter().filter(|(_, by_default)| *by_default).map(|(check, _)| *check).collect();
        };
        let mut found = BTreeSet::new();
        for one in list {
            match known.iter().find(|(check, _)| name(*check) == one.value) {
                Some((check, _)) => drop(found.insert(*check)),
                None => {
                    let names: Vec<&str> = known.iter().map(|(check, _)| name(*check)).collect();
                    let diagnostic = Diagnostic::error(VALUE, format!("there is no check `{}`", one.value))
                        .at(one.at.into(), "")
                        .note(format!("the checks are: {}", names.join(", ")))
                        .did_you_mean(&one.value, names);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        found
    }
}

/// The checks of a program that a project can make, and whether it makes them by default. Leaks have
/// no execution that shows them, and formulas are properties.
fn program_checks() -> Vec<(Check, bool)> {
    let excluded = [Check::Leaks, Check::Properties];
    let all = Check::PROGRAMS.into_iter().filter(|check| !excluded.contains(check));
    all.map(|check| (check, check.by_default())).collect()
}

/// The checks of a model that a project can make, and whether it makes them by default. The properties
/// are those in the files of the model. Unreached statements have no execution that shows them.
fn model_checks() -> Vec<(Check, bool)> {
    let all = Check::MODELS.into_iter().filter(|check| *check != Check::Unreached);
    all.map(|check| (check, check.by_default())).collect()
}

/// The name of the check of each model, or of the program.
fn row_names(models: &[String]) -> Vec<String> {
    if models.len() <= 1 {
        return vec![SAFETY.to_string()];
    }
    let mut names: Vec<String> = Vec::new();
    for path in models {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let base = format!("{SAFETY}-{}", stem.chars().map(word).take(80).collect::<String>());
        let mut name = base.clone();
        let mut number = 1;
        while names.contains(&name) {
            number += 1;
            name = format!("{base}-{number}");
        }
        names.push(name);
    }
    names
}

/// The property in words.
fn words(model: Option<&String>, is_program: bool) -> String {
    match (model, is_program) {
        (_, true) => "No execution of the program has an error.\n\n\
             An error ends the execution in which it occurs, so properties of the program cannot hold."
            .to_string(),
        (Some(model), false) => format!("No execution of `{model}` has an error."),
        (None, false) => "No execution of the extracted model has an error.".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::row_names;

    #[test]
    fn checks_of_several_models_are_named_after_them() {
        let names =
            |models: &[&str]| row_names(&models.iter().map(|one| one.to_string()).collect::<Vec<_>>());
        assert_eq!(names(&["a.pml"]), ["safety"]);
        assert_eq!(names(&["a.pml", "x/b c.pml", "y/b.c.pml"]), ["safety-a", "safety-b_c", "safety-b_c-2"]);
    }
}
