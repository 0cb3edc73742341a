//! `axle swarm` for C programs: the members of [`crate::swarm`] as searches of [`super::refine`].
//!
//! Kinds of members alternate: kind 0 searches the states, each other kind searches for an
//! execution that violates one formula. The caller provides the clock and the threads.
//!
//! *Entry points:* [`ProgramSwarm::run`], [`ProgramSwarm::report`].
//! *Source:* as [`crate::swarm`].
//! *Invariant:* no property holds because of a swarm.

use axle_evidence::report::reason::Words;
use axle_evidence::report::{ApproximationReport, StopReport, Verdict};
use axle_outcome::{Count, Reason};
use axle_search::{Monitor, Stop};

use super::refine::{ProgramRounds, ProgramSeen};
use super::{CheckedProgram, ProgramConfig, Subject};
use crate::{describe, swarm};

/// A swarm over a program.
pub struct ProgramSwarm<'a> {
    rounds: ProgramRounds<'a>,
    /// Whether there is a check of states.
    searches_states: bool,
}

impl<'a> ProgramSwarm<'a> {
    /// A swarm for everything that the configuration asks for.
    pub fn new(subject: Subject<'a>, config: &'a ProgramConfig) -> ProgramSwarm<'a> {
        let rounds = ProgramRounds::new(subject, config);
        let searches_states = rounds.open().contains(&0);
        ProgramSwarm { rounds, searches_states }
    }

    /// How many kinds of members there are.
    pub fn kinds(&self) -> u64 {
        self.rounds.config.properties.len() as u64 + 1
    }

    /// Whether members of a kind have anything to search for.
    pub fn wants(&self, kind: u64) -> bool {
        kind > 0 || self.searches_states
    }

    /// Runs the member with this number, with at most `memory` bytes.
    pub fn run(&self, number: u64, memory: u64, mut monitor: &mut dyn Monitor) -> ProgramSeen {
        let monitor = &mut monitor;
        let kinds = self.kinds();
        let member = swarm::member(&self.rounds.config.search, number / kinds, memory);
        self.rounds.search(number % kinds, &member, monitor)
    }

    /// The results of all members together, each with its number. `stop`: why there are no more
    /// members, if they were interrupted.
    pub fn report(self, members: Vec<(u64, ProgramSeen)>, stop: Option<Stop>) -> CheckedProgram {
        let (kinds, config) = (self.kinds(), self.rounds.config);
        let mut rounds = self.rounds;
        let mut members_of = vec![Members::default(); kinds as usize];
        let mut runs = Vec::new();
        let mut is_full = false;
        for (number, seen) in members {
            let kind = number % kinds;
            let run = seen.run();
            if let Some(of) = members_of.get_mut(kind as usize) {
                of.count += 1;
                of.largest = (&of.largest).max(&run.states).clone();
                of.limited = seen.is_limited();
            }
            is_full |= kind == 0 && seen.is_full();
            runs.push(run);
            rounds.add(kind, seen, 0, 0.0);
        }
        let CheckedProgram { mut report, violations, .. } = rounds.finish(None, "swarm");
        report.refinement.clear();
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
        let words = Words { names: config.search.vocabulary, model: None };
        let (stop, reason) = match if is_full { Some(Stop::Errors) } else { stop } {
            Some(stop) => (stop, describe::reason(stop, &config.search)),
            None => (Stop::Approximate, Reason::Swarm { searches, largest }),
        };
        report.stop = Some(StopReport::new(stop, &reason, &words));
        for row in report.properties.iter_mut().filter(|row| row.verdict == Verdict::Unknown) {
            match config.properties.iter().position(|one| one.name == row.name) {
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
        CheckedProgram { report, violations, executed: None, attempts: Vec::new() }
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
