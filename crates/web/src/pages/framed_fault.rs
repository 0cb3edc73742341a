//! Pages of errors with the menu around them, for a visitor who signed in.
//!
//! *Entry point:* [`answer`].

use askama::Template;
use axum::response::{Html, IntoResponse, Response};

use super::frame::Frame;
use crate::fault::Fault;

#[derive(Template)]
#[template(path = "framed_fault.html")]
struct FramedPage<'a> {
    frame: Frame,
    code: u16,
    name: &'a str,
    message: &'a str,
}

/// The answer for an error.
#[must_use]
pub fn answer(fault: Fault, frame: Frame) -> Response {
    let name = fault.status.canonical_reason().unwrap_or("Error");
    let page = FramedPage { code: fault.status.as_u16(), name, message: &fault.message, frame };
    let response = (fault.status, Html(page.render().unwrap_or_else(|_| name.to_string()))).into_response();
    fault.with_headers(response)
}
