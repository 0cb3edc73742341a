//! A C program under check: its text, its execution settings and its temporal properties.
//!
//! *Entry point:* [`Subject`].

use axle_c::Program;
use axle_c_exec::Settings;
use axle_search::Reduction;
use axle_source::Sources;

use crate::checks::Check;
use crate::config::Config;
use crate::run_property::RunProperty;

/// A program, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The text that it was read from.
    pub sources: &'a Sources,
    /// Its files, as the user named them.
    pub files: &'a [String],
    /// The options that decide what the program is: `-DN=3`, `--data-model ilp32`.
    pub arguments: &'a [String],
    /// The file with the contents of standard input; none where every input is possible.
    pub stdin: Option<&'a str>,
    /// How it is executed. The checks of a configuration decide which errors are detected.
    pub settings: &'a Settings,
    /// The temporal properties.
    pub properties: &'a [RunProperty],
}

impl<'a> Subject<'a> {
    /// The program, executed otherwise.
    pub fn with_settings<'b>(&self, settings: &'b Settings) -> Subject<'b>
    where
        'a: 'b,
    {
        Subject { settings, ..*self }
    }

    /// The program, with other properties.
    pub fn with_properties<'b>(&self, properties: &'b [RunProperty]) -> Subject<'b>
    where
        'a: 'b,
    {
        Subject { properties, ..*self }
    }

    /// The properties that are asked for.
    pub fn wanted(&self, config: &Config) -> impl Iterator<Item = &'a RunProperty> {
        let only = config.only.clone();
        self.properties.iter().filter(move |one| only.as_ref().is_none_or(|only| only.contains(&one.name)))
    }

    /// The settings with which a configuration executes it.
    pub fn settings_for(&self, config: &Config) -> Settings {
        let races = config.checks.contains(&Check::DataRaces);
        let aborts = config.checks.contains(&Check::Aborts);
        Settings { races, aborts, ..self.settings.clone() }
    }

    /// Whether persistent sets of threads replace all threads. They preserve one violation, not all.
    pub fn uses_persistent_sets(&self, config: &Config) -> bool {
        let is_wanted = config.reduction != Reduction::None && config.limits.errors == Some(1);
        (is_wanted || self.settings.persistent_sets)
            && axle_c_exec::persistent_sets_apply(self.program, &self.settings_for(config))
    }

    /// Whether a program is first searched with transactions. They apply to checks that stop at the
    /// first violation.
    pub fn uses_transactions(&self, config: &Config) -> bool {
        (config.limits.errors == Some(1) || self.settings.transactions)
            && config.checks.contains(&Check::DataRaces)
            && axle_c_exec::transactions_apply(self.program)
    }
}
