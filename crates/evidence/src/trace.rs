//! A run as plain data, one entry for each small step, and as text with one line a step.
//!
//! A step that nobody can interrupt (`atomic`, `d_step`) has several small steps: they share its
//! number and are counted after a point, `4.1`, `4.2`.
//!
//! *Entry point:* [`render_text`].

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::report::PlaceReport;

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// The small steps, in order.
    pub steps: Vec<TraceStep>,
    /// What is wrong at its end, in sentences; nothing for a run without violation.
    pub ending: Vec<String>,
    /// What a property sees of the state before the first step, where the run is judged by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Observed>,
    /// The number of the first step of the cycle, where the run goes on for ever: from there to the end, and
    /// round again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
}

/// What a property sees of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// The propositions that hold there, as written.
    pub holds: Vec<String>,
    /// Where the automaton of what must not happen stands when it sees that state.
    pub claim: Option<u32>,
}

/// A small step: one statement, or two in a handshake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// The number of the step, counted from 1.
    pub step: u64,
    /// Which small step of it this is, counted from 1.
    pub part: u64,
    /// How many small steps it has.
    pub parts: u64,
    /// Who moves; in a handshake the sender.
    pub by: Mover,
    /// Who receives, in a handshake.
    pub partner: Option<Mover>,
    /// The messages that it passes.
    pub messages: Vec<Message>,
    /// The text that it prints.
    pub printed: String,
    /// What it changes: variables, channels, processes that come and go.
    pub changes: Vec<Changed>,
    /// What goes wrong in it, in sentences.
    pub faults: Vec<String>,
    /// Shared memory that it reads, with the value that it finds there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Seen>,
    /// What happens between threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Locks that the thread holds after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
    /// What a property sees of the state after it, where the run is judged by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}

/// A value that a step finds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// Where: `x`, `buffer.slots[2]`.
    pub name: String,
    /// The value, as it is shown.
    pub value: String,
}

/// What happens between threads: a lock is taken, a thread is woken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// In words: `locks m`, `starts worker(1)`; empty where there is nothing to say but an arrow to end.
    pub text: String,
    /// What others can take up: an arrow of a chart begins here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<String>,
    /// What is taken up from who gave it last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
}

/// A process that takes part in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mover {
    /// Its number.
    pub pid: u32,
    /// `name(number)`.
    pub process: String,
    /// Where its statement stands.
    pub place: Option<PlaceReport>,
    /// Its statement, as written.
    pub statement: String,
}

/// A message that a step passes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// What happens to it.
    pub kind: MessageKind,
    /// The reference to the channel, which tells apart channels of one name.
    pub chan: u32,
    /// The name of the channel.
    pub channel: String,
    /// Its fields, as they are shown.
    pub values: Vec<String>,
}

/// What happens to a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// It goes into a channel.
    Sent,
    /// It was sent to a full channel and is lost.
    Lost,
    /// It comes out of a channel.
    Received,
    /// It is looked at and stays in its channel.
    Copied,
    /// It goes from the sender to the receiver, hand to hand.
    Handed,
}

/// What differs after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Changed {
    /// What: `x`, `P(1):a[2]`, the name of a channel, or a process that came or went.
    pub name: String,
    /// What it was; none where it was not there.
    pub old: Option<String>,
    /// What it is; none where it is not there any more.
    pub new: Option<String>,
}

/// How much a text says of each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Also what changes, is passed and printed.
    Full,
    /// Who executes which statement.
    Short,
}

/// The run as text, one line a small step.
pub fn render_text(trace: &Trace, mode: Mode) -> String {
    let mut rows: Vec<[String; 6]> = trace.steps.iter().map(|step| row(step, mode)).collect();
    let start = trace
        .start
        .as_ref()
        .map(|observed| ["0", "the start", "", "", "", &seen(observed)].map(str::to_string));
    let judged = start.is_some();
    rows.splice(0..0, start);
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            // A cell may be longer than text can be padded to.
            *width = (*width).max(cell.chars().count()).min(1_000);
        }
    }
    let mut text = String::new();
    let mut cycle = trace.cycle;
    for (index, row) in rows.iter().enumerate() {
        let step = index.checked_sub(usize::from(judged)).map(|index| &trace.steps[index]);
        if let (Some(first), Some(step)) = (cycle, step)
            && step.step >= first
        {
            text.push_str(CYCLE);
            cycle = None;
        }
        let [number, process, place, statement, rest, seen] = row;
        let [w0, w1, w2, w3, w4] = widths;
        // Without a last column, the one before it need not be filled up.
        let line = format!("{number:>w0$}  {process:w1$}  {place:w2$}  {statement:w3$}  {rest:w4$}  {seen}");
        text.push_str(line.trim_end());
        text.push('\n');
        for fault in step.into_iter().flat_map(|step| &step.faults) {
            let done = writeln!(text, "{:w0$}  ** {fault}", "");
            debug_assert!(done.is_ok(), "a string takes all text");
        }
    }
    for sentence in &trace.ending {
        text.push_str(sentence);
        text.push('\n');
    }
    text
}

/// Stands before the steps that repeat.
pub(crate) const CYCLE: &str = "-- from here to the end, and round again for ever --\n";

/// What a property sees, in a few characters: `[p, q] at 1`.
fn seen(observed: &Observed) -> String {
    let holds = format!("[{}]", observed.holds.join(", "));
    match observed.claim {
        Some(location) => format!("{holds} at {location}"),
        None => holds,
    }
}

/// The cells of a line: number, process, place, statement, what happens, and what a property sees after it.
fn row(step: &TraceStep, mode: Mode) -> [String; 6] {
    let number = match step.parts {
        1 => step.step.to_string(),
        _ => format!("{}.{}", step.step, step.part),
    };
    let (mut process, mut place) = (step.by.process.clone(), place(&step.by));
    let mut statement = step.by.statement.clone();
    if let Some(partner) = &step.partner {
        process.push_str(&format!(" > {}", partner.process));
        place.push_str(&format!(" > {}", line(partner)));
        statement.push_str(&format!(" > {}", partner.statement));
    }
    let rest = match mode {
        Mode::Full => happenings(step),
        Mode::Short => String::new(),
    };
    [number, process, place, statement, rest, step.observed.as_ref().map(seen).unwrap_or_default()]
}

fn place(mover: &Mover) -> String {
    mover.place.as_ref().map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default()
}

/// The place without its file, which for a partner is nearly always the same.
fn line(mover: &Mover) -> String {
    mover.place.as_ref().map(|place| place.line.to_string()).unwrap_or_default()
}

/// The effects of a step, in a few words each: messages, reads, changes, output, locks held.
pub(crate) fn happenings(step: &TraceStep) -> String {
    let mut parts = Vec::new();
    for message in &step.messages {
        let told = match message.kind {
            // The change of the channel's contents tells these.
            MessageKind::Sent | MessageKind::Received => continue,
            MessageKind::Lost => "is lost",
            MessageKind::Copied => "stays",
            MessageKind::Handed => "is handed over",
        };
        parts.push(format!("{} {told}", label(message)));
    }
    for seen in &step.reads {
        // Where it is changed too, that tells what it was.
        if !step.changes.iter().any(|change| change.name == seen.name) {
            parts.push(format!("reads {} = {}", seen.name, seen.value));
        }
    }
    for change in &step.changes {
        parts.push(changed(step, change));
    }
    parts.extend(step.notes.iter().map(|note| note.text.clone()).filter(|text| !text.is_empty()));
    if !step.printed.is_empty() {
        parts.push(format!("prints {:?}", step.printed));
    }
    if !step.held.is_empty() {
        parts.push(format!("[holds {}]", step.held.join(", ")));
    }
    parts.join("; ")
}

/// A message in a few characters: `q[1]!data,3`.
pub(crate) fn label(message: &Message) -> String {
    let sign = match message.kind {
        MessageKind::Sent | MessageKind::Lost | MessageKind::Handed => "!",
        MessageKind::Received | MessageKind::Copied => "?",
    };
    format!("{}{sign}{}", message.channel, message.values.join(","))
}

/// A change in a few characters; variables of the process that moves go without its name.
fn changed(step: &TraceStep, change: &Changed) -> String {
    let own = format!("{}:", step.by.process);
    let name = change.name.strip_prefix(&own).unwrap_or(&change.name);
    match (&change.old, &change.new) {
        (Some(old), Some(new)) => format!("{name}: {old} -> {new}"),
        (None, Some(new)) if new == "running" => format!("{name} starts"),
        (None, Some(new)) => format!("{name}: {new}"),
        (Some(_) | None, None) => format!("{name} ends"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A trace of one step that prints a text and fails with it.
    pub(crate) fn single_step(by: Mover, text: &str) -> Trace {
        let step = TraceStep {
            step: 1,
            part: 1,
            parts: 1,
            by,
            partner: None,
            messages: Vec::new(),
            printed: text.into(),
            changes: vec![Changed { name: text.into(), old: None, new: Some(text.into()) }],
            faults: vec![text.into()],
            reads: Vec::new(),
            notes: Vec::new(),
            held: Vec::new(),
            observed: None,
        };
        Trace { steps: vec![step], ending: vec![text.into()], start: None, cycle: None }
    }
}
