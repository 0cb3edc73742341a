//! The driver of a round: begins it or continues one whose driver was lost, and follows its jobs until
//! every run is concluded, the budget is spent, or the round is cancelled.
//!
//! The driver executes no jobs and does not decide what follows from a result: that is stored with the
//! result ([`crate::round::follow_up`]). It submits the first jobs, collects expired leases, ends the
//! round, and turns the events of the queue into events for display. Several drivers can live in one
//! process; each has a database connection of its own or shares one.
//!
//! *Entry points:* [`Driver::open`], [`Driver::step`], [`Driver::end`], [`Driver::results`].
//! *Invariant:* what a driver knows is a function of the database ([`Board`]), except for the time since
//! it started. A step that fails changes nothing that a repetition does not complete.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::execute::Outcome;
use crate::jobs::error::StoreError;
use crate::jobs::job::{Event, EventId, JobId, JobState, Lease, RoundId, Selection, Timestamp};
use crate::jobs::schedule::{Decision, Entry};
use crate::jobs::task::Task;
use crate::prepare::Run;
use crate::project::folder::Seen;
use crate::results::database::Database;
use crate::results::round_store::Holder;
use crate::results::verdict::NewRound;
use crate::round::adopt::close;
use crate::round::board::{Board, Row};
use crate::round::event::{RoundEvent, Stamped};
use crate::round::source::Beat;

mod opening;

/// Time between two renewals of the lease (of a short one, a quarter), and between two reports of
/// progress.
const SECOND: Duration = Duration::from_secs(1);

/// Time that jobs in progress have to finish once the end of the round was requested.
const GRACE: Duration = Duration::from_secs(5);

/// Events that are read at once.
const BATCH: u32 = 1000;

/// The round that a driver is to begin or continue.
pub struct Opening<'a> {
    /// The runs.
    pub runs: &'a [Run],
    /// The files that they were prepared from ([`crate::project::folder::Folder::seen`]).
    pub inputs: &'a Seen,
    /// Versions and budget.
    pub round: NewRound,
    /// Whether to verify again what has a verdict.
    pub again: bool,
    /// Name and lease of the driver.
    pub holder: Holder,
    /// Attempts of a job that may fail.
    pub max_failures: u32,
    /// The part of the verdicts of machines behind tokens that other machines decide again, from 0 to 1.
    pub recheck: f64,
}

/// What is known of a run at the end of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// The result of the last cycle; none if the first one did not end.
    pub outcome: Option<Outcome>,
    /// The shorter execution that the second phase found.
    pub shortest: Option<Outcome>,
    /// The round of a verdict that was carried over.
    pub carried_from: Option<RoundId>,
}

/// The driver of a round.
pub struct Driver {
    database: Arc<dyn Database>,
    round: RoundId,
    holder: Holder,
    budget: Duration,
    board: Board,
    tasks: HashMap<JobId, Task>,
    /// The latest event that was applied.
    last: EventId,
    /// The latest event of any round when events were read: later ones end a wait.
    watched: EventId,
    /// The part of the budget that earlier drivers used.
    spent_before: Duration,
    start: Instant,
    renewed: Option<Instant>,
    reported: Instant,
    ending: Option<Instant>,
    over: bool,
    /// Events that the next step returns.
    pending: Vec<Stamped>,
}

impl Driver {
    /// The round.
    #[must_use]
    pub fn round(&self) -> RoundId {
        self.round
    }

    /// The runs and what is known of them, by number.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        self.board.rows()
    }

    /// All decisions so far.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        self.board.log()
    }

    /// The log as text.
    #[must_use]
    pub fn log_text(&self) -> String {
        super::log::text(self.board.log(), self.board.rows())
    }

    /// Whether the round has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Number of runs that have left the round.
    #[must_use]
    pub fn concluded(&self) -> usize {
        self.board.rows().iter().filter(|row| row.conclusion.is_some()).count()
    }

    /// The results of all runs, by number.
    #[must_use]
    pub fn results(&self) -> Vec<RunResult> {
        let result = |row: &Row| RunResult {
            outcome: row.outcome.clone(),
            shortest: row.shortest.clone(),
            carried_from: row.carried_from,
        };
        self.board.rows().iter().map(result).collect()
    }

    /// The part of the budget that the round has used.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent_before + self.start.elapsed()
    }

    /// Waits for events, at most for `wait`, and does what they require. Returns what happened.
    ///
    /// # Errors
    /// The database fails, or another driver has taken the round. If the error is transient, the step
    /// can be repeated.
    pub fn step(&mut self, wait: Duration) -> Result<Vec<Stamped>, StoreError> {
        let mut shown = std::mem::take(&mut self.pending);
        if self.over {
            return Ok(shown);
        }
        let wait = match (shown.is_empty(), self.ending) {
            (false, _) => Duration::ZERO,
            (true, Some(_)) => wait,
            (true, None) => wait.min(self.budget.saturating_sub(self.spent())),
        };
        let watched = self.database.watch(self.watched, wait);
        let stepped = watched.and_then(|_| self.react(&mut shown));
        if let Err(fault) = stepped {
            // What was seen is shown by the repetition.
            self.pending = shown;
            return Err(fault);
        }
        Ok(shown)
    }

    fn react(&mut self, shown: &mut Vec<Stamped>) -> Result<(), StoreError> {
        self.renew()?;
        self.database.expire(now())?;
        if self.ending.is_none() && self.spent() >= self.budget {
            self.request_end(true, shown)?;
        }
        if let Some(since) = self.ending {
            // A completion in another transaction may have added a job.
            self.database.request_end(self.round, now())?;
            if since.elapsed() >= GRACE {
                self.database.cancel(&Selection::Round(self.round), now())?;
            }
        }
        self.watched = self.database.latest_event()?;
        // Counted before the events are read, so that no event is missing when no job is open.
        let open = self.database.counts(Some(self.round))?.open();
        self.read(shown)?;
        self.report(shown)?;
        if open == 0 {
            close(&*self.database, self.round, now())?;
            self.read(shown)?;
            shown.extend(self.board.close(now()));
            self.over = true;
        }
        Ok(())
    }

    /// Requests the end of the round: jobs in progress finish, and no other starts.
    ///
    /// # Errors
    /// The database fails.
    pub fn end(&mut self) -> Result<(), StoreError> {
        let mut shown = std::mem::take(&mut self.pending);
        let ended = match self.ending {
            None if !self.over => self.request_end(false, &mut shown),
            _ => Ok(()),
        };
        self.pending = shown;
        ended
    }

    fn request_end(&mut self, budget: bool, shown: &mut Vec<Stamped>) -> Result<(), StoreError> {
        self.database.request_end(self.round, now())?;
        self.ending = Some(Instant::now());
        self.board.decide(if budget { Decision::BudgetSpent } else { Decision::Cancelled }, now());
        shown.push(self.board.stamp(RoundEvent::Ending { budget }, now()));
        Ok(())
    }

    /// Ends the attempts of a worker that is known to have ended, without waiting for its leases to
    /// expire.
    ///
    /// # Errors
    /// The database fails.
    pub fn worker_ended(&self, worker: &str, reason: &str) -> Result<(), StoreError> {
        for job in self.database.round_jobs(self.round, Some(JobState::Leased))? {
            if job.worker.as_deref() == Some(worker) {
                let lease = Lease { job: job.id, attempt: job.attempt };
                match self.database.fail(lease, reason, now()) {
                    // It was completed or has expired meanwhile.
                    Ok(_) | Err(StoreError::Refused(_)) => {}
                    Err(fault) => return Err(fault),
                }
            }
        }
        Ok(())
    }

    fn renew(&mut self) -> Result<(), StoreError> {
        if self.renewed.is_some_and(|renewed| renewed.elapsed() < SECOND.min(self.holder.lease / 4)) {
            return Ok(());
        }
        if !self.database.renew_round(self.round, &self.holder, self.spent(), now())? {
            let message = format!("another process has continued or closed round {}", self.round);
            return Err(StoreError::Other(message));
        }
        self.renewed = Some(Instant::now());
        Ok(())
    }

    /// Reads and applies the events since the last ones.
    fn read(&mut self, shown: &mut Vec<Stamped>) -> Result<(), StoreError> {
        loop {
            let events = self.database.round_changes(self.round, self.last, BATCH)?;
            if events.is_empty() {
                return Ok(());
            }
            for event in events {
                shown.extend(self.apply(&event)?);
                self.last = event.id;
            }
        }
    }

    fn apply(&mut self, event: &Event) -> Result<Vec<Stamped>, StoreError> {
        let is_final = matches!(event.state, JobState::Completed | JobState::Failed);
        let known = self.tasks.get(&event.job).copied().filter(|_| !is_final);
        let (task, outcome, failures) = match known {
            Some(task) => (task, None, 0),
            None => {
                let Some(job) = self.database.job(event.job)? else { return Ok(Vec::new()) };
                let Some(task) = Task::parse(&job.submitted.key) else { return Ok(Vec::new()) };
                self.tasks.insert(event.job, task);
                let result = job.result.filter(|_| event.state == JobState::Completed);
                let outcome = result.and_then(|result| serde_json::from_slice(&result).ok());
                (task, outcome, job.failures)
            }
        };
        Ok(self.board.apply(event, task, outcome, failures))
    }

    /// Reports the progress of jobs.
    fn report(&mut self, shown: &mut Vec<Stamped>) -> Result<(), StoreError> {
        if self.reported.elapsed() < SECOND {
            return Ok(());
        }
        self.reported = Instant::now();
        for job in self.database.round_jobs(self.round, Some(JobState::Leased))? {
            let beat = job.progress.as_ref().and_then(|bytes| serde_json::from_slice::<Beat>(bytes).ok());
            let task = Task::parse(&job.submitted.key);
            let (Some(Beat { progress: Some(progress), seconds }), Some(task)) = (beat, task) else {
                continue;
            };
            let Some(row) = self.board.rows().get(task.run as usize) else { continue };
            let (run, name) = (task.run, row.name.clone());
            shown.push(self.board.stamp(RoundEvent::Progress { run, name, task, progress, seconds }, now()));
        }
        Ok(())
    }
}

/// The present time.
fn now() -> Timestamp {
    SystemTime::now().into()
}
