//! Questions about the software as JSON: whether it shows events, or reaches a line.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::answer::Data;
use crate::fault::Fault;
use crate::pages::diagnose::check;
use crate::pages::frame::Visitor;
use crate::program::Inquiry;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Request {
    events: String,
    line: String,
    constraint: String,
}

/// Answers a question; the answer is that of `axle diagnose --json`.
pub async fn ask(visitor: Visitor, body: String) -> Data {
    let Request { events, line, constraint } = serde_json::from_str(&body)
        .map_err(|fault| Fault::invalid(format!("The body is invalid: {fault}.")))?;
    let question = Inquiry { events, line, constraint };
    if let Some(problem) = check(&visitor.app.snapshot(), &question)? {
        return Err(Fault::invalid(problem).into());
    }
    let answer = visitor.blocking(move |app| Ok(app.rounds.diagnose(&question))).await?;
    let text = answer.map_err(Fault::invalid)?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}
