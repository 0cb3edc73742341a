//! The log of a round as text: one decision of the schedule a line.
//!
//! *Entry point:* [`text`].

use std::fmt::Write;

use crate::jobs::schedule::{Decision, Entry};
use crate::jobs::task::{Conclusion, Outcome, Shorter, Step, Task};
use crate::round::board::Row;

/// The log: seconds since the beginning of the round, decision, and run.
#[must_use]
pub fn text(log: &[Entry], rows: &[Row]) -> String {
    let mut text = String::new();
    for entry in log {
        let seconds = entry.at.as_secs_f64();
        // A string takes all text.
        let _ = writeln!(text, "{seconds:10.3}  {}", line(&entry.decision, rows));
    }
    text
}

fn line(decision: &Decision, rows: &[Row]) -> String {
    let name = |run: u32| rows.get(run as usize).map_or("?", |row| row.name.as_str());
    let job = |word: &str, task: &Task| format!("{word:10}  {}  {}", name(task.run), step(task.step));
    match decision {
        Decision::Queued(task) => job("queued", task),
        Decision::Started(task) => job("started", task),
        Decision::Returned(task) => job("returned", task),
        Decision::Finished(task, outcome) => {
            let outcome = match outcome {
                Outcome::Violated => "violated",
                Outcome::Holds => "holds",
                Outcome::Inconclusive => "inconclusive",
                Outcome::Failed => "failed",
            };
            format!("{}: {outcome}", job("finished", task))
        }
        Decision::Withdrawn(task) => job("withdrawn", task),
        Decision::Concluded(run, conclusion) => {
            let conclusion = match conclusion {
                Conclusion::Holds { cycle } => format!("holds in cycle {cycle}"),
                Conclusion::Violated { cycle } => format!("violated in cycle {cycle}"),
                Conclusion::Unknown { reached: None } => "unknown, not searched".to_string(),
                Conclusion::Unknown { reached: Some(reached) } => {
                    format!("unknown after cycle {}", reached.cycle)
                }
                Conclusion::Failed { .. } => "failed".to_string(),
            };
            format!("concluded   {}: {conclusion}", name(*run))
        }
        Decision::Shortened(run, Shorter::Found) => format!("shortened   {}", name(*run)),
        Decision::Shortened(run, Shorter::NotFound) => {
            format!("shortened   {}: no shorter execution found", name(*run))
        }
        Decision::Contradicted(run) => format!("contradicted  {}", name(*run)),
        Decision::BudgetSpent => "budget spent".to_string(),
        Decision::Cancelled => "cancelled".to_string(),
        Decision::Resumed => "resumed by another driver".to_string(),
    }
}

fn step(step: Step) -> String {
    match step {
        Step::Cycle(cycle) => format!("cycle {cycle}"),
        Step::SecondPhase { .. } => "second phase".to_string(),
        Step::Recheck { .. } => "recheck".to_string(),
    }
}
