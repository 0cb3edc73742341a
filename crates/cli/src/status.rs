//! `axle status`: the latest verdicts of a verification project, by feature.
//!
//! *Entry point:* [`run`].
//! *Invariant:* a verdict is shown as that of a run only if nothing has changed that it depends on.

use axle_feaver::execute::Outcome;
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::coverage::{Covered, coverage};
use axle_feaver::project::{Project, load};
use axle_feaver::report::judgements;
use axle_feaver::results::ledger::{Standing, standing};

use crate::args::StatusArgs;
use crate::exit::Exit;
use crate::history;
use crate::load::report;
use crate::output::print;
use crate::round::{check_selection, exit_of, safety_off, some_selected, word};

/// Runs the command.
pub fn run(args: &StatusArgs) -> Result<Exit, String> {
    let mut loaded = load(&args.folder);
    let Some(project) = loaded.project.clone() else {
        return Ok(match report(&loaded.sources, &mut loaded.diagnostics, &args.output) {
            Err(exit) => exit,
            Ok(()) => Exit::Input,
        });
    };
    let properties: Vec<String> = args.why.iter().cloned().collect();
    let selection = Selection { properties, features: args.feature.clone() };
    check_selection(&selection, &project)?;
    let mut prepared = prepare(loaded, &selection);
    if let Err(exit) = report(&prepared.sources, &mut prepared.diagnostics, &args.output) {
        return Ok(exit);
    }
    some_selected(&prepared.runs, &selection)?;
    let database = history::open_existing(&args.folder, args.store.as_deref())?;
    let build = history::build();
    let mut standings = Vec::new();
    for run in &prepared.runs {
        standings.push(match &database {
            None => Standing::New,
            Some(database) => {
                standing(&**database, run, &build).map_err(|fault| format!("history: {fault}"))?
            }
        });
    }
    let text = match args.why {
        Some(_) => prepared.runs.iter().zip(&standings).map(|(run, known)| reasons(run, known)).collect(),
        None => {
            let all = args.feature.is_empty();
            table(&prepared.runs, &standings)
                + safety_off(&project)
                + &if all { requirements(&project) } else { String::new() }
        }
    };
    print(&text)?;
    let outcomes: Vec<Option<Outcome>> = standings.iter().map(current).collect();
    Ok(exit_of(&judgements(&prepared.runs, &outcomes)))
}

/// The verdict of a run, if it has one.
fn current(known: &Standing) -> Option<Outcome> {
    match known {
        Standing::Current(kept) => Some(kept.outcome.clone()),
        Standing::Changed(..) | Standing::New => None,
    }
}

/// What is known of a run, in words.
fn shown(known: &Standing) -> (String, String) {
    match known {
        Standing::Current(kept) => {
            let outcome = &kept.outcome;
            let reason = outcome.reason.clone().unwrap_or_else(|| outcome.vacuity.join("; "));
            (word(outcome.verdict).to_string(), reason)
        }
        Standing::Changed(kept, parts) => {
            let before = word(kept.outcome.verdict);
            ("changed".to_string(), format!("{before} before a change of: {}", parts.join(", ")))
        }
        Standing::New => ("new".to_string(), "not verified yet".to_string()),
    }
}

/// A block for each feature with a line for each run, and the counts.
fn table(runs: &[Run], standings: &[Standing]) -> String {
    let width = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max(3);
    let mut features: Vec<&str> = runs.iter().filter_map(|run| run.feature.as_deref()).collect();
    features.sort_unstable();
    features.dedup();
    let mut text = String::new();
    for feature in features.into_iter().map(Some).chain([None]) {
        let own: Vec<(&Run, &Standing)> =
            runs.iter().zip(standings).filter(|(run, _)| run.feature.as_deref() == feature).collect();
        if own.is_empty() {
            continue;
        }
        text.push_str(&format!("{}\n", feature.unwrap_or("without a feature")));
        for (run, known) in own {
            let (verdict, remark) = shown(known);
            let line = format!("  {:width$}  {verdict:8}  {remark}", run.name);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    let count = |verdict: &str| standings.iter().filter(|known| shown(known).0 == verdict).count();
    let vacuous = |known: &&Standing| matches!(known, Standing::Current(kept) if kept.outcome.is_vacuous);
    let vacuous = standings.iter().filter(vacuous).count();
    let counts = ["holds", "violated", "unknown", "changed", "new"].map(|verdict| (count(verdict), verdict));
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| match name {
            "holds" if vacuous > 0 => format!("{count} holds ({vacuous} vacuously)"),
            _ => format!("{count} {name}"),
        })
        .collect();
    text.push_str(&format!("{} runs: {}\n", runs.len(), counts.join(", ")));
    text
}

/// How many sections of the requirement documents are covered by properties, and which are not.
fn requirements(project: &Project) -> String {
    let all = coverage(project);
    let stated = all.iter().filter(|one| one.uncovered || !one.properties.is_empty()).count();
    let uncovered: Vec<&Covered<'_>> = all.iter().filter(|one| one.uncovered).collect();
    if stated == 0 {
        return String::new();
    }
    let covered = stated - uncovered.len();
    let mut text = format!("requirements: {covered} of {stated} sections have properties\n");
    for one in uncovered {
        let (document, line) = (&one.document.path, one.line);
        text.push_str(&format!("  {document}:{line}: no property refers to `{}`\n", one.section.heading));
    }
    text
}

/// What the verdict of a run depends on, and what has changed.
fn reasons(run: &Run, known: &Standing) -> String {
    let (verdict, remark) = shown(known);
    let mut text = format!("{}: {verdict}", run.name);
    if !remark.is_empty() {
        text.push_str(&format!(" ({remark})"));
    }
    text.push('\n');
    for line in run.key.explain().lines() {
        text.push_str(&format!("  {line}\n"));
    }
    text
}
