//! What the rows of abstraction tables allow a verdict of a model to say of the program.
//!
//! *Entry point:* [`Rows::weaken`].
//! *Source:* labels of rows: `axle_extract::label`; what they allow: [`axle_outcome::join`].
//! *Invariant:* a property *holds* of the program only if no row leaves out a behaviour, and is
//! *violated* only if no step of the witness comes from a row that adds behaviours, and no row leaves
//! out steps where the witness needs that there are none.

use std::collections::BTreeMap;
use std::fmt::Write;

use axle_check::checks;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{Report, Verdict, ViolationReport, overall};
use axle_evidence::trace::{Mover, Trace};
use axle_model::Model;
use axle_outcome::{Abstraction, Answer, Attempted, Confirmation, Label, join, observes_absence};

use crate::project::Fairness;

/// A statement of the model with the label of its row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What the row does to the behaviours of the program.
    pub label: Label,
    /// Whether the program may be blocked at the statement.
    pub may_block: bool,
    /// The label, the statement, its table and the reason.
    pub text: String,
}

/// The rows of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Process {
    function: String,
    /// The rows of the statements that are executed with each line of the process's text.
    lines: BTreeMap<u32, Vec<usize>>,
    rows: Vec<Row>,
}

/// The rows that a model was made by.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rows {
    processes: Vec<Process>,
}

impl Rows {
    /// Adds the rows of a process.
    pub fn add(&mut self, function: &str, lines: BTreeMap<u32, Vec<usize>>, rows: Vec<Row>) {
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

    /// The first row of a step of an execution that adds behaviours.
    fn added_by(&self, mover: &Mover) -> Option<&Row> {
        let place = mover.place.as_ref()?;
        let file = place.file.rsplit('/').next()?.strip_suffix(".spn")?;
        let process = self.processes.iter().find(|process| process.function == file)?;
        let mut rows = process.lines.get(&place.line)?.iter().filter_map(|row| process.rows.get(*row));
        rows.find(|row| row.label.over)
    }

    /// The first row of an execution that adds behaviours to the program.
    #[must_use]
    pub fn added(&self, witness: &Trace) -> Option<&Row> {
        let mut movers = witness.steps.iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
        movers.find_map(|mover| self.added_by(mover))
    }

    /// The label of all rows together.
    fn label(&self) -> Label {
        let rows = self.processes.iter().flat_map(|process| &process.rows);
        rows.fold(Label::EXACT, |all, row| all.join(row.label))
    }

    /// The abstraction in which an execution was found.
    fn abstraction(&self, model: &Model, witness: Option<&Trace>) -> Abstraction {
        let added = witness.and_then(|witness| self.added(witness));
        let rows = || self.processes.iter().flat_map(|process| &process.rows);
        let frees = rows().find(|row| row.label.over && row.may_block);
        Abstraction {
            rows: self.label(),
            executed: added.map_or(Label::EXACT, |row| row.label),
            confirmation: Confirmation::None,
            adds: added.map(|row| row.text.clone()),
            omits: rows().find(|row| row.label.under).map(|row| row.text.clone()),
            unblocks: frees.is_some(),
            observes_absence: observes_absence(model),
            frees: frees.map(|row| row.text.clone()),
        }
    }

    /// Whether a violation of the model is one of the program; otherwise the reason why it need not be.
    ///
    /// # Errors
    /// The reason.
    pub fn admits(
        &self,
        model: &Model,
        told: &ViolationReport,
        witness: &Trace,
        fairness: Fairness,
    ) -> Result<(), String> {
        let answer = Answer::Refuted(told.witness(fairness != Fairness::None));
        match join([Attempted { answer, abstraction: self.abstraction(model, Some(witness)) }]) {
            Ok(Answer::Open(reason)) => Err(Words::PLAIN.sentence(&reason)),
            Ok(_) => Ok(()),
            Err(contradiction) => Err(contradiction.to_string()),
        }
    }

    /// Lets the verdicts of a report say no more of the program than the rows allow.
    pub fn weaken(&self, model: &Model, report: &mut Report, witness: Option<&Trace>, fairness: Fairness) {
        for property in &mut report.properties {
            if property.verdict == Verdict::Unknown {
                continue;
            }
            let told = report.violations.iter().find(|told| told.property == property.name);
            let answer = checks::answer(property, told.map(|told| told.witness(fairness != Fairness::None)));
            let attempt = Attempted { answer, abstraction: self.abstraction(model, witness) };
            if let Ok(Answer::Open(reason)) = join([attempt]) {
                property.leave_open(reason, &Words::PLAIN);
            }
        }
        report.verdict = overall(&report.properties);
    }
}
