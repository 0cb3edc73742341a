//! `axle replay`: shows the run of a trail file again.

use axle_evidence::replay::replay_violation;

use crate::args::{ReplayArgs, TraceMode};
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::output::{dimmed, print};
use crate::session::Session;
use crate::tabled::load;
use crate::trail::Read;
use crate::{program, show, trail};

/// Runs the command.
pub fn run(args: &ReplayArgs, session: &Session) -> Result<Exit, String> {
    if is_program(&args.model.model) && !args.tables.are_given() {
        return program::replay(session, args);
    }
    let (model, extracted) = match load(session, &args.model, &args.also, &args.tables, &args.output) {
        Ok(loaded) => loaded,
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
    if let Some(extracted) = extracted
        && args.trace != Some(TraceMode::Json)
    {
        let lines: String =
            extracted.rows.statements_of(&trace).iter().map(|line| format!("{line}\n")).collect();
        print(&format!("\n{}", dimmed(&lines, args.output.color_out())))?;
    }
    if let Some(file) = &args.chart {
        show::chart(&trace, file, &session.deadline)?;
    }
    Ok(Exit::Violated)
}
