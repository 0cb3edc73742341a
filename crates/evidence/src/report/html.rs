//! The report as one self-contained HTML page: verdicts, traces with links into the source, charts,
//! coverage, source text and the command line. It needs no script and loads nothing; colours follow
//! the viewer's light or dark mode.
//!
//! *Entry point:* [`to_html`].
//!
//! *Invariant:* every text of the input passes through [`xml`]; no
//! name, source or value can add markup.

mod calls;

use std::collections::BTreeSet;
use std::fmt::{Result, Write};

use super::{PlaceReport, Report, Verdict, ViolationReport};
use crate::chart::{chart_of, render_svg};
use crate::escape::xml;
use crate::trace::{CallTree, Trace, TraceStep, happenings};

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The report.
    pub report: &'a Report,
    /// The traces of its violations, in their order; fewer may be given.
    pub traces: &'a [Trace],
    /// The source files by name, with their texts.
    pub sources: &'a [(String, String)],
    /// The command line, as typed.
    pub command: &'a str,
}

/// The style of pages.
pub(crate) const STYLE: &str = include_str!("html.css");

/// Source files by name, with their texts.
pub(crate) type Files = [(String, String)];

/// Events beyond which a chart is left out: an image of that height is not readable.
pub(crate) const MOST_CHARTED: usize = 400;

/// The page as HTML.
pub fn to_html(page: &Page) -> String {
    let mut html = String::new();
    let done = write_page(page, &mut html);
    debug_assert!(done.is_ok(), "a string takes all text");
    html
}

pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

fn badge(verdict: Verdict) -> String {
    let sign = match verdict {
        Verdict::Holds => "✓",
        Verdict::Violated => "✗",
        Verdict::Unknown => "?",
    };
    let word = word(verdict);
    format!(r#"<span class="badge {word}">{sign} {word}</span>"#)
}

fn write_page(page: &Page, html: &mut String) -> Result {
    let report = page.report;
    let (name, verdict) = (xml(&report.model), word(report.verdict));
    writeln!(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(html, r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#)?;
    writeln!(
        html,
        "<title>{name}: {verdict} - Axle</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>"
    )?;
    writeln!(html, "<header><h1>{name}</h1>{}</header>", badge(report.verdict))?;
    writeln!(html, "<p class=\"command\"><code>{}</code></p>", xml(page.command))?;
    if let Some(fault) = &report.internal {
        writeln!(html, "<p class=\"bad\">Internal error, no verdict is reliable: {}</p>", xml(fault))?;
    }
    if let Some(stop) = &report.stop {
        writeln!(html, "<p>{}</p>", xml(&stop.message))?;
    }
    for error in &report.errors {
        let place =
            error.place.as_ref().map(|at| format!("{}: ", link(page.sources, at))).unwrap_or_default();
        writeln!(html, "<p class=\"bad\">{place}{}</p>", xml(&error.message))?;
    }
    for condition in &report.conditions {
        writeln!(html, "<p>Condition of the checks that hold: {}</p>", xml(condition))?;
    }
    properties(report, html)?;
    for (index, violation) in report.violations.iter().enumerate() {
        write_violation(page, index, violation, html)?;
    }
    warnings(page, html)?;
    statistics(report, html)?;
    coverage(page, html)?;
    sources(page, html)?;
    writeln!(html, "<footer>Axle {}</footer>\n</main>\n</body>\n</html>", xml(&report.version))
}

fn properties(report: &Report, html: &mut String) -> Result {
    writeln!(html, "<h2>Properties</h2>\n<div class=\"wide\"><table>")?;
    writeln!(html, "<thead><tr><th>Property</th><th>Verdict</th><th>Meaning</th></tr></thead>\n<tbody>")?;
    for property in &report.properties {
        let mut meaning = xml(&property.meaning);
        for remark in property.reason.iter().chain(&property.vacuity).chain(&property.remarks) {
            write!(meaning, "<br><small>{}</small>", xml(remark))?;
        }
        let (name, verdict) = (xml(&property.name), badge(property.verdict));
        writeln!(html, "<tr><td><code>{name}</code></td><td>{verdict}</td><td>{meaning}</td></tr>")?;
    }
    writeln!(html, "</tbody></table></div>")
}

fn write_violation(page: &Page, index: usize, violation: &ViolationReport, html: &mut String) -> Result {
    writeln!(html, "<section id=\"violation-{}\">", index + 1)?;
    writeln!(html, "<h2 class=\"bad\">{}</h2>", xml(&violation.message))?;
    let mut place = format!("Property <code>{}</code>", xml(&violation.property));
    if let Some(process) = &violation.process {
        write!(place, ", process <code>{}</code>", xml(process))?;
    }
    if let Some(at) = &violation.place {
        write!(place, ", at {}", link(page.sources, at))?;
    }
    if let Some(statement) = &violation.statement {
        write!(place, ": <code>{}</code>", xml(statement))?;
    }
    writeln!(html, "<p>{place}</p>")?;
    if !violation.details.is_empty() {
        let items = violation.details.iter().map(|detail| format!("<li>{}</li>", xml(detail)));
        writeln!(html, "<ul>{}</ul>", items.collect::<String>())?;
    }
    if let Some(trace) = page.traces.get(index) {
        write_trace(page.sources, trace, html)?;
        let chart = chart_of(trace);
        if chart.events.len() <= MOST_CHARTED {
            writeln!(html, "<details><summary>Sequence chart</summary><div class=\"wide\">")?;
            writeln!(html, "{}</div></details>", render_svg(&chart))?;
        }
    }
    writeln!(html, "</section>")
}

/// A trace as a table.
pub(crate) fn write_trace(files: &Files, trace: &Trace, html: &mut String) -> Result {
    let count = trace.steps.last().map_or(0, |step| step.step);
    let steps = if count == 1 { "step" } else { "steps" };
    writeln!(html, "<h3>Counterexample: {count} {steps}</h3>")?;
    if CallTree::is_folded(trace) {
        return calls::write(files, trace, html);
    }
    writeln!(html, "<div class=\"wide\"><table class=\"trace\">")?;
    let heads = ["Step", "Process", "Location", "Statement", "Effect"];
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    writeln!(html, "<thead><tr>{heads}</tr></thead>\n<tbody>")?;
    let mut cycle = trace.cycle;
    for step in &trace.steps {
        if cycle.is_some_and(|first| step.step >= first) {
            writeln!(html, "<tr class=\"cycle\"><td colspan=\"5\">start of cycle</td></tr>")?;
            cycle = None;
        }
        write_step(files, step, html)?;
    }
    writeln!(html, "</tbody></table></div>")
}

fn write_step(files: &Files, step: &TraceStep, html: &mut String) -> Result {
    let number = match step.parts {
        1 => step.step.to_string(),
        _ => format!("{}.{}", step.step, step.part),
    };
    let (mut process, mut statement) = (xml(&step.by.process), code(&step.by.statement));
    let mut place = step.by.place.as_ref().map(|place| link(files, place)).unwrap_or_default();
    if let Some(partner) = &step.partner {
        write!(process, "<br>{}", xml(&partner.process))?;
        write!(statement, "<br>{}", code(&partner.statement))?;
        if let Some(at) = &partner.place {
            write!(place, "<br>{}", link(files, at))?;
        }
    }
    let lane = step.by.pid % 6;
    writeln!(
        html,
        "<tr class=\"p{lane}\"><td>{number}</td><td>{process}</td><td>{place}</td><td>{statement}</td><td>{}</td></tr>",
        xml(&happenings(step))
    )?;
    for fault in &step.faults {
        writeln!(html, "<tr class=\"bad\"><td></td><td colspan=\"4\">✗ {}</td></tr>", xml(fault))?;
    }
    Ok(())
}

/// A text as code.
pub(crate) fn code(text: &str) -> String {
    format!("<code>{}</code>", xml(text))
}

/// A location, linked to its line if the page contains the source.
pub(crate) fn link(files: &Files, place: &PlaceReport) -> String {
    let text = format!("{}:{}", xml(&place.file), place.line);
    match files.iter().position(|(name, _)| *name == place.file) {
        Some(file) => format!("<a href=\"#f{file}l{}\">{text}</a>", place.line),
        None => text,
    }
}

fn warnings(page: &Page, html: &mut String) -> Result {
    if page.report.warnings.is_empty() {
        return Ok(());
    }
    writeln!(html, "<h2>Warnings</h2>\n<ul>")?;
    for warning in &page.report.warnings {
        let place = warning.place.as_ref().map(|place| format!(" ({})", link(page.sources, place)));
        writeln!(html, "<li>{}{}</li>", xml(&warning.message), place.unwrap_or_default())?;
    }
    writeln!(html, "</ul>")
}

fn statistics(report: &Report, html: &mut String) -> Result {
    let search = &report.search;
    let rows = [
        ("States", search.states.to_string()),
        ("Transitions", search.transitions.to_string()),
        ("Depth", search.depth.to_string()),
        ("Bytes per state", search.state_bytes.to_string()),
        ("Memory for states", format!("{} KiB", search.states_memory.div_ceil(1024))),
        ("Search order", search.order.clone()),
        ("State store", search.store.clone()),
        ("Engine", search.engine.clone()),
        ("Time", format!("{:.3} s", search.seconds)),
    ];
    writeln!(html, "<h2>Search</h2>\n<dl>")?;
    for (name, value) in rows {
        writeln!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", xml(&value))?;
    }
    writeln!(html, "</dl>")
}

fn coverage(page: &Page, html: &mut String) -> Result {
    let unreached = &page.report.unreached;
    if unreached.is_empty() {
        return Ok(());
    }
    writeln!(html, "<h2>Coverage</h2>")?;
    for process in unreached {
        let reached = process.statements.saturating_sub(process.unreached.len() as u64);
        writeln!(
            html,
            "<p><code>{}</code>: {reached} of {} statements reached</p>",
            xml(&process.process),
            process.statements
        )?;
        if process.unreached.is_empty() {
            continue;
        }
        writeln!(html, "<ul>")?;
        for statement in &process.unreached {
            let place = statement.place.as_ref().map(|place| link(page.sources, place)).unwrap_or_default();
            writeln!(html, "<li>{place} {}</li>", code(&statement.text))?;
        }
        writeln!(html, "</ul>")?;
    }
    Ok(())
}

/// The source files; lines of a counterexample and lines that were not reached are marked.
fn sources(page: &Page, html: &mut String) -> Result {
    let report = page.report;
    let faulty = report.violations.iter().filter_map(|one| one.place.as_ref());
    let unreached = report.unreached.iter().flat_map(|process| &process.unreached);
    let lines = MarkedLines::new(page.traces, faulty, unreached.filter_map(|one| one.place.as_ref()));
    write_sources(page.sources, &lines, html)
}

/// Lines that are marked in the sources.
pub(crate) struct MarkedLines<'a> {
    executed: BTreeSet<(&'a str, u32)>,
    faulty: BTreeSet<(&'a str, u32)>,
    unreached: BTreeSet<(&'a str, u32)>,
}

impl<'a> MarkedLines<'a> {
    /// The lines of traces, of violations, and of statements that were not reached.
    pub(crate) fn new(
        traces: impl IntoIterator<Item = &'a Trace>,
        faulty: impl Iterator<Item = &'a PlaceReport>,
        unreached: impl Iterator<Item = &'a PlaceReport>,
    ) -> MarkedLines<'a> {
        let line = |place: &'a PlaceReport| (place.file.as_str(), place.line);
        let steps = traces.into_iter().flat_map(|trace| &trace.steps);
        MarkedLines {
            executed: steps.filter_map(|step| step.by.place.as_ref()).map(line).collect(),
            faulty: faulty.map(line).collect(),
            unreached: unreached.map(line).collect(),
        }
    }
}

/// Source files as tables with a row for each line.
pub(crate) fn write_sources(files: &Files, lines: &MarkedLines, html: &mut String) -> Result {
    for (file, (name, text)) in files.iter().enumerate() {
        writeln!(html, "<h2>{}</h2>\n<div class=\"wide\"><table class=\"source\"><tbody>", xml(name))?;
        for (line, text) in (1..).zip(text.lines()) {
            let at = (name.as_str(), line);
            let class = match at {
                at if lines.faulty.contains(&at) => " class=\"fault\"",
                at if lines.executed.contains(&at) => " class=\"executed\"",
                at if lines.unreached.contains(&at) => " class=\"unreached\"",
                _ => "",
            };
            writeln!(
                html,
                "<tr id=\"f{file}l{line}\"{class}><td>{line}</td><td><pre>{}</pre></td></tr>",
                xml(text)
            )?;
        }
        writeln!(html, "</tbody></table></div>")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Mover;

    fn place(file: &str, line: u32) -> PlaceReport {
        PlaceReport { file: file.into(), line, column: 1, end_line: line, end_column: 2 }
    }

    /// A report in which every text is an attempt to add markup.
    fn hostile() -> (Report, Trace, String) {
        let evil = "\"><script>alert('x')</script>\u{0}".to_string();
        let report = Report {
            model: evil.clone(),
            version: evil.clone(),
            verdict: Verdict::Violated,
            violations: vec![ViolationReport {
                property: evil.clone(),
                kind: evil.as_str().into(),
                message: evil.clone(),
                process: Some(evil.clone()),
                place: Some(place(&evil, 1)),
                statement: Some(evil.clone()),
                depth: 1,
                count: 1,
                details: vec![evil.clone()],
                path: Vec::new(),
                cycle: None,
                attempt: None,
                rows: Vec::new(),
            }],
            ..crate::report::tests::empty()
        };
        let mover =
            Mover { pid: 0, process: evil.clone(), place: Some(place(&evil, 1)), statement: evil.clone() };
        let trace = Trace { cycle: Some(1), ..crate::trace::tests::single_step(mover, &evil) };
        (report, trace, evil)
    }

    #[test]
    fn no_text_of_the_input_becomes_markup() {
        let (report, trace, evil) = hostile();
        let sources = [(evil.clone(), evil.clone())];
        let html = to_html(&Page { report: &report, traces: &[trace], sources: &sources, command: &evil });
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains('\u{0}'));
        assert!(html.contains("href=\"#f0l1\""), "steps are linked to the source");
        assert!(html.contains("id=\"f0l1\" class=\"fault\""));
    }
}
