//! Replacement of constants for one check: a program scaled down by `--bound NAME=VALUE`. An
//! object-like macro, an enumeration constant or an initialised `const` integer of the program gets
//! another value wherever it is defined.
//!
//! *Entry points:* [`Bound`], [`Bounds::replace`], [`Bounds::check`].
//! *Invariant:* a bound that replaces nothing is an error, and no constant of a library header is
//! replaced.

use std::sync::Arc;

use axle_source::{Diagnostic, Diagnostics, Loc, Preprocessed, Sources};

use crate::headers;

/// A constant with another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The name.
    pub name: Arc<str>,
    /// The value for the check.
    pub value: i64,
}

/// A bound that was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppliedBound {
    /// The constant.
    pub bound: Bound,
    /// Its value in the source: a number, or the text of a macro.
    pub replaced: Vec<String>,
}

/// The bounds of a program, and what they replace.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bounds {
    asked: Vec<Bound>,
    /// Those that were applied, in the order of the options.
    applied: Vec<AppliedBound>,
    /// Names that a bound can have, for messages.
    known: Vec<Arc<str>>,
    /// Names of macros of the library.
    refused: Vec<Arc<str>>,
}

impl Bounds {
    pub fn new(asked: &[Bound]) -> Bounds {
        Bounds { asked: asked.to_vec(), ..Bounds::default() }
    }

    pub fn applied(&self) -> &[AppliedBound] {
        &self.applied
    }

    /// The value of a constant with this name and value in the source, if a bound replaces it.
    pub fn replace(&mut self, name: &Arc<str>, value: &str) -> Option<i64> {
        if self.asked.is_empty() {
            return None;
        }
        if !self.known.contains(name) {
            self.known.push(name.clone());
        }
        let bound = self.asked.iter().find(|bound| bound.name == *name)?.clone();
        let known = self.applied.iter().position(|applied| applied.bound.name == *name);
        let at = known.unwrap_or_else(|| {
            self.applied.push(AppliedBound { bound: bound.clone(), replaced: Vec::new() });
            self.applied.len() - 1
        });
        let replaced = &mut self.applied[at].replaced;
        if !replaced.iter().any(|known| known == value) {
            replaced.push(value.to_string());
        }
        Some(bound.value)
    }

    /// Notes the macros of a file. A macro of the library is an error.
    pub fn note_macros(&mut self, unit: &Preprocessed, sources: &Sources, diagnostics: &mut Diagnostics) {
        for defined in &unit.constants {
            if is_ours(sources, defined.name.loc()) {
                if defined.replaced {
                    let message =
                        format!("`{}` is a macro of the library: no bound replaces it", defined.name.text);
                    diagnostics.push(Diagnostic::error("E0743", message));
                    self.refused.push(defined.name.text.clone());
                }
            } else {
                self.replace(&defined.name.text, &defined.text);
            }
        }
    }

    /// Reports the bounds that have replaced nothing.
    pub fn check(&self, diagnostics: &mut Diagnostics) {
        for bound in &self.asked {
            if self.refused.contains(&bound.name)
                || self.applied.iter().any(|applied| applied.bound.name == bound.name)
            {
                continue;
            }
            let message = format!("no constant `{}` to replace: the bound has no effect", bound.name);
            let help = "a bound replaces an object-like macro, an enumeration constant or an initialised `const` integer";
            let near = self.known.iter().map(|name| &**name);
            diagnostics.push(Diagnostic::error("E0743", message).did_you_mean(&bound.name, near).help(help));
        }
    }
}

/// Whether a place is in a header or source of the library.
pub(crate) fn is_ours(sources: &Sources, loc: Loc) -> bool {
    let name = sources.file(sources.outermost(loc).file).name();
    name.starts_with(headers::FOLDER) || **name == *"<built-in>"
}
