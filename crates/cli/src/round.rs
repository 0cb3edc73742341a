//! `axle run`: a round of a verification project in worker processes ([`crate::driving`]), and its
//! results.
//!
//! *Entry point:* [`run`]. *Invariant:* a run without a verdict at the end is unknown, with the
//! reason.

use axle_check::Verdict;
use axle_check::plan::Attempt;
use axle_evidence::quantities::counted;
use axle_evidence::report::ErrorReport;
use axle_evidence::round::{Judgement, RoundBroken};
use axle_evidence::sha256::sha256;
use axle_feaver::execute;
use axle_feaver::execute::{EXACT, Outcome, Witness};
use axle_feaver::prepare::{ANY, Run, Selection, prepare};
use axle_feaver::project::{BrokenProperty, Expected, Project, load};
use axle_feaver::report::judgements;
use axle_feaver::results::verdict::NewRound;
use axle_source::Sources;
use serde::Serialize;

use crate::args::RunArgs;
use crate::driving::drive;
use crate::exit::Exit;
use crate::load::report;
use crate::output::{print, remark};
use crate::quantities::number;
use crate::round_report::{Report, Summary};
use crate::session::Session;
use crate::{advice, changed, explain_plan, history, round_report};

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
    /// The result of the second phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<&'a Witness>,
    /// The likeliest execution, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    likeliest: Option<&'a Witness>,
}

/// The plans of the exact checks, each with the runs that have it.
fn plans(runs: &[Run]) -> String {
    let mut plans: Vec<(Vec<&str>, Vec<Attempt>)> = Vec::new();
    for run in runs {
        let own = execute::plan(run, EXACT);
        match plans.iter_mut().find(|(_, plan)| *plan == own) {
            Some((names, _)) => names.push(&run.name),
            None => plans.push((vec![&run.name], own)),
        }
    }
    let texts: Vec<String> =
        plans.iter().map(|(names, plan)| explain_plan::text(&names.join(", "), plan)).collect();
    texts.join("\n")
}

/// Runs the command.
pub fn run(args: &RunArgs, session: &Session) -> Result<Exit, String> {
    advice::project(&args.folder)?;
    let mut loaded = load(&args.folder);
    let Some(project) = loaded.project.clone() else {
        return Ok(match report(&loaded.sources, &mut loaded.diagnostics, &args.output) {
            Err(exit) => exit,
            Ok(()) => Exit::Input,
        });
    };
    let selection = Selection {
        properties: args.property.clone(),
        features: args.feature.clone(),
        constraints: args.constraint.clone(),
    };
    check_selection(&selection, &project, &loaded.broken)?;
    round_report::check_outputs(&args.reports)?;
    let mut prepared = prepare(loaded, &selection);
    // Properties without errors are verified all the same.
    let input = report(&prepared.sources, &mut prepared.diagnostics, &args.output).err();
    if input.is_none() {
        some_selected(&prepared.runs, &selection)?;
    }
    if args.explain_plan {
        print(&plans(&prepared.runs))?;
        return Ok(input.unwrap_or(Exit::Holds));
    }
    let unchanged = changed::unchanged(args, &prepared.runs)?;
    let executed = changed::changed(&unchanged, &prepared.runs);
    let budget = args.budget.unwrap_or(project.schedule.budget);
    let source_version = source_version(&prepared.sources);
    let begun = NewRound { source_version, axle_version: history::build(), budget };
    // Without runs there is no round.
    let results = match executed.is_empty() && (!unchanged.is_empty() || input.is_some()) {
        true => Vec::new(),
        false => drive(&project, &executed, begun, args, session)?,
    };
    let (found, shorter): (Vec<Option<Outcome>>, Vec<Option<Outcome>>) =
        results.into_iter().map(|result| (result.outcome, result.shortest)).unzip();
    let shown = table(&executed, &found, &shorter);
    let shortest = changed::merged(
        unchanged.iter().map(|known| known.as_ref().map(|one| one.shortest.clone())).collect(),
        shorter,
    );
    let unchanged = unchanged.into_iter().map(|known| known.map(|one| Some(one.outcome))).collect();
    let outcomes = changed::merged(unchanged, found);
    let mut report = Report::new(&project, &prepared, &outcomes, &shortest);
    let shown = match args.json || args.json_lines {
        true => String::new(),
        false => shown + &broken_rows(report.broken()) + safety_off(&project),
    };
    if args.examples {
        report.add_examples(session, &project, &prepared.runs);
    }
    let text = match (args.json, args.changed && !args.json_lines) {
        (true, _) => json(&project, &prepared.runs, &outcomes, &shortest, report.summary())?,
        (false, true) => {
            let count = prepared.runs.len() - executed.len();
            format!("{shown}{count} of {} runs are unchanged\n", prepared.runs.len())
        }
        (false, false) => shown,
    };
    print(&text)?;
    match args.trace {
        Some(mode) => report.print_traces(mode, &args.output)?,
        None if args.json || args.json_lines => {}
        None => report.print_violations(&executed, &args.output)?,
    }
    let interrupted = session.signals.is_interrupted();
    let judgements = judgements(&prepared.runs, &outcomes);
    let gone = gone_faults(&prepared.runs, &judgements);
    for name in gone.iter().filter(|_| !args.output.quiet) {
        remark(&format!(
            "axle: {name} holds, but is expected to be violated; remove `expected = \"violated\"`\n"
        ));
    }
    let exits = [exit_of(&judgements)].into_iter().chain(input);
    let exit = if interrupted { Exit::Interrupted } else { Exit::worst(exits) };
    report.write(&args.reports, exit, &session.deadline)?;
    Ok(exit)
}

/// Properties with a known fault that hold in all their runs.
fn gone_faults<'a>(runs: &'a [Run], judgements: &[Judgement]) -> Vec<&'a str> {
    let gone = runs.iter().zip(judgements).filter(|(_, judgement)| **judgement == Judgement::FaultGone);
    let mut names: Vec<&str> = gone.map(|(run, _)| run.property.as_str()).collect();
    names.dedup();
    names
}

/// Refuses names that the project does not have.
pub fn check_selection(
    selection: &Selection,
    project: &Project,
    broken: &[BrokenProperty],
) -> Result<(), String> {
    let properties = project.properties.iter().map(|one| one.name.value.as_str());
    let properties: Vec<&str> = properties.chain(broken.iter().map(|one| one.name.as_str())).collect();
    let flags = project.flags.iter().map(|flag| flag.name.value.as_str());
    let features: Vec<&str> = flags.chain(project.features.iter().map(String::as_str)).collect();
    let constraints = project.constraints.iter().map(|one| one.name.value.as_str());
    let constraints: Vec<&str> = constraints.chain([ANY]).collect();
    let asked = [
        ("property", &selection.properties, properties),
        ("feature", &selection.features, features),
        ("constraint", &selection.constraints, constraints),
    ];
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

/// Refuses a selection without runs: nothing would be checked.
pub fn some_selected(runs: &[Run], selection: &Selection) -> Result<(), String> {
    match runs.is_empty() {
        true => Err(match (selection.features.is_empty(), selection.constraints.is_empty()) {
            (true, true) => "the project has nothing to check".to_string(),
            (_, false) => {
                format!("no selected property is verified under {}", selection.constraints.join(", "))
            }
            (false, true) => format!("no property belongs to {}", selection.features.join(", ")),
        }),
        false => Ok(()),
    }
}

/// A line if the manifest switches the check of the software off.
pub fn safety_off(project: &Project) -> &'static str {
    match project.safety(0) {
        Some(_) => "",
        None => "the software itself is not checked: `checks` in `[safety]` is empty\n",
    }
}

/// A hash of the names and texts of all files.
fn source_version(sources: &Sources) -> String {
    let files =
        sources.files().map(|(_, file)| format!("{} {}\n", file.name(), sha256(file.text().as_bytes())));
    sha256(files.collect::<String>().as_bytes())
}

/// A verdict as a word.
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

/// The exit code for the judgements of runs. A property that demands nothing is as good as undecided.
pub fn exit_of(judgements: &[Judgement]) -> Exit {
    Exit::worst(judgements.iter().map(|judgement| match judgement {
        Judgement::Passed | Judgement::KnownFault => Exit::Holds,
        Judgement::Failed | Judgement::FaultGone => Exit::Violated,
        Judgement::Vacuous | Judgement::Unknown => Exit::Unknown,
        Judgement::Internal => Exit::Internal,
    }))
}

fn json(
    project: &Project,
    runs: &[Run],
    outcomes: &[Option<Outcome>],
    shortest: &[Option<Outcome>],
    summary: Summary<'_>,
) -> Result<String, String> {
    let not_started: Vec<Outcome> = runs.iter().map(Outcome::not_started).collect();
    let known = outcomes.iter().zip(shortest);
    let rows =
        runs.iter().zip(known).zip(&not_started).map(|((run, (outcome, shortest)), not_started)| Row {
            property: &run.property,
            constraint: &run.constraint,
            feature: run.feature.as_deref(),
            expected: word(expected(run)),
            outcome: outcome.as_ref().unwrap_or(not_started),
            shortest: shortest.as_ref().and_then(|shortest| shortest.witness.as_ref()),
            likeliest: shortest.as_ref().and_then(|second| second.likeliest.as_ref()),
        });
    let version = env!("CARGO_PKG_VERSION");
    let round = Round { schema: 1, version, project: &project.name, runs: rows.collect(), summary };
    let mut text = serde_json::to_string_pretty(&round).map_err(|fault| fault.to_string())?;
    text.push('\n');
    Ok(text)
}

/// A line for each run, and the counts.
fn table(runs: &[Run], outcomes: &[Option<Outcome>], shortest: &[Option<Outcome>]) -> String {
    let width = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max(3);
    let mut text = format!("{:width$}  {:8}  cycle  {:>12}  {:>8}\n", "run", "verdict", "states", "seconds");
    let mut counts = [0usize; 3];
    for ((run, outcome), shortest) in runs.iter().zip(outcomes).zip(shortest) {
        let verdict = outcome.as_ref().map_or(Verdict::Unknown, |outcome| outcome.verdict);
        counts[verdict as usize] += 1;
        let (name, shown) = (&run.name, word(verdict));
        match outcome {
            None => {
                text.push_str(&format!("{name:width$}  {shown:8}  the round ended before the first cycle\n"))
            }
            Some(one) => {
                let line = format!(
                    "{name:width$}  {shown:8}  {:5}  {:>12}  {:8.1}",
                    one.cycle,
                    number(&one.states),
                    one.seconds
                );
                text.push_str(line.trim_end());
                text.push_str(&remark_on(run, one, shortest.as_ref()));
                text.push('\n');
            }
        }
    }
    let [holds, violated, unknown] = counts;
    let vacuous = outcomes.iter().flatten().filter(|outcome| outcome.is_vacuous).count();
    let vacuous = if vacuous > 0 { format!(" ({vacuous} vacuously)") } else { String::new() };
    let count = runs.len();
    text.push_str(&format!("{count} runs: {holds} hold{vacuous}, {violated} violated, {unknown} unknown\n"));
    text
}

/// A line for each property that was not verified because of errors, and their number.
fn broken_rows(broken: &[RoundBroken]) -> String {
    if broken.is_empty() {
        return String::new();
    }
    let width = broken.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for one in broken {
        let first = one.errors.first().map(ErrorReport::line).unwrap_or_default();
        text.push_str(&format!("{:width$}  error     {first}\n", one.name));
    }
    let what = if broken.len() == 1 { "property" } else { "properties" };
    text.push_str(&format!("{} {what} not verified because of errors\n", broken.len()));
    text
}

/// What a reader has to know of a verdict.
fn remark_on(run: &Run, outcome: &Outcome, shortest: Option<&Outcome>) -> String {
    let mut remarks: Vec<String> = Vec::new();
    let shorter = shortest.and_then(|second| second.witness.as_ref());
    match (&outcome.witness, shorter) {
        (Some(first), Some(shorter)) => {
            let (unit, after, before) = shorter.extent().compared(&first.extent());
            remarks.push(format!("{} (first found: {before})", counted(after, unit)));
        }
        (Some(first), None) => remarks.push(counted(first.violation.depth, "step")),
        (None, _) => {}
    }
    if outcome.verdict == Verdict::Violated && expected(run) == Verdict::Violated {
        remarks.push("known fault".to_string());
    }
    if let Some(reason) = &outcome.reason {
        remarks.push(reason.clone());
    }
    remarks.extend(outcome.decided_by());
    remarks.extend(outcome.vacuity.iter().cloned());
    if remarks.is_empty() { String::new() } else { format!("  {}", remarks.join("; ")) }
}
