//! The table `[safety]` of the manifest as written.
//!
//! *Entry point:* [`safety`].

use super::fields::{Fields, Located};
use super::settings::{self, Expected};

/// The table.
#[derive(Default)]
pub(super) struct Written {
    /// The names of checks; none if the table does not say.
    pub checks: Option<Vec<Located<String>>>,
    /// The expected verdict.
    pub expected: Option<Expected>,
    /// The names of constraints.
    pub constraints: Vec<Located<String>>,
}

/// Reads the table.
pub(super) fn safety(fields: &mut Fields<'_, '_>) -> Written {
    let given = fields.has("checks");
    let checks = fields.strings("checks");
    Written {
        checks: given.then_some(checks),
        expected: settings::expected(fields),
        constraints: fields.strings("constraints"),
    }
}
