//! The board of machines: each worker with its state and job, and the counters of the queue.
//!
//! *Entry point:* [`show`].

use askama::Template;
use axle_feaver::jobs::job::Counts;

use super::frame::{Answer, Frame, Visitor, render};
use crate::view::quantity::{ago, counted};

/// Milliseconds without an event after which an idle worker counts as gone.
const GONE: i64 = 10 * 60 * 1000;

#[derive(Template)]
#[template(path = "machines.html")]
struct Page {
    frame: Frame,
    workers: Vec<Row>,
    counts: Counts,
    busy: usize,
    idle: usize,
    gone: usize,
}

/// A worker.
struct Row {
    name: String,
    /// `busy`, `idle` or `gone`.
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
    let counts = visitor.blocking(|app| Ok(app.database.counts(None)?)).await?;
    let workers: Vec<Row> = visitor.app.activities(|activities| {
        let row = |(name, worker): (&String, &crate::activity::Worker)| {
            let (state, icon) = match worker.job {
                Some(_) => ("busy", "M5 3.5l7 4.5-7 4.5z"),
                None if now.0 - worker.seen > GONE => ("gone", "M4 4l8 8M12 4l-8 8"),
                None => ("idle", "M3 8.5l3.5 3.5L13 4.5"),
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
    let (busy, idle, gone) = (count("busy"), count("idle"), count("gone"));
    render(&Page { frame: visitor.frame("/machines", "Machines"), workers, counts, busy, idle, gone })
}
