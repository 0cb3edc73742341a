//! The execution of a model, by the interpreter.

use std::sync::Arc;

use axle_evidence::replay::tell;
use axle_evidence::trace::TraceStep;
use axle_model::Model;
use axle_step::interpret::detail::{Control, End, MicroStep};
use axle_step::{Interpreter, Options, Successors};

use super::execute::execute;
use super::execution::{Bounds, Ending, Execution};
use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::trail;

/// Runs the command on a model.
pub(super) fn run(args: &SimulateArgs, model: &Arc<Model>, bounds: &Bounds) -> Result<Exit, String> {
    let mut execution = ModelExecution::new(model);
    if let Some(file) = &args.trail {
        execution.follow(&trail::read(file, model)?.steps())?;
    }
    execute(args, bounds, &mut execution)
}

/// A point of an execution.
#[derive(Clone)]
struct Point {
    state: Vec<u8>,
    /// The process that executes without interruption.
    control: Option<Control>,
    /// Steps executed so far.
    number: u64,
    /// The last step violates something.
    faulty: bool,
}

struct ModelExecution {
    interpreter: Interpreter,
    at: Point,
    /// Steps that were not handed out.
    steps: Vec<TraceStep>,
    /// The small steps that are possible at this point, once they were asked for.
    possible: Option<Vec<MicroStep>>,
}

impl ModelExecution {
    fn new(model: &Arc<Model>) -> ModelExecution {
        let mut interpreter = Interpreter::new(Arc::clone(model), Options::default());
        let mut faults = Vec::new();
        let state = interpreter.initial(&mut faults);
        let at = Point { state, control: None, number: 0, faulty: !faults.is_empty() };
        ModelExecution { interpreter, at, steps: Vec::new(), possible: None }
    }

    fn possible(&mut self) -> &[MicroStep] {
        let ModelExecution { interpreter, at, possible, .. } = self;
        possible.get_or_insert_with(|| interpreter.micro_steps(&at.state, at.control))
    }

    /// A small step from the present state.
    fn told(&self, step: &MicroStep, number: u64) -> TraceStep {
        let before = self.interpreter.widened(&self.at.state);
        TraceStep { step: number, ..tell(&self.interpreter, &before, step) }
    }

    fn make(&mut self, step: MicroStep) {
        self.at.number += 1;
        self.steps.push(self.told(&step, self.at.number));
        self.at.faulty |= !step.faults.is_empty();
        (self.at.state, self.at.control) = (step.state, step.control);
        self.possible = None;
    }

    /// Follows a path of whole steps, as a search counts them.
    fn follow(&mut self, path: &[u32]) -> Result<(), String> {
        for (index, &position) in path.iter().enumerate() {
            let mut steps = self.interpreter.steps(&self.at.state);
            let Some(step) = steps.steps.get_mut(position as usize) else {
                return Err(format!("step {} of the trail is not possible in this model", index + 1));
            };
            for micro in std::mem::take(&mut step.micro) {
                self.make(micro);
            }
            self.at.control = None;
        }
        Ok(())
    }
}

impl Execution for ModelExecution {
    type Saved = Point;

    fn choices(&mut self) -> Vec<TraceStep> {
        if self.at.faulty {
            return Vec::new();
        }
        self.possible();
        let possible = self.possible.as_deref().unwrap_or_default();
        (1..).zip(possible).map(|(number, step)| self.told(step, number)).collect()
    }

    fn take(&mut self, index: usize) -> Result<(), String> {
        let step = self.possible().get(index).cloned().ok_or_else(|| format!("no step {}", index + 1))?;
        self.make(step);
        Ok(())
    }

    fn steps(&mut self, _: bool) -> Vec<TraceStep> {
        std::mem::take(&mut self.steps)
    }

    fn executed(&self) -> u64 {
        self.at.number
    }

    fn ending(&mut self) -> Option<Ending> {
        if self.at.faulty {
            return Some(Ending::new(Exit::Violated, vec!["stopped at the first violation".into()]));
        }
        if !self.possible().is_empty() {
            return None;
        }
        Some(match self.interpreter.end_state(&self.at.state) {
            End::Valid => Ending::new(
                Exit::Holds,
                vec!["end of the execution, every process is in a valid end state".into()],
            ),
            End::Invalid(_) | End::None => {
                let state = self.interpreter.widened(&self.at.state);
                let standing = axle_evidence::end::explain_end(&self.interpreter, &state);
                let mut lines =
                    vec!["invalid end state (deadlock): no process can execute a statement".to_string()];
                lines.extend(axle_evidence::end::sentences(&standing));
                Ending::new(Exit::Violated, lines)
            }
        })
    }

    fn save(&self) -> Point {
        self.at.clone()
    }

    fn restore(&mut self, saved: Point) {
        self.at = saved;
        self.steps.clear();
        self.possible = None;
    }

    fn state(&self) -> String {
        let state = self.interpreter.widened(&self.at.state);
        let view = self.interpreter.view(&state);
        let mut text = String::new();
        for value in view.globals() {
            text.push_str(&format!("{} = {}\n", value.name, value.shown));
        }
        text.push_str(&self.channels());
        for process in view.processes() {
            let end = if process.may_rest { ", a valid end state" } else { "" };
            text.push_str(&format!("{} at line {}{end}\n", process.name, process.origin.line));
            for value in process.locals {
                text.push_str(&format!("  {} = {}\n", value.name, value.shown));
            }
        }
        text
    }

    fn channels(&self) -> String {
        let state = self.interpreter.widened(&self.at.state);
        let channels = self.interpreter.view(&state).channels();
        channels.iter().map(|channel| format!("{} = {}\n", channel.name, channel.contents())).collect()
    }

    fn variables(&self) -> Vec<(String, String)> {
        let state = self.interpreter.widened(&self.at.state);
        let view = self.interpreter.view(&state);
        let globals = view.globals().into_iter().map(|value| (value.name, value.shown));
        let locals = view.processes().into_iter().flat_map(|process| {
            let prefix = process.name;
            process.locals.into_iter().map(move |value| (format!("{prefix}:{}", value.name), value.shown))
        });
        globals.chain(locals).collect()
    }
}
