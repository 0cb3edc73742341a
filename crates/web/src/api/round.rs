//! Rounds as JSON, and the request that starts one: the trigger of a repository's hook.

use axle_feaver::jobs::job::RoundId;
use axle_outcome::Count;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use super::answer::{Data, SCHEMA, json};
use crate::fault::Fault;
use crate::pages::frame::Visitor;
use crate::pages::tracker;
use crate::program::Order;

#[derive(Serialize)]
struct Round {
    schema: u32,
    round: i64,
    begun: i64,
    ended: Option<i64>,
    budget: f64,
    source_version: String,
    axle_version: String,
    last_event: i64,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    run: u32,
    property: String,
    constraint: String,
    key: String,
    state: &'static str,
    verdict: Option<&'static str>,
    cycle: Option<u8>,
    states: Count,
    seconds: f64,
    carried_from: Option<i64>,
    phases: Vec<&'static str>,
    step: Option<String>,
    job: Option<&'static str>,
    worker: Option<String>,
    machine: Option<axle_feaver::results::verdict::Machine>,
}

#[derive(Serialize)]
struct List {
    schema: u32,
    rounds: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    round: i64,
    begun: i64,
    ended: Option<i64>,
    source_version: String,
}

/// The latest rounds.
pub async fn list(visitor: Visitor) -> Data {
    let rounds = visitor.blocking(|app| Ok(app.database.rounds(100)?)).await?;
    let item = |round: axle_feaver::results::verdict::Round| Item {
        round: round.id.0,
        begun: round.begun.0,
        ended: round.ended.map(|ended| ended.0),
        source_version: round.recorded.source_version,
    };
    json(&List { schema: SCHEMA, rounds: rounds.into_iter().map(item).collect() })
}

/// A round with its runs.
pub async fn show(visitor: Visitor, Path(round): Path<i64>) -> Data {
    let shown = visitor
        .blocking(move |app| {
            // Read first: a reader that follows the stream from here on misses nothing of what comes later.
            let last_event = app.pulse.borrow().event;
            let snapshot = app.snapshot();
            let found = tracker::find(&*app.database, Some(RoundId(round)))?;
            let found = found.ok_or_else(|| Fault::missing(format!("There is no round {round}.")))?;
            let (runs, verdicts) = (app.database.runs(found.id)?, app.database.verdicts(found.id)?);
            let runs = app.activities(|activities| {
                let run = |run: axle_feaver::results::verdict::Run| {
                    let record = verdicts.iter().find(|one| one.run.number == run.number);
                    let known = activities.run(found.id, run.number);
                    let statistics = record.map(|one| one.verdict.statistics.clone()).unwrap_or_default();
                    let state = snapshot.state_of(&run.property, record).name();
                    Run {
                        run: run.number,
                        property: run.property,
                        constraint: run.provisioning,
                        key: run.key.to_string(),
                        state,
                        verdict: record.map(|one| one.verdict.answer.name()),
                        cycle: record.and_then(|one| one.verdict.cycle),
                        states: statistics.states,
                        seconds: statistics.seconds,
                        carried_from: record.and_then(|one| one.verdict.carried_from).map(|from| from.0),
                        phases: record.map_or_else(Vec::new, |one| {
                            one.witnesses.iter().map(|(phase, _)| phase.name()).collect()
                        }),
                        step: known.map(|known| match known.step {
                            axle_feaver::jobs::task::Step::Cycle(cycle) => format!("cycle-{cycle}"),
                            axle_feaver::jobs::task::Step::SecondPhase { found } => format!("second-{found}"),
                            axle_feaver::jobs::task::Step::Recheck { found } => format!("recheck-{found}"),
                        }),
                        job: known.map(|known| known.state.name()),
                        worker: known.and_then(|known| known.worker.clone()),
                        machine: record.and_then(|one| one.verdict.machine.clone()),
                    }
                };
                runs.into_iter().map(run).collect()
            });
            Ok(Round {
                schema: SCHEMA,
                round: found.id.0,
                begun: found.begun.0,
                ended: found.ended.map(|ended| ended.0),
                budget: found.recorded.budget.as_secs_f64(),
                source_version: found.recorded.source_version,
                axle_version: found.recorded.axle_version,
                last_event,
                runs,
            })
        })
        .await?;
    json(&shown)
}

/// The body of a request that starts a round.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Start {
    properties: Vec<String>,
    constraints: Vec<String>,
    again: bool,
}

/// Starts a round.
pub async fn start(visitor: Visitor, body: String) -> Data {
    let start: Start = match body.trim() {
        "" => Start::default(),
        text => serde_json::from_str(text)
            .map_err(|fault| Fault::invalid(format!("The body is invalid: {fault}.")))?,
    };
    let Start { properties, constraints, again } = start;
    tracker::begin(&visitor, Order { properties, constraints, again }).await?;
    Ok((StatusCode::ACCEPTED, json(&serde_json::json!({ "schema": SCHEMA, "started": true }))?)
        .into_response())
}
