//! Requirement documents as JSON: their sections, and the properties that cover each.

use axle_feaver::project::coverage::coverage;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;

#[derive(Serialize)]
struct Requirements<'a> {
    schema: u32,
    sections: Vec<Section<'a>>,
}

#[derive(Serialize)]
struct Section<'a> {
    document: &'a str,
    heading: &'a str,
    anchor: &'a str,
    line: u32,
    properties: Vec<&'a str>,
    uncovered: bool,
}

/// The sections of all documents.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let covered = snapshot.project.as_ref().map(coverage).unwrap_or_default();
    let sections = covered.into_iter().map(|one| Section {
        document: &one.document.path,
        heading: &one.section.heading,
        anchor: &one.section.anchor,
        line: one.line,
        properties: one.properties,
        uncovered: one.uncovered,
    });
    json(&Requirements { schema: SCHEMA, sections: sections.collect() })
}
