//! The history of a property as JSON, with its expected cost.

use axle_outcome::Count;
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::cost;
use crate::fault::Fault;
use crate::pages::frame::Visitor;
use crate::pages::property::MOST_RECORDS;

#[derive(Serialize)]
struct History {
    schema: u32,
    property: String,
    expected_seconds: Option<f64>,
    trend: Option<f64>,
    verdicts: Vec<Past>,
}

#[derive(Serialize)]
struct Past {
    round: i64,
    run: u32,
    constraint: String,
    verdict: &'static str,
    cycle: Option<u8>,
    states: Count,
    seconds: f64,
    at: i64,
    carried_from: Option<i64>,
    source_version: String,
}

/// The verdicts of a property, the latest first.
pub async fn show(visitor: Visitor, Path(name): Path<String>) -> Data {
    let snapshot = visitor.app.snapshot();
    if snapshot.property(&name).is_none() {
        return Err(Fault::missing(format!("The project has no property '{name}'.")).into());
    }
    let wanted = name.clone();
    let records =
        visitor.blocking(move |app| Ok(app.database.property_history(&wanted, MOST_RECORDS)?)).await?;
    let cost = cost::of(&records);
    let past = |record: axle_feaver::results::verdict::Record| Past {
        round: record.round.0,
        run: record.run.number,
        constraint: record.run.provisioning,
        verdict: record.verdict.answer.name(),
        cycle: record.verdict.cycle,
        states: record.verdict.statistics.states,
        seconds: record.verdict.statistics.seconds,
        at: record.at.0,
        carried_from: record.verdict.carried_from.map(|round| round.0),
        source_version: record.source_version,
    };
    json(&History {
        schema: SCHEMA,
        property: name,
        expected_seconds: cost.expected,
        trend: cost.trend,
        verdicts: records.into_iter().map(past).collect(),
    })
}
