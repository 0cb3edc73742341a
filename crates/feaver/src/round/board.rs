//! The state of a round as a function of the events of its jobs.
//!
//! *Entry points:* [`Board::apply`] for each event, [`Board::close`] at the end of the round.
//! *Invariant:* two boards that applied the same events are equal: a driver that continues a round has
//! the state of the one that was lost. Each run has one conclusion at the end.

use std::time::Duration;

use axle_check::Verdict;

use crate::execute::{Outcome, Witness};
use crate::jobs::job::{Event, JobState, RoundId, Timestamp};
use crate::jobs::schedule::{Decision, Entry};
use crate::jobs::task::{self, Conclusion, Coverage, Fraction, Reached, Shorter, Step, Task};
use crate::round::event::{RoundEvent, Stamped};
use crate::round::follow_up::{failed, next_cycle};
use crate::round::recheck::disagreement;

/// A run and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the run.
    pub name: String,
    /// The hash of its key.
    pub key: String,
    /// The result of its last cycle, or of an earlier round.
    pub outcome: Option<Outcome>,
    /// The result of the second phase, if it found a shorter execution.
    pub shortest: Option<Outcome>,
    /// The round of a verdict that was carried over.
    pub carried_from: Option<RoundId>,
    /// Whether and how the run has left the round.
    pub conclusion: Option<Conclusion>,
}

/// The state of a round.
#[derive(Clone, Debug)]
pub struct Board {
    rows: Vec<Row>,
    begun: Timestamp,
    log: Vec<Entry>,
}

impl Board {
    /// The board of a round without events. Runs are given by name and hash of the key.
    #[must_use]
    pub fn new(runs: impl IntoIterator<Item = (String, String)>, begun: Timestamp) -> Board {
        let row = |(name, key)| Row {
            name,
            key,
            outcome: None,
            shortest: None,
            carried_from: None,
            conclusion: None,
        };
        Board { rows: runs.into_iter().map(row).collect(), begun, log: Vec::new() }
    }

    /// The runs by number.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// All decisions so far.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// Sets the result of a run that is known from an earlier round.
    pub fn carry(&mut self, run: u32, outcome: Outcome, shortest: Option<Outcome>, from: Option<RoundId>) {
        let Some(row) = self.rows.get_mut(run as usize) else { return };
        row.conclusion = Some(concluded(&outcome));
        (row.outcome, row.shortest, row.carried_from) = (Some(outcome), shortest, from);
    }

    /// Records a decision that is not an event of a job.
    pub fn decide(&mut self, decision: Decision, now: Timestamp) {
        self.log.push(Entry { at: self.since(now), decision });
    }

    /// The time since the beginning of the round.
    fn since(&self, at: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(at.0.saturating_sub(self.begun.0)).unwrap_or(0))
    }

    /// The event with its time.
    #[must_use]
    pub fn stamp(&self, event: RoundEvent, at: Timestamp) -> Stamped {
        Stamped { at: self.since(at).as_secs_f64(), event }
    }

    /// Applies an event of a job. `outcome` is the result of a completed one, `failures` the number of
    /// failed attempts.
    pub fn apply(
        &mut self,
        event: &Event,
        task: Task,
        outcome: Option<Outcome>,
        failures: u32,
    ) -> Vec<Stamped> {
        let Some(row) = self.rows.get(task.run as usize) else { return Vec::new() };
        let (run, name) = (task.run, row.name.clone());
        let mut shown = Vec::new();
        match (event.state, outcome) {
            (JobState::Waiting, _) if event.attempt == 0 => self.decide(Decision::Queued(task), event.at),
            (JobState::Waiting, _) => {
                self.decide(Decision::Returned(task), event.at);
                shown.push(RoundEvent::Returned { run, name, task, reason: event.detail.clone() });
            }
            (JobState::Leased, _) => {
                self.decide(Decision::Started(task), event.at);
                let (worker, attempt) = (event.detail.clone(), event.attempt);
                shown.push(RoundEvent::Started { run, name, task, worker, attempt });
            }
            (JobState::Completed, Some(outcome)) => {
                self.decide(Decision::Finished(task, class(&outcome)), event.at);
                let (verdict, seconds, states) = (outcome.verdict, outcome.seconds, outcome.states.clone());
                shown.push(RoundEvent::Finished { run, name, task, verdict, seconds, states });
                shown.extend(self.finished(task, outcome, event.at));
            }
            (JobState::Completed, None) => {}
            (JobState::Cancelled, _) => self.decide(Decision::Withdrawn(task), event.at),
            (JobState::Failed, _) => {
                self.decide(Decision::Finished(task, task::Outcome::Failed), event.at);
                let row = &mut self.rows[run as usize];
                match task.step {
                    Step::Cycle(_) => {
                        let before = row.outcome.take();
                        row.outcome = Some(failed(name, row.key.clone(), before, failures, &event.detail));
                        shown.extend(self.conclude(run, event.at));
                    }
                    Step::SecondPhase { .. } => shown.extend(self.shortened(run, None, event.at)),
                    // The verdict of the other machine stays.
                    Step::Recheck { .. } => {}
                }
            }
        }
        shown.into_iter().map(|shown| self.stamp(shown, event.at)).collect()
    }

    /// Takes the result of a completed job.
    fn finished(&mut self, task: Task, outcome: Outcome, at: Timestamp) -> Option<RoundEvent> {
        let row = &mut self.rows[task.run as usize];
        match task.step {
            Step::Cycle(cycle) => {
                let is_final = next_cycle(cycle, &outcome).is_none();
                row.outcome = Some(outcome);
                is_final.then(|| self.conclude(task.run, at)).flatten()
            }
            Step::SecondPhase { .. } => {
                let found = !outcome.second_phase().is_empty();
                self.shortened(task.run, found.then_some(outcome), at)
            }
            Step::Recheck { .. } => self.contradicted(task.run, &outcome, at),
        }
    }

    /// Compares the result of another machine with that of the run.
    fn contradicted(&mut self, run: u32, second: &Outcome, at: Timestamp) -> Option<RoundEvent> {
        let row = &mut self.rows[run as usize];
        let disagreement = disagreement(row.outcome.as_ref()?, second)?;
        let reason = disagreement.reason.clone().unwrap_or_default();
        row.conclusion = Some(Conclusion::Failed { reached: None });
        row.outcome = Some(disagreement);
        let event = RoundEvent::Contradicted { run, name: row.name.clone(), reason };
        self.decide(Decision::Contradicted(run), at);
        Some(event)
    }

    fn shortened(&mut self, run: u32, shorter: Option<Outcome>, at: Timestamp) -> Option<RoundEvent> {
        let witness = shorter.as_ref().and_then(|one| one.witness.as_ref());
        let found = if witness.is_some() { Shorter::Found } else { Shorter::NotFound };
        self.decide(Decision::Shortened(run, found), at);
        let row = &mut self.rows[run as usize];
        let first = row.outcome.as_ref()?.witness.as_ref()?.extent();
        let unit_of = |unit: &str| unit.to_string();
        let (unit, before, after) = match witness.map(Witness::extent) {
            Some(own) => {
                let (unit, before, after) = first.compared(&own);
                (unit_of(unit), before, Some(after))
            }
            None => (unit_of("step"), first.steps, None),
        };
        row.shortest = shorter;
        Some(RoundEvent::Shortened { run, name: row.name.clone(), unit, before, after })
    }

    /// Lets a run leave the round with its present result.
    fn conclude(&mut self, run: u32, at: Timestamp) -> Option<RoundEvent> {
        let row = self.rows.get_mut(run as usize)?;
        if row.conclusion.is_some() {
            return None;
        }
        let conclusion = row.outcome.as_ref().map_or(Conclusion::Unknown { reached: None }, concluded);
        row.conclusion = Some(conclusion);
        let outcome = row.outcome.clone();
        let not_started = || Some("the round ended before the first cycle".to_string());
        let event = RoundEvent::Concluded {
            run,
            name: row.name.clone(),
            verdict: outcome.as_ref().map_or(Verdict::Unknown, |outcome| outcome.verdict),
            cycle: outcome.as_ref().map(|outcome| outcome.cycle),
            reason: outcome.as_ref().map_or_else(not_started, |outcome| outcome.reason.clone()),
            steps: outcome.as_ref().and_then(Outcome::steps),
        };
        self.decide(Decision::Concluded(run, conclusion), at);
        Some(event)
    }

    /// Ends the round: runs that are still in it are unknown.
    pub fn close(&mut self, now: Timestamp) -> Vec<Stamped> {
        let mut shown = Vec::new();
        for run in (0u32..).take(self.rows.len()) {
            shown.extend(self.conclude(run, now));
        }
        let count = |verdict| {
            let own = |row: &&Row| {
                row.outcome.as_ref().map_or(Verdict::Unknown, |outcome| outcome.verdict) == verdict
            };
            u32::try_from(self.rows.iter().filter(own).count()).unwrap_or(u32::MAX)
        };
        shown.push(RoundEvent::Ended {
            holds: count(Verdict::Holds),
            violated: count(Verdict::Violated),
            unknown: count(Verdict::Unknown),
        });
        shown.into_iter().map(|shown| self.stamp(shown, now)).collect()
    }
}

/// The outcome of a job for the schedule.
fn class(outcome: &Outcome) -> task::Outcome {
    match outcome.verdict {
        Verdict::Holds => task::Outcome::Holds,
        Verdict::Violated => task::Outcome::Violated,
        Verdict::Unknown => task::Outcome::Inconclusive,
    }
}

/// The conclusion of a run with this last result.
fn concluded(outcome: &Outcome) -> Conclusion {
    let cycle = outcome.cycle;
    let [total, visited] = outcome.coverage.automaton_states;
    let coverage = Coverage { automaton: Fraction { visited, total }, model: Fraction::default() };
    let reached = Some(Reached { cycle, coverage }).filter(|_| !outcome.states.is_zero());
    match outcome.verdict {
        Verdict::Holds => Conclusion::Holds { cycle },
        Verdict::Violated => Conclusion::Violated { cycle },
        Verdict::Unknown if outcome.failed => Conclusion::Failed { reached },
        Verdict::Unknown => Conclusion::Unknown { reached },
    }
}
