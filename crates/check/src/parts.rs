//! A property of a model for several parts of its executions, by one symbolic search.
//!
//! Choices that precede everything else and never change, such as the provisioning of a project, divide the
//! executions into parts. One search of all executions shares what the parts have in common; the answer for a
//! part is that of the reached states in which its condition holds, and has a report of its own.
//!
//! *Entry point:* [`check_in_parts`].
//! *Source:* G. J. Holzmann and M. H. Smith, "An Automated Verification Method for Distributed Systems Software
//! Based on Model Extraction", IEEE TSE 28(4), 2002: properties are verified for each provisioning.
//! *Invariant:* a part holds only if the search has ended, and no reached state in which its condition holds
//! belongs to a counterexample.

use std::sync::{Arc, Mutex, PoisonError};

use axle_model::{Expr, Model};
use axle_question::EngineId;
use axle_question::claims::{self, Stated};
use axle_question::config::Config;
use axle_search::claim::Claim;
use axle_search::{Fairness, Monitor};
use axle_step::Atom;

use crate::judgement::runs::{ClaimEngine, ClaimQuestion, ClaimResult, check_by};
use crate::model::conclude_runs;
use crate::plan::engines::symbolic;
use crate::system::CheckedModel;

/// Checks the only property that the configuration selects, for each of the parts: none if the symbolic search
/// does not apply, as many as were decided if it was stopped. A part consists of the executions in which its
/// condition is always true; where the condition is false, it has to stay false.
pub fn check_in_parts(
    model: &Arc<Model>,
    config: &Config,
    parts: &[Expr],
    mut monitor: &mut dyn Monitor,
) -> Vec<CheckedModel> {
    let config = Config { engine: Some(EngineId::SYMBOLIC), threads: 1, attempts: false, ..config.clone() };
    let mut stated = claims::wanted(model, |one| config.wants(one), &monitor.interrupt());
    let [one] = &mut stated[..] else { return Vec::new() };
    if one.claim.is_err() {
        return Vec::new();
    }
    one.atoms.extend(parts.iter().cloned().map(Atom::Holds));
    let answers = Answers::default();
    let mut checked = Vec::new();
    for part in 0..parts.len() {
        let engine = OfPart { answers: &answers, parts: parts.len(), part };
        let one: &[Stated] = &stated;
        let runs = check_by(&engine, model, &config, one, &mut monitor);
        if runs.stop.is_some() || runs.incomplete.is_some() {
            break;
        }
        checked.push(conclude_runs(model, &config, one, runs, &mut *monitor));
    }
    checked
}

/// The answers of searches that have ended, for all parts.
type Answers = Mutex<Vec<Answer>>;

/// The answers of a search. The search for a part may ask several questions: a formula that holds is examined
/// further.
struct Answer {
    model: Arc<Model>,
    claim: Claim,
    fairness: Fairness,
    results: Vec<ClaimResult>,
}

/// The symbolic search as the engine of one part.
struct OfPart<'a> {
    answers: &'a Answers,
    /// The number of parts, and which of them this is.
    parts: usize,
    part: usize,
}

impl ClaimEngine for OfPart<'_> {
    fn id(&self) -> EngineId {
        EngineId::SYMBOLIC
    }

    fn store(&self) -> &'static str {
        "decision-diagrams"
    }

    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &&Answer| {
            known.fairness == question.fairness
                && known.claim == *question.claim
                && known.model == *question.model
        };
        if let Some(known) = answers.iter().find(is_same) {
            return Ok(known.results[self.part].clone());
        }
        let results = symbolic::in_parts(question, self.parts, monitor)?;
        let own = results[self.part].clone();
        if results.iter().all(|result| result.outcome.stop.is_none()) {
            let (model, claim) = (Arc::clone(question.model), question.claim.clone());
            answers.push(Answer { model, claim, fairness: question.fairness, results });
        }
        Ok(own)
    }
}
