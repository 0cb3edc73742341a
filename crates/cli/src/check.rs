//! `axle check`: searches, reports, and writes the files that were asked for.

use std::collections::BTreeSet;

use axle_check::{Check, Config, check};
use axle_search::Limits;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::load::load;
use crate::machine::spare_memory;
use crate::output::{complain, print, remark};
use crate::summary;
use crate::watch::Watch;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, String> {
    let loaded = match load(&args.model, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    if args.threads > 1 && !args.output.quiet {
        remark("axle: this version searches with one thread\n");
    }
    let mut watch = Watch::start(args.time, args.output.quiet);
    let checked = check(&loaded.model, &config(args), &mut watch);
    let mut report = checked.report;
    report.search.seconds = watch.stop().as_secs_f64();

    if args.json {
        let text = serde_json::to_string_pretty(&report).map_err(|fault| fault.to_string())?;
        print(&format!("{text}\n"))?;
    } else {
        print(&summary::text(&report))?;
    }
    if let Some(fault) = &report.internal {
        complain(&format!("this is a fault of Axle, please report it with the model: {fault}"));
    }
    Ok(Exit::of(&report))
}

/// What the options ask for.
fn config(args: &CheckArgs) -> Config {
    let mut checks: BTreeSet<Check> = Check::ALL.into_iter().filter(|check| check.by_default()).collect();
    checks.extend(&args.check);
    for check in &args.no_check {
        checks.remove(check);
    }
    Config {
        checks,
        order: args.search,
        store: args.store,
        engine: args.engine,
        limits: Limits {
            memory: Some(args.memory.unwrap_or_else(spare_memory)),
            depth: args.depth,
            states: args.states,
            errors: args.errors.0,
        },
    }
}
