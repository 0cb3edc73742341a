//! `--refine`: rounds of lossy searches before the exact one.
//!
//! Each round searches for violations of states and steps and for runs that violate each property,
//! with twice the states and four times the memory of the round before, and another order of
//! transitions. A search whose
//! violation was found, or that has hardly missed a state, takes no part in later rounds. The exact
//! search then decides what is still open ([`Rounds::rest`]), and its results are merged with those
//! of the rounds ([`Rounds::report`]). The caller provides the clock.
//!
//! *Entry point:* [`Rounds`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000, side box A.
//! *Invariant:* "holds" comes from the exact search only.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_evidence::report::reason::Words;
use axle_evidence::report::{PropertyReport, Report, RoundReport, Verdict};
use axle_model::Model;
use axle_outcome::{Reason, StopReason, join};
use axle_search::{Arrangement, Limits, Monitor, Outcome, Stop, Violation};

use crate::Checked;
use crate::checks::Check;
use crate::config::{Approximate, Auto, Config, Order, StoreChoice, VacuityCheck};
use crate::runs::RunViolation;
use crate::swarm::{SHALLOW, Sighting, Swarm};

/// Number of rounds; round `n` (from 0) stores 2^n times the states of the first.
pub const ROUNDS: u32 = 6;

/// States of all searches of the first round together, for models and for C programs. Budgets in
/// states make the result independent of the machine, as long as no limit on time ends a search.
const MODEL_STATES: u64 = 500_000;
const PROGRAM_STATES: u64 = 20_000;

/// States of a search of a round, if the round consists of so many.
fn share(first: u64, round: u32, searches: usize) -> u64 {
    (first << round.min(32)) / searches.max(1) as u64
}

/// States of each search of a round over a model.
pub fn states_of_model(round: u32, searches: usize) -> u64 {
    share(MODEL_STATES, round, searches)
}

/// States of each search of a round over a C program.
pub fn states_of_program(round: u32, searches: usize) -> u64 {
    share(PROGRAM_STATES, round, searches)
}

/// Bytes of the bit array of the first round.
const FIRST: u64 = 1 << 20;

/// The rounds of a model.
pub struct Rounds<'m> {
    swarm: Swarm<'m>,
    config: &'m Config,
    seen: Vec<Sighting>,
    reports: Vec<RoundReport>,
    /// The kinds of searches of the next round, see [`Swarm::kinds`].
    open: BTreeSet<u64>,
    /// The kinds with as many violations as `--max-violations` allows: the exact search leaves them
    /// out.
    decided: BTreeSet<u64>,
}

impl<'m> Rounds<'m> {
    /// No round yet.
    pub fn new(model: &'m Arc<Model>, config: &'m Config) -> Rounds<'m> {
        let swarm = Swarm::new(model, config);
        let open = (0..swarm.kinds()).filter(|&kind| swarm.wants(kind)).collect();
        Rounds { swarm, config, seen: Vec::new(), reports: Vec::new(), open, decided: BTreeSet::new() }
    }

    /// The kinds of searches of the next round; none if no further round is useful.
    pub fn open(&self) -> Vec<u64> {
        self.open.iter().copied().collect()
    }

    /// Performs a search of a round, with at most this number of states.
    pub fn search(&self, round: u32, kind: u64, states: u64, mut monitor: &mut dyn Monitor) -> Sighting {
        let monitor = &mut monitor;
        self.swarm.search(kind, &configuration(self.config, round, states), monitor)
    }

    /// Takes the result of a search. `allowed`: its budget of states. `seconds`: how long it took.
    pub fn add(&mut self, kind: u64, seen: Sighting, allowed: u64, seconds: f64) {
        self.reports.push(seen.round(allowed, seconds));
        if seen.is_full() {
            self.decided.insert(kind);
        }
        if seen.is_full() || seen.is_nearly_whole() {
            self.open.remove(&kind);
        }
        self.seen.push(seen);
    }

    /// The configuration of the exact search for what the rounds have not decided; none if nothing
    /// is left.
    pub fn rest(&self) -> Option<Config> {
        let undecided = |kind: &u64| self.swarm.wants(*kind) && !self.decided.contains(kind);
        if self.decided.is_empty() {
            return Some(self.config.clone());
        }
        let mut checks = self.config.checks.clone();
        if !undecided(&0) {
            checks.retain(|check| *check == Check::Properties);
        }
        let violated: BTreeSet<&str> =
            self.decided.iter().filter_map(|&kind| self.swarm.property(kind)).collect();
        let only: BTreeSet<String> =
            self.swarm.wanted().filter(|name| !violated.contains(name)).map(str::to_string).collect();
        if only.is_empty() {
            checks.remove(&Check::Properties);
        }
        (!checks.is_empty()).then(|| Config { checks, only: Some(only), ..self.config.clone() })
    }

    /// The results of all rounds.
    pub fn finish(self) -> Finished {
        let Rounds { swarm, config, seen, reports, decided, .. } = self;
        let mut checked = swarm.report(seen, None);
        checked.report.search.order = "refine".to_string();
        Finished {
            checked,
            rounds: reports,
            errors: config.limits.errors,
            is_full: decided.contains(&0),
            searches_states: config.wants_safety() && !decided.contains(&0),
        }
    }
}

/// The results of all rounds.
#[derive(Debug)]
pub struct Finished {
    /// The violations and the report of the rounds.
    pub checked: Checked,
    rounds: Vec<RoundReport>,
    /// Different violations of states to report at most.
    errors: Option<u64>,
    /// Whether the rounds found as many.
    is_full: bool,
    /// Whether the exact search explores the states.
    searches_states: bool,
}

impl Finished {
    /// The report of the rounds and of the exact search for the rest, if there was one.
    pub fn merge(mut self, exact: Option<Checked>) -> Checked {
        let rounds = std::mem::take(&mut self.rounds);
        let mut checked = match exact {
            Some(exact)
                if self.checked.report.violations.is_empty() && self.checked.report.internal.is_none() =>
            {
                exact
            }
            Some(exact) => self.merged(exact),
            None => {
                if !self.is_full {
                    self.checked.report.stop = None;
                }
                self.checked
            }
        };
        checked.report.refinement = rounds;
        checked
    }

    fn merged(self, exact: Checked) -> Checked {
        let Finished { checked: rounds, errors, searches_states, .. } = self;
        let mut internal = exact.report.internal.clone().or(rounds.report.internal.clone());
        let refused = exact.refused.clone().or(rounds.refused.clone());
        let again = rounds.again + exact.again;
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
            let (states, cycles) = checked.report.violations.split_at(checked.outcome.violations.len());
            for (violation, told) in checked.outcome.violations.iter().zip(states) {
                let known = violations
                    .iter_mut()
                    .find(|(known, _): &&mut (Violation, _)| known.key() == violation.key());
                match known {
                    Some(known) if violation.depth() < known.0.depth() => {
                        *known = (violation.clone(), told.clone())
                    }
                    Some(_) => {}
                    None => violations.push((violation.clone(), told.clone())),
                }
            }
            for (run, told) in checked.runs.iter().zip(cycles) {
                crate::swarm::add_violation(&mut runs, (run.clone(), told.clone()));
            }
        }
        if let Some(most) = errors {
            violations.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        }
        let (violations, mut told): (Vec<Violation>, Vec<_>) = violations.into_iter().unzip();
        let (runs, of_runs): (Vec<RunViolation>, Vec<_>) = runs.into_iter().unzip();
        told.extend(of_runs);
        let base = if searches_states { &exact } else { &rounds };
        let outcome = Outcome { violations, ..base.outcome.clone() };
        let full =
            |checked: &Checked| checked.report.stop.clone().filter(|stop| stop.reason == StopReason::Errors);
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
        Checked { report, outcome, runs, refused, again, attempts: exact.attempts }
    }
}

/// How a round searches.
pub(crate) fn configuration(config: &Config, round: u32, states: u64) -> Config {
    let memory = config.limits.memory.unwrap_or(u64::MAX);
    let arrangement = match round {
        0 => Arrangement::AsMade,
        1 => Arrangement::Reversed,
        _ => Arrangement::Shuffled(u64::from(round)),
    };
    // A cycle near the start is found late by a search that first goes deep.
    let shallow = (round % 2 == 1).then_some(SHALLOW << round);
    let depth = config.limits.depth.into_iter().chain(shallow).min();
    Config {
        order: Order::DepthFirst,
        store: StoreChoice::Bitstate,
        auto: Auto::Nothing,
        passes: BTreeSet::new(),
        vacuity: VacuityCheck::Coverage,
        shortest: false,
        limits: Limits {
            states: Some(config.limits.states.map_or(states, |own| own.min(states))),
            depth,
            ..config.limits
        },
        approximate: Approximate {
            bytes: Some((FIRST << (2 * round)).min(memory / 4)),
            functions: Some(3),
            runs: 1,
            seed: config.approximate.seed.wrapping_add(u64::from(round)),
            arrangement,
            ..config.approximate
        },
        ..config.clone()
    }
}
