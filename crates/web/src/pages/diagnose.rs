//! Questions about the software: whether it can show a sequence of events.
//!
//! *Entry points:* [`show`], [`ask`].

use askama::Template;

use super::{Answer, Frame, Visitor, render};
use crate::pages::fault::Fault;

#[derive(Template)]
#[template(path = "diagnose.html")]
struct Page {
    frame: Frame,
}

/// Shows the form.
pub async fn show(visitor: Visitor) -> Answer {
    render(&Page { frame: visitor.frame("/diagnose", "Diagnose") })
}

/// Answers a question.
pub async fn ask(_: Visitor, _: String) -> Answer {
    Err(Fault::new(axum::http::StatusCode::NOT_IMPLEMENTED, "This server answers no questions yet."))
}
