//! The text of each extracted process beside the statements of C that it was made of.
//!
//! *Entry point:* [`Rows::texts`].
//! *Invariant:* the Promela lines are those of the extraction, in order; every statement of C is on a line or
//! among those that leave nothing.

use std::collections::BTreeMap;

use axle_evidence::place::PlaceReport;

use crate::process::Process;
use crate::row_labels::{Rows, row_report};

/// The text of an extracted process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessText {
    /// The function of C.
    pub function: String,
    /// The table.
    pub table: String,
    /// The lines of Promela.
    pub lines: Vec<PromelaLine>,
    /// The statements of C that leave nothing in the model.
    pub hidden: Vec<Statement>,
}

/// A line of the text of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromelaLine {
    /// The line.
    pub text: String,
    /// The statement of C that it was made of.
    pub statement: Option<Statement>,
}

/// A statement of C with its row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its place in the program.
    pub place: PlaceReport,
    /// The statement.
    pub text: String,
    /// The name of the label of its row.
    pub label: &'static str,
    /// The place of its row, if the table has one.
    pub row: Option<PlaceReport>,
}

impl Rows {
    /// The texts of the processes.
    #[must_use]
    pub fn texts(&self) -> Vec<ProcessText> {
        self.processes.iter().map(text).collect()
    }
}

fn text(process: &Process) -> ProcessText {
    let extraction = &process.extraction;
    let by_line: BTreeMap<u32, usize> = extraction.map.iter().copied().collect();
    let line = |(number, text): (u32, &str)| PromelaLine {
        text: text.to_string(),
        statement: by_line.get(&number).map(|&index| statement(process, index)),
    };
    let hidden = (0..extraction.uses.len()).filter(|index| !by_line.values().any(|own| own == index));
    ProcessText {
        function: extraction.function.clone(),
        table: process.table.name.clone(),
        lines: (1..).zip(extraction.text.lines()).map(line).collect(),
        hidden: hidden.map(|index| statement(process, index)).collect(),
    }
}

fn statement(process: &Process, index: usize) -> Statement {
    let place = &process.places[index];
    let (line, column) = (place.start.line, place.start.column);
    Statement {
        place: PlaceReport {
            file: place.file.to_string(),
            line,
            column,
            end_line: place.end.line,
            end_column: place.end.column,
        },
        text: process.extraction.uses[index].item.shown(),
        label: process.judged.get(index).map_or("", |judged| judged.label.name()),
        row: process.judged.get(index).and_then(|_| row_report(process, index, false).place),
    }
}
