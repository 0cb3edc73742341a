//! What a change affects: the files that differ since a round, the properties whose verdicts depend on
//! them, and the verdicts that still apply or have turned.
//!
//! *Entry points:* [`show`] for the present files, [`of_round`] for a round.

use askama::Template;
use axle_feaver::changes::Origin;
use axle_feaver::changes::explanation::Part;
use axle_feaver::jobs::job::Timestamp;
use axum::extract::Path;

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::TurnedRow;
use crate::changes::{self, Changes};
use crate::versions::Difference;
use crate::view::badge::Badge;
use crate::view::quantity::{ago, counted, date};
use crate::view::url::{in_url, path_in_url};

/// Lines of differences that are shown.
const MOST_LINES: usize = 400;

#[derive(Template)]
#[template(path = "changes.html")]
struct Page {
    frame: Frame,
    title: String,
    lead: String,
    /// The round whose files are the earlier ones; none if no round has stored any.
    since: Option<i64>,
    files: Vec<File>,
    cut: bool,
    affected: Vec<Affected>,
    is_present: bool,
    kept: String,
    turned: Vec<TurnedRow>,
    earlier: Option<i64>,
    warning: Option<String>,
}

struct File {
    difference: Difference,
    url: String,
}

/// A function, macro or declaration that has changed.
struct PartRow {
    kind: &'static str,
    name: String,
    change: &'static str,
    path: String,
    url: String,
    /// The commit, or that there is none.
    origin: String,
}

/// A property that is affected.
struct Affected {
    badge: Badge,
    property: String,
    url: String,
    feature: String,
    runs: String,
    reason: String,
    parts: Vec<PartRow>,
    before: Option<Badge>,
    after: Option<Badge>,
}

/// Shows what the present files change.
pub async fn show(visitor: Visitor) -> Answer {
    let snapshot = visitor.app.snapshot();
    let now = visitor.app.timestamp();
    let found = visitor.blocking(move |app| changes::present(app, &snapshot)).await?;
    let lead = match &found.since {
        Some(round) => format!(
            "The files of the project compared with those of round {}, begun {}. Each run is compared with its \
             own last verdict.",
            round.id,
            ago(round.begun, now)
        ),
        None => "No round has stored its files yet.".to_string(),
    };
    let earlier = found.since.as_ref().map(|round| round.id.0);
    let title = "Changes since the last verdicts".to_string();
    render(&page(visitor.frame("/changes", "Changes"), title, lead, found, (true, earlier)))
}

/// Shows what a round found different from the last verdicts before it.
pub async fn of_round(visitor: Visitor, Path(number): Path<i64>) -> Answer {
    let snapshot = visitor.app.snapshot();
    let found = visitor.blocking(move |app| changes::of_round(app, &snapshot, number)).await?;
    let earlier = found.before.map(|before| before.0);
    let lead = match earlier {
        Some(_) => format!("Round {number}: each run compared with its last verdict before."),
        None => format!("Round {number} is the first one."),
    };
    let title = format!("Changes of round {number}");
    render(&page(visitor.frame("/rounds", &title), title, lead, found, (false, earlier)))
}

fn page(
    frame: Frame,
    title: String,
    lead: String,
    found: Changes,
    (is_present, earlier): (bool, Option<i64>),
) -> Page {
    let (files, cut) = files(found.files);
    Page {
        frame,
        title,
        lead,
        since: found.since.map(|round| round.id.0),
        files,
        cut,
        affected: found.affected.into_iter().map(affected).collect(),
        is_present,
        kept: counted(found.kept as u64, "run"),
        turned: found.turned.iter().map(TurnedRow::of).collect(),
        earlier,
        warning: found.warning,
    }
}

fn affected(one: changes::Affected) -> Affected {
    Affected {
        badge: Badge(one.state),
        url: in_url(&one.property),
        property: one.property,
        feature: one.feature.unwrap_or_default(),
        runs: counted(one.runs as u64, "run"),
        reason: one.reason,
        parts: one.parts.into_iter().map(part).collect(),
        before: one.before.map(Badge),
        after: one.after.map(Badge),
    }
}

fn part(part: Part) -> PartRow {
    let Part { changed, origin } = part;
    PartRow {
        kind: changed.kind.name(),
        name: changed.name,
        change: changed.change.name(),
        url: path_in_url(&changed.path),
        path: changed.path,
        origin: match origin {
            Some(Origin::Commit(commit)) => {
                let when = date(Timestamp(commit.time.saturating_mul(1000)));
                let id = &commit.id.to_string()[..10];
                format!("{id} by {}, {when}: {}", commit.author, commit.subject)
            }
            Some(Origin::Uncommitted) => "not committed".to_string(),
            None => String::new(),
        },
    }
}

fn files(differences: Vec<Difference>) -> (Vec<File>, bool) {
    let mut left = MOST_LINES;
    let mut cut = false;
    let file = |mut difference: Difference| {
        for hunk in &mut difference.hunks {
            cut |= hunk.len() > left;
            hunk.truncate(left);
            left -= hunk.len();
        }
        difference.hunks.retain(|hunk| !hunk.is_empty());
        File { url: path_in_url(&difference.path), difference }
    };
    let files: Vec<File> = differences.into_iter().map(file).collect();
    (files, cut)
}
