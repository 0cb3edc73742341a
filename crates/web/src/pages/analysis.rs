//! Features that interact, and violations with one cause.
//!
//! *Entry point:* [`show`].

use std::collections::BTreeMap;

use askama::Template;
use axle_evidence::round::Interaction;

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::sequence_url;
use crate::snapshot::RunState;
use crate::view::badge::{Badge, Count};
use crate::view::quantity::counted;
use crate::view::state::State;
use crate::view::url::{in_url, line_url};

/// Runs of a cluster that are listed.
const MOST_RUNS: usize = 40;

#[derive(Template)]
#[template(path = "analysis.html")]
struct Page {
    frame: Frame,
    /// Features that are enabled beside others.
    columns: Vec<String>,
    rows: Vec<Row>,
    clusters: Vec<Cause>,
}

/// The properties of a feature.
struct Row {
    feature: String,
    url: String,
    cells: Vec<Option<Cell>>,
}

/// The properties of a feature while another one is enabled.
struct Cell {
    counts: Vec<Count>,
    state: State,
    /// The error sequence of the first violation, or the properties.
    url: String,
    title: String,
}

/// Violations with one cause.
struct Cause {
    statement: String,
    place: Option<(String, String)>,
    size: String,
    runs: Vec<(String, Option<String>, Badge)>,
    hidden: usize,
}

/// Shows the analysis.
pub async fn show(visitor: Visitor) -> Answer {
    let analysis = visitor
        .blocking(|app| {
            let history = app.pulse.borrow().history;
            Ok(app.analysis.get(&*app.database, &app.snapshot(), history)?)
        })
        .await?;
    let snapshot = visitor.app.snapshot();
    let by_name: BTreeMap<&str, &RunState> =
        snapshot.runs.iter().map(|run| (run.name.as_str(), run)).collect();
    let mut columns: Vec<String> = analysis.interactions.iter().map(|one| one.with.clone()).collect();
    columns.sort();
    columns.dedup();
    let rows = rows(&analysis.interactions, &columns, &by_name);
    let clusters = analysis.clusters.iter().map(|cluster| {
        let place = cluster.place.as_ref().filter(|place| !place.is_generated());
        Cause {
            statement: cluster.statement.clone(),
            place: place.map(|place| (format!("{}:{}", place.file, place.line), line_url(place))),
            size: counted(cluster.runs.len() as u64, "violated run"),
            runs: cluster.runs.iter().take(MOST_RUNS).map(|name| run(name, &by_name)).collect(),
            hidden: cluster.runs.len().saturating_sub(MOST_RUNS),
        }
    });
    let clusters = clusters.collect();
    render(&Page { frame: visitor.frame("/analysis", "Analysis"), columns, rows, clusters })
}

fn run(name: &str, by_name: &BTreeMap<&str, &RunState>) -> (String, Option<String>, Badge) {
    let known = by_name.get(name).map(|run| &run.known);
    let state = known.map_or(State::Violated, |known| known.state);
    (name.to_string(), known.and_then(sequence_url), Badge(state))
}

fn rows(interactions: &[Interaction], columns: &[String], by_name: &BTreeMap<&str, &RunState>) -> Vec<Row> {
    let mut by_feature: BTreeMap<&str, BTreeMap<&str, &Interaction>> = BTreeMap::new();
    for one in interactions {
        by_feature.entry(&one.feature).or_default().insert(&one.with, one);
    }
    let row = |(feature, pairs): (&str, BTreeMap<&str, &Interaction>)| Row {
        feature: feature.to_string(),
        url: in_url(feature),
        cells: (columns.iter())
            .map(|with| pairs.get(with.as_str()).map(|pair| cell(pair, by_name)))
            .collect(),
    };
    by_feature.into_iter().map(row).collect()
}

fn cell(pair: &Interaction, by_name: &BTreeMap<&str, &RunState>) -> Cell {
    let all = [
        (State::Violated, pair.violated.len()),
        (State::Unknown, usize::try_from(pair.unknown).unwrap_or(usize::MAX)),
        (State::Holds, usize::try_from(pair.holds).unwrap_or(usize::MAX)),
    ];
    let counts: Vec<Count> =
        all.into_iter().filter(|(_, count)| *count > 0).map(|(state, count)| Count(state, count)).collect();
    let sequence = pair.violated.iter().find_map(|name| sequence_url(&by_name.get(name.as_str())?.known));
    Cell {
        state: counts.first().map_or(State::New, |Count(state, _)| *state),
        counts,
        url: sequence.unwrap_or_else(|| format!("/properties?feature={}", in_url(&pair.feature))),
        title: format!("properties of {} while {} may be enabled", pair.feature, pair.with),
    }
}
