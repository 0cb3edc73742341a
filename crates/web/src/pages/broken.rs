//! A property in error: its errors, and its verdicts of an earlier version.
//!
//! *Entry point:* [`show`].
//! *Invariant:* no earlier verdict is shown as one of the present version.

use askama::Template;
use axle_evidence::markdown::to_html;

use super::frame::{Answer, Frame, Visitor, render};
use super::property::{MOST_RECORDS, Past, history};
use crate::snapshot::{BrokenState, Problem};
use crate::view::badge::Badge;
use crate::view::quantity::ago;
use crate::view::state::State;
use crate::view::url::{in_url, path_in_url};

#[derive(Template)]
#[template(path = "broken.html")]
struct Page {
    frame: Frame,
    name: String,
    url: String,
    badge: Badge,
    files: Vec<(String, String)>,
    problems: Vec<Problem>,
    text: String,
    latest: Vec<Earlier>,
    history: Vec<Past>,
}

/// A verdict of an earlier version.
struct Earlier {
    constraint: String,
    badge: Badge,
    verdict: &'static str,
    url: String,
    at: String,
}

/// Shows a property in error. Several files may have its name.
///
/// # Errors
/// The history cannot be read.
pub(super) async fn show(visitor: &Visitor, name: &str) -> Answer {
    let snapshot = visitor.app.snapshot();
    let wanted = name.to_string();
    let records =
        visitor.blocking(move |app| Ok(app.database.property_history(&wanted, MOST_RECORDS)?)).await?;
    let now = visitor.app.timestamp();
    let all: Vec<&BrokenState> = snapshot.broken_of(name).collect();
    let mut problems: Vec<Problem> = Vec::new();
    for problem in all.iter().flat_map(|broken| &broken.problems) {
        if !problems.contains(problem) {
            problems.push(problem.clone());
        }
    }
    let files = all.iter().flat_map(|broken| &broken.property.files);
    let latest = all.first().map_or(&[][..], |broken| &broken.latest);
    let words = all.iter().map(|broken| to_html(&broken.property.words, 3));
    render(&Page {
        frame: visitor.frame("/properties", name),
        name: name.to_string(),
        url: in_url(name),
        badge: Badge(State::InError),
        files: files.map(|path| (path.clone(), path_in_url(path))).collect(),
        problems,
        text: words.collect(),
        latest: (latest.iter())
            .map(|record| Earlier {
                constraint: record.run.provisioning.clone(),
                badge: Badge(State::Changed),
                verdict: record.verdict.answer.name(),
                url: format!("/rounds/{}/runs/{}", record.round, record.run.number),
                at: ago(record.at, now),
            })
            .collect(),
        history: history(&records),
    })
}
