//! The names of the software as JSON, which editors complete.

use std::collections::BTreeSet;

use axle_feaver::prepare::names::SoftwareName;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::frame::Visitor;

#[derive(Serialize)]
struct Names<'a> {
    schema: u32,
    names: &'a BTreeSet<SoftwareName>,
}

/// The names of the software.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    json(&Names { schema: SCHEMA, names: snapshot.names() })
}
