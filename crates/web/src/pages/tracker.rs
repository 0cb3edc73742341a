//! Rounds: the list, the tracker with one bar for each run, and the buttons that start and end one.
//!
//! *Entry points:* [`list`], [`show`], [`latest`], [`start`].

use std::collections::HashMap;

use askama::Template;
use axle_feaver::jobs::job::{Counts, RoundId};
use axle_feaver::results::database::Database;
use axle_feaver::results::round_store::RoundState;
use axle_feaver::results::verdict::{Record, Round};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::{RoundRow, rows};
use crate::application::Application;
use crate::fault::Fault;
use crate::form::Form;
use crate::program::{Cause, Order, Progress};
use crate::snapshot::Snapshot;
use crate::view::badge::{Badge, Count};
use crate::view::cycles::{Activity, CycleBar};
use crate::view::quantity::{ago, date, seconds};
use crate::view::state::State;

/// Rounds that are listed.
const MOST_ROUNDS: u32 = 50;

/// The most properties that a round may name.
const MOST_PROPERTIES: usize = 5000;

#[derive(Template)]
#[template(path = "round_list.html")]
struct ListPage {
    frame: Frame,
    rounds: Vec<RoundRow>,
}

#[derive(Template)]
#[template(path = "tracker.html")]
struct TrackerPage {
    frame: Frame,
    is_latest: bool,
    round: Option<Heading>,
    progress: Option<Progress>,
    waiting: bool,
    /// What has started the round, unless a user did.
    cause: Option<&'static str>,
    counts: Vec<Count>,
    jobs: Counts,
    rows: Vec<Row>,
}

/// What the page says about a round.
struct Heading {
    id: i64,
    begun: String,
    date: String,
    ended: Option<String>,
    elapsed: String,
    budget: String,
    version: String,
    build: String,
    decided: usize,
    total: usize,
    carried: usize,
}

/// The bar of a run.
struct Row {
    url: String,
    property: String,
    constraint: String,
    badge: Badge,
    bar: CycleBar,
    now: String,
    sequence: Option<String>,
    seconds: String,
    state: State,
}

/// Lists the rounds.
pub async fn list(visitor: Visitor) -> Answer {
    let now = visitor.app.timestamp();
    let rounds = visitor.blocking(move |app| Ok(rows(&*app.database, MOST_ROUNDS, now)?)).await?;
    render(&ListPage { frame: visitor.frame("/rounds", "Rounds"), rounds })
}

/// Shows the latest round.
pub async fn latest(visitor: Visitor) -> Answer {
    let mut progress = visitor.app.rounds.progress();
    let (round, rows, jobs) = visitor.blocking(|app| tracked(app, None)).await?;
    if let Some(progress) = &mut progress
        && round.as_ref().is_some_and(|round| Some(RoundId(round.id)) != progress.after)
    {
        // There is a result. The messages are those about properties that are in error.
        progress.failure = None;
    }
    // A round that was started here has no number until its runs are prepared.
    let waiting = progress.as_ref().is_some_and(|progress| {
        progress.running && round.as_ref().map(|round| RoundId(round.id)) == progress.after
    });
    let (round, rows) = if waiting { (None, Vec::new()) } else { (round, rows) };
    let counts = counts(&rows);
    let frame = visitor.frame("/tracker", "Tracker");
    // A later round may have been started elsewhere.
    let is_own = round
        .as_ref()
        .zip(progress.as_ref())
        .is_some_and(|(round, progress)| progress.after.map_or(0, |after| after.0) + 1 == round.id);
    let cause = visitor.app.cause().filter(|_| is_own).map(Cause::name);
    render(&TrackerPage { frame, is_latest: true, round, progress, waiting, cause, counts, jobs, rows })
}

/// Shows a round.
pub async fn show(visitor: Visitor, Path(round): Path<i64>) -> Answer {
    let (heading, rows, jobs) = visitor.blocking(move |app| tracked(app, Some(RoundId(round)))).await?;
    if heading.is_none() {
        return Err(Fault::missing(format!("There is no round {round}.")));
    }
    let counts = counts(&rows);
    let frame = visitor.frame("/rounds", &format!("Round {round}"));
    let page = TrackerPage {
        frame,
        is_latest: false,
        round: heading,
        progress: None,
        waiting: false,
        cause: None,
        counts,
        jobs,
        rows,
    };
    render(&page)
}

/// A round of the history, the latest one if none is given.
///
/// # Errors
/// The history cannot be read.
pub fn find(database: &dyn Database, wanted: Option<RoundId>) -> Result<Option<Round>, Fault> {
    let latest = match wanted {
        Some(wanted) => database.rounds_until(wanted, 1)?,
        None => database.rounds(1)?,
    };
    Ok(latest.into_iter().find(|round| wanted.is_none_or(|wanted| round.id == wanted)))
}

fn tracked(app: &Application, wanted: Option<RoundId>) -> Result<(Option<Heading>, Vec<Row>, Counts), Fault> {
    let Some(round) = find(&*app.database, wanted)? else {
        return Ok((None, Vec::new(), Counts::default()));
    };
    let runs = app.database.runs(round.id)?;
    let verdicts = app.database.verdicts(round.id)?;
    let by_run: HashMap<u32, &Record> = verdicts.iter().map(|one| (one.run.number, one)).collect();
    let jobs = app.database.counts(Some(round.id))?;
    let snapshot = app.snapshot();
    let mut rows: Vec<Row> = app.activities(|activities| {
        let row = |run: &axle_feaver::results::verdict::Run| {
            let record = by_run.get(&run.number);
            let state = snapshot.state_of(&run.property, record.copied());
            let known = activities.run(round.id, run.number);
            let activity = activities.of(round.id, run.number);
            let cycle = record.and_then(|one| one.verdict.cycle).max(known.and_then(|known| known.ended));
            let sequence = record.filter(|_| matches!(state, State::Violated | State::KnownFault));
            let sequence = sequence.and_then(|record| record.witnesses.iter().map(|(phase, _)| *phase).max());
            let url = format!("/rounds/{}/runs/{}", round.id, run.number);
            let now = match activity {
                Activity::Running(cycle) => {
                    let worker = known.and_then(|known| known.worker.clone()).unwrap_or_default();
                    format!("cycle {cycle} on {worker}")
                }
                Activity::Waiting(cycle) => format!("cycle {cycle} waits"),
                Activity::None => match record.and_then(|one| one.verdict.carried_from) {
                    Some(from) => format!("carried over from round {from}"),
                    None => String::new(),
                },
            };
            Row {
                sequence: sequence.map(|phase| format!("{url}/{}", phase.name())),
                url,
                property: run.property.clone(),
                constraint: run.provisioning.clone(),
                badge: Badge(state),
                bar: CycleBar { state, cycle, activity },
                now,
                seconds: record.map(|one| seconds(one.verdict.statistics.seconds)).unwrap_or_default(),
                state,
            }
        };
        runs.iter().map(row).collect()
    });
    let runs_now = |row: &Row| matches!(row.bar.activity, Activity::Running(_));
    rows.sort_by_key(|row| (!runs_now(row), row.state, row.bar.activity == Activity::None));
    let decided = verdicts.iter().filter(|one| one.verdict.answer.is_decided()).count();
    let now = app.timestamp();
    let end = round.ended.unwrap_or(now);
    let heading = Heading {
        id: round.id.0,
        begun: ago(round.begun, now),
        date: date(round.begun),
        ended: round.ended.map(|ended| ago(ended, now)),
        elapsed: seconds((end.0 - round.begun.0) as f64 / 1000.0),
        budget: seconds(round.recorded.budget.as_secs_f64()),
        version: round.recorded.source_version.chars().take(12).collect(),
        build: round.recorded.axle_version.split(" (").next().unwrap_or_default().to_string(),
        decided,
        total: runs.len(),
        carried: verdicts.iter().filter(|one| one.verdict.carried_from.is_some()).count(),
    };
    Ok((Some(heading), rows, jobs))
}

fn counts(rows: &[Row]) -> Vec<Count> {
    let count = |state: &State| rows.iter().filter(|row| row.state == *state).count();
    let counted = State::ALL.into_iter().map(|state| Count(state, count(&state)));
    counted.filter(|Count(_, count)| *count > 0).collect()
}

/// Starts a round of the selected properties; without a selection, of all.
pub async fn start(visitor: Visitor, body: String) -> Answer {
    let form = Form::parse(&body);
    let order = Order {
        properties: form.all("property"),
        constraints: form.all("constraint"),
        again: form.has("again"),
    };
    begin(&visitor, order).await?;
    Ok(Redirect::to("/tracker").into_response())
}

/// Checks an order and starts its round.
///
/// # Errors
/// The order names an unknown property, or a round is running.
pub async fn begin(visitor: &Visitor, order: Order) -> Result<(), Fault> {
    let snapshot = visitor.app.snapshot();
    if order.properties.len() > MOST_PROPERTIES {
        return Err(Fault::invalid(format!("A round names at most {MOST_PROPERTIES} properties.")));
    }
    let is_broken = |name: &String| snapshot.broken_of(name).next().is_some();
    let is_unknown = |name: &&String| snapshot.property(name).is_none() && !is_broken(name);
    if let Some(unknown) = order.properties.iter().find(is_unknown) {
        return Err(Fault::invalid(format!("The project has no property '{unknown}'.")));
    }
    if let Some(reason) = nothing_to_verify(&snapshot, &order.properties) {
        return Err(Fault::new(StatusCode::CONFLICT, reason));
    }
    let is_verified = |constraint: &String| {
        let names = &order.properties;
        snapshot.runs.iter().any(|run| run.constraint == *constraint && is_wanted(names, &run.property))
    };
    if let Some(unknown) = order.constraints.iter().find(|name| !is_verified(name)) {
        let message = format!("No selected property is verified under a constraint '{unknown}'.");
        return Err(Fault::invalid(message));
    }
    // The others are verified.
    let properties = order.properties.iter().filter(|name| !is_broken(name)).cloned().collect();
    let order = Order { properties, ..order };
    visitor
        .blocking(move |app| {
            let now = app.timestamp();
            let is_live = |round: &RoundState| round.expires.is_some_and(|expires| expires > now);
            if app.database.open_rounds()?.iter().any(is_live) {
                let message = "A round is running. Wait for its end, or end it in the tracker.";
                return Err(Fault::new(StatusCode::CONFLICT, message));
            }
            let after = app.database.rounds(1)?.first().map(|round| round.id);
            let started = app.rounds.start(&order, after);
            if started.is_ok() {
                app.started_by_user();
            }
            app.pulse.send_modify(|pulse| pulse.history += 1);
            started.map_err(|reason| Fault::new(StatusCode::CONFLICT, reason))
        })
        .await
}

/// Whether a property is among these; no names are all properties.
fn is_wanted(names: &[String], property: &str) -> bool {
    names.is_empty() || names.iter().any(|own| own == property)
}

/// Why none of these properties can be verified, if none can; no names are all properties.
fn nothing_to_verify(snapshot: &Snapshot, names: &[String]) -> Option<String> {
    if snapshot.runs.iter().any(|run| is_wanted(names, &run.property)) {
        return None;
    }
    let mut broken = snapshot.broken.iter().filter(|one| is_wanted(names, &one.property.name));
    match (broken.next(), snapshot.problems.iter().find(|problem| problem.is_error)) {
        (Some(first), _) => {
            let others = match broken.count() {
                0 => String::new(),
                1 => " One more property is in error.".to_string(),
                more => format!(" {more} more properties are in error."),
            };
            let (name, summary) = (&first.property.name, first.summary());
            Some(format!("Nothing can be verified: {name} is in error: {summary}.{others}"))
        }
        (None, Some(problem)) => Some(format!("Nothing can be verified: {}.", problem.line_of_text())),
        (None, None) => Some("Nothing can be verified: the project has no properties.".to_string()),
    }
}

/// Requests the end of the running round: jobs in progress finish, and no other starts. Verdicts that
/// were recorded stay.
pub async fn cancel(visitor: Visitor) -> Answer {
    visitor
        .blocking(|app| {
            let open = app.database.open_rounds()?;
            if open.is_empty() {
                return Err(Fault::new(StatusCode::CONFLICT, "No round is running."));
            }
            for round in open {
                app.database.request_end(round.round, app.timestamp())?;
            }
            Ok(())
        })
        .await?;
    Ok(Redirect::to("/tracker").into_response())
}
