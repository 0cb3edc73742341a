//! A run: its verdict, coverage and figures, its job, and the command that repeats it.
//!
//! *Entry point:* [`show`].

use std::sync::Arc;

use askama::Template;
use axle_feaver::jobs::job::{Job, RoundId};
use axle_feaver::results::ledger::Kept;
use axle_feaver::results::verdict::{Phase, Record};
use axle_outcome::{Count, Reason};
use axum::extract::Path;

use super::frame::{Answer, Frame, Visitor, render};
use super::proof::{self, Proof};
use crate::application::Application;
use crate::fault::Fault;
use crate::program::Order;
use crate::snapshot::headline;
use crate::view::badge::Badge;
use crate::view::cycles::CycleBar;
use crate::view::quantity::{bytes, date, number, seconds};
use crate::view::state::State;
use crate::view::url::{in_url, line_url};

/// Statements that were not reached, as far as they are listed.
const MOST_UNREACHED: usize = 200;

#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: Frame,
    round: i64,
    number: u32,
    property: String,
    property_url: String,
    constraint: String,
    badge: Badge,
    bar: CycleBar,
    notes: Vec<String>,
    facts: Vec<(&'static str, String)>,
    coverage: Vec<(String, u64, u64)>,
    unreached: Vec<(String, String, String)>,
    phases: Vec<(&'static str, String)>,
    key: Vec<(String, String, String)>,
    job: Option<JobFacts>,
    command: String,
    proof: Option<Proof>,
    /// Whether the recorded execution is one of the model only.
    is_spurious: bool,
}

/// The job that a run has now.
struct JobFacts {
    state: &'static str,
    step: String,
    worker: String,
    attempt: u32,
    progress: Vec<(String, String)>,
    reason: String,
}

/// Everything that the history has about a run.
pub(super) struct Found {
    pub run: axle_feaver::results::verdict::Run,
    pub record: Option<Record>,
    pub kept: Option<Arc<Kept>>,
    pub job: Option<Job>,
}

/// Reads a run of the history and the record of its verdict, without the result itself.
///
/// # Errors
/// There is no such run.
pub(super) fn record(
    app: &Application,
    round: i64,
    number: u32,
) -> Result<(axle_feaver::results::verdict::Run, Option<Record>), Fault> {
    let missing = || Fault::missing(format!("Round {round} has no run {number}."));
    let run = app.database.run(RoundId(round), number)?.ok_or_else(missing)?;
    Ok((run, app.database.verdict(RoundId(round), number)?))
}

/// Reads a run of the history.
pub(super) fn find(app: &Application, round: i64, number: u32) -> Result<Found, Fault> {
    let (run, record) = record(app, round, number)?;
    let kept = match &record {
        Some(record) => app.recent.kept(&*app.database, record, Phase::First)?,
        None => None,
    };
    let job = app.activities(|activities| activities.run(RoundId(round), number).map(|known| known.job));
    let job = match job {
        Some(id) => app.database.job(id)?.filter(|job| !job.state.is_final()),
        None => None,
    };
    Ok(Found { run, record, kept, job })
}

/// Shows a run.
pub async fn show(visitor: Visitor, Path((round, number)): Path<(i64, u32)>) -> Answer {
    let found = visitor.blocking(move |app| find(app, round, number)).await?;
    let Found { run, record, kept, job } = found;
    let state = record.as_ref().map_or(State::New, |record| {
        let vacuous = kept.as_ref().is_some_and(|kept| !kept.outcome.vacuity.is_empty());
        State::of(record.verdict.answer, false, vacuous)
    });
    let activity = visitor.app.activities(|activities| activities.of(RoundId(round), number));
    let outcome = kept.as_ref().map(|kept| &kept.outcome);
    let notes = outcome.map_or_else(Vec::new, |outcome| {
        let witness = outcome.witness.as_ref().map(headline);
        let reason = outcome.reason.clone();
        let warnings = outcome.warnings.iter().map(|warning| warning.message.clone());
        let all = witness.into_iter().chain(reason).chain(outcome.vacuity.clone());
        all.chain(outcome.remarks.clone()).chain(warnings).collect()
    });
    let phases = record.iter().flat_map(|record| &record.witnesses);
    let has_sequence = outcome.is_some_and(|outcome| outcome.witness.is_some());
    let phases = phases
        .filter(|_| has_sequence)
        .map(|(phase, _)| (phase.name(), format!("/rounds/{round}/runs/{number}/{}", phase.name())));
    let order = Order {
        properties: vec![run.property.clone()],
        constraints: vec![run.provisioning.clone()],
        again: true,
    };
    let (coverage, unreached) = covered(outcome);
    render(&Page {
        frame: visitor.frame("/rounds", &format!("{}@{}", run.property, run.provisioning)),
        round,
        number,
        proof: outcome.and_then(proof::of),
        is_spurious: outcome.is_some_and(|outcome| outcome.cause == Some(Reason::Spurious)),
        property_url: in_url(&run.property),
        badge: Badge(state),
        bar: CycleBar { state, cycle: record.as_ref().and_then(|record| record.verdict.cycle), activity },
        notes,
        facts: facts(&run, record.as_ref(), outcome),
        coverage,
        unreached,
        phases: phases.collect(),
        key: kept.as_ref().map_or_else(Vec::new, |kept| {
            let part = |part: &axle_feaver::prepare::key::Part| {
                (part.name.clone(), part.hash.chars().take(12).collect(), part.summary.clone())
            };
            kept.key.parts.iter().map(part).collect()
        }),
        job: job.map(job_facts),
        command: visitor.app.rounds.command(&order),
        property: run.property,
        constraint: run.provisioning,
    })
}

fn facts(
    run: &axle_feaver::results::verdict::Run,
    record: Option<&Record>,
    outcome: Option<&axle_feaver::execute::Outcome>,
) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(record) = record {
        let statistics = &record.verdict.statistics;
        facts.push(("states", number(&statistics.states)));
        if let Some(outcome) = outcome {
            facts.push(("transitions", number(&outcome.transitions)));
        }
        facts.push(("memory", bytes(statistics.memory)));
        facts.push(("time", seconds(statistics.seconds)));
        // An engine that enumerates no states has no rate.
        if statistics.seconds >= 0.05 && statistics.states != Count::ZERO {
            let rate = statistics.states.to_f64() / statistics.seconds;
            facts.push(("states per second", number(rate as u64)));
        }
        if let Some(machine) = &record.verdict.machine {
            facts.push(("decided by", machine.to_string()));
        }
        if let Some(from) = record.verdict.carried_from {
            facts.push(("carried over from", format!("round {from}")));
        }
        facts.push(("recorded", format!("{} UTC", date(record.at))));
        facts.push(("sources", record.source_version.chars().take(12).collect()));
        facts.push(("Axle", record.axle_version.split(" (").next().unwrap_or_default().to_string()));
    }
    facts.push(("options", run.options.clone()));
    facts
}

type Coverage = (Vec<(String, u64, u64)>, Vec<(String, String, String)>);

/// Parts of all as `(what, reached, all)`, and the statements that were not reached.
fn covered(outcome: Option<&axle_feaver::execute::Outcome>) -> Coverage {
    let Some(outcome) = outcome else { return (Vec::new(), Vec::new()) };
    let coverage = &outcome.coverage;
    let mut bars = Vec::new();
    for (what, [all, seen]) in [
        ("automaton states", coverage.automaton_states),
        ("automaton transitions", coverage.automaton_transitions),
    ] {
        if all > 0 {
            bars.push((what.to_string(), seen, all));
        }
    }
    if let Some(states) = coverage.states {
        bars.push(("reachable states (estimated, %)".to_string(), (states * 100.0).round() as u64, 100));
    }
    let mut unreached = Vec::new();
    for process in &coverage.unreached {
        let reached = process.statements.saturating_sub(process.unreached.len() as u64);
        bars.push((format!("statements of {}", process.process), reached, process.statements));
        for statement in process.unreached.iter().take(MOST_UNREACHED) {
            let place = statement.place.as_ref();
            let text = place.map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
            let url = place.map(line_url);
            unreached.push((text, url.unwrap_or_default(), statement.text.clone()));
        }
    }
    (bars, unreached)
}

fn job_facts(job: Job) -> JobFacts {
    let progress = job.progress.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok());
    let progress: serde_json::Map<String, serde_json::Value> = progress.unwrap_or_default();
    let shown = |(name, value): (String, serde_json::Value)| match value {
        serde_json::Value::Number(value) => {
            let text = value.as_u64().map_or_else(|| value.to_string(), number);
            Some((name.replace('_', " "), text))
        }
        serde_json::Value::String(text) => Some((name, text)),
        _ => None,
    };
    JobFacts {
        state: job.state.name(),
        step: job.submitted.key.split_once('/').map_or(String::new(), |(_, step)| step.replace('-', " ")),
        worker: job.worker.unwrap_or_default(),
        attempt: job.attempt,
        progress: progress.into_iter().filter_map(shown).collect(),
        reason: job.reason.unwrap_or_default(),
    }
}
