//! The schedule of a round as a state machine, without a store and without a clock.
//!
//! Each run is searched in cycles of growing effort until it is decided. Jobs are ordered by cycle, so
//! that cheap searches of all runs precede expensive searches of any. A violated run leaves the set of
//! open runs and gets one more job, which searches for a shorter execution. The budget ends a round;
//! runs without a verdict are unknown then, with what they reached.
//!
//! *Entry points:* [`Schedule::start_next`], [`Schedule::finish`], [`Schedule::advance`]; [`next`] is
//! the transition of one run.
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: searches of a round are repeated with growing effort.
//! *Invariant:* a job starts only if no job with a smaller [`Priority`] waits. A run has at most one
//! job at a time and exactly one conclusion at the end of the round.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::jobs::job::Priority;
use crate::jobs::task::{Conclusion, Next, Outcome, Reached, Report, Shorter, Step, Task, next};

/// Budget of a round unless the project states another one.
pub const DEFAULT_BUDGET: Duration = Duration::from_secs(60 * 60);

/// A decision and its time since the start of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time since the start of the round.
    pub at: Duration,
    /// The decision.
    pub decision: Decision,
}

/// A decision of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The job waits for a worker.
    Queued(Task),
    /// A worker received the job.
    Started(Task),
    /// The worker was lost; the job waits again.
    Returned(Task),
    /// The job ended with this outcome.
    Finished(Task, Outcome),
    /// The job was removed before its end, because its run or the round ended.
    Withdrawn(Task),
    /// The run left the set of open runs.
    Concluded(u32, Conclusion),
    /// The search for a shorter execution of a violated run ended.
    Shortened(u32, Shorter),
    /// A later search contradicts the violation of the run: one of the engines is wrong.
    Contradicted(u32),
    /// The budget was spent.
    BudgetSpent,
    /// The user ended the round.
    Cancelled,
    /// Another driver continued the round, after the previous one was lost.
    Resumed,
}

/// Why a report was not accepted: the schedule has not started the job, or has withdrawn it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the job of run {} is not in progress", .0.run)]
pub struct NotInProgress(pub Task);

/// The schedule of a round.
#[derive(Clone, Debug)]
pub struct Schedule {
    runs: Vec<Run>,
    waiting: BTreeMap<Priority, Task>,
    started: BTreeSet<Task>,
    budget: Duration,
    elapsed: Duration,
    spent: bool,
    log: Vec<Entry>,
}

/// A run of the round.
#[derive(Clone, Debug)]
struct Run {
    weight: u32,
    reached: Option<Reached>,
    conclusion: Option<Conclusion>,
}

impl Schedule {
    /// A round with one run for each weight. Runs are numbered from 0 in this order.
    pub fn new(weights: &[u32], budget: Duration) -> Self {
        let runs = weights.iter().map(|&weight| Run { weight, reached: None, conclusion: None }).collect();
        let mut it = Self {
            runs,
            waiting: BTreeMap::new(),
            started: BTreeSet::new(),
            budget,
            elapsed: Duration::ZERO,
            spent: false,
            log: Vec::new(),
        };
        for run in (0..).take(weights.len()) {
            it.queue(Task { run, step: Step::Cycle(0) });
        }
        it.advance(Duration::ZERO);
        it
    }

    /// The next job, for a worker that is free now.
    pub fn start_next(&mut self) -> Option<Task> {
        let (_, task) = self.waiting.pop_first()?;
        self.started.insert(task);
        self.record(Decision::Started(task));
        Some(task)
    }

    /// Accepts the report on a job in progress and queues the job that follows.
    pub fn finish(&mut self, task: Task, report: Report) -> Result<(), NotInProgress> {
        if !self.started.remove(&task) {
            return Err(NotInProgress(task));
        }
        self.record(Decision::Finished(task, report.outcome));
        let Step::Cycle(cycle) = task.step else {
            self.finish_second_phase(task.run, report.outcome);
            return Ok(());
        };
        if report.outcome != Outcome::Failed {
            self.runs[task.run as usize].reached = Some(Reached { cycle, coverage: report.coverage });
        }
        match (next(task, report.outcome), report.outcome) {
            (Next::Cycle(task), _) => self.queue(task),
            (Next::SecondPhase(task), _) => {
                self.conclude(task.run, Conclusion::Violated { cycle });
                self.queue(task);
            }
            (Next::Leave, Outcome::Holds) => self.conclude(task.run, Conclusion::Holds { cycle }),
            (Next::Leave, Outcome::Failed) => {
                let reached = self.runs[task.run as usize].reached;
                self.conclude(task.run, Conclusion::Failed { reached });
            }
            (Next::Leave, _) => self.leave_unknown(task.run),
        }
        Ok(())
    }

    /// Returns a job to the queue after its worker was lost.
    pub fn lose(&mut self, task: Task) -> Result<(), NotInProgress> {
        if !self.started.remove(&task) {
            return Err(NotInProgress(task));
        }
        self.waiting.insert(self.priority(task), task);
        self.record(Decision::Returned(task));
        Ok(())
    }

    /// Removes a run from the round: it stays unknown unless it has a verdict.
    pub fn cancel(&mut self, run: u32) {
        self.withdraw(|task| task.run == run);
        self.leave_unknown(run);
    }

    /// Sets the time since the start of the round and ends the round if the budget is spent. A smaller
    /// time than before is ignored.
    pub fn advance(&mut self, elapsed: Duration) {
        self.elapsed = self.elapsed.max(elapsed);
        if self.elapsed < self.budget || self.spent {
            return;
        }
        self.spent = true;
        self.record(Decision::BudgetSpent);
        self.withdraw(|_| true);
        for run in (0..).take(self.runs.len()) {
            self.leave_unknown(run);
        }
    }

    /// Whether no job waits or is in progress.
    pub fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.started.is_empty()
    }

    /// The conclusion of a run, if it has left the set of open runs.
    pub fn conclusion(&self, run: u32) -> Option<Conclusion> {
        self.runs.get(run as usize)?.conclusion
    }

    /// All decisions so far.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    fn finish_second_phase(&mut self, run: u32, outcome: Outcome) {
        if outcome == Outcome::Holds {
            self.record(Decision::Contradicted(run));
        }
        let found = if outcome == Outcome::Violated { Shorter::Found } else { Shorter::NotFound };
        self.record(Decision::Shortened(run, found));
    }

    fn leave_unknown(&mut self, run: u32) {
        if let Some(Run { reached, conclusion: None, .. }) = self.runs.get(run as usize) {
            self.conclude(run, Conclusion::Unknown { reached: *reached });
        }
    }

    fn conclude(&mut self, run: u32, conclusion: Conclusion) {
        self.runs[run as usize].conclusion = Some(conclusion);
        self.record(Decision::Concluded(run, conclusion));
    }

    fn queue(&mut self, task: Task) {
        self.waiting.insert(self.priority(task), task);
        self.record(Decision::Queued(task));
    }

    fn withdraw(&mut self, concerned: impl Fn(&Task) -> bool) {
        let tasks: Vec<Task> =
            self.waiting.values().chain(&self.started).copied().filter(concerned).collect();
        for task in tasks {
            self.waiting.remove(&self.priority(task));
            self.started.remove(&task);
            self.record(Decision::Withdrawn(task));
        }
    }

    fn priority(&self, task: Task) -> Priority {
        task.priority(self.runs[task.run as usize].weight)
    }

    fn record(&mut self, decision: Decision) {
        self.log.push(Entry { at: self.elapsed, decision });
    }
}
