//! `axle run`: a round of a verification project in this process. All runs execute their first cycle
//! before any executes its second; a run with a verdict leaves the round. Verdicts of earlier rounds are
//! carried over where nothing has changed that they depend on.
//!
//! *Entry point:* [`run`]. *Invariant:* a run without a verdict at the end is unknown, with the
//! reason.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axle_check::Verdict;
use axle_evidence::sha256::sha256;
use axle_feaver::execute::{Control, EXACT, Outcome, execute};
use axle_feaver::jobs::error::StoreError;
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::{Expected, Limits, Project, load};
use axle_feaver::results::ledger::Ledger;
use axle_feaver::results::verdict::NewRound;
use axle_source::Sources;
use serde::Serialize;

use crate::args::RunArgs;
use crate::changed;
use crate::exit::Exit;
use crate::history;
use crate::load::report;
use crate::machine::spare_memory;
use crate::output::{print, remark};
use crate::quantities::number;
use crate::round_report::{self, Report, Summary};
use crate::watch::on_interrupt;

/// The results of a round as JSON.
#[derive(Serialize)]
struct Round<'a> {
    schema: u32,
    version: &'a str,
    project: &'a str,
    runs: Vec<Row<'a>>,
    #[serde(flatten)]
    summary: Summary<'a>,
}

/// The result of a run as JSON.
#[derive(Serialize)]
struct Row<'a> {
    property: &'a str,
    constraint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<&'a str>,
    expected: &'a str,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<Exit, String> {
    let mut loaded = load(&args.folder);
    let Some(project) = loaded.project.clone() else {
        return Ok(match report(&loaded.sources, &mut loaded.diagnostics, &args.output) {
            Err(exit) => exit,
            Ok(()) => Exit::Input,
        });
    };
    let selection = Selection { properties: args.property.clone(), features: args.feature.clone() };
    check_selection(&selection, &project)?;
    round_report::check_outputs(&args.reports)?;
    let mut prepared = prepare(loaded, &selection);
    if let Err(exit) = report(&prepared.sources, &mut prepared.diagnostics, &args.output) {
        return Ok(exit);
    }
    let unchanged = changed::unchanged(args, &prepared.runs)?;
    let executed = changed::changed(&unchanged, &prepared.runs);
    let budget = args.budget.unwrap_or(project.schedule.budget);
    let database = history::open(&args.folder, args.store.as_deref())?;
    let source_version = source_version(&prepared.sources);
    let begun = NewRound { source_version, axle_version: history::build(), budget };
    let ledger = Ledger::begin(database, &executed, begun, history::now()).map_err(told)?;
    let found = round(&executed, budget, &ledger, args)?;
    ledger.end(history::now()).map_err(told)?;
    let shown = table(&executed, &found);
    let outcomes = changed::merged(unchanged, found);
    let mut report = Report::new(&project, &prepared.runs, &outcomes, &[]);
    if args.examples {
        report.add_examples(&project, &prepared.runs);
    }
    let text = match args.json {
        true => json(&project, &prepared.runs, &outcomes, report.summary())?,
        false if args.changed => {
            let count = prepared.runs.len() - executed.len();
            format!("{shown}{count} of {} runs are unchanged\n", prepared.runs.len())
        }
        false => shown,
    };
    print(&text)?;
    if let Some(mode) = args.trace {
        report.print_traces(mode, &args.output)?;
    }
    let interrupted = on_interrupt().load(Ordering::Relaxed);
    let exits = prepared.runs.iter().zip(&outcomes).map(|(run, outcome)| exit_of(run, outcome));
    let gone = gone_faults(&prepared.runs, &outcomes);
    for name in gone.iter().filter(|_| !args.output.quiet) {
        remark(&format!(
            "axle: {name} holds, but is expected to be violated; remove `expected = \"violated\"`\n"
        ));
    }
    let exits = exits.chain(gone.iter().map(|_| Exit::Violated));
    let exit = if interrupted { Exit::Interrupted } else { Exit::worst(exits) };
    report.write(&args.reports, exit)?;
    Ok(exit)
}

/// Properties with a known fault that hold in all their runs.
fn gone_faults<'a>(runs: &'a [Run], outcomes: &[Option<Outcome>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = runs.iter().map(|run| run.property.as_str()).collect();
    names.dedup();
    names.retain(|name| {
        let mut own = runs.iter().zip(outcomes).filter(|(run, _)| run.property == *name);
        own.all(|(run, outcome)| {
            let verdict = outcome.as_ref().map(|outcome| outcome.verdict);
            expected(run) == Verdict::Violated && verdict == Some(Verdict::Holds)
        })
    });
    names
}

/// Refuses names that the project does not have.
pub fn check_selection(selection: &Selection, project: &Project) -> Result<(), String> {
    let properties: Vec<&str> = project.properties.iter().map(|one| one.name.value.as_str()).collect();
    let flags = project.flags.iter().map(|flag| flag.name.value.as_str());
    let features: Vec<&str> = flags.chain(project.features.iter().map(String::as_str)).collect();
    let asked = [("property", &selection.properties, properties), ("feature", &selection.features, features)];
    for (what, names, known) in asked {
        for name in names {
            if !known.contains(&name.as_str()) {
                let near = axle_source::nearest(name, known.iter().copied());
                let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
                return Err(format!("the project has no {what} '{name}'{near}"));
            }
        }
    }
    Ok(())
}

/// A fault of the history.
fn told(fault: StoreError) -> String {
    format!("history: {fault}")
}

/// A hash of the names and texts of all files.
fn source_version(sources: &Sources) -> String {
    let files =
        sources.files().map(|(_, file)| format!("{} {}\n", file.name(), sha256(file.text().as_bytes())));
    sha256(files.collect::<String>().as_bytes())
}

/// Records the last result of a run.
fn record(ledger: &Ledger, index: usize, run: &Run, outcome: &Outcome) -> Result<(), String> {
    let number = u32::try_from(index).map_err(|fault| fault.to_string())?;
    ledger.record(number, run, outcome, None, history::now()).map_err(told)
}

/// The earlier verdicts that are still those of the runs.
fn carried(runs: &[Run], ledger: &Ledger, args: &RunArgs) -> Result<Vec<Option<Outcome>>, String> {
    let mut outcomes = vec![None; runs.len()];
    if args.again {
        return Ok(outcomes);
    }
    for ((number, run), outcome) in (0u32..).zip(runs).zip(&mut outcomes) {
        if let Some((round, earlier)) = ledger.carried(run).map_err(told)? {
            ledger.record(number, run, &earlier, Some(round), history::now()).map_err(told)?;
            *outcome = Some(earlier);
        }
    }
    let count = outcomes.iter().flatten().count();
    if count > 0 && !args.output.quiet {
        remark(&format!(
            "axle: {count} of {} verdicts carried over: nothing has changed for them\n",
            runs.len()
        ));
    }
    Ok(outcomes)
}

/// Executes the cycles of all runs.
fn round(
    runs: &[Run],
    budget: Duration,
    ledger: &Ledger,
    args: &RunArgs,
) -> Result<Vec<Option<Outcome>>, String> {
    let begin = Instant::now();
    let interrupted = on_interrupt();
    let memory = Some(args.memory.unwrap_or_else(spare_memory));
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|index| -runs[*index].weight);
    let mut outcomes = carried(runs, ledger, args)?;
    for cycle in 0..=EXACT {
        for &index in &order {
            let due = outcomes[index].as_ref().map_or(Some(0), |outcome| outcome.next);
            let left = budget.saturating_sub(begin.elapsed());
            if due != Some(cycle) || left.is_zero() || interrupted.load(Ordering::Relaxed) {
                continue;
            }
            let start = Instant::now();
            let flag = Arc::clone(&interrupted);
            let mut control = Control {
                elapsed: Arc::new(move || start.elapsed()),
                cancelled: Arc::new(move || flag.load(Ordering::Relaxed)),
                progress: Box::new(|_| {}),
            };
            let limits = Limits { memory, time: Some(left) };
            let outcome = execute(&runs[index], cycle, &limits, &mut control);
            if !args.output.quiet {
                let (name, word) = (&runs[index].name, word(outcome.verdict));
                remark(&format!("axle: {name}: cycle {cycle}: {word} ({:.1} s)\n", outcome.seconds));
            }
            if outcome.next.is_none() {
                record(ledger, index, &runs[index], &outcome)?;
            }
            outcomes[index] = Some(outcome);
        }
    }
    for (index, run) in runs.iter().enumerate() {
        if let Some(outcome) = outcomes[index].as_ref().filter(|outcome| outcome.next.is_some()) {
            record(ledger, index, run, outcome)?;
        }
    }
    Ok(outcomes)
}

pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

fn expected(run: &Run) -> Verdict {
    match run.expected {
        Expected::Holds => Verdict::Holds,
        Expected::Violated => Verdict::Violated,
    }
}

/// The exit code of a run. A property with a known fault may hold under some constraints.
pub fn exit_of(run: &Run, outcome: &Option<Outcome>) -> Exit {
    let Some(outcome) = outcome else { return Exit::Unknown };
    match (outcome.verdict, expected(run)) {
        _ if outcome.internal.is_some() => Exit::Internal,
        (Verdict::Unknown, _) => Exit::Unknown,
        (Verdict::Violated, Verdict::Holds) => Exit::Violated,
        (Verdict::Violated | Verdict::Holds, _) => Exit::Holds,
    }
}

fn json(
    project: &Project,
    runs: &[Run],
    outcomes: &[Option<Outcome>],
    summary: Summary<'_>,
) -> Result<String, String> {
    let not_started: Vec<Outcome> = runs.iter().map(Outcome::not_started).collect();
    let rows = runs.iter().zip(outcomes).zip(&not_started).map(|((run, outcome), not_started)| Row {
        property: &run.property,
        constraint: &run.constraint,
        feature: run.feature.as_deref(),
        expected: word(expected(run)),
        outcome: outcome.as_ref().unwrap_or(not_started),
    });
    let version = env!("CARGO_PKG_VERSION");
    let round = Round { schema: 1, version, project: &project.name, runs: rows.collect(), summary };
    let mut text = serde_json::to_string_pretty(&round).map_err(|fault| fault.to_string())?;
    text.push('\n');
    Ok(text)
}

/// A line for each run, and the counts.
fn table(runs: &[Run], outcomes: &[Option<Outcome>]) -> String {
    let width = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max(3);
    let mut text = format!("{:width$}  {:8}  cycle  {:>12}  {:>8}\n", "run", "verdict", "states", "seconds");
    let mut counts = [0usize; 3];
    for (run, outcome) in runs.iter().zip(outcomes) {
        let verdict = outcome.as_ref().map_or(Verdict::Unknown, |outcome| outcome.verdict);
        counts[verdict as usize] += 1;
        let (name, shown) = (&run.name, word(verdict));
        match outcome {
            None => {
                text.push_str(&format!("{name:width$}  {shown:8}  the budget ended before the first cycle\n"))
            }
            Some(one) => {
                let line = format!(
                    "{name:width$}  {shown:8}  {:5}  {:>12}  {:8.1}",
                    one.cycle,
                    number(one.states),
                    one.seconds
                );
                text.push_str(line.trim_end());
                text.push_str(&remark_on(run, one));
                text.push('\n');
            }
        }
    }
    let [holds, violated, unknown] = counts;
    text.push_str(&format!("{} runs: {holds} hold, {violated} violated, {unknown} unknown\n", runs.len()));
    text
}

/// What a reader has to know of a verdict.
fn remark_on(run: &Run, outcome: &Outcome) -> String {
    let mut remarks: Vec<String> = Vec::new();
    if outcome.verdict == Verdict::Violated && expected(run) == Verdict::Violated {
        remarks.push("known fault".to_string());
    }
    if let Some(reason) = &outcome.reason {
        remarks.push(reason.clone());
    }
    remarks.extend(outcome.vacuity.iter().cloned());
    if remarks.is_empty() { String::new() } else { format!("  {}", remarks.join("; ")) }
}
