//! Message sequence charts: one lane for each process that sends or receives, time running down. A message
//! through a channel is an arrow from its send to its receive; a handshake is one level arrow.
//!
//! Main functions: [`chart`] makes the chart of a run, [`render_text`] and [`render_svg`] draw it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::trace::{CYCLE, Message, MessageKind, Trace, TraceStep, label};

/// A chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chart {
    /// The processes, `name(number)`, in order of number.
    pub lanes: Vec<String>,
    /// What happens, in order of time.
    pub events: Vec<ChartEvent>,
    /// The number of the step from which on everything repeats for ever, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
}

impl Chart {
    /// Whether what repeats for ever begins with the event at this position.
    fn repeats_from(&self, position: usize) -> bool {
        let inside = |event: &ChartEvent| self.cycle.is_some_and(|first| event.step >= first);
        inside(&self.events[position]) && (position == 0 || !inside(&self.events[position - 1]))
    }
}

/// A message at one of its ends, or at both.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChartEvent {
    /// The number of the step.
    pub step: u64,
    /// The lane of the process that moves.
    pub lane: usize,
    /// The lane of the receiver, in a handshake.
    pub to: Option<usize>,
    /// What happens to the message.
    pub kind: MessageKind,
    /// `q!data,3`.
    pub label: String,
    /// For a message that is received: the position among the events of the one that sent it.
    pub from: Option<usize>,
}

/// The chart of a run.
pub fn chart(trace: &Trace) -> Chart {
    let mut movers: Vec<(u32, String)> = Vec::new();
    for step in trace.steps.iter().filter(|step| !step.messages.is_empty()) {
        let both = std::iter::once(&step.by).chain(&step.partner);
        movers.extend(both.map(|mover| (mover.pid, mover.process.clone())));
    }
    movers.sort();
    movers.dedup();
    let lanes: Vec<String> = movers.into_iter().map(|(_, process)| process).collect();
    let mut chart = Chart { lanes, events: Vec::new(), cycle: trace.cycle };
    let mut under_way = Vec::new();
    for step in &trace.steps {
        for message in &step.messages {
            add(&mut chart, step, message, &mut under_way);
        }
    }
    chart
}

/// Adds a message; `under_way` are those in channels, with the positions of their sends.
fn add<'t>(
    chart: &mut Chart,
    step: &'t TraceStep,
    message: &'t Message,
    under_way: &mut Vec<(usize, &'t Message)>,
) {
    let lane_of = |process: &str| chart.lanes.iter().position(|lane| lane == process);
    let Some(lane) = lane_of(&step.by.process) else { return };
    let to = step.partner.as_ref().and_then(|partner| lane_of(&partner.process));
    // Equal messages cannot be told apart; the oldest is as good as any.
    let same = |(_, sent): &(usize, &Message)| sent.chan == message.chan && sent.values == message.values;
    let from = match message.kind {
        MessageKind::Received => under_way.iter().position(same).map(|position| under_way.remove(position).0),
        MessageKind::Copied => under_way.iter().find(|sent| same(sent)).map(|(position, _)| *position),
        MessageKind::Sent => {
            under_way.push((chart.events.len(), message));
            None
        }
        MessageKind::Lost | MessageKind::Handed => None,
    };
    let (step, kind, label) = (step.step, message.kind, label(message));
    chart.events.push(ChartEvent { step, lane, to, kind, label, from });
}

/// The chart as text: a line for each message, its text in the lane of the process that moves, and an arrow
/// across lanes for a handshake.
pub fn render_text(chart: &Chart) -> String {
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let numbers = widest(&mut chart.events.iter().map(|event| event.step.to_string().len()));
    let names = widest(&mut chart.lanes.iter().map(|lane| lane.chars().count()));
    let labels = widest(&mut chart.events.iter().map(|event| marked(event).chars().count()));
    // Room for a label and the head of an arrow.
    let width = names.max(labels) + 4;
    let mut text = String::new();
    let mut line = " ".repeat(numbers + 1);
    line.extend(chart.lanes.iter().map(|lane| format!("{lane:^width$}")));
    text.push_str(line.trim_end());
    text.push('\n');
    for (index, event) in chart.events.iter().enumerate() {
        if chart.repeats_from(index) {
            text.push_str(CYCLE);
        }
        let cells: Vec<char> = (0..chart.lanes.len())
            .flat_map(|_| format!("{:^width$}", "|").chars().collect::<Vec<_>>())
            .collect();
        let cells = match event.to {
            Some(to) => arrow(cells, event, to, width),
            None => put(cells, &marked(event), event.lane * width, width),
        };
        let row: String = cells.into_iter().collect();
        let line = format!("{:>numbers$} {row}", event.step);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The label with what else is to be said of it.
fn marked(event: &ChartEvent) -> String {
    match event.kind {
        MessageKind::Sent | MessageKind::Received | MessageKind::Handed => event.label.clone(),
        MessageKind::Lost => format!("{} lost", event.label),
        MessageKind::Copied => format!("{} stays", event.label),
    }
}

/// Puts a text in the middle of a cell.
fn put(mut cells: Vec<char>, text: &str, at: usize, width: usize) -> Vec<char> {
    let start = at + (width - text.chars().count()) / 2;
    for (cell, c) in cells[start..].iter_mut().zip(text.chars()) {
        *cell = c;
    }
    cells
}

/// Draws an arrow between the middles of two lanes, with the label on it.
fn arrow(mut cells: Vec<char>, event: &ChartEvent, to: usize, width: usize) -> Vec<char> {
    // `{:^width$}` puts a single character there.
    let middle = |lane: usize| lane * width + (width - 1) / 2;
    let (from, to) = (middle(event.lane), middle(to));
    let (left, right) = (from.min(to), from.max(to));
    cells[left + 1..right].fill('-');
    cells[if to > from { right - 1 } else { left + 1 }] = if to > from { '>' } else { '<' };
    let label = &event.label;
    let room = right - left - 1;
    let start = left + 1 + room.saturating_sub(label.chars().count()) / 2;
    for (cell, c) in cells[start..].iter_mut().zip(label.chars()) {
        *cell = c;
    }
    cells
}

/// Pixels between lanes, between lines of time, and before the first of each.
const LANE: usize = 180;
const ROW: usize = 32;
const LEFT: usize = 110;
const TOP: usize = 56;

/// The chart as an SVG image.
pub fn render_svg(chart: &Chart) -> String {
    let width = LEFT * 2 + LANE * chart.lanes.len().saturating_sub(1);
    let bottom = TOP + ROW * (chart.events.len() + 1);
    let mut svg = String::new();
    let done = draw(chart, &mut svg, width, bottom);
    debug_assert!(done.is_ok(), "a string takes all text");
    svg
}

fn draw(chart: &Chart, svg: &mut String, width: usize, bottom: usize) -> std::fmt::Result {
    let height = bottom + 16;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">"#
    )?;
    writeln!(
        svg,
        r##"<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#1f4e79"/></marker></defs>"##
    )?;
    writeln!(svg, r##"<rect width="100%" height="100%" fill="#ffffff"/>"##)?;
    for (lane, name) in chart.lanes.iter().enumerate() {
        let x = LEFT + LANE * lane;
        let name = escape(name);
        writeln!(svg, r##"<line x1="{x}" y1="40" x2="{x}" y2="{bottom}" stroke="#b0b0b0"/>"##)?;
        writeln!(svg, r#"<text x="{x}" y="28" text-anchor="middle" font-weight="bold">{name}</text>"#)?;
    }
    for (row, event) in chart.events.iter().enumerate() {
        if chart.repeats_from(row) {
            let y = TOP + ROW * row;
            writeln!(
                svg,
                r##"<line x1="8" y1="{y}" x2="{}" y2="{y}" stroke="#c00000" stroke-dasharray="6 4"/><text x="8" y="{}" fill="#c00000">for ever</text>"##,
                width - 8,
                y + 12
            )?;
        }
        draw_event(chart, svg, row, event)?;
    }
    writeln!(svg, "</svg>")
}

fn draw_event(chart: &Chart, svg: &mut String, row: usize, event: &ChartEvent) -> std::fmt::Result {
    let x_of = |lane: usize| LEFT + LANE * lane;
    let y_of = |row: usize| TOP + ROW * row + ROW / 2;
    let (x, y, label) = (x_of(event.lane), y_of(row), escape(&marked(event)));
    writeln!(svg, r##"<text x="8" y="{}" fill="#808080">{}</text>"##, y + 4, event.step)?;
    let line = |svg: &mut String, (x1, y1): (usize, usize), (x2, y2): (usize, usize)| {
        writeln!(
            svg,
            r##"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#1f4e79" marker-end="url(#head)"/>"##
        )
    };
    if let Some(to) = event.to {
        line(svg, (x, y), (x_of(to), y))?;
        let middle = (x + x_of(to)) / 2;
        return writeln!(svg, r#"<text x="{middle}" y="{}" text-anchor="middle">{label}</text>"#, y - 4);
    }
    // From a lane to itself an arrow would lie on the lane.
    if let Some(sent) = event.from
        && chart.events[sent].lane != event.lane
    {
        line(svg, (x_of(chart.events[sent].lane), y_of(sent)), (x, y))?;
    }
    let fill = if event.kind == MessageKind::Lost { "#c00000" } else { "#1f4e79" };
    writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="3" fill="{fill}"/>"#)?;
    writeln!(svg, r#"<text x="{}" y="{}">{label}</text>"#, x + 7, y - 4)
}

/// Text as it may stand in XML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}
