//! `axle swarm` for C programs.

use std::sync::Arc;

use axle_check::program::refine::ProgramSeen;
use axle_check::program::swarm::ProgramSwarm;
use axle_check::{CheckedProgram, undecided_program};
use axle_outcome::Count;

use super::{Member, Members, Share, search_all};
use crate::args::SwarmArgs;
use crate::exit::Exit;
use crate::output::complain;
use crate::program::{complain_of_faults, load_for_swarm, write_trails};
use crate::refine::shorten_program;
use crate::results::{InputResult, json_traces, print_json};
use crate::session::Session;
use crate::show;

impl Members for ProgramSwarm<'_> {
    type Seen = ProgramSeen;

    fn kinds(&self) -> u64 {
        ProgramSwarm::kinds(self)
    }

    fn wants(&self, kind: u64) -> bool {
        ProgramSwarm::wants(self, kind)
    }

    fn search(&self, number: u64, memory: u64, monitor: &mut Share<'_>) -> ProgramSeen {
        self.run(number, memory, monitor)
    }
}

impl Member for ProgramSeen {
    fn is_full(&self) -> bool {
        ProgramSeen::is_full(self)
    }

    fn is_exhaustive(&self) -> bool {
        ProgramSeen::is_exhaustive(self)
    }

    fn has_violations(&self) -> bool {
        ProgramSeen::has_violations(self)
    }

    fn told(&self) -> (String, Count) {
        let run = self.run();
        (run.order, run.states)
    }
}

/// Runs the command for a C program.
pub fn run(session: &Session, args: &Arc<SwarmArgs>) -> Result<Exit, String> {
    let (loaded, config) = match load_for_swarm(session, args, args.config())? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let (files, own) = (loaded.files.clone(), config.clone());
    let (late, options) = (session.clone(), Arc::clone(args));
    session.deadline.report_with(move |stop, seen| {
        let mut checked = undecided_program(&files, &own, stop, seen);
        checked.report.search.order = "swarm".to_string();
        checked.report.search.seconds = late.deadline.elapsed().as_secs_f64();
        show(&late, &options, checked).unwrap_or_else(|fault| {
            complain(&fault);
            Exit::Unknown
        })
    });
    let subject = loaded.subject();
    let swarm = ProgramSwarm::new(subject, &config);
    let (members, stop, mut watch) = search_all(session, args, &swarm);
    let mut checked = swarm.report(members, stop);
    shorten_program(&subject, &config, &mut checked, &mut watch);
    checked.report.search.seconds = watch.stop().as_secs_f64();
    session.deadline.reporting(Exit::of(&checked.report));
    complain_of_faults(&checked);
    show(session, args, checked)
}

/// Shows the report and writes the trails; the exit code.
fn show(session: &Session, args: &SwarmArgs, checked: CheckedProgram) -> Result<Exit, String> {
    if !args.prints_json() {
        let trace = |index: usize| Ok(checked.violations.get(index).map(|found| found.trace.clone()));
        show::report(&checked.report, &args.output, args.trace, &trace, "")?;
    }
    if let Some(file) = &args.trail {
        write_trails(session, file, &checked, &args.output)?;
    }
    let CheckedProgram { report, violations, .. } = checked;
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
