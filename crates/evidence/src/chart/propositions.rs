//! The propositions of a temporal property along an execution: a lane for each proposition, with a
//! bar while it holds, and a row for each step that changes one.
//!
//! *Entry point:* [`propositions_svg`].
//! *Invariant:* between two rows no proposition changes; the cycle of an infinite execution has a
//! row of its own.

use std::fmt::{Result, Write};

use crate::escape::xml;
use crate::trace::{Observed, Trace, TraceStep};

/// Pixels of a character, height of a row, width of a lane, margin.
const CHARACTER: usize = 8;
const ROW: usize = 26;
const LANE: usize = 36;
const MARGIN: usize = 12;

/// The most rows of a chart.
const MOST: usize = 400;

/// The longest text of a row.
const LONGEST: usize = 90;

/// A row: what holds from this step on.
struct Row {
    /// The step; 0 for the initial state.
    step: u64,
    label: String,
    holds: Vec<bool>,
    /// The cycle begins here.
    cycle: bool,
}

/// The chart; none if the execution has no observations or too many changes.
pub fn propositions_svg(trace: &Trace) -> Option<String> {
    let start = trace.start.as_ref()?;
    let mut names: Vec<&String> = Vec::new();
    let seen = trace.steps.iter().filter_map(|step| step.observed.as_ref());
    for observed in std::iter::once(start).chain(seen) {
        for name in &observed.holds {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let rows = rows(trace, start, &names);
    if names.is_empty() || rows.len() > MOST {
        return None;
    }
    let mut svg = String::new();
    let done = draw(&names, &rows, trace.cycle.is_some(), &mut svg);
    debug_assert!(done.is_ok(), "a string takes all text");
    Some(svg)
}

fn rows(trace: &Trace, start: &Observed, names: &[&String]) -> Vec<Row> {
    let holds = |observed: &Observed| names.iter().map(|name| observed.holds.contains(name)).collect();
    let first = holds(start);
    let mut rows = vec![Row { step: 0, label: "initial state".into(), holds: first, cycle: false }];
    let mut waits_for_cycle = trace.cycle;
    for step in &trace.steps {
        let Some(observed) = &step.observed else { continue };
        let now: Vec<bool> = holds(observed);
        let cycle = waits_for_cycle.is_some_and(|first| step.step >= first);
        if cycle || rows.last().is_some_and(|last| last.holds != now) {
            waits_for_cycle = waits_for_cycle.filter(|_| !cycle);
            rows.push(Row { step: step.step, label: label(step), holds: now, cycle });
        }
    }
    if let Some(last) = trace.steps.last().filter(|last| rows.last().is_some_and(|row| row.step < last.step))
    {
        let (holds, cycle) =
            (rows.last().map_or_else(Vec::new, |row| row.holds.clone()), waits_for_cycle.is_some());
        rows.push(Row { step: last.step, label: label(last), holds, cycle });
    }
    rows
}

fn label(step: &TraceStep) -> String {
    let place = step.by.place.as_ref().map(|at| format!("{}:{}  ", at.file, at.line)).unwrap_or_default();
    let statement = step.by.statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = format!("{place}{statement}");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

const STYLE: &str = "<style>
.tracks { font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1b1f24; }
.tracks .ground { fill: #ffffff; } .tracks .lane { stroke: #d5dae0; } .tracks .step { fill: #59636e; }
.tracks .bar { fill: #1f5fa8; } .tracks .bad { fill: #b3141a; } .tracks .rule { stroke: #b3141a; }
.tracks .grid { stroke: #eceff2; }
@media (prefers-color-scheme: dark) {
.tracks { fill: #e3e7ec; } .tracks .ground { fill: #15191e; } .tracks .lane { stroke: #343b44; }
.tracks .step { fill: #97a1ad; } .tracks .bar { fill: #78b2f2; } .tracks .bad { fill: #ff8078; }
.tracks .rule { stroke: #ff8078; } .tracks .grid { stroke: #22282f; }
}
</style>";

fn draw(names: &[&String], rows: &[Row], repeats: bool, svg: &mut String) -> Result {
    let numbers = rows.iter().map(|row| row.step.to_string().len()).max().unwrap_or(1) * CHARACTER;
    let left = MARGIN + numbers + MARGIN;
    let lane = |index: usize| left + index * LANE + LANE / 2;
    let texts = left + names.len() * LANE + MARGIN;
    let key = |index: usize| char::from_u32('A' as u32 + (index % 26) as u32).unwrap_or('?');
    let legend = MARGIN + names.len() * 20 + MARGIN;
    let top = legend + 24;
    let mut y = top;
    let places: Vec<usize> = (rows.iter())
        .map(|row| {
            y += if row.cycle { 2 * ROW } else { ROW };
            y
        })
        .collect();
    let bottom = y + ROW + if repeats { ROW } else { 0 };
    let widest = rows.iter().map(|row| texts + row.label.chars().count() * CHARACTER).max().unwrap_or(0);
    let named =
        names.iter().map(|name| 2 * MARGIN + (name.chars().count() + 4) * CHARACTER).max().unwrap_or(0);
    let width = widest.max(named).max(320) + MARGIN;
    let height = bottom + MARGIN;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tracks" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
    )?;
    writeln!(svg, "<title>Propositions along the execution</title>\n{STYLE}")?;
    writeln!(svg, r#"<rect class="ground" width="100%" height="100%"/>"#)?;
    for (index, name) in names.iter().enumerate() {
        let y = MARGIN + 20 * index + 14;
        writeln!(
            svg,
            r#"<text x="{MARGIN}" y="{y}" xml:space="preserve"><tspan font-weight="bold">{}</tspan>  {}</text>"#,
            key(index),
            xml(name)
        )?;
        let x = lane(index);
        writeln!(
            svg,
            r#"<text x="{x}" y="{}" text-anchor="middle" font-weight="bold">{}</text>"#,
            legend + 14,
            key(index)
        )?;
        writeln!(svg, r#"<line class="lane" x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>"#)?;
    }
    for (row, y) in rows.iter().zip(&places) {
        let (line, end) = (y - ROW / 2, width - MARGIN);
        if row.cycle {
            let (line, text) = (y - ROW - 12, y - ROW + 4);
            writeln!(
                svg,
                r#"<line class="rule" x1="{MARGIN}" y1="{line}" x2="{end}" y2="{line}" stroke-dasharray="6 4"/><text class="bad" x="{texts}" y="{text}">start of cycle</text>"#
            )?;
        } else {
            writeln!(svg, r#"<line class="grid" x1="{left}" y1="{line}" x2="{end}" y2="{line}"/>"#)?;
        }
        writeln!(
            svg,
            r#"<text class="step" x="{}" y="{}" text-anchor="end">{}</text>"#,
            MARGIN + numbers,
            y + 4,
            row.step
        )?;
        writeln!(svg, r#"<text x="{texts}" y="{}" xml:space="preserve">{}</text>"#, y + 4, xml(&row.label))?;
    }
    for index in 0..names.len() {
        bars(rows, &places, index, lane(index), bottom, svg)?;
    }
    if repeats {
        writeln!(
            svg,
            r#"<text class="bad" x="{texts}" y="{}">the cycle repeats forever</text>"#,
            bottom - 4
        )?;
    }
    writeln!(svg, "</svg>")
}

/// The bars of a lane: from each row in which the proposition holds to the first in which it does
/// not.
fn bars(rows: &[Row], places: &[usize], index: usize, x: usize, bottom: usize, svg: &mut String) -> Result {
    let mut at = 0;
    while at < rows.len() {
        let end = (at..rows.len()).find(|row| !rows[*row].holds[index]).unwrap_or(rows.len());
        if end > at {
            let (from, to) = (places[at] - 8, places.get(end).map_or(bottom, |place| place - 12));
            let height = to.saturating_sub(from).max(16);
            writeln!(
                svg,
                r#"<rect class="bar" x="{}" y="{from}" width="12" height="{height}" rx="4"/>"#,
                x - 6
            )?;
        }
        at = end.max(at + 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Mover, tests::single_step};

    #[test]
    fn a_bar_spans_the_steps_in_which_a_proposition_holds() {
        let observed = |holds: &[&str]| Observed {
            holds: holds.iter().map(|one| one.to_string()).collect(),
            claim: None,
        };
        let step = |number: u64, holds: &[&str]| {
            let by =
                Mover { pid: 0, process: "main".into(), place: None, statement: format!("s{number} < 1") };
            let mut step = single_step(by, "").steps.remove(0);
            (step.step, step.observed) = (number, Some(observed(holds)));
            step
        };
        let mut trace = Trace {
            start: Some(observed(&[])),
            cycle: Some(4),
            ..Trace::of(vec![step(1, &["a<b"]), step(2, &["a<b"]), step(3, &[]), step(4, &[])])
        };
        let svg = propositions_svg(&trace).expect("a chart");
        assert_eq!(svg.matches("class=\"bar\"").count(), 1);
        assert!(svg.contains("a&lt;b") && svg.contains("start of cycle") && !svg.contains("s2"), "{svg}");
        trace.start = None;
        assert_eq!(propositions_svg(&trace), None);
    }
}
