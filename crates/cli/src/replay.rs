//! `axle replay`: shows the run of a trail file again.

use axle_evidence::replay::replay_violation;

use crate::args::{ReplayArgs, TraceMode};
use crate::exit::Exit;
use crate::load::load;
use crate::show;
use crate::trail;

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Result<Exit, String> {
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let violation = trail::read(&args.trail, &model)?;
    let options = axle_step::Options { truncation: true, messages_left: true, ..Default::default() };
    let trace = replay_violation(&model, &violation, &options)
        .map_err(|fault| format!("{}: {fault}", args.trail.display()))?;
    show::trace(&trace, args.trace.unwrap_or(TraceMode::Full), true)?;
    if let Some(file) = &args.chart {
        show::chart(&trace, file)?;
    }
    Ok(Exit::Violated)
}
