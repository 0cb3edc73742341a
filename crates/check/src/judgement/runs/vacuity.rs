//! The searches of a vacuity check of a model: see [`crate::judgement::vacuity`].
//!
//! *Entry point:* [`PropertyChecker::vacuity`].

use std::sync::Arc;

use axle_explicit::ReductionStatus;
use axle_ltl::Formula;
use axle_question::claims::{Source, Stated, claim_of};
use axle_search::claim::Claim;
use axle_search::{Algorithm, Fairness, LivenessOutcome, Monitor, Stop};

use crate::judgement::runs::search::visible;
use crate::judgement::runs::{PropertyChecker, algorithm, search_claim};
use crate::judgement::vacuity::{Holding, Searches, Vacuity, of_formula};
use crate::judgement::{describe, passes};

/// The searches of a model for one of its properties.
struct OfModel<'s, 'a, M> {
    checker: &'s mut PropertyChecker<'a, M>,
    one: &'s Stated,
}

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Why a property that holds may hold vacuously.
    pub(super) fn vacuity(&mut self, one: &Stated, outcome: &LivenessOutcome) -> Vacuity {
        let (Source::Formula(formula), Ok(claim)) = (&one.source, &one.claim) else {
            return Vacuity::default();
        };
        let claim = &search_claim(one, claim, algorithm(self.config));
        let holding = Holding { formula, texts: &one.texts, claim, outcome, by: self.config.vacuity };
        of_formula(&holding, &mut OfModel { checker: self, one })
    }
}

impl<M: Monitor> Searches for OfModel<'_, '_, M> {
    fn covered(&mut self, claim: &Claim) -> Option<LivenessOutcome> {
        // The reduced graph has a state for each condition that is true in a reachable state.
        let OfModel { checker, one } = self;
        let reduction = checker.reduction(one);
        let small = passes::for_property(checker.model, checker.config, one, &visible(&one.atoms));
        let model = small.map_or_else(|| Arc::clone(checker.model), |small| small.model);
        let (fairness, algorithm) = (Fairness::None, Algorithm::Components);
        let answer = checker.search_model(&model, claim, &one.atoms, fairness, algorithm, reduction);
        answer.ok().map(|answer| answer.outcome)
    }

    fn violated(&mut self, formula: &Formula) -> Option<LivenessOutcome> {
        let OfModel { checker, one } = self;
        let claim = claim_of(formula, one.atoms.len(), &checker.monitor.interrupt()).ok()?;
        // A stutter-invariant formula with `X` may have subformulas that are not.
        let reduction = match formula.has_next() {
            true => Err(ReductionStatus::Off),
            false => checker.reduction(one),
        };
        let (model, fairness) = (checker.model, checker.config.fairness);
        let algorithm = Algorithm::Components;
        let answer = checker.search_model(model, &claim, &one.atoms, fairness, algorithm, reduction);
        answer.ok().map(|answer| answer.outcome)
    }

    fn stopped(&self, stop: Stop) -> String {
        describe::stop(Some(self.checker.model), stop, self.checker.config).message
    }
}
