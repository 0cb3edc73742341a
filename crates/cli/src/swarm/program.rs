//! `axle swarm` for C programs.

use std::sync::Arc;

use axle_check::{Checked, ProgramFound, System, SystemKind};
use axle_refinement::searches::ProgramSearches;
use axle_refinement::swarm::Swarm;

use super::search_all;
use crate::args::SwarmArgs;
use crate::exit::Exit;
use crate::output::complain;
use crate::program::{complain_of_faults, load_for_swarm, write_trails};
use crate::refine::shorten_all;
use crate::results::{InputResult, json_traces, print_json};
use crate::session::Session;
use crate::show;

/// Runs the command for a C program.
pub fn run(session: &Session, args: &Arc<SwarmArgs>) -> Result<Exit, String> {
    let loaded = match load_for_swarm(session, args)? {
        Ok(loaded) => Arc::new(loaded),
        Err(exit) => return Ok(exit),
    };
    let config = args.config(SystemKind::Program);
    let (program, own) = (Arc::clone(&loaded), config.clone());
    let (late, options) = (session.clone(), Arc::clone(args));
    session.deadline.report_with(move |stop, seen| {
        let mut checked = program.subject().undecided(&own, stop, seen);
        checked.report.search.order = "swarm".to_string();
        checked.report.search.seconds = late.deadline.elapsed().as_secs_f64();
        show(&late, &options, checked).unwrap_or_else(|fault| {
            complain(&fault);
            Exit::Unknown
        })
    });
    let subject = loaded.subject();
    let swarm = Swarm::new(ProgramSearches::new(&subject, &config));
    let (members, stop, mut watch) = search_all(session, args, &swarm);
    let mut checked = swarm.report(members, stop);
    shorten_all(&subject, &config, &mut checked, &mut watch);
    checked.report.search.seconds = watch.stop().as_secs_f64();
    session.deadline.reporting(Exit::of(&checked.report));
    complain_of_faults(&checked);
    show(session, args, checked)
}

/// Shows the report and writes the trails; the exit code.
fn show(session: &Session, args: &SwarmArgs, checked: Checked<ProgramFound>) -> Result<Exit, String> {
    if !args.prints_json() {
        let trace = |index: usize| Ok(checked.found.violations.get(index).map(|found| found.trace.clone()));
        show::report(&checked.report, &args.output, args.trace, &trace, "")?;
    }
    if let Some(file) = &args.trail {
        write_trails(session, file, &checked, &args.output)?;
    }
    let Checked { report, found: ProgramFound { violations, .. }, .. } = checked;
    let traces = match args.prints_json() && json_traces(args.trace) {
        true => violations.into_iter().map(|found| found.trace).collect(),
        false => Vec::new(),
    };
    let result = InputResult::new(session, report, traces);
    let exit = result.exit;
    if args.prints_json() {
        print_json(&[result], args.trace)?;
    }
    Ok(exit)
}
