//! What every page and the interface have to say before anything else: verdicts that cannot be believed or
//! stored.
//!
//! *Entry point:* [`all`].

use axle_evidence::report::ConflictReport;
use axle_feaver::round::recheck::shown;
use serde::Serialize;

use crate::application::Application;
use crate::snapshot::{RunState, Snapshot};

/// Disagreements that are named; the others are counted.
const MOST: usize = 5;

/// An alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// `disagreement`, `engines`, `disk-full` or `tokens`.
    pub kind: &'static str,
    /// The problem and the remedy.
    pub message: String,
    /// The page with more about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// The present alarms.
#[must_use]
pub fn all(app: &Application, snapshot: &Snapshot) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    if app.is_full() {
        let message = "The disk of the history is full: no verdict can be stored. Free space; running rounds \
                       continue by themselves.";
        alarms.push(Alarm { kind: "disk-full", message: message.to_string(), page: None });
    }
    if let Some(fault) = app.access.tokens.fault() {
        let message = format!("The token file has an error, so the tokens of before apply: {fault}.");
        alarms.push(Alarm { kind: "tokens", message, page: None });
    }
    let disagreeing: Vec<_> = snapshot
        .runs
        .iter()
        .filter_map(|run| Some((run, run.known.disagreement.as_ref()?, run.known.place?)))
        .collect();
    for (run, found, (round, number)) in disagreeing.iter().take(MOST) {
        let (first, second) = (shown(&found.first), shown(&found.second));
        let message = format!(
            "Two machines disagree on {}: {first}; {second}. One of them is wrong, so the run has no verdict.",
            run.name
        );
        let page = Some(format!("/rounds/{round}/runs/{number}"));
        alarms.push(Alarm { kind: "disagreement", message, page });
    }
    if disagreeing.len() > MOST {
        let message = format!("Machines disagree on {} further runs.", disagreeing.len() - MOST);
        alarms.push(Alarm {
            kind: "disagreement",
            message,
            page: Some("/properties?state=failed".to_string()),
        });
    }
    alarms.extend(of_engines(snapshot));
    alarms
}

/// Engines of which one proved what the other refuted.
fn of_engines(snapshot: &Snapshot) -> Vec<Alarm> {
    let conflicts = snapshot.runs.iter().filter_map(|run| Some((run, run.known.conflict.as_ref()?)));
    let conflicts: Vec<_> = conflicts.collect();
    let alarm = |(run, conflict): &(&RunState, &ConflictReport)| Alarm {
        kind: "engines",
        message: format!("Engines disagree on {}: {}.", run.name, conflict.sentence()),
        page: run.known.place.map(|(round, number)| format!("/rounds/{round}/runs/{number}")),
    };
    let more = conflicts.len().saturating_sub(MOST);
    let rest = (more > 0).then(|| Alarm {
        kind: "engines",
        message: format!("Engines disagree on {more} further runs."),
        page: Some("/properties?state=failed".to_string()),
    });
    conflicts.iter().take(MOST).map(alarm).chain(rest).collect()
}
