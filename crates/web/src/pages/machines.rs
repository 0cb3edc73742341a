//! The board of machines: each worker with its state and job, and the counters of the queue.
//!
//! *Entry point:* [`show`].

use std::collections::HashSet;

use askama::Template;
use axle_feaver::jobs::job::{Counts, JobId};
use axle_feaver::round::source::Beat;

use super::fault::Fault;
use super::frame::{Answer, Frame, Visitor, render};
use crate::application::Application;
use crate::view::quantity::{ago, counted};

/// Milliseconds without an event after which an idle worker counts as gone.
const GONE: i64 = 10 * 60 * 1000;

#[derive(Template)]
#[template(path = "machines.html")]
struct Page {
    frame: Frame,
    workers: Vec<Row>,
    counts: Counts,
    preparing: usize,
    verifying: usize,
    free: usize,
    gone: usize,
}

/// A worker.
struct Row {
    name: String,
    /// `preparing`, `verifying`, `free` or `gone`.
    state: &'static str,
    icon: &'static str,
    job: Option<(String, String)>,
    seen: String,
    completed: String,
    lost: u64,
}

/// Shows the board.
pub async fn show(visitor: Visitor) -> Answer {
    let now = visitor.app.timestamp();
    let (counts, verifying) =
        visitor.blocking(|app| Ok((app.database.counts(None)?, verifying(app)?))).await?;
    let workers: Vec<Row> = visitor.app.activities(|activities| {
        let row = |(name, worker): (&String, &crate::activity::Worker)| {
            let (state, icon) = match worker.job {
                Some(_) if verifying.contains(name) => ("verifying", "M5 3.5l7 4.5-7 4.5z"),
                Some(_) => ("preparing", "M8 2.5v2M8 11.5v2M2.5 8h2M11.5 8h2M4 4l1.5 1.5M10.5 10.5L12 12M12 4l-1.5 1.5M5.5 10.5L4 12"),
                None if now.0 - worker.seen > GONE => ("gone", "M4 4l8 8M12 4l-8 8"),
                None => ("free", "M3 8.5l3.5 3.5L13 4.5"),
            };
            let job = worker.job.as_ref().map(|(round, run, key)| {
                let step = key.split_once('/').map_or("", |(_, step)| step).replace('-', " ");
                (format!("/rounds/{round}/runs/{run}"), format!("round {round}, run {run}, {step}"))
            });
            let seen = ago(axle_feaver::jobs::job::Timestamp(worker.seen), now);
            let completed = counted(worker.completed, "job");
            Row { name: name.clone(), state, icon, job, seen, completed, lost: worker.lost }
        };
        activities.workers.iter().map(row).collect()
    });
    let count = |state: &str| workers.iter().filter(|worker| worker.state == state).count();
    let (preparing, verifying) = (count("preparing"), count("verifying"));
    let (free, gone) = (count("free"), count("gone"));
    let frame = visitor.frame("/machines", "Machines");
    render(&Page { frame, workers, counts, preparing, verifying, free, gone })
}

/// The workers whose job has reported progress: the others still prepare their run.
fn verifying(app: &Application) -> Result<HashSet<String>, Fault> {
    let jobs: Vec<(String, JobId)> = app.activities(|activities| {
        let busy = activities.workers.iter().filter_map(|(name, worker)| {
            let (round, run, _) = worker.job.as_ref()?;
            Some((name.clone(), activities.run(*round, *run)?.job))
        });
        busy.collect()
    });
    let mut found = HashSet::new();
    for (name, job) in jobs {
        let progress = app.database.job(job)?.and_then(|job| job.progress);
        let progress: Option<Beat> = progress.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if progress.is_some_and(|beat| beat.progress.is_some()) {
            found.insert(name);
        }
    }
    Ok(found)
}
