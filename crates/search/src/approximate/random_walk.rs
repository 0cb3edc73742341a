//! Random walks: executions from the initial state, each step chosen at random.
//!
//! A walk needs no memory and reaches deep states at once. It ends in a state without successors or
//! after a given number of steps. The state set serves only to count the distinct states visited.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* C. H. West, Protocol validation by random state exploration, PSTV 1986.
//!
//! *Invariant:* Equal seeds produce equal walks. A search by random walks is never complete, so it
//! proves nothing.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph};
use axle_store::StateSet;
use axle_store::mix;

use crate::grow::expand;
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of steps between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// Parameters of random walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walks {
    /// Seed of the generator; equal seeds produce equal walks.
    pub seed: u64,
    /// Number of walks.
    pub walks: u64,
    /// Maximum number of steps of a walk, unless the options limit the depth.
    pub steps: u64,
}

/// Executes random walks. The set must be empty and must have the width of the stepper's layout; if
/// it is full, the walks continue without it. Transitions are the steps executed.
pub fn search<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    walks: Walks,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
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

/// Totals over all walks.
struct Totals {
    steps: u64,
    deepest: u64,
    full: bool,
}

fn walk_all<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    walks: Walks,
    violations: &mut Violations<'_, G::Site>,
    totals: &mut Totals,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Stop {
    let mut faults = Vec::new();
    let initial = stepper.initial(&mut faults);
    for fault in &faults {
        violations.note(fault, Found::Start, stepper, &initial, Vec::new);
    }
    let most = options.limits.depth.unwrap_or(walks.steps);
    let (mut batch, mut fresh, mut path) = (Batch::default(), Vec::new(), Vec::new());
    batch.interrupt = monitor.interrupt();
    for walk in 0..walks.walks {
        let mut lot = mix(walks.seed ^ mix(walk + 1));
        let mut state = initial.clone();
        state.resize(stepper.width(), 0);
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
                    ..Progress::default()
                };
                if let Err(stop) = check_limits(&progress, &options.limits, monitor) {
                    return stop;
                }
                batch.most = most_in_flight(&options.limits, set.memory());
            }
            if let Err(stop) = expand(stepper, set, &mut state, &mut batch) {
                return stop;
            }
            fresh.clear();
            totals.full |= !totals.full && set.insert(&state, &mut fresh).is_err();
            if path.len() as u64 >= most {
                batch.without_steps();
            }
            violations.note_all(&batch.faults, stepper, &state, || path.clone());
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
