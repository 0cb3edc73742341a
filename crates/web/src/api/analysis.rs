//! Features that interact and violations with one cause as JSON.

use axle_evidence::round::{Cluster, Interaction};
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;

#[derive(Serialize)]
struct Analysis<'a> {
    schema: u32,
    interactions: &'a [Interaction],
    causes: &'a [Cluster],
}

/// The analysis of the present verdicts.
pub async fn show(visitor: Visitor) -> Data {
    let analysis = visitor
        .blocking(|app| {
            let history = app.pulse.borrow().history;
            Ok(app.analysis.get(&*app.database, &app.snapshot(), history)?)
        })
        .await?;
    json(&Analysis { schema: SCHEMA, interactions: &analysis.interactions, causes: &analysis.clusters })
}
