//! Extraction of the processes of a model.
//!
//! The tables are brought in line with the program in memory. Functions that share a table are surveyed
//! together, because a row of one is not obsolete if another one lacks the statement. Where a formula is
//! given, it determines the rows that no person has written, each time anew.
//!
//! *Entry point:* [`Extracted::new`].
//! *Invariant:* every process has exactly one table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axle_extract::{
    Change, Extraction, Form, Request, Surveyed, Table, declarations, synchronise, table, wrapper,
};
use axle_source::{Diagnostics, FileId, Sources};

use crate::completed::completed;
use crate::derive::derive;
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
    /// The formula determines no rows of a table.
    NoRows {
        /// The path of the table.
        table: String,
        /// The reason.
        reason: String,
    },
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
    /// variables that the processes and the `appended` files name. With a formula, statements without a row
    /// of a person have the rows that it determines.
    ///
    /// # Errors
    /// There are no processes.
    pub fn new(
        source: &Arc<SourceProgram>,
        tables: &[NamedTable],
        wrapper: Option<FileId>,
        appended: &[FileId],
        formula: Option<&str>,
        (sources, diagnostics): (&mut Sources, &mut Diagnostics),
    ) -> Result<Extracted, Refusal> {
        let wanted = wanted(source, tables, wrapper, sources)?;
        let mut groups: BTreeMap<usize, Vec<&(String, Form)>> = BTreeMap::new();
        for one in &wanted {
            groups.entry(table_of(tables, source, &one.0)?).or_default().push(one);
        }
        let mut processes = Vec::new();
        let mut declarations = Vec::new();
        for (index, wanted) in groups {
            let mut found = Diagnostics::new();
            let group = Group { table: &tables[index], wanted: &wanted, formula };
            let own = extract(source, &group, &mut declarations, sources, &mut found)?;
            let is_valid = !found.has_errors();
            diagnostics.extend(found.iter().cloned());
            processes.extend(own.filter(|_| is_valid).ok_or(Refusal::Invalid)?);
        }
        let (wrapper, is_given) = match wrapper {
            Some(wrapper) => (wrapper, true),
            None => {
                let appended = (appended, &declarations[..]);
                (generated(source, &processes, appended, sources, diagnostics)?, false)
            }
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

/// Functions that share a table.
struct Group<'a> {
    table: &'a NamedTable,
    wanted: &'a [&'a (String, Form)],
    /// The formula that determines rows.
    formula: Option<&'a str>,
}

/// The processes of functions that share a table; none if they cannot be surveyed. Declarations that derived
/// rows need are appended.
fn extract(
    source: &SourceProgram,
    group: &Group<'_>,
    declarations: &mut Vec<String>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Vec<Process>>, Refusal> {
    let program = &source.program;
    let survey = |(function, _): &&(String, Form)| program.survey(function, false, diagnostics);
    let shared: Vec<Surveyed> = group.wanted.iter().filter_map(survey).collect();
    if diagnostics.has_errors() {
        return Ok(None);
    }
    let given = group.table;
    let mut next = synchronise(program, &shared, Some(&given.table), &given.path, sources, diagnostics);
    let mut by_formula = BTreeSet::new();
    if let Some(formula) = group.formula {
        let found = derive(program, &shared, formula)
            .map_err(|reason| Refusal::NoRows { table: given.path.clone(), reason })?;
        declarations.extend(found.declarations.iter().cloned());
        let completed = completed(&next.table, &found);
        by_formula = completed.derived;
        let file = sources.add(&given.path, &completed.text);
        next.table = table::read(file, &program.unit.types, sources, diagnostics);
        // What is new has a row now.
        next.changes.retain(|change| match change {
            Change::Added { item, .. } => !by_formula.contains(&item.shown()),
            Change::Gone(_) | Change::Back(_) => true,
        });
    }
    diagnostics.extend(next.changes.iter().map(|change| change.diagnostic(&given.path)));
    let (table, by_formula) = (Arc::new(next.table), Arc::new(by_formula));
    let mut processes = Vec::new();
    for (function, form) in group.wanted {
        let request = Request { function: function.clone(), form: *form };
        let extraction = axle_extract::extract(program, &request, &table, &shared, sources, diagnostics);
        processes.extend(extraction.map(|own| {
            let derived = Arc::clone(&by_formula);
            Process { derived, ..Process::new(own, Arc::clone(&table), sources) }
        }));
    }
    Ok(Some(processes))
}

/// The wrapper of a model that has none.
fn generated(
    source: &SourceProgram,
    processes: &[Process],
    (appended, declared): (&[FileId], &[String]),
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Result<FileId, Refusal> {
    let tables: Vec<&Table> = processes.iter().map(|process| &*process.table).collect();
    let extractions: Vec<&Extraction> = processes.iter().map(|process| &*process.extraction).collect();
    let others: Vec<&str> = appended.iter().map(|file| &**sources.file(*file).text()).collect();
    let mut found = Diagnostics::new();
    let text = declarations::wrapper(&source.program, &tables, &extractions, &others.join("\n"), &mut found);
    diagnostics.extend(found.iter().cloned());
    let declared = declared.iter().map(|line| format!("{line}\n"));
    let text = format!("{}{text}", declared.collect::<String>());
    if found.has_errors() { Err(Refusal::Invalid) } else { Ok(sources.add("<wrapper>", &text)) }
}
