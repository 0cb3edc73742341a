//! The searches of a model: see [`crate::searches`].
//!
//! Event traces and fairness assumptions need exact searches, which end at a limit; other properties are
//! searched with a lossy nested depth-first search (`lossy_runs.rs`).
//!
//! *Entry point:* [`ModelSearches`].
//! *Invariant:* every violation of the merged report was confirmed.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_check::judgement::runs::{RunViolation, Runs, check_runs, is_searched};
use axle_check::judgement::{confirm, coverage, describe, verdict};
use axle_check::plan::Target;
use axle_check::{Checked, CheckedModel, ModelFound};
use axle_evidence::report::reason::Words;
use axle_evidence::report::{ApproximateRunReport, PropertyReport, Report, Verdict, ViolationReport};
use axle_explicit::lossy;
use axle_explicit::lossy::Run;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_outcome::{Count, Reason, StopReason, ViolationKind, join};
use axle_question::checks::Check;
use axle_question::claims;
use axle_question::claims::Stated;
use axle_question::config::{Config, Order, StoreChoice};
use axle_search::{Fairness, Monitor, Outcome, Stop, Violation};
use axle_step::{Interrupt, Successors};

use crate::searches::{Searches, Seen};

/// The result of a member that searched for violations of states and steps.
#[derive(Clone, Debug)]
struct OfStates {
    run: Run,
    engine: &'static str,
    state_bytes: u64,
}

/// The result of a search of a model.
#[derive(Debug)]
pub struct ModelSeen(Kind);

#[derive(Debug)]
enum Kind {
    /// Of a search for violations of states and steps.
    States(Box<OfStates>),
    /// Of a search for runs that violate a property.
    Runs(Runs),
}

impl Seen for ModelSeen {
    fn is_full(&self) -> bool {
        match &self.0 {
            Kind::States(seen) => seen.run.outcome.stop == Some(Stop::Errors),
            Kind::Runs(runs) => runs.properties.iter().any(|property| property.verdict == Verdict::Violated),
        }
    }

    fn is_nearly_whole(&self) -> bool {
        match &self.0 {
            Kind::States(seen) => {
                seen.run.outcome.stop == Some(Stop::Approximate) && seen.run.coverage.expected < 0.5
            }
            Kind::Runs(runs) => runs.properties.iter().all(|property| {
                property.verdict == Verdict::Holds
                    || runs.stop.is_none()
                        && lossy_run(property)
                            .is_some_and(|run| run.stop.is_none() && run.expected_omissions < 0.5)
            }),
        }
    }

    /// A lossy search is never exhaustive.
    fn is_exhaustive(&self) -> bool {
        false
    }

    fn has_violations(&self) -> bool {
        match &self.0 {
            Kind::States(seen) => !seen.run.outcome.violations.is_empty(),
            Kind::Runs(runs) => !runs.violations.is_empty(),
        }
    }

    fn run(&self) -> ApproximateRunReport {
        match &self.0 {
            Kind::States(seen) => lossy::told_of(&seen.run),
            Kind::Runs(runs) => run_of(runs),
        }
    }
}

/// A search for runs that violate a property, for the report.
fn run_of(runs: &Runs) -> ApproximateRunReport {
    let property = runs.properties.first();
    let name = property.map_or("a property", |property| &property.name);
    if let Some(run) = property.and_then(lossy_run) {
        return ApproximateRunReport { order: format!("nested dfs for {name}"), ..run.clone() };
    }
    let search = property.and_then(|property| property.search.as_ref());
    ApproximateRunReport {
        order: format!("{} for {name}", search.map_or("no search", |search| &search.algorithm)),
        store: "none".to_string(),
        bits: 0,
        functions: 0,
        filled: None,
        seed: 0,
        states: search.map_or(Count::ZERO, |search| search.states.clone()),
        transitions: search.map_or(Count::ZERO, |search| search.transitions.clone()),
        depth: 0,
        stop: runs.stop.map(StopReason::from),
        omission_probability: 0.0,
        expected_omissions: 0.0,
        sampled: 0,
        sampled_omissions: 0,
    }
}

/// The lossy search for a property.
fn lossy_run(property: &PropertyReport) -> Option<&ApproximateRunReport> {
    property.search.as_ref()?.approximation.as_ref()?.runs.first()
}

/// The numbers of the properties to search for: those that are wanted and can be searched for.
fn sought(stated: &[Stated]) -> Vec<usize> {
    (0..stated.len()).filter(|&index| is_searched(&stated[index])).collect()
}

/// The searches of a model.
#[derive(Debug)]
pub struct ModelSearches<'m> {
    model: &'m Arc<Model>,
    config: &'m Config,
    /// The wanted properties.
    stated: Vec<Stated>,
    /// The numbers of the properties that are searched for.
    sought: Vec<usize>,
}

impl<'m> ModelSearches<'m> {
    /// The searches for everything that the configuration asks for.
    pub fn new(model: &'m Arc<Model>, config: &'m Config) -> ModelSearches<'m> {
        let stated = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
        let sought = sought(&stated);
        ModelSearches { model, config, stated, sought }
    }

    /// The property that searches of a kind search for; none for kind 0.
    fn stated_of(&self, kind: u64) -> Option<&Stated> {
        let index = self.sought.get(usize::try_from(kind.checked_sub(1)?).ok()?)?;
        Some(&self.stated[*index])
    }
}

impl Searches for ModelSearches<'_> {
    type Seen = ModelSeen;
    type Found = ModelFound;
    const FIRST_ROUND: u64 = 500_000;

    fn config(&self) -> &Config {
        self.config
    }

    fn kinds(&self) -> u64 {
        self.sought.len() as u64 + 1
    }

    fn wants(&self, kind: u64) -> bool {
        kind > 0 || self.config.wants_safety()
    }

    fn target(&self, kind: u64) -> Target {
        let number = kind.checked_sub(1).and_then(|index| self.sought.get(index as usize));
        let property = |number: &usize| Target::Property(*number, self.stated[*number].name.clone());
        number.map_or(Target::States, property)
    }

    fn search(&self, kind: u64, member: &Config, mut monitor: &mut dyn Monitor) -> ModelSeen {
        let monitor = &mut monitor;
        let Some(one) = self.stated_of(kind) else {
            return ModelSeen(Kind::States(Box::new(run(self.model, member, monitor))));
        };
        // Fairness needs components, and so every state. A search for runs is depth-first.
        let store = match self.config.fairness {
            Fairness::None => member.store,
            Fairness::Weak | Fairness::Strong => StoreChoice::Auto,
        };
        let member = Config { order: Order::DepthFirst, store, threads: 1, ..member.clone() };
        let one = std::slice::from_ref(one);
        ModelSeen(Kind::Runs(check_runs(self.model, &member, one, None, None, monitor)))
    }

    fn of_swarm(self, members: Vec<(u64, ModelSeen)>, stop: Option<Stop>) -> CheckedModel {
        let (mut faults, mut all) = (Vec::new(), Vec::new());
        for (_, member) in members {
            match member.0 {
                Kind::States(seen) => faults.push(*seen),
                Kind::Runs(runs) => all.push(runs),
            }
        }
        let mut runs = Runs::default();
        for (index, one) in self.stated.iter().enumerate() {
            together(one, self.sought.contains(&index), &mut all, &mut runs);
        }
        report(self.model, self.config, faults, runs, stop)
    }

    fn of_rounds(self, seen: Vec<(u64, ModelSeen)>) -> CheckedModel {
        self.of_swarm(seen, None)
    }

    fn rest(&self, decided: &BTreeSet<u64>) -> Option<Config> {
        let undecided = |kind: &u64| self.wants(*kind) && !decided.contains(kind);
        if decided.is_empty() {
            return Some(self.config.clone());
        }
        let mut checks = self.config.checks.clone();
        if !undecided(&0) {
            checks.retain(|check| *check == Check::Properties);
        }
        let violated: BTreeSet<&str> =
            decided.iter().filter_map(|&kind| Some(self.stated_of(kind)?.name.as_str())).collect();
        let names = self.stated.iter().map(|one| one.name.as_str());
        let only: BTreeSet<String> =
            names.filter(|name| !violated.contains(name)).map(str::to_string).collect();
        if only.is_empty() {
            checks.remove(&Check::Properties);
        }
        (!checks.is_empty()).then(|| Config { checks, only: Some(only), ..self.config.clone() })
    }

    fn merge(
        config: &Config,
        decided: &BTreeSet<u64>,
        rounds: CheckedModel,
        exact: CheckedModel,
    ) -> CheckedModel {
        if rounds.report.violations.is_empty() && rounds.report.internal.is_none() {
            return exact;
        }
        let searches_states = config.wants_safety() && !decided.contains(&0);
        merged(config.limits.errors, searches_states, rounds, exact)
    }
}

/// Adds the results of the members for one property to `runs`.
fn together(one: &Stated, sought: bool, all: &mut [Runs], runs: &mut Runs) {
    let (mut searches, mut largest, mut found) = (0, None::<PropertyReport>, false);
    for member in all.iter_mut() {
        let Some(property) = member.properties.pop_if(|property| property.name == one.name) else { continue };
        searches += 1;
        runs.internal = runs.internal.take().or(member.internal.take());
        let violated = property.verdict == Verdict::Violated;
        let states = |property: &PropertyReport| property.search.as_ref().map(|search| search.states.clone());
        let better = largest.as_ref().is_none_or(|known| states(known) < states(&property));
        if !found && (violated || better) {
            largest = Some(property);
        }
        found |= violated;
        for violation in member.violations.drain(..) {
            add_violation(&mut runs.violations, violation);
        }
    }
    let mut property =
        largest.unwrap_or_else(|| PropertyReport::undecided(one.name.clone(), one.meaning.clone()));
    if !found {
        let largest = property.search.as_ref().map_or(Count::ZERO, |search| search.states.clone());
        let unsupported = |what: &str| Reason::NotSupported { what: what.to_string(), place: None };
        let reason = match (sought, searches, &one.claim) {
            (true, 0, _) => Reason::NotStarted,
            (true, ..) => Reason::Sampled { searches, largest },
            (false, _, Err(reason)) => unsupported(reason),
            (false, ..) => unsupported("it cannot be searched for"),
        };
        property.leave_open(reason, &Words::PLAIN);
    }
    runs.properties.push(property);
}

/// The identity of a violating run: its property, its kind and, for a proposition that cannot be
/// evaluated, which.
pub(crate) fn violation_key(
    run: &RunViolation,
    report: &ViolationReport,
) -> (String, ViolationKind, Option<String>) {
    (run.property.clone(), report.kind.clone(), run.fault.map(|_| report.message.clone()))
}

/// Adds a violating run, or replaces the same violation with a longer run.
pub(crate) fn add_violation(
    all: &mut Vec<(RunViolation, ViolationReport)>,
    violation: (RunViolation, ViolationReport),
) {
    let key = violation_key(&violation.0, &violation.1);
    match all.iter_mut().find(|(run, report)| violation_key(run, report) == key) {
        Some(known) if violation.1.depth < known.1.depth => *known = violation,
        Some(_) => {}
        None => all.push(violation),
    }
}

/// Searches for violations of states and steps.
fn run(model: &Arc<Model>, member: &Config, monitor: &mut impl Monitor) -> OfStates {
    let mut stepper = Tiered::new(model, member.step_options(), member.successors_for(model));
    let seed = member.approximate.seed;
    let run = lossy::one(&mut stepper, member, seed, None, monitor).unwrap_or_else(|_| Run {
        outcome: axle_explicit::run::out_of_memory(&stepper),
        coverage: axle_store::omission::Coverage {
            kind: axle_store::omission::Kind::Bitstate,
            bits: 0,
            functions: 1,
            ones: 0,
            stored: 0,
            predicted: 0.0,
            expected: 0.0,
            threshold: u64::MAX,
            sample: Vec::new(),
        },
        order: "out of memory".to_string(),
        seed,
        accounts: false,
    });
    OfStates { run, engine: stepper.name(), state_bytes: stepper.width() as u64 }
}

/// The report of all members; `found` is of those that searched for violating runs. `stop`: why
/// there are no more members, if they were interrupted.
fn report(
    model: &Arc<Model>,
    config: &Config,
    members: Vec<OfStates>,
    found: Runs,
    stop: Option<Stop>,
) -> CheckedModel {
    let engine = members.last().map_or("interpreter", |seen| seen.engine);
    let state_bytes = members.iter().map(|seen| seen.state_bytes).max().unwrap_or(0);
    let runs: Vec<Run> = members.into_iter().map(|seen| seen.run).collect();
    let merged = lossy::merge(&runs, config.limits.errors, true);
    let (mut outcome, approximation) = match merged {
        Some((outcome, told)) => (outcome, Some(told)),
        None => (empty(model), None),
    };
    // Members end early by design.
    let full = outcome.stop == Some(Stop::Errors);
    outcome.stop =
        Some(stop.filter(|_| !full).unwrap_or(if full { Stop::Errors } else { Stop::Approximate }));
    for run in &runs {
        for (all, one) in outcome.taken.iter_mut().zip(&run.outcome.taken) {
            all.iter_mut().zip(one).for_each(|(all, one)| *all |= one);
        }
    }
    let (confirmed, internal) = confirm::all(model, config, &outcome);
    let runs = Runs { internal: internal.or(found.internal), ..found };
    let found_runs = runs.violations.iter().map(|(run, _)| run.clone()).collect();
    let mut search = describe::search(config, &outcome, "bitstate", engine, state_bytes);
    search.order = "swarm".to_string();
    search.approximation = approximation;
    let unreached = coverage::unreached(model, &outcome.taken);
    let mut report = verdict::report(model, config, &outcome, &confirmed, unreached, search, runs);
    lossy::tell(&mut report);
    let refused = report.internal.as_ref().and_then(|_| outcome.violations.get(confirmed.len()).cloned());
    outcome.violations.truncate(confirmed.len());
    let found = ModelFound { outcome, runs: found_runs, refused, again: 0, certificate: None };
    Checked { report, found, attempts: Vec::new() }
}

fn empty(model: &Arc<Model>) -> Outcome {
    let taken = model.processes.iter().map(|process| vec![false; process.edges.len()]).collect();
    Outcome::nothing(Stop::Time, taken)
}

/// The results of rounds that found violations and of the exact search for the rest. `searches_states`:
/// the exact search explored the states.
fn merged(
    errors: Option<u64>,
    searches_states: bool,
    rounds: CheckedModel,
    exact: CheckedModel,
) -> CheckedModel {
    let mut internal = exact.report.internal.clone().or(rounds.report.internal.clone());
    let refused = exact.found.refused.clone().or(rounds.found.refused.clone());
    let again = rounds.found.again + exact.found.again;
    let properties: Vec<PropertyReport> = (rounds.report.properties.iter())
        .map(|property| {
            let decided = exact.report.properties.iter().find(|other| other.name == property.name);
            let answers = std::iter::once(property).chain(decided).map(|one| one.answer(None).into());
            let own = property.verdict == Verdict::Violated;
            let mut joined = decided.filter(|_| !own).unwrap_or(property).clone();
            if let Err(contradiction) = join(answers) {
                let fault = format!("{}: {contradiction}", property.name);
                joined.leave_open(Reason::Internal { fault: fault.clone() }, &Words::PLAIN);
                internal.get_or_insert(fault);
            }
            joined
        })
        .collect();
    let (mut violations, mut runs) = (Vec::new(), Vec::new());
    for checked in [&rounds, &exact] {
        let (states, cycles) = checked.report.violations.split_at(checked.found.outcome.violations.len());
        for (violation, told) in checked.found.outcome.violations.iter().zip(states) {
            let known =
                violations.iter_mut().find(|(known, _): &&mut (Violation, _)| known.key() == violation.key());
            match known {
                Some(known) if violation.depth() < known.0.depth() => {
                    *known = (violation.clone(), told.clone())
                }
                Some(_) => {}
                None => violations.push((violation.clone(), told.clone())),
            }
        }
        for (run, told) in checked.found.runs.iter().zip(cycles) {
            add_violation(&mut runs, (run.clone(), told.clone()));
        }
    }
    if let Some(most) = errors {
        violations.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    }
    let (violations, mut told): (Vec<Violation>, Vec<_>) = violations.into_iter().unzip();
    let (runs, of_runs): (Vec<RunViolation>, Vec<_>) = runs.into_iter().unzip();
    told.extend(of_runs);
    let base = if searches_states { &exact } else { &rounds };
    let outcome = Outcome { violations, ..base.found.outcome.clone() };
    let full =
        |checked: &CheckedModel| checked.report.stop.clone().filter(|stop| stop.reason == StopReason::Errors);
    let stop = exact.report.stop.clone().or_else(|| full(&rounds));
    let found = told.iter().map(|violation| violation.count).sum();
    let report = Report {
        verdict: axle_evidence::report::overall(&properties),
        properties,
        violations: told,
        found,
        stop,
        search: base.report.search.clone(),
        unreached: exact.report.unreached,
        internal,
        ..rounds.report
    };
    let outcome = Outcome { stop: outcome.stop.filter(|stop| *stop != Stop::Approximate), ..outcome };
    let found = ModelFound { outcome, runs, refused, again, certificate: exact.found.certificate };
    Checked { report, found, attempts: exact.attempts }
}
