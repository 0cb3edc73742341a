//! What the rows of abstraction tables allow a verdict of a model to say of the program.
//!
//! *Entry point:* [`Rows::weaken`].
//! *Source:* labels of rows: `axle_extract::label`.
//! *Invariant:* a property *holds* of the program only if no row leaves out a behaviour, and is
//! *violated* only if no step of the witness comes from a row that adds behaviours.

use std::collections::BTreeMap;
use std::fmt::Write;

use axle_evidence::report::{Report, Verdict};
use axle_evidence::trace::{Mover, Trace};
use axle_extract::Label;

/// A statement of the model with the label of its row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What the row does to the behaviours of the program.
    pub label: Label,
    /// The label, the statement, its table and the reason.
    pub text: String,
}

/// The rows of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Process {
    function: String,
    /// The row of each line of the process's text.
    lines: BTreeMap<u32, usize>,
    rows: Vec<Row>,
}

/// The rows that a model was made by.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rows {
    processes: Vec<Process>,
}

impl Rows {
    /// Adds the rows of a process.
    pub fn add(&mut self, function: &str, lines: BTreeMap<u32, usize>, rows: Vec<Row>) {
        self.processes.push(Process { function: function.to_string(), lines, rows });
    }

    /// All rows as text, one a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for process in &self.processes {
            for row in &process.rows {
                writeln!(text, "{}: {}", process.function, row.text).expect("a string takes all text");
            }
        }
        text
    }

    /// The row of a step of an execution.
    fn of(&self, mover: &Mover) -> Option<&Row> {
        let place = mover.place.as_ref()?;
        let file = place.file.rsplit('/').next()?.strip_suffix(".spn")?;
        let process = self.processes.iter().find(|process| process.function == file)?;
        process.rows.get(*process.lines.get(&place.line)?)
    }

    /// The first row of an execution that adds behaviours to the program.
    #[must_use]
    pub fn added(&self, witness: &Trace) -> Option<&Row> {
        let mut movers = witness.steps.iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
        movers.find_map(|mover| self.of(mover).filter(|row| row.label.over))
    }

    /// Lets the verdicts of a report say no more of the program than the rows allow.
    pub fn weaken(&self, report: &mut Report, witness: Option<&Trace>) {
        let rows = || self.processes.iter().flat_map(|process| &process.rows);
        let under = rows().any(|row| row.label.under);
        let added = witness.and_then(|witness| self.added(witness));
        for property in &mut report.properties {
            let reason = match property.verdict {
                Verdict::Holds if under => {
                    "holds of the model, which omits some behaviours of the program".to_string()
                }
                Verdict::Violated => match added {
                    Some(row) => format!(
                        "violated in the model, which may have more behaviours than the program: {}",
                        row.text
                    ),
                    None => continue,
                },
                _ => continue,
            };
            property.verdict = Verdict::Unknown;
            property.reason = Some(reason);
        }
    }
}
