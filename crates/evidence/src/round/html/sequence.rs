//! The error sequences of a page: the violation, charts, and the execution with all statements.

use std::fmt::{Result, Write};

use super::parts::{RoundPage, badge, id, requirement_id};
use crate::chart::{chart_of, propositions_svg, render_svg};
use crate::escape::xml;
use crate::markdown::first_sentence;
use crate::quantities::counted;
use crate::report::ViolationKind;
use crate::report::html::{MOST_CHARTED, code, link, write_trace};
use crate::round::{Example, RoundProperty, RoundRun};
use crate::trace::{CallTree, Trace};

/// Executions up to this length are shown at once.
const SHORT: usize = 40;

pub(super) fn write(page: &RoundPage, html: &mut String) -> Result {
    let violated: Vec<_> = page.round.runs().filter(|(_, run)| run.violation.is_some()).collect();
    if violated.is_empty() {
        return Ok(());
    }
    writeln!(html, "<h2 id=\"sequences\">Error sequences</h2>")?;
    for (property, run) in violated {
        one(page, property, run, html)?;
    }
    Ok(())
}

fn one(page: &RoundPage, property: &RoundProperty, run: &RoundRun, html: &mut String) -> Result {
    let Some(violation) = &run.violation else { return Ok(()) };
    writeln!(html, "<article id=\"{}\">", id("run", &run.name))?;
    writeln!(html, "<header><h4>{}</h4>{}</header>", xml(&run.name), badge(run.judgement))?;
    let mut about =
        format!("Property <a href=\"#{}\">{}</a>", id("property", &property.name), xml(&property.name));
    if let Some(requirement) = property.requirement.as_ref().filter(|one| !one.anchor.is_empty()) {
        let target = requirement_id(&requirement.document, &requirement.anchor);
        write!(about, ", requirement <a href=\"#{target}\">{}</a>", xml(&requirement.name()))?;
    }
    writeln!(html, "<p>{about}.</p>")?;
    let mut place = String::new();
    if let Some(process) = &violation.process {
        write!(place, "process {}", code(process))?;
    }
    if let Some(at) = &violation.place {
        write!(place, " at {}", link(page.sources, at))?;
    }
    if let Some(statement) = &violation.statement {
        write!(place, ": {}", code(statement))?;
    }
    let place = if place.is_empty() { String::new() } else { format!("<br>{place}") };
    let words = first_sentence(&property.words);
    match &violation.kind {
        // The message of a temporal property is its formula.
        ViolationKind::Formula if !words.is_empty() => writeln!(
            html,
            "<p class=\"bad\"><strong>Violated: {}</strong>{place}</p>\n<p class=\"source-line\">{}</p>",
            xml(&words),
            xml(&violation.message)
        )?,
        _ => writeln!(html, "<p class=\"bad\"><strong>{}</strong>{place}</p>", xml(&violation.message))?,
    }
    if !violation.details.is_empty() {
        let items = violation.details.iter().map(|detail| format!("<li>{}</li>", xml(detail)));
        writeln!(html, "<ul>{}</ul>", items.collect::<String>())?;
    }
    if let Some(trace) = &run.trace {
        execution(page, trace, true, html)?;
    }
    writeln!(html, "</article>")
}

/// An execution that shows what a property is about.
pub(super) fn example(page: &RoundPage, example: &Example, html: &mut String) -> Result {
    let steps = example.trace.steps.last().map_or(0, |step| step.step);
    writeln!(
        html,
        "<details><summary>Witness run: {} under {}</summary><p>The shortest execution that was found with {}.</p>",
        counted(steps, "step"),
        xml(example.run.split_once('@').map_or("", |(_, constraint)| constraint)),
        code(&example.shows)
    )?;
    execution(page, &example.trace, false, html)?;
    writeln!(html, "</details>")
}

fn execution(page: &RoundPage, trace: &Trace, opens: bool, html: &mut String) -> Result {
    if let Some(svg) = propositions_svg(trace) {
        figure("Propositions of the property along the execution", &svg, html)?;
    }
    let chart = chart_of(trace);
    if chart.lanes.len() > 1 && chart.events.len() <= MOST_CHARTED {
        figure("Sequence chart", &render_svg(&chart), html)?;
    }
    if CallTree::is_folded(trace) {
        write_trace(page.sources, trace, html)?;
        return ending(trace, html);
    }
    let open = if opens && trace.steps.len() <= SHORT { " open" } else { "" };
    writeln!(html, "<details{open}><summary>Execution with all statements</summary>")?;
    write_trace(page.sources, trace, html)?;
    ending(trace, html)?;
    writeln!(html, "</details>")
}

fn ending(trace: &Trace, html: &mut String) -> Result {
    let ending = trace.ending.iter().map(|sentence| format!("{}\n", xml(sentence))).collect::<String>();
    if !ending.is_empty() {
        writeln!(html, "<pre class=\"ending bad\">{ending}</pre>")?;
    }
    Ok(())
}

fn figure(caption: &str, svg: &str, html: &mut String) -> Result {
    writeln!(html, "<figure><figcaption>{caption}</figcaption><div class=\"wide\">\n{svg}</div></figure>")
}
