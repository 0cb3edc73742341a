//! Schedule, limits, triggers and tokens as JSON.

use serde::Serialize;

use super::answer::{Data, SCHEMA, json};
use crate::fault::Fault;
use crate::pages::frame::Visitor;

#[derive(Serialize)]
struct Settings {
    schema: u32,
    budget: f64,
    memory: Option<u64>,
    time: Option<f64>,
    fairness: &'static str,
    changes: bool,
    quiet: f64,
    daily: Vec<String>,
    hook: bool,
    notifies: bool,
    tokens: Vec<Token>,
}

#[derive(Serialize)]
struct Token {
    name: String,
    role: &'static str,
}

/// The settings; secrets are no part of them.
pub async fn show(visitor: Visitor) -> Data {
    let snapshot = visitor.app.snapshot();
    let project = snapshot.project.as_ref();
    let project = project.ok_or_else(|| Fault::missing("The project has not been read yet."))?;
    let triggers = &project.triggers;
    let daily = triggers.daily.iter().map(|minute| format!("{:02}:{:02}", minute / 60, minute % 60));
    let tokens = visitor.app.access.tokens.current();
    json(&Settings {
        schema: SCHEMA,
        budget: project.schedule.budget.as_secs_f64(),
        memory: project.limits.memory,
        time: project.limits.time.map(|time| time.as_secs_f64()),
        fairness: project.fairness.name(),
        changes: triggers.changes,
        quiet: triggers.quiet.as_secs_f64(),
        daily: daily.collect(),
        hook: triggers.hook,
        notifies: visitor.app.letters.is_some(),
        tokens: (tokens.iter())
            .map(|token| Token { name: token.name.clone(), role: token.role.name() })
            .collect(),
    })
}
