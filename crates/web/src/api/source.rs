//! A file of the project as JSON: its lines as HTML with highlighting.

use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;
use crate::pages::source::read;
use crate::view::highlight;

#[derive(Serialize)]
struct Source {
    schema: u32,
    path: String,
    lines: Vec<String>,
}

/// The lines of a file.
pub async fn show(visitor: Visitor, Path(path): Path<String>) -> Data {
    let wanted = path.clone();
    let text = visitor.blocking(move |app| read(app, &wanted)).await?;
    json(&Source { schema: SCHEMA, path, lines: highlight::lines(&text) })
}
