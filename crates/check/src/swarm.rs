//! A swarm: many small searches, each different, in place of one that would not end.
//!
//! Members look in turn for faults and for runs that break each property of the model; those for
//! runs are nested depth-first searches ([`crate::lossy_runs`]). Members differ in hash functions,
//! in how many of them there are, in the order of search and of steps and in depth; their arrays
//! double after every eight, so that the first answers come soon and later ones see more. Whoever
//! calls has the clock and the threads.
//!
//! *Entry points:* [`member`] says what a member of the swarm does, [`run`] lets it, [`report`]
//! puts together what they found.
//! *Invariant:* Equal numbers, seeds and sizes make equal members.
//!
//! *Source:* G. J. Holzmann, R. Joshi, A. Groce, Swarm verification techniques, IEEE Transactions
//! on Software Engineering 37, 2011.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_evidence::report::{PropertyReport, RoundReport, Verdict};
use axle_model::Model;
use axle_search::{Arrangement, Limits, Monitor, Outcome, Stop};
use axle_step::Successors;

use crate::checks::Check;
use crate::claims::{self, Source, Stated};
use crate::config::{Approximate, Config, Order, StoreChoice};
use crate::engine::Tiered;
use crate::lossy::{self, Run};
use crate::runs::{Runs, check_runs};
use crate::{Checked, confirm, coverage, describe, verdict};

/// Bytes of the first arrays.
const FIRST: u64 = 1 << 20;

/// Members between two sizes.
const ROUND: u64 = 8;

/// The depth of the first members with a limit on it.
const SHALLOW: u64 = 1_000;

/// What a member has seen that looked for faults.
#[derive(Clone, Debug)]
pub struct Seen {
    run: Run,
    engine: &'static str,
    state_bytes: u64,
}

/// What a member has seen.
#[derive(Debug)]
pub enum Sighting {
    /// Faults of steps and states.
    Faults(Box<Seen>),
    /// Runs that break a property.
    Runs(RunsSeen),
}

/// What a member has seen that looked for runs that break a property.
#[derive(Debug)]
pub struct RunsSeen(Runs);

impl Sighting {
    /// Whether it found as much as is asked for.
    pub fn is_enough(&self, config: &Config) -> bool {
        match self {
            Sighting::Faults(seen) => seen.has_violations() && seen.run.outcome.stop == Some(Stop::Errors),
            Sighting::Runs(RunsSeen(runs)) => config.limits.errors == Some(1) && !runs.violations.is_empty(),
        }
    }

    /// How it searched, and how many states it stored.
    pub fn told(&self) -> (String, u64) {
        match self {
            Sighting::Faults(seen) => {
                let told = lossy::told_of(&seen.run);
                (told.order, told.states)
            }
            Sighting::Runs(RunsSeen(runs)) => {
                let property = runs.properties.first();
                let name = property.map_or("a property", |property| &property.name);
                let search = property.and_then(|property| property.search.as_ref());
                (format!("nested dfs for {name}"), search.map_or(0, |search| search.states))
            }
        }
    }
}

impl Seen {
    /// Whether it found what is wrong.
    pub fn has_violations(&self) -> bool {
        !self.run.outcome.violations.is_empty()
    }

    /// Why it ended.
    pub fn stop(&self) -> Option<Stop> {
        self.run.outcome.stop
    }

    /// The member as one of the searches of `--refine`, for the report.
    pub fn round(&self, allowed: f64, seconds: f64) -> RoundReport {
        RoundReport { allowed, seconds, run: lossy::told_of(&self.run) }
    }

    /// Whether all there is was seen, as far as can be told: the search ended by itself and has hardly missed a state.
    pub fn is_nearly_whole(&self) -> bool {
        self.run.outcome.stop == Some(Stop::Approximate) && self.run.coverage.expected < 0.5
    }
}

/// The properties that members look for runs against, by number in the list of what the model states: those that are
/// wanted and that a nested search can decide.
fn sought(stated: &[Stated], config: &Config) -> Vec<usize> {
    let fit =
        |one: &Stated| config.wants(one) && one.claim.is_ok() && !matches!(one.source, Source::Events(_));
    let properties = config.checks.contains(&Check::Properties);
    (0..stated.len()).filter(|&index| properties && fit(&stated[index])).collect()
}

/// A swarm over a model.
pub struct Swarm<'m> {
    model: &'m Arc<Model>,
    config: &'m Config,
    stated: Vec<Stated>,
    /// The properties that are looked for.
    sought: Vec<usize>,
}

impl<'m> Swarm<'m> {
    /// A swarm for all that the configuration asks for.
    pub fn new(model: &'m Arc<Model>, config: &'m Config) -> Swarm<'m> {
        let stated = claims::stated(model);
        let sought = sought(&stated, config);
        Swarm { model, config, stated, sought }
    }

    /// How many kinds of members there are: they take turns.
    pub fn kinds(&self) -> u64 {
        self.sought.len() as u64 + 1
    }

    /// How often the memory and the time of the member with this number are twice those of the first.
    pub fn size(&self, number: u64) -> u64 {
        number / self.kinds() / ROUND
    }

    /// Lets the member with this number search, with at most `memory` bytes.
    pub fn run(&self, number: u64, memory: u64, monitor: &mut impl Monitor) -> Sighting {
        let kinds = self.kinds();
        let member = member(self.config, number / kinds, memory);
        let Some(&index) = (number % kinds).checked_sub(1).and_then(|kind| self.sought.get(kind as usize))
        else {
            return Sighting::Faults(Box::new(run(self.model, &member, monitor)));
        };
        // A limit on depth is for faults, and so is the random order.
        let limits = Limits { depth: None, ..member.limits };
        let member = Config { order: Order::DepthFirst, limits, ..member };
        let one = std::slice::from_ref(&self.stated[index]);
        Sighting::Runs(RunsSeen(check_runs(self.model, &member, one, None, None, monitor)))
    }

    /// What all members found together. `stop` says why there are no more of them, where someone interrupted.
    pub fn report(&self, members: Vec<Sighting>, stop: Option<Stop>) -> Checked {
        let (mut faults, mut all) = (Vec::new(), Vec::new());
        for member in members {
            match member {
                Sighting::Faults(seen) => faults.push(*seen),
                Sighting::Runs(RunsSeen(runs)) => all.push(runs),
            }
        }
        let mut runs = Runs::default();
        for (index, one) in self.stated.iter().enumerate().filter(|(_, one)| self.config.wants(one)) {
            let properties = self.config.checks.contains(&Check::Properties);
            if properties {
                together(one, self.sought.contains(&index), &mut all, &mut runs);
            }
        }
        report(self.model, self.config, faults, runs, stop)
    }
}

/// Adds to `runs` what the members found about a property.
fn together(one: &Stated, sought: bool, all: &mut [Runs], runs: &mut Runs) {
    let (mut searches, mut largest, mut found) = (0, None::<PropertyReport>, false);
    for member in all.iter_mut() {
        let Some(property) = member.properties.pop_if(|property| property.name == one.name) else { continue };
        searches += 1;
        runs.internal = runs.internal.take().or(member.internal.take());
        if found {
            continue;
        }
        found = property.verdict == Verdict::Violated;
        let states = |property: &PropertyReport| property.search.as_ref().map_or(0, |search| search.states);
        if found || largest.as_ref().is_none_or(|known| states(known) < states(&property)) {
            largest = Some(property);
        }
        // Propositions at fault are told beside.
        runs.violations.append(&mut member.violations);
    }
    let mut property = largest.unwrap_or_else(|| PropertyReport {
        name: one.name.clone(),
        meaning: one.meaning.clone(),
        verdict: Verdict::Unknown,
        reason: None,
        remarks: Vec::new(),
        search: None,
    });
    if !found {
        let states = property.search.as_ref().map_or(0, |search| search.states);
        property.reason = Some(match (sought, searches) {
            (true, 0) => "there was no time for a search".to_string(),
            (true, 1) => format!("one search found no run that breaks it; it saw {states} states"),
            (true, _) => {
                format!("{searches} searches found no run that breaks it; the largest saw {states} states")
            }
            (false, _) => "no search of a swarm can decide it".to_string(),
        });
    }
    runs.properties.push(property);
}

/// How the member with this number searches for faults, with at most `memory` bytes.
pub fn member(config: &Config, number: u64, memory: u64) -> Config {
    let size = number / ROUND;
    let most = (memory / 4 * 3).max(1 << 12);
    let bytes = FIRST.checked_shl(size.try_into().unwrap_or(63)).unwrap_or(most).min(most);
    let seed = config.approximate.seed.wrapping_add(number);
    let shuffled = Arrangement::Shuffled(seed);
    let depth = SHALLOW.saturating_mul(1 << size.min(40));
    let (order, arrangement, depth) = match number % ROUND {
        0 => (Order::DepthFirst, Arrangement::AsMade, None),
        1 => (Order::DepthFirst, Arrangement::Reversed, None),
        2 => (Order::Random, Arrangement::AsMade, None),
        3 => (Order::DepthFirst, shuffled, None),
        4 => (Order::BreadthFirst, shuffled, None),
        5 => (Order::DepthFirst, shuffled, Some(depth)),
        6 => (Order::DepthFirst, shuffled, None),
        _ => (Order::DepthFirst, Arrangement::Reversed, Some(depth / 4)),
    };
    let own = config.limits.depth;
    Config {
        order,
        store: StoreChoice::Bitstate,
        limits: Limits {
            memory: Some(memory),
            depth: depth.map_or(own, |depth| Some(own.map_or(depth, |own| own.min(depth)))),
            ..config.limits
        },
        approximate: Approximate {
            bytes: Some(bytes),
            functions: Some(1 + (number % 3) as u32),
            runs: 1,
            seed,
            arrangement,
            walks: 1_000 << size.min(20),
            ..config.approximate
        },
        ..config.clone()
    }
}

/// Searches as a member does.
pub fn run(model: &Arc<Model>, member: &Config, monitor: &mut impl Monitor) -> Seen {
    let mut stepper = Tiered::new(model, member.step_options(), member.engine);
    let seed = member.approximate.seed;
    let run = lossy::one(&mut stepper, member, seed, None, monitor).unwrap_or_else(|_| Run {
        outcome: crate::run::out_of_memory(&stepper),
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
        order: "no room".to_string(),
        seed,
        accounts: false,
    });
    Seen { run, engine: stepper.name(), state_bytes: stepper.layout().width() as u64 }
}

/// What one search for faults found.
pub fn report_one(model: &Arc<Model>, config: &Config, seen: Seen) -> Checked {
    let stated = claims::stated(model).into_iter().filter(|one| config.wants(one));
    let properties = stated.map(|one| PropertyReport {
        name: one.name,
        meaning: one.meaning,
        verdict: Verdict::Unknown,
        reason: Some("this search looks for faults of steps and states only".to_string()),
        remarks: Vec::new(),
        search: None,
    });
    let unasked = Runs { properties: properties.collect(), ..Runs::default() };
    report(model, config, vec![seen], unasked, None)
}

/// What all members found together, those for runs in `found`. `stop` says why there are no more of them, where someone
/// interrupted.
fn report(
    model: &Arc<Model>,
    config: &Config,
    members: Vec<Seen>,
    found: Runs,
    stop: Option<Stop>,
) -> Checked {
    let engine = members.last().map_or("interpreter", |seen| seen.engine);
    let state_bytes = members.iter().map(|seen| seen.state_bytes).max().unwrap_or(0);
    let runs: Vec<Run> = members.into_iter().map(|seen| seen.run).collect();
    let merged = lossy::merge(&runs, config.limits.errors, true);
    let (mut outcome, approximation) = match merged {
        Some((outcome, told)) => (outcome, Some(told)),
        None => (empty(model), None),
    };
    // That members end early is what they are for.
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
    Checked { report, outcome, runs: found_runs, refused, again: 0 }
}

fn empty(model: &Arc<Model>) -> Outcome {
    let taken = model.processes.iter().map(|process| vec![false; process.edges.len()]).collect();
    Outcome::nothing(Stop::Time, taken)
}

/// What a round of `--refine` checks: what one search for faults can.
pub fn checks_of_round(checks: &BTreeSet<Check>) -> BTreeSet<Check> {
    let by_search = |check: &&Check| !matches!(check, Check::Properties | Check::Unreached);
    checks.iter().filter(by_search).copied().collect()
}
