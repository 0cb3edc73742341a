//! Executes a model or a program with the choices of the user or at random.
//!
//! *Entry point:* [`execute`].

use super::display::Display;
use super::execution::{Bounds, Ending, Execution, conclude};
use super::interactive;
use super::random::Random;
use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::output::print;
use crate::quantities::counted;

/// Steps of a random execution, unless the user gives another limit.
pub(super) const STEPS: u64 = 1_000;

/// Executes: interactively, or at random to a limit. An execution that follows a trail stands at
/// the end of the trail and continues at random for as many steps as the user asks for.
pub(super) fn execute(
    args: &SimulateArgs,
    bounds: &Bounds,
    execution: &mut impl Execution,
) -> Result<Exit, String> {
    let mut display = Display::new(args);
    if args.interactive {
        return interactive::converse(execution, &mut display, bounds, &mut std::io::stdin().lock());
    }
    let begun = if args.trail.is_some() { execution.executed() } else { 0 };
    let most = match (&args.trail, args.steps) {
        (Some(_), None) => begun,
        (_, _) => begun.saturating_add(bounds.steps.unwrap_or(STEPS)),
    };
    let mut random = Random::new(args.seed);
    let ending = loop {
        if let Some(ending) = execution.ending() {
            break ending;
        }
        if bounds.interrupt.ask().is_some() {
            break Ending { lines: Vec::new(), exit: Exit::Holds, cut: true };
        }
        if execution.executed() >= most {
            display.steps(execution.steps(true), Some(most))?;
            display.finish()?;
            let executed = counted(display.shown, "step");
            let text = match args.trail.is_some() && args.steps.is_none() {
                true => format!("end of the trail after {executed}; --steps N continues at random\n"),
                false => format!("stopped after {executed} (--steps); more steps are possible\n"),
            };
            return print(&text).map(|()| Exit::Holds);
        }
        let choices = execution.choices();
        if choices.is_empty() {
            return Err("no step is possible, and the execution has not ended".to_string());
        }
        execution.take(random.choose(&choices))?;
        display.steps(execution.steps(false), None)?;
    };
    display.steps(execution.steps(true), None)?;
    display.finish()?;
    let (exit, text) = conclude(ending, execution.executed(), bounds);
    print(&text).map(|()| exit)
}
