//! From positions to a readable execution: the interpreter re-executes a path and records every
//! small step.
//!
//! *Entry points:* [`replay`] for any path, [`replay_violation`] for what a search found, which
//! also shows the fault and refuses a violation that does not happen again.

use std::sync::Arc;

use axle_model::{Edge, EdgeId, Model, Origin, ProcId};
use axle_outcome::{Found, ModelSite, Violation};
use axle_step::interpret::detail::{MicroStep, Mishap, Steps, Taken};
use axle_step::interpret::log::{Blame, Event, Passed};
use axle_step::view::{changes, process_name};
use axle_step::{FaultKind, Interpreter, Options, Successors, View};

use crate::end::{explain_end, explain_process, sentences};
use crate::place::PlaceReport;
use crate::trace::{Changed, Message, MessageKind, Mover, Trace, TraceStep};
use crate::words::sentence;

/// Recorded small steps of a sequence that never ends.
const ENOUGH: usize = 200;

/// Why a run cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The path does not belong to this model.
    #[error("step {step} of the path is number {position} of {successors} possible steps")]
    NoSuchStep {
        /// The number of the step, counted from 1.
        step: usize,
        /// Which of the successors it names, counted from 0.
        position: u32,
        /// How many there are.
        successors: usize,
    },
    /// The run stutters where a process is enabled.
    #[error("step {step} of the path is a stuttering step, but {successors} steps are possible")]
    NotStuck {
        /// The number of the step, counted from 1.
        step: usize,
        /// How many steps are possible.
        successors: usize,
    },
    /// The steps that should repeat do not lead back.
    #[error("the steps of the cycle do not lead back to its first state")]
    NoCycle,
    /// The run is there, the fault is not.
    #[error("the run ends without the fault `{0}`")]
    NotSeen(&'static str),
}

/// Walks a path from the initial state: the position of each step among the successors of each
/// state.
pub fn replay(model: &Arc<Model>, path: &[u32], options: &Options) -> Result<Trace, ReplayError> {
    Ok(walk(model, path, options)?.into_trace())
}

/// Walks to a violation and shows it.
pub fn replay_violation(
    model: &Arc<Model>,
    violation: &Violation,
    options: &Options,
) -> Result<Trace, ReplayError> {
    let Violation { site, pid, .. } = *violation;
    let ModelSite { kind, edge } = site;
    let blame = Blame { kind, pid, edge };
    let missing = ReplayError::NotSeen(kind.name());
    if violation.found == Found::Start {
        let mut faults = Vec::new();
        Interpreter::new(Arc::clone(model), *options).initial(&mut faults);
        if !faults.iter().any(|f| (f.site, f.pid) == (site, pid)) {
            return Err(missing);
        }
        let ending = vec![format!("in the initial values: {}", sentence(kind, None))];
        return Ok(Trace { ending, ..Trace::of(Vec::new()) });
    }
    let mut run = walk(model, &violation.steps(), options)?;
    if matches!(violation.found, Found::Step(_)) {
        let seen = run.last_step().iter().any(|step| step.faults.contains(&blame));
        return if seen { Ok(run.into_trace()) } else { Err(missing) };
    }
    let steps = run.interpreter.steps(&run.state);
    let Some(mishap) = steps.mishaps.iter().find(|mishap| mishap.fault == blame) else { return Err(missing) };
    run.meet(mishap);
    Ok(run.into_trace())
}

/// Executes a path and returns the state at its end.
pub fn state_after(interpreter: &mut Interpreter, path: &[u32]) -> Result<Vec<u8>, ReplayError> {
    let mut state = interpreter.initial(&mut Vec::new());
    for (index, &position) in path.iter().enumerate() {
        let mut steps = interpreter.steps(&state);
        let micro = chosen(&mut steps, index, position)?;
        if let Some(last) = micro.last() {
            state.clone_from(&last.state);
        }
    }
    Ok(state)
}

fn walk(model: &Arc<Model>, path: &[u32], options: &Options) -> Result<Run, ReplayError> {
    let mut run = Run::new(model, options);
    for (index, &position) in path.iter().enumerate() {
        let mut steps = run.interpreter.steps(&run.state);
        let micro = chosen(&mut steps, index, position)?;
        run.take(micro);
    }
    Ok(run)
}

pub(crate) fn chosen(steps: &mut Steps, index: usize, position: u32) -> Result<Vec<MicroStep>, ReplayError> {
    let successors = steps.steps.len();
    match steps.steps.get_mut(position as usize) {
        Some(step) => Ok(std::mem::take(&mut step.micro)),
        None => Err(ReplayError::NoSuchStep { step: index + 1, position, successors }),
    }
}

/// A run that is being recorded.
pub(crate) struct Run {
    pub interpreter: Interpreter,
    /// Where it is now.
    pub state: Vec<u8>,
    /// Steps taken.
    pub number: u64,
    /// The small steps of the last step.
    last: Vec<MicroStep>,
    pub steps: Vec<TraceStep>,
    ending: Vec<String>,
}

impl Run {
    /// A run that stands at the start.
    pub fn new(model: &Arc<Model>, options: &Options) -> Run {
        let mut interpreter = Interpreter::new(Arc::clone(model), *options);
        let state = interpreter.initial(&mut Vec::new());
        Run { interpreter, state, number: 0, last: Vec::new(), steps: Vec::new(), ending: Vec::new() }
    }

    fn last_step(&self) -> &[MicroStep] {
        &self.last
    }

    pub fn into_trace(self) -> Trace {
        Trace { ending: self.ending, ..Trace::of(self.steps) }
    }

    /// Takes a step and records it.
    pub fn take(&mut self, micro: Vec<MicroStep>) {
        self.number += 1;
        let parts = micro.len() as u64;
        for (index, step) in micro.iter().enumerate() {
            let before = self.interpreter.widened(&self.state);
            let made = tell(&self.interpreter, &before, step);
            self.steps.push(TraceStep { step: self.number, part: index as u64 + 1, parts, ..made });
            self.state.clone_from(&step.state);
        }
        self.last = micro;
    }

    /// Records a violation that leads to no state, and the small steps before it.
    fn meet(&mut self, mishap: &Mishap) {
        let Blame { kind, pid, edge } = mishap.fault;
        if !mishap.micro.is_empty() {
            let enough = mishap.micro.len().min(ENOUGH);
            self.take(mishap.micro[..enough].to_vec());
            if enough < mishap.micro.len() {
                self.ending.push("... the sequence continues".into());
            }
            if self.last.iter().any(|step| step.faults.contains(&mishap.fault)) {
                return;
            }
        }
        let model = Arc::clone(self.interpreter.model());
        self.state = self.interpreter.widened(&self.state);
        let view = self.interpreter.view(&self.state);
        let proc = by_edge(&mishap.micro, pid, edge)
            .or_else(|| (pid < view.process_count()).then(|| view.proc_at(pid)));
        let stated = proc.and_then(|proc| Some(&model.process(proc).edges[edge?.index()]));
        match kind {
            FaultKind::InvalidEnd => {
                self.ending.push(format!("{}:", sentence(kind, None)));
                self.ending.extend(sentences(&explain_end(&self.interpreter, &self.state)));
            }
            FaultKind::MessagesLeft => {
                self.ending.push(format!("{}:", sentence(kind, None)));
                let left = view.channels().into_iter().filter(|chan| !chan.messages.is_empty());
                self.ending.extend(left.map(|chan| format!("  {} holds {}", chan.name, chan.contents())));
            }
            FaultKind::DeterministicBlocks if pid < view.process_count() => {
                let mut stuck = explain_process(&self.interpreter, &self.state, pid);
                stuck.valid_end = false;
                self.ending.push(format!("{}:", sentence(kind, None)));
                self.ending.extend(sentences(&[stuck]));
            }
            _ => {
                let who = proc.map_or_else(|| format!("process {pid}"), |p| process_name(&model, p, pid));
                let what = sentence(kind, stated);
                self.ending.push(match stated {
                    Some(edge) => format!("{who} at {}, in `{}`: {what}", at(&model, edge), edge.text),
                    None => format!("{who}: {what}"),
                });
            }
        }
    }
}

/// The type of the process that took this edge, as it was then.
fn by_edge(micro: &[MicroStep], pid: u32, edge: Option<EdgeId>) -> Option<ProcId> {
    let mut takers = micro.iter().rev().flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
    takers.find(|taken| taken.pid == pid && Some(taken.edge) == edge).map(|taken| taken.proc)
}

fn at(model: &Model, edge: &Edge) -> String {
    let place = edge.origins.first().and_then(|origin| place(model, *origin));
    place.map_or_else(|| "an unknown place".into(), |place| format!("{}:{}", place.file, place.line))
}

/// A place by the name of its file; none for what stands nowhere.
pub fn place(model: &Model, origin: Origin) -> Option<PlaceReport> {
    let file = model.files.get(origin.file.index()).filter(|_| origin.line > 0)?;
    let Origin { line, column, end_line, end_column, .. } = origin;
    Some(PlaceReport { file: file.clone(), line, column, end_line, end_column })
}

/// Records one small step; the caller sets its numbers.
pub fn tell(interpreter: &Interpreter, before: &[u8], step: &MicroStep) -> TraceStep {
    let model = interpreter.model();
    let (old, new) = (interpreter.view(before), interpreter.view(&step.state));
    let mut messages = Vec::new();
    let mut printed = String::new();
    for event in &step.events {
        match event {
            Event::Print(text) => printed.push_str(text),
            Event::Sent(passed) => messages.push(message(&old, MessageKind::Sent, passed)),
            Event::Lost(passed) => messages.push(message(&old, MessageKind::Lost, passed)),
            Event::Received(passed) => messages.push(message(&old, MessageKind::Received, passed)),
            Event::Copied(passed) => messages.push(message(&old, MessageKind::Copied, passed)),
            Event::Handed(passed) => messages.push(message(&old, MessageKind::Handed, passed)),
        }
    }
    let changes = changes(&old, &new)
        .into_iter()
        .map(|change| Changed { name: change.name, old: change.old, new: change.new, frame: None })
        .collect();
    let faults = (step.faults.iter())
        .map(|fault| {
            let takers = std::iter::once(&step.by).chain(&step.partner);
            let taken = takers.into_iter().find(|t| t.pid == fault.pid && Some(t.edge) == fault.edge);
            sentence(fault.kind, taken.map(|t| &model.process(t.proc).edges[t.edge.index()]))
        })
        .collect();
    TraceStep {
        partner: step.partner.as_ref().map(|partner| mover(model, partner)),
        messages,
        printed,
        changes,
        faults,
        ..TraceStep::of(1, mover(model, &step.by))
    }
}

fn mover(model: &Model, taken: &Taken) -> Mover {
    let edge = &model.process(taken.proc).edges[taken.edge.index()];
    Mover {
        pid: taken.pid,
        process: process_name(model, taken.proc, taken.pid),
        place: edge.origins.first().and_then(|origin| place(model, *origin)),
        statement: edge.text.clone(),
    }
}

fn message(view: &View, kind: MessageKind, passed: &Passed) -> Message {
    Message {
        kind,
        chan: passed.chan,
        channel: view.channel_name(passed.chan.into()),
        values: view.shown_message(passed.chan, &passed.values),
    }
}
