//! Vacuity of formulas that hold, of models and of programs.
//!
//! A formula holds vacuously if the automaton of its negation never leaves its initial states, if an
//! antecedent is never true, or, on request, if a subformula can be replaced by a stronger one.
//!
//! A formula `!p W (p && f)` states that f holds from the first state with p on: p marks the end of a
//! prologue, such as the choice of a provisioning. The states of its automaton before that, and the
//! initial state of the automaton of f, count as initial.
//!
//! *Entry points:* [`of_formula`], [`stays_initial`].
//! *Source:* O. Kupferman and M. Y. Vardi, Vacuity detection in temporal model checking, STTT 4,
//! 2003.
//! *Invariant:* the result never changes a verdict.

use axle_ltl::prologue::prologue;
use axle_ltl::{Formula, prologue, vacuity};
use axle_question::config::VacuityCheck;
use axle_search::claim::{Claim, Edge, Guard, Location};
use axle_search::{LivenessOutcome, Stop};

use crate::judgement::guards::{guard, seen_true};

/// Searches of a system for the questions of a vacuity check.
pub(crate) trait Searches {
    /// Searches the product of the system and a claim over its propositions, for its coverage. None
    /// if it cannot be searched.
    fn covered(&mut self, claim: &Claim) -> Option<LivenessOutcome>;

    /// Searches for an execution that violates a formula. None if it cannot be searched.
    fn violated(&mut self, formula: &Formula) -> Option<LivenessOutcome>;

    /// A reason to stop in words.
    fn stopped(&self, stop: Stop) -> String;
}

/// A formula that holds.
pub(crate) struct Holding<'a> {
    pub formula: &'a Formula,
    /// The texts of its propositions.
    pub texts: &'a [String],
    /// The claim of the search that found no violation, and its outcome.
    pub claim: &'a Claim,
    pub outcome: &'a LivenessOutcome,
    /// How it is checked.
    pub by: VacuityCheck,
}

/// The result of a vacuity check.
#[derive(Default)]
pub(crate) struct Vacuity {
    /// Why the formula holds vacuously.
    pub reasons: Vec<String>,
    /// Whether nothing was ever demanded: no execution is one to which the formula applies.
    pub is_vacuous: bool,
    /// That it does not, or why this is unknown.
    pub remarks: Vec<String>,
    /// The limit that ended the check.
    pub stop: Option<Stop>,
}

/// Why a formula that holds may hold vacuously.
pub(crate) fn of_formula(holding: &Holding<'_>, searches: &mut impl Searches) -> Vacuity {
    let mut found = Vacuity::default();
    let stays = stays_initial(holding.formula, holding.claim, holding.outcome);
    found.is_vacuous = stays && vacuity::antecedents(holding.formula).is_empty();
    if stays {
        found.reasons.push(
            "vacuous: the automaton of the negated property never leaves its initial state".to_string(),
        );
    }
    antecedents(holding, searches, &mut found);
    if holding.by >= VacuityCheck::Demands && found.stop.is_none() {
        replacements(holding, searches, &mut found);
    }
    found
}

/// Whether a search has seen the automaton of a negated formula in its initial states only.
pub(crate) fn stays_initial(formula: &Formula, claim: &Claim, outcome: &LivenessOutcome) -> bool {
    let initial = initial_locations(formula, claim);
    let others = || (0u32..).zip(&claim.locations).filter(|(at, _)| !initial.contains(at));
    let stayed = others().all(|(at, _)| !outcome.coverage.locations[at as usize]);
    // If the first step of the automaton already violates the property, it is expected not to be
    // taken.
    let ways = others().any(|(at, location)| !is_doomed(at, location, claim.all_marks()));
    stayed && ways
}

/// The locations in which the automaton of a negated formula has not begun to follow a violation.
fn initial_locations(formula: &Formula, claim: &Claim) -> Vec<u32> {
    let mut initial = claim.initial.clone();
    if prologue(formula).is_some() {
        initial.push(0);
    }
    initial
}

/// Whether every run violates the property once the claim is here.
fn is_doomed(at: u32, location: &Location, all_marks: u64) -> bool {
    let stays = |edge: &Edge| edge.to == at && edge.marks == all_marks && edge.guard == Guard::always();
    location.end || location.edges.iter().any(stays)
}

/// Antecedents that are true in no reachable state, or in all: the coverage of an automaton of one
/// location with an edge for each of the conditions.
fn antecedents(holding: &Holding<'_>, searches: &mut impl Searches, found: &mut Vacuity) {
    let conditions = vacuity::antecedents(holding.formula).into_iter();
    let conditions = conditions.flat_map(|left| [(left.clone(), true), (left, false)]);
    let doubtful: Vec<(Formula, bool, Guard)> = conditions
        // The replacement of an antecedent by `true` says the same.
        .filter(|(_, holds)| *holds || holding.by == VacuityCheck::Demands)
        .filter(|(left, holds)| {
            let condition = if *holds { left.clone() } else { left.clone().negated() };
            !seen_true(&condition, holding.claim, holding.outcome)
        })
        .filter_map(|(left, holds)| guard(&left, holds).map(|guard| (left, holds, guard)))
        .collect();
    if doubtful.is_empty() {
        return;
    }
    let always = Edge { guard: Guard::always(), asserts: None, to: 0, marks: 0 };
    let edges = (doubtful.iter())
        .map(|(_, _, guard)| Edge { guard: guard.clone(), ..always.clone() })
        .chain([always.clone()])
        .collect();
    let locations = vec![Location { edges, end: false }];
    let claim = Claim { locations, initial: vec![0], sets: 1, atoms: holding.texts.len() as u32 };
    let Some(outcome) = searches.covered(&claim) else { return };
    let seen = |index: usize| outcome.coverage.edges.first().is_some_and(|edges| edges[index]);
    match outcome.stop {
        Some(stop) => end(stop, searches, found),
        None => {
            let never = doubtful.iter().enumerate().filter(|(at, _)| !seen(*at)).map(|(_, one)| one);
            let never: Vec<&(Formula, bool, Guard)> = never.collect();
            let untrue = never.iter().filter(|(_, holds, _)| *holds).count();
            found.is_vacuous |= untrue == vacuity::antecedents(holding.formula).len();
            found.reasons.extend(never.into_iter().map(|(left, holds, _)| {
                let left = axle_ltl::print::formula(left, holding.texts);
                match holds {
                    true => format!("vacuous: antecedent `{left}` is never true"),
                    false => format!("antecedent `{left}` is always true"),
                }
            }));
        }
    }
}

/// Checks the formula with each of its subformulas replaced by the strongest one.
fn replacements(holding: &Holding<'_>, searches: &mut impl Searches, found: &mut Vacuity) {
    let (end_of_prologue, inner) = match prologue(holding.formula) {
        Some((end, inner)) => (Some(end), inner),
        None => (None, holding.formula),
    };
    let mut parts: Vec<vacuity::Strengthened> = Vec::new();
    let all_parts = holding.by == VacuityCheck::Parts;
    let wanted = vacuity::strengthened(inner).into_iter().filter(|part| all_parts || part.is_demand);
    for stronger in wanted {
        // Subformulas of a replaceable subformula are replaceable.
        if parts.iter().any(|outer| stronger.place.starts_with(&outer.place)) {
            continue;
        }
        let whole = match end_of_prologue {
            Some(atom) => prologue::behind(atom, stronger.formula.clone()),
            None => stronger.formula.clone(),
        };
        let Some(outcome) = searches.violated(&whole) else { continue };
        if let Some(stop) = outcome.stop {
            return end(stop, searches, found);
        }
        if outcome.finding.is_none() {
            parts.push(stronger);
        }
    }
    match parts.is_empty() {
        true if all_parts => {
            found.remarks.push("not vacuous: no subformula can be replaced".to_string());
        }
        true => {}
        false => {
            found.is_vacuous |= parts.iter().any(|part| part.is_demand);
            let parts: Vec<String> = parts.iter().map(|part| vacuity::told(part, holding.texts)).collect();
            found.reasons.push(format!("vacuous: the property would still hold if {}", parts.join(", or ")));
        }
    }
}

/// Ends the check at a limit.
fn end(stop: Stop, searches: &impl Searches, found: &mut Vacuity) {
    found.stop = Some(stop);
    found.remarks.push(format!("vacuity is unknown: {}", searches.stopped(stop)));
}
