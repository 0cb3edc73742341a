//! Diagnosis of models: messages that are sent, operations on channels, labels that processes reach,
//! and executed lines are events.
//!
//! *Entry point:* [`diagnose`].

use std::sync::Arc;

use axle_evidence::replay::{place, replay};
use axle_model::Model;
use axle_search::{Limits, Monitor, Stop};
use axle_step::interpret::detail::{MicroStep, Taken};
use axle_step::interpret::log::{Event as Seen, Passed};
use axle_step::{Interpreter, Options, Successors, View};

use crate::diagnose::parse::{Event, EventName};
use crate::diagnose::{Diagnosis, Follow, Occurred, Reached, Sequence, Value, follow, marked};

/// Follows a sequence of events in a model.
///
/// # Errors
/// The first event that the model cannot show by its name, as an index, and the reason; or a defect
/// of the replay.
pub fn diagnose(
    model: &Arc<Model>,
    options: &Options,
    events: &[Event],
    limits: &Limits,
    monitor: &mut impl Monitor,
) -> Result<Diagnosis, (usize, String)> {
    for (index, event) in events.iter().enumerate() {
        known(model, &event.name).map_err(|message| (index, message))?;
    }
    let sequence = Sequence::new(events);
    let interpreter = Interpreter::new(Arc::clone(model), *options);
    let mut system = System { interpreter, names: sequence.names.clone() };
    let found = follow(&mut system, &sequence, limits, monitor);
    let trace = replay(model, &found.path, options)
        .map_err(|fault| (0, format!("internal error: the execution does not replay: {fault}")))?;
    let numbers: Vec<u64> = trace.steps.iter().map(|step| step.step).collect();
    let last_of =
        |step: usize| numbers.iter().rposition(|number| *number == step as u64).filter(|_| step > 0);
    Ok(Diagnosis {
        feasible: found.feasible,
        events: sequence.len(),
        trace: marked(trace, events, &found.shown, &last_of),
        possible: found.possible.into_iter().collect(),
        silent: found.silent,
        states: found.states,
        stop: found.stop,
        doubt: None,
    })
}

/// Whether the model has what an event names.
fn known(model: &Model, name: &EventName) -> Result<(), String> {
    let near = |name: &str, known: Vec<&str>| {
        let near = axle_source::nearest(name, known);
        near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
    };
    match name {
        EventName::Plain(name) => {
            let constants: Vec<&str> =
                model.name_sets.iter().flat_map(|set| &set.names).map(|(name, _)| name.as_str()).collect();
            match constants.contains(&name.as_str()) {
                true => Ok(()),
                false => Err(format!("the model has no message `{name}` (a constant of an mtype){}", near(name, constants))),
            }
        }
        EventName::Send(name) | EventName::Receive(name) => {
            let all = model.channels.iter().chain(model.processes.iter().flat_map(|process| &process.channels));
            let all: Vec<&str> = all.map(|channel| channel.name.as_str()).collect();
            match all.iter().any(|own| is_channel(own, name)) {
                true => Ok(()),
                false => Err(format!("the model has no channel `{name}`{}", near(name, all))),
            }
        }
        EventName::Label(process, label) => {
            let own = model.processes.iter().filter(|one| one.name == *process);
            let found = own.flat_map(|one| &one.locations).any(|location| location.labels.contains(label));
            if found { Ok(()) } else { Err(format!("no process `{process}` has a label `{label}`")) }
        }
        EventName::Line(file, line) => {
            let edges = model.processes.iter().flat_map(|process| &process.edges);
            match edges.into_iter().any(|edge| is_at(model, edge, file, *line)) {
                true => Ok(()),
                false => Err(format!("no statement begins at {file}:{line}")),
            }
        }
        EventName::Change(_) => {
            Err("changes of variables are events of C programs; those of models are messages `m(1)`, `q!m`, `q?m`, labels `P@l` and lines `@f.pml:1`".into())
        }
    }
}

/// Whether a channel as shown (`P(1):q[2]`) has this name.
fn is_channel(shown: &str, name: &str) -> bool {
    let own = shown.rsplit(':').next().unwrap_or(shown);
    shown == name || own == name || own.split('[').next() == Some(name)
}

fn is_at(model: &Model, edge: &axle_model::Edge, file: &str, line: u32) -> bool {
    edge.origins.iter().any(|origin| {
        place(model, *origin).is_some_and(|place| {
            place.line == line && (place.file == file || place.file.ends_with(&format!("/{file}")))
        })
    })
}

/// The model as the search sees it.
struct System {
    interpreter: Interpreter,
    names: Vec<EventName>,
}

impl Follow for System {
    fn initial(&mut self) -> Reached {
        (self.interpreter.initial(&mut Vec::new()), Vec::new())
    }

    fn steps(&mut self, state: &[u8]) -> Result<Vec<Reached>, Stop> {
        let wide = self.interpreter.widened(state);
        let steps = self.interpreter.steps(&wide);
        let all = steps.once.map(|Taken { proc, edge, .. }| Stop::Sequence { proc, edge });
        if let Some(stop) = steps.cut.map(Stop::from).or(all) {
            return Err(stop);
        }
        let mut out = Vec::new();
        for step in &steps.steps {
            let mut before = wide.clone();
            let mut events = Vec::new();
            for micro in &step.micro {
                let widened = self.interpreter.widened(&before);
                self.events(&widened, micro, &mut events);
                before.clone_from(&micro.state);
            }
            out.push((before, events));
        }
        Ok(out)
    }
}

impl System {
    /// The events of a micro-step.
    fn events(&self, before: &[u8], micro: &MicroStep, out: &mut Vec<Occurred>) {
        let view = self.interpreter.view(before);
        for event in &micro.events {
            match event {
                Seen::Sent(passed) | Seen::Lost(passed) => self.message(&view, passed, false, out),
                Seen::Received(passed) => self.message(&view, passed, true, out),
                Seen::Handed(passed) => {
                    self.message(&view, passed, false, out);
                    self.message(&view, passed, true, out);
                }
                Seen::Copied(_) | Seen::Print(_) => {}
            }
        }
        let model = self.interpreter.model();
        for taken in std::iter::once(&micro.by).chain(&micro.partner) {
            let process = model.process(taken.proc);
            let edge = &process.edges[taken.edge.index()];
            let labels = &process.locations[edge.target.index()].labels;
            for (index, name) in self.names.iter().enumerate() {
                let is_here = match name {
                    EventName::Label(own, label) => *own == process.name && labels.contains(label),
                    EventName::Line(file, line) => is_at(model, edge, file, *line),
                    _ => false,
                };
                if is_here {
                    out.push(Occurred { name: index, values: Vec::new() });
                }
            }
        }
    }

    fn message(&self, view: &View<'_>, passed: &Passed, received: bool, out: &mut Vec<Occurred>) {
        let channel = view.channel_name(passed.chan.into());
        let shown = view.shown_message(passed.chan, &passed.values);
        let values: Vec<Value> = (shown.iter().zip(&passed.values))
            .map(|(shown, number)| Value { number: Some(*number), shown: shown.clone() })
            .collect();
        for (index, name) in self.names.iter().enumerate() {
            let own = match name {
                EventName::Send(name) if !received && is_channel(&channel, name) => &values[..],
                EventName::Receive(name) if received && is_channel(&channel, name) => &values[..],
                EventName::Plain(name) if !received && shown.first() == Some(name) => &values[1..],
                _ => continue,
            };
            out.push(Occurred { name: index, values: own.to_vec() });
        }
    }
}
