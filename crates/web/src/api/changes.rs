//! What changes affect as JSON: files with their lines, properties and verdicts.

use axle_feaver::changes::Origin;
use axle_feaver::changes::explanation::Part;
use axum::extract::Path;
use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::changes::{self, Affected, Turned};
use crate::pages::frame::Visitor;
use crate::versions::{Difference, Line};

#[derive(Serialize)]
struct Changes<'a> {
    schema: u32,
    round: Option<i64>,
    since: Option<i64>,
    before: Option<i64>,
    files: Vec<File<'a>>,
    affected: Vec<Property<'a>>,
    kept: usize,
    turned: Vec<Run<'a>>,
    warning: Option<&'a str>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    kind: &'static str,
    hunks: Vec<Vec<DifferingLine<'a>>>,
}

#[derive(Serialize)]
struct DifferingLine<'a> {
    sign: char,
    old: Option<usize>,
    new: Option<usize>,
    text: &'a str,
}

#[derive(Serialize)]
struct Property<'a> {
    property: &'a str,
    feature: Option<&'a str>,
    runs: usize,
    state: &'static str,
    reason: &'a str,
    before: Option<&'static str>,
    after: Option<&'static str>,
    parts: Vec<ChangedPart<'a>>,
}

#[derive(Serialize)]
struct ChangedPart<'a> {
    kind: &'static str,
    name: &'a str,
    path: &'a str,
    change: &'static str,
    committed: Option<bool>,
    commit: Option<Committed<'a>>,
}

#[derive(Serialize)]
struct Committed<'a> {
    id: String,
    author: &'a str,
    at: i64,
    subject: &'a str,
}

#[derive(Serialize)]
struct Run<'a> {
    property: &'a str,
    constraint: &'a str,
    round: i64,
    run: u32,
    before: &'static str,
    after: &'static str,
}

/// What the present files change.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let found = visitor.blocking(move |app| changes::present(app, &snapshot)).await?;
    answer(&found, None)
}

/// What a round found different from the last verdicts before it.
pub async fn of_round(visitor: Visitor, Path(round): Path<i64>) -> Data {
    let snapshot = visitor.app.snapshot();
    let found = visitor.blocking(move |app| changes::of_round(app, &snapshot, round)).await?;
    answer(&found, Some(round))
}

fn answer(found: &changes::Changes, round: Option<i64>) -> Data {
    json(&Changes {
        schema: SCHEMA,
        round,
        since: found.since.as_ref().map(|round| round.id.0),
        before: found.before.map(|before| before.0),
        files: found.files.iter().map(file).collect(),
        affected: found.affected.iter().map(affected).collect(),
        kept: found.kept,
        turned: found.turned.iter().map(turned).collect(),
        warning: found.warning.as_deref(),
    })
}

fn file(one: &Difference) -> File<'_> {
    File {
        path: &one.path,
        kind: one.kind,
        hunks: one.hunks.iter().map(|hunk| hunk.iter().map(line).collect()).collect(),
    }
}

fn line(one: &Line) -> DifferingLine<'_> {
    DifferingLine { sign: one.sign, old: one.old, new: one.new, text: &one.text }
}

fn affected(one: &Affected) -> Property<'_> {
    Property {
        property: &one.property,
        feature: one.feature.as_deref(),
        runs: one.runs,
        state: one.state.name(),
        reason: &one.reason,
        before: one.before.map(|state| state.name()),
        after: one.after.map(|state| state.name()),
        parts: one.parts.iter().map(part).collect(),
    }
}

fn part(one: &Part) -> ChangedPart<'_> {
    let commit = match &one.origin {
        Some(Origin::Commit(commit)) => Some(Committed {
            id: commit.id.to_string(),
            author: &commit.author,
            at: commit.time.saturating_mul(1000),
            subject: &commit.subject,
        }),
        Some(Origin::Uncommitted) | None => None,
    };
    ChangedPart {
        kind: one.changed.kind.name(),
        name: &one.changed.name,
        path: &one.changed.path,
        change: one.changed.change.name(),
        committed: one.origin.as_ref().map(|origin| matches!(origin, Origin::Commit(_))),
        commit,
    }
}

fn turned(one: &Turned) -> Run<'_> {
    Run {
        property: &one.property,
        constraint: &one.constraint,
        round: one.round.0,
        run: one.run,
        before: one.before.name(),
        after: one.after.name(),
    }
}
