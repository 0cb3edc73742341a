//! Temporal properties of a model: one search and one verdict for each.
//!
//! Each counterexample is replayed by the interpreter, evaluated ([`crate::judgement::judge`]) and cut at the
//! end of its bad prefix before it is reported.
//!
//! *Entry point:* [`check_runs`].
//! *Invariant:* "holds" is the result of an exhaustive search. A property that cannot be searched
//! for is unknown, with the reason.

mod bad_prefix;
mod claim_engine;
mod parallel;
mod search;
mod vacuity;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_decide::certificate::ClaimProof;
use axle_evidence::lasso::SystemRun;
use axle_evidence::report::reason::{Words, covered};
use axle_evidence::report::{
    ApproximationReport, PassReport, PropertyReport, RunSearchReport, Verdict, ViolationReport,
};
use axle_explicit::{ReductionStatus, lossy_runs};
use axle_ltl::degeneralise::degeneralise;
use axle_ltl::prologue::prologue;
use axle_ltl::translate_negation;
use axle_model::Model;
use axle_outcome::{Reason, ViolationKind};
use axle_question::checks::Check;
use axle_question::claims::{BadPrefixes, Source, Stated, from_automaton};
use axle_question::config::{Config, Order, StoreChoice};
use axle_question::{EngineId, behind_prologue};
use axle_search::claim::Claim;
use axle_search::event_trace::Events;
use axle_search::{Algorithm, Fairness, Limits, LivenessOutcome, Monitor, Stop, event_trace};
use axle_step::FaultKind;
use claim_engine::ByEngine;
use search::search_report;

use crate::judgement::passes::SideBySide;
use crate::judgement::run_report::{fairness_name, finite_run, violation, weak_fairness};
use crate::judgement::{describe, passes};

pub(crate) use bad_prefix::hunted;
pub use bad_prefix::replay;
pub(crate) use claim_engine::{ClaimEngine, ClaimQuestion, ClaimResult};
pub use search::visible;

/// The results for a list of properties.
#[derive(Debug, Default)]
pub struct Runs {
    /// Their rows in the report.
    pub properties: Vec<PropertyReport>,
    /// Counterexamples with their reports.
    pub violations: Vec<(RunViolation, ViolationReport)>,
    /// The reason why a search was ended, which ends the others too.
    pub stop: Option<Stop>,
    /// The reason why the last search was incomplete.
    pub incomplete: Option<Stop>,
    /// A counterexample that does not replay, or does not violate its property: an internal error.
    pub internal: Option<String>,
    /// Searches of a smaller model that were repeated on the original model.
    pub again: u32,
    /// The proofs of properties that hold, where an engine states one.
    pub proofs: Vec<ClaimProof>,
}

impl Runs {
    /// Whether all properties hold.
    fn holds(&self) -> bool {
        self.properties.iter().all(|property| property.verdict == Verdict::Holds)
    }

    /// Notes a counterexample that does not replay.
    fn refuse(&mut self, one: &Stated, property: &mut PropertyReport, fault: &str, run: &SystemRun) {
        property.leave_open(Reason::NotReplayed { own: true }, &Words::PLAIN);
        self.internal = Some(format!("{}: {fault}; steps {:?}", one.name, run.steps));
    }
}

/// The report of a property that is not decided yet.
fn undecided(one: &Stated) -> PropertyReport {
    PropertyReport::undecided(one.name.clone(), one.meaning.clone())
}

/// The result for a property that a selected engine does not decide.
pub(crate) fn unanswered(one: &Stated, engine: EngineId) -> Runs {
    let mut property = undecided(one);
    let what = format!("the engine {engine} does not decide it");
    property.leave_open(Reason::NotSupported { what, place: None }, &Words::PLAIN);
    Runs { properties: vec![property], ..Runs::default() }
}

/// A counterexample of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunViolation {
    /// The name of the property.
    pub property: String,
    /// The run.
    pub run: SystemRun,
    /// The kind of fault if the run does not violate the property but ends in a state in which one
    /// of its propositions cannot be evaluated.
    pub fault: Option<FaultKind>,
}

/// The result of a search for a counterexample, in terms of the full state graph.
struct PropertyOutcome {
    outcome: LivenessOutcome,
    /// The counterexample, if there is one.
    run: Option<SystemRun>,
    /// The run to each proposition that cannot be evaluated.
    fault_runs: Vec<SystemRun>,
    reduction: ReductionStatus,
    /// The passes that made the model that was searched.
    passes: Vec<PassReport>,
    /// The coverage of a lossy search.
    approximation: Option<ApproximationReport>,
    /// The engine that answered, if it is not the explicit-state one.
    by: Option<ByEngine>,
}

/// The number of states of the system. A search for a property beside the exact search learns it
/// when that ends.
#[derive(Clone, Default, Debug)]
pub(crate) struct KnownStates(Arc<AtomicU64>);

impl KnownStates {
    /// A known number, or an unknown one.
    fn new(states: Option<u64>) -> KnownStates {
        let known = KnownStates::default();
        if let Some(states) = states {
            known.set(states);
        }
        known
    }

    /// Sets the number.
    pub fn set(&self, states: u64) {
        self.0.store(states.saturating_add(1), Ordering::Relaxed);
    }

    /// The number, if it is known.
    pub fn get(&self) -> Option<u64> {
        self.0.load(Ordering::Relaxed).checked_sub(1)
    }
}

/// The searches for the properties of a model.
struct PropertyChecker<'a, M> {
    model: &'a Arc<Model>,
    config: &'a Config,
    monitor: &'a mut M,
    /// The model has so many states that compilation is worthwhile.
    large: bool,
    /// The number of states of the system, if it is known.
    states: &'a KnownStates,
    /// Searches of a smaller model that were repeated on the original model.
    again: u32,
    /// The property, if checkpoints of the search for it are written.
    named: Option<&'a str>,
    /// The engine that searches, if it is not the explicit-state one.
    by: Option<&'a dyn ClaimEngine>,
}

/// Checks the properties. `states` is the number of states of the system, where that is known;
/// `stop`, why there are no more searches.
pub fn check_runs(
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    states: Option<u64>,
    stop: Option<Stop>,
    monitor: &mut impl Monitor,
) -> Runs {
    check_undecided(model, config, stated, (states, stop), (Vec::new(), None), monitor)
}

/// The same beside a search of the system, whose number of states becomes known meanwhile.
pub(crate) fn check_beside(
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    states: &KnownStates,
    monitor: &mut impl Monitor,
) -> Runs {
    let searches =
        PropertyChecker { model, config, monitor, large: false, states, again: 0, named: None, by: None };
    check_with(searches, config, stated, None, Vec::new())
}

/// Checks properties by an engine other than the explicit-state one.
pub(crate) fn check_by(
    engine: &dyn ClaimEngine,
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    monitor: &mut impl Monitor,
) -> Runs {
    check_undecided(model, config, stated, (None, None), (Vec::new(), Some(engine)), monitor)
}

/// Checks one property within a number of states. Remarks on one that holds have no such limit.
pub(crate) fn check_within(
    model: &Arc<Model>,
    config: &Config,
    one: &Stated,
    states: Option<u64>,
    most: Option<u64>,
    monitor: &mut impl Monitor,
) -> Runs {
    let limits = Limits { states: most.or(config.limits.states), ..config.limits };
    let limited = Config { limits, ..config.clone() };
    let large = states.is_none_or(|states| states > 2_000);
    let states = &KnownStates::new(states);
    let searches =
        PropertyChecker { model, config: &limited, monitor, large, states, again: 0, named: None, by: None };
    check_with(searches, config, std::slice::from_ref(one), None, Vec::new())
}

/// The same with the result for each property that was searched before. With checkpoints, a
/// property that holds is searched again unless there are no more searches. `by`: the engine that
/// searches, if it is not the explicit-state one.
pub(crate) fn check_undecided(
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    (states, stop): (Option<u64>, Option<Stop>),
    (decided, by): (Vec<Option<Runs>>, Option<&dyn ClaimEngine>),
    monitor: &mut impl Monitor,
) -> Runs {
    let large = states.is_none_or(|states| states > 2_000);
    let states = &KnownStates::new(states);
    let searches = PropertyChecker { model, config, monitor, large, states, again: 0, named: None, by };
    check_with(searches, config, stated, stop, decided)
}

/// Checks properties with the configuration of `searches`; the remarks are those of `whole`.
fn check_with<'a, M: Monitor>(
    mut searches: PropertyChecker<'a, M>,
    whole: &'a Config,
    stated: &'a [Stated],
    stop: Option<Stop>,
    mut decided: Vec<Option<Runs>>,
) -> Runs {
    let (model, config) = (searches.model, searches.config);
    let keeps = searches.monitor.checkpoints().is_some();
    let mut runs = Runs { stop, ..Runs::default() };
    let mut holding = Vec::new();
    for (index, one) in stated.iter().enumerate() {
        let known = decided.get_mut(index).and_then(Option::take);
        let is_final = |known: &Runs| runs.stop.is_some() || !known.holds() || !keeps;
        if let Some(known) = known.filter(is_final) {
            runs.properties.extend(known.properties);
            runs.violations.extend(known.violations);
            runs.proofs.extend(known.proofs);
            runs.internal = runs.internal.or(known.internal);
            searches.again += known.again;
            continue;
        }
        let mut property = undecided(one);
        let words = Words { names: config.vocabulary, model: Some(model) };
        let known = runs.violations.len();
        match (runs.stop, &one.claim, &one.source) {
            // The reason to end one search ends all.
            (Some(stop), _, _) => property.leave_open(describe::reason(stop, config), &words),
            (None, _, Source::Events(Ok(_))) if config.states_only() => {
                property.leave_open(Reason::StatesOnly, &words);
            }
            (None, _, Source::Events(Ok(_))) if searches.by.is_some_and(|by| !by.leaves_event_traces()) => {
                let what = "an event trace constrains steps, not states".to_string();
                property.leave_open(Reason::NotSupported { what, place: None }, &words);
            }
            (None, _, Source::Events(Ok(events))) => {
                searches.check_event_trace(one, events, &mut property, &mut runs)
            }
            (None, _, Source::Events(Err(reason))) | (None, Err(reason), _) => {
                property.leave_open(Reason::NotSupported { what: reason.clone(), place: None }, &words);
            }
            (None, Ok(_), _) if config.states_only() => property.leave_open(Reason::StatesOnly, &words),
            (None, Ok(claim), _) => {
                let claim = search_claim(one, claim, algorithm(config));
                searches.named = Some(&one.name).filter(|_| keeps).map(String::as_str);
                let searched = searches.search(one, &claim);
                // The searches for remarks have no checkpoints.
                searches.named = None;
                match searched {
                    Err(what) => property.leave_open(Reason::NotSupported { what, place: None }, &words),
                    Ok(answer) => {
                        let is_covered = answer.by.as_ref().is_none_or(|by| by.is_covered);
                        // An engine that enumerates no states has no statistics.
                        property.search =
                            is_covered.then(|| search_report(one, config, &claim, &answer, keeps));
                        if config.order_chosen
                            && config.order == Order::DepthFirst
                            && config.fairness != Fairness::None
                        {
                            property.remarks.push(BY_COMPONENTS.to_string());
                        }
                        searches.decide(one, &answer, &mut property, &mut runs);
                        property.answered_by = answer.by.as_ref().map(|by| by.engine.to_string());
                        if property.verdict == Verdict::Holds {
                            property.proof = answer.by.as_ref().and_then(|by| by.proof.clone());
                            property.remarks.extend(answer.by.as_ref().and_then(ByEngine::remark));
                            let fairness = fairness_for(one, config);
                            let by = answer.by.as_ref();
                            runs.proofs.extend(by.and_then(|by| by.certificate(&one.name, fairness)));
                        }
                        match (property.verdict, is_covered) {
                            (Verdict::Holds, true) => {
                                holding.push((index, runs.properties.len(), answer.outcome));
                            }
                            (Verdict::Holds, false) => property.remarks.push(UNEXAMINED.to_string()),
                            _ => {}
                        }
                    }
                }
            }
        }
        if config.store == StoreChoice::Tree
            && property.search.as_ref().is_some_and(|search| search.store == "plain")
        {
            property.remarks.push(UNCOMPRESSED.to_string());
        }
        runs.properties.push(property);
        for (_, report) in &runs.violations[known..] {
            searches.monitor.violated(&report.property, &report.message);
        }
    }
    searches.config = whole;
    for (index, at, outcome) in holding {
        if runs.stop.is_none() {
            searches.monitor.holds(&stated[index].name);
            let found = searches.vacuity(&stated[index], &outcome);
            runs.properties[at].is_vacuous = found.is_vacuous;
            runs.properties[at].vacuity = found.reasons;
            runs.properties[at].remarks.extend(found.remarks);
            runs.stop = found.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted));
        }
    }
    runs.again = searches.again;
    runs
}

/// The remark on a property where depth-first search was chosen and cannot be used.
const BY_COMPONENTS: &str = "searched by components: nested depth-first search does not support fairness";

/// The remark on a property that an engine has proved that knows no coverage of the claim.
const UNEXAMINED: &str = "vacuity is unknown: the proof enumerates no states";

/// The remark on a property where tree compression was chosen and cannot be used.
const UNCOMPRESSED: &str = "stored without tree compression, which event traces and checkpoints exclude";

/// Whether a search exists for a property.
pub fn is_searched(one: &Stated) -> bool {
    match &one.source {
        Source::Events(events) => events.is_ok(),
        Source::Formula(_) | Source::Never | Source::Acceptance | Source::Progress => one.claim.is_ok(),
    }
}

/// The algorithm. A lossy store has no search for components.
pub(crate) fn algorithm(config: &Config) -> Algorithm {
    match lossy_runs::applies(config) {
        true => Algorithm::NestedDfs,
        false => config.algorithm,
    }
}

/// The claim to search for: that of the bad prefixes if every violating run has one. Nested
/// depth-first search takes one acceptance set.
pub(crate) fn search_claim(one: &Stated, claim: &Claim, algorithm: Algorithm) -> Claim {
    if let Some(prefixes) = safety(one) {
        return prefixes.claim.clone();
    }
    match (&one.source, algorithm) {
        (Source::Formula(formula), Algorithm::NestedDfs) if claim.sets > 1 => {
            let (end, inner) = match prologue(formula) {
                Some((end, inner)) => (Some(end), inner),
                None => (None, formula),
            };
            match translate_negation(inner) {
                Ok(automaton) => {
                    let claim = from_automaton(&degeneralise(&automaton), one.atoms.len());
                    end.map_or_else(|| claim.clone(), |end| behind_prologue(claim.clone(), end))
                }
                Err(_) => claim.clone(),
            }
        }
        _ => claim.clone(),
    }
}

/// The bad prefixes of a safety property.
pub(crate) fn safety(one: &Stated) -> Option<&BadPrefixes> {
    one.bad_prefixes.as_ref().filter(|prefixes| prefixes.is_safety())
}

/// The fairness assumption that matters for a property. Every finite run has a fair continuation,
/// so none does for a safety property.
pub(crate) fn fairness_for(one: &Stated, config: &Config) -> Fairness {
    if safety(one).is_some() { Fairness::None } else { config.fairness }
}

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Derives the verdict of a property from a search.
    fn decide(
        &mut self,
        one: &Stated,
        answer: &PropertyOutcome,
        property: &mut PropertyReport,
        runs: &mut Runs,
    ) {
        let outcome = &answer.outcome;
        runs.incomplete = outcome.stop;
        if let Some(stop) = outcome.stop {
            if matches!(stop, Stop::Time | Stop::Interrupted) {
                runs.stop = Some(stop);
            }
            property.leave_open(describe::reason(stop, self.config), &self.words());
            if let (Some(told), Stop::Approximate) = (&answer.approximation, stop) {
                property.reason = Some(covered(told));
            }
        } else if outcome.finding.is_none() {
            property.verdict = Verdict::Holds;
        }
        self.report_proposition_faults(one, answer, property, runs);
        let (Some(finding), Some(run)) = (&outcome.finding, answer.run.clone()) else { return };
        // The states of another engine do not say how many a search for a shorter one may take.
        let states = if answer.by.is_some() { 0 } else { outcome.states };
        match self.confirm_shortest(one, run.clone(), states) {
            Ok((run, walked)) => {
                property.decide(Verdict::Violated);
                let fairness = fairness_for(one, self.config);
                let mut report = violation(one, finding, &run, &walked.trace, self.model, fairness);
                if crate::judgement::judge::is_weakly_unfair(&run, &walked) {
                    report.details.push(weak_fairness(self.config.vocabulary));
                }
                runs.violations.push((RunViolation { property: one.name.clone(), run, fault: None }, report));
            }
            Err(fault) => runs.refuse(one, property, &fault, &run),
        }
    }

    fn words(&self) -> Words<'_> {
        Words { names: self.config.vocabulary, model: Some(self.model) }
    }

    /// Checks an event trace.
    fn check_event_trace(
        &mut self,
        one: &Stated,
        events: &Events,
        property: &mut PropertyReport,
        runs: &mut Runs,
    ) {
        let config = self.config;
        let options = config.step_options();
        let (outcome, passes) = self.search_events(events, &options);
        let [locations, edges] = events.size();
        property.search = Some(RunSearchReport {
            algorithm: "events".to_string(),
            fairness: fairness_name(Fairness::None).to_string(),
            reduction: None,
            passes,
            propositions: Vec::new(),
            claim_states: [locations, u64::from(outcome.seen.count_ones())],
            claim_transitions: [edges, edges],
            states: outcome.states.into(),
            transitions: outcome.transitions.into(),
            store: "plain".to_string(),
            states_memory: outcome.memory,
            search_memory: 0,
            approximation: None,
            is_safety: true,
            stays_initial: false,
        });
        let Some(run) = outcome.found.as_deref().map(finite) else {
            match outcome.stop {
                None => property.verdict = Verdict::Holds,
                Some(stop) => {
                    runs.incomplete = Some(stop);
                    runs.stop = Some(stop).filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted));
                    property.leave_open(describe::reason(stop, config), &self.words());
                }
            }
            return;
        };
        match self.confirm(one, &run) {
            Ok(_) => {
                property.verdict = Verdict::Violated;
                let message = format!("event trace {} violated by the last event: {}", one.name, one.meaning);
                let report = finite_run(one, self.model, &run, ViolationKind::EventTrace, message);
                runs.violations.push((RunViolation { property: one.name.clone(), run, fault: None }, report));
            }
            Err(fault) => runs.refuse(one, property, &fault, &run),
        }
    }

    /// Searches for an execution that violates an event trace: in a smaller model, and in the
    /// original one if an execution cannot be mapped to it or a sequence of the smaller one has no
    /// end. Returns the passes that made the model that was searched.
    fn search_events(
        &mut self,
        events: &Events,
        options: &axle_step::Options,
    ) -> (event_trace::Outcome, Vec<PassReport>) {
        let limits = &self.config.limits;
        if let Some(small) = passes::for_events(self.model, self.config) {
            let outcome = event_trace::search(&small.model, events, options, limits, self.monitor);
            let whole = |steps: &Vec<u32>| {
                SideBySide::new(&small.model, self.model, options)
                    .run(&finite(steps))
                    .map(|run| run.steps.into_iter().flatten().collect())
            };
            match (outcome.found.as_ref().map(whole), outcome.stop) {
                (None, Some(Stop::Sequence { .. })) => {}
                (None, _) => return (outcome, small.passes),
                (Some(Some(steps)), _) => {
                    return (event_trace::Outcome { found: Some(steps), ..outcome }, small.passes);
                }
                (Some(None), _) => self.again += 1,
            }
        }
        (event_trace::search(self.model, events, options, limits, self.monitor), Vec::new())
    }

    /// Reports propositions that could not be evaluated. A process that does not exist (yet) is no
    /// fault, because a property is evaluated in every state: its variables count as 0, as in Spin.
    /// After any other fault the proposition has no value, and a property with such a proposition
    /// does not hold, whichever checks are enabled.
    fn report_proposition_faults(
        &self,
        one: &Stated,
        answer: &PropertyOutcome,
        property: &mut PropertyReport,
        runs: &mut Runs,
    ) {
        for (fault, run) in answer.outcome.faults.iter().zip(&answer.fault_runs) {
            let text = one.texts.get(fault.atom as usize).map_or("?", String::as_str);
            if fault.kind == FaultKind::NoProcess {
                property.remarks.push(format!("`{text}` counts as 0 in states without this process"));
                continue;
            }
            if property.verdict == Verdict::Holds {
                let reason = Reason::Proposition { text: text.to_string(), fault: fault.kind.into() };
                property.leave_open(reason, &self.words());
            }
            let check = Check::of(fault.kind);
            if !self.config.checks.contains(&check) && !self.config.proposition_errors {
                continue;
            }
            let run = run.clone();
            let mut message = axle_evidence::words::sentence(fault.kind, None);
            message.push_str(&format!(", in `{text}` of {}", one.name));
            let kind = fault.kind.into();
            let report = ViolationReport {
                property: check.name().to_string(),
                ..finite_run(one, self.model, &run, kind, message)
            };
            let found = RunViolation { property: one.name.clone(), run, fault: Some(fault.kind) };
            runs.violations.push((found, report));
        }
    }
}

/// The finite execution with steps at these positions.
fn finite(positions: &[u32]) -> SystemRun {
    SystemRun { steps: positions.iter().copied().map(Some).collect(), cycle: 0, claim: Vec::new() }
}
