//! Random walks: from the start, one step after the other, each chosen by lot, and again from the
//! start.
//!
//! A walk needs no memory and comes deep at once. It ends where nobody can move, or after a number
//! of steps. The set that it is given only counts: which states were met, and how many of them for
//! the first time.
//!
//! *Entry point:* [`search`].
//! *Invariant:* Equal seeds make equal walks; a search by walks never ends by itself, so it proves
//! nothing.
//!
//! *Source:* C. H. West, Protocol validation by random state exploration, PSTV 1986.

use axle_step::{Batch, Successors};
use axle_store::StateSet;

use crate::grow::expand;
use crate::limits::{Options, Stop};
use crate::outcome::{Found, Memory, Outcome};
use crate::progress::{Monitor, Progress, look};
use crate::reordered::mix;
use crate::violations::Violations;

/// Steps between two looks at the monitor and at memory.
const WATCH: u64 = 128;

/// Which walks are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walks {
    /// Equal seeds make equal walks.
    pub seed: u64,
    /// How many walks.
    pub walks: u64,
    /// Steps of a walk at most, where the options set no limit on depth.
    pub steps: u64,
}

/// Makes random walks. The set must be empty and as wide as the stepper's layout; where it is full, walks go on
/// without it. Transitions are the steps walked.
pub fn search<G: Successors, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    walks: Walks,
    options: &Options,
    monitor: &mut impl Monitor,
) -> Outcome {
    let mut violations = Violations::new(options);
    let mut totals = Totals { steps: 0, deepest: 0, full: false };
    let stop = walk_all(stepper, set, walks, &mut violations, &mut totals, options, monitor);
    let (violations, found) = violations.finish();
    Outcome {
        states: set.len(),
        transitions: totals.steps + 1,
        depth: totals.deepest,
        violations,
        found,
        stop: Some(stop),
        taken: stepper.taken().to_vec(),
        memory: Memory { states: set.memory(), paths: 0 },
    }
}

/// What the walks come to.
struct Totals {
    steps: u64,
    deepest: u64,
    full: bool,
}

fn walk_all<G: Successors, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    walks: Walks,
    violations: &mut Violations,
    totals: &mut Totals,
    options: &Options,
    monitor: &mut impl Monitor,
) -> Stop {
    let mut faults = Vec::new();
    let initial = stepper.initial(&mut faults);
    for fault in &faults {
        violations.note(fault, Found::Start, stepper.layout(), &initial, Vec::new);
    }
    let most = options.limits.depth.unwrap_or(walks.steps);
    let (mut batch, mut fresh, mut path) = (Batch::default(), Vec::new(), Vec::new());
    batch.interrupt = monitor.interrupt();
    for walk in 0..walks.walks {
        let mut lot = mix(walks.seed ^ mix(walk + 1));
        let mut state = initial.clone();
        state.resize(stepper.layout().width(), 0);
        path.clear();
        loop {
            if violations.full() {
                return Stop::Errors;
            }
            if totals.steps.is_multiple_of(WATCH) {
                let progress = Progress {
                    states: set.len(),
                    expanded: set.len(),
                    transitions: totals.steps + 1,
                    depth: path.len() as u64,
                    violations: violations.len(),
                    memory: set.memory(),
                };
                if let Err(stop) = look(&progress, &options.limits, monitor) {
                    return stop;
                }
                batch.most = options.limits.most_in_flight(set.memory());
            }
            if let Err(stop) = expand(stepper, set, &mut state, &mut batch) {
                return stop;
            }
            fresh.clear();
            totals.full |= !totals.full && set.insert(&state, &mut fresh).is_err();
            if path.len() as u64 >= most {
                batch.without_steps();
            }
            violations.note_all(&batch.faults, stepper.layout(), &state, || path.clone());
            let width = state.len();
            let count = batch.states.len() / width;
            if count == 0 {
                break;
            }
            lot = mix(lot.wrapping_add(0x9e37_79b9_7f4a_7c15));
            let position = ((u128::from(lot) * count as u128) >> 64) as usize;
            state.copy_from_slice(&batch.states[position * width..(position + 1) * width]);
            path.push(position as u32);
            totals.steps += 1;
            totals.deepest = totals.deepest.max(path.len() as u64);
            if options.limits.states.is_some_and(|limit| totals.steps >= limit) {
                return Stop::States;
            }
        }
    }
    if violations.full() { Stop::Errors } else { Stop::Approximate }
}
