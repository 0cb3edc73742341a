//! Guided walks: executions from the initial state, repeated with different ways to choose a step.
//!
//! A uniform choice rarely reaches states in which many processes have come equally far, or in
//! which one statement was postponed throughout. Two more choices reach such states:
//!
//! - *Priorities*: every walk draws a priority for each location of each process type, and takes
//!   the step into the location with the highest one. A statement with a low priority is postponed
//!   for as long as possible.
//! - *Least taken*: the step into the location that the walks have entered least often.
//!
//! A step is identified by the location that a process enters. Ties are decided at random.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, A randomized scheduler with
//! probabilistic guarantees of finding bugs, ASPLOS 2010 (priorities, here of statements).
//!
//! *Invariant:* Equal seeds produce equal walks. Walks never prove anything.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph};
use axle_store::mix;
use rustc_hash::FxHashMap;

pub use crate::entered_location::Locate;
use crate::grow;
use crate::limits::{Options, check_limits, most_in_flight};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of steps between two polls of the monitor.
const WATCH: u64 = 128;

/// The most steps of a walk: walks of each length are made in turn.
const LENGTHS: [u64; 3] = [300, 3_000, 30_000];

/// How a walk chooses its steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guide {
    /// Each successor with the same probability.
    Uniform,
    /// By random priorities of the locations entered.
    Priorities,
    /// Into the location entered least often.
    LeastTaken,
    /// The three in turn.
    Mixed,
}

/// Executes walks until a limit or the monitor ends them. Transitions are the steps executed.
pub fn search<G: Locate>(
    stepper: &mut G,
    guide: Guide,
    seed: u64,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let mut walker = Walker {
        stepper,
        guide,
        options,
        violations: Violations::new(options),
        entered: FxHashMap::default(),
        batch: Batch::default(),
        path: Vec::new(),
        steps: 0,
        deepest: 0,
    };
    let stop = walker.walk_all(seed, monitor);
    let (violations, found) = walker.violations.finish();
    Outcome {
        states: 0,
        transitions: walker.steps + 1,
        depth: walker.deepest,
        violations,
        found,
        stop: Some(stop),
        taken: walker.stepper.taken().to_vec(),
        memory: Memory::default(),
    }
}

struct Walker<'a, G: Graph> {
    stepper: &'a mut G,
    guide: Guide,
    options: &'a Options<G::Site>,
    violations: Violations<'a, G::Site>,
    /// How often each location was entered, by its key.
    entered: FxHashMap<u64, u64>,
    batch: Batch<G::Site>,
    path: Vec<u32>,
    steps: u64,
    deepest: u64,
}

impl<G: Locate> Walker<'_, G> {
    fn walk_all(&mut self, seed: u64, monitor: &mut impl Monitor) -> Stop {
        let mut faults = Vec::new();
        let initial = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper, &initial, Vec::new);
        }
        self.batch.interrupt = monitor.interrupt();
        self.batch.most = most_in_flight(&self.options.limits, 0);
        for number in 0u64.. {
            let guide = match (self.guide, number % 3) {
                (Guide::Mixed, 0) => Guide::Uniform,
                (Guide::Mixed, 1) => Guide::Priorities,
                (Guide::Mixed, _) => Guide::LeastTaken,
                (guide, _) => guide,
            };
            let most = LENGTHS[(number / 3 % LENGTHS.len() as u64) as usize];
            if let Err(stop) = self.walk(&initial, guide, mix(seed ^ mix(number + 1)), most, monitor) {
                return stop;
            }
        }
        Stop::Approximate
    }

    /// One walk.
    fn walk(
        &mut self,
        initial: &[u8],
        guide: Guide,
        seed: u64,
        most: u64,
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
        let mut lot = seed;
        let mut state = initial.to_vec();
        state.resize(self.stepper.width(), 0);
        self.path.clear();
        loop {
            if self.violations.full() {
                return Err(Stop::Errors);
            }
            if self.steps.is_multiple_of(WATCH) {
                check_limits(&self.progress(), &self.options.limits, monitor)?;
            }
            grow::alone(self.stepper, &mut state, &mut self.batch)?;
            let path = &self.path;
            self.violations.note_all(&self.batch.faults, self.stepper, &state, || path.clone());
            let count = self.batch.states.len() / state.len();
            // Every walk counts as a step, so that walks without steps end at a limit too.
            self.steps += 1;
            if count == 0 || self.path.len() as u64 >= most {
                return Ok(());
            }
            lot = mix(lot.wrapping_add(0x9e37_79b9_7f4a_7c15));
            let position = self.choose(guide, seed, lot, &state, count);
            let width = state.len();
            state.copy_from_slice(&self.batch.states[position * width..(position + 1) * width]);
            self.path.push(position as u32);
            self.deepest = self.deepest.max(self.path.len() as u64);
        }
    }

    /// The position of the successor to enter.
    fn choose(&mut self, guide: Guide, seed: u64, lot: u64, state: &[u8], count: usize) -> usize {
        let any = ((u128::from(lot) * count as u128) >> 64) as usize;
        if guide == Guide::Uniform || count == 1 {
            return any;
        }
        let (mut best, mut position) = (None, any);
        // Beginning anywhere decides ties at random.
        for offset in 0..count {
            let at = (any + offset) % count;
            let next = &self.batch.states[at * state.len()..(at + 1) * state.len()];
            let key = self.stepper.entered(state, next);
            let rank = match guide {
                Guide::LeastTaken => u64::MAX - self.entered.get(&key).copied().unwrap_or(0),
                Guide::Priorities | Guide::Uniform | Guide::Mixed => mix(seed ^ key),
            };
            if best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, key));
                position = at;
            }
        }
        if let Some((_, key)) = best {
            *self.entered.entry(key).or_default() += 1;
        }
        position
    }

    fn progress(&self) -> Progress {
        Progress {
            states: 0,
            expanded: 0,
            transitions: self.steps + 1,
            depth: self.path.len() as u64,
            violations: self.violations.len(),
            memory: 0,
            ..Progress::default()
        }
    }
}
