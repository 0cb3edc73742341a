//! `axle check --refine`: rough searches of 1, 2, 4, 8, ... seconds, then the exact one.
//!
//! A violation that is easy to find is found within seconds, whatever the size of the model; each
//! round sees more than the one before, in another order. A round that ends by itself and has
//! hardly missed a state is the last, for the exact search will not take long either.
//!
//! *Entry point:* [`check`].
//!
//! *Source:* G. J. Holzmann and M. H. Smith, Automating software feature verification, side box A.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_check::swarm::{self, checks_of_round};
use axle_check::{Approximate, Checked, Config, Order, StoreChoice};
use axle_model::Model;
use axle_search::{Arrangement, Limits, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::watch::Watch;

/// Rounds at most: from a second to about half a minute.
const ROUNDS: u32 = 6;

/// Bytes of the first array of bits; each round has four times as much.
const FIRST: u64 = 1 << 20;

/// Checks roughly, then exactly.
pub fn check(model: &Arc<Model>, config: &Config, watch: &mut Watch) -> Checked {
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let allowed = Duration::from_secs(1 << round);
        // The exact search is to have most of the time.
        if !config.wants_safety() || watch.left().is_some_and(|left| left < allowed * 3) {
            break;
        }
        let rough = rough(config, round);
        let started = Instant::now();
        let seen = swarm::run(model, &rough, &mut Round { watch, until: started + allowed });
        rounds.push(seen.round(allowed.as_secs_f64(), started.elapsed().as_secs_f64()));
        if seen.has_violations() {
            let mut checked = swarm::report_one(model, config, seen);
            checked.report.search.order = "refine".to_string();
            checked.report.refinement = rounds;
            return checked;
        }
        if seen.is_nearly_whole() {
            break;
        }
    }
    let mut checked = axle_check::check(model, config, watch);
    checked.report.refinement = rounds;
    checked
}

/// How a round searches.
fn rough(config: &Config, round: u32) -> Config {
    let memory = config.limits.memory.unwrap_or(u64::MAX);
    let arrangement = match round {
        0 => Arrangement::AsMade,
        1 => Arrangement::Reversed,
        _ => Arrangement::Shuffled(u64::from(round)),
    };
    Config {
        checks: checks_of_round(&config.checks),
        order: Order::DepthFirst,
        store: StoreChoice::Bitstate,
        limits: Limits { states: None, ..config.limits },
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

/// A round's share of the time.
struct Round<'a> {
    watch: &'a mut Watch,
    until: Instant,
}

impl Monitor for Round<'_> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let stop = self.watch.watch(progress);
        stop.or_else(|| (Instant::now() >= self.until).then_some(Stop::Time))
    }

    fn interrupt(&self) -> Interrupt {
        self.watch.interrupt_before(self.until)
    }
}
