//! The event stream: changes of jobs, verdicts and files, as server-sent events.
//!
//! The id of an event is that of the queue, which the history stores. A client that reconnects sends
//! the last id that it has seen and receives all later events, also after a restart of the server.
//!
//! *Entry point:* [`routes`].
//! *Source:* WHATWG, "HTML Living Standard", section "Server-sent events".
//! *Invariant:* events of a stream are consecutive: none is lost between two ids.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axle_feaver::jobs::job::{self, EventId};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::application::Application;
use crate::fault::Fault;
use crate::pulse::Pulse;
use crate::security::session::Principal;
use crate::slots::Exhausted;

/// The interval of comments that keep a stream open through proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Events that are read from the store at once.
const PAGE: u32 = 500;

/// The route of the stream.
pub fn routes() -> Router<Arc<Application>> {
    Router::new().route("/events", get(events))
}

#[derive(Deserialize)]
struct From {
    after: Option<i64>,
}

/// A change of a job.
#[derive(Serialize)]
struct JobChange {
    round: i64,
    job: i64,
    run: Option<u32>,
    step: Option<String>,
    state: &'static str,
    attempt: u32,
    worker: Option<String>,
    at: i64,
}

async fn events(
    State(app): State<Arc<Application>>,
    Extension(principal): Extension<Principal>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Response {
    let slot = match app.streams.take(&principal.name) {
        Ok(slot) => slot,
        Err(exhausted) => {
            let (status, message) = match exhausted {
                Exhausted::Name => {
                    (StatusCode::TOO_MANY_REQUESTS, "This token has too many open event streams.")
                }
                Exhausted::All => (StatusCode::SERVICE_UNAVAILABLE, "Too many event streams are open."),
            };
            let mut fault = Fault::new(status, message);
            fault.headers.push((RETRY_AFTER, "10".to_string()));
            return fault.answer(true);
        }
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let after = last.or(from.after).unwrap_or_else(|| app.pulse.borrow().event).max(0);
    let (send, receive) = mpsc::channel(64);
    tokio::spawn(async move {
        // A client that went away ends its task.
        let _ended = follow(&app, &principal, after, &send).await;
        drop(slot);
    });
    let stream = Sse::new(ReceiverStream::new(receive));
    let mut response = stream.keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response();
    let unbuffered = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response.headers_mut().insert(unbuffered.0, unbuffered.1);
    response
}

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// Sends events until the client goes away.
async fn follow(
    app: &Arc<Application>,
    principal: &Principal,
    mut after: i64,
    send: &Sender,
) -> Result<(), String> {
    let mut pulses = app.pulse.subscribe();
    let mut known: Option<Pulse> = None;
    loop {
        let pulse = *pulses.borrow_and_update();
        let shown = |pulse: Pulse| (pulse.generation, pulse.history, pulse.reading, pulse.running);
        if known.map(shown) != Some(shown(pulse)) {
            let data = serde_json::json!({
                "generation": pulse.generation,
                "history": pulse.history,
                "reading": pulse.reading,
                "running": pulse.running,
            });
            let data = data.to_string();
            let event = Event::default().event("project").data(data);
            send.send(Ok(event)).await.map_err(|fault| fault.to_string())?;
        }
        known = Some(pulse);
        loop {
            let reader = Arc::clone(app);
            let page = tokio::task::spawn_blocking(move || read(&reader, after)).await;
            let page = page.map_err(|fault| fault.to_string())??;
            let is_last = page.len() < PAGE as usize;
            for (id, change) in page {
                after = id;
                let data = serde_json::to_string(&change).map_err(|fault| fault.to_string())?;
                let event = Event::default().id(id.to_string()).event("job").data(data);
                send.send(Ok(event)).await.map_err(|fault| fault.to_string())?;
            }
            if is_last {
                break;
            }
        }
        tokio::select! {
            changed = pulses.changed() => changed.map_err(|fault| fault.to_string())?,
            () = send.closed() => return Ok(()),
            // The token may have been removed.
            () = tokio::time::sleep(HEARTBEAT) => {}
        }
        if !app.access.admits(principal) {
            return Ok(());
        }
    }
}

fn read(app: &Application, after: i64) -> Result<Vec<(i64, JobChange)>, String> {
    let events = app.database.changes(EventId(after), PAGE).map_err(|fault| fault.to_string())?;
    events.into_iter().map(|event| change(app, event)).collect()
}

fn change(app: &Application, event: job::Event) -> Result<(i64, JobChange), String> {
    let job = app.database.job(event.job).map_err(|fault| fault.to_string())?;
    let key = job.map(|job| job.submitted.key);
    let parts = key.as_deref().and_then(|key| key.split_once('/'));
    let change = JobChange {
        round: event.round.0,
        job: event.job.0,
        run: parts.and_then(|(run, _)| run.parse().ok()),
        step: parts.map(|(_, step)| step.to_string()),
        state: event.state.name(),
        attempt: event.attempt,
        worker: (event.state == job::JobState::Leased).then_some(event.detail),
        at: event.at.0,
    };
    Ok((event.id.0, change))
}
