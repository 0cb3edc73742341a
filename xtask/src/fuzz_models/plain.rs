//! The exploration that all searches are held to: every state in a set of the standard library, one
//! after the other, both engines hand in hand. It shares nothing with the product but the engines,
//! and these it holds to each other: the same successors in the same order, the same faults, movers
//! and edges taken. A third follows paths that meet inside uninterrupted sequences once, which must
//! lead to the same ends.
//!
//! *Entry point:* [`explore`].

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_model::{Atomicity, EdgeId, Model};
use axle_step::{Batch, Compiled, Cut, Fault, FaultKind, Interpreter, Interrupt, Options, Successors};

#[path = "../../../crates/step/tests/once/mod.rs"]
mod once;

/// So often an engine may ask whether to go on, each time after thousands of steps inside uninterrupted sequences. One program
/// in some hundred would take more time than all others together.
const LONG: u32 = 64;

/// All that a search can find out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    pub states: u64,
    /// The way into the initial state included.
    pub transitions: u64,
    /// What goes wrong, and at which edge.
    pub faults: BTreeSet<(FaultKind, Option<EdgeId>)>,
    /// How often.
    pub found: u64,
    /// For every process type and edge, whether it was taken.
    pub taken: Vec<Vec<bool>>,
}

/// Why there is no answer.
pub enum Stopped {
    /// More states than allowed, or more steps inside uninterrupted sequences.
    TooLarge,
    /// The engines differ.
    Differs(String),
}

/// Explores a model of at most `most` states.
pub fn explore(model: &Arc<Model>, options: Options, most: usize) -> Result<Explored, Stopped> {
    let options = Options { movers: true, ..options };
    let mut met = Interpreter::new(model.clone(), options);
    met.follow_once_after(0);
    let differs = |what: String| Err(Stopped::Differs(what));
    let mut plain = Interpreter::new(model.clone(), options);
    let mut fast = match Compiled::new(model.clone(), options) {
        Ok(fast) => fast,
        Err(why) => return differs(format!("it does not compile: {why}")),
    };
    let mut explored = Explored { transitions: 1, ..Explored::default() };
    let (mut here, mut there): (Vec<Fault>, Vec<Fault>) = (Vec::new(), Vec::new());
    let mut states = vec![plain.initial(&mut here)];
    if states[0] != fast.initial(&mut there) || here != there {
        return differs("the engines begin differently".into());
    }
    explored.note(&here);
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let [mut ours, mut theirs] = [(); 2].map(|()| Batch { interrupt: in_the_end(), ..Batch::default() });
    let mut next = 0;
    let has_sequences =
        model.processes.iter().flat_map(|p| &p.edges).any(|edge| edge.keep != Atomicity::Release);
    while next < states.len() {
        // The compiler has code of its own for batches.
        let size = (next % 5 + 1).min(states.len() - next);
        let sources = states[next..next + size].concat();
        let (a, b) = (plain.expand(&sources, &mut ours), fast.expand(&sources, &mut theirs));
        if a != b {
            return differs(format!("room: {a:?} interpreted and {b:?} compiled, state {next}"));
        }
        if let Err(grow) = a {
            plain.grow(grow.slots);
            fast.grow(grow.slots);
            met.grow(grow.slots);
            let width = plain.layout().width();
            states.iter_mut().for_each(|state| state.resize(width, 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        // The engines need not ask at the same time.
        if [ours.cut, theirs.cut].contains(&Some(Cut::Interrupted)) {
            return Err(Stopped::TooLarge);
        }
        if ours.cut != theirs.cut {
            return differs(format!("cut: {:?} interpreted, {:?} compiled", ours.cut, theirs.cut));
        }
        if ours.cut.is_some() {
            return Err(Stopped::TooLarge);
        }
        if (&ours.ends, &ours.states) != (&theirs.ends, &theirs.states) {
            return differs(format!("successors: {:?} interpreted, {:?} compiled", ours.ends, theirs.ends));
        }
        if ours.movers != theirs.movers {
            return differs(format!("movers: {:?} interpreted, {:?} compiled", ours.movers, theirs.movers));
        }
        if ours.faults != theirs.faults {
            return differs(format!("faults: {:?} interpreted, {:?} compiled", ours.faults, theirs.faults));
        }
        if has_sequences && let Err(why) = once::compare(&ours, &sources, &mut met) {
            return differs(format!("paths that meet: {why}"));
        }
        explored.note(&ours.faults);
        explored.transitions += u64::from(ours.ends.last().copied().unwrap_or(0));
        for state in ours.states.chunks_exact(plain.layout().width()) {
            if seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        if states.len() > most {
            return Err(Stopped::TooLarge);
        }
        next += size;
    }
    if plain.taken() != fast.taken() || (has_sequences && plain.taken() != met.taken()) {
        return differs("edges taken".into());
    }
    explored.states = states.len() as u64;
    explored.taken = plain.taken().to_vec();
    Ok(explored)
}

/// Lets an engine go on until it has asked too often.
fn in_the_end() -> Interrupt {
    let asked = AtomicU32::new(0);
    Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) >= LONG).then_some(Cut::Interrupted))
}

impl Explored {
    fn note(&mut self, faults: &[Fault]) {
        self.found += faults.len() as u64;
        self.faults.extend(faults.iter().map(|fault| (fault.kind, fault.edge)));
    }
}
