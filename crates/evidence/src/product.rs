//! The reachable product of the processes of a small model as a graph in the DOT language of
//! Graphviz.
//!
//! *Entry point:* [`product`]. A node is a global state: the control location of each process, and
//! the values that differ from those of the initial state. An edge is a transition, labelled with
//! its statements. Valid end states are grey, invalid end states and transitions with run-time
//! errors are red.
//! *Source:* Holzmann, *Logic Model Checking*, lecture 15 (asynchronous products).

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

use axle_model::Model;
use axle_model::dot::quoted;
use axle_step::interpret::detail::{End, MicroStep};
use axle_step::{Interpreter, Options, Successors};

use crate::replay::tell;
use crate::trace::Mover;

/// The model has more reachable states than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the model has more than {0} reachable states")]
pub struct TooLarge(pub usize);

/// The product of a model with at most `limit` reachable states.
pub fn product(model: &Arc<Model>, limit: usize) -> Result<String, TooLarge> {
    let mut interpreter = Interpreter::new(Arc::clone(model), Options::default());
    let initial = interpreter.initial(&mut Vec::new());
    let values = values_of(&interpreter, &initial);
    let mut graph = Graph { interpreter, values, numbers: HashMap::new(), queue: VecDeque::new(), limit };
    let first = graph.number(&initial)?;
    let mut out = String::from("digraph product {\n  node [shape=box];\n  entry [shape=point];\n");
    let _ = writeln!(out, "  entry -> {first};");
    while let Some((number, state)) = graph.queue.pop_front() {
        graph.expand(number, &state, &mut out)?;
    }
    out.push_str("}\n");
    Ok(out)
}

/// The graph under construction.
struct Graph {
    interpreter: Interpreter,
    /// The values of the initial state by name.
    values: BTreeMap<String, String>,
    /// The numbers of states. Trailing zeros, which the growth of the layout adds, are not part of
    /// the key.
    numbers: HashMap<Vec<u8>, usize>,
    queue: VecDeque<(usize, Vec<u8>)>,
    limit: usize,
}

impl Graph {
    fn number(&mut self, state: &[u8]) -> Result<usize, TooLarge> {
        let used = state.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let key = &state[..used];
        if let Some(&number) = self.numbers.get(key) {
            return Ok(number);
        }
        let number = self.numbers.len();
        if number == self.limit {
            return Err(TooLarge(self.limit));
        }
        self.numbers.insert(key.to_vec(), number);
        self.queue.push_back((number, state.to_vec()));
        Ok(number)
    }

    /// Writes a state and its transitions.
    fn expand(&mut self, number: usize, state: &[u8], out: &mut String) -> Result<(), TooLarge> {
        let steps = self.interpreter.steps(state);
        let colour = match self.interpreter.end_state(state) {
            End::None => "",
            End::Valid => ", style=filled, fillcolor=lightgrey",
            End::Invalid(_) => ", style=filled, fillcolor=salmon",
        };
        let _ = writeln!(out, "  {number} [label={}{colour}];", quoted(&self.label(state)));
        for step in &steps.steps {
            let Some(last) = step.micro.last() else { continue };
            let (label, faulty) = self.transition(state, &step.micro);
            let target = self.number(&last.state)?;
            let colour = if faulty { ", color=red" } else { "" };
            let _ = writeln!(out, "  {number} -> {target} [label={}{colour}];", quoted(&label));
        }
        for (index, mishap) in steps.mishaps.iter().enumerate() {
            if mishap.fault.kind == axle_step::FaultKind::InvalidEnd {
                continue;
            }
            let label = self.transition(state, &mishap.micro).0;
            let what = crate::words::sentence(mishap.fault.kind, None);
            let _ = writeln!(out, "  error_{number}_{index} [label={}, color=red];", quoted(&what));
            let _ =
                writeln!(out, "  {number} -> error_{number}_{index} [label={}, color=red];", quoted(&label));
        }
        Ok(())
    }

    /// The statements of a transition, one a line, and whether one of them has a run-time error.
    fn transition(&self, state: &[u8], micro: &[MicroStep]) -> (String, bool) {
        let mut before = self.interpreter.widened(state);
        let (mut lines, mut faulty) = (Vec::new(), false);
        for step in micro {
            let made = tell(&self.interpreter, &before, step);
            let shown = |mover: &Mover| format!("{}: {}", mover.process, mover.statement);
            lines.push(shown(&made.by));
            lines.extend(made.partner.as_ref().map(shown));
            lines.extend(made.faults.iter().cloned());
            faulty |= !made.faults.is_empty();
            before = self.interpreter.widened(&step.state);
        }
        (lines.join("\n"), faulty)
    }

    /// The locations of the processes, then the values that differ from the initial state.
    fn label(&self, state: &[u8]) -> String {
        let wide = self.interpreter.widened(state);
        let processes = self.interpreter.view(&wide).processes();
        let places: Vec<String> =
            processes.iter().map(|process| format!("{} {}", process.name, process.location)).collect();
        let mut lines = vec![places.join(", ")];
        for (name, shown) in values_of(&self.interpreter, state) {
            if self.values.get(&name) != Some(&shown) {
                lines.push(format!("{name} = {shown}"));
            }
        }
        lines.join("\n")
    }
}

/// All variables and channels of a state, with their values.
fn values_of(interpreter: &Interpreter, state: &[u8]) -> BTreeMap<String, String> {
    let wide = interpreter.widened(state);
    let view = interpreter.view(&wide);
    let mut values: BTreeMap<String, String> =
        view.globals().into_iter().map(|value| (value.name, value.shown)).collect();
    values.extend(view.channels().into_iter().map(|channel| (channel.name.clone(), channel.contents())));
    for process in view.processes() {
        let named = |value: axle_step::view::Value| (format!("{}:{}", process.name, value.name), value.shown);
        values.extend(process.locals.into_iter().map(named));
    }
    values
}
