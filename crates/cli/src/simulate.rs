//! `axle simulate`: one execution of a model or a C program, random, along a trail, or with the
//! choices of the user.
//!
//! An [`Execution`](execution::Execution) is a model (`model.rs`) or a program (`program.rs`);
//! choosing and display are common to both.
//!
//! *Entry point:* [`run`].

mod display;
mod execute;
mod execution;
mod interactive;
mod model;
mod program;
mod random;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use execute::STEPS;
use execution::Bounds;

use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::session::Session;
use crate::tabled;
use crate::watch::until;

/// Runs the command.
pub fn run(args: &SimulateArgs, session: &Session) -> Result<Exit, String> {
    // At a prompt, Ctrl-C ends the program at once: nothing is lost.
    let interrupted =
        if args.interactive { Arc::new(AtomicBool::new(false)) } else { session.signals.interrupted() };
    let end = args.time.map(|time| Instant::now() + time);
    let steps = match (args.steps, args.interactive, &args.trail) {
        (Some(steps), _, _) => Some(steps),
        (None, false, None) => Some(STEPS),
        (None, _, _) => None,
    };
    let bounds = Bounds { steps, interrupt: until(interrupted, end) };
    if is_program(&args.model.model) && !args.tables.are_given() {
        return crate::program::simulate(session, args, |program| program::run(args, program, &bounds));
    }
    if let Some(more) = args.more.first().filter(|_| !args.tables.are_given()) {
        return Err(format!("'{}': only C programs have several files", more.display()));
    }
    let (model, _) = match tabled::load(session, &args.model, &args.more, &args.tables, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    model::run(args, &model, &bounds)
}
