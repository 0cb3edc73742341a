//! The report of a round in files: `axle run --junit`, `--sarif` and `--html`.
//!
//! *Entry points:* [`check_outputs`] before the round, [`Report::new`] and [`Report::write`] after it.
//! *Invariant:* an earlier report is removed before the round, so that it is not mistaken for one of
//! this round.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use axle_check::Verdict;
use axle_evidence::round::{
    Cluster, Example, Interaction, Judgement, RequirementDocument, Round, RoundBroken, RoundPage, RoundRun,
    round_to_html, round_to_junit, round_to_sarif,
};
use axle_evidence::wrap::wrap;
use axle_feaver::example::example;
use axle_feaver::execute::Outcome;
use axle_feaver::prepare::{Prepared, Run};
use axle_feaver::project::Project;
use axle_feaver::report;
use axle_source::Loader;
use serde::Serialize;

use crate::args::{OutputArgs, ReportArgs, TraceMode};
use crate::deadline::Deadline;
use crate::exit::Exit;
use crate::html::command_line;
use crate::output::{print, remark, width};
use crate::session::Session;
use crate::watch::Watch;
use crate::{files, show};

/// A source file beyond this size is linked by name only.
const LARGEST_SOURCE: u64 = 1 << 20;

/// The most violations that are described in a line.
const MOST_VIOLATIONS: usize = 20;

/// The longest search for an example.
const EXAMPLE_TIME: Duration = Duration::from_secs(20);

/// Checks before a round that its reports can be written, and removes earlier ones.
pub fn check_outputs(args: &ReportArgs) -> Result<(), String> {
    let outputs: [(&str, Option<&PathBuf>); 3] =
        [("--junit", args.junit.as_ref()), ("--sarif", args.sarif.as_ref()), ("--html", args.html.as_ref())];
    files::check_outputs(&outputs, &[])?;
    let marks = [
        (&args.sarif, "sarif-2.1.0"),
        (&args.junit, "<testsuites name=\"axle\""),
        (&args.html, " - Axle</title>"),
    ];
    for (path, mark) in marks {
        if let Some(path) = path {
            files::remove_result(path, mark)?;
        }
    }
    Ok(())
}

/// The report of a round.
pub struct Report {
    round: Round,
    sources: Vec<(String, String)>,
}

/// What the JSON of a round contains beside its runs.
#[derive(Serialize)]
pub struct Summary<'a> {
    requirements: &'a [RequirementDocument],
    interactions: &'a [Interaction],
    clusters: &'a [Cluster],
    /// Properties that were not verified because of errors.
    #[serde(skip_serializing_if = "<[RoundBroken]>::is_empty")]
    broken: &'a [RoundBroken],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    examples: BTreeMap<&'a str, &'a Example>,
}

impl Report {
    /// The report of the outcomes of runs, in the order of the runs; `shortest` are shorter violating
    /// executions.
    pub fn new(
        project: &Project,
        prepared: &Prepared,
        outcomes: &[Option<Outcome>],
        shortest: &[Option<Outcome>],
    ) -> Report {
        let runs = &prepared.runs;
        let mut round = report::round(project, runs, outcomes, shortest, env!("CARGO_PKG_VERSION"));
        round.broken = report::broken(&prepared.broken, &prepared.sources);
        let sources = sources(project, runs, &round);
        Report { round, sources }
    }

    /// Adds an execution to each property that holds in some run, in which the premise of the property
    /// happens. No search takes longer than [`EXAMPLE_TIME`].
    pub fn add_examples(&mut self, session: &Session, project: &Project, runs: &[Run]) {
        for own in &mut self.round.properties {
            let Some(property) = project.properties.iter().find(|one| one.name.value == own.name) else {
                continue;
            };
            let holds = own.runs.iter().find(|run| run.verdict == Verdict::Holds && run.vacuity.is_empty());
            let run = holds.and_then(|holds| runs.iter().find(|run| run.name == holds.name));
            if let Some(run) = run {
                let start = Instant::now();
                let mut watch = Watch::with(session, start, Some(EXAMPLE_TIME), true);
                own.witness = example(run, property, &mut watch);
            }
        }
        self.sources = sources(project, runs, &self.round);
    }

    /// Requirements, interactions, clusters, and properties with errors.
    pub fn summary(&self) -> Summary<'_> {
        let Round { requirements, interactions, clusters, broken, .. } = &self.round;
        let examples =
            self.round.properties.iter().filter_map(|one| Some((one.name.as_str(), one.witness.as_ref()?)));
        Summary { requirements, interactions, clusters, broken, examples: examples.collect() }
    }

    /// The properties that were not verified because of errors.
    pub fn broken(&self) -> &[RoundBroken] {
        &self.round.broken
    }

    /// Prints how the executed runs with an unexpected verdict are violated, and how to see more.
    pub fn print_violations(&self, executed: &[Run], output: &OutputArgs) -> Result<(), String> {
        let is_executed = |run: &RoundRun| executed.iter().any(|one| one.name == run.name);
        let failed =
            self.round.runs().filter(|(_, run)| run.judgement == Judgement::Failed && is_executed(run));
        let all: Vec<_> = failed.filter_map(|(_, run)| Some((run, run.violation.as_ref()?))).collect();
        if all.is_empty() {
            return Ok(());
        }
        let mut text = String::from("\n");
        for (run, violation) in all.iter().take(MOST_VIOLATIONS) {
            text.push_str(&wrap(&format!("{}: {}", run.name, violation.message), Some(width()), 4));
        }
        if all.len() > MOST_VIOLATIONS {
            text.push_str(&format!("and {} more\n", all.len() - MOST_VIOLATIONS));
        }
        print(&text)?;
        if !output.quiet {
            remark("axle: `--trace calls` shows the executions, `axle serve` shows them in the browser\n");
        }
        Ok(())
    }

    /// Prints the violating executions of runs with an unexpected verdict.
    pub fn print_traces(&self, mode: TraceMode, output: &OutputArgs) -> Result<(), String> {
        for (_, run) in self.round.runs().filter(|(_, run)| run.judgement == Judgement::Failed) {
            let (Some(violation), Some(trace)) = (&run.violation, &run.trace) else { continue };
            print(&format!("\n{}: {}\n", run.name, violation.message))?;
            for detail in &violation.details {
                print(&format!("  {detail}\n"))?;
            }
            print("\n")?;
            show::trace(trace, mode, true, output)?;
        }
        Ok(())
    }

    /// Writes the files; `exit` is the exit code of the command.
    pub fn write(&self, args: &ReportArgs, exit: Exit, deadline: &Deadline) -> Result<(), String> {
        if let Some(file) = &args.junit {
            files::write(file, &round_to_junit(&self.round), deadline)?;
        }
        if let Some(file) = &args.sarif {
            let text = round_to_sarif(&self.round, exit.code()).map_err(|fault| fault.to_string())?;
            files::write(file, &text, deadline)?;
        }
        if let Some(file) = &args.html {
            let command = command_line();
            let page = RoundPage {
                round: &self.round,
                sources: &self.sources,
                command: &command,
                exit: exit.code(),
            };
            files::write(file, &round_to_html(&page), deadline)?;
        }
        Ok(())
    }
}

/// The files that the traces of a round refer to, with their texts.
fn sources(project: &Project, runs: &[Run], round: &Round) -> Vec<(String, String)> {
    let traces = round.runs().filter_map(|(_, run)| run.trace.as_ref());
    let witnesses = round.properties.iter().filter_map(|property| property.witness.as_ref());
    let traces = traces.chain(witnesses.map(|witness| &witness.trace));
    let movers =
        traces.flat_map(|trace| &trace.steps).flat_map(|step| [Some(&step.by), step.partner.as_ref()]);
    let names: BTreeSet<&String> = movers
        .flatten()
        .filter_map(|mover| mover.place.as_ref())
        .filter(|place| !place.is_generated())
        .map(|place| &place.file)
        .collect();
    let program = runs.iter().find_map(|run| run.subject.program());
    let text = |name: &String| {
        let own = program.and_then(|loaded| loaded.sources.files().find(|(_, file)| **file.name() == **name));
        let text = match own {
            Some((_, file)) => Some(file.text().to_string()),
            None => {
                let bytes = project.folder.load(name, LARGEST_SOURCE).ok();
                bytes.and_then(|bytes| String::from_utf8(bytes).ok())
            }
        };
        Some((name.clone(), text.filter(|text| text.len() as u64 <= LARGEST_SOURCE)?))
    };
    names.into_iter().filter_map(text).collect()
}
