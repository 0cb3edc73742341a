//! The queue for workers on other machines: the requests of [`WorkSource`] over HTTP.
//!
//! *Entry point:* [`routes`].
//! *Invariant:* what follows from a result is decided here. A result under a lease that has ended is
//! refused with status 409.

use std::sync::Arc;
use std::time::Duration;

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::job::Lease;
use axle_feaver::results::key::Hash;
use axle_feaver::round::local::{LEASE, StoreSource};
use axle_feaver::round::source::{Beat, WorkError, WorkSource};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::{ApiFault, Data, SCHEMA, json};
use crate::application::Application;
use crate::pages::fault::Fault;

/// The longest time for which a request waits for a job.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The longest name of a worker.
const LONGEST_NAME: usize = 100;

/// The routes below `/api/worker`.
pub fn routes() -> Router<Arc<Application>> {
    Router::new()
        .route("/lease", post(lease))
        .route("/heartbeat", post(heartbeat))
        .route("/complete", post(complete))
        .route("/fail", post(fail))
        .route("/release", post(release))
        .route("/inputs/{hash}", get(input))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaseRequest {
    worker: String,
    #[serde(default)]
    wait: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Heartbeat {
    lease: Lease,
    beat: Beat,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Complete {
    lease: Lease,
    outcome: Outcome,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fail {
    lease: Lease,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    lease: Lease,
}

type App = State<Arc<Application>>;

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiFault> {
    serde_json::from_slice(body)
        .map_err(|fault| Fault::invalid(format!("The body is invalid: {fault}.")).into())
}

/// Executes a request on the queue in a thread for blocking work.
async fn on_queue<T: Send + 'static>(
    app: Arc<Application>,
    request: impl FnOnce(&StoreSource) -> Result<T, WorkError> + Send + 'static,
) -> Result<T, ApiFault> {
    let source = StoreSource::new(Arc::clone(&app.database), None, LEASE);
    let done = tokio::task::spawn_blocking(move || request(&source)).await;
    let done = done.map_err(|_| Fault::internal("the request was abandoned"))?;
    done.map_err(|fault| {
        let (status, message) = match fault {
            WorkError::Ended(message) => (StatusCode::CONFLICT, message),
            WorkError::Unavailable(message) => (StatusCode::SERVICE_UNAVAILABLE, message),
            WorkError::Refused(message) => (StatusCode::UNPROCESSABLE_ENTITY, message),
        };
        Fault::new(status, message).into()
    })
}

async fn lease(State(app): App, body: axum::body::Bytes) -> Data {
    let LeaseRequest { worker, wait } = parsed(&body)?;
    let is_name = !worker.is_empty()
        && worker.chars().count() <= LONGEST_NAME
        && worker.chars().all(|c| !c.is_control());
    if !is_name {
        return Err(
            Fault::invalid(format!("A worker needs a name of at most {LONGEST_NAME} characters.")).into()
        );
    }
    let wait = if wait.is_finite() { wait.clamp(0.0, LONGEST_WAIT.as_secs_f64()) } else { 0.0 };
    let begin = std::time::Instant::now();
    let now = app.now();
    app.observe(|activities| activities.greet(&worker, now));
    loop {
        let name = worker.clone();
        let work = on_queue(Arc::clone(&app), move |source| source.lease(&name, Duration::ZERO)).await?;
        // Waiting holds no thread.
        if work.is_some() || begin.elapsed().as_secs_f64() >= wait {
            return json(&serde_json::json!({ "schema": SCHEMA, "work": work }));
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

async fn heartbeat(State(app): App, body: axum::body::Bytes) -> Data {
    let Heartbeat { lease, beat } = parsed(&body)?;
    let advice = on_queue(app, move |source| source.heartbeat(lease, &beat)).await?;
    json(&serde_json::json!({ "schema": SCHEMA, "advice": advice }))
}

async fn complete(State(app): App, body: axum::body::Bytes) -> Data {
    let Complete { lease, outcome } = parsed(&body)?;
    on_queue(app, move |source| source.complete(lease, &outcome)).await?;
    done()
}

async fn fail(State(app): App, body: axum::body::Bytes) -> Data {
    let Fail { lease, reason } = parsed(&body)?;
    let reason: String = reason.chars().take(2000).collect();
    on_queue(app, move |source| source.fail(lease, &reason)).await?;
    done()
}

async fn release(State(app): App, body: axum::body::Bytes) -> Data {
    let Release { lease } = parsed(&body)?;
    on_queue(app, move |source| source.release(lease)).await?;
    done()
}

fn done() -> Data {
    json(&serde_json::json!({ "schema": SCHEMA, "done": true }))
}

async fn input(State(app): App, Path(hash): Path<String>) -> Data {
    let hash = Hash::parse(&hash).ok_or_else(|| Fault::invalid("The hash has 64 hexadecimal digits."))?;
    let content = tokio::task::spawn_blocking(move || app.database.content(hash)).await;
    let content = content.map_err(|_| Fault::internal("the request was abandoned"))?.map_err(Fault::from)?;
    let content = content.ok_or_else(|| Fault::missing("There is no content with this hash."))?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], content).into_response())
}
