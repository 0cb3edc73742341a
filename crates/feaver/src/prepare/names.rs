//! The names that formulas and timelines may use: variables, constants and functions of the software.
//!
//! *Entry point:* [`Subject::names`].

use std::collections::BTreeSet;

use axle_c::Program;
use axle_c::code::StaticKind;
use axle_model::Model;
use serde::Serialize;

use super::Subject;

/// Prefixes of names that belong to the implementation.
const INTERNAL: [&str; 2] = ["__", "axle_"];

/// A name of the software.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SoftwareName {
    /// The name.
    pub name: String,
    /// What it names.
    pub kind: NameKind,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameKind {
    /// A global variable or a channel.
    Variable,
    /// An enumeration constant, a macro or a symbolic name.
    Constant,
    /// A function or a process.
    Function,
}

impl Subject {
    /// The names of the software, without those of the implementation.
    #[must_use]
    pub fn names(&self) -> BTreeSet<SoftwareName> {
        let all = match (self.program(), self.model()) {
            (Some(loaded), _) => of_program(&loaded.program),
            (None, Some(model)) => of_model(model),
            (None, None) => Vec::new(),
        };
        let named = all
            .into_iter()
            .filter(|(name, _)| !name.is_empty() && !INTERNAL.iter().any(|prefix| name.starts_with(prefix)));
        named.map(|(name, kind)| SoftwareName { name, kind }).collect()
    }
}

fn of_model(model: &Model) -> Vec<(String, NameKind)> {
    let variables = model.globals.iter().map(|one| (one.name.clone(), NameKind::Variable));
    let names = model.name_sets.iter().flat_map(|set| &set.names);
    let constants = names.map(|(name, _)| (name.clone(), NameKind::Constant));
    let processes = model.processes.iter().map(|one| (one.name.clone(), NameKind::Function));
    variables.chain(constants).chain(processes).collect()
}

fn of_program(program: &Program) -> Vec<(String, NameKind)> {
    let own = |one: &&axle_c::code::Code| !one.ours && !one.internal;
    let functions = program.codes.iter().filter(own).map(|one| (one.name.to_string(), NameKind::Function));
    let variables = program.statics.iter().filter(|one| matches!(one.kind, StaticKind::Variable(_)));
    let variables = variables.map(|one| (one.name.to_string(), NameKind::Variable));
    let constants = program.macros.iter().map(|(name, _)| (name.to_string(), NameKind::Constant));
    // Static variables of blocks have names that are no identifiers.
    let is_name = |(name, _): &(String, NameKind)| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    variables.chain(functions).chain(constants).filter(is_name).collect()
}
