//! The report of a round as one self-contained HTML page: overview, properties, error sequences,
//! requirements and source text. It needs no script and loads nothing; colours follow the viewer's
//! light or dark mode.
//!
//! *Entry point:* [`round_to_html`].
//! *Invariant:* every text of the input passes through [`xml`] or the Markdown renderer; no name,
//! source or value can add markup.

mod overview;
mod parts;
mod property;
mod requirements;
mod sequence;

use std::fmt::{Result, Write};

use super::Round;
use crate::escape::xml;
use crate::report::html::{MarkedLines, STYLE, write_sources};

pub use parts::RoundPage;

const ROUND_STYLE: &str = include_str!("html/round.css");

/// The page as HTML.
pub fn round_to_html(page: &RoundPage) -> String {
    let mut html = String::new();
    let done = write_page(page, &mut html);
    debug_assert!(done.is_ok(), "a string takes all text");
    html
}

fn write_page(page: &RoundPage, html: &mut String) -> Result {
    let round = page.round;
    let name = xml(&round.project);
    writeln!(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(html, r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#)?;
    writeln!(
        html,
        "<title>{name} - Axle</title>\n<style>\n{STYLE}{ROUND_STYLE}</style>\n</head>\n<body>\n<main>"
    )?;
    writeln!(html, "<header><h1>{name}</h1>{}</header>", overall(page))?;
    writeln!(html, "<p class=\"command\"><code>{}</code></p>", xml(page.command))?;
    navigation(round, html)?;
    overview::write(page, html)?;
    writeln!(html, "<h2 id=\"properties\">Properties</h2>")?;
    property::write(page, html)?;
    sequence::write(page, html)?;
    requirements::write(page, html)?;
    overview::coverage(page, html)?;
    sources(page, html)?;
    writeln!(html, "<footer>Axle {}</footer>\n</main>\n</body>\n</html>", xml(&round.version))
}

/// The result of the round, as the exit code states it.
fn overall(page: &RoundPage) -> String {
    let (class, sign, text) = match page.exit {
        0 => ("holds", "✓", "as expected"),
        1 => ("violated", "✗", "not as expected"),
        2 => ("violated", "‼", "errors in the project"),
        3 => ("unknown", "?", "undecided"),
        130 => ("unknown", "?", "interrupted"),
        _ => ("violated", "✗", "internal error"),
    };
    format!(r#"<span class="badge {class}">{sign} {text}</span>"#)
}

fn navigation(round: &Round, html: &mut String) -> Result {
    let violated = round.runs().any(|(_, run)| run.violation.is_some());
    let mut links = vec![("overview", "Overview"), ("features", "Features")];
    if !round.interactions.is_empty() {
        links.push(("interactions", "Interactions"));
    }
    links.push(("properties", "Properties"));
    if violated {
        links.push(("sequences", "Error sequences"));
    }
    if !round.requirements.is_empty() {
        links.push(("requirements", "Requirements"));
    }
    let links = links.iter().map(|(id, text)| format!("<a href=\"#{id}\">{text}</a>"));
    writeln!(html, "<nav>{}</nav>", links.collect::<Vec<_>>().join(" "))
}

fn sources(page: &RoundPage, html: &mut String) -> Result {
    let runs = || page.round.runs().map(|(_, run)| run);
    let traces = runs().filter_map(|run| run.trace.as_ref());
    let faulty = runs().filter_map(|run| run.violation.as_ref()?.place.as_ref());
    let unreached = overview::unreached(page.round);
    let lines = MarkedLines::new(traces, faulty, unreached.iter().filter_map(|one| one.place.as_ref()));
    write_sources(page.sources, &lines, html)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::PlaceReport;
    use crate::report::{StatementReport, ViolationReport};
    use crate::round::tests::{property, round, run};
    use crate::round::{
        Cluster, Example, Interaction, Judgement, Requirement, RequirementDocument, RequirementSection,
    };
    use crate::trace::{Mover, Observed, tests::single_step};

    #[test]
    fn no_text_of_the_input_becomes_markup() {
        let evil = "\"><script>alert('x')</script>\u{0}".to_string();
        let place = PlaceReport { file: evil.clone(), line: 1, column: 1, end_line: 1, end_column: 2 };
        let mover =
            Mover { pid: 0, process: evil.clone(), place: Some(place.clone()), statement: evil.clone() };
        let mut trace = single_step(mover, &evil);
        trace.start = Some(Observed { holds: vec![evil.clone()], claim: None });
        let mut own = run(&evil, &evil, Judgement::Failed);
        own.enabled = vec![evil.clone()];
        own.reason = Some(evil.clone());
        own.vacuity = vec![evil.clone()];
        own.remarks = vec![evil.clone()];
        own.internal = Some(evil.clone());
        own.unreached = vec![StatementReport { text: evil.clone(), place: Some(place.clone()) }];
        own.violation = Some(ViolationReport {
            property: evil.clone(),
            kind: evil.as_str().into(),
            message: evil.clone(),
            process: Some(evil.clone()),
            place: Some(place.clone()),
            statement: Some(evil.clone()),
            depth: 1,
            count: 1,
            details: vec![evil.clone()],
            path: Vec::new(),
            cycle: None,
            attempt: None,
            rows: Vec::new(),
        });
        own.trace = Some(trace.clone());
        let mut one = property(&evil, &evil, vec![own, run(&evil, "other", Judgement::Unknown)]);
        (one.words, one.statement, one.file) = (evil.clone(), evil.clone(), evil.clone());
        one.tags = vec![evil.clone()];
        one.requirement = Some(Requirement {
            document: evil.clone(),
            heading: evil.clone(),
            anchor: evil.clone(),
            text: evil.clone(),
        });
        one.witness = Some(Example { run: evil.clone(), shows: evil.clone(), trace });
        let mut all = round(vec![one]);
        (all.project, all.version, all.features) = (evil.clone(), evil.clone(), vec![evil.clone()]);
        all.requirements = vec![RequirementDocument {
            document: evil.clone(),
            sections: vec![RequirementSection {
                heading: evil.clone(),
                anchor: evil.clone(),
                level: 1,
                line: 1,
                properties: vec![evil.clone()],
                uncovered: true,
            }],
        }];
        all.interactions = vec![Interaction {
            feature: evil.clone(),
            with: evil.clone(),
            holds: 1,
            violated: vec![evil.clone()],
            unknown: 1,
        }];
        all.clusters =
            vec![Cluster { statement: evil.clone(), place: Some(place), runs: vec![evil.clone(); 2] }];
        let sources = [(evil.clone(), evil.clone())];
        let html = round_to_html(&RoundPage { round: &all, sources: &sources, command: &evil, exit: 1 });
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains('\u{0}'));
        assert!(html.contains("href=\"#f0l1\""), "steps are linked to the source");
    }

    #[test]
    fn every_link_leads_to_an_element() {
        let runs = vec![run("a-b", "x", Judgement::Passed), run("a-b", "y", Judgement::Unknown)];
        let mut all = round(vec![property("a-b", "f", runs)]);
        all.features = vec!["f".to_string()];
        let html = round_to_html(&RoundPage { round: &all, sources: &[], command: "axle run", exit: 3 });
        for target in html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(html.contains(&format!("id=\"{target}\"")), "{target}");
        }
    }
}
