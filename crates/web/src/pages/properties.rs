//! The table of properties: filters, selection, and the button that checks them.
//!
//! *Entry point:* [`show`].

use askama::Template;
use axle_feaver::jobs::job::Timestamp;
use axle_feaver::project::{Expected, Property, Statement};
use axle_feaver::results::verdict::Record;
use axum::extract::RawQuery;

use super::frame::{Answer, Frame, Visitor, render};
use crate::form::Form;
use crate::snapshot::{BrokenState, RunState, Snapshot};
use crate::view::badge::Badge;
use crate::view::cycles::{Activity, CycleBar};
use crate::view::quantity::{ago, seconds};
use crate::view::state::State;
use crate::view::url::in_url;

/// Constraints that a row shows; the page of the property shows all.
const MOST_RUNS: usize = 6;

#[derive(Template)]
#[template(path = "properties.html")]
struct Page {
    frame: Frame,
    filter: Filter,
    features: Vec<String>,
    tags: Vec<String>,
    states: Vec<State>,
    rows: Vec<Row>,
    total: usize,
}

/// The filter of the query.
struct Filter {
    text: String,
    feature: String,
    state: String,
    tag: String,
    is_set: bool,
    order: Order,
    /// One line for each property.
    is_dense: bool,
}

/// The order of the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The state that needs the most attention first.
    Attention,
    Name,
    Feature,
    /// The latest verdict first.
    Checked,
    /// The longest search first.
    Time,
}

impl Order {
    const ALL: [Order; 5] = [Order::Attention, Order::Name, Order::Feature, Order::Checked, Order::Time];

    /// The value in addresses.
    fn name(&self) -> &'static str {
        match self {
            Order::Attention => "attention",
            Order::Name => "name",
            Order::Feature => "feature",
            Order::Checked => "checked",
            Order::Time => "time",
        }
    }

    /// The order in words.
    fn word(&self) -> &'static str {
        match self {
            Order::Attention => "needs attention",
            Order::Name => "name",
            Order::Feature => "feature",
            Order::Checked => "checked last",
            Order::Time => "longest search",
        }
    }
}

impl Filter {
    /// Whether this is the order of the rows.
    fn is_order(&self, order: &Order) -> bool {
        self.order == *order
    }
}

/// A property.
struct Row {
    name: String,
    url: String,
    badge: Badge,
    feature: String,
    kind: &'static str,
    words: String,
    tags: Vec<String>,
    runs: Vec<RunCell>,
    hidden: usize,
    at: String,
    seconds: String,
    /// When the latest verdict was recorded, and the seconds of all searches, to sort by.
    latest: Option<Timestamp>,
    spent: f64,
}

/// A run in the row of its property.
struct RunCell {
    constraint: String,
    bar: CycleBar,
    word: &'static str,
}

/// Shows the table.
pub async fn show(visitor: Visitor, RawQuery(query): RawQuery) -> Answer {
    let snapshot = visitor.app.snapshot();
    let form = Form::parse(query.as_deref().unwrap_or_default());
    let filter = Filter {
        text: form.get("q").to_string(),
        feature: form.get("feature").to_string(),
        state: form.get("state").to_string(),
        tag: form.get("tag").to_string(),
        is_set: ["q", "feature", "state", "tag"].iter().any(|name| !form.get(name).is_empty())
            || form.has("feature") && form.get("feature").is_empty() && form.has("state"),
        order: (Order::ALL.into_iter())
            .find(|order| order.name() == form.get("sort"))
            .unwrap_or(Order::ALL[0]),
        is_dense: form.has("dense"),
    };
    let now = visitor.app.timestamp();
    let mut rows: Vec<(State, Row)> = Vec::new();
    for broken in snapshot.broken.iter().filter(|broken| filter.admits_broken(broken)) {
        rows.push((State::InError, broken_row(broken, now)));
    }
    for property in snapshot.valid_properties() {
        let runs: Vec<&RunState> = snapshot.runs_of(&property.name.value).collect();
        if filter.admits(property, &runs) {
            rows.push((worst(&runs), row(property, &runs, now)));
        }
    }
    rows.sort_by(|one, other| {
        (one.0, &one.1.feature, &one.1.name).cmp(&(other.0, &other.1.feature, &other.1.name))
    });
    // Equal rows keep the order of attention.
    match filter.order {
        Order::Attention => {}
        Order::Name => rows.sort_by(|one, other| one.1.name.cmp(&other.1.name)),
        Order::Feature => rows.sort_by(|one, other| one.1.feature.cmp(&other.1.feature)),
        Order::Checked => rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.latest)),
        Order::Time => rows.sort_by(|one, other| other.1.spent.total_cmp(&one.1.spent)),
    }
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    render(&Page {
        frame: visitor.frame("/properties", "Properties"),
        filter,
        features: sorted(snapshot.properties().iter().filter_map(|one| one.feature.clone())),
        tags: sorted(snapshot.properties().iter().flat_map(|one| one.tags.clone())),
        states: states(&snapshot),
        rows,
        total: snapshot.valid_properties().count() + snapshot.broken.len(),
    })
}

fn states(snapshot: &Snapshot) -> Vec<State> {
    let used = |state: &State| match state {
        State::InError => !snapshot.broken.is_empty(),
        state => snapshot.runs.iter().any(|run| run.known.state == *state),
    };
    State::ALL.into_iter().filter(used).collect()
}

fn sorted(items: impl Iterator<Item = String>) -> Vec<String> {
    items.collect::<std::collections::BTreeSet<String>>().into_iter().collect()
}

/// The state that needs the most attention.
pub(super) fn worst(runs: &[&RunState]) -> State {
    runs.iter().map(|run| run.known.state).min().unwrap_or_default()
}

impl Filter {
    fn admits_broken(&self, broken: &BrokenState) -> bool {
        let property = &broken.property;
        let text = self.text.to_lowercase();
        let contains = |field: &str| field.to_lowercase().contains(&text);
        let feature = property.feature.as_deref().unwrap_or_default();
        (text.is_empty() || contains(&property.name) || contains(&property.words) || contains(feature))
            && (self.feature.is_empty() || self.feature == feature)
            && self.tag.is_empty()
            && (self.state.is_empty() || self.state == State::InError.name())
    }

    fn admits(&self, property: &Property, runs: &[&RunState]) -> bool {
        let text = self.text.to_lowercase();
        let contains = |field: &str| field.to_lowercase().contains(&text);
        let feature = property.feature.as_deref().unwrap_or_default();
        (text.is_empty() || contains(&property.name.value) || contains(&property.words) || contains(feature))
            && (self.feature.is_empty() || self.feature == feature)
            && (self.tag.is_empty() || property.tags.contains(&self.tag))
            && (self.state.is_empty() || runs.iter().any(|run| run.known.state.name() == self.state))
    }
}

/// A property with errors, and its verdicts of an earlier version.
fn broken_row(broken: &BrokenState, now: Timestamp) -> Row {
    let property = &broken.property;
    let latest = broken.latest.iter().map(|record| record.at).max();
    let cell = |record: &Record| RunCell {
        constraint: record.run.provisioning.clone(),
        bar: CycleBar { state: State::Changed, cycle: record.verdict.cycle, activity: Activity::None },
        word: record.verdict.answer.name(),
    };
    Row {
        url: in_url(&property.name),
        name: property.name.clone(),
        badge: Badge(State::InError),
        feature: property.feature.clone().unwrap_or_default(),
        kind: "",
        words: broken.summary(),
        tags: Vec::new(),
        runs: broken.latest.iter().take(MOST_RUNS).map(cell).collect(),
        hidden: broken.latest.len().saturating_sub(MOST_RUNS),
        at: latest.map(|at| ago(at, now)).unwrap_or_default(),
        seconds: String::new(),
        latest,
        spent: 0.0,
    }
}

fn row(property: &Property, runs: &[&RunState], now: Timestamp) -> Row {
    let name = property.name.value.clone();
    let latest = runs.iter().filter_map(|run| run.known.at).max();
    let spent: f64 = runs.iter().map(|run| run.known.seconds).sum();
    Row {
        url: in_url(&name),
        name,
        badge: Badge(worst(runs)),
        feature: property.feature.clone().unwrap_or_default(),
        kind: kind(property),
        words: first_sentence(&property.words),
        tags: property.tags.clone(),
        runs: runs.iter().take(MOST_RUNS).map(|run| cell(run)).collect(),
        hidden: runs.len().saturating_sub(MOST_RUNS),
        at: latest.map(|at| ago(at, now)).unwrap_or_default(),
        seconds: if latest.is_some() { seconds(spent) } else { String::new() },
        latest,
        spent,
    }
}

fn cell(run: &RunState) -> RunCell {
    let known = &run.known;
    RunCell {
        constraint: run.constraint.clone(),
        bar: CycleBar { state: known.state, cycle: known.cycle, activity: Activity::None },
        word: known.state.word(),
    }
}

/// The kind of a property's statement, with a mark for known faults.
pub(super) fn kind(property: &Property) -> &'static str {
    match (&property.statement, property.expected) {
        (Statement::Formula(_), Expected::Holds) => "formula",
        (Statement::Timeline(..), Expected::Holds) => "timeline",
        (Statement::Never(..), Expected::Holds) => "never claim",
        (Statement::Safety(_), Expected::Holds) => "check of the software",
        (Statement::Formula(_), Expected::Violated) => "formula, known fault",
        (Statement::Timeline(..), Expected::Violated) => "timeline, known fault",
        (Statement::Never(..), Expected::Violated) => "never claim, known fault",
        (Statement::Safety(_), Expected::Violated) => "check of the software, known fault",
    }
}

/// The first sentence of a text.
pub(super) fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").find(|part| !part.trim().is_empty()).unwrap_or_default();
    let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_string(),
        None => paragraph,
    }
}
