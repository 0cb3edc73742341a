//! Data as JSON: what the pages show, the requests that start rounds, and those of workers.
//!
//! *Entry point:* [`routes`]. The forms are documented in `docs/reference/api.md`.
//! *Invariant:* the names of fields are those of the reference; a test compares them.

pub mod project;
pub mod rounds;
pub mod sequence;
pub mod source;
pub mod timeline;
pub mod worker;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;

use crate::application::Application;
use crate::pages::fault::Fault;

/// The version of the forms. It is raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// The routes below `/api`.
pub fn routes() -> Router<Arc<Application>> {
    Router::new()
        .route("/project", get(project::show))
        .route("/properties", get(project::properties))
        .route("/properties/{name}", get(project::property))
        .route("/rounds", get(rounds::list).post(rounds::start))
        .route("/rounds/{round}", get(rounds::show))
        .route("/rounds/{round}/runs/{run}/{phase}", get(sequence::show))
        .route("/source/{*path}", get(source::show))
        .route("/timeline", post(timeline::show))
        .nest("/worker", worker::routes())
        .layer(DefaultBodyLimit::disable())
}

/// An answer as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, ApiFault> {
    let text = serde_json::to_string(value).map_err(|fault| Fault::internal(&fault.to_string()))?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// An error that is answered as JSON.
#[derive(Debug)]
pub struct ApiFault(pub Fault);

impl From<Fault> for ApiFault {
    fn from(fault: Fault) -> ApiFault {
        ApiFault(fault)
    }
}

impl IntoResponse for ApiFault {
    fn into_response(self) -> Response {
        self.0.answer(true)
    }
}

/// The answer of a request for data.
pub type Data = Result<Response, ApiFault>;
