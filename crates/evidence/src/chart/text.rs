//! The chart as text: one line for each event, its label in the lane of its process, and a
//! horizontal arrow for a rendezvous.
//!
//! *Entry point:* [`render_text`].

use super::{Chart, ChartEvent, EventKind};
use crate::trace::CYCLE;

/// The chart as text.
pub fn render_text(chart: &Chart) -> String {
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let numbers = widest(&mut chart.events.iter().map(|event| event.step.to_string().len()));
    let names = widest(&mut chart.lanes.iter().map(|lane| lane.chars().count()));
    // A violation has a line of its own.
    let in_lane = |event: &&ChartEvent| event.kind != EventKind::Violation;
    let labels = widest(&mut chart.events.iter().filter(in_lane).map(|event| event.text().chars().count()));
    // A label and the head of an arrow fit.
    let width = names.max(labels) + 4;
    let mut text = String::new();
    let mut line = " ".repeat(numbers + 1);
    line.extend(chart.lanes.iter().map(|lane| format!("{lane:^width$}")));
    text.push_str(line.trim_end());
    text.push('\n');
    for (index, event) in chart.events.iter().enumerate() {
        if chart.cycle_begins_at(index) {
            text.push_str(CYCLE);
        }
        if event.kind == EventKind::Violation {
            text.push_str(&format!("{:numbers$} {}\n", "", event.text()));
            continue;
        }
        let cells: Vec<char> = (0..chart.lanes.len())
            .flat_map(|_| format!("{:^width$}", "|").chars().collect::<Vec<_>>())
            .collect();
        let cells = match event.to {
            Some(to) => arrow(cells, event, to, width),
            None => put(cells, &event.text(), event.lane * width, width),
        };
        let row: String = cells.into_iter().collect();
        let line = format!("{:>numbers$} {row}", event.step);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for sentence in &chart.ending {
        text.push_str(sentence);
        text.push('\n');
    }
    text
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
    let free = right - left - 1;
    let start = left + 1 + free.saturating_sub(label.chars().count()) / 2;
    for (cell, c) in cells[start..].iter_mut().zip(label.chars()) {
        *cell = c;
    }
    cells
}
