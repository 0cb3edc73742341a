//! Why a state is an end state: the location of every process, and for each of its next statements
//! the reason why the statement is not executable.
//!
//! *Entry points:* [`explain_end`] for data, [`sentences`] for text.

use axle_model::{Comm, Edge, Effect, Expr, Pattern, Process};
use axle_step::view::{ProcessView, Value, process_name};
use axle_step::{Interpreter, View};

use crate::place::PlaceReport;
use crate::replay::place;

/// A process in an end state: a state in which no process can execute a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// `name(number)`.
    pub process: String,
    /// The location of its next statement.
    pub place: Option<PlaceReport>,
    /// Whether it is in a valid end state.
    pub valid_end: bool,
    /// Its next statements, each with the reason why it is not executable.
    pub waits: Vec<Wait>,
}

/// A statement that cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// As written.
    pub statement: String,
    /// The reason, to be read after the statement: `waits to receive from q[1], which is empty`.
    pub why: String,
}

/// Every process of an end state.
pub fn explain_end(interpreter: &Interpreter, state: &[u8]) -> Vec<Standing> {
    let view = interpreter.view(state);
    view.processes().iter().map(|at| explain(interpreter, &view, at)).collect()
}

/// One process of a state, and the reasons why it is blocked.
pub fn explain_process(interpreter: &Interpreter, state: &[u8], pid: u32) -> Standing {
    let view = interpreter.view(state);
    explain(interpreter, &view, &view.process(pid))
}

fn explain(interpreter: &Interpreter, view: &View, at: &ProcessView) -> Standing {
    let model = interpreter.model();
    let process = model.process(at.proc);
    let location = &process.locations[at.location.index()];
    let edges = location.out.iter().map(|id| &process.edges[id.index()]);
    let held = held_back(view, at, process);
    let why = |edge: &Edge| Wait {
        statement: edge.text.clone(),
        why: held.clone().unwrap_or_else(|| why(interpreter, view, at, edge)),
    };
    Standing {
        process: at.name.clone(),
        place: place(model, at.origin),
        valid_end: at.may_rest,
        waits: edges.map(why).collect(),
    }
}

/// The same in lines of text: first the blocked processes with the reasons, then the processes in
/// valid end states.
pub fn sentences(standing: &[Standing]) -> Vec<String> {
    let at = |standing: &Standing| match &standing.place {
        Some(place) => format!("{} at {}:{}", standing.process, place.file, place.line),
        None => standing.process.clone(),
    };
    let mut lines = Vec::new();
    for stuck in standing.iter().filter(|standing| !standing.valid_end) {
        match &stuck.waits[..] {
            [] => lines.push(format!("  {} is blocked: it has no next statement", at(stuck))),
            [wait] => lines.push(format!("  {} is blocked: `{}` {}", at(stuck), wait.statement, wait.why)),
            waits => {
                lines.push(format!("  {} is blocked:", at(stuck)));
                let each = waits.iter().map(|wait| format!("    `{}` {}", wait.statement, wait.why));
                lines.extend(each);
            }
        }
    }
    let resting = standing.iter().filter(|standing| standing.valid_end);
    lines.extend(resting.map(|rests| format!("  {} is in a valid end state", at(rests))));
    lines
}

/// Why no statement of a process is executable, whatever the statement.
fn held_back(view: &View, at: &ProcessView, process: &Process) -> Option<String> {
    let provided = process.provided.as_ref()?;
    let held = view.eval(at.pid, provided, true) == 0;
    held.then(|| format!("is disabled by its `provided` clause{}", values(&view.reads(at.pid, provided))))
}

/// Why the statement of an edge is not executable.
fn why(interpreter: &Interpreter, view: &View, at: &ProcessView, edge: &Edge) -> String {
    if view.eval(at.pid, &edge.guard, true) == 0 {
        if edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
            return younger(interpreter, view, at.pid);
        }
        let values = values(&view.reads(at.pid, &edge.guard));
        return format!("waits for its condition{values}");
    }
    match &edge.comm {
        None => "is executable".into(),
        Some(Comm::Send { chan, .. }) => send(view, at.pid, chan),
        Some(Comm::Receive { chan, patterns, random, copy }) => {
            receive(view, at.pid, chan, patterns, *random, *copy)
        }
    }
}

/// A process ends after those that were created later.
fn younger(interpreter: &Interpreter, view: &View, pid: u32) -> String {
    let younger: Vec<String> = (pid + 1..view.process_count())
        .map(|other| process_name(interpreter.model(), view.proc_at(other), other))
        .collect();
    format!("waits for the end of {}, created later", younger.join(", "))
}

fn send(view: &View, pid: u32, chan: &Expr) -> String {
    let value = view.eval(pid, chan, true);
    match u32::try_from(value).ok().and_then(|value| view.channel(value)) {
        None => format!("would send to {}", view.channel_name(value)),
        Some(chan) if chan.capacity == 0 => {
            format!("waits to send on {}, where no process is ready to receive", chan.name)
        }
        Some(chan) => format!("waits to send to {}, which is full with {}", chan.name, chan.contents()),
    }
}

fn receive(view: &View, pid: u32, chan: &Expr, patterns: &[Pattern], random: bool, copy: bool) -> String {
    let value = view.eval(pid, chan, true);
    let Some(chan) = u32::try_from(value).ok().and_then(|value| view.channel(value)) else {
        return format!("would receive from {}", view.channel_name(value));
    };
    if chan.capacity == 0 && copy {
        return format!("polls {}, a rendezvous channel, which never holds a message", chan.name);
    }
    let wanted = wanted(view, pid, patterns);
    if chan.capacity == 0 {
        return format!("waits to receive on {}, where no process is ready to send{}", chan.name, wanted);
    }
    match chan.messages.first() {
        None => format!("waits to receive from {}, which is empty", chan.name),
        Some(_) if random => {
            format!("waits to receive from {}, which holds only {}{wanted}", chan.name, chan.contents())
        }
        Some(first) => {
            let first = first.join(",");
            format!("waits to receive from {}, whose first message is [{first}]{wanted}", chan.name)
        }
    }
}

/// The values of the variables that the patterns of a receive compare with.
fn wanted(view: &View, pid: u32, patterns: &[Pattern]) -> String {
    let mut mentioned: Vec<Value> = Vec::new();
    for pattern in patterns {
        if let Pattern::Match(expr) = pattern {
            mentioned.extend(view.reads(pid, expr));
        }
    }
    values(&mentioned)
}

fn values(values: &[Value]) -> String {
    match values.is_empty() {
        true => String::new(),
        false => {
            let each: Vec<String> = values.iter().map(|v| format!("{} is {}", v.name, v.shown)).collect();
            format!(" ({})", each.join(", "))
        }
    }
}
