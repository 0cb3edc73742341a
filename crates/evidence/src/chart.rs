//! Message sequence charts: one lane for each process, time running down. A message through a
//! channel is an arrow from its send to its receive; a rendezvous is one horizontal arrow. An
//! execution without messages is drawn by its steps, each in the lane of its process, so that a
//! chart is never empty.
//!
//! *Entry points:* [`chart`] makes the chart of a trace (threads: [`threads::chart`]; the parties of an
//! event-driven program: [`parties::chart`]),
//! [`render_text`] and [`render_svg`] draw it. *Source:* ITU-T Z.120, Message Sequence Chart.
//! *Invariant:* every violation of the trace is an event of the chart or a line of its ending.

mod fit;
mod parties;
mod propositions;
mod svg;
mod text;
pub mod threads;

use serde::{Deserialize, Serialize};

use crate::trace::{Message, MessageKind, Trace, TraceStep, label};

pub use parties::Dispatch;
pub use propositions::propositions_svg;
pub use svg::render_svg;
pub use text::render_text;

/// A chart.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Chart {
    /// The processes, `name(number)`, in order of number.
    pub lanes: Vec<String>,
    /// The events, in order of time.
    pub events: Vec<ChartEvent>,
    /// The number of the first step of the cycle, for an infinite execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    /// The violation that the execution ends with, in sentences; drawn across all lanes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ending: Vec<String>,
}

/// An event of one lane, or of two in a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChartEvent {
    /// The number of the step.
    pub step: u64,
    /// The lane of the process that executes the step.
    pub lane: usize,
    /// The lane of the receiver, in a rendezvous.
    pub to: Option<usize>,
    /// The kind of event.
    pub kind: EventKind,
    /// `q!data,3`, a statement, or the message of a violation.
    pub label: String,
    /// For a message that is received: the position of its send among the events.
    pub from: Option<usize>,
}

/// The kind of a chart's event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A message is sent, lost, received, copied or passed in a rendezvous.
    Message(MessageKind),
    /// A statement without message.
    Step,
    /// A violation.
    Violation,
}

impl Chart {
    /// Whether the cycle begins with the event at this position.
    fn cycle_begins_at(&self, position: usize) -> bool {
        let inside = |event: &ChartEvent| self.cycle.is_some_and(|first| event.step >= first);
        inside(&self.events[position]) && (position == 0 || !inside(&self.events[position - 1]))
    }
}

impl ChartEvent {
    /// The label, with the fate of a message that is not received.
    fn text(&self) -> String {
        match self.kind {
            EventKind::Message(MessageKind::Lost) => format!("{} lost", self.label),
            EventKind::Message(MessageKind::Copied) => format!("{} copied", self.label),
            EventKind::Violation => format!("** {}", self.label),
            EventKind::Message(_) | EventKind::Step => self.label.clone(),
        }
    }
}

/// The chart of a trace of processes or of threads: threads pass locks and signals, processes
/// messages. In an event-driven program, the parties pass messages.
pub fn chart_of(trace: &Trace) -> Chart {
    if let Some(chart) = Dispatch::of(trace).and_then(|dispatch| parties::chart(trace, &dispatch)) {
        return chart;
    }
    match trace.steps.iter().any(|step| !step.notes.is_empty()) {
        true => threads::chart(trace),
        false => chart(trace),
    }
}

/// The chart of a trace: its messages, or all of its steps if it passes none.
pub fn chart(trace: &Trace) -> Chart {
    let messages = trace.steps.iter().any(|step| !step.messages.is_empty());
    let shown = |step: &TraceStep| !messages || !step.messages.is_empty() || !step.faults.is_empty();
    let mut chart = Chart {
        lanes: lanes(trace.steps.iter().filter(|step| shown(step))),
        events: Vec::new(),
        cycle: trace.cycle,
        ending: trace.ending.clone(),
    };
    let mut in_transit = Vec::new();
    for step in &trace.steps {
        for message in &step.messages {
            add(&mut chart, step, message, &mut in_transit);
        }
        if !messages {
            push(&mut chart, step, EventKind::Step, step.by.statement.clone());
        }
        for fault in &step.faults {
            push(&mut chart, step, EventKind::Violation, fault.clone());
        }
    }
    chart
}

/// The processes of some steps, in order of their numbers.
pub(crate) fn lanes<'t>(steps: impl Iterator<Item = &'t TraceStep>) -> Vec<String> {
    let both = steps.flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
    let mut movers: Vec<(u32, &String)> = both.map(|mover| (mover.pid, &mover.process)).collect();
    movers.sort();
    movers.dedup();
    movers.into_iter().map(|(_, process)| process.clone()).collect()
}

/// Adds an event in the lane of the process that executes the step.
pub(crate) fn push(chart: &mut Chart, step: &TraceStep, kind: EventKind, label: String) {
    if let Some(lane) = chart.lanes.iter().position(|lane| *lane == step.by.process) {
        chart.events.push(ChartEvent { step: step.step, lane, to: None, kind, label, from: None });
    }
}

/// Adds a message; `in_transit` holds the messages in channels, with the positions of their sends.
fn add<'t>(
    chart: &mut Chart,
    step: &'t TraceStep,
    message: &'t Message,
    in_transit: &mut Vec<(usize, &'t Message)>,
) {
    let lane_of = |process: &str| chart.lanes.iter().position(|lane| lane == process);
    let Some(lane) = lane_of(&step.by.process) else { return };
    let to = step.partner.as_ref().and_then(|partner| lane_of(&partner.process));
    // Equal messages cannot be distinguished: the oldest is chosen.
    let same = |(_, sent): &(usize, &Message)| sent.chan == message.chan && sent.values == message.values;
    let from = match message.kind {
        MessageKind::Received => {
            in_transit.iter().position(same).map(|position| in_transit.remove(position).0)
        }
        MessageKind::Copied => in_transit.iter().find(|sent| same(sent)).map(|(position, _)| *position),
        MessageKind::Sent => {
            in_transit.push((chart.events.len(), message));
            None
        }
        MessageKind::Lost | MessageKind::Handed => None,
    };
    let (step, kind, label) = (step.step, EventKind::Message(message.kind), label(message));
    chart.events.push(ChartEvent { step, lane, to, kind, label, from });
}
