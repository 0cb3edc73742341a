//! A timeline as a picture: marks in order on a line, bars above it.
//!
//! *Entry points:* [`figure`], and [`annotated`] for the marks on an execution.
//! *Source:* the timeline editor of FeaVer, G. J. Holzmann and M. H. Smith, "FeaVer 1.0 User Guide",
//! Bell Labs, 2000.

use std::fmt::Write;

use axle_ltl::print::formula;
use axle_ltl::timeline::{MarkKind, Timeline};

use axle_evidence::escape::xml;

/// Pixels between marks, of a bar's row, of a character, and around the picture.
const LEAST_APART: usize = 150;
const ROW: usize = 34;
const CHARACTER: usize = 7;
const MARGIN: usize = 30;

/// The letter and the meaning of a mark.
#[must_use]
pub fn letter(kind: MarkKind) -> (&'static str, &'static str) {
    match kind {
        MarkKind::Event => ("e", "event"),
        MarkKind::Required => ("r", "required"),
        MarkKind::Target => ("t", "target, required"),
        MarkKind::Forbidden => ("x", "must not occur"),
    }
}

/// What became of a mark in an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The style: `matched`, `missing`, `occurs` or `irrelevant`.
    pub fate: &'static str,
    /// The text below the mark.
    pub text: String,
    /// Where the text leads to.
    pub link: Option<String>,
}

/// The picture of a timeline.
#[must_use]
pub fn figure(timeline: &Timeline) -> String {
    annotated(timeline, &[])
}

/// The picture of a timeline with a note below each mark.
#[must_use]
pub fn annotated(timeline: &Timeline, notes: &[Note]) -> String {
    let atoms = &timeline.atoms;
    let marks: Vec<(String, String)> = (timeline.marks.iter())
        .map(|mark| (mark.name.clone(), clipped(&formula(&mark.condition, atoms), 44)))
        .collect();
    let widest = marks.iter().map(|(name, condition)| name.len().max(condition.chars().count())).max();
    let apart = (widest.unwrap_or(0) * CHARACTER + 24).clamp(LEAST_APART, 330);
    let x_of = |mark: usize| MARGIN + apart / 2 + mark * apart;
    let line = 24 + timeline.bars.len() * ROW + 16;
    let height = line + if notes.is_empty() { 76 } else { 96 };
    let width = MARGIN * 2 + apart * marks.len();
    // An image has no links inside.
    let role = if notes.iter().any(|note| note.link.is_some()) { "group" } else { "img" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" role=\"{role}\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\"><title>Timeline {}</title>",
        xml(&timeline.name)
    );
    for (row, bar) in timeline.bars.iter().enumerate() {
        let (from, to, y) = (x_of(bar.from), x_of(bar.to), 24 + row * ROW + 12);
        let label = xml(&clipped(&formula(&bar.condition, atoms), (to - from) / CHARACTER));
        // A string takes all text.
        let _ = write!(
            svg,
            "<path class=\"bar\" d=\"M{from} {} v12 M{from} {y} H{to} M{to} {} v12\"/>\
             <path class=\"guide\" d=\"M{from} {y} V{line} M{to} {y} V{line}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            y - 6,
            y - 6,
            usize::midpoint(from, to),
            y - 7
        );
    }
    // A string takes all text.
    let _ = write!(svg, "<path class=\"axis\" d=\"M{MARGIN} {line} H{}\"/>", width - MARGIN);
    for (index, mark) in timeline.marks.iter().enumerate() {
        let (x, (letter, meaning)) = (x_of(index), letter(mark.kind));
        let (name, condition) = &marks[index];
        let note = notes.get(index);
        let condition = if condition == name { "" } else { condition };
        // A string takes all text.
        let _ = write!(
            svg,
            "<g class=\"mark is-{letter}{}\"><title>{meaning}</title><circle cx=\"{x}\" cy=\"{line}\" r=\"11\"/>\
             <text class=\"letter\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{letter}</text></g>\
             <text class=\"name\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"condition\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            note.map(|note| format!(" fate-{}", note.fate)).unwrap_or_default(),
            line + 4,
            line + 32,
            xml(name),
            line + 52,
            xml(condition)
        );
        if let Some(note) = note {
            svg.push_str(&below(note, x, line + 76));
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The note below a mark.
fn below(note: &Note, x: usize, y: usize) -> String {
    let (fate, text) = (note.fate, xml(&note.text));
    let text =
        format!("<text class=\"note fate-{fate}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
    match &note.link {
        Some(link) => format!("<a href=\"{}\">{text}</a>", xml(link)),
        None => text,
    }
}

/// A text of at most `most` characters; an ellipsis shows that it was longer.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_bars_are_drawn_and_escaped() {
        let text =
            "timeline dial\ne lifted = {a < 1}\nt tone = {b}\nbar {a <script> b} from lifted to tone\n";
        let timeline = axle_ltl::timeline::parse(text).expect("a timeline");
        let svg = figure(&timeline);
        assert!(svg.contains("is-e") && svg.contains("is-t") && svg.contains("class=\"bar\""), "{svg}");
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("role=\"img\""), "{svg}");
        let note = Note { fate: "matched", text: "step 3".to_string(), link: Some("#step-3".to_string()) };
        let svg = annotated(&timeline, &[note.clone(), note]);
        assert!(svg.contains("role=\"group\"") && svg.contains("href=\"#step-3\""), "{svg}");
    }
}
