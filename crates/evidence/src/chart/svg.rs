//! The chart as an SVG image whose size follows its text.
//!
//! *Entry point:* [`render_svg`].
//!
//! All text is monospaced, so that widths can be computed without a font: the distance of two lanes
//! is the widest label between them. Colours follow the viewer's light or dark mode.

use std::fmt::{Result, Write};

use super::{Chart, ChartEvent, EventKind};
use crate::escape::xml;
use crate::trace::MessageKind;

/// Pixels that a character of 12 px monospaced text takes, rounded up.
const CHARACTER: usize = 8;
/// Height of an event.
const ROW: usize = 28;
/// Height of the heading with the names of the lanes.
const TOP: usize = 48;
/// Margin on all sides, and least distance of texts.
const MARGIN: usize = 12;

const STYLE: &str = "<style>
.chart { font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1b1f24; }
.chart .ground { fill: #ffffff; }
.chart .lane { stroke: #b6bcc4; }
.chart .step { fill: #6b7480; }
.chart .name { font-weight: bold; }
.chart .arrow { stroke: #1f5fa8; } .chart .head, .chart .dot { fill: #1f5fa8; }
.chart .bad { fill: #c4161c; } .chart .rule { stroke: #c4161c; }
@media (prefers-color-scheme: dark) {
.chart { fill: #e3e7ec; }
.chart .ground { fill: #15191e; }
.chart .lane { stroke: #4a525c; }
.chart .step { fill: #97a1ad; }
.chart .arrow { stroke: #78b2f2; } .chart .head, .chart .dot { fill: #78b2f2; }
.chart .bad { fill: #ff7b72; } .chart .rule { stroke: #ff7b72; }
}
</style>";

/// Where everything is, in pixels.
struct Layout {
    /// The x coordinate of each lane.
    lanes: Vec<usize>,
    /// The y coordinate of each event.
    rows: Vec<usize>,
    width: usize,
    /// Where the lanes end.
    bottom: usize,
    height: usize,
}

/// The chart as an SVG image.
pub fn render_svg(chart: &Chart) -> String {
    let mut svg = String::new();
    let done = draw(chart, &layout(chart), &mut svg);
    debug_assert!(done.is_ok(), "a string takes all text");
    svg
}

/// The width of a text.
fn wide(text: &str) -> usize {
    text.chars().count() * CHARACTER
}

fn layout(chart: &Chart) -> Layout {
    let numbers = chart.events.iter().map(|event| wide(&event.step.to_string())).max().unwrap_or(0);
    // The width needed to the right of each lane, and half the name on both sides.
    let mut right: Vec<usize> = chart.lanes.iter().map(|name| wide(name) / 2 + MARGIN).collect();
    let halves = right.clone();
    for event in &chart.events {
        let needed = wide(&event.text()) + 2 * MARGIN;
        match event.to {
            Some(to) => {
                // The label of an arrow across several lanes shares their distances.
                let (first, last) = (event.lane.min(to), event.lane.max(to));
                let each = needed.div_ceil((last - first).max(1));
                right[first..last.max(first + 1)].iter_mut().for_each(|gap| *gap = (*gap).max(each));
            }
            None => right[event.lane] = right[event.lane].max(needed),
        }
    }
    let mut x = MARGIN + numbers + MARGIN + halves.first().copied().unwrap_or(0);
    let mut lanes = Vec::new();
    for (lane, gap) in right.iter().enumerate() {
        lanes.push(x);
        let next = halves.get(lane + 1).copied().unwrap_or(0);
        x += (*gap).max(halves[lane] + next + MARGIN);
    }
    let mut y = TOP;
    let mut rows = Vec::new();
    for index in 0..chart.events.len() {
        // The heading of the cycle takes a row of its own.
        y += if chart.cycle_begins_at(index) { 2 * ROW } else { ROW };
        rows.push(y);
    }
    let bottom = y + ROW / 2;
    let ending = chart.ending.iter().map(|sentence| wide(sentence)).max().unwrap_or(0);
    let width = (x + MARGIN).max(ending + 2 * MARGIN);
    Layout { lanes, rows, width, bottom, height: bottom + chart.ending.len() * 18 + 2 * MARGIN }
}

fn draw(chart: &Chart, layout: &Layout, svg: &mut String) -> Result {
    let Layout { width, height, bottom, .. } = layout;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
    )?;
    writeln!(svg, "<title>Sequence chart</title>\n{STYLE}")?;
    writeln!(
        svg,
        r#"<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0,0 L8,4 L0,8 z"/></marker></defs>"#
    )?;
    writeln!(svg, r#"<rect class="ground" width="100%" height="100%"/>"#)?;
    for (x, name) in layout.lanes.iter().zip(&chart.lanes) {
        writeln!(svg, r#"<line class="lane" x1="{x}" y1="36" x2="{x}" y2="{bottom}"/>"#)?;
        writeln!(svg, r#"<text class="name" x="{x}" y="26" text-anchor="middle">{}</text>"#, xml(name))?;
    }
    // The lane to which the message of an event goes.
    let mut goals: Vec<Option<usize>> = vec![None; chart.events.len()];
    for event in &chart.events {
        if let Some(sent) = event.from {
            goals[sent] = Some(event.lane);
        }
    }
    for (index, event) in chart.events.iter().enumerate() {
        if chart.cycle_begins_at(index) {
            let (y, end) = (layout.rows[index] - ROW, width - MARGIN);
            writeln!(
                svg,
                r#"<line class="rule" x1="{MARGIN}" y1="{y}" x2="{end}" y2="{y}" stroke-dasharray="6 4"/><text class="bad" x="{MARGIN}" y="{}">start of cycle</text>"#,
                y + 14
            )?;
        }
        draw_event(chart, layout, svg, (index, goals[index]), event)?;
    }
    for (index, sentence) in chart.ending.iter().enumerate() {
        let y = bottom + MARGIN + 18 * index + 6;
        writeln!(
            svg,
            r#"<text class="bad" x="{MARGIN}" y="{y}" xml:space="preserve">{}</text>"#,
            xml(sentence)
        )?;
    }
    writeln!(svg, "</svg>")
}

/// Draws an event. `goal`: the lane to which its message goes.
fn draw_event(
    chart: &Chart,
    layout: &Layout,
    svg: &mut String,
    (index, goal): (usize, Option<usize>),
    event: &ChartEvent,
) -> Result {
    let (x, y, label) = (layout.lanes[event.lane], layout.rows[index], xml(&event.text()));
    writeln!(svg, r#"<text class="step" x="{MARGIN}" y="{}">{}</text>"#, y + 4, event.step)?;
    let arrow = |svg: &mut String, (x1, y1): (usize, usize)| {
        writeln!(
            svg,
            r#"<line class="arrow" x1="{x1}" y1="{y1}" x2="{x}" y2="{y}" marker-end="url(#head)"/>"#
        )
    };
    if let Some(to) = event.to {
        let to = layout.lanes[to];
        writeln!(
            svg,
            r#"<line class="arrow" x1="{x}" y1="{y}" x2="{to}" y2="{y}" marker-end="url(#head)"/>"#
        )?;
        return writeln!(
            svg,
            r#"<text x="{}" y="{}" text-anchor="middle">{label}</text>"#,
            usize::midpoint(x, to),
            y - 5
        );
    }
    // An arrow from a lane to itself would be hidden by the lane.
    if let Some(sent) = event.from
        && chart.events[sent].lane != event.lane
    {
        arrow(svg, (layout.lanes[chart.events[sent].lane], layout.rows[sent]))?;
    }
    let class = match event.kind {
        EventKind::Violation | EventKind::Message(MessageKind::Lost) => "bad",
        EventKind::Message(_) | EventKind::Step => "",
    };
    if event.kind == EventKind::Violation {
        let (left, right, top, low) = (x - 5, x + 5, y - 5, y + 5);
        writeln!(
            svg,
            r#"<path class="rule" d="M{left},{top} L{right},{low} M{left},{low} L{right},{top}" stroke-width="2"/>"#
        )?;
    } else {
        let class = if class.is_empty() { "dot" } else { class };
        writeln!(svg, r#"<circle class="{class}" cx="{x}" cy="{y}" r="3"/>"#)?;
    }
    let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
    // The label is to the right; an arrow on this side leaves downwards or arrives from above.
    let is_right = |lane: usize| lane > event.lane;
    let from = event.from.map(|sent| chart.events[sent].lane);
    let baseline = match (goal.is_some_and(is_right), from.is_some_and(is_right)) {
        (true, _) => y - 4,
        (false, true) => y + 8,
        (false, false) => y + 4,
    };
    writeln!(svg, r#"<text{class} x="{}" y="{baseline}">{label}</text>"#, x + 9)
}
