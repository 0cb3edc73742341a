//! Answers as JSON, and errors in the same form.
//!
//! *Entry point:* `json`.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::fault::Fault;

/// The version of the forms. It is raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

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
