//! `axle replay`: shows the run of a trail file again.

use axle_evidence::replay::replay_violation;

use crate::args::{ReplayArgs, TraceMode};
use crate::exit::Exit;
use crate::load::load;
use crate::program;
use crate::show;
use crate::trail::{self, Read};

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Result<Exit, String> {
    if program::is_program(&args.model.model) {
        return program::replay(args);
    }
    let model = match load(&args.model, &args.output) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let options = axle_step::Options { truncation: true, messages_left: true, movers: false };
    let trace = match trail::read(&args.trail, &model)? {
        Read::Violation(violation) => {
            replay_violation(&model, &violation, &options).map_err(|fault| fault.to_string())
        }
        Read::Run(found, fairness) => axle_check::replay(&model, &found, fairness, &options),
    };
    let trace = trace.map_err(|fault| format!("{}: {fault}", args.trail.display()))?;
    show::trace(&trace, args.trace.unwrap_or(TraceMode::Full), true, &args.output)?;
    if let Some(file) = &args.chart {
        show::chart(&trace, file)?;
    }
    Ok(Exit::Violated)
}
