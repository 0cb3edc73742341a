//! The properties of a page, by feature: text, requirement, statement, and a row for each run.

use std::fmt::{Result, Write};

use super::overview::groups;
use super::parts::{RoundPage, badge, id, perhaps_vacuous, requirement_id};
use super::sequence;
use crate::escape::xml;
use crate::markdown::to_html;
use crate::quantities::number;
use crate::round::{Judgement, RoundProperty, RoundRun};

pub(super) fn write(page: &RoundPage, html: &mut String) -> Result {
    for (feature, properties) in groups(page.round) {
        writeln!(html, "<h3 class=\"feature\">{}</h3>", xml(feature.unwrap_or("without a feature")))?;
        for property in properties {
            one(page, property, html)?;
        }
    }
    Ok(())
}

/// The judgements of the runs, the worst first.
fn summary(property: &RoundProperty) -> String {
    let order = [
        Judgement::Internal,
        Judgement::Failed,
        Judgement::FaultGone,
        Judgement::Vacuous,
        Judgement::Unknown,
        Judgement::KnownFault,
        Judgement::Passed,
    ];
    let present = order.into_iter().filter(|one| property.runs.iter().any(|run| run.judgement == *one));
    let mut badges: Vec<String> = present.map(badge).collect();
    if property.runs.iter().any(|run| run.judgement.is_expected() && !run.vacuity.is_empty()) {
        badges.push(perhaps_vacuous().to_string());
    }
    badges.join(" ")
}

fn one(page: &RoundPage, property: &RoundProperty, html: &mut String) -> Result {
    writeln!(html, "<article id=\"{}\">", id("property", &property.name))?;
    writeln!(html, "<header><h4>{}</h4>{}</header>", xml(&property.name), summary(property))?;
    writeln!(html, "<div class=\"words\">{}</div>", to_html(&property.words, 4))?;
    if let Some(requirement) = &property.requirement {
        let target = requirement_id(&requirement.document, &requirement.anchor);
        let name = xml(&requirement.name());
        match requirement.anchor.is_empty() {
            true => writeln!(html, "<p class=\"source-line\">Requirement: {name}</p>")?,
            false => writeln!(html, "<details><summary>Requirement: {name}</summary><blockquote>")?,
        }
        if !requirement.anchor.is_empty() {
            let heading = xml(&requirement.heading);
            writeln!(html, "<p><a href=\"#{target}\"><strong>{heading}</strong></a></p>")?;
            writeln!(html, "{}</blockquote></details>", to_html(&requirement.text, 4))?;
        }
    }
    let kind = match property.kind.as_str() {
        "timeline" => "Timeline",
        "never" => "Never claim",
        "safety" => "Checks",
        _ => "Formula",
    };
    writeln!(
        html,
        "<details><summary>{kind}</summary><pre class=\"statement\">{}</pre></details>",
        xml(property.statement.trim())
    )?;
    runs(property, html)?;
    if let Some(example) = &property.witness {
        sequence::example(page, example, html)?;
    }
    let tags = property.tags.iter().map(|tag| format!("<span class=\"tag\">{}</span>", xml(tag)));
    let tags: String = tags.collect();
    writeln!(html, "<p class=\"source-line\">{} {tags}</p>\n</article>", xml(&property.file))
}

fn runs(property: &RoundProperty, html: &mut String) -> Result {
    writeln!(html, "<div class=\"wide\"><table class=\"runs\"><thead><tr>")?;
    let heads = [
        ("Constraint", false),
        ("Verdict", false),
        ("Cycle", true),
        ("States", true),
        ("Time", true),
        ("Automaton", true),
        ("Remark", false),
    ];
    for (head, is_number) in heads {
        write!(html, "<th{}>{head}</th>", if is_number { " class=\"number\"" } else { "" })?;
    }
    writeln!(html, "</tr></thead><tbody>")?;
    for run in &property.runs {
        let verdict = match run.violation {
            Some(_) => format!("<a href=\"#{}\">{}</a>", id("run", &run.name), badge(run.judgement)),
            None => badge(run.judgement),
        };
        let cycle = match run.cycle {
            Some(7) => "exact".to_string(),
            Some(cycle) => cycle.to_string(),
            None => "-".to_string(),
        };
        writeln!(
            html,
            "<tr><td data-label=\"Constraint\">{}</td><td data-label=\"Verdict\">{verdict}</td>\
             <td data-label=\"Cycle\" class=\"number\">{cycle}</td><td data-label=\"States\" class=\"number\">{}</td>\
             <td data-label=\"Time\" class=\"number\">{:.1} s</td>\
             <td data-label=\"Automaton\" class=\"number\" title=\"transitions of the automaton that were taken\">{}</td>\
             <td data-label=\"Remark\">{}</td></tr>",
            xml(&run.constraint),
            number(&run.states),
            run.seconds,
            automaton(run),
            remarks(run)
        )?;
    }
    writeln!(html, "</tbody></table></div>")
}

/// The transitions of the automaton of the negated property that were taken, of all.
fn automaton(run: &RoundRun) -> String {
    match run.automaton_transitions {
        [0, _] => "-".to_string(),
        [all, seen] => format!("{seen}/{all}"),
    }
}

fn remarks(run: &RoundRun) -> String {
    let coverage = run.coverage.map(|part| format!("about {:.0} % of the states", part * 100.0));
    let all = run.internal.iter().chain(&run.reason).chain(&run.vacuity).chain(&run.remarks).chain(&coverage);
    all.map(|text| xml(text)).collect::<Vec<_>>().join("<br>")
}
