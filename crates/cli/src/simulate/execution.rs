//! An execution that is simulated, its end, and the limits of the simulation.
//!
//! *Entry points:* [`Execution`], [`conclude`].

use axle_evidence::trace::TraceStep;
use axle_step::{Cut, Interrupt};

use crate::exit::Exit;
use crate::quantities::counted;

/// An execution of a model or a program.
pub(super) trait Execution {
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
pub(super) struct Ending {
    /// What happened, in lines; the number of steps is added to the first.
    pub lines: Vec<String>,
    pub exit: Exit,
    /// A transition was cut short; the limits of the simulation say by which.
    pub cut: bool,
}

impl Ending {
    pub fn new(exit: Exit, lines: Vec<String>) -> Ending {
        Ending { lines, exit, cut: false }
    }
}

/// The limits of a simulation.
pub(super) struct Bounds {
    pub steps: Option<u64>,
    pub interrupt: Interrupt,
}

/// The exit code and the last lines of an execution that has ended.
pub(super) fn conclude(ending: Ending, steps: u64, bounds: &Bounds) -> (Exit, String) {
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
