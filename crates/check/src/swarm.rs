//! A swarm: many small searches, each different, in place of one that would not end.
//!
//! Main functions: [`member`] says what a member of the swarm does, [`run`] lets it, [`report`] puts together what they
//! found. Members differ in hash functions, in how many of them there are, in the order of search and of steps and in
//! depth; their arrays double after every eight, so that the first answers come soon and later ones see more. Whoever
//! calls has the clock and the threads. Kept: equal numbers, seeds and sizes make equal members.
//!
//! Source: G. J. Holzmann, R. Joshi, A. Groce, Swarm verification techniques, IEEE Transactions on Software
//! Engineering 37, 2011.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_evidence::report::{PropertyReport, RoundReport, Verdict};
use axle_model::Model;
use axle_search::{Arrangement, Limits, Monitor, Outcome, Stop};
use axle_step::Successors;

use crate::checks::Check;
use crate::claims;
use crate::config::{Approximate, Config, Order, StoreChoice};
use crate::engine::Tiered;
use crate::lossy::{self, Run};
use crate::runs::Runs;
use crate::{Checked, confirm, coverage, describe, verdict};

/// Bytes of the first arrays.
const FIRST: u64 = 1 << 20;

/// Members between two sizes.
const ROUND: u64 = 8;

/// The depth of the first members with a limit on it.
const SHALLOW: u64 = 1_000;

/// What a member has seen.
#[derive(Clone, Debug)]
pub struct Seen {
    run: Run,
    engine: &'static str,
    state_bytes: u64,
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

/// How the member with this number searches, with at most `memory` bytes.
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
        outcome: crate::store::nothing(&stepper),
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

/// What all members found together. `stop` says why there are no more of them, where someone interrupted.
pub fn report(model: &Arc<Model>, config: &Config, members: Vec<Seen>, stop: Option<Stop>) -> Checked {
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
    let unasked = || "this search looks for faults of steps and states only".to_string();
    let properties =
        claims::stated(model).into_iter().filter(|one| config.wants(one)).map(|one| PropertyReport {
            name: one.name,
            meaning: one.meaning,
            verdict: Verdict::Unknown,
            reason: Some(unasked()),
            remarks: Vec::new(),
            search: None,
        });
    let runs = Runs { properties: properties.collect(), internal, ..Runs::default() };
    let mut search = describe::search(config, &outcome, "bitstate", engine, state_bytes);
    search.order = "swarm".to_string();
    search.approximation = approximation;
    let unreached = coverage::unreached(model, &outcome.taken);
    let mut report = verdict::report(model, config, &outcome, &confirmed, unreached, search, runs);
    lossy::tell(&mut report);
    let refused = report.internal.as_ref().and_then(|_| outcome.violations.get(confirmed.len()).cloned());
    outcome.violations.truncate(confirmed.len());
    Checked { report, outcome, runs: Vec::new(), refused, again: 0 }
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
