//! The table of properties: filters, selection, and the button that checks them.
//!
//! *Entry point:* [`show`].

use std::collections::HashMap;

use askama::Template;
use axle_feaver::jobs::job::Timestamp;
use axle_feaver::project::{Expected, Project, Property, Statement};
use axle_feaver::results::verdict::Record;
use axum::extract::RawQuery;

use super::frame::{Answer, Frame, Visitor, render};
use crate::application::Application;
use crate::fault::Fault;
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
    groups: Vec<Group>,
    shown: usize,
    total: usize,
}

/// Rows with something in common.
struct Group {
    /// What they have in common; empty if the rows are not grouped.
    title: String,
    rows: Vec<Row>,
}

/// The filter of the query.
struct Filter {
    text: String,
    feature: String,
    state: String,
    tag: String,
    is_set: bool,
    order: Order,
    grouping: Grouping,
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
    /// Runs that a worker executes now first.
    Running,
}

/// What the rows of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grouping {
    None,
    Feature,
    Verdict,
    Requirement,
}

impl Grouping {
    const ALL: [Grouping; 4] = [Grouping::None, Grouping::Feature, Grouping::Verdict, Grouping::Requirement];

    /// The value in addresses.
    fn name(&self) -> &'static str {
        match self {
            Grouping::None => "",
            Grouping::Feature => "feature",
            Grouping::Verdict => "verdict",
            Grouping::Requirement => "requirement",
        }
    }

    /// The grouping in words.
    fn word(&self) -> &'static str {
        if *self == Grouping::None { "no groups" } else { self.name() }
    }

    /// The title of the group of a row.
    fn title(self, row: &Row) -> String {
        let or = |text: &str, none: &str| if text.is_empty() { none.to_string() } else { text.to_string() };
        match self {
            Grouping::None => String::new(),
            Grouping::Feature => or(&row.feature, "no feature"),
            Grouping::Verdict => row.badge.0.word().to_string(),
            Grouping::Requirement => or(&row.requirement, "no requirement"),
        }
    }

    /// The rows in groups, which have the order of their first rows, or of their titles.
    fn apply(self, rows: Vec<Row>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for row in rows {
            let title = self.title(&row);
            match groups.iter_mut().find(|group| group.title == title) {
                Some(group) => group.rows.push(row),
                None => groups.push(Group { title, rows: vec![row] }),
            }
        }
        if matches!(self, Grouping::Feature | Grouping::Requirement) {
            groups.sort_by(|one, other| one.title.cmp(&other.title));
        }
        groups
    }
}

impl Order {
    const ALL: [Order; 6] =
        [Order::Attention, Order::Name, Order::Feature, Order::Checked, Order::Time, Order::Running];

    /// The value in addresses.
    fn name(&self) -> &'static str {
        match self {
            Order::Attention => "attention",
            Order::Name => "name",
            Order::Feature => "feature",
            Order::Checked => "checked",
            Order::Time => "time",
            Order::Running => "running",
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
            Order::Running => "running first",
        }
    }
}

impl Filter {
    /// Whether these are the groups of the rows.
    fn is_grouping(&self, grouping: &Grouping) -> bool {
        self.grouping == *grouping
    }

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
    /// The requirement that it refers to.
    requirement: String,
    kind: &'static str,
    words: String,
    tags: Vec<String>,
    runs: Vec<RunCell>,
    /// Whether a worker executes one of its runs.
    is_running: bool,
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
        grouping: (Grouping::ALL.into_iter())
            .find(|grouping| grouping.name() == form.get("group"))
            .unwrap_or(Grouping::None),
        is_dense: form.has("dense"),
    };
    let activities = visitor.blocking(activities).await?;
    let now = visitor.app.timestamp();
    let mut rows: Vec<(State, Row)> = Vec::new();
    for broken in snapshot.broken.iter().filter(|broken| filter.admits_broken(broken)) {
        rows.push((State::InError, broken_row(broken, now)));
    }
    for property in snapshot.valid_properties() {
        let runs: Vec<&RunState> = snapshot.runs_of(&property.name.value).collect();
        if filter.admits(property, &runs) {
            let requirement = snapshot.project.as_ref().map(|project| requirement(project, property));
            let row = row(property, &runs, &activities, now);
            rows.push((worst(&runs), Row { requirement: requirement.unwrap_or_default(), ..row }));
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
        Order::Running => rows.sort_by_key(|(_, row)| !row.is_running),
    }
    let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    let shown = rows.len();
    render(&Page {
        frame: visitor.frame("/properties", "Properties"),
        groups: filter.grouping.apply(rows),
        filter,
        shown,
        features: sorted(snapshot.properties().iter().filter_map(|one| one.feature.clone())),
        tags: sorted(snapshot.properties().iter().flat_map(|one| one.tags.clone())),
        states: states(&snapshot),
        total: snapshot.valid_properties().count() + snapshot.broken.len(),
    })
}

/// What happens in the runs of the rounds in progress, by property and constraint.
type Activities = HashMap<(String, String), Activity>;

fn activities(app: &Application) -> Result<Activities, Fault> {
    let mut found = Activities::new();
    for open in app.database.open_rounds()? {
        for run in app.database.runs(open.round)? {
            let activity = app.activities(|activities| activities.of(open.round, run.number));
            found.insert((run.property, run.provisioning), activity);
        }
    }
    Ok(found)
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
        requirement: String::new(),
        is_running: false,
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

/// The heading of the requirement that a property refers to, with its document.
fn requirement(project: &Project, property: &Property) -> String {
    let Some((document, section)) = property.reference else { return String::new() };
    let Some(document) = project.requirements.get(document) else { return String::new() };
    match section.and_then(|section| document.sections.get(section)) {
        Some(section) => format!("{}: {}", document.path, section.heading),
        None => document.path.clone(),
    }
}

fn row(property: &Property, runs: &[&RunState], activities: &Activities, now: Timestamp) -> Row {
    let name = property.name.value.clone();
    let latest = runs.iter().filter_map(|run| run.known.at).max();
    let spent: f64 = runs.iter().map(|run| run.known.seconds).sum();
    let activity = |run: &RunState| {
        let key = (run.property.clone(), run.constraint.clone());
        activities.get(&key).copied().unwrap_or(Activity::None)
    };
    Row {
        url: in_url(&name),
        name,
        badge: Badge(worst(runs)),
        requirement: String::new(),
        is_running: runs.iter().any(|run| matches!(activity(run), Activity::Running(_))),
        feature: property.feature.clone().unwrap_or_default(),
        kind: kind(property),
        words: first_sentence(&property.words),
        tags: property.tags.clone(),
        runs: runs.iter().take(MOST_RUNS).map(|run| cell(run, activity(run))).collect(),
        hidden: runs.len().saturating_sub(MOST_RUNS),
        at: latest.map(|at| ago(at, now)).unwrap_or_default(),
        seconds: if latest.is_some() { seconds(spent) } else { String::new() },
        latest,
        spent,
    }
}

fn cell(run: &RunState, activity: Activity) -> RunCell {
    let known = &run.known;
    RunCell {
        constraint: run.constraint.clone(),
        bar: CycleBar { state: known.state, cycle: known.cycle, activity },
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
