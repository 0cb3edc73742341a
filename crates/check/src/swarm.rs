//! Swarm verification: many small diversified lossy searches instead of one exact search.
//!
//! Members search in turn for violations of states and steps and for runs that violate each
//! property (`lossy_runs.rs`; event traces and fairness assumptions need exact searches,
//! which end at a limit). Members differ in hash functions, in their number, in the search order,
//! in the order of transitions and in the depth limit. The bit arrays double after every eight
//! members, so that first results are early and later members see more. The caller provides the
//! clock and the threads. The rounds of `--refine` ([`crate::refine`]) are members of a swarm as
//! well.
//!
//! *Entry points:* [`Swarm::run`], [`Swarm::search`], [`Swarm::report`].
//! *Source:* G. J. Holzmann, R. Joshi, A. Groce, "Swarm Verification Techniques", IEEE Transactions
//! on Software Engineering 37, 2011.
//! *Invariant:* equal numbers, seeds and sizes give equal members; no property holds because of a
//! swarm.

use std::sync::Arc;

use axle_evidence::report::reason::Words;
use axle_evidence::report::{ApproximateRunReport, PropertyReport, RoundReport, Verdict, ViolationReport};
use axle_model::Model;
use axle_outcome::{Count, Reason, StopReason, ViolationKind};
use axle_search::{Arrangement, Fairness, Limits, Monitor, Outcome, Stop};
use axle_step::{Interrupt, Successors};

use crate::claims::{self, Stated};
use crate::config::{Approximate, Config, Order, StoreChoice};
use crate::lossy::{self, Run};
use crate::runs::{RunViolation, Runs, check_runs, is_searched};
use crate::successors::Tiered;
use crate::{Checked, confirm, coverage, describe, verdict};

/// Bytes of the first arrays.
const FIRST: u64 = 1 << 20;

/// Members of one size.
pub const ROUND: u64 = 8;

/// The depth limit of the first members that have one.
pub(crate) const SHALLOW: u64 = 1_000;

/// The result of a member that searched for violations of states and steps.
#[derive(Clone, Debug)]
pub struct Seen {
    run: Run,
    engine: &'static str,
    state_bytes: u64,
}

/// The result of a member.
#[derive(Debug)]
pub enum Sighting {
    /// Of a search for violations of states and steps.
    Faults(Box<Seen>),
    /// Of a search for runs that violate a property.
    Runs(RunsSeen),
}

/// The result of a member that searched for runs that violate a property.
#[derive(Debug)]
pub struct RunsSeen(Runs);

impl Sighting {
    /// Whether the search stopped because it found as many violations as `--max-violations` allows.
    /// A property has one violating run at most.
    pub fn is_full(&self) -> bool {
        match self {
            Sighting::Faults(seen) => seen.run.outcome.stop == Some(Stop::Errors),
            Sighting::Runs(runs) => runs.is_violated(),
        }
    }

    /// Whether the search terminated by itself and has hardly missed a state, so that an exact
    /// search is cheap.
    pub fn is_nearly_whole(&self) -> bool {
        match self {
            Sighting::Faults(seen) => {
                seen.run.outcome.stop == Some(Stop::Approximate) && seen.run.coverage.expected < 0.5
            }
            Sighting::Runs(RunsSeen(runs)) => runs.properties.iter().all(|property| {
                property.verdict == Verdict::Holds
                    || runs.stop.is_none()
                        && lossy_run(property)
                            .is_some_and(|run| run.stop.is_none() && run.expected_omissions < 0.5)
            }),
        }
    }

    /// The kinds of the violations found: those that count towards `--max-violations`.
    pub fn violations(&self) -> usize {
        match self {
            Sighting::Faults(seen) => seen.run.outcome.violations.len(),
            Sighting::Runs(RunsSeen(runs)) => runs.violations.len(),
        }
    }

    /// The search order, and how many states were stored.
    pub fn told(&self) -> (String, Count) {
        let run = self.run();
        (run.order, run.states)
    }

    /// The member as a round of `--refine`, for the report. `allowed`: its budget of states.
    /// `seconds`: how long it took.
    pub fn round(&self, allowed: u64, seconds: f64) -> RoundReport {
        RoundReport { allowed, seconds, run: self.run() }
    }

    /// The search, for the report.
    fn run(&self) -> ApproximateRunReport {
        match self {
            Sighting::Faults(seen) => lossy::told_of(&seen.run),
            Sighting::Runs(runs) => runs.run(),
        }
    }
}

impl RunsSeen {
    fn is_violated(&self) -> bool {
        self.0.properties.iter().any(|property| property.verdict == Verdict::Violated)
    }

    fn run(&self) -> ApproximateRunReport {
        let property = self.0.properties.first();
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
            stop: self.0.stop.map(StopReason::from),
            omission_probability: 0.0,
            expected_omissions: 0.0,
            sampled: 0,
            sampled_omissions: 0,
        }
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

/// A swarm over a model.
pub struct Swarm<'m> {
    model: &'m Arc<Model>,
    config: &'m Config,
    /// The wanted properties.
    stated: Vec<Stated>,
    /// The numbers of the properties that are searched for.
    sought: Vec<usize>,
}

impl<'m> Swarm<'m> {
    /// A swarm for everything that the configuration asks for.
    pub fn new(model: &'m Arc<Model>, config: &'m Config) -> Swarm<'m> {
        let stated = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
        let sought = sought(&stated);
        Swarm { model, config, stated, sought }
    }

    /// How many kinds of members there are. Kind 0 searches for violations of states and steps,
    /// each other kind for runs that violate one property.
    pub fn kinds(&self) -> u64 {
        self.sought.len() as u64 + 1
    }

    /// Whether anything is to be searched for by members of a kind.
    pub fn wants(&self, kind: u64) -> bool {
        kind > 0 || self.config.wants_safety()
    }

    /// The property that members of a kind search for; none for kind 0.
    pub fn property(&self, kind: u64) -> Option<&str> {
        self.stated_of(kind).map(|one| one.name.as_str())
    }

    /// The names of the properties that are wanted, whether or not they can be searched for.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &str> {
        self.stated.iter().map(|one| one.name.as_str())
    }

    fn stated_of(&self, kind: u64) -> Option<&Stated> {
        let index = self.sought.get(usize::try_from(kind.checked_sub(1)?).ok()?)?;
        Some(&self.stated[*index])
    }

    /// Runs the member with this number, with at most `memory` bytes.
    pub fn run(&self, number: u64, memory: u64, mut monitor: &mut dyn Monitor) -> Sighting {
        let monitor = &mut monitor;
        let kinds = self.kinds();
        self.search(number % kinds, &member(self.config, number / kinds, memory), monitor)
    }

    /// Searches as `member` says for what members of a kind search for.
    pub fn search(&self, kind: u64, member: &Config, mut monitor: &mut dyn Monitor) -> Sighting {
        let monitor = &mut monitor;
        let Some(one) = self.stated_of(kind) else {
            return Sighting::Faults(Box::new(run(self.model, member, monitor)));
        };
        // Fairness needs components, and so every state. A search for runs is depth-first.
        let store = match self.config.fairness {
            Fairness::None => member.store,
            Fairness::Weak | Fairness::Strong => StoreChoice::Auto,
        };
        let member = Config { order: Order::DepthFirst, store, threads: 1, ..member.clone() };
        let one = std::slice::from_ref(one);
        Sighting::Runs(RunsSeen(check_runs(self.model, &member, one, None, None, monitor)))
    }

    /// The results of all members together. `stop`: why there are no more members, if they were
    /// interrupted.
    pub fn report(&self, members: Vec<Sighting>, stop: Option<Stop>) -> Checked {
        let (mut faults, mut all) = (Vec::new(), Vec::new());
        for member in members {
            match member {
                Sighting::Faults(seen) => faults.push(*seen),
                Sighting::Runs(RunsSeen(runs)) => all.push(runs),
            }
        }
        let mut runs = Runs::default();
        for (index, one) in self.stated.iter().enumerate() {
            together(one, self.sought.contains(&index), &mut all, &mut runs);
        }
        report(self.model, self.config, faults, runs, stop)
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

/// The binary logarithm of the size of member `number` of a kind, relative to the first: memory and
/// time.
pub fn size(number: u64) -> u64 {
    number / ROUND
}

/// The configuration of a member, with at most `memory` bytes.
pub fn member(config: &Config, number: u64, memory: u64) -> Config {
    let size = size(number);
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

/// Searches for violations of states and steps.
fn run(model: &Arc<Model>, member: &Config, monitor: &mut impl Monitor) -> Seen {
    let mut stepper = Tiered::new(model, member.step_options(), member.successors_for(model));
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
        order: "out of memory".to_string(),
        seed,
        accounts: false,
    });
    Seen { run, engine: stepper.name(), state_bytes: stepper.width() as u64 }
}

/// The report of all members; `found` is of those that searched for violating runs. `stop`: why
/// there are no more members, if they were interrupted.
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
    Checked { report, outcome, runs: found_runs, refused, again: 0, attempts: Vec::new() }
}

fn empty(model: &Arc<Model>) -> Outcome {
    let taken = model.processes.iter().map(|process| vec![false; process.edges.len()]).collect();
    Outcome::nothing(Stop::Time, taken)
}
