//! The chart as text: one line for each event, its label in the lane of its process, and a
//! horizontal arrow for a rendezvous. A label that does not fit its lane continues below; one that
//! does not fit its arrow stands above it.
//!
//! *Entry point:* [`render_text`].

use super::fit::{fitted, pieces};
use super::{Chart, ChartEvent, EventKind};
use crate::trace::CYCLE;
use crate::wrap::wrap;

/// Columns of a lane beside its labels: a label and the head of an arrow fit.
const MARGIN: usize = 4;

/// The chart as text, in lines of at most `limit` characters unless there are too many lanes.
pub fn render_text(chart: &Chart, limit: Option<usize>) -> String {
    let drawing = Drawing::new(chart, limit);
    let mut text = drawing.names(&chart.lanes);
    for (index, event) in chart.events.iter().enumerate() {
        if chart.cycle_begins_at(index) {
            text.push_str(CYCLE);
        }
        text.push_str(&match (event.kind, event.to) {
            // A violation has a line of its own.
            (EventKind::Violation, _) => {
                let margin = drawing.numbers + 1;
                wrap(&format!("{:margin$}{}", "", event.text()), limit, margin + 3)
            }
            (_, Some(to)) => drawing.arrow(event, to),
            (_, None) => drawing.event(&event.step.to_string(), event.lane, &event.text()),
        });
    }
    text.extend(chart.ending.iter().map(|sentence| wrap(sentence, limit, 4)));
    text
}

/// The measures of a chart, in characters.
struct Drawing {
    lanes: usize,
    /// Width of the numbers of steps.
    numbers: usize,
    /// Width of each lane.
    lane: usize,
}

impl Drawing {
    fn new(chart: &Chart, limit: Option<usize>) -> Drawing {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let numbers = widest(&mut chart.events.iter().map(|event| event.step.to_string().len()));
        let names = widest(&mut chart.lanes.iter().map(|lane| lane.chars().count()));
        let in_lane = |event: &&ChartEvent| event.kind != EventKind::Violation;
        let labels =
            widest(&mut chart.events.iter().filter(in_lane).map(|event| event.text().chars().count()));
        let natural = vec![names.max(labels) + MARGIN; chart.lanes.len()];
        let lanes = match limit {
            Some(limit) => fitted(natural, limit.saturating_sub(numbers + 1)),
            None => natural,
        };
        Drawing { lanes: lanes.len(), numbers, lane: lanes.into_iter().min().unwrap_or(0) }
    }

    /// A line of the chart.
    fn line(&self, number: &str, cells: impl IntoIterator<Item = char>) -> String {
        let cells: String = cells.into_iter().collect();
        let line = format!("{number:>width$} {cells}", width = self.numbers);
        format!("{}\n", line.trim_end())
    }

    /// The names of the lanes.
    fn names(&self, names: &[String]) -> String {
        let names: Vec<_> = names.iter().map(|name| pieces(name, self.lane - 1)).collect();
        let height = names.iter().map(Vec::len).max().unwrap_or(0);
        let row = |line: usize| {
            let piece = |name: &Vec<String>| name.get(line).cloned().unwrap_or_default();
            let cells = names.iter().map(|name| format!("{:^width$}", piece(name), width = self.lane));
            self.line("", cells.collect::<String>().chars())
        };
        (0..height.max(1)).map(row).collect()
    }

    /// The lanes without event.
    fn bars(&self) -> Vec<char> {
        format!("{:^width$}", "|", width = self.lane).repeat(self.lanes).chars().collect()
    }

    /// An event of one lane.
    fn event(&self, number: &str, lane: usize, label: &str) -> String {
        let mut text = String::new();
        for (row, piece) in pieces(label, self.lane - 1).iter().enumerate() {
            let mut cells = self.bars();
            let start = lane * self.lane + (self.lane - piece.chars().count()) / 2;
            put(&mut cells[start..], piece);
            text.push_str(&self.line(if row == 0 { number } else { "" }, cells));
        }
        text
    }

    /// A rendezvous: an arrow between the middles of two lanes, with the label on it.
    fn arrow(&self, event: &ChartEvent, to: usize) -> String {
        // `{:^width$}` puts a single character there.
        let middle = |lane: usize| lane * self.lane + (self.lane - 1) / 2;
        let (from, end) = (middle(event.lane), middle(to));
        let (left, right) = (from.min(end), from.max(end));
        let mut cells = self.bars();
        cells[left + 1..right].fill('-');
        cells[if end > from { right - 1 } else { left + 1 }] = if end > from { '>' } else { '<' };
        let free = right - left - 1;
        let length = event.label.chars().count();
        let number = event.step.to_string();
        if length + 2 > free {
            return self.event(&number, event.lane, &event.label) + &self.line("", cells);
        }
        put(&mut cells[left + 1 + (free - length) / 2..], &event.label);
        self.line(&number, cells)
    }
}

/// Puts a text over the first cells.
fn put(cells: &mut [char], text: &str) {
    for (cell, c) in cells.iter_mut().zip(text.chars()) {
        *cell = c;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::MessageKind;

    #[test]
    fn lines_fit_the_width_and_lose_no_character() {
        let event = |lane, to, label: &str| ChartEvent {
            step: 1,
            lane,
            to,
            kind: EventKind::Message(MessageKind::Sent),
            label: label.to_string(),
            from: None,
        };
        let lanes = ["a_long_name_of_a_process(1)", "b(2)", "c(3)"];
        let chart = Chart {
            lanes: lanes.map(str::to_string).to_vec(),
            events: vec![
                event(0, None, "channel!message, 12, 13, 14"),
                event(1, Some(0), "rendezvous!incomprehensible"),
                event(0, Some(2), "x!1"),
            ],
            cycle: None,
            ending: vec!["a sentence that is longer than the line".to_string()],
        };
        for width in [26, 40, 60, 200] {
            let text = render_text(&chart, Some(width));
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
            let letters = |text: &str| -> usize { text.chars().filter(|c| c.is_alphanumeric()).count() };
            let events = chart.events.iter().map(|event| format!("1{}", event.label));
            let told: String = events.chain(chart.lanes.clone()).chain(chart.ending.clone()).collect();
            assert_eq!(letters(&text), letters(&told), "{width}:\n{text}");
        }
    }
}
