//! From the answers for a model to those for the program that it was extracted from.
//!
//! *Entry points:* [`Origin::qualify`] for a report, [`Origin::admits`] for one counterexample.
//! *Source:* E. M. Clarke, O. Grumberg and D. E. Long, "Model Checking and Abstraction", TOPLAS 1994.
//! *Invariant:* a property *holds* only if no row omits a behaviour of the program, and is *violated* only
//! by an execution of the program, or one in which no row adds behaviours.

use std::sync::Arc;

use axle_check::{CheckedModel, Config, Verdict, checks};
use axle_evidence::replay::replay_violation;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{ViolationReport, overall};
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_outcome::{
    Answer, Attempted, Confirmation, Counterexample, Method, Proof, Reason, Steps, Witness, join,
};
use axle_search::Fairness;
use axle_step::Interrupt;

use crate::confirm::Original;
use crate::row_labels::{RowLabels, Rows};

/// The program that a model was extracted from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The rows that the model was made by.
    pub rows: Arc<Rows>,
    /// The program itself.
    pub original: Arc<Original>,
}

/// What applies to the program of a report on its model.
#[derive(Clone, Debug)]
pub struct Qualified {
    /// The labels of the rows that were used.
    pub labels: RowLabels,
    /// For each violation of the report, whether it is one of the program.
    pub admitted: Vec<bool>,
}

impl Origin {
    /// Weakens the verdicts of the model to those of the program, confirms the counterexamples on it, and
    /// adds their statements of C to the report.
    ///
    /// # Errors
    /// A counterexample of the model cannot be replayed.
    pub fn qualify(
        &self,
        model: &Arc<Model>,
        config: &Config,
        checked: &mut CheckedModel,
        interrupt: &Interrupt,
    ) -> Result<Qualified, String> {
        let traces = traces(model, config, checked)?;
        let report = &mut checked.report;
        let all = self.rows.abstraction(model);
        let fair = config.fairness != Fairness::None;
        // The answer of the search for each counterexample.
        let mut refuted: Vec<(String, Attempted)> = Vec::new();
        for (trace, violation) in traces.iter().zip(&mut report.violations) {
            let confirmed = self.original.confirm(trace, &violation.kind, &self.rows, interrupt);
            let abstraction = self.rows.executed(&all, trace, confirmed.result);
            let answer = Answer::Refuted(violation.witness(fair));
            refuted.push((violation.property.clone(), Attempted { answer, abstraction }));
            violation.details.extend(self.rows.statements_of(trace));
            violation.details.extend(confirmed.text.lines().map(str::to_string));
            violation.rows = self.rows.doubtful(trace, &confirmed.rows);
        }
        for property in &mut report.properties {
            if property.verdict == Verdict::Unknown {
                continue;
            }
            let own = refuted.iter().filter(|(name, _)| *name == property.name);
            let mut attempts: Vec<Attempted> = own.map(|(_, attempt)| attempt.clone()).collect();
            if attempts.is_empty() {
                let answer = checks::answer(property, None);
                attempts.push(Attempted { answer, abstraction: all.clone() });
            }
            if let Ok(Answer::Open(reason)) = join(attempts) {
                property.leave_open(reason, &Words::PLAIN);
            }
        }
        report.verdict = overall(&report.properties);
        let admitted = refuted.into_iter().map(|(_, own)| matches!(join([own]), Ok(Answer::Refuted(_))));
        Ok(Qualified { labels: self.rows.labels(), admitted: admitted.collect() })
    }

    /// Whether a counterexample of the model is one of the program. Its statements of C and the result of
    /// the confirmation are added to it.
    ///
    /// # Errors
    /// The reason why it need not be one.
    pub fn admits(
        &self,
        model: &Model,
        violation: &mut ViolationReport,
        trace: &Trace,
        fairness: Fairness,
        interrupt: &Interrupt,
    ) -> Result<(), String> {
        let confirmed = self.original.confirm(trace, &violation.kind, &self.rows, interrupt);
        let abstraction = self.rows.executed(&self.rows.abstraction(model), trace, confirmed.result);
        let answer = Answer::Refuted(violation.witness(fairness != Fairness::None));
        violation.details.extend(self.rows.statements_of(trace));
        violation.details.extend(confirmed.text.lines().map(str::to_string));
        violation.rows = self.rows.doubtful(trace, &confirmed.rows);
        match open(Attempted { answer, abstraction }) {
            Some(reason) => Err(Words::PLAIN.sentence(&reason)),
            None => Ok(()),
        }
    }
}

impl Rows {
    /// Why an execution of the model need not be one of the program; none if it is one.
    #[must_use]
    pub fn doubt_of_execution(&self, model: &Model, trace: &Trace) -> Option<Reason> {
        let abstraction = self.executed(&self.abstraction(model), trace, Confirmation::None);
        let steps = Steps::Positions { path: Vec::new(), cycle: 0 };
        let answer = Answer::Refuted(Witness { shape: Counterexample::Prefix, steps });
        open(Attempted { answer, abstraction })
    }

    /// Why the program may have executions of a kind of which the model has none; none if it has none.
    #[must_use]
    pub fn doubt_of_absence(&self, model: &Model) -> Option<Reason> {
        let proof =
            Proof { method: Method::ExhaustiveSearch, excludes: Counterexample::Prefix, is_checked: false };
        open(Attempted { answer: Answer::Proved(proof), abstraction: self.abstraction(model) })
    }
}

fn open(attempt: Attempted) -> Option<Reason> {
    match join([attempt]) {
        Ok(Answer::Open(reason)) => Some(reason),
        Ok(Answer::Proved(_) | Answer::Refuted(_)) | Err(_) => None,
    }
}

/// The executions of all counterexamples, in the order of the report.
fn traces(model: &Arc<Model>, config: &Config, checked: &CheckedModel) -> Result<Vec<Trace>, String> {
    let options = config.step_options();
    let steps = checked
        .found
        .outcome
        .violations
        .iter()
        .map(|violation| replay_violation(model, violation, &options).map_err(|fault| fault.to_string()));
    let runs = checked.found.runs.iter().map(|run| axle_check::replay(model, run, config.fairness, &options));
    let shown =
        |trace: Result<Trace, String>| trace.map_err(|fault| format!("a violation cannot be shown: {fault}"));
    steps.chain(runs).map(shown).collect()
}
