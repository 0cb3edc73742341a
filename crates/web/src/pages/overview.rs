//! The overview: verdicts by feature, what needs attention, what has changed, the latest rounds.
//!
//! *Entry point:* [`show`].

use std::collections::BTreeMap;

use askama::Template;
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::Timestamp;
use axle_feaver::project::Statement;
use axle_feaver::results::database::Database;
use axle_feaver::results::verdict::{Answer as Verdict, Round};

use super::frame::{Answer, Frame, Visitor, render};
use super::properties::first_sentence;
use super::property::note;
use super::requirements::uncovered;
use crate::changes::{self, Turned};
use crate::snapshot::{Problem, RunState, Snapshot};
use crate::view::badge::{Badge, Count};
use crate::view::quantity::{ago, counted, date, seconds};
use crate::view::state::State;
use crate::view::url::in_url;

/// Rounds that the overview lists.
const MOST_ROUNDS: u32 = 8;

/// Warnings that the overview shows.
const MOST_WARNINGS: usize = 8;

/// Items of the list of what needs attention.
const MOST_ITEMS: usize = 12;

#[derive(Template)]
#[template(path = "overview.html")]
struct Page {
    frame: Frame,
    problems: Vec<Problem>,
    /// Warnings about the project.
    warnings: Vec<Problem>,
    /// Warnings that are not shown.
    more_warnings: usize,
    /// Whether the software itself is checked.
    checks_safety: bool,
    /// Whether there are properties besides.
    has_properties: bool,
    runs: usize,
    properties: usize,
    /// Properties in error.
    broken: usize,
    /// The folder of properties.
    folder: String,
    counts: Vec<Total>,
    attention: Vec<Item>,
    hidden: usize,
    features: Vec<Feature>,
    states: Vec<State>,
    changed: usize,
    new: usize,
    uncovered: usize,
    sections: usize,
    turned: Vec<TurnedRow>,
    rounds: Vec<RoundRow>,
}

/// The number of runs in a state.
struct Total {
    count: Count,
    name: &'static str,
}

/// A property that needs attention.
struct Item {
    badge: Badge,
    property: String,
    url: String,
    what: String,
    constraints: String,
    sequence: Option<String>,
    steps: Option<String>,
}

/// A row of the matrix.
struct Feature {
    name: String,
    url: String,
    cells: Vec<(State, usize)>,
    total: usize,
    /// Start and width of each part of the bar, in thousandths.
    bar: Vec<(&'static str, usize, usize)>,
}

/// A run whose verdict differs between two rounds.
pub(super) struct TurnedRow {
    pub run: String,
    pub url: String,
    pub before: Badge,
    pub after: Badge,
}

impl TurnedRow {
    pub fn of(one: &Turned) -> TurnedRow {
        TurnedRow {
            run: format!("{}@{}", one.property, one.constraint),
            url: format!("/rounds/{}/runs/{}", one.round, one.run),
            before: Badge(one.before),
            after: Badge(one.after),
        }
    }
}

/// A round.
pub(super) struct RoundRow {
    /// The id.
    pub id: i64,
    /// When it began.
    pub begun: String,
    /// The same as a date.
    pub date: String,
    /// How long it took; empty while it runs.
    pub duration: String,
    /// Verdicts by state.
    pub counts: Vec<Count>,
    /// Verdicts that were carried over.
    pub carried: usize,
    /// The version of the sources, shortened.
    pub version: String,
}

/// Shows the overview.
pub async fn show(visitor: Visitor) -> Answer {
    let now = visitor.app.timestamp();
    let snapshot = visitor.app.snapshot();
    let (rounds, turned) = visitor
        .blocking(move |app| {
            let rounds = rows(&*app.database, MOST_ROUNDS, now)?;
            Ok((rounds, changes::last_turned(app, &app.snapshot())?))
        })
        .await?;
    let count = |state: State| match state {
        State::InError => snapshot.broken.len(),
        state => snapshot.runs.iter().filter(|run| run.known.state == state).count(),
    };
    let states: Vec<State> = State::ALL.into_iter().filter(|state| count(*state) > 0).collect();
    let (attention, hidden) = attention(&snapshot);
    let (uncovered, sections) = uncovered(&snapshot);
    render(&Page {
        frame: visitor.frame("/", "Overview"),
        problems: snapshot.problems.iter().filter(|one| one.is_error).take(20).cloned().collect(),
        warnings: snapshot.problems.iter().filter(|one| !one.is_error).take(MOST_WARNINGS).cloned().collect(),
        more_warnings: snapshot
            .problems
            .iter()
            .filter(|one| !one.is_error)
            .count()
            .saturating_sub(MOST_WARNINGS),
        checks_safety: snapshot.project.as_ref().is_none_or(|project| project.safety(0).is_some()),
        has_properties: snapshot.project.as_ref().is_none_or(|project| {
            project.properties.iter().any(|one| !matches!(one.statement, Statement::Safety(_)))
        }),
        runs: snapshot.runs.len(),
        properties: snapshot.valid_properties().count() + snapshot.broken.len(),
        broken: snapshot.broken.len(),
        folder: snapshot.folders().of_new_property().to_string(),
        counts: (states.iter())
            .map(|state| Total { count: Count(*state, count(*state)), name: state.name() })
            .collect(),
        attention,
        hidden,
        features: features(&snapshot, &states),
        changed: count(State::Changed),
        new: count(State::New),
        states,
        uncovered,
        sections,
        turned: turned.iter().map(TurnedRow::of).collect(),
        rounds,
    })
}

/// The properties that need attention, the most important first, and how many more there are.
fn attention(snapshot: &Snapshot) -> (Vec<Item>, usize) {
    let mut by_property: BTreeMap<(State, &str), Vec<&RunState>> = BTreeMap::new();
    for run in snapshot.runs.iter().filter(|run| run.known.state.needs_attention()) {
        by_property.entry((run.known.state, &run.property)).or_default().push(run);
    }
    let in_error = snapshot.broken.iter().map(|broken| Item {
        badge: Badge(State::InError),
        property: broken.property.name.clone(),
        url: in_url(&broken.property.name),
        what: broken.summary(),
        constraints: String::new(),
        sequence: None,
        steps: None,
    });
    let items = by_property.into_iter().map(|((state, property), runs)| {
        let shortest = runs.iter().min_by_key(|run| run.known.steps.unwrap_or(u64::MAX));
        let known = shortest.map(|run| &run.known);
        let property_of_run = snapshot.property(property);
        let is_safety = property_of_run.is_some_and(|one| matches!(one.statement, Statement::Safety(_)));
        let words = property_of_run.map(|property| first_sentence(&property.words));
        let what = match state {
            State::Violated if !is_safety => words.filter(|words| !words.is_empty()),
            _ => known.map(note).filter(|note| !note.is_empty()),
        };
        let constraints: Vec<&str> = runs.iter().map(|run| run.constraint.as_str()).collect();
        Item {
            badge: Badge(state),
            property: property.to_string(),
            url: in_url(property),
            what: what.unwrap_or_else(|| state.meaning().to_string()),
            constraints: shortened(&constraints),
            sequence: known.and_then(sequence_url),
            steps: known.and_then(|known| known.steps).map(|steps| counted(steps, "step")),
        }
    });
    let mut items: Vec<Item> = items.chain(in_error).collect();
    items.sort_by_key(|item| item.badge.0);
    let hidden = items.len().saturating_sub(MOST_ITEMS);
    items.truncate(MOST_ITEMS);
    (items, hidden)
}

/// The address of the shortest recorded execution of a run.
pub(super) fn sequence_url(known: &crate::snapshot::Known) -> Option<String> {
    let (round, number) = known.place?;
    let phase = known.phase()?;
    Some(format!("/rounds/{round}/runs/{number}/{}", phase.name()))
}

/// The first names of a list, and how many follow.
fn shortened(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first, rest @ ..] => format!("{first} and {}", counted(rest.len() as u64, "other constraint")),
    }
}

fn features(snapshot: &Snapshot, states: &[State]) -> Vec<Feature> {
    let mut by_feature: BTreeMap<&str, Vec<State>> = BTreeMap::new();
    for run in &snapshot.runs {
        by_feature.entry(run.feature.as_deref().unwrap_or_default()).or_default().push(run.known.state);
    }
    for broken in &snapshot.broken {
        let feature = broken.property.feature.as_deref().unwrap_or_default();
        by_feature.entry(feature).or_default().push(State::InError);
    }
    let feature = |(name, own): (&str, Vec<State>)| {
        let cells: Vec<(State, usize)> =
            states.iter().map(|state| (*state, own.iter().filter(|one| *one == state).count())).collect();
        let mut start = 0;
        let mut bar = Vec::new();
        for (state, count) in cells.iter().rev().filter(|(_, count)| *count > 0) {
            let width = count * 1000 / own.len();
            bar.push((state.name(), start, width));
            start += width;
        }
        Feature { name: name.to_string(), url: in_url(name), cells, total: own.len(), bar }
    };
    by_feature.into_iter().map(feature).collect()
}

/// The latest rounds.
pub(super) fn rows(database: &dyn Database, limit: u32, now: Timestamp) -> Result<Vec<RoundRow>, StoreError> {
    database.rounds(limit)?.iter().map(|round| row(database, round, now)).collect()
}

fn row(database: &dyn Database, round: &Round, now: Timestamp) -> Result<RoundRow, StoreError> {
    let verdicts = database.verdicts(round.id)?;
    let count = |answer: Verdict| verdicts.iter().filter(|one| one.verdict.answer == answer).count();
    let counts = Verdict::ALL.map(|answer| Count(State::of(answer, false, false), count(answer)));
    let duration = round.ended.map(|ended| seconds((ended.0 - round.begun.0) as f64 / 1000.0));
    Ok(RoundRow {
        id: round.id.0,
        begun: ago(round.begun, now),
        date: date(round.begun),
        duration: duration.unwrap_or_default(),
        counts: counts.into_iter().filter(|Count(_, count)| *count > 0).collect(),
        carried: verdicts.iter().filter(|one| one.verdict.carried_from.is_some()).count(),
        version: round.recorded.source_version.chars().take(10).collect(),
    })
}
