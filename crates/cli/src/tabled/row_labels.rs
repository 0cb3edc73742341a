//! The labels of the rows that were used, and what the verdict of the model says of the program by
//! them.
//!
//! *Entry point:* [`weaken`].
//! *Invariant:* a property holds of the program only if no row leaves out what the program does.

use std::collections::{BTreeMap, BTreeSet};

use axle_check::{CheckedModel, Verdict};
use axle_evidence::report::reason::Words;
use axle_evidence::report::{PlaceReport, WarningReport, overall};
use axle_evidence::trace::Trace;
use axle_extract::lookup::Reason;
use axle_extract::table::Object;
use axle_extract::{Judged, Mapping, Use};
use axle_model::Model;
use axle_outcome::{Abstraction, Answer, Attempted, Label, WarningKind, join, observes_absence};
use axle_search::Fairness;

use super::confirm::Confirmed;
use super::process::{Process, statements};

/// The labels of the rows that were used.
pub struct RowLabels {
    /// How many rows have each label.
    counts: String,
    /// Rows that are not exact, and objects that a table names.
    pub warnings: Vec<WarningReport>,
}

impl RowLabels {
    /// The counts, the rows that are not exact and the objects that a table names, one a line.
    pub fn text(&self) -> String {
        let mut text = format!("\nabstraction: {}\n", self.counts);
        for row in &self.warnings {
            let place = row.place.as_ref().map(|place| format!("{}:{}  ", place.file, place.line));
            text.push_str(&format!("  {}{}\n", place.unwrap_or_default(), row.message));
        }
        text
    }
}

/// Lets the verdict say no more of the program than the rows allow.
pub(super) fn weaken(
    model: &Model,
    checked: &mut CheckedModel,
    runs: &[Trace],
    confirmed: &[Confirmed],
    processes: &[Process],
    fairness: Fairness,
) -> RowLabels {
    let report = &mut checked.report;
    let (mut warnings, mut counts) = (BTreeMap::new(), BTreeMap::new());
    let mut all = Abstraction { observes_absence: observes_absence(model), ..Abstraction::default() };
    for process in processes {
        for assumed in assumptions(process) {
            let key = (
                assumed.place.as_ref().map(|place| (place.file.clone(), place.line)),
                assumed.message.clone(),
            );
            warnings.insert(key, assumed);
        }
        let mut seen = BTreeSet::new();
        for (of, judged) in process.extraction.uses.iter().zip(&process.judged) {
            let (told, place) = row_told(process, of, judged);
            if !seen.insert((told.clone(), place.as_ref().map(|place| place.line))) {
                continue;
            }
            *counts.entry(judged.label.name()).or_insert(0) += 1;
            all.rows = all.rows.join(judged.label);
            if judged.label.over && of.item.may_block() {
                all.unblocks = true;
                all.frees.get_or_insert_with(|| told.clone());
            }
            if judged.label.under {
                all.omits.get_or_insert_with(|| told.clone());
            }
            if judged.label != Label::EXACT {
                let key = (place.as_ref().map(|place| (place.file.clone(), place.line)), told.clone());
                warnings.insert(key, WarningReport { kind: WarningKind::Abstraction, message: told, place });
            }
        }
    }
    let fair = fairness != Fairness::None;
    // The answer of the search for each violation.
    let refuted: Vec<(&str, Attempted)> = (runs.iter().zip(&report.violations).zip(confirmed))
        .map(|((run, told), confirmed)| {
            let (executed, adds) = executed(run, processes);
            let abstraction = Abstraction { executed, adds, confirmation: confirmed.result, ..all.clone() };
            let answer = Answer::Refuted(told.witness(fair));
            (told.property.as_str(), Attempted { answer, abstraction })
        })
        .collect();
    for property in &mut report.properties {
        if property.verdict == Verdict::Unknown {
            continue;
        }
        let own = refuted.iter().filter(|(name, _)| *name == property.name);
        let mut attempts: Vec<Attempted> = own.map(|(_, attempt)| attempt.clone()).collect();
        if attempts.is_empty() {
            let answer = axle_check::checks::answer(property, None);
            attempts.push(Attempted { answer, abstraction: all.clone() });
        }
        if let Ok(Answer::Open(reason)) = join(attempts) {
            property.leave_open(reason, &Words::PLAIN);
        }
    }
    report.verdict = overall(&report.properties);
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    RowLabels { counts: counts.join(", "), warnings: warnings.into_values().collect() }
}

/// The labels of the statements that an execution makes, those included that leave nothing in the
/// model, and the first row that adds behaviours.
fn executed(run: &Trace, processes: &[Process]) -> (Label, Option<String>) {
    let (mut label, mut adds) = (Label::EXACT, None);
    for one in statements(run, processes) {
        for (index, _) in one.process.extraction.executed(one.line) {
            let judged = &one.process.judged[index];
            label = label.join(judged.label);
            if judged.label.over && adds.is_none() {
                adds = Some(row_told(one.process, &one.process.extraction.uses[index], judged).0);
            }
        }
    }
    (label, adds)
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

/// A row with its label, and where it stands: `over: C: (n<3) -> true: possible whatever the
/// state`.
fn row_told(process: &Process, of: &Use, judged: &Judged) -> (String, Option<PlaceReport>) {
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
