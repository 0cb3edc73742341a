//! What a change affects: the files that differ since a round, the properties whose verdicts depend on
//! them, and the verdicts that still apply or have turned.
//!
//! *Entry points:* [`show`] for the present files, [`of_round`] for a round and the one before it.

use std::collections::BTreeMap;

use askama::Template;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::project::Expected;
use axle_feaver::results::verdict::{Record, Round};
use axum::extract::Path;

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::{Turned, turned};
use crate::application::Application;
use crate::pages::fault::Fault;
use crate::snapshot::{RunState, Snapshot};
use crate::versions::{self, Difference, Files};
use crate::view::badge::Badge;
use crate::view::quantity::{ago, counted};
use crate::view::state::State;
use crate::view::url::{in_url, path_in_url};

/// Rounds that are searched for stored files.
const MOST_ROUNDS: usize = 50;

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
    turned: Vec<Turned>,
    earlier: Option<i64>,
}

struct File {
    difference: Difference,
    url: String,
}

/// A property that is affected.
struct Affected {
    badge: Badge,
    property: String,
    url: String,
    feature: String,
    runs: String,
    reason: String,
    before: Option<Badge>,
    after: Option<Badge>,
}

/// The parts of a key in words.
pub(super) fn part(name: &str) -> &str {
    match name {
        "model" | "slice" => "the part of the model that it depends on",
        "program" => "the functions that it depends on",
        "property" => "the property itself",
        "provisioning" => "the provisioning",
        "options" => "the options of the search",
        "version" => "the version of Axle",
        other => other,
    }
}

/// Shows what the present files change.
pub async fn show(visitor: Visitor) -> Answer {
    let snapshot = visitor.app.snapshot();
    let now = visitor.app.timestamp();
    let shared = std::sync::Arc::clone(&snapshot);
    let (base, differences, turned) = visitor
        .blocking(move |app| {
            let rounds = app.database.rounds(u32::try_from(MOST_ROUNDS).unwrap_or(u32::MAX))?;
            let base = stored(app, rounds.iter())?;
            let differences = match &base {
                Some((_, files)) => {
                    versions::differences(&*app.database, files, &versions::present(&shared))?
                }
                None => Vec::new(),
            };
            let turned = match &rounds[..] {
                [latest, before, ..] => {
                    turned(&app.database.verdicts(latest.id)?, &app.database.verdicts(before.id)?, latest.id)
                }
                _ => Vec::new(),
            };
            Ok((base.map(|(round, _)| round), differences, turned))
        })
        .await?;
    let affected = affected(&snapshot);
    let kept = snapshot.runs.iter().filter(|run| !run.known.state.lacks_verdict()).count();
    let (files, cut) = files(differences);
    render(&Page {
        frame: visitor.frame("/changes", "Changes"),
        title: "Changes since the last round".to_string(),
        lead: match &base {
            Some(round) => format!(
                "The files of the project compared with those of round {}, begun {}.",
                round.id,
                ago(round.begun, now)
            ),
            None => "No round has stored its files yet.".to_string(),
        },
        since: base.as_ref().map(|round| round.id.0),
        files,
        cut,
        affected,
        is_present: true,
        kept: counted(kept as u64, "run"),
        turned,
        earlier: base.map(|round| round.id.0),
    })
}

/// Shows what a round found different from the one before it.
pub async fn of_round(visitor: Visitor, Path(number): Path<i64>) -> Answer {
    let page = visitor
        .blocking(move |app| {
            let rounds = app.database.rounds(100_000)?;
            let at = rounds.iter().position(|round| round.id == RoundId(number));
            let at = at.ok_or_else(|| Fault::missing(format!("There is no round {number}.")))?;
            let (round, before) = (&rounds[at], rounds.get(at + 1));
            let now = app.database.verdicts(round.id)?;
            let then = match before {
                Some(before) => app.database.verdicts(before.id)?,
                None => Vec::new(),
            };
            let new = versions::of_round(&*app.database, round.id)?;
            let base = stored(app, rounds[at + 1..].iter().take(MOST_ROUNDS))?;
            let differences = match (&base, &new) {
                (Some((_, old)), Some(new)) => versions::differences(&*app.database, old, new)?,
                _ => Vec::new(),
            };
            Ok((base.map(|(round, _)| round.id.0), differences, before.map(|one| one.id.0), now, then))
        })
        .await?;
    let (since, differences, before, now, then) = page;
    let (files, cut) = files(differences);
    let carried = now.iter().filter(|record| record.verdict.carried_from.is_some()).count();
    render(&Page {
        frame: visitor.frame("/rounds", &format!("Changes of round {number}")),
        title: format!("Changes of round {number}"),
        lead: match before {
            Some(before) => format!("Round {number} compared with round {before}."),
            None => format!("Round {number} is the first one."),
        },
        since,
        files,
        cut,
        affected: verified(&visitor.app.snapshot(), &now, &then),
        is_present: false,
        kept: counted(carried as u64, "run"),
        turned: turned(&now, &then, RoundId(number)),
        earlier: before,
    })
}

/// The latest of some rounds that has stored its files.
fn stored<'a>(
    app: &Application,
    rounds: impl Iterator<Item = &'a Round>,
) -> Result<Option<(Round, Files)>, Fault> {
    for round in rounds {
        if let Some(files) = versions::of_round(&*app.database, round.id)? {
            return Ok(Some((round.clone(), files)));
        }
    }
    Ok(None)
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

fn affected(snapshot: &Snapshot) -> Vec<Affected> {
    let mut by_property: BTreeMap<&str, Vec<&RunState>> = BTreeMap::new();
    for run in snapshot.runs.iter().filter(|run| run.known.state.lacks_verdict()) {
        by_property.entry(&run.property).or_default().push(run);
    }
    let one = |(property, runs): (&str, Vec<&RunState>)| {
        let mut parts: Vec<&str> =
            runs.iter().flat_map(|run| &run.known.changed).map(|name| part(name)).collect();
        parts.sort_unstable();
        parts.dedup();
        let before = runs
            .iter()
            .filter_map(|run| Some(State::of(run.known.verdict?, run.expected == Expected::Violated, false)));
        Affected {
            badge: Badge(runs.iter().map(|run| run.known.state).min().unwrap_or_default()),
            property: property.to_string(),
            url: in_url(property),
            feature: runs[0].feature.clone().unwrap_or_default(),
            runs: counted(runs.len() as u64, "run"),
            reason: if parts.is_empty() { "not verified yet".to_string() } else { parts.join(", ") },
            before: before.min().map(Badge),
            after: None,
        }
    };
    by_property.into_iter().map(one).collect()
}

/// The properties that a round has verified, not carried over.
fn verified(snapshot: &Snapshot, now: &[Record], then: &[Record]) -> Vec<Affected> {
    let mut by_property: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in now.iter().filter(|record| record.verdict.carried_from.is_none()) {
        by_property.entry(&record.run.property).or_default().push(record);
    }
    let worst = |records: &mut dyn Iterator<Item = &Record>| {
        records.map(|record| snapshot.state_of(&record.run.property, Some(record))).min()
    };
    let one = |(property, records): (&str, Vec<&Record>)| {
        let same = |old: &&Record| {
            records.iter().any(|new| {
                new.run.property == old.run.property && new.run.provisioning == old.run.provisioning
            })
        };
        let differs = |record: &&Record| {
            then.iter().any(|old| {
                old.run.property == record.run.property
                    && old.run.provisioning == record.run.provisioning
                    && old.run.key != record.run.key
            })
        };
        let before = worst(&mut then.iter().filter(same));
        let reason = match (before, records.iter().any(differs)) {
            (None, _) => "not in the round before",
            (Some(_), true) => "something that it depends on has changed",
            (Some(_), false) => "not decided before, or asked for again",
        };
        let after = worst(&mut records.iter().copied());
        Affected {
            badge: Badge(after.unwrap_or_default()),
            property: property.to_string(),
            url: in_url(property),
            feature: records[0].run.feature.clone(),
            runs: counted(records.len() as u64, "run"),
            reason: reason.to_string(),
            before: before.map(Badge),
            after: after.map(Badge),
        }
    };
    by_property.into_iter().map(one).collect()
}
