//! The overview of a page: counts, what needs attention, verdicts by feature, interactions of
//! features, and the coverage of the software.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Result, Write};

use super::parts::{RoundPage, badge, id, mark, perhaps_vacuous, run_link};
use crate::escape::xml;
use crate::markdown::first_sentence;
use crate::quantities::counted;
use crate::report::StatementReport;
use crate::report::html::{code, link};
use crate::round::{Cluster, Interaction, Judgement, Round, RoundProperty, RoundRun};

pub(super) fn write(page: &RoundPage, html: &mut String) -> Result {
    let round = page.round;
    writeln!(html, "<section id=\"overview\">")?;
    tiles(round, html)?;
    attention(round, html)?;
    clusters(page, html)?;
    writeln!(html, "</section>\n<section id=\"features\">")?;
    features(round, html)?;
    writeln!(html, "</section>")?;
    if !round.interactions.is_empty() {
        writeln!(html, "<section id=\"interactions\">")?;
        interactions(round, html)?;
        writeln!(html, "</section>")?;
    }
    Ok(())
}

fn tiles(round: &Round, html: &mut String) -> Result {
    let runs = round.runs().count();
    let of = |judgement| round.runs().filter(|(_, run)| run.judgement == judgement).count();
    let sections = || round.requirements.iter().flat_map(|document| &document.sections);
    let uncovered = sections().filter(|section| section.uncovered).count();
    let seconds: f64 = round.runs().map(|(_, run)| run.seconds).sum();
    let mut tiles = vec![
        (of(Judgement::Passed), "holds", "✓ hold"),
        (of(Judgement::Failed), "violated", "✗ violated"),
        (of(Judgement::Unknown), "unknown", "? unknown"),
    ];
    let rare = [
        (of(Judgement::KnownFault), "known", "! known faults"),
        (of(Judgement::FaultGone), "violated", "✓ known faults that hold"),
        (of(Judgement::Internal), "violated", "‼ internal errors"),
        (round.broken.len(), "violated", "‼ properties in error"),
        (of(Judgement::Vacuous), "unknown", "⌀ vacuous"),
        (uncovered, "unknown", "sections without property"),
    ];
    tiles.extend(rare.into_iter().filter(|(count, ..)| *count > 0));
    writeln!(html, "<ul class=\"tiles\">")?;
    for (count, class, text) in tiles {
        let class = if count == 0 { "none" } else { class };
        writeln!(html, "<li class=\"{class}\"><b>{count}</b> {text}</li>")?;
    }
    writeln!(html, "</ul>")?;
    let properties = round.properties.len() + round.broken.len();
    let properties = format!("{properties} {}", if properties == 1 { "property" } else { "properties" });
    writeln!(
        html,
        "<p>{properties}, {}; budget {}; {} of search.</p>",
        counted(runs as u64, "run"),
        duration(round.budget),
        duration(seconds)
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        short if short < 10.0 => format!("{short:.1} s"),
        short if short < 120.0 => format!("{short:.0} s"),
        long => format!("{:.0} min", long / 60.0),
    }
}

fn attention(round: &Round, html: &mut String) -> Result {
    let unexpected = |run: &RoundRun| !run.judgement.is_expected();
    let mut rows: Vec<(&RoundProperty, &RoundRun)> =
        round.runs().filter(|(_, run)| unexpected(run)).collect();
    rows.sort_by_key(|(_, run)| match run.judgement {
        Judgement::Internal => 0,
        Judgement::Failed => 1,
        Judgement::FaultGone => 2,
        _ => 3,
    });
    let empty = round.runs().filter(|(_, run)| unexpected(run) || !run.vacuity.is_empty()).count() == 0;
    let empty = empty && round.broken.is_empty();
    writeln!(html, "<h2>Needs attention</h2>")?;
    if empty {
        return writeln!(html, "<p>Nothing: every verdict is the expected one.</p>");
    }
    writeln!(html, "<ul class=\"attention\">")?;
    for property in &round.broken {
        let errors = xml(&property.lines());
        let badge = r#"<span class="badge violated">‼ error</span>"#;
        writeln!(html, "<li>{badge} {}<span>{errors}</span></li>", xml(&property.name))?;
    }
    for (property, run) in rows {
        let (name, reason) = (run_link(&property.name, run), xml(&reason(property, run)));
        writeln!(html, "<li>{} {name}<span>{reason}</span></li>", badge(run.judgement))?;
    }
    let vacuous_runs = round.runs().filter(|(_, run)| run.judgement.is_expected() && !run.vacuity.is_empty());
    for (property, run) in vacuous_runs {
        let (name, reason) = (run_link(&property.name, run), xml(&run.vacuity.join("; ")));
        writeln!(html, "<li>{} {name}<span>{reason}</span></li>", perhaps_vacuous())?;
    }
    writeln!(html, "</ul>")
}

/// Why a run needs attention.
fn reason(property: &RoundProperty, run: &RoundRun) -> String {
    match run.judgement {
        Judgement::FaultGone => "holds in all runs; remove expected = \"violated\"".to_string(),
        Judgement::Internal => run.internal.clone().unwrap_or_default(),
        Judgement::Vacuous => run.vacuity.join("; "),
        Judgement::Unknown => run.reason.clone().unwrap_or_default(),
        _ => {
            let words = first_sentence(&property.words);
            let message = run.violation.as_ref().map(|one| one.message.clone()).unwrap_or_default();
            if words.is_empty() { message } else { words }
        }
    }
}

fn clusters(page: &RoundPage, html: &mut String) -> Result {
    let clusters: Vec<&Cluster> = page.round.clusters.iter().filter(|one| one.runs.len() > 1).collect();
    if clusters.is_empty() {
        return Ok(());
    }
    writeln!(html, "<h3>Violations with the same last decisive statement</h3>")?;
    writeln!(
        html,
        "<div class=\"wide\"><table><thead><tr><th>Statement</th><th>Runs</th></tr></thead><tbody>"
    )?;
    for cluster in clusters {
        let place = cluster.place.as_ref().map(|at| link(page.sources, at)).unwrap_or_default();
        let runs: Vec<String> = (cluster.runs.iter())
            .map(|run| format!("<a href=\"#{}\">{}</a>", id("run", run), xml(run)))
            .collect();
        writeln!(
            html,
            "<tr><td>{place} {}</td><td>{}</td></tr>",
            code(&cluster.statement),
            runs.join("<br>")
        )?;
    }
    writeln!(html, "</tbody></table></div>")
}

/// The features in order, each with its properties; none for properties without a feature.
pub(super) fn groups(round: &Round) -> Vec<(Option<&str>, Vec<&RoundProperty>)> {
    let own = |name: Option<&str>| -> Vec<&RoundProperty> {
        round.properties.iter().filter(|one| one.feature.as_deref() == name).collect()
    };
    let known = round.features.iter().map(|name| Some(name.as_str()));
    let others: BTreeSet<&str> = (round.properties.iter().filter_map(|one| one.feature.as_deref()))
        .filter(|name| !round.features.iter().any(|known| known == name))
        .collect();
    let all = known.chain(others.into_iter().map(Some)).chain([None]);
    all.map(|name| (name, own(name))).filter(|(_, own)| !own.is_empty()).collect()
}

fn features(round: &Round, html: &mut String) -> Result {
    writeln!(html, "<h2>Verdicts by feature</h2>\n<div class=\"wide\"><table class=\"features\">")?;
    writeln!(
        html,
        "<thead><tr><th>Feature</th><th class=\"number\">Properties</th><th>Runs, one cell for each</th></tr></thead><tbody>"
    )?;
    for (feature, properties) in groups(round) {
        write!(html, "<tr><td>{}</td>", xml(feature.unwrap_or("without a feature")))?;
        write!(html, "<td class=\"number\">{}</td><td><div class=\"cells\">", properties.len())?;
        for property in properties {
            for run in &property.runs {
                let (class, sign, word) = mark(run.judgement);
                let target = if run.violation.is_some() {
                    id("run", &run.name)
                } else {
                    id("property", &property.name)
                };
                let title = xml(&format!("{}: {word}", run.name));
                write!(
                    html,
                    "<a class=\"cell {class}\" href=\"#{target}\" title=\"{title}\" aria-label=\"{title}\">{sign}</a>"
                )?;
            }
        }
        writeln!(html, "</div></td></tr>")?;
    }
    writeln!(html, "</tbody></table></div>")
}

fn interactions(round: &Round, html: &mut String) -> Result {
    let pairs: BTreeMap<(&str, &str), &Interaction> =
        round.interactions.iter().map(|one| ((one.feature.as_str(), one.with.as_str()), one)).collect();
    let order = |names: BTreeSet<&str>| -> Vec<String> {
        let known = round.features.iter().filter(|name| names.contains(name.as_str()));
        let known: Vec<String> = known.cloned().collect();
        let others = names.iter().filter(|name| !round.features.iter().any(|known| known == *name));
        let others: Vec<String> = others.map(|name| (*name).to_string()).collect();
        known.into_iter().chain(others).collect()
    };
    let rows = order(pairs.keys().map(|(feature, _)| *feature).collect());
    let columns = order(pairs.keys().map(|(_, with)| *with).collect());
    writeln!(html, "<h2>Interactions of features</h2>")?;
    writeln!(
        html,
        "<p>Runs of the properties of a feature (row) under constraints that permit another feature (column).</p>"
    )?;
    writeln!(html, "<div class=\"wide fit\"><table class=\"matrix\"><thead><tr><th>Properties of</th>")?;
    for column in &columns {
        write!(html, "<th class=\"upright\"><span>{}</span></th>", xml(column))?;
    }
    writeln!(html, "</tr></thead><tbody>")?;
    for row in &rows {
        write!(html, "<tr><th>{}</th>", xml(row))?;
        for column in &columns {
            let (class, text, title) = match pairs.get(&(row.as_str(), column.as_str())) {
                None if row == column => ("own", "", "the same feature".to_string()),
                None => ("none", "·", "no run".to_string()),
                Some(pair) => told(pair),
            };
            let title = xml(&format!("{row} with {column}: {title}"));
            write!(html, "<td class=\"{class}\" title=\"{title}\">{text}</td>")?;
        }
        writeln!(html, "</tr>")?;
    }
    writeln!(html, "</tbody></table></div>")?;
    writeln!(
        html,
        "<p><small>✓ all runs hold, ✗ a run is violated, ? a run is undecided, · no run</small></p>"
    )
}

fn told(pair: &Interaction) -> (&'static str, &'static str, String) {
    let (class, sign) = match (pair.violated.is_empty(), pair.unknown) {
        (false, _) => ("violated", "✗"),
        (true, 0) => ("holds", "✓"),
        (true, _) => ("unknown", "?"),
    };
    let title = format!("{} hold, {} violated, {} unknown", pair.holds, pair.violated.len(), pair.unknown);
    (class, sign, title)
}

/// Statements that no run of the round reached. Runs that were not started tell nothing.
pub(super) fn unreached(round: &Round) -> Vec<&StatementReport> {
    let place = |one: &StatementReport| one.place.as_ref().map(|at| (at.file.clone(), at.line, at.column));
    let mut started = round.runs().map(|(_, run)| run).filter(|run| run.states > 0);
    let Some(first) = started.next() else { return Vec::new() };
    let mut common: Vec<&StatementReport> = first.unreached.iter().collect();
    for run in started {
        let own: BTreeSet<_> = run.unreached.iter().map(place).collect();
        common.retain(|one| own.contains(&place(one)));
    }
    common
}

pub(super) fn coverage(page: &RoundPage, html: &mut String) -> Result {
    let common = unreached(page.round);
    if common.is_empty() {
        return Ok(());
    }
    writeln!(html, "<section id=\"coverage\"><h2>Coverage</h2>")?;
    writeln!(
        html,
        "<p>{} that no run of this round reached:</p><ul>",
        counted(common.len() as u64, "statement")
    )?;
    for one in common {
        let place = one.place.as_ref().map(|at| link(page.sources, at)).unwrap_or_default();
        writeln!(html, "<li>{place} {}</li>", code(&one.text))?;
    }
    writeln!(html, "</ul></section>")
}
