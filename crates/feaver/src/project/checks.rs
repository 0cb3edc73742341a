//! The checks of the software of a project.
//!
//! *Entry point:* [`Checks`].

use std::collections::BTreeSet;

use axle_check::{Check, SystemKind};

/// The checks of the software.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checks {
    /// Of a C program.
    Program(BTreeSet<Check>),
    /// Of a model.
    Model(BTreeSet<Check>),
}

impl Checks {
    /// The names of the checks, in the order of reports.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Checks::Program(checks) => checks.iter().map(|check| check.name()).collect(),
            Checks::Model(checks) => checks.iter().map(|check| check.name()).collect(),
        }
    }

    /// What holds if the checks find nothing, one sentence part for each check.
    #[must_use]
    pub fn meanings(&self) -> Vec<&'static str> {
        match self {
            Checks::Program(checks) => meanings(checks, SystemKind::Program),
            Checks::Model(checks) => meanings(checks, SystemKind::Model),
        }
    }
}

fn meanings(checks: &BTreeSet<Check>, kind: SystemKind) -> Vec<&'static str> {
    checks.iter().map(|check| check.meaning(kind)).collect()
}
