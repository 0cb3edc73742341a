//! The board of machines as JSON.

use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;
use crate::pages::machines::{Listed, board};

#[derive(Serialize)]
struct Machines {
    schema: u32,
    waiting: u64,
    leased: u64,
    completed: u64,
    cancelled: u64,
    failed: u64,
    workers: Vec<Listed>,
}

/// The jobs of the queue by state, and the workers.
pub async fn show(visitor: Visitor) -> Data {
    let (counts, workers) = visitor.blocking(|app| Ok((app.database.counts(None)?, board(app)?))).await?;
    json(&Machines {
        schema: SCHEMA,
        waiting: counts.waiting,
        leased: counts.leased,
        completed: counts.completed,
        cancelled: counts.cancelled,
        failed: counts.failed,
        workers,
    })
}
