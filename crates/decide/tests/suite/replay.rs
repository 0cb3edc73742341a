//! Counterexamples executed by the relation and by the interpreter.

use std::sync::Arc;

use axle_decide::model::Counterexample;
use axle_decide::system::Cause;
use axle_model::Model;
use axle_relation::{Evaluation, Relation};
use axle_step::{Batch, Interpreter, Successors};

/// The most steps inside a sequence.
const MOST_STEPS: usize = 20_000;

/// The most memory of the states inside a sequence, in bytes: loops of 32-bit counters have more.
const MOST_MEMORY: usize = 16 << 20;

/// No successors yet, of which at most [`MOST_MEMORY`] is stored.
fn limited() -> Batch {
    Batch { most: Some(MOST_MEMORY), ..Batch::default() }
}

/// Executes a counterexample with `execute` and the interpreter in lock-step; the last state must have
/// the fault in both.
pub fn replay(model: &Arc<Model>, relation: &Relation, found: &Counterexample) -> Result<(), String> {
    let Cause::Fault { kind, pid, edge } = found.cause else { return Ok(()) };
    let mut interpreter = Interpreter::new(Arc::clone(model), axle_step::Options::default());
    let mut faults = Vec::new();
    let mut bytes = interpreter.initial(&mut faults);
    let control = relation.variables.control().map(|(control, _)| control.index());
    let is_free = |state: &[i64]| control.is_none_or(|control| state[control] == 0);
    let mut evaluation = Evaluation::default();
    let mut begin = 0;
    for at in 1..found.states.len() {
        if !is_free(&found.states[at]) {
            continue;
        }
        let executed = relation.execute(&found.states[begin], &mut evaluation, MOST_STEPS);
        if executed.cut.is_some() || executed.is_beyond {
            return Ok(());
        }
        let groups = &found.groups[begin..at];
        let position = executed
            .successors
            .iter()
            .position(|successor| successor.groups == groups && successor.state == found.states[at]);
        let Some(position) = position else { return Err(format!("step {at}: no such successor")) };
        let mut batch = limited();
        while let Err(grow) = interpreter.expand(&bytes, &mut batch) {
            interpreter.grow(grow.size);
            bytes.resize(interpreter.width(), 0);
        }
        if batch.cut.is_some() {
            return Ok(());
        }
        let successor = batch.states.chunks_exact(interpreter.width()).nth(position);
        bytes = successor.ok_or("the interpreter has fewer successors")?.to_vec();
        begin = at;
    }
    let mut batch = limited();
    while let Err(grow) = interpreter.expand(&bytes, &mut batch) {
        interpreter.grow(grow.size);
        bytes.resize(interpreter.width(), 0);
    }
    let initial = if begin == 0 { faults.as_slice() } else { &[] };
    let is_there = batch
        .faults
        .iter()
        .chain(initial)
        .any(|fault| (fault.site.kind, fault.pid, fault.site.edge) == (kind, pid, edge));
    if is_there || batch.cut.is_some() {
        Ok(())
    } else {
        Err(format!("the interpreter does not report {:?}", found.cause))
    }
}
