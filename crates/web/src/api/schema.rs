//! The description of the interface in the OpenAPI form, for generators of clients.
//!
//! *Entry point:* [`show`].
//! *Invariant:* `openapi.json` has the requests and forms of `docs/reference/api.md`, and every answer conforms
//! to it; tests compare them.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

use super::answer::Data;
use crate::pages::frame::Visitor;

/// The document.
pub const DOCUMENT: &str = include_str!("openapi.json");

/// Shows the document.
pub async fn show(_: Visitor) -> Data {
    Ok(([(CONTENT_TYPE, "application/json")], DOCUMENT).into_response())
}
