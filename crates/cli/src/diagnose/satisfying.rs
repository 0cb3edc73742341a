//! `axle diagnose --satisfying`: a short execution that satisfies a property of a project, to compare a
//! violating one with.
//!
//! *Entry point:* [`run`].

use axle_evidence::round::Example;
use axle_feaver::example::satisfying;
use axle_feaver::prepare::{Selection, prepare};
use axle_feaver::project::load;
use serde::Serialize;

use super::position;
use crate::args::{DiagnoseArgs, TraceMode};
use crate::exit::Exit;
use crate::load::report;
use crate::output::print;
use crate::show;
use crate::watch::Watch;

/// The answer as JSON.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<&'a Example>,
}

/// Runs the command. Without an execution the exit code is that of an undecided check: a limit or the
/// absence of such an execution are not distinguished.
pub fn run(args: &DiagnoseArgs, name: &str) -> Result<Exit, String> {
    let loaded = load(&args.target);
    let Some(project) = loaded.project.clone() else {
        let mut loaded = loaded;
        return Ok(report(&loaded.sources, &mut loaded.diagnostics, &args.output)
            .err()
            .unwrap_or(Exit::Input));
    };
    let names: Vec<&str> = project.properties.iter().map(|one| one.name.value.as_str()).collect();
    let property = &project.properties[position(name, &names, "property")?];
    let selection = Selection { properties: vec![name.to_string()], features: Vec::new() };
    let mut prepared = prepare(loaded, &selection);
    if let Err(exit) = report(&prepared.sources, &mut prepared.diagnostics, &args.output) {
        return Ok(exit);
    }
    let constraints: Vec<&str> = prepared.runs.iter().map(|run| run.constraint.as_str()).collect();
    let index = match &args.constraint {
        Some(wanted) => position(wanted, &constraints, "run under the constraint")?,
        None => 0,
    };
    let Some(run) = prepared.runs.get(index) else {
        return Err(format!("the property '{name}' has no run"));
    };
    let mut watch = Watch::start(args.time, args.output.quiet);
    let found = satisfying(run, property, &mut watch);
    watch.stop();
    if args.json {
        let object = Object { schema: 1, version: env!("CARGO_PKG_VERSION"), example: found.as_ref() };
        let text = serde_json::to_string_pretty(&object).map_err(|fault| fault.to_string())?;
        print(&format!("{text}\n"))?;
    } else if let Some(example) = &found {
        print(&format!("{} satisfies {}\n\n", example.run, example.shows))?;
        show::trace(
            &example.trace,
            args.trace.unwrap_or(TraceMode::Full),
            args.trace.is_some(),
            &args.output,
        )?;
    } else {
        print("unknown: no execution was found that satisfies the property\n")?;
    }
    Ok(if found.is_some() { Exit::Holds } else { Exit::Unknown })
}
