//! Vacuity of formulas that hold.
//!
//! A formula holds vacuously if the automaton of its negation never leaves the initial state, if an
//! antecedent is never true, or, with `--vacuity`, if a subformula can be replaced by a stronger
//! one.
//!
//! *Entry point:* [`PropertyChecker::remarks`].
//! *Source:* O. Kupferman and M. Y. Vardi, Vacuity detection in temporal model checking, STTT 4,
//! 2003.
//! *Invariant:* remarks never change a verdict.

use std::sync::Arc;

use axle_ltl::{Formula, vacuity};
use axle_search::claim::{Claim, Edge, Guard, Location};
use axle_search::{Algorithm, Fairness, LivenessOutcome, Monitor, Stop};

use super::search::visible;
use super::{PropertyChecker, algorithm, search_claim};
use crate::claims::{Source, Stated, claim_of};
use crate::describe;
use crate::explored::ReductionStatus;
use crate::guards::{guard, seen_true};
use crate::passes;

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Why a property that holds may hold vacuously.
    pub(super) fn remarks(
        &mut self,
        one: &Stated,
        outcome: &LivenessOutcome,
        stop: &mut Option<Stop>,
    ) -> Vec<String> {
        let mut remarks = Vec::new();
        let Source::Formula(formula) = &one.source else { return remarks };
        let claim = match &one.claim {
            Ok(claim) => search_claim(one, claim, algorithm(self.config)),
            Err(_) => return remarks,
        };
        let others = || (0u32..).zip(&claim.locations).filter(|(at, _)| !claim.initial.contains(at));
        let stayed = others().all(|(at, _)| !outcome.coverage.locations[at as usize]);
        // If the first step of the automaton already violates the property, it is expected not to
        // be taken.
        let ways = others().any(|(at, location)| !is_doomed(at, location, claim.all_marks()));
        if stayed && ways {
            remarks.push(
                "vacuous: the automaton of the negated property never leaves its initial state".to_string(),
            );
        }
        let doubtful: Vec<Formula> = vacuity::antecedents(formula)
            .into_iter()
            .filter(|left| guard(left, true).is_some() && !seen_true(left, &claim, outcome))
            .collect();
        match self.conditions_seen(&doubtful, one) {
            Ok(Some(seen)) => {
                let never = doubtful.iter().zip(seen).filter(|(_, seen)| !seen);
                remarks.extend(never.map(|(left, _)| {
                    let left = axle_ltl::print::formula(left, &one.texts);
                    format!("vacuous: antecedent `{left}` is never true")
                }));
            }
            Ok(None) => {}
            Err(early) => *stop = early.filter(|s| matches!(s, Stop::Time | Stop::Interrupted)),
        }
        if self.config.vacuity && stop.is_none() {
            self.vacuous(one, formula, &mut remarks, stop);
        }
        remarks
    }

    /// For each condition on a state, whether it is true in a reachable state: the coverage of an
    /// automaton of one state with an edge for each condition. None without conditions.
    fn conditions_seen(
        &mut self,
        conditions: &[Formula],
        one: &Stated,
    ) -> Result<Option<Vec<bool>>, Option<Stop>> {
        if conditions.is_empty() {
            return Ok(None);
        }
        let always = Edge { guard: Guard::always(), asserts: None, to: 0, marks: 0 };
        let edges = (conditions.iter())
            .map(|condition| Edge { guard: guard(condition, true).unwrap_or_default(), ..always.clone() })
            .chain([always.clone()])
            .collect();
        let locations = vec![Location { edges, end: false }];
        let claim = Claim { locations, initial: vec![0], sets: 1, atoms: one.atoms.len() as u32 };
        // The reduced graph has a state for each condition that is true in a reachable state.
        let reduction = self.reduction(one);
        let small = passes::for_property(self.model, self.config, one, &visible(&one.atoms));
        let model = small.map_or_else(|| Arc::clone(self.model), |small| small.model);
        let answer =
            self.search_model(&model, &claim, &one.atoms, Fairness::None, Algorithm::Components, reduction);
        let outcome = answer.map_err(|_| None)?.outcome;
        match outcome.stop {
            Some(stop) => Err(Some(stop)),
            None => Ok(Some(outcome.coverage.edges[0][..conditions.len()].to_vec())),
        }
    }

    /// Checks the formula with each of its subformulas replaced by the strongest one.
    fn vacuous(
        &mut self,
        one: &Stated,
        formula: &Formula,
        remarks: &mut Vec<String>,
        stop: &mut Option<Stop>,
    ) {
        let mut found: Vec<vacuity::Strengthened> = Vec::new();
        for stronger in vacuity::strengthened(formula) {
            // Subformulas of a replaceable subformula are replaceable.
            if found.iter().any(|outer| stronger.place.starts_with(&outer.place)) {
                continue;
            }
            let Ok(claim) = claim_of(&stronger.formula, one.atoms.len(), &self.monitor.interrupt()) else {
                continue;
            };
            // A stutter-invariant formula with `X` may have subformulas that are not.
            let reduction = match formula.has_next() {
                true => Err(ReductionStatus::Off),
                false => self.reduction(one),
            };
            let fairness = self.config.fairness;
            let Ok(answer) =
                self.search_model(self.model, &claim, &one.atoms, fairness, Algorithm::Components, reduction)
            else {
                continue;
            };
            let outcome = answer.outcome;
            if let Some(early) = outcome.stop {
                *stop = Some(early).filter(|s| matches!(s, Stop::Time | Stop::Interrupted));
                remarks.push(format!(
                    "vacuity is unknown: {}",
                    describe::stop(Some(self.model), early, self.config).message
                ));
                return;
            }
            if outcome.finding.is_none() {
                found.push(stronger);
            }
        }
        match found.is_empty() {
            true => remarks.push("not vacuous: no subformula can be replaced".to_string()),
            false => {
                let parts: Vec<String> = found.iter().map(|part| vacuity::told(part, &one.texts)).collect();
                remarks.push(format!("vacuous: the property would still hold if {}", parts.join(", or ")));
            }
        }
    }
}

/// Whether every run violates the property once the claim is here.
fn is_doomed(at: u32, location: &Location, all_marks: u64) -> bool {
    let stays = |edge: &Edge| edge.to == at && edge.marks == all_marks && edge.guard == Guard::always();
    location.end || location.edges.iter().any(stays)
}
