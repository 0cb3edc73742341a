//! Compiles a model once for each of its properties, so that an error of one property is no error of
//! another one.
//!
//! With all its properties, a model has its warnings once, and no variable appears unused. While some
//! property has an error, there are no warnings. Where this succeeds there is no error. Otherwise the
//! model is compiled alone: its own errors are those of all its properties. Errors of a property are those
//! that it causes without the others.
//!
//! *Entry point:* [`Preparer::each`].
//! *Invariant:* a property has an error if and only if it cannot be compiled together with the model.

use axle_source::{Diagnostic, Diagnostics, Severity};

use super::Preparer;
use crate::project::Property;

/// Compiles a model with these properties behind it, and adds what it finds.
type Compile<'c, 'a, M> = &'c dyn Fn(&mut Preparer<'a>, &[&Property], &mut Diagnostics) -> Option<M>;

impl<'a> Preparer<'a> {
    /// The model with each of the selected properties of `all`. The others are marked as failed.
    pub(super) fn each<M>(
        &mut self,
        all: &[&'a Property],
        compile: Compile<'_, 'a, M>,
    ) -> Vec<(&'a Property, M)> {
        let wanted: Vec<&Property> =
            all.iter().copied().filter(|property| self.is_selected(property)).collect();
        // The errors of properties that are not selected concern no run.
        if wanted.is_empty() && !(all.is_empty() && self.compiles_alone) {
            return Vec::new();
        }
        if !self.warned(all, compile)
            && let Err(errors) = self.attempt(|own| own.compiled(&[], compile))
        {
            wanted.iter().for_each(|property| self.fail(property, &errors));
            return Vec::new();
        }
        let mut models = Vec::new();
        for property in wanted {
            match self.attempt(|own| own.compiled(&[property], compile)) {
                Ok(model) => models.push((property, model)),
                Err(errors) => self.fail(property, &errors),
            }
        }
        models
    }

    /// Reports the warnings of a model with all properties; whether there are no errors.
    fn warned<M>(&mut self, properties: &[&'a Property], compile: Compile<'_, 'a, M>) -> bool {
        let mut found = Diagnostics::new();
        let is_valid = compile(self, properties, &mut found).is_some() && !found.has_errors();
        let found = self.of_others(&found);
        if is_valid && self.has_all_properties {
            self.report(&at_least(&found, Severity::Warning));
        }
        is_valid
    }

    /// A model with these properties, if it has no errors. Only errors are reported.
    pub(super) fn compiled<M>(&mut self, properties: &[&Property], compile: Compile<'_, 'a, M>) -> Option<M> {
        let mut found = Diagnostics::new();
        let model = compile(self, properties, &mut found);
        let found = self.of_others(&found);
        let is_valid = self.report(&at_least(&found, Severity::Error));
        model.filter(|_| is_valid)
    }
}

/// The diagnostics that are at least as severe.
fn at_least(found: &Diagnostics, least: Severity) -> Diagnostics {
    let mut kept = Diagnostics::new();
    kept.extend(found.iter().filter(|one: &&Diagnostic| one.severity <= least).cloned());
    kept
}
