//! `axle diagnose`: an execution that shows a sequence of events, or how far the software follows it.
//!
//! *Entry point:* [`run`].
//! *Invariant:* the exit code is 1 only if the search was complete and left nothing in doubt. For a model
//! that was extracted through tables, the answer is one for the program, as far as the rows allow.

mod satisfying;

use std::sync::Arc;

use axle_diagnosis::diagnose;
use axle_diagnosis::diagnose::{Diagnosis, Event};
use axle_evidence::report::reason::Words;
use axle_evidence::trace::Trace;
use axle_feaver::execute::subject;
use axle_feaver::prepare::software::{Software, software};
use axle_feaver::project::{Project, load as load_project};
use axle_model::Model;
use axle_outcome::Reason;
use axle_search::{Limits, Stop};
use axle_step::Options;
use axle_tabled::Rows;
use serde::Serialize;

use crate::args::{DiagnoseArgs, ModelArgs, TraceMode};
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::load::{load as load_model, report};
use crate::machine::spare_memory;
use crate::output::{print, remark};
use crate::session::Session;
use crate::watch::Watch;
use crate::{files, program, show};

/// The largest file of events.
const LARGEST: u64 = 1 << 20;

/// Runs the command.
pub fn run(args: &DiagnoseArgs, session: &Session) -> Result<Exit, String> {
    if let Some(property) = &args.satisfying {
        return satisfying::run(session, args, property);
    }
    let (name, events) = match events(args)? {
        Ok(events) => events,
        Err(exit) => return Ok(exit),
    };
    let target = &args.target;
    let answer = if target.is_dir() {
        of_project(session, args, &events)?
    } else if is_program(target) {
        of_program(session, args, &events)
    } else {
        of_model_file(session, args, &events)
    };
    let found = match answer {
        Err(exit) => return Ok(exit),
        Ok(Err((index, message))) => {
            let line = events.get(index).map_or(0, |event| event.line);
            fault(&name, line, &message);
            return Ok(if message.starts_with("internal error") { Exit::Internal } else { Exit::Input });
        }
        Ok(Ok(found)) => found,
    };
    match args.json {
        true => print(&json(&found, &events)?)?,
        false => tell(args, &found, &events)?,
    }
    Ok(match (found.is_feasible(), &found.stop, &found.doubt) {
        (true, _, None) => Exit::Holds,
        (true, _, Some(_)) => Exit::Unknown,
        (false, Some(Stop::Interrupted), _) => Exit::Interrupted,
        (false, Some(_), _) | (false, None, Some(_)) => Exit::Unknown,
        (false, None, None) => Exit::Violated,
    })
}

type Answer = Result<Result<Diagnosis, (usize, String)>, Exit>;

/// The events, and the name of their file.
fn events(args: &DiagnoseArgs) -> Result<Result<(String, Vec<Event>), Exit>, String> {
    let (name, text) = match (&args.events, &args.reach) {
        (Some(file), _) => (file.display().to_string(), files::read_text(file, LARGEST)?),
        (None, reach) => {
            let reach = reach.as_deref().unwrap_or_default();
            ("--reach".to_string(), format!("@{reach}\n"))
        }
    };
    match diagnose::parse(&text) {
        Ok(events) => Ok(Ok((name, events))),
        Err(faults) => {
            for found in faults {
                fault(&name, found.line, &found.message);
            }
            Ok(Err(Exit::Input))
        }
    }
}

/// Reports a mistake in the events.
fn fault(name: &str, line: u32, message: &str) {
    let place = if line == 0 || name == "--reach" { name.to_string() } else { format!("{name}:{line}") };
    remark(&format!("axle: {place}: {message}\n"));
}

fn limits(args: &DiagnoseArgs) -> Limits {
    Limits { memory: Some(args.memory.unwrap_or_else(spare_memory)), ..Limits::default() }
}

fn of_project(session: &Session, args: &DiagnoseArgs, events: &[Event]) -> Result<Answer, String> {
    let mut loaded = load_project(&args.target);
    let Some(project) = loaded.project.clone() else {
        return Ok(Err(match report(&loaded.sources, &mut loaded.diagnostics, &args.output) {
            Err(exit) => exit,
            Ok(()) => Exit::Input,
        }));
    };
    let constraint = args.constraint.as_deref().map(|name| constraint(&project, name)).transpose()?;
    let model = args.model.as_deref().map(|name| model(&project, name)).transpose()?;
    if let Some(own) = &mut loaded.project {
        own.subject.define.extend(args.define.iter().cloned());
        own.subject.include.extend(args.include.iter().cloned());
    }
    let mut prepared = software(loaded, constraint, model.unwrap_or(0));
    if let Err(exit) = report(&prepared.sources, &mut prepared.diagnostics, &args.output) {
        return Ok(Err(exit));
    }
    let answer = match prepared.software {
        None => Err(Exit::Internal),
        Some(Software::Model(model, rows)) => {
            let found = of_model(session, args, &model, events);
            Ok(found.map(|found| match rows {
                Some(rows) => of_tables(found, &model, &rows),
                None => found,
            }))
        }
        Some(Software::Program(loaded)) => {
            let mut program = loaded.program.clone();
            program.keep_locals();
            let subject = axle_check::Subject { program: &program, ..subject(&loaded) };
            let mut watch = Watch::start(session, args.time, args.output.quiet);
            let found = diagnose::program::diagnose(&subject, events, &limits(args), &mut watch);
            watch.stop();
            Ok(found)
        }
    };
    Ok(answer.map(|found| {
        found.map(|mut found| {
            project.present(&mut found.trace);
            found
        })
    }))
}

fn constraint(project: &Project, name: &str) -> Result<usize, String> {
    let names: Vec<&str> = project.constraints.iter().map(|one| one.name.value.as_str()).collect();
    position(name, &names, "constraint")
}

fn model(project: &Project, name: &str) -> Result<usize, String> {
    let names: Vec<&str> = project.subject.promela.iter().map(String::as_str).collect();
    position(name, &names, "model")
}

fn position(name: &str, names: &[&str], what: &str) -> Result<usize, String> {
    names.iter().position(|own| *own == name).ok_or_else(|| {
        let near = axle_source::nearest(name, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        format!("the project has no {what} '{name}'{near}")
    })
}

fn of_program(session: &Session, args: &DiagnoseArgs, events: &[Event]) -> Answer {
    let mut loaded = program::load(session, &model_args(args), &args.more, &args.program, &args.output)?;
    loaded.keep_locals();
    let mut watch = Watch::start(session, args.time, args.output.quiet);
    let found = diagnose::program::diagnose(&loaded.subject(), events, &limits(args), &mut watch);
    watch.stop();
    Ok(found)
}

fn of_model_file(session: &Session, args: &DiagnoseArgs, events: &[Event]) -> Answer {
    let model = load_model(session, &model_args(args), &args.output)?;
    Ok(of_model(session, args, &model, events))
}

fn of_model(
    session: &Session,
    args: &DiagnoseArgs,
    model: &Arc<Model>,
    events: &[Event],
) -> Result<Diagnosis, (usize, String)> {
    let mut watch = Watch::start(session, args.time, args.output.quiet);
    let found = diagnose::model::diagnose(model, &Options::default(), events, &limits(args), &mut watch);
    watch.stop();
    found
}

/// The answer for the program that a model was extracted from.
fn of_tables(found: Diagnosis, model: &Model, rows: &Rows) -> Diagnosis {
    let doubt = match (found.is_feasible(), &found.stop) {
        (true, _) => rows.doubt_of_execution(model, &found.trace),
        (false, None) => rows.doubt_of_absence(model),
        (false, Some(_)) => None,
    };
    let doubt = doubt.map(|reason| match reason {
        Reason::AddedBehaviours { row: Some(row) } => {
            format!("the model may have more behaviours than the program ({row})")
        }
        Reason::OmittedBehaviours { row: Some(row) } | Reason::OmittedSteps { row: Some(row) } => {
            format!("the model omits some behaviours of the program ({row})")
        }
        other => Words::PLAIN.sentence(&other),
    });
    Diagnosis { doubt, ..found }
}

fn model_args(args: &DiagnoseArgs) -> ModelArgs {
    ModelArgs {
        model: args.target.clone(),
        define: args.define.clone(),
        undefine: Vec::new(),
        include: args.include.clone(),
        ltl: Vec::new(),
        timeline: Vec::new(),
        automaton: Vec::new(),
        lossy: false,
        max_processes: 255,
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    version: &'a str,
    feasible: bool,
    /// The events of the sequence.
    events: Vec<&'a str>,
    /// The number of events of the longest feasible prefix.
    prefix: usize,
    possible: &'a [String],
    silent: bool,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    trace: &'a Trace,
}

fn json(found: &Diagnosis, events: &[Event]) -> Result<String, String> {
    let object = Object {
        schema: 1,
        version: env!("CARGO_PKG_VERSION"),
        feasible: found.is_feasible(),
        events: events.iter().filter(|event| !event.absent).map(|event| event.text.as_str()).collect(),
        prefix: found.feasible,
        possible: &found.possible,
        silent: found.silent,
        states: found.states,
        reason: reason(found),
        trace: &found.trace,
    };
    let mut text = serde_json::to_string_pretty(&object).map_err(|fault| fault.to_string())?;
    text.push('\n');
    Ok(text)
}

/// Why the answer is not final.
fn reason(found: &Diagnosis) -> Option<String> {
    let stop = found.stop.map(|stop| match stop {
        Stop::Time => "the time limit ended the search",
        Stop::Memory => "the memory limit ended the search",
        Stop::Interrupted => "the search was interrupted",
        _ => "a limit ended the search",
    });
    stop.filter(|_| !found.is_feasible()).map(str::to_string).or_else(|| found.doubt.clone())
}

fn tell(args: &DiagnoseArgs, found: &Diagnosis, events: &[Event]) -> Result<(), String> {
    let (feasible, all) = (found.feasible, found.events);
    let steps = found.trace.steps.last().map_or(0, |step| step.step);
    let steps = format!("{steps} step{}", if steps == 1 { "" } else { "s" });
    let single = args.reach.is_some();
    let head = match (found.is_feasible(), reason(found)) {
        (true, Some(reason)) if single => format!("unknown: reachable in {steps} of the model; {reason}\n"),
        (true, Some(reason)) => format!("unknown: the model follows {all} of {all} events; {reason}\n"),
        (true, _) if single => format!("reachable in {steps}\n"),
        (true, _) => format!("feasible: {all} of {all} events in {steps}\n"),
        (false, Some(reason)) if single => format!("unknown: {reason}\n"),
        (false, Some(reason)) => format!("unknown: {feasible} of {all} events are feasible; {reason}\n"),
        (false, None) if single => "unreachable: no execution reaches this line\n".to_string(),
        (false, None) => format!("infeasible: the software follows {feasible} of {all} events\n"),
    };
    print(&head)?;
    if !found.is_feasible() && !single {
        print(&prefix(found, events))?;
    }
    let whole = args.trace.is_some();
    if args.trace == Some(TraceMode::None) {
        return Ok(());
    }
    if !found.trace.steps.is_empty() && (found.is_feasible() || !single) {
        let title = if found.is_feasible() { "" } else { "execution of the longest feasible prefix:\n" };
        print(&format!("\n{title}"))?;
        show::trace(&found.trace, args.trace.unwrap_or(TraceMode::Full), whole, &args.output)?;
    }
    Ok(())
}

/// The events with the border between the feasible and the infeasible ones, and what is possible
/// there.
fn prefix(found: &Diagnosis, events: &[Event]) -> String {
    let mut text = String::new();
    let width = found.events.to_string().len();
    for (number, event) in (1..).zip(events.iter().filter(|event| !event.absent)) {
        let mark = match number {
            number if number <= found.feasible => "ok",
            number if number == found.feasible + 1 => "not possible here",
            _ => "",
        };
        let line = format!("  {number:>width$}  {:32}  {mark}", event.text);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let absent: Vec<&str> =
        events.iter().filter(|event| event.absent).map(|event| event.text.as_str()).collect();
    if !absent.is_empty() {
        text.push_str(&format!("  {:>width$}  {}\n", "", absent.join(", ")));
    }
    let behind = match found.feasible {
        0 => "at the start".to_string(),
        last => format!("behind event {last}"),
    };
    if !found.possible.is_empty() {
        text.push_str(&format!("possible {behind}:\n"));
        found.possible.iter().for_each(|event| text.push_str(&format!("  {event}\n")));
    }
    if found.silent {
        text.push_str(&format!(
            "{behind} the software can go on, or end, without any event of these names\n"
        ));
    }
    text
}
