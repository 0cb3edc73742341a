//! `axle diagnose --satisfying`: an execution that satisfies a property of a project, to compare a
//! violating one with: a short one, or with `--near` the one that is nearest to the execution of a
//! trail.
//!
//! *Entry point:* [`run`].

use std::path::Path;

use axle_evidence::round::Example;
use axle_evidence::run_trail::read_any;
use axle_feaver::example::satisfying;
use axle_feaver::jobs::error::StoreError;
use axle_feaver::nearest::{Answer, Nearest, nearest};
use axle_feaver::prepare::{Run, Selection, prepare};
use axle_feaver::project::{Property, load};
use axle_feaver::results::ledger::kept;
use axle_feaver::results::verdict::{Phase, Record};
use serde::Serialize;

use super::{limits, position};
use crate::args::{DiagnoseArgs, TraceMode};
use crate::exit::Exit;
use crate::load::report;
use crate::output::print;
use crate::session::Session;
use crate::watch::Watch;
use crate::{files, history, show};

/// The largest trail.
const LARGEST: u64 = 64 << 20;

/// The value of `--near` for the execution that the latest round has found.
const LATEST: &str = "latest";

/// Rounds that are searched for a violating execution.
const MOST_ROUNDS: u32 = 1000;

/// The answer as JSON.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<&'a Example>,
    /// How near the execution is to that of the trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<Distance>,
    /// False if no execution satisfies the property; a search that found none does not decide this.
    #[serde(skip_serializing_if = "Option::is_none")]
    satisfiable: Option<bool>,
}

/// How near an execution is to another one.
#[derive(Clone, Copy, Serialize)]
struct Distance {
    common_steps: u64,
    longest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    premise: Option<bool>,
}

/// Runs the command. Without `--near`, a search that finds nothing proves nothing.
pub fn run(session: &Session, args: &DiagnoseArgs, name: &str) -> Result<Exit, String> {
    let loaded = load(&args.target);
    let Some(project) = loaded.project.clone() else {
        let mut loaded = loaded;
        return Ok(report(&loaded.sources, &mut loaded.diagnostics, &args.output)
            .err()
            .unwrap_or(Exit::Input));
    };
    let names: Vec<&str> = project.properties.iter().map(|one| one.name.value.as_str()).collect();
    let is_broken = loaded.broken.iter().any(|broken| broken.name == name);
    let index = if is_broken { None } else { Some(position(name, &names, "property")?) };
    let selection = Selection { properties: vec![name.to_string()], ..Selection::default() };
    let mut prepared = prepare(loaded, &selection);
    if let Err(exit) = report(&prepared.sources, &mut prepared.diagnostics, &args.output) {
        return Ok(exit);
    }
    let Some(property) = index.map(|index| &project.properties[index]) else { return Ok(Exit::Input) };
    let constraints: Vec<&str> = prepared.runs.iter().map(|run| run.constraint.as_str()).collect();
    let runs = match &args.constraint {
        Some(wanted) => {
            let index = position(wanted, &constraints, "run under the constraint")?;
            &prepared.runs[index..=index]
        }
        None => &prepared.runs[..],
    };
    let Some(first) = runs.first() else {
        return Err(format!("the property '{name}' has no run"));
    };
    let (run, near) = match &args.near {
        None => (first, None),
        Some(near) if near == Path::new(LATEST) => {
            let (run, source, text) = latest(args, runs)?;
            (run, Some((source, text)))
        }
        Some(near) => (first, Some((near.display().to_string(), files::read_text(near, LARGEST)?))),
    };
    let mut watch = Watch::start(session, args.time, args.output.quiet);
    let found = search(args, (run, property), near, &mut watch);
    watch.stop();
    let mut found = found?;
    if let Answer::Found(found) = &mut found {
        project.declare_lanes(&mut found.0.trace);
    }
    match (&found, args.json) {
        (found, true) => print_json(found)?,
        (Answer::Found(found), false) => tell(args, &found.0, found.1)?,
        (Answer::None, false) => print("no execution satisfies the property\n")?,
        (Answer::Undecided, false) => print("unknown: no execution was found that satisfies the property\n")?,
    }
    Ok(match found {
        Answer::Found(..) => Exit::Holds,
        Answer::None => Exit::Violated,
        Answer::Undecided => Exit::Unknown,
    })
}

/// An execution, and how near it is to that of the trail.
type Found = Answer<(Example, Option<Distance>)>;

fn search(
    args: &DiagnoseArgs,
    (run, property): (&Run, &Property),
    near: Option<(String, String)>,
    watch: &mut Watch,
) -> Result<Found, String> {
    let Some((source, text)) = near else {
        let example = satisfying(run, property, watch);
        return Ok(example.map_or(Answer::Undecided, |example| Answer::Found(Box::new((example, None)))));
    };
    let refused = |problem: String| format!("{source}: {problem}");
    let trail = read_any(&text).map_err(|fault| refused(fault.to_string()))?;
    let answer = nearest(run, property, &trail, limits(args).memory, watch).map_err(refused)?;
    Ok(match answer {
        Answer::Found(found) => {
            let Nearest { example, common_steps, is_longest, has_premise } = *found;
            let distance = Distance { common_steps, longest: is_longest, premise: has_premise };
            Answer::Found(Box::new((example, Some(distance))))
        }
        Answer::None => Answer::None,
        Answer::Undecided => Answer::Undecided,
    })
}

/// The trail of the violating execution that the latest round with one has found, with its source. Of
/// several runs, the first one with such an execution counts.
fn latest<'r>(args: &DiagnoseArgs, runs: &'r [Run]) -> Result<(&'r Run, String, String), String> {
    let unreadable = |fault: StoreError| format!("history: {fault}");
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let none = || {
        let names = names.join(", ");
        format!("no recorded round has a violating execution of {names}; `axle run` finds them")
    };
    let database = history::open_existing(&args.target, None)?.ok_or_else(none)?;
    for round in database.rounds(MOST_ROUNDS).map_err(unreadable)? {
        let records = database.verdicts(round.id).map_err(unreadable)?;
        for run in runs {
            let own = |record: &&Record| {
                record.run.property == run.property && record.run.provisioning == run.constraint
            };
            let Some(record) = records.iter().find(own) else { continue };
            // A shorter execution is the better one to compare.
            for phase in [Phase::Shortest, Phase::First] {
                let kept = kept(&*database, record, phase).map_err(unreadable)?;
                if let Some(witness) = kept.and_then(|kept| kept.outcome.witness) {
                    return Ok((run, format!("execution of round {}", round.id), witness.trail));
                }
            }
        }
    }
    Err(none())
}

fn print_json(found: &Found) -> Result<(), String> {
    let (example, nearest) = match found {
        Answer::Found(found) => (Some(&found.0), found.1),
        Answer::None | Answer::Undecided => (None, None),
    };
    let satisfiable = matches!(found, Answer::None).then_some(false);
    let object = Object { schema: 1, version: env!("CARGO_PKG_VERSION"), example, nearest, satisfiable };
    let text = serde_json::to_string_pretty(&object).map_err(|fault| fault.to_string())?;
    print(&format!("{text}\n"))
}

fn tell(args: &DiagnoseArgs, example: &Example, distance: Option<Distance>) -> Result<(), String> {
    print(&format!("{} satisfies {}\n", example.run, example.shows))?;
    if let Some(distance) = distance {
        print(&in_words(distance))?;
    }
    print("\n")?;
    show::trace(&example.trace, args.trace.unwrap_or(TraceMode::Full), args.trace.is_some(), &args.output)
}

/// The common prefix in sentences.
fn in_words(distance: Distance) -> String {
    let common = match distance.common_steps {
        0 => "step 1 differs from the violating execution".to_string(),
        1 => "step 1 is that of the violating execution; step 2 differs".to_string(),
        steps => {
            format!("steps 1 to {steps} are those of the violating execution; step {} differs", steps + 1)
        }
    };
    let extent = match distance.longest {
        true => "no satisfying execution has a longer common prefix",
        false => "this is the longest common prefix found within the limits",
    };
    let premise = match distance.premise {
        Some(false) => "the premise of the property does not happen in any satisfying execution\n",
        Some(true) | None => "",
    };
    format!("{common}; {extent}\n{premise}")
}
