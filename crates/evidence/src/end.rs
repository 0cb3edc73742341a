//! Why a state is an end: for every process where it stands, and for each statement it could go on
//! with, what keeps it from doing so.
//!
//! *Entry points:* [`explain_end`] for data, [`sentences`] for text.

use axle_model::{Comm, Edge, Effect, Expr, Pattern, Process};
use axle_step::view::{ProcessView, Value, process_name};
use axle_step::{Interpreter, View};

use crate::replay::place;
use crate::report::PlaceReport;

/// A process in a state in which nobody can move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// `name(number)`.
    pub process: String,
    /// Where it stands.
    pub place: Option<PlaceReport>,
    /// Whether it may rest there for ever.
    pub may_rest: bool,
    /// The statements that it could go on with, each with what keeps it.
    pub waits: Vec<Wait>,
}

/// A statement that cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// As written.
    pub statement: String,
    /// What keeps it, to be read after the statement: `waits to receive from q[1], which is empty`.
    pub why: String,
}

/// Every process of a state in which nobody can move.
pub fn explain_end(interpreter: &Interpreter, state: &[u8]) -> Vec<Standing> {
    let view = interpreter.view(state);
    view.processes().iter().map(|at| explain(interpreter, &view, at)).collect()
}

/// One process of a state, and what keeps it from moving.
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
        may_rest: at.may_rest,
        waits: edges.map(why).collect(),
    }
}

/// The same in lines of text: first who is stuck and on what, then who may rest where.
pub fn sentences(standing: &[Standing]) -> Vec<String> {
    let at = |standing: &Standing| match &standing.place {
        Some(place) => format!("{} at {}:{}", standing.process, place.file, place.line),
        None => standing.process.clone(),
    };
    let mut lines = Vec::new();
    for stuck in standing.iter().filter(|standing| !standing.may_rest) {
        match &stuck.waits[..] {
            [] => lines.push(format!("  {} is stuck: there is nothing more for it to do", at(stuck))),
            [wait] => lines.push(format!("  {} is stuck: `{}` {}", at(stuck), wait.statement, wait.why)),
            waits => {
                lines.push(format!("  {} is stuck:", at(stuck)));
                let each = waits.iter().map(|wait| format!("    `{}` {}", wait.statement, wait.why));
                lines.extend(each);
            }
        }
    }
    let resting = standing.iter().filter(|standing| standing.may_rest);
    lines.extend(resting.map(|rests| format!("  {} may rest there", at(rests))));
    lines
}

/// Why a process may not move at all.
fn held_back(view: &View, at: &ProcessView, process: &Process) -> Option<String> {
    let provided = process.provided.as_ref()?;
    let held = view.eval(at.pid, provided, true) == 0;
    held.then(|| format!("is held back by `provided`{}", values(&view.reads(at.pid, provided))))
}

/// What keeps an edge from being taken.
fn why(interpreter: &Interpreter, view: &View, at: &ProcessView, edge: &Edge) -> String {
    if view.eval(at.pid, &edge.guard, true) == 0 {
        if edge.effects.iter().any(|effect| matches!(effect, Effect::Exit)) {
            return younger(interpreter, view, at.pid);
        }
        let values = values(&view.reads(at.pid, &edge.guard));
        return format!("waits for its condition{values}");
    }
    match &edge.comm {
        None => "could be executed".into(),
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
            format!("waits to send on {}, where nobody is ready to receive it", chan.name)
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
        return format!("would look at a message of {}, which never holds any", chan.name);
    }
    let wanted = wanted(view, pid, patterns);
    if chan.capacity == 0 {
        return format!("waits to receive on {}, where nobody sends{}", chan.name, wanted);
    }
    match chan.messages.first() {
        None => format!("waits to receive from {}, which is empty", chan.name),
        Some(_) if random => {
            format!("waits to receive from {}, which holds {} only{wanted}", chan.name, chan.contents())
        }
        Some(first) => {
            let first = first.join(",");
            format!("waits to receive from {}, whose first message is [{first}]{wanted}", chan.name)
        }
    }
}

/// The values that a receive insists on, where they are not plain to see in the statement.
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
