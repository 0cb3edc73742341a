//! How a program is to be checked: the checks, the settings of its execution, and the search.
//!
//! *Entry point:* [`ProgramConfig`].

use std::collections::BTreeSet;

use axle_c_exec::Settings;

use super::checks::ProgramCheck;
use super::run_property::RunProperty;
use super::subject::Subject;
use crate::config::Config;

/// How a program is to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramConfig {
    /// What is checked.
    pub checks: BTreeSet<ProgramCheck>,
    /// How it is executed.
    pub settings: Settings,
    /// What every run has to do.
    pub properties: Vec<RunProperty>,
    /// In which order states are visited, how they are stored, how far the search may go. What it
    /// says of checks of models means nothing here.
    pub search: Config,
}

impl ProgramConfig {
    /// Whether persistent sets of threads replace all threads.
    pub(crate) fn uses_persistent_sets(&self, subject: &Subject) -> bool {
        self.settings.persistent_sets && axle_c_exec::persistent_sets_apply(subject.program, &self.settings)
    }

    /// Whether a program is first searched with transactions. They apply to checks that stop at the
    /// first violation.
    pub(crate) fn uses_transactions(&self, subject: &Subject) -> bool {
        (self.search.limits.errors == Some(1) || self.settings.transactions)
            && self.settings.races
            && self.checks.contains(&ProgramCheck::DataRaces)
            && axle_c_exec::transactions_apply(subject.program)
    }
}
