//! The calls of an execution: a table of the default view, and the whole tree as nested elements that
//! fold without script.
//!
//! *Entry point:* [`write`].

use std::fmt::{Result, Write};

use super::{Files, code, link};
use crate::escape::xml;
use crate::trace::{CallRow, CallTree, NamedEvent, ROWS, RowKind, Trace, TraceStep, tags};

/// Effects of a row that are written; the rows below it have them all.
const MOST_EFFECTS: usize = 6;

/// The default view, and everything below it in a part that is folded.
pub(super) fn write(files: &Files, trace: &Trace, html: &mut String) -> Result {
    let tree = CallTree::new(trace, ROWS);
    let cycle = |from: u64, to: u64| trace.cycle.is_some_and(|begin| (from..=to).contains(&begin));
    writeln!(html, "<div class=\"wide\"><table class=\"calls\">")?;
    for (row, is_open) in tree.shown() {
        let (first, last) = (&trace.steps[row.first], &trace.steps[row.last]);
        if cycle(first.step, if is_open { first.step } else { last.step }) {
            writeln!(html, "<tr class=\"cycle\"><td colspan=\"3\">the cycle begins</td></tr>")?;
        }
        let events = tags(trace, &tree, row);
        let tags = events.iter().map(|event| tag(event)).collect::<String>();
        let effects = if is_open { String::new() } else { effects(row) };
        writeln!(
            html,
            "<tr id=\"step-{0}\"><td>{0}</td><td class=\"level\" style=\"--level:{1}\">{2}{3}</td><td>{tags}{effects}</td></tr>",
            first.step,
            row.level.min(12),
            code(&row.text),
            at(files, first)
        )?;
        let steps = if is_open { &[][..] } else { &trace.steps[row.first..=row.last] };
        for fault in steps.iter().flat_map(|step| &step.faults) {
            writeln!(html, "<tr class=\"bad\"><td></td><td colspan=\"2\">✗ {}</td></tr>", xml(fault))?;
        }
    }
    writeln!(html, "</table></div>\n<details><summary>All calls and statements</summary>")?;
    whole(files, trace, &tree, html)?;
    writeln!(html, "</details>")
}

/// The tree; a call is open where the default view shows rows below it. The provisioning is one line: its
/// statements are generated.
fn whole(files: &Files, trace: &Trace, tree: &CallTree, html: &mut String) -> Result {
    writeln!(html, "<div class=\"tree\">")?;
    // The levels of the elements that are open.
    let mut open: Vec<u32> = Vec::new();
    let mut cycle = trace.cycle;
    let mut generated: Option<u32> = None;
    for (at, row) in tree.rows.iter().enumerate() {
        if generated.is_some_and(|level| row.level > level) {
            continue;
        }
        generated = (row.kind == RowKind::Provisioning).then_some(row.level);
        while open.pop_if(|level| *level >= row.level).is_some() {
            writeln!(html, "</details>")?;
        }
        let first = &trace.steps[row.first];
        if cycle.is_some_and(|begin| first.step >= begin) {
            writeln!(html, "<p class=\"cycle\">the cycle begins</p>")?;
            cycle = None;
        }
        let line = line(files, trace, tree, row);
        let mut below = tree.rows[at + 1..].iter().take_while(|next| next.level > row.level).peekable();
        if below.peek().is_some() && generated.is_none() {
            let state = if below.any(|next| next.shown) { " open" } else { "" };
            writeln!(html, "<details{state}><summary>{line}</summary>")?;
            open.push(row.level);
        } else {
            writeln!(html, "<p>{line}</p>")?;
        }
        if row.kind == RowKind::Statement {
            for fault in &first.faults {
                writeln!(html, "<p class=\"bad\">✗ {}</p>", xml(fault))?;
            }
        }
    }
    for _ in open {
        writeln!(html, "</details>")?;
    }
    writeln!(html, "</div>")
}

/// Number, call, events, effects and location of a row.
fn line(files: &Files, trace: &Trace, tree: &CallTree, row: &CallRow) -> String {
    let step = &trace.steps[row.first];
    let is_last = tree.rows.iter().rfind(|other| other.first == row.first);
    let events = trace.account.iter().flat_map(|account| &account.events);
    let own =
        events.filter(|event| event.step == step.step && is_last.is_some_and(|last| std::ptr::eq(last, row)));
    let tags = own.map(tag).collect::<String>();
    format!(
        "<span class=\"number\">{}</span> {}{} {tags}{}",
        step.step,
        code(&row.text),
        at(files, step),
        effects(row)
    )
}

fn tag(event: &NamedEvent) -> String {
    let class = if event.forbidden { "event bad" } else { "event" };
    format!("<b class=\"{class}\">{}</b> ", xml(&event.name))
}

fn effects(row: &CallRow) -> String {
    let effects: Vec<&str> = row.effects.iter().take(MOST_EFFECTS).map(String::as_str).collect();
    let more = if row.effects.len() > MOST_EFFECTS { "; ..." } else { "" };
    xml(&format!("{}{more}", effects.join("; ")))
}

fn at(files: &Files, step: &TraceStep) -> String {
    let place = step.by.place.as_ref().filter(|place| !place.is_generated());
    place.map_or_else(String::new, |place| format!(" <span class=\"at\">{}</span>", link(files, place)))
}
