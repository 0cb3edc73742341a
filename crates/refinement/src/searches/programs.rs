//! The searches of a C program: see [`crate::searches`].
//!
//! Kind 0 explores the states with a lossy store, in the orders and depths of [`crate::refine`] and
//! [`crate::swarm`]. Each other kind searches for an execution that violates one property; that search is
//! exact within its limits.
//!
//! *Entry point:* [`ProgramSearches`].
//! *Invariant:* "holds" comes from the exact search that follows the rounds, never from a round.

use std::collections::BTreeSet;

use axle_c_evidence::ProgramViolation;
use axle_check::judgement::program_runs::Judged;
use axle_check::judgement::{describe, program_runs};
use axle_check::plan::Target;
use axle_check::{Checked, ProgramFound, check};
use axle_evidence::report::reason::Words;
use axle_evidence::report::{
    ApproximateRunReport, ApproximationReport, PropertyReport, StopReport, UnreachedReport, Verdict,
    ViolationReport,
};
use axle_outcome::{Answer, Attempted, Count, Reason, StopReason, join};
use axle_question::checks::{Check, SystemKind};
use axle_question::config::Config;
use axle_question::run_property::RunProperty;
use axle_question::subject::Subject;
use axle_search::{Limits, Monitor, Silent, Stop};

use crate::searches::{Searches, Seen};

/// The searches of a program.
#[derive(Debug)]
pub struct ProgramSearches<'a> {
    subject: Subject<'a>,
    config: &'a Config,
    /// The wanted properties.
    properties: Vec<&'a RunProperty>,
}

/// The result of a search of a program.
pub struct ProgramSeen(Kind);

enum Kind {
    States(Box<Checked<ProgramFound>>),
    Property(Box<Judged>),
}

impl std::fmt::Debug for ProgramSeen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (order, states) = self.figures();
        write!(f, "{order}: {states} states")
    }
}

impl Seen for ProgramSeen {
    fn is_full(&self) -> bool {
        match &self.0 {
            Kind::States(checked) => {
                checked.report.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Errors)
            }
            Kind::Property(judged) => judged.property.verdict == Verdict::Violated,
        }
    }

    fn is_nearly_whole(&self) -> bool {
        match &self.0 {
            Kind::States(checked) => (checked.report.search.approximation.iter())
                .flat_map(|told| &told.runs)
                .all(|run| run.stop.is_none() && run.expected_omissions < 0.5),
            Kind::Property(judged) => judged.property.verdict == Verdict::Holds,
        }
    }

    /// A formula was searched in all states.
    fn is_exhaustive(&self) -> bool {
        matches!(&self.0, Kind::Property(judged) if judged.property.verdict == Verdict::Holds)
    }

    fn has_violations(&self) -> bool {
        match &self.0 {
            Kind::States(checked) => !checked.found.violations.is_empty(),
            Kind::Property(judged) => judged.violation.is_some(),
        }
    }

    fn run(&self) -> ApproximateRunReport {
        let (order, states, transitions, depth) = match &self.0 {
            Kind::States(checked) => {
                let search = &checked.report.search;
                if let Some(run) = search.approximation.as_ref().and_then(|told| told.runs.first()) {
                    return run.clone();
                }
                (search.order.clone(), search.states.clone(), search.transitions.clone(), search.depth)
            }
            Kind::Property(judged) => {
                let search = judged.property.search.as_ref();
                let figures = search.map(|search| (search.states.clone(), search.transitions.clone()));
                let figures = figures.unwrap_or_default();
                (format!("scc for {}", judged.property.name), figures.0, figures.1, 0)
            }
        };
        let stop = match &self.0 {
            Kind::States(..) => None,
            Kind::Property(judged) => judged.stop.map(StopReason::from),
        };
        ApproximateRunReport {
            order,
            store: "none".to_string(),
            bits: 0,
            functions: 0,
            filled: None,
            seed: 0,
            states,
            transitions,
            depth,
            stop,
            omission_probability: 0.0,
            expected_omissions: 0.0,
            sampled: 0,
            sampled_omissions: 0,
        }
    }
}

impl<'a> ProgramSearches<'a> {
    /// The searches for everything that the configuration asks for.
    pub fn new(subject: &Subject<'a>, config: &'a Config) -> ProgramSearches<'a> {
        ProgramSearches { subject: *subject, config, properties: subject.wanted(config).collect() }
    }

    fn property_of(&self, kind: u64) -> Option<&'a RunProperty> {
        self.properties.get(usize::try_from(kind.checked_sub(1)?).ok()?).copied()
    }
}

impl Searches for ProgramSearches<'_> {
    type Seen = ProgramSeen;
    type Found = ProgramFound;
    const FIRST_ROUND: u64 = 20_000;

    fn config(&self) -> &Config {
        self.config
    }

    fn kinds(&self) -> u64 {
        self.properties.len() as u64 + 1
    }

    fn wants(&self, kind: u64) -> bool {
        kind > 0 || !of_states(&self.config.checks).is_empty()
    }

    fn target(&self, kind: u64) -> Target {
        match self.property_of(kind) {
            Some(one) => Target::Property(kind as usize - 1, one.name.clone()),
            None => Target::States,
        }
    }

    fn search(&self, kind: u64, member: &Config, mut monitor: &mut dyn Monitor) -> ProgramSeen {
        let monitor = &mut monitor;
        match self.property_of(kind) {
            Some(one) => {
                let judged = program_runs::check(&self.subject, member, one, None, monitor);
                ProgramSeen(Kind::Property(Box::new(judged)))
            }
            None => {
                let checks = of_states(&member.checks);
                let config = Config { checks, only: Some(BTreeSet::new()), ..member.clone() };
                ProgramSeen(Kind::States(Box::new(check(&self.subject, &config, monitor))))
            }
        }
    }

    fn of_swarm(self, members: Vec<(u64, ProgramSeen)>, stop: Option<Stop>) -> Checked<ProgramFound> {
        let config = self.config;
        let names: Vec<String> = self.properties.iter().map(|one| one.name.clone()).collect();
        let mut members_of = vec![Members::default(); self.kinds() as usize];
        let mut runs = Vec::new();
        let mut is_full = false;
        for (kind, seen) in &members {
            let run = seen.run();
            if let Some(of) = members_of.get_mut(*kind as usize) {
                of.count += 1;
                of.largest = (&of.largest).max(&run.states).clone();
                of.limited = matches!(&seen.0, Kind::Property(judged) if judged.stop.is_some());
            }
            is_full |= *kind == 0 && seen.is_full();
            runs.push(run);
        }
        let mut checked = self.of_rounds(members);
        let report = &mut checked.report;
        // Steppers of a program number its components independently, so samples of states of
        // different members are not comparable, and nothing is known of their common coverage.
        let largest = runs.iter().map(|run| run.states.clone()).max().unwrap_or_default();
        let searches = runs.len() as u64;
        let approximation = (!runs.is_empty()).then_some(ApproximationReport {
            runs,
            omission_probability: None,
            stored: largest.to_f64(),
            estimated: largest.to_f64(),
            coverage: None,
        });
        let words = Words { names: config.vocabulary, model: None };
        let (stop, reason) = match if is_full { Some(Stop::Errors) } else { stop } {
            Some(stop) => (stop, describe::reason(stop, config)),
            None => (Stop::Approximate, Reason::Swarm { searches, largest }),
        };
        report.stop = Some(StopReport::new(stop, &reason, &words));
        for row in report.properties.iter_mut().filter(|row| row.verdict == Verdict::Unknown) {
            match names.iter().position(|name| *name == row.name) {
                None => row.leave_open(reason.clone(), &words),
                Some(index) => {
                    let Members { count, largest, limited } = members_of[index + 1].clone();
                    if limited {
                        row.leave_open(Reason::Sampled { searches: count, largest }, &words);
                    }
                }
            }
        }
        report.search.approximation = approximation;
        checked
    }

    fn of_rounds(self, seen: Vec<(u64, ProgramSeen)>) -> Checked<ProgramFound> {
        let mut together = Together::new(self.properties.iter().map(|one| one.unsearched()).collect());
        for (kind, seen) in seen {
            together.add(kind, seen);
        }
        let Together { states, rows, found, internal } = together;
        let states = states.unwrap_or_else(|| {
            let limits = Limits { states: Some(1), ..self.config.limits };
            let config = Config { limits, only: Some(BTreeSet::new()), ..self.config.clone() };
            check(&self.subject, &config, &mut Silent)
        });
        joined(states, found, rows, internal)
    }

    /// A violation of the states ends executions, so that no formula can hold.
    fn rest(&self, decided: &BTreeSet<u64>) -> Option<Config> {
        let names = (1..).zip(&self.properties).filter(|(kind, _)| !decided.contains(kind));
        let only: BTreeSet<String> = names.map(|(_, one)| one.name.clone()).collect();
        if decided.contains(&0) || only.is_empty() && !self.wants(0) {
            return None;
        }
        Some(Config { only: Some(only), ..self.config.clone() })
    }

    fn merge(
        _: &Config,
        _: &BTreeSet<u64>,
        rounds: Checked<ProgramFound>,
        exact: Checked<ProgramFound>,
    ) -> Checked<ProgramFound> {
        let found = rounds.report.violations.into_iter().zip(rounds.found.violations).collect();
        let of_rounds = rounds.report.properties.into_iter();
        let rows = of_rounds
            .filter(|row| Check::named(&row.name, SystemKind::Program).is_none_or(Check::is_temporal));
        joined(exact, found, rows.collect(), rounds.report.internal)
    }
}

/// The members of a kind.
#[derive(Clone, Default)]
struct Members {
    count: u64,
    /// States of the largest search.
    largest: Count,
    /// Whether a limit ended the last search.
    limited: bool,
}

/// The results of several searches.
struct Together {
    /// The search of the states with the most states.
    states: Option<Checked<ProgramFound>>,
    /// For each property its violation, or the last search for one.
    rows: Vec<PropertyReport>,
    found: Vec<(ViolationReport, ProgramViolation)>,
    internal: Option<String>,
}

impl Together {
    fn new(rows: Vec<PropertyReport>) -> Together {
        Together { states: None, rows, found: Vec::new(), internal: None }
    }

    /// Adds the result of a search.
    fn add(&mut self, kind: u64, seen: ProgramSeen) {
        match seen.0 {
            Kind::States(checked) => self.add_states(*checked),
            Kind::Property(judged) => {
                let Judged { mut property, violation, internal, .. } = *judged;
                self.internal = self.internal.take().or(internal);
                self.found.extend(violation);
                if property.verdict == Verdict::Holds {
                    property.leave_open(Reason::StatesNotSearched, &Words::PLAIN);
                }
                let known = kind.checked_sub(1).and_then(|index| self.rows.get_mut(index as usize));
                if let Some(known) = known.filter(|known| known.verdict != Verdict::Violated) {
                    *known = property;
                }
            }
        }
    }

    fn add_states(&mut self, checked: Checked<ProgramFound>) {
        let Checked { mut report, found, .. } = checked;
        self.internal = self.internal.take().or(report.internal.clone());
        self.found.extend(std::mem::take(&mut report.violations).into_iter().zip(found.violations));
        let reached = self.states.as_ref().map(|known| &known.report.unreached);
        let unreached = reached.map(|known| by_no_search(known, &report.unreached));
        let is_larger =
            (self.states.as_ref()).is_none_or(|known| known.report.search.states < report.search.states);
        if is_larger {
            report.unreached = unreached.unwrap_or(report.unreached);
            self.states = Some(Checked { report, found: ProgramFound::default(), attempts: Vec::new() });
        } else if let (Some(known), Some(unreached)) = (&mut self.states, unreached) {
            known.report.unreached = unreached;
        }
    }
}

/// The result of a search of the states with the violations and the properties of other searches.
fn joined(
    states: Checked<ProgramFound>,
    found: Vec<(ViolationReport, ProgramViolation)>,
    rows: Vec<PropertyReport>,
    internal: Option<String>,
) -> Checked<ProgramFound> {
    let Checked { mut report, found: ProgramFound { mut violations, .. }, attempts } = states;
    for (told, violation) in found {
        match report.violations.iter().position(|known| is_same(known, &told)) {
            Some(index) if told.depth < report.violations[index].depth && index < violations.len() => {
                report.violations[index] = told;
                violations[index] = violation;
            }
            Some(_) => {}
            None => {
                // Violations without an execution are last.
                report.violations.insert(violations.len(), told);
                violations.push(violation);
            }
        }
    }
    for searched in rows {
        match report.properties.iter_mut().find(|row| row.name == searched.name) {
            Some(row) if searched.verdict == Verdict::Violated => *row = searched,
            Some(_) => {}
            None => report.properties.push(searched),
        }
    }
    let mut contradiction = None;
    for row in &mut report.properties {
        let own = report.violations.iter().find(|violation| violation.property == row.name);
        let refuted = own.map(|violation| Answer::Refuted(violation.witness(false)));
        match join([Some(row.answer(None)), refuted].into_iter().flatten().map(Attempted::from)) {
            Err(found) => contradiction = Some(format!("{}: {found}", row.name)),
            Ok(Answer::Refuted(_)) => row.decide(Verdict::Violated),
            Ok(Answer::Proved(_) | Answer::Open(_)) => {}
        }
    }
    let reason = match (&internal, &contradiction) {
        (Some(_), _) => Some(Reason::NotReplayed { own: false }),
        (None, Some(fault)) => Some(Reason::Internal { fault: fault.clone() }),
        (None, None) => None,
    };
    if let Some(reason) = reason {
        let rows = report.properties.iter_mut();
        rows.for_each(|row| row.leave_open(reason.clone(), &Words::PLAIN));
    }
    report.internal = report.internal.or(internal).or(contradiction);
    report.found = report.violations.iter().map(|violation| violation.count).sum();
    report.verdict = axle_evidence::report::overall(&report.properties);
    Checked { report, found: ProgramFound { violations, executed: None }, attempts }
}

/// The checks of states: those that need no formula.
fn of_states(checks: &BTreeSet<Check>) -> BTreeSet<Check> {
    checks.iter().filter(|check| !check.is_temporal()).copied().collect()
}

/// The statements that neither of two searches reached.
fn by_no_search(one: &[UnreachedReport], other: &[UnreachedReport]) -> Vec<UnreachedReport> {
    let both = one.iter().filter_map(|one| {
        let other = other.iter().find(|other| other.process == one.process)?;
        let unreached = one.unreached.iter().filter(|statement| other.unreached.contains(statement));
        Some(UnreachedReport { unreached: unreached.cloned().collect(), ..one.clone() })
    });
    both.filter(|function| !function.unreached.is_empty()).collect()
}

/// Whether two violations are the same error at the same place.
pub(crate) fn is_same(a: &ViolationReport, b: &ViolationReport) -> bool {
    (&a.property, &a.kind, &a.place) == (&b.property, &b.kind, &b.place)
}
