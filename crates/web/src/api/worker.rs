//! The queue for workers on other machines: the requests of [`WorkSource`] over HTTP.
//!
//! A worker is not believed: a result has to be one of the job that its token has leased, and an execution
//! in it is replayed on the run as this server prepares it, before the verdict is stored.
//!
//! *Entry point:* [`routes`].
//! *Invariant:* what follows from a result is decided here. A result under a lease that has ended, or
//! another one than that which the lease has stored, is refused with status 409; one whose execution does
//! not show what it says with status 422, and the attempt has failed.

use std::sync::Arc;
use std::time::Duration;

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::job::Lease;
use axle_feaver::jobs::task::Task;
use axle_feaver::results::key::Hash;
use axle_feaver::round::local::{LEASE, Received, StoreSource};
use axle_feaver::round::payload::Payload;
use axle_feaver::round::source::{Beat, WorkError, WorkSource};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::{ApiFault, Data, SCHEMA, json};
use crate::application::Application;
use crate::fault::Fault;
use crate::security::secret::random;
use crate::security::session::Principal;

/// The longest time for which a request waits for a job.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The interval at which the lease of a result is renewed while its execution is replayed.
const RENEWAL: Duration = Duration::from_secs(1);

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

/// Who sent a request.
type Who = Extension<Principal>;

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiFault> {
    serde_json::from_slice(body)
        .map_err(|fault| Fault::invalid(format!("The body is invalid: {fault}.")).into())
}

/// A random number from 0 to 1, which the worker cannot know: it selects what is decided again.
fn drawn() -> Result<f64, ApiFault> {
    let bytes = random().map_err(|fault| Fault::internal(&fault))?;
    let [a, b, c, d, ..] = bytes;
    Ok(f64::from(u32::from_le_bytes([a, b, c, d])) / (f64::from(u32::MAX) + 1.0))
}

/// Executes a request on the queue for the worker behind a token, in a thread for blocking work.
async fn on_queue<T: Send + 'static>(
    app: &Arc<Application>,
    token: &str,
    request: impl FnOnce(&StoreSource) -> Result<T, WorkError> + Send + 'static,
) -> Result<T, ApiFault> {
    let source = StoreSource::new(Arc::clone(&app.database), None, LEASE).behind(token, drawn()?);
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

async fn lease(State(app): App, Extension(who): Who, body: axum::body::Bytes) -> Data {
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
    app.observe(|activities| activities.greet(&worker, &who.name, now));
    loop {
        let name = worker.clone();
        let work = on_queue(&app, &who.name, move |source| source.lease(&name, Duration::ZERO)).await?;
        // Waiting holds no thread.
        if work.is_some() || begin.elapsed().as_secs_f64() >= wait {
            return json(&serde_json::json!({ "schema": SCHEMA, "work": work }));
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

async fn heartbeat(State(app): App, Extension(who): Who, body: axum::body::Bytes) -> Data {
    let Heartbeat { lease, beat } = parsed(&body)?;
    let advice = on_queue(&app, &who.name, move |source| source.heartbeat(lease, &beat)).await?;
    json(&serde_json::json!({ "schema": SCHEMA, "advice": advice }))
}

async fn complete(State(app): App, Extension(who): Who, body: axum::body::Bytes) -> Data {
    let Complete { lease, outcome } = parsed(&body)?;
    // A worker that goes away does not interrupt the replay of its result.
    let stored = tokio::spawn(async move { receive(&app, &who.name, lease, outcome).await }).await;
    stored.map_err(|_| Fault::internal("the request was abandoned"))??;
    done()
}

/// Checks a result, replays its execution, and stores it.
async fn receive(
    app: &Arc<Application>,
    token: &str,
    lease: Lease,
    outcome: Outcome,
) -> Result<(), ApiFault> {
    let (received, outcome) =
        on_queue(app, token, move |source| Ok((source.receive(lease, &outcome)?, outcome))).await?;
    let Some(received) = received else { return Ok(()) };
    let outcome = match outcome.witness {
        Some(_) => confirmed(app, token, (lease, &received), outcome).await?,
        None => outcome,
    };
    on_queue(app, token, move |source| source.store(lease, &received, &outcome)).await
}

/// The result with its execution replayed.
async fn confirmed(
    app: &Arc<Application>,
    token: &str,
    (lease, received): (Lease, &Received),
    outcome: Outcome,
) -> Result<Outcome, ApiFault> {
    let job = &received.job().submitted;
    let task = Task::parse(&job.key).ok_or_else(|| Fault::internal("the job has no task"))?;
    let payload = Payload::read(&job.payload).map_err(Fault::invalid)?;
    let name = payload.name();
    let confirmer = Arc::clone(app);
    let replay = async move {
        let permit = Arc::clone(&confirmer.confirmations).acquire_owned().await;
        let replayed =
            tokio::task::spawn_blocking(move || confirmer.rounds.confirm((task, &payload), &outcome)).await;
        drop(permit);
        replayed.map_err(|_| "the replay was abandoned".to_string())?
    };
    tokio::pin!(replay);
    let replayed = loop {
        tokio::select! {
            replayed = &mut replay => break replayed,
            () = tokio::time::sleep(RENEWAL) => {
                let renewed = app.database.heartbeat(lease, None, app.timestamp());
                renewed.map_err(Fault::from)?;
            }
        }
    };
    match replayed {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(reason)) => {
            let worker = received.job().worker.clone().unwrap_or_default();
            let message = format!("the result of {worker} (token {token}) for {name} was refused: {reason}");
            (app.log)(&message);
            let shown = message.clone();
            on_queue(app, token, move |source| source.fail(lease, &shown)).await?;
            Err(Fault::invalid(format!("The execution does not show the result: {reason}.")).into())
        }
        Err(fault) => {
            let message = format!("The execution of the result cannot be replayed: {fault}");
            Err(Fault::new(StatusCode::SERVICE_UNAVAILABLE, message).into())
        }
    }
}

async fn fail(State(app): App, Extension(who): Who, body: axum::body::Bytes) -> Data {
    let Fail { lease, reason } = parsed(&body)?;
    let reason: String = reason.chars().take(2000).collect();
    on_queue(&app, &who.name, move |source| source.fail(lease, &reason)).await?;
    done()
}

async fn release(State(app): App, Extension(who): Who, body: axum::body::Bytes) -> Data {
    let Release { lease } = parsed(&body)?;
    on_queue(&app, &who.name, move |source| source.release(lease)).await?;
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
