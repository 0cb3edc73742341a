//! The rows that a model was made by, with their labels.
//!
//! *Entry points:* [`Rows::labels`], [`Rows::abstraction`].
//! *Source:* the labels: `axle_extract::label`; what they allow: [`axle_outcome::join`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use axle_evidence::report::{PlaceReport, RowReport, WarningReport};
use axle_evidence::trace::Trace;
use axle_extract::lookup::Reason;
use axle_extract::table::Object;
use axle_extract::{Judged, Mapping, Use};
use axle_model::Model;
use axle_outcome::{Abstraction, Confirmation, Label, WarningKind, observes_absence};

use crate::process::{Process, statements};

/// The rows of a model.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Each with a label for each of its statements.
    pub(crate) processes: Vec<Process>,
    /// Whether the processes have other surroundings than in the program.
    pub(crate) is_wrapped: bool,
}

/// The origin of the mapping of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RowOrigin {
    /// A person wrote the row.
    Written,
    /// A formula has determined the row.
    Derived,
    /// A table that comes with Axle, or a directive about an object.
    Included,
    /// The default of the kind of statement.
    Default,
}

/// A statement of a process with its mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The table.
    pub table: String,
    /// The function.
    pub function: String,
    /// The line of the program.
    pub line: u32,
    /// The statement.
    pub statement: String,
    /// Its mapping.
    pub mapping: String,
    /// The origin of the mapping.
    pub origin: RowOrigin,
    /// The effect on the behaviours of the program: `exact`, `over`, `under`.
    pub label: String,
}

/// The labels of the rows that were used.
#[derive(Clone, Default, Debug)]
pub struct RowLabels {
    /// The number of rows of each label.
    counts: String,
    /// Rows that are not exact, and objects that a table names.
    pub warnings: Vec<WarningReport>,
}

impl RowLabels {
    /// The counts, the rows that are not exact and the objects that a table names, one a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("\nabstraction: {}\n", self.counts);
        for row in &self.warnings {
            let place = row.place.as_ref().map(|place| format!("{}:{}  ", place.file, place.line));
            text.push_str(&format!("  {}{}\n", place.unwrap_or_default(), row.message));
        }
        text
    }
}

/// Warnings in the order of their places.
type Warnings = BTreeMap<(Option<(String, u32)>, String), WarningReport>;

fn add(warnings: &mut Warnings, warning: WarningReport) {
    let place = warning.place.as_ref().map(|place| (place.file.clone(), place.line));
    warnings.insert((place, warning.message.clone()), warning);
}

impl Rows {
    /// All rows with their labels as text, one a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for process in &self.processes {
            for (of, judged) in process.extraction.uses.iter().zip(&process.judged) {
                let (row, _) = described(process, of, judged);
                writeln!(text, "{}: {row}", process.extraction.function).expect("a string takes all text");
            }
        }
        text
    }

    /// The statements of all processes with their mappings, in the order of the program, each once.
    #[must_use]
    pub fn table_rows(&self) -> Vec<TableRow> {
        let mut found: Vec<TableRow> = Vec::new();
        for process in &self.processes {
            let uses = process.extraction.uses.iter().zip(&process.judged).zip(&process.places[..]);
            for ((of, judged), place) in uses {
                let statement = of.item.shown();
                let (origin, mapping) = match &of.found.reason {
                    Reason::Row(line) => {
                        let row = process.table.row(*line);
                        let origin = match row {
                            _ if process.derived.contains(&statement) => RowOrigin::Derived,
                            Some(row) if row.new => RowOrigin::Default,
                            _ => RowOrigin::Written,
                        };
                        (origin, row.map_or_else(String::new, |row| row.right.clone()))
                    }
                    Reason::Object(_) | Reason::Included(..) => {
                        (RowOrigin::Included, word(&of.found.mapping))
                    }
                    Reason::Default => (RowOrigin::Default, word(&of.found.mapping)),
                };
                let row = TableRow {
                    table: process.table.name.clone(),
                    function: process.extraction.function.clone(),
                    line: place.start.line,
                    statement,
                    mapping,
                    origin,
                    label: judged.label.name().to_string(),
                };
                if !found.contains(&row) {
                    found.push(row);
                }
            }
        }
        found
    }

    /// The labels of the rows that were used.
    #[must_use]
    pub fn labels(&self) -> RowLabels {
        let (mut warnings, mut counts) = (Warnings::new(), BTreeMap::new());
        for process in &self.processes {
            assumptions(process).into_iter().for_each(|assumed| add(&mut warnings, assumed));
            let mut seen = BTreeSet::new();
            for (of, judged) in process.extraction.uses.iter().zip(&process.judged) {
                let (message, place) = described(process, of, judged);
                if !seen.insert((message.clone(), place.as_ref().map(|place| place.line))) {
                    continue;
                }
                *counts.entry(judged.label.name()).or_insert(0) += 1;
                if judged.label != Label::EXACT {
                    add(&mut warnings, WarningReport { kind: WarningKind::Abstraction, message, place });
                }
            }
        }
        let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        RowLabels { counts: counts.join(", "), warnings: warnings.into_values().collect() }
    }

    /// The abstraction that the model is.
    pub(crate) fn abstraction(&self, model: &Model) -> Abstraction {
        let mut all = Abstraction { observes_absence: observes_absence(model), ..Abstraction::default() };
        for process in &self.processes {
            for (of, judged) in process.extraction.uses.iter().zip(&process.judged) {
                let row = || described(process, of, judged).0;
                all.rows = all.rows.join(judged.label);
                if judged.label.over && of.item.may_block() {
                    all.unblocks = true;
                    all.frees.get_or_insert_with(row);
                }
                if judged.label.under {
                    all.omits.get_or_insert_with(row);
                }
            }
        }
        all
    }

    /// The rows because of which a counterexample may be one of the model only: those that the search of the
    /// program names, and those that it uses and that add behaviours.
    pub(crate) fn doubtful(&self, trace: &Trace, decisive: &[RowReport]) -> Vec<RowReport> {
        let mut rows = decisive.to_vec();
        for one in statements(trace, &self.processes) {
            for (index, _) in one.process.extraction.executed(one.line) {
                if one.process.judged[index].label.over {
                    let row = row_report(one.process, index, false);
                    if !rows.iter().any(|known| known.text == row.text && known.place == row.place) {
                        rows.push(row);
                    }
                }
            }
        }
        rows
    }

    /// The abstraction with the rows of the statements that a counterexample executes, those included that
    /// leave nothing in the model.
    pub(crate) fn executed(
        &self,
        all: &Abstraction,
        trace: &Trace,
        confirmation: Confirmation,
    ) -> Abstraction {
        let mut own = Abstraction { confirmation, ..all.clone() };
        for one in statements(trace, &self.processes) {
            for (index, _) in one.process.extraction.executed(one.line) {
                let judged = &one.process.judged[index];
                own.executed = own.executed.join(judged.label);
                if judged.label.over {
                    let of = &one.process.extraction.uses[index];
                    own.adds.get_or_insert_with(|| described(one.process, of, judged).0);
                }
            }
        }
        own
    }
}

/// The objects that the table names: its author answers for them.
fn assumptions(process: &Process) -> Vec<WarningReport> {
    let lines: BTreeSet<usize> =
        process.extraction.uses.iter().flat_map(|of| of.objects.iter().copied()).collect();
    let named = process.table.objects.iter().filter(|object| lines.contains(&object.line));
    let warning = |object: &Object| {
        let (file, line) = (process.table.name.clone(), object.line as u32 + 1);
        let place = PlaceReport { file, line, column: 1, end_line: line, end_column: 1 };
        let message = format!("assumed: `{}` is `{}` in the model", object.left, object.to);
        WarningReport { kind: WarningKind::Abstraction, message, place: Some(place) }
    };
    named.map(warning).collect()
}

/// The row of a statement, as a part of the report.
pub(crate) fn row_report(process: &Process, index: usize, decisive: bool) -> RowReport {
    let (text, place) = described(process, &process.extraction.uses[index], &process.judged[index]);
    RowReport { place, text, decisive }
}

/// A row with its label, and its place: `over: C: (n<3) -> true: possible whatever the state`.
fn described(process: &Process, of: &Use, judged: &Judged) -> (String, Option<PlaceReport>) {
    let (place, source, mapping) = match &of.found.reason {
        Reason::Row(line) => {
            let right = process.table.row(*line).map_or("", |row| row.right.as_str());
            let line = *line as u32 + 1;
            let (file, column) = (process.table.name.clone(), 1);
            let place = PlaceReport { file, line, column, end_line: line, end_column: column };
            (Some(place), String::new(), right.to_string())
        }
        Reason::Object(name) => {
            (None, format!(" ({}, V: {name})", process.table.name), word(&of.found.mapping))
        }
        Reason::Included(index, line) => {
            let included = process.table.included.get(*index);
            let name = included.map_or("", |one| one.name);
            let row = included.and_then(|one| one.table.row(*line));
            let mapping = row.map_or_else(|| word(&of.found.mapping), |row| row.right.clone());
            (None, format!(" ({}, {name})", process.table.name), mapping)
        }
        Reason::Default => (None, format!(" ({}, default)", process.table.name), word(&of.found.mapping)),
    };
    let why = if judged.why.is_empty() { String::new() } else { format!(": {}", judged.why) };
    (format!("{}: {} -> {mapping}{why}{source}", judged.label.name(), of.item.shown()), place)
}

fn word(mapping: &Mapping) -> String {
    format!("{mapping:?}").to_lowercase()
}
