//! The board of machines as JSON.

use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;
use crate::pages::machines::board;

#[derive(Serialize)]
struct Machines {
    schema: u32,
    waiting: u64,
    leased: u64,
    completed: u64,
    cancelled: u64,
    failed: u64,
    workers: Vec<Worker>,
}

#[derive(Serialize)]
struct Worker {
    name: String,
    condition: &'static str,
    job: Option<String>,
    lost: u64,
}

/// The jobs of the queue by state, and the workers.
pub async fn show(visitor: Visitor) -> Data {
    let (counts, workers) = visitor.blocking(|app| Ok((app.database.counts(None)?, board(app)?))).await?;
    let worker = |(name, condition, job, lost)| Worker { name, condition, job, lost };
    json(&Machines {
        schema: SCHEMA,
        waiting: counts.waiting,
        leased: counts.leased,
        completed: counts.completed,
        cancelled: counts.cancelled,
        failed: counts.failed,
        workers: workers.into_iter().map(worker).collect(),
    })
}
