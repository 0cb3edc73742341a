//! Extraction of the processes of a model.
//!
//! The tables are brought in line with the program in memory. Functions that share a table are surveyed
//! together, because a row of one is not obsolete if another one lacks the statement.
//!
//! *Entry point:* [`Extracted::new`].
//! *Invariant:* every process has exactly one table.

use std::collections::BTreeMap;
use std::sync::Arc;

use axle_extract::{Extraction, Form, Request, Surveyed, Table, declarations, synchronise, wrapper};
use axle_source::{Diagnostics, FileId, Sources};

use crate::process::Process;
use crate::source_program::{NamedTable, SourceProgram, stem};

/// The processes of a model, and the text that surrounds them.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The program that they come from.
    pub source: Arc<SourceProgram>,
    pub(crate) processes: Vec<Process>,
    /// The text that includes the processes.
    pub(crate) wrapper: FileId,
    /// Whether the user wrote the wrapper.
    pub(crate) is_given: bool,
    /// Whether the processes have other surroundings than in the program: a wrapper, or further
    /// processes.
    pub is_wrapped: bool,
}

/// The reason why there are no processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The diagnostics have errors.
    Invalid,
    /// The wrapper includes no process.
    NoProcess,
    /// There is no wrapper, no table is named after a function, and there is no `main`.
    NoFunction,
    /// A function has no table.
    NoTable(String),
    /// Both tables could be that of the function.
    Ambiguous {
        /// The name of the function.
        function: String,
        /// The paths of the tables.
        tables: [String; 2],
    },
}

impl Extracted {
    /// Extracts the processes that `wrapper` includes. A wrapper that is generated declares the
    /// variables that the processes and the `appended` files name.
    ///
    /// # Errors
    /// There are no processes.
    pub fn new(
        source: &Arc<SourceProgram>,
        tables: &[NamedTable],
        wrapper: Option<FileId>,
        appended: &[FileId],
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Result<Extracted, Refusal> {
        let wanted = wanted(source, tables, wrapper, sources)?;
        let mut groups: BTreeMap<usize, Vec<&(String, Form)>> = BTreeMap::new();
        for one in &wanted {
            groups.entry(table_of(tables, source, &one.0)?).or_default().push(one);
        }
        let mut processes = Vec::new();
        for (index, wanted) in groups {
            let mut found = Diagnostics::new();
            let own = extract(source, &tables[index], &wanted, sources, &mut found);
            let is_valid = !found.has_errors();
            diagnostics.extend(found.iter().cloned());
            processes.extend(own.filter(|_| is_valid).ok_or(Refusal::Invalid)?);
        }
        let (wrapper, is_given) = match wrapper {
            Some(wrapper) => (wrapper, true),
            None => (generated(source, &processes, appended, sources, diagnostics)?, false),
        };
        Ok(Extracted { source: Arc::clone(source), processes, wrapper, is_given, is_wrapped: is_given })
    }
}

/// The functions of the processes, each with its form.
fn wanted(
    source: &SourceProgram,
    tables: &[NamedTable],
    given: Option<FileId>,
    sources: &Sources,
) -> Result<Vec<(String, Form)>, Refusal> {
    let wanted = match given {
        Some(given) => wrapper::wanted(sources.file(given).text()),
        None => {
            let named = tables.iter().map(|one| (stem(&one.path).to_string(), one.table.clone()));
            wrapper::unwrapped(&source.program, &named.collect::<Vec<_>>())
        }
    };
    if wanted.is_empty() {
        return Err(if given.is_some() { Refusal::NoProcess } else { Refusal::NoFunction });
    }
    let table = |function: &str| table_of(tables, source, function).ok().map(|index| &tables[index].table);
    Ok(wrapper::with_threads(&source.program, wanted, table, given.is_none()))
}

/// The table of a function, as an index: the one with its name, or the only one that is named after no
/// function.
fn table_of(tables: &[NamedTable], source: &SourceProgram, function: &str) -> Result<usize, Refusal> {
    if let Some(index) = tables.iter().position(|one| stem(&one.path) == function) {
        return Ok(index);
    }
    let is_function = |name: &str| source.program.unit.function(name).is_some();
    let mut shared = tables.iter().enumerate().filter(|(_, one)| !is_function(stem(&one.path)));
    match (shared.next(), shared.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => Err(Refusal::NoTable(function.to_string())),
        (Some((_, one)), Some((_, other))) => {
            let tables = [one.path.clone(), other.path.clone()];
            Err(Refusal::Ambiguous { function: function.to_string(), tables })
        }
    }
}

/// The processes of functions that share a table; none if they cannot be surveyed.
fn extract(
    source: &SourceProgram,
    given: &NamedTable,
    wanted: &[&(String, Form)],
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Process>> {
    let program = &source.program;
    let survey = |(function, _): &&(String, Form)| program.survey(function, false, diagnostics);
    let shared: Vec<Surveyed> = wanted.iter().filter_map(survey).collect();
    if diagnostics.has_errors() {
        return None;
    }
    let next = synchronise(program, &shared, Some(&given.table), &given.path, sources, diagnostics);
    diagnostics.extend(next.changes.iter().map(|change| change.diagnostic(&given.path)));
    let table = Arc::new(next.table);
    let mut processes = Vec::new();
    for (function, form) in wanted {
        let request = Request { function: function.clone(), form: *form };
        let extraction = axle_extract::extract(program, &request, &table, &shared, sources, diagnostics);
        processes.extend(extraction.map(|own| Process::new(own, Arc::clone(&table), sources)));
    }
    Some(processes)
}

/// The wrapper of a model that has none.
fn generated(
    source: &SourceProgram,
    processes: &[Process],
    appended: &[FileId],
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Result<FileId, Refusal> {
    let tables: Vec<&Table> = processes.iter().map(|process| &*process.table).collect();
    let extractions: Vec<&Extraction> = processes.iter().map(|process| &*process.extraction).collect();
    let others: Vec<&str> = appended.iter().map(|file| &**sources.file(*file).text()).collect();
    let mut found = Diagnostics::new();
    let text = declarations::wrapper(&source.program, &tables, &extractions, &others.join("\n"), &mut found);
    diagnostics.extend(found.iter().cloned());
    if found.has_errors() { Err(Refusal::Invalid) } else { Ok(sources.add("<wrapper>", &text)) }
}
