//! The board of machines: each worker with its state and job, and the counters of the queue.
//!
//! *Entry point:* [`show`].
//! *Invariant:* a worker is shown as available or busy only while there is a sign of life: a request for a
//! job, a lease that it renews, or the driver of its round.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use askama::Template;
use axle_evidence::quantities::{bytes, number};
use axle_feaver::jobs::job::{Counts, JobState, RoundId, Timestamp};
use axle_feaver::jobs::task::Step;
use axle_feaver::round::source::Beat;
use axle_outcome::WorkerProgress;
use serde::Serialize;

use super::frame::{Answer, Frame, Visitor, render};
use crate::activity::{Worker, WorkerJob};
use crate::application::Application;
use crate::fault::Fault;
use crate::view::quantity::{ago, counted};

/// Milliseconds without a request after which a worker of another machine counts as dead.
const SILENT: i64 = 30 * 1000;

/// Milliseconds after which a dead worker is no longer shown.
const FORGOTTEN: i64 = 60 * 60 * 1000;

#[derive(Template)]
#[template(path = "machines.html")]
struct Page {
    frame: Frame,
    workers: Vec<Row>,
    counts: Counts,
    available: usize,
    busy: usize,
    dead: usize,
}

/// A worker.
struct Row {
    name: String,
    condition: Condition,
    job: Option<(String, String)>,
    /// The workers of its search, if several processes or threads share it.
    search: Vec<SearchRow>,
    /// When it was last seen, unless it works.
    seen: Option<String>,
    completed: String,
    lost: u64,
}

/// A worker of a distributed search.
#[derive(Serialize)]
pub(crate) struct SearchRow {
    /// Number of shards that it stores.
    shards: u64,
    /// Number of states stored so far.
    states: u64,
    /// States per second since the run was begun.
    rate: u64,
    /// Bytes of memory used by states and level logs.
    memory: u64,
}

impl SearchRow {
    /// The numbers as text: shards, states, rate, memory.
    fn cells(&self) -> [String; 4] {
        [number(self.shards), number(self.states), number(self.rate), bytes(self.memory)]
    }
}

/// What a worker does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// It waits for a job.
    Available,
    /// It prepares the run of its job.
    Preparing,
    /// It searches.
    Verifying,
    /// It gives no sign of life.
    Dead,
}

impl Condition {
    /// The name of its style.
    fn style(self) -> &'static str {
        match self {
            Condition::Available => "free",
            Condition::Preparing => "preparing",
            Condition::Verifying => "verifying",
            Condition::Dead => "gone",
        }
    }

    /// The condition in words.
    fn word(self) -> &'static str {
        match self {
            Condition::Available => "available",
            Condition::Preparing => "busy: preparing",
            Condition::Verifying => "busy: verifying",
            Condition::Dead => "dead",
        }
    }

    /// The path of its icon.
    fn icon(self) -> &'static str {
        match self {
            Condition::Available => "M3 8.5l3.5 3.5L13 4.5",
            Condition::Preparing => {
                "M8 2.5v2M8 11.5v2M2.5 8h2M11.5 8h2M4 4l1.5 1.5M10.5 10.5L12 12M12 4l-1.5 1.5M5.5 10.5L4 12"
            }
            Condition::Verifying => "M5 3.5l7 4.5-7 4.5z",
            Condition::Dead => "M4 4l8 8M12 4l-8 8",
        }
    }
}

/// Shows the board.
pub async fn show(visitor: Visitor) -> Answer {
    let (counts, workers) = visitor.blocking(|app| Ok((app.database.counts(None)?, workers(app)?))).await?;
    let count = |wanted: &[Condition]| workers.iter().filter(|one| wanted.contains(&one.condition)).count();
    let available = count(&[Condition::Available]);
    let busy = count(&[Condition::Preparing, Condition::Verifying]);
    let dead = count(&[Condition::Dead]);
    let frame = visitor.frame("/machines", "Machines");
    render(&Page { frame, workers, counts, available, busy, dead })
}

/// A worker as data.
#[derive(Serialize)]
pub(crate) struct Listed {
    name: String,
    condition: &'static str,
    /// Its job in words.
    job: Option<String>,
    /// The workers of its search, if several processes or threads share it.
    search: Vec<SearchRow>,
    /// Leases that it has lost.
    lost: u64,
}

/// The workers as data.
///
/// # Errors
/// The history cannot be read.
pub(crate) fn board(app: &Application) -> Result<Vec<Listed>, Fault> {
    let listed = |row: Row| Listed {
        name: row.name,
        condition: row.condition.style(),
        job: row.job.map(|(_, job)| job),
        search: row.search,
        lost: row.lost,
    };
    Ok(workers(app)?.into_iter().map(listed).collect())
}

/// The workers that there are. One of a round on this machine ends with its round.
fn workers(app: &Application) -> Result<Vec<Row>, Fault> {
    let now = app.timestamp();
    let live: Vec<RoundId> = app
        .database
        .open_rounds()?
        .into_iter()
        .filter(|round| round.expires.is_some_and(|expires| expires > now))
        .map(|round| round.round)
        .collect();
    let known: Vec<(String, Worker)> = app.activities(|activities| {
        activities.workers.iter().map(|(name, worker)| (name.clone(), worker.clone())).collect()
    });
    let mut names: HashMap<RoundId, Vec<String>> = HashMap::new();
    let mut rows = Vec::new();
    for (name, worker) in known {
        let work = worker.job.as_ref().map(|job| working(app, job, now)).transpose()?;
        let condition = match &work {
            Some(work) => work.condition,
            None if worker.is_lost => Condition::Dead,
            None if worker.is_remote && now.0 - worker.seen > SILENT => Condition::Dead,
            None if worker.is_remote => Condition::Available,
            None if worker.round.is_some_and(|round| live.contains(&round)) => Condition::Available,
            None => continue,
        };
        if condition == Condition::Dead && now.0 - worker.seen > FORGOTTEN {
            continue;
        }
        let job = match &worker.job {
            Some(job) => Some(described(app, job, &mut names)?),
            None => None,
        };
        // A worker that works renews its lease; when it took its job says nothing about that.
        let is_working = matches!(condition, Condition::Preparing | Condition::Verifying);
        let seen = (!is_working).then(|| ago(Timestamp(worker.seen), now));
        let search = work.map_or_else(Vec::new, |work| work.search);
        let completed = counted(worker.completed, "job");
        rows.push(Row { name, condition, job, search, seen, completed, lost: worker.lost });
    }
    Ok(rows)
}

/// What a worker with a job does.
struct Work {
    condition: Condition,
    /// The workers of its search, if several share it.
    search: Vec<SearchRow>,
}

/// What a worker with a job does: it prepares its run until it reports progress.
fn working(app: &Application, job: &WorkerJob, now: Timestamp) -> Result<Work, Fault> {
    let mut work = Work { condition: Condition::Dead, search: Vec::new() };
    let Some(job) = app.database.job(job.id)? else { return Ok(work) };
    if job.state != JobState::Leased || job.expires.is_none_or(|expires| expires <= now) {
        return Ok(work);
    }
    let beat: Option<Beat> = job.progress.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    work.condition = Condition::Preparing;
    if let Some(Beat { progress: Some(progress), seconds }) = beat {
        work.condition = Condition::Verifying;
        work.search.extend(progress.workers.iter().map(|&WorkerProgress { shards, states, memory }| {
            let rate = (states as f64 / seconds.max(1.0)) as u64;
            SearchRow { shards, states, rate, memory }
        }));
    }
    Ok(work)
}

/// The page of a job's run, and the job in words.
fn described(
    app: &Application,
    job: &WorkerJob,
    names: &mut HashMap<RoundId, Vec<String>>,
) -> Result<(String, String), Fault> {
    let names = match names.entry(job.round) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => {
            let runs = app.database.runs(job.round)?;
            let named = runs.into_iter().map(|run| format!("{}@{}", run.property, run.provisioning));
            place.insert(named.collect())
        }
    };
    let run = names.get(job.run as usize).cloned().unwrap_or_else(|| format!("run {}", job.run));
    let step = match job.step {
        Step::Cycle(cycle) => format!("cycle {cycle}"),
        Step::SecondPhase { .. } => "second phase".to_string(),
        Step::Recheck { .. } => "decides again".to_string(),
    };
    let url = format!("/rounds/{}/runs/{}", job.round, job.run);
    Ok((url, format!("{run}, {step}, round {}", job.round)))
}
