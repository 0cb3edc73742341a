//! `axle status`: the latest verdicts of a verification project, by feature.
//!
//! *Entry point:* [`run`].
//! *Invariant:* a verdict is shown as that of a run only if nothing has changed that it depends on.

use std::collections::BTreeMap;

use axle_evidence::report::ErrorReport;
use axle_evidence::round::RoundBroken;
use axle_feaver::changes::explanation::{ChangedRun, Part, explain};
use axle_feaver::changes::versions::{present, stored_until};
use axle_feaver::changes::{Origin, Origins};
use axle_feaver::execute::Outcome;
use axle_feaver::jobs::error::StoreError;
use axle_feaver::prepare::key::SOFTWARE;
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::coverage::{Covered, coverage};
use axle_feaver::project::{Project, load};
use axle_feaver::report::{broken, judgements};
use axle_feaver::results::database::Database;
use axle_feaver::results::ledger::{Standing, standing};
use axle_feaver::round::recheck::shown as shown_answer;

use crate::advice;
use crate::args::StatusArgs;
use crate::exit::Exit;
use crate::history;
use crate::load::report;
use crate::output::print;
use crate::round::{check_selection, exit_of, safety_off, some_selected, word};

/// Runs the command.
pub fn run(args: &StatusArgs) -> Result<Exit, String> {
    advice::project(&args.folder)?;
    let mut loaded = load(&args.folder);
    let Some(project) = loaded.project.clone() else {
        return Ok(match report(&loaded.sources, &mut loaded.diagnostics, &args.output) {
            Err(exit) => exit,
            Ok(()) => Exit::Input,
        });
    };
    let properties: Vec<String> = args.why.iter().cloned().collect();
    let selection = Selection { properties, features: args.feature.clone(), ..Selection::default() };
    check_selection(&selection, &project, &loaded.broken)?;
    let mut prepared = prepare(loaded, &selection);
    let input = report(&prepared.sources, &mut prepared.diagnostics, &args.output).err();
    if input.is_none() {
        some_selected(&prepared.runs, &selection)?;
    }
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
    let mut rows: Vec<Row> =
        prepared.runs.iter().zip(&standings).map(|(run, known)| Row::of_run(run, known)).collect();
    for (property, reported) in prepared.broken.iter().zip(broken(&prepared.broken, &prepared.sources)) {
        rows.push(Row {
            name: property.name.clone(),
            feature: property.feature.clone(),
            verdict: "error",
            is_vacuous: false,
            remark: in_error(&reported, database.as_deref())?,
        });
    }
    let text = match args.why {
        Some(_) => {
            let parts = match &database {
                Some(database) => changed_parts(&**database, &project, (&prepared.runs, &standings))?,
                None => String::new(),
            };
            let reasons = prepared.runs.iter().zip(&standings).map(|(run, known)| reasons(run, known));
            let errors = rows.iter().filter(|row| row.verdict == "error");
            let errors = errors.map(|row| format!("{}: error ({})\n", row.name, row.remark));
            reasons.chain(errors).collect::<String>() + &parts
        }
        None => {
            let all = args.feature.is_empty();
            table(&rows) + safety_off(&project) + &if all { requirements(&project) } else { String::new() }
        }
    };
    print(&(alarms(&prepared.runs, &standings) + &text))?;
    let outcomes: Vec<Option<Outcome>> = standings.iter().map(current).collect();
    let known = exit_of(&judgements(&prepared.runs, &outcomes));
    Ok(Exit::worst([known].into_iter().chain(input)))
}

/// A line of the table: a run, or a property with errors.
struct Row {
    name: String,
    feature: Option<String>,
    verdict: &'static str,
    is_vacuous: bool,
    remark: String,
}

impl Row {
    fn of_run(run: &Run, known: &Standing) -> Row {
        let (verdict, remark) = shown(known);
        let is_vacuous = matches!(known, Standing::Current(kept) if kept.outcome.is_vacuous);
        Row { name: run.name.clone(), feature: run.feature.clone(), verdict, is_vacuous, remark }
    }
}

/// The first error of a property, and its latest verdicts, which are those of an earlier version.
fn in_error(property: &RoundBroken, database: Option<&dyn Database>) -> Result<String, String> {
    let first = property.errors.first().map(ErrorReport::line).unwrap_or_default();
    let latest = match database {
        Some(database) => database.latest(&property.name).map_err(|fault| format!("history: {fault}"))?,
        None => Vec::new(),
    };
    let verdicts = latest
        .iter()
        .map(|record| format!("{} under {}", record.verdict.answer.name(), record.run.provisioning));
    let before = verdicts.collect::<Vec<_>>().join(", ");
    Ok(if before.is_empty() { first } else { format!("{first} (before: {before})") })
}

/// The verdict of a run, if it has one.
fn current(known: &Standing) -> Option<Outcome> {
    match known {
        Standing::Current(kept) => Some(kept.outcome.clone()),
        Standing::Changed(..) | Standing::New => None,
    }
}

/// What is known of a run, in words.
fn shown(known: &Standing) -> (&'static str, String) {
    match known {
        Standing::Current(kept) => {
            let outcome = &kept.outcome;
            let reason = outcome.reason.clone().unwrap_or_else(|| outcome.vacuity.join("; "));
            let parts = [Some(reason).filter(|reason| !reason.is_empty()), outcome.decided_by()];
            let remark = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
            (word(outcome.verdict), remark)
        }
        Standing::Changed(kept, parts) => {
            let before = word(kept.outcome.verdict);
            ("changed", format!("{before} before a change of: {}", parts.join(", ")))
        }
        Standing::New => ("new", "not verified yet".to_string()),
    }
}

/// A block for each feature with a line for each run, and the counts.
fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(3);
    let mut features: Vec<&str> = rows.iter().filter_map(|row| row.feature.as_deref()).collect();
    features.sort_unstable();
    features.dedup();
    let mut text = String::new();
    for feature in features.into_iter().map(Some).chain([None]) {
        let own: Vec<&Row> = rows.iter().filter(|row| row.feature.as_deref() == feature).collect();
        if own.is_empty() {
            continue;
        }
        text.push_str(&format!("{}\n", feature.unwrap_or("without a feature")));
        for row in own {
            let line = format!("  {:width$}  {:8}  {}", row.name, row.verdict, row.remark);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let (errors, runs) = (count("error"), rows.len() - count("error"));
    let vacuous = rows.iter().filter(|row| row.is_vacuous).count();
    let counts = ["holds", "violated", "unknown", "changed", "new"].map(|verdict| (count(verdict), verdict));
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| match name {
            "holds" if vacuous > 0 => format!("{count} holds ({vacuous} vacuously)"),
            _ => format!("{count} {name}"),
        })
        .collect();
    text.push_str(&format!("{runs} runs: {}\n", counts.join(", ")));
    if errors > 0 {
        let what = if errors == 1 { "property" } else { "properties" };
        text.push_str(&format!("{errors} {what} in error\n"));
    }
    text
}

/// A line for each run on which two machines disagree.
fn alarms(runs: &[Run], standings: &[Standing]) -> String {
    let mut text = String::new();
    for (run, known) in runs.iter().zip(standings) {
        if let Standing::Current(kept) = known
            && let Some(found) = &kept.outcome.disagreement
        {
            let (first, second) = (shown_answer(&found.first), shown_answer(&found.second));
            text.push_str(&format!("ALARM: two machines disagree on {}: {first}; {second}\n", run.name));
        }
    }
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

/// The functions, macros and declarations whose change has affected the verdicts of a property.
fn changed_parts(
    database: &dyn Database,
    project: &Project,
    (runs, standings): (&[Run], &[Standing]),
) -> Result<String, String> {
    let unreadable = |fault: StoreError| format!("history: {fault}");
    let mut origins = Origins::of(project.folder.root());
    let mut found: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    for (run, standing) in runs.iter().zip(standings) {
        let Standing::Changed(_, parts) = standing else { continue };
        if !parts.iter().any(|part| SOFTWARE.contains(&part.as_str())) {
            continue;
        }
        let latest = database.latest(&run.property).map_err(unreadable)?;
        let record = latest.into_iter().find(|record| record.run.provisioning == run.constraint);
        let Some(record) = record else { continue };
        let Some((_, old)) = stored_until(database, record.round).map_err(unreadable)? else { continue };
        let property = project.properties.iter().find(|one| one.name.value == run.property);
        let changed = ChangedRun::of(database, &record, property).map_err(unreadable)?;
        let versions = (&old, &present(&project.folder));
        explain(database, versions, (&[changed], true), &mut origins, &mut found).map_err(unreadable)?;
    }
    let line = |part: &Part| {
        let Part { changed, origin } = part;
        let (kind, change) = (changed.kind.name(), changed.change.name());
        let origin = match origin {
            Some(Origin::Commit(commit)) => {
                let seconds = u64::try_from(commit.time).unwrap_or(0);
                let date = &axle_evidence::quantities::date(seconds)[..10];
                let id = &commit.id.to_string()[..10];
                format!("\n    commit {id} by {}, {date}: {}", commit.author, commit.subject)
            }
            Some(Origin::Uncommitted) => "\n    not committed".to_string(),
            None => String::new(),
        };
        format!("  {kind} `{}` {change} in {}{origin}\n", changed.name, changed.path)
    };
    let lines: String = found.values().flatten().map(line).collect();
    let warning = origins.fault.map_or_else(String::new, |fault| {
        format!("the Git repository cannot be read, so no commits are named: {fault}\n")
    });
    Ok(match lines.is_empty() {
        true => warning,
        false => format!("changed since the last verdict:\n{lines}{warning}"),
    })
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
