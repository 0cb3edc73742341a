//! The nearest satisfying execution of an error sequence as JSON, once it has been searched for.

use axle_evidence::trace::Trace;
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::pages::compare::known;
use crate::pages::frame::Visitor;
use crate::pages::sequence::{phase, read};

#[derive(Serialize)]
struct Comparison<'a> {
    schema: u32,
    round: i64,
    run: u32,
    phase: &'static str,
    property: &'a str,
    constraint: &'a str,
    searched: bool,
    satisfiable: Option<bool>,
    common_steps: Option<u64>,
    longest: Option<bool>,
    premise: Option<bool>,
    shows: Option<&'a str>,
    trace: Option<&'a Trace>,
}

/// The comparison of an error sequence.
pub async fn show(visitor: Visitor, Path((round, run, name)): Path<(i64, u32, String)>) -> Data {
    let phase = phase(&name)?;
    let sequence = visitor.blocking(move |app| read(app, round, run, phase)).await?;
    let found = known(&visitor.app, &sequence)?;
    let example = found.as_ref().and_then(|found| found.example.as_ref());
    let nearest = found.as_ref().and_then(|found| found.nearest);
    json(&Comparison {
        schema: SCHEMA,
        round,
        run,
        phase: phase.name(),
        property: &sequence.property,
        constraint: &sequence.constraint,
        searched: found.is_some(),
        satisfiable: found.as_ref().and_then(|found| found.satisfiable),
        common_steps: nearest.map(|nearest| nearest.common_steps),
        longest: nearest.map(|nearest| nearest.longest),
        premise: nearest.and_then(|nearest| nearest.premise),
        shows: example.map(|example| example.shows.as_str()),
        trace: example.map(|example| &example.trace),
    })
}
