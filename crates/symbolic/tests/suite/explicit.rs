//! The explicit search of the interpreter: states, and the faults of states and steps.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_model::{EdgeId, Model};
use axle_outcome::{FaultKind, Found, Violation};
use axle_step::{Batch, Cut, Interpreter, Interrupt, Successors};

/// The most polls within the successors of a state of a comparison, each after some thousand steps.
const MOST_POLLS: u32 = 100;

/// The result of an explicit search.
pub struct Explicit {
    /// The number of states.
    pub states: usize,
    /// Kind, process and edge of each fault.
    pub faults: HashSet<(FaultKind, u32, Option<EdgeId>)>,
}

/// Explores all states; nothing if there are more than `most`.
pub fn explore(model: &Arc<Model>, most: usize) -> Option<Explicit> {
    let options = axle_step::Options { truncation: false, messages_left: false, movers: false };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    let mut found = Vec::new();
    let initial = interpreter.initial(&mut found);
    let mut faults: HashSet<_> = found.iter().map(|f| (f.site.kind, f.pid, f.site.edge)).collect();
    let mut states = vec![initial.clone()];
    let mut known: HashMap<Vec<u8>, usize> = HashMap::from([(initial, 0)]);
    let mut at = 0;
    while at < states.len() {
        // An atomic sequence may be as long as the values of an integer are many.
        let polls = AtomicU32::new(0);
        let many = move || (polls.fetch_add(1, Ordering::Relaxed) >= MOST_POLLS).then_some(Cut::Time);
        let mut batch = Batch { most: Some(4 << 20), interrupt: Interrupt::new(many), ..Batch::default() };
        while let Err(grow) = interpreter.expand(&states[at], &mut batch) {
            interpreter.grow(grow.size);
            let width = interpreter.width();
            states.iter_mut().for_each(|state| state.resize(width, 0));
            known = states.iter().cloned().enumerate().map(|(at, state)| (state, at)).collect();
        }
        if batch.cut.is_some() {
            return None;
        }
        faults.extend(batch.faults.iter().map(|f| (f.site.kind, f.pid, f.site.edge)));
        for state in batch.states.chunks_exact(interpreter.width()) {
            if !known.contains_key(state) {
                known.insert(state.to_vec(), states.len());
                states.push(state.to_vec());
            }
        }
        if states.len() > most {
            return None;
        }
        at += 1;
    }
    Some(Explicit { states: states.len(), faults })
}

/// Follows a violation with the interpreter, and looks for its fault.
pub fn replay(model: &Arc<Model>, violation: &Violation) -> Result<(), String> {
    let options = axle_step::Options { truncation: false, messages_left: false, movers: false };
    let mut interpreter = Interpreter::new(Arc::clone(model), options);
    let mut faults = Vec::new();
    let mut state = interpreter.initial(&mut faults);
    let is_found = |f: &axle_step::Fault| {
        let position = match violation.found {
            Found::Step(position) => Some(position),
            Found::Start | Found::State => None,
        };
        (f.site, f.pid, f.successor) == (violation.site, violation.pid, position)
    };
    if violation.found == Found::Start {
        return faults.iter().any(is_found).then_some(()).ok_or_else(|| "no such fault".to_string());
    }
    for position in violation.path.iter().map(Some).chain([None]) {
        let mut batch = Batch::default();
        while let Err(grow) = interpreter.expand(&state, &mut batch) {
            interpreter.grow(grow.size);
            state.resize(interpreter.width(), 0);
        }
        let Some(position) = position else {
            let faults = &batch.faults;
            return faults.iter().any(is_found).then_some(()).ok_or_else(|| format!("only {faults:?}"));
        };
        let successor = batch.states.chunks_exact(interpreter.width()).nth(*position as usize);
        state = successor.ok_or_else(|| format!("no successor {position}"))?.to_vec();
    }
    Ok(())
}
