//! The display of an execution while it is simulated.
//!
//! *Entry point:* [`Display`].

use axle_evidence::trace::{Mode, Trace, TraceStep, render_text};

use crate::args::{OutputArgs, SimulateArgs, TraceMode};
use crate::output::print;
use crate::show;

/// Steps after which the display of a long execution is continued.
const WINDOW: usize = 1_000;

/// Shows steps as they are executed, or all of them at the end.
pub(super) struct Display {
    mode: TraceMode,
    output: OutputArgs,
    waiting: Vec<TraceStep>,
    pub shown: u64,
}

impl Display {
    pub fn new(args: &SimulateArgs) -> Display {
        Display { mode: args.trace, output: args.output, waiting: Vec::new(), shown: 0 }
    }

    /// Shows more steps, up to a number of all steps.
    pub fn steps(&mut self, mut steps: Vec<TraceStep>, most: Option<u64>) -> Result<(), String> {
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
    pub fn finish(&mut self) -> Result<(), String> {
        match self.waiting.is_empty() {
            true => Ok(()),
            false => show::trace(&listed(std::mem::take(&mut self.waiting)), self.mode, true, &self.output),
        }
    }
}

/// Steps as a trace without end.
fn listed(steps: Vec<TraceStep>) -> Trace {
    Trace::of(steps)
}

/// Steps without their effects, one a line.
pub(super) fn short(steps: Vec<TraceStep>) -> String {
    render_text(&listed(steps), Mode::Short)
}
