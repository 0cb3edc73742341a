//! `--refine`: rounds of lossy searches before the exact one.
//!
//! Each round searches for violations of states and steps and for executions that violate each property,
//! with twice the states and four times the memory of the round before, and another order of
//! transitions. A search whose violation was found, or that has hardly missed a state, takes no part in
//! later rounds. The exact search then decides the open questions ([`Finished::rest`]), and its results are
//! merged with those of the rounds ([`Finished::merge`]). The caller provides the clock.
//!
//! *Entry point:* [`Rounds`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000, side box A.
//! *Invariant:* "holds" comes from the exact search only.

use std::collections::BTreeSet;

use axle_check::plan::{Attempt, EngineId, Kind, Share};
use axle_check::{Checked, End, Executed};
use axle_evidence::report::RoundReport;
use axle_question::config::{Approximate, Auto, Config, Order, StoreChoice, VacuityCheck};
use axle_search::{Arrangement, Limits, Monitor};

use crate::searches::{Searches, Seen};
use crate::swarm::SHALLOW;

/// Number of rounds; round `n` (from 0) stores 2^n times the states of the first.
pub const ROUNDS: u32 = 6;

/// Bytes of the bit array of the first round.
const FIRST: u64 = 1 << 20;

/// The rounds of a system.
#[derive(Debug)]
pub struct Rounds<S: Searches> {
    searches: S,
    seen: Vec<(u64, S::Seen)>,
    reports: Vec<RoundReport>,
    /// The searches that were performed.
    executed: Vec<Executed>,
    /// The kinds of searches of the next round, see [`Searches::kinds`].
    open: BTreeSet<u64>,
    /// The kinds with as many violations as `--max-violations` allows: the exact search leaves them
    /// out.
    decided: BTreeSet<u64>,
}

impl<S: Searches> Rounds<S> {
    /// No round yet.
    pub fn new(searches: S) -> Rounds<S> {
        let open = (0..searches.kinds()).filter(|&kind| searches.wants(kind)).collect();
        let (seen, reports, executed) = (Vec::new(), Vec::new(), Vec::new());
        Rounds { searches, seen, reports, executed, open, decided: BTreeSet::new() }
    }

    /// The kinds of searches of the next round; none if no further round is useful.
    pub fn open(&self) -> Vec<u64> {
        self.open.iter().copied().collect()
    }

    /// States of each search of a round that consists of so many.
    pub fn states(round: u32, searches: usize) -> u64 {
        (S::FIRST_ROUND << round.min(32)) / searches.max(1) as u64
    }

    /// The searches of all rounds if none of them ends early, in the order in which they start. The exact
    /// search follows.
    pub fn plan(&self) -> Vec<Attempt> {
        let of_round = |round| {
            let states = Self::states(round, self.open.len());
            self.open.iter().map(move |&kind| self.attempt(round, kind, states))
        };
        (0..ROUNDS).flat_map(of_round).collect()
    }

    fn attempt(&self, round: u32, kind: u64, states: u64) -> Attempt {
        Attempt {
            engine: EngineId::EXPLICIT,
            kind: Kind::Round(round),
            target: self.searches.target(kind),
            share: Share::Fixed(states),
            start: 0,
            is_conclusive: false,
        }
    }

    /// Performs a search of a round, with at most this number of states.
    pub fn search(&self, round: u32, kind: u64, states: u64, monitor: &mut dyn Monitor) -> S::Seen {
        self.searches.search(kind, &configuration(self.searches.config(), round, states), monitor)
    }

    /// Takes the result of a search of a round. `allowed`: its budget of states. `seconds`: how long it
    /// took.
    pub fn add(&mut self, round: u32, kind: u64, seen: S::Seen, allowed: u64, seconds: f64) {
        self.executed.push(Executed { attempt: self.attempt(round, kind, allowed), end: End::Answered });
        self.reports.push(RoundReport { allowed, seconds, run: seen.run() });
        if seen.is_full() {
            self.decided.insert(kind);
        }
        if seen.is_full() || seen.is_nearly_whole() {
            self.open.remove(&kind);
        }
        self.seen.push((kind, seen));
    }

    /// The results of all rounds.
    pub fn finish(self) -> Finished<S> {
        let Rounds { searches, seen, reports, executed, decided, .. } = self;
        let (config, rest) = (searches.config().clone(), searches.rest(&decided));
        let mut checked = searches.of_rounds(seen);
        checked.report.search.order = "refine".to_string();
        Finished { checked, rest, config, decided, rounds: reports, executed }
    }
}

/// The results of all rounds.
#[derive(Debug)]
pub struct Finished<S: Searches> {
    /// The violations and the report of the rounds.
    pub checked: Checked<S::Found>,
    /// The configuration of the exact search for the undecided rest; none if nothing
    /// is left.
    pub rest: Option<Config>,
    config: Config,
    decided: BTreeSet<u64>,
    rounds: Vec<RoundReport>,
    executed: Vec<Executed>,
}

impl<S: Searches> Finished<S> {
    /// The report of the rounds and of the exact search for the rest, if there was one.
    pub fn merge(self, exact: Option<Checked<S::Found>>) -> Checked<S::Found> {
        let Finished { checked: rounds, config, decided, rounds: reports, executed, .. } = self;
        let mut checked = match exact {
            Some(exact) => S::merge(&config, &decided, rounds, exact),
            None => {
                let mut checked = rounds;
                if !decided.contains(&0) {
                    checked.report.stop = None;
                }
                checked
            }
        };
        checked.report.refinement = reports;
        checked.attempts.splice(0..0, executed);
        checked
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
