//! Executions of threads that share memory, side by side: a column for each thread, and a sequence
//! chart of their synchronisation. An arrow leads from the thread that gave something last
//! (released a lock, woke a thread, ended) to the thread that takes it.
//!
//! *Entry points:* [`render_columns`], [`chart`]; the chart is drawn by [`crate::chart`].

use crate::chart::fit::{fitted, pieces};
use crate::chart::{Chart, EventKind, lanes, push};
use crate::trace::{CYCLE, MessageKind, Trace, TraceStep};
use crate::wrap::wrap;

/// The widest column; a longer text continues below.
const WIDEST: usize = 44;

/// The run as text with a column for each thread: the line of each statement, and the statement.
/// Lines have at most `limit` characters unless there are too many threads.
pub fn render_columns(trace: &Trace, limit: Option<usize>) -> String {
    let lanes = lanes(trace.steps.iter());
    let cells: Vec<(usize, String)> = trace
        .steps
        .iter()
        .map(|step| (lanes.iter().position(|lane| *lane == step.by.process).unwrap_or(0), cell(step)))
        .collect();
    let numbers = trace.steps.len().to_string().len();
    let natural: Vec<usize> = (0..lanes.len())
        .map(|lane| {
            let own = cells.iter().filter(|(at, _)| *at == lane).map(|(_, text)| text.chars().count());
            own.chain([lanes[lane].chars().count()]).max().unwrap_or(0).min(WIDEST)
        })
        .collect();
    let widths = match limit {
        Some(limit) => fitted(natural, limit.saturating_sub(numbers + 2 * lanes.len())),
        None => natural,
    };
    // The rows of one step: the text of each column, broken.
    let rows = |number: &str, texts: &dyn Fn(usize) -> String| -> String {
        let texts: Vec<_> =
            widths.iter().enumerate().map(|(lane, &width)| pieces(&texts(lane), width)).collect();
        let row = |at: usize| {
            let mut line = format!("{:>numbers$}", if at == 0 { number } else { "" });
            for (text, &width) in texts.iter().zip(&widths) {
                line.push_str(&format!("  {:width$}", text.get(at).map_or("", String::as_str)));
            }
            format!("{}\n", line.trim_end())
        };
        (0..texts.iter().map(Vec::len).max().unwrap_or(0)).map(row).collect()
    };
    let mut text = rows("", &|lane| lanes[lane].clone());
    let mut cycle = trace.cycle;
    for (step, (at, own)) in trace.steps.iter().zip(&cells) {
        if cycle.is_some_and(|first| step.step >= first) {
            text.push_str(CYCLE);
            cycle = None;
        }
        text.push_str(&rows(&step.step.to_string(), &|lane| {
            if lane == *at { own.clone() } else { String::new() }
        }));
        for fault in &step.faults {
            text.push_str(&wrap(&format!("{:numbers$}  ** {fault}", ""), limit, numbers + 5));
        }
    }
    text.extend(trace.ending.iter().map(|sentence| wrap(sentence, limit, 4)));
    text
}

fn cell(step: &TraceStep) -> String {
    match &step.by.place {
        Some(place) => format!("{}: {}", place.line, step.by.statement),
        None => step.by.statement.clone(),
    }
}

/// The chart of the synchronisation between threads, or of all steps if there is none.
pub fn chart(trace: &Trace) -> Chart {
    let mut chart = Chart {
        lanes: lanes(trace.steps.iter()),
        events: Vec::new(),
        cycle: trace.cycle,
        ending: trace.ending.clone(),
    };
    // The last event that gave each object.
    let mut given: Vec<(&String, usize)> = Vec::new();
    let synchronises = trace.steps.iter().any(|step| !step.notes.is_empty());
    for step in &trace.steps {
        for note in &step.notes {
            let giver =
                |what: &String| given.iter().rev().find(|(known, _)| *known == what).map(|(_, at)| *at);
            let from = note.takes.iter().rev().find_map(giver);
            // A note without text exists for its arrow.
            let label = match (note.text.is_empty(), from) {
                (true, None) => continue,
                (true, Some(_)) => "begins".to_string(),
                (false, _) => note.text.clone(),
            };
            let kind = if from.is_some() { MessageKind::Received } else { MessageKind::Sent };
            let at = chart.events.len();
            push(&mut chart, step, EventKind::Message(kind), label);
            chart.events[at].from = from;
            for what in &note.gives {
                given.retain(|(known, _)| *known != what);
                given.push((what, at));
            }
        }
        if !synchronises || !step.faults.is_empty() {
            push(&mut chart, step, EventKind::Step, step.by.statement.clone());
        }
        for fault in &step.faults {
            push(&mut chart, step, EventKind::Violation, fault.clone());
        }
    }
    chart
}
