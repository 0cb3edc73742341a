//! `--refine` for C programs: diversified lossy searches, and shorter executions. The members of a
//! swarm ([`super::swarm`]) are the same searches with other budgets.
//!
//! Kind 0 of the searches explores the states with a lossy store, in the orders and depths of
//! [`crate::refine`] and [`crate::swarm`]. Each other kind searches for an execution that violates
//! one formula; that search is exact within its limits. Violations are shortened as in
//! [`crate::shorten`].
//!
//! *Entry points:* [`ProgramRounds`], [`shorten`], [`shorten_known`].
//! *Invariant:* "holds" comes from the exact search that follows the rounds, never from a round.

use std::collections::BTreeSet;

use axle_evidence::report::reason::Words;
use axle_evidence::report::{
    ApproximateRunReport, PropertyReport, Report, RoundReport, UnreachedReport, Verdict, ViolationReport,
};
use axle_outcome::{Answer, Attempted, Reason, StopReason, join};
use axle_search::{Arrangement, Limits, Monitor, Silent, Stop};

use super::checks::ProgramCheck;
use super::runs::{self, Judged};
use super::{CheckedProgram, ProgramConfig, ProgramViolation, RunProperty, Subject, check_program};
use crate::config::{Approximate, Config, Order, StoreChoice};
use crate::refine;
use crate::shorten::{BISECTION, BYTES, ORDERS, Tried, deepen, with_remark};

/// The searches of a program.
pub struct ProgramRounds<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) config: &'a ProgramConfig,
    /// The search of the states with the most states.
    states: Option<CheckedProgram>,
    /// For each formula its violation, or the last search for one.
    properties: Vec<Option<PropertyReport>>,
    found: Vec<(ViolationReport, ProgramViolation)>,
    reports: Vec<RoundReport>,
    internal: Option<String>,
    open: BTreeSet<u64>,
    decided: BTreeSet<u64>,
}

/// The result of a search.
pub struct ProgramSeen(Seen);

enum Seen {
    States(Box<CheckedProgram>),
    Property(Box<Judged>),
}

impl ProgramSeen {
    /// Whether the search found as many violations as `--max-violations` allows. A formula has one
    /// at most.
    pub fn is_full(&self) -> bool {
        match &self.0 {
            Seen::States(checked) => {
                checked.report.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Errors)
            }
            Seen::Property(judged) => judged.property.verdict == Verdict::Violated,
        }
    }

    /// Whether the search found a violation.
    pub fn has_violations(&self) -> bool {
        match &self.0 {
            Seen::States(checked) => !checked.violations.is_empty(),
            Seen::Property(judged) => judged.violation.is_some(),
        }
    }

    /// Whether a limit ended the search for a formula.
    pub(super) fn is_limited(&self) -> bool {
        matches!(&self.0, Seen::Property(judged) if judged.stop.is_some() && judged.violation.is_none())
    }

    /// Whether no other search for the same can find more: a formula was searched in all states.
    pub fn is_exhaustive(&self) -> bool {
        matches!(&self.0, Seen::Property(judged) if judged.property.verdict == Verdict::Holds)
    }

    /// Whether the search ended by itself and has hardly missed a state.
    fn is_nearly_whole(&self) -> bool {
        match &self.0 {
            Seen::States(checked) => (checked.report.search.approximation.iter())
                .flat_map(|told| &told.runs)
                .all(|run| run.stop.is_none() && run.expected_omissions < 0.5),
            Seen::Property(judged) => judged.property.verdict == Verdict::Holds,
        }
    }

    /// The search, for the report.
    pub fn run(&self) -> ApproximateRunReport {
        let (order, states, transitions, depth) = match &self.0 {
            Seen::States(checked) => {
                let search = &checked.report.search;
                if let Some(run) = search.approximation.as_ref().and_then(|told| told.runs.first()) {
                    return run.clone();
                }
                (search.order.clone(), search.states.clone(), search.transitions.clone(), search.depth)
            }
            Seen::Property(judged) => {
                let search = judged.property.search.as_ref();
                let figures = search.map(|search| (search.states.clone(), search.transitions.clone()));
                let figures = figures.unwrap_or_default();
                (format!("scc for {}", judged.property.name), figures.0, figures.1, 0)
            }
        };
        let stop = match &self.0 {
            Seen::States(..) => None,
            Seen::Property(judged) => judged.stop.map(StopReason::from),
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

impl<'a> ProgramRounds<'a> {
    /// No search yet.
    pub fn new(subject: Subject<'a>, config: &'a ProgramConfig) -> ProgramRounds<'a> {
        let kinds = config.properties.len() as u64 + 1;
        let open = (0..kinds).filter(|&kind| kind > 0 || !of_states(&config.checks).is_empty()).collect();
        ProgramRounds {
            subject,
            config,
            states: None,
            properties: config.properties.iter().map(|_| None).collect(),
            found: Vec::new(),
            reports: Vec::new(),
            internal: None,
            open,
            decided: BTreeSet::new(),
        }
    }

    /// The kinds of searches that are still useful.
    pub fn open(&self) -> Vec<u64> {
        self.open.iter().copied().collect()
    }

    /// Performs a search of a round of `--refine`, with at most this number of states.
    pub fn search_round(
        &self,
        round: u32,
        kind: u64,
        states: u64,
        mut monitor: &mut dyn Monitor,
    ) -> ProgramSeen {
        let monitor = &mut monitor;
        self.search(kind, &refine::configuration(&self.config.search, round, states), monitor)
    }

    /// Searches as `member` says for what the searches of a kind search for.
    pub(super) fn search(&self, kind: u64, member: &Config, monitor: &mut impl Monitor) -> ProgramSeen {
        let one = kind.checked_sub(1).and_then(|index| self.config.properties.get(index as usize));
        let config = ProgramConfig { search: member.clone(), ..self.config.clone() };
        match one {
            Some(one) => {
                let judged = runs::check(&self.subject, &config, one, None, monitor);
                ProgramSeen(Seen::Property(Box::new(judged)))
            }
            None => {
                let checks = of_states(&config.checks);
                let config = ProgramConfig { checks, properties: Vec::new(), ..config };
                let checked = check_program(&self.subject, &config, monitor);
                ProgramSeen(Seen::States(Box::new(checked)))
            }
        }
    }

    /// Takes the result of a search. `allowed`: its budget of states. `seconds`: how long it took.
    pub fn add(&mut self, kind: u64, seen: ProgramSeen, allowed: u64, seconds: f64) {
        self.reports.push(RoundReport { allowed, seconds, run: seen.run() });
        if seen.is_full() {
            self.decided.insert(kind);
        }
        if seen.is_full() || seen.is_nearly_whole() {
            self.open.remove(&kind);
        }
        match seen.0 {
            Seen::States(checked) => {
                let CheckedProgram { report, violations, .. } = *checked;
                self.internal = self.internal.take().or(report.internal.clone());
                for (told, violation) in report.violations.iter().zip(violations) {
                    self.add_violation(told.clone(), violation);
                }
                let states = |checked: &CheckedProgram| checked.report.search.states.clone();
                let mut report = Report { violations: Vec::new(), ..report };
                let reached = self.states.as_ref().map(|known| &known.report.unreached);
                let unreached = reached.map(|known| by_no_search(known, &report.unreached));
                if self.states.as_ref().is_none_or(|known| states(known) < report.search.states) {
                    report.unreached = unreached.unwrap_or(report.unreached);
                    self.states = Some(CheckedProgram {
                        report,
                        violations: Vec::new(),
                        executed: None,
                        attempts: Vec::new(),
                    });
                } else if let (Some(known), Some(unreached)) = (&mut self.states, unreached) {
                    known.report.unreached = unreached;
                }
            }
            Seen::Property(judged) => {
                let Judged { mut property, violation, internal, .. } = *judged;
                self.internal = self.internal.take().or(internal);
                if let Some((told, violation)) = violation {
                    self.add_violation(told, violation);
                }
                if property.verdict == Verdict::Holds {
                    property.leave_open(Reason::StatesNotSearched, &Words::PLAIN);
                }
                let known = kind.checked_sub(1).and_then(|index| self.properties.get_mut(index as usize));
                if let Some(known) = known
                    && known.as_ref().is_none_or(|known| known.verdict != Verdict::Violated)
                {
                    *known = Some(property);
                }
            }
        }
    }

    fn add_violation(&mut self, told: ViolationReport, violation: ProgramViolation) {
        match self.found.iter_mut().find(|(known, _)| is_same(known, &told)) {
            Some(known) if told.depth < known.0.depth => *known = (told, violation),
            Some(_) => {}
            None => self.found.push((told, violation)),
        }
    }

    /// The configuration of the exact search for what the rounds have not decided; none if nothing
    /// is left. A violation of the states ends executions, so that no formula can hold.
    pub fn rest(&self) -> Option<ProgramConfig> {
        let decided = |index: usize| self.decided.contains(&(index as u64 + 1));
        let all = (0..self.config.properties.len()).all(decided);
        if self.decided.contains(&0) || all && of_states(&self.config.checks).is_empty() {
            return None;
        }
        let properties = self.config.properties.iter().enumerate().filter(|(index, _)| !decided(*index));
        let properties: Vec<RunProperty> = properties.map(|(_, one)| one.clone()).collect();
        Some(ProgramConfig { properties, ..self.config.clone() })
    }

    /// The report of all searches, and of the exact search if there was one. `order`: how they are
    /// called.
    pub fn finish(self, exact: Option<CheckedProgram>, order: &str) -> CheckedProgram {
        let own = exact.is_none();
        let CheckedProgram { mut report, mut violations, .. } = match exact.or(self.states) {
            Some(checked) => checked,
            None => {
                let limits = Limits { states: Some(1), ..self.config.search.limits };
                let search = Config { limits, ..self.config.search.clone() };
                let config = ProgramConfig { search, properties: Vec::new(), ..self.config.clone() };
                check_program(&self.subject, &config, &mut Silent)
            }
        };
        if own {
            report.search.order = order.to_string();
        }
        for (told, violation) in self.found {
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
        for (one, searched) in self.config.properties.iter().zip(self.properties) {
            let row = report.properties.iter_mut().find(|row| row.name == one.name);
            match (row, searched.unwrap_or_else(|| one.unsearched())) {
                (Some(row), searched) if searched.verdict == Verdict::Violated => *row = searched,
                (Some(_), _) => {}
                (None, searched) => report.properties.push(searched),
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
        let reason = match (&self.internal, &contradiction) {
            (Some(_), _) => Some(Reason::NotReplayed { own: false }),
            (None, Some(fault)) => Some(Reason::Internal { fault: fault.clone() }),
            (None, None) => None,
        };
        if let Some(reason) = reason {
            let rows = report.properties.iter_mut();
            rows.for_each(|row| row.leave_open(reason.clone(), &Words::PLAIN));
        }
        report.internal = report.internal.or(self.internal).or(contradiction);
        report.found = report.violations.iter().map(|violation| violation.count).sum();
        report.verdict = axle_evidence::report::overall(&report.properties);
        report.refinement = self.reports;
        CheckedProgram { report, violations, executed: None, attempts: Vec::new() }
    }
}

/// The checks of states: those that need no formula.
fn of_states(checks: &BTreeSet<ProgramCheck>) -> BTreeSet<ProgramCheck> {
    let temporal = [ProgramCheck::Properties, ProgramCheck::Termination];
    checks.iter().filter(|check| !temporal.contains(check)).copied().collect()
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
fn is_same(a: &ViolationReport, b: &ViolationReport) -> bool {
    (&a.property, &a.kind, &a.place) == (&b.property, &b.kind, &b.place)
}

/// Shortens violation `index` of a report, as far as the monitor allows.
pub fn shorten(
    subject: &Subject,
    config: &ProgramConfig,
    checked: &mut CheckedProgram,
    index: usize,
    mut monitor: &mut dyn Monitor,
) {
    let monitor = &mut monitor;
    let (Some(told), Some(known)) =
        (checked.report.violations.get_mut(index), checked.violations.get_mut(index))
    else {
        return;
    };
    if checked.report.internal.is_some() || config.search.spoil_paths {
        return;
    }
    if let Some((report, violation)) = shorten_known(subject, config, told, known, monitor) {
        (*told, *known) = (report, violation);
    }
}

/// A shorter execution to a violation, as far as the monitor allows; none if it was not shortened.
/// `report` belongs to the known one.
pub fn shorten_known(
    subject: &Subject,
    config: &ProgramConfig,
    report: &ViolationReport,
    known: &ProgramViolation,
    mut monitor: &mut dyn Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    let monitor = &mut monitor;
    let search = Config {
        order: Order::BreadthFirst,
        store: StoreChoice::Auto,
        shortest: true,
        attempts: false,
        ..config.search.clone()
    };
    let config = ProgramConfig { search, ..config.clone() };
    let shorter = match config.properties.iter().find(|one| one.name == report.property) {
        Some(one) => of_property(subject, &config, one, report.depth, monitor),
        None => of_state(subject, &config, report, known, monitor),
    };
    let (shorter, violation) = shorter.filter(|(shorter, _)| shorter.depth < report.depth)?;
    Some((with_remark(shorter, report.depth), violation))
}

/// A shorter execution to a violation of a state.
fn of_state(
    subject: &Subject,
    config: &ProgramConfig,
    told: &ViolationReport,
    known: &ProgramViolation,
    monitor: &mut impl Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    let check = ProgramCheck::named(&told.property)?;
    let mut best = None;
    let mut length = known.trail.path.len() as u64;
    let mut search = |length: u64, search: Config| {
        let depth = Some(length.saturating_sub(1)).into_iter().chain(config.search.limits.depth).min();
        let search = Config { limits: Limits { depth, ..search.limits }, ..search };
        let checks = [check].into();
        let config = ProgramConfig { checks, properties: Vec::new(), search, ..config.clone() };
        let checked = check_program(subject, &config, monitor);
        let found = checked.report.violations.into_iter().zip(checked.violations);
        found.into_iter().find(|(report, _)| is_same(report, told))
    };
    let exact = |states: Option<u64>| {
        let limits = Limits {
            errors: Some(1),
            states: states.into_iter().chain(config.search.limits.states).min(),
            ..config.search.limits
        };
        Config { limits, ..config.search.clone() }
    };
    let bitstate = |arrangement: Arrangement| Config {
        order: Order::DepthFirst,
        store: StoreChoice::Bitstate,
        approximate: Approximate {
            bytes: Some(BYTES),
            functions: Some(3),
            arrangement,
            ..config.search.approximate
        },
        shortest: false,
        ..exact(Some(BISECTION))
    };
    if let Some(found) = search(length, exact(Some(BISECTION / 10))) {
        return Some(found);
    }
    for arrangement in ORDERS {
        while length > 2 {
            let Some(found) = search(length.div_ceil(2) + 1, bitstate(arrangement)) else { break };
            length = found.1.trail.path.len() as u64;
            best = Some(found);
        }
    }
    search(length, exact(None)).or(best)
}

/// A shorter execution that violates a formula.
fn of_property(
    subject: &Subject,
    config: &ProgramConfig,
    one: &RunProperty,
    length: u64,
    monitor: &mut impl Monitor,
) -> Option<(ViolationReport, ProgramViolation)> {
    deepen(length, true, |depth| {
        let depth = depth.into_iter().chain(config.search.limits.depth).min();
        let limits = Limits { depth, ..config.search.limits };
        let config = ProgramConfig { search: Config { limits, ..config.search.clone() }, ..config.clone() };
        let judged = runs::check(subject, &config, one, None, monitor);
        let complete = judged.property.verdict == Verdict::Holds || judged.stop == Some(Stop::Depth);
        Tried {
            length: judged.violation.as_ref().map(|(report, _)| report.depth),
            found: judged.violation,
            complete,
        }
    })
}
