//! Data as JSON: what the pages show, the requests that start rounds, and those of workers.
//!
//! *Entry point:* [`routes`]. The forms are documented in `docs/reference/api.md`.
//! *Invariant:* the names of fields are those of the reference; a test compares them.

pub mod analysis;
pub mod answer;
pub mod changes;
pub mod comparison;
pub mod diagnose;
pub mod history;
pub mod hook;
pub mod machines;
pub mod model;
pub mod names;
pub mod project;
pub mod requirements;
pub mod round;
pub mod schema;
pub mod sequence;
pub mod settings;
pub mod source;
pub mod timeline;
pub mod worker;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::application::Application;

/// The routes below `/api`.
pub fn routes() -> Router<Arc<Application>> {
    Router::new()
        .route("/project", get(project::show))
        .route("/properties", get(project::properties))
        .route("/properties/{name}", get(project::property))
        .route("/properties/{name}/history", get(history::show))
        .route("/model", get(model::show))
        .route("/names", get(names::show))
        .route("/settings", get(settings::show))
        .route("/rounds/{round}/runs/{run}/{phase}/itf", get(sequence::itf))
        .route("/rounds", get(round::list).post(round::start))
        .route("/rounds/{round}", get(round::show))
        .route("/rounds/{round}/changes", get(changes::of_round))
        .route("/rounds/{round}/runs/{run}/{phase}/compare", get(comparison::show))
        .route("/changes", get(changes::show))
        .route("/analysis", get(analysis::show))
        .route("/rounds/{round}/runs/{run}/{phase}", get(sequence::show))
        .route("/hook", post(hook::called))
        .route("/requirements", get(requirements::show))
        .route("/machines", get(machines::show))
        .route("/diagnose", post(diagnose::ask))
        .route("/openapi.json", get(schema::show))
        .route("/source/{*path}", get(source::show))
        .route("/timeline", post(timeline::show))
        .nest("/worker", worker::routes())
        .layer(DefaultBodyLimit::disable())
}
