//! A property: its text, the requirement beside it, the formula with its negation, the automaton,
//! its runs, and its history.
//!
//! *Entry point:* [`show`].

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axle_evidence::escape::xml;
use axle_evidence::markdown::to_html;
use axle_feaver::project::{Expected, Project, Property, Statement};
use axle_feaver::results::verdict::Record;
use axle_outcome::{Limit, Reason};
use axum::extract::Path;

use super::frame::{Answer, Frame, Visitor, render};
use super::overview::sequence_url;
use super::properties::{kind, worst};
use crate::cost;
use crate::fault::Fault;
use crate::snapshot::{Known, RunState};
use crate::statements::Logic;
use crate::view::badge::Badge;
use crate::view::cycles::{Activity, CycleBar};
use crate::view::quantity::{ago, counted, date, number, seconds};
use crate::view::state::State;
use crate::view::url::{in_url, path_in_url};

/// Records of the history that are read.
pub const MOST_RECORDS: u32 = 400;

/// Rounds that the history shows.
const MOST_ROUNDS: usize = 12;

#[derive(Template)]
#[template(path = "property.html")]
struct Page {
    frame: Frame,
    name: String,
    url: String,
    badge: Badge,
    kind: &'static str,
    feature: String,
    feature_url: String,
    tags: Vec<String>,
    fairness: &'static str,
    path: String,
    path_url: String,
    text: String,
    requirement: Option<Requirement>,
    /// Whether the property is a file of the project, not the check of the software.
    is_stated: bool,
    /// The expected verdict that a click sets: a violation becomes a known fault, and back.
    mark: Option<&'static str>,
    logic: Arc<Logic>,
    runs: Vec<Row>,
    history: Vec<Past>,
    cost: String,
    trend: String,
    /// The searches of the latest rounds: round, seconds in words, height in percent.
    costs: Vec<(i64, String, u32)>,
}

impl Page {
    /// Whether there are example executions of the property.
    fn has_examples(&self) -> bool {
        self.logic.examples.iter().any(|list| !list.is_empty())
    }

    /// Whether there are several constraints to select from.
    fn selectable(&self) -> bool {
        self.frame.may_run() && self.runs.len() > 1
    }
}

/// The section of the requirements that a property refers to.
struct Requirement {
    title: String,
    url: String,
    html: String,
}

/// A run.
struct Row {
    constraint: String,
    condition: String,
    badge: Badge,
    bar: CycleBar,
    note: String,
    sequence: Option<(String, String)>,
    page: Option<String>,
    states: String,
    seconds: String,
    parts: Vec<(String, String, String)>,
    at: String,
    /// The machine that decided the run, if it works through a server.
    machine: String,
}

/// The verdicts of a round.
pub(super) struct Past {
    pub round: i64,
    pub date: String,
    pub version: String,
    pub verdicts: Vec<(String, Badge, String)>,
    pub hidden: usize,
}

/// Shows a property.
pub async fn show(visitor: Visitor, Path(name): Path<String>) -> Answer {
    let snapshot = visitor.app.snapshot();
    if snapshot.broken_of(&name).next().is_some() {
        return super::broken::show(&visitor, &name).await;
    }
    let (Some(project), Some(property)) = (&snapshot.project, snapshot.property(&name)) else {
        return Err(Fault::missing(format!("The project has no property '{name}'.")));
    };
    let wanted = name.clone();
    let records =
        visitor.blocking(move |app| Ok(app.database.property_history(&wanted, MOST_RECORDS)?)).await?;
    let runs: Vec<&RunState> = snapshot.runs_of(&name).collect();
    let cost = cost::of(&records);
    let now = visitor.app.timestamp();
    let feature = property.feature.clone().unwrap_or_default();
    render(&Page {
        frame: visitor.frame("/properties", &name),
        url: in_url(&name),
        badge: Badge(worst(&runs)),
        kind: kind(property),
        feature_url: in_url(&feature),
        feature,
        tags: property.tags.clone(),
        fairness: property.fairness.unwrap_or(project.fairness).name(),
        path_url: path_in_url(&property.path),
        path: property.path.clone(),
        text: to_html(&property.words, 3),
        requirement: requirement(project, property),
        is_stated: !matches!(property.statement, Statement::Safety(_)),
        mark: match property.expected {
            Expected::Violated => Some("holds"),
            Expected::Holds => {
                let is_violated = runs.iter().any(|run| run.known.state == State::Violated);
                is_violated.then_some("violated")
            }
        },
        logic: visitor.app.statements.get(snapshot.generation, property),
        runs: runs.iter().map(|run| row(run, project, now)).collect(),
        history: history(&records),
        cost: cost.expected.map(seconds).unwrap_or_default(),
        trend: cost.trend.map(trend).unwrap_or_default(),
        costs: bars(&cost),
        name,
    })
}

fn requirement(project: &Project, property: &Property) -> Option<Requirement> {
    let (document, section) = property.reference?;
    let document = project.requirements.get(document)?;
    let section = section.and_then(|section| document.sections.get(section));
    let (text, anchor) = match section {
        Some(section) => (&document.text[section.range.clone()], format!("#{}", section.anchor)),
        None => (document.text.as_str(), String::new()),
    };
    let html = match document.markdown {
        true => to_html(text, 3),
        false => format!("<pre>{}</pre>", xml(text)),
    };
    let title = match section {
        Some(section) => format!("{}, {}", document.path, section.heading),
        None => document.path.clone(),
    };
    Some(Requirement { title, url: format!("{}{anchor}", path_in_url(&document.path)), html })
}

fn row(run: &RunState, project: &Project, now: axle_feaver::jobs::job::Timestamp) -> Row {
    let known = &run.known;
    let constraint = project.constraints.iter().find(|one| one.name.value == run.constraint);
    let page = known.place.map(|(round, number)| format!("/rounds/{round}/runs/{number}"));
    let steps = known.steps.map_or("execution".to_string(), |steps| counted(steps, "step"));
    Row {
        constraint: run.constraint.clone(),
        condition: constraint.map_or("every provisioning".to_string(), |one| one.text.clone()),
        badge: Badge(known.state),
        bar: CycleBar { state: known.state, cycle: known.cycle, activity: Activity::None },
        note: note(known),
        sequence: sequence_url(known).map(|url| (url, steps)),
        page,
        states: if known.cycle.is_some() { number(&known.states) } else { String::new() },
        seconds: if known.cycle.is_some() { seconds(known.seconds) } else { String::new() },
        parts: (run.key.parts.iter())
            .map(|part| (part.name.clone(), part.hash.chars().take(12).collect(), part.summary.clone()))
            .collect(),
        at: known.at.map(|at| ago(at, now)).unwrap_or_default(),
        machine: known
            .machine
            .as_ref()
            .filter(|machine| machine.token.is_some())
            .map(ToString::to_string)
            .unwrap_or_default(),
    }
}

/// What a reader has to know of a verdict.
pub(super) fn note(known: &crate::snapshot::Known) -> String {
    match known.state {
        State::Changed => {
            let before = known.verdict.map_or("a verdict", |answer| answer.name());
            format!("{before} before a change of: {}", known.changed.join(", "))
        }
        State::Violated | State::KnownFault => known.message.clone().unwrap_or_default(),
        State::Vacuous => known.vacuity.join("; "),
        State::Unknown | State::Failed => {
            let reason = known.reason.iter().map(|reason| in_round(reason, known));
            reason.chain(known.vacuity.iter().cloned()).collect::<Vec<_>>().join("; ")
        }
        State::New | State::Holds | State::InError => String::new(),
    }
}

/// The reason of an undecided run; the time limit of a search is that of its cycle.
fn in_round(reason: &str, known: &Known) -> String {
    let is_time = matches!(known.cause, Some(Reason::Limit { limit: Limit::Time, .. }));
    match known.cycle {
        Some(cycle @ 0..7) if is_time => {
            format!("no violation found in cycle {cycle}, a rough search")
        }
        _ => reason.to_string(),
    }
}

/// The trend of a cost in words.
fn trend(ratio: f64) -> String {
    let percent = ((ratio - 1.0) * 100.0).round();
    match percent {
        _ if ratio >= 10.0 => format!("the latest searches took {ratio:.0} times as long as those before"),
        ..-5.0 => format!("the latest searches took {} % less than those before", -percent),
        5.0.. => format!("the latest searches took {percent} % more than those before"),
        _ => "unchanged".to_string(),
    }
}

/// The cost of the latest rounds, relative to the highest one.
fn bars(cost: &cost::Cost) -> Vec<(i64, String, u32)> {
    let latest = &cost.rounds[cost.rounds.len().saturating_sub(2 * MOST_ROUNDS)..];
    let highest = latest.iter().map(|(_, time)| *time).fold(f64::MIN_POSITIVE, f64::max);
    let bar = |(round, time): &(i64, f64)| (*round, seconds(*time), (time / highest * 100.0).ceil() as u32);
    latest.iter().map(bar).collect()
}

/// The verdicts of a property by round, the latest first.
pub(super) fn history(records: &[Record]) -> Vec<Past> {
    let mut rounds: BTreeMap<std::cmp::Reverse<i64>, Vec<&Record>> = BTreeMap::new();
    for record in records {
        rounds.entry(std::cmp::Reverse(record.round.0)).or_default().push(record);
    }
    let past = |(round, records): (std::cmp::Reverse<i64>, Vec<&Record>)| Past {
        round: round.0,
        date: records.first().map(|record| date(record.at)).unwrap_or_default(),
        version: records
            .first()
            .map_or_else(String::new, |one| one.source_version.chars().take(10).collect()),
        hidden: records.len().saturating_sub(8),
        verdicts: (records.iter().take(8))
            .map(|record| {
                let badge = Badge(State::of(record.verdict.answer, false, false));
                let url = format!("/rounds/{}/runs/{}", record.round, record.run.number);
                (record.run.provisioning.clone(), badge, url)
            })
            .collect(),
    };
    rounds.into_iter().take(MOST_ROUNDS).map(past).collect()
}
