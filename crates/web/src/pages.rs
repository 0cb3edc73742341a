//! The pages, one file for each screen, and the parts that all of them share.
//!
//! *Entry points:* [`routes`], [`frame::Visitor`].
//! *Invariant:* every page is complete and readable without script.

pub mod analysis;
mod broken;
pub mod changes;
pub mod compare;
pub mod diagnose;
pub mod edit;
pub mod frame;
pub mod framed_fault;
pub mod login;
pub mod machines;
pub mod marks;
pub mod model;
pub mod overview;
pub mod proof;
pub mod properties;
pub mod property;
mod property_fields;
pub mod requirements;
pub mod run;
pub mod sequence;
pub mod settings;
pub mod source;
pub mod tracker;
pub mod tutorial;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::application::Application;

/// The routes of all pages.
pub fn routes() -> Router<Arc<Application>> {
    Router::new()
        .route("/", get(overview::show))
        .route("/properties", get(properties::show))
        .route("/properties/new", get(edit::new).post(edit::create))
        .route("/properties/{name}", get(property::show))
        .route("/properties/{name}/edit", get(edit::edit).post(edit::save))
        .route("/properties/{name}/expected", post(edit::expect))
        .route("/properties/{name}/delete", post(edit::delete))
        .route("/rounds", get(tracker::list).post(tracker::start))
        .route("/rounds/cancel", post(tracker::cancel))
        .route("/rounds/{round}", get(tracker::show))
        .route("/rounds/{round}/runs/{run}", get(run::show))
        .route("/rounds/{round}/runs/{run}/certificate", get(proof::certificate))
        .route("/rounds/{round}/runs/{run}/certificate/model", get(proof::model))
        .route("/rounds/{round}/runs/{run}/{phase}", get(sequence::show))
        .route("/rounds/{round}/runs/{run}/{phase}/trail", get(sequence::trail))
        .route("/rounds/{round}/runs/{run}/{phase}/compare", get(compare::show).post(compare::search))
        .route("/rounds/{round}/changes", get(changes::of_round))
        .route("/changes", get(changes::show))
        .route("/analysis", get(analysis::show))
        .route("/tracker", get(tracker::latest))
        .route("/requirements", get(requirements::list))
        .route("/requirements/{*path}", get(requirements::show))
        .route("/model", get(model::show))
        .route("/source/{*path}", get(source::show))
        .route("/machines", get(machines::show))
        .route("/diagnose", get(diagnose::show).post(diagnose::ask))
        .route("/diagnose/{id}", get(diagnose::answered))
        .route("/tutorial", get(tutorial::show))
        .route("/settings", get(settings::show))
        .route("/appearance", post(settings::appearance))
        .route("/logout", post(settings::logout))
}
