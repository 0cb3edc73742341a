//! `axle simulate`: one execution of a model or a C program, random, along a trail, or with the
//! choices of the user.
//!
//! An [`Execution`] is a model (`model.rs`) or a program (`program.rs`); choosing and display are
//! common to both.

mod interactive;
mod model;
mod program;
mod random;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use axle_evidence::trace::{Mode, Trace, TraceStep, render_text};
use axle_step::{Cut, Interrupt};

use crate::args::{OutputArgs, SimulateArgs, TraceMode};
use crate::exit::Exit;
use crate::output::print;
use crate::quantities::counted;
use crate::watch::{on_interrupt, until};
use crate::{show, tabled};

use random::Random;

/// Steps of a random execution, unless the user gives another limit.
const STEPS: u64 = 1_000;

/// Steps after which the display of a long execution is continued.
const WINDOW: usize = 1_000;

/// An execution of a model or a program.
trait Execution {
    /// An earlier point of the execution, to go back to.
    type Saved;

    /// The steps that are possible, numbered from 1; none once the execution has ended.
    fn choices(&mut self) -> Vec<TraceStep>;

    /// Executes one of them, by its index.
    fn take(&mut self, index: usize) -> Result<(), String>;

    /// The steps that were executed since the last call, with numbers; not `all` may keep the last
    /// ones back.
    fn steps(&mut self, all: bool) -> Vec<TraceStep>;

    /// How many steps were executed.
    fn executed(&self) -> u64;

    /// Why the execution has ended, if it has.
    fn ending(&mut self) -> Option<Ending>;

    /// The present point.
    fn save(&self) -> Self::Saved;

    /// Goes back to a point.
    fn restore(&mut self, saved: Self::Saved);

    /// The whole state, as text.
    fn state(&self) -> String;

    /// The contents of the channels, as text.
    fn channels(&self) -> String;

    /// Names and values of all variables.
    fn variables(&self) -> Vec<(String, String)>;
}

/// The end of an execution.
struct Ending {
    /// What happened, in lines; the number of steps is added to the first.
    lines: Vec<String>,
    exit: Exit,
    /// A transition was cut short; the limits of the simulation say by which.
    cut: bool,
}

impl Ending {
    fn new(exit: Exit, lines: Vec<String>) -> Ending {
        Ending { lines, exit, cut: false }
    }
}

/// The limits of a simulation.
struct Bounds {
    steps: Option<u64>,
    interrupt: Interrupt,
}

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Result<Exit, String> {
    // At a prompt, Ctrl-C ends the program at once: nothing is lost.
    let interrupted = if args.interactive { Arc::new(AtomicBool::new(false)) } else { on_interrupt() };
    let end = args.time.map(|time| Instant::now() + time);
    let steps = match (args.steps, args.interactive, &args.trail) {
        (Some(steps), _, _) => Some(steps),
        (None, false, None) => Some(STEPS),
        (None, _, _) => None,
    };
    let bounds = Bounds { steps, interrupt: until(interrupted, end) };
    if crate::program::is_program(&args.model.model) && !args.tables.are_given() {
        return crate::program::simulate(args, |program| program::run(args, program, &bounds));
    }
    if let Some(more) = args.more.first() {
        return Err(format!("'{}': only C programs have several files", more.display()));
    }
    let (model, _) = match tabled::load(&args.model, &args.tables, &args.output) {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    model::run(args, &model, &bounds)
}

/// Executes: interactively, or at random to a limit. An execution that follows a trail stands at
/// the end of the trail and continues at random for as many steps as the user asks for.
fn execute(args: &SimulateArgs, bounds: &Bounds, execution: &mut impl Execution) -> Result<Exit, String> {
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

/// The exit code and the last lines of an execution that has ended.
fn conclude(ending: Ending, steps: u64, bounds: &Bounds) -> (Exit, String) {
    let executed = counted(steps, "step");
    if ending.cut {
        return match bounds.interrupt.ask() {
            Some(cut) => stopped(cut, steps),
            None => (Exit::Holds, format!("stopped after {executed} (--steps); more steps are possible\n")),
        };
    }
    let mut text = String::new();
    for (index, line) in ending.lines.iter().enumerate() {
        match index {
            0 => text.push_str(&format!("after {executed}: {line}\n")),
            _ => text.push_str(&format!("{line}\n")),
        }
    }
    (ending.exit, text)
}

fn stopped(cut: Cut, steps: u64) -> (Exit, String) {
    let executed = counted(steps, "step");
    match cut {
        Cut::Interrupted => (Exit::Interrupted, format!("interrupted after {executed}\n")),
        Cut::Time => (Exit::Holds, format!("time limit reached (--time) after {executed}\n")),
        Cut::Memory => (Exit::Holds, format!("memory limit reached after {executed}\n")),
    }
}

/// Shows steps as they are executed, or all of them at the end.
struct Display {
    mode: TraceMode,
    output: OutputArgs,
    waiting: Vec<TraceStep>,
    shown: u64,
}

impl Display {
    fn new(args: &SimulateArgs) -> Display {
        Display { mode: args.trace, output: args.output, waiting: Vec::new(), shown: 0 }
    }

    /// Shows more steps, up to a number of all steps.
    fn steps(&mut self, mut steps: Vec<TraceStep>, most: Option<u64>) -> Result<(), String> {
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(self.shown));
        steps.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        self.shown += steps.len() as u64;
        if self.mode == TraceMode::None {
            return steps.iter().try_for_each(|step| print(&step.printed));
        }
        self.waiting.append(&mut steps);
        let line_by_line = matches!(self.mode, TraceMode::Full | TraceMode::Short);
        if line_by_line && self.waiting.len() >= WINDOW { self.finish() } else { Ok(()) }
    }

    /// Shows the steps that were held back.
    fn finish(&mut self) -> Result<(), String> {
        match self.waiting.is_empty() {
            true => Ok(()),
            false => show::trace(&listed(std::mem::take(&mut self.waiting)), self.mode, true, &self.output),
        }
    }
}

/// Steps as a trace without end.
fn listed(steps: Vec<TraceStep>) -> Trace {
    Trace { steps, ending: Vec::new(), start: None, cycle: None }
}

/// Steps without their effects, one a line.
fn short(steps: Vec<TraceStep>) -> String {
    render_text(&listed(steps), Mode::Short)
}
