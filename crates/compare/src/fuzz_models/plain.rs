//! The reference exploration with which all searches are compared. It keeps every state in a set of
//! the standard library and runs both engines in lockstep. It shares only the engines with the
//! product. They must agree on successors and their order, faults, movers and taken edges. A third
//! engine merges paths within uninterrupted sequences and must reach the same final states.
//!
//! *Entry point:* [`explore`].

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axle_model::{Atomicity, EdgeId, Model};
use axle_step::{Batch, Compiled, Cut, Fault, FaultKind, Interpreter, Interrupt, Options, Successors};

use crate::lockstep::convergence;

/// Maximum number of cancellation polls of an engine within one expansion, each after thousands of
/// steps inside uninterrupted sequences. It excludes rare programs that would dominate the total
/// time.
const LONG: u32 = 64;

/// The complete result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    pub states: u64,
    /// Including the transition into the initial state.
    pub transitions: u64,
    /// The violations, with their edges.
    pub faults: BTreeSet<(FaultKind, Option<EdgeId>)>,
    /// Number of violations.
    pub found: u64,
    /// For every process type and edge, whether it was taken.
    pub taken: Vec<Vec<bool>>,
}

/// The reason for the absence of a result.
pub enum Stopped {
    /// The limit on states, or on steps inside uninterrupted sequences, was exceeded.
    TooLarge,
    /// The engines disagree.
    Differs(String),
}

/// Explores a model with at most `most` states.
pub fn explore(model: &Arc<Model>, options: Options, most: usize) -> Result<Explored, Stopped> {
    let options = Options { movers: true, ..options };
    let mut met = Interpreter::new(model.clone(), options);
    met.follow_once_after(0);
    let differs = |what: String| Err(Stopped::Differs(what));
    let mut plain = Interpreter::new(model.clone(), options);
    let mut fast = match Compiled::new(model.clone(), options) {
        Ok(fast) => fast,
        Err(why) => return differs(format!("compilation failed: {why}")),
    };
    let mut explored = Explored { transitions: 1, ..Explored::default() };
    let (mut here, mut there): (Vec<Fault>, Vec<Fault>) = (Vec::new(), Vec::new());
    let mut states = vec![plain.initial(&mut here)];
    if states[0] != fast.initial(&mut there) || here != there {
        return differs("different initial states".into());
    }
    explored.note(&here);
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let [mut ours, mut theirs] = [(); 2].map(|()| Batch { interrupt: in_the_end(), ..Batch::default() });
    let mut next = 0;
    let has_sequences =
        model.processes.iter().flat_map(|p| &p.edges).any(|edge| edge.keep != Atomicity::Release);
    while next < states.len() {
        // The compiler generates separate code for batches.
        let size = (next % 5 + 1).min(states.len() - next);
        let sources = states[next..next + size].concat();
        let (a, b) = (plain.expand(&sources, &mut ours), fast.expand(&sources, &mut theirs));
        if a != b {
            return differs(format!("room: {a:?} interpreted and {b:?} compiled, state {next}"));
        }
        if let Err(grow) = a {
            plain.grow(grow.size);
            fast.grow(grow.size);
            met.grow(grow.size);
            let width = plain.width();
            states.iter_mut().for_each(|state| state.resize(width, 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        // The engines may poll at different times.
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
        if has_sequences && let Err(why) = convergence::compare(&ours, &sources, &mut met) {
            return differs(format!("merged paths: {why}"));
        }
        explored.note(&ours.faults);
        explored.transitions += u64::from(ours.ends.last().copied().unwrap_or(0));
        for state in ours.states.chunks_exact(plain.width()) {
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

/// Lets an engine continue until the maximum number of polls.
fn in_the_end() -> Interrupt {
    let asked = AtomicU32::new(0);
    Interrupt::new(move || (asked.fetch_add(1, Ordering::Relaxed) >= LONG).then_some(Cut::Interrupted))
}

impl Explored {
    fn note(&mut self, faults: &[Fault]) {
        self.found += faults.len() as u64;
        self.faults.extend(faults.iter().map(|fault| (fault.site.kind, fault.site.edge)));
    }
}
