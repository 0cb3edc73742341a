//! The request of a repository's hook: it starts a round of the properties that the change affects.
//!
//! The body is not read: the hook says that something has changed, and the files say what. The files are
//! updated before the request, by a checkout on this machine.
//!
//! *Entry point:* [`called`].
//! *Invariant:* the guard has verified the signature.

use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use axum::response::IntoResponse;

use super::answer::{Data, SCHEMA, json};
use crate::fault::Fault;
use crate::pages::frame::Visitor;

/// Takes note of a hook.
pub async fn called(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let permitted = snapshot.project.as_ref().is_some_and(|project| project.triggers.hook);
    if !permitted {
        let message = "The project permits no hook: its manifest needs `[triggers]` with `hook = true`.";
        return Err(Fault::new(StatusCode::CONFLICT, message).into());
    }
    visitor.app.hooked.store(true, Ordering::Relaxed);
    Ok((StatusCode::ACCEPTED, json(&serde_json::json!({ "schema": SCHEMA, "accepted": true }))?)
        .into_response())
}
