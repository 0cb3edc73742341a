//! A single path: a depth-first search that never goes back.
//!
//! A violation hundreds of thousands of steps deep is far beyond the levels that a breadth-first search
//! of a wide graph completes. If it is on the first path, a search that stores nothing but this path
//! finds it with as many expansions as the path has steps. The path goes to the first successor that is
//! not on it, and ends where there is none, or at a limit on memory.
//!
//! States of the path are known by a hash of 64 bits: if two have the same, the path ends sooner or takes
//! another way, which costs a violation at most.
//!
//! *Entry point:* [`search`].
//! *Invariant:* no state is expanded twice. The path proves nothing.

use std::hash::{BuildHasher, BuildHasherDefault};

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph};
use rustc_hash::{FxHashSet, FxHasher};

use crate::grow;
use crate::limits::{Options, check_limits, most_in_flight};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of steps between two polls of the monitor.
const WATCH: u64 = 128;

/// Bytes for a state of the path: its hash, in a table at most half full, and its position.
const BYTES: u64 = 24;

/// Follows one path until it ends, or a limit or the monitor ends it.
pub fn search<G: Graph>(
    stepper: &mut G,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let mut path = Path {
        stepper,
        options,
        violations: Violations::new(options),
        known: FxHashSet::default(),
        batch: Batch::default(),
        positions: Vec::new(),
    };
    let stop = path.follow(monitor).err().unwrap_or(Stop::Approximate);
    let progress = path.progress();
    let (violations, found) = path.violations.finish();
    Outcome {
        states: progress.states,
        transitions: progress.transitions,
        depth: progress.depth,
        violations,
        found,
        stop: Some(stop),
        taken: path.stepper.taken().to_vec(),
        memory: Memory::default(),
    }
}

struct Path<'a, G: Graph> {
    stepper: &'a mut G,
    options: &'a Options<G::Site>,
    violations: Violations<'a, G::Site>,
    /// The hashes of the states of the path.
    known: FxHashSet<u64>,
    batch: Batch<G::Site>,
    positions: Vec<u32>,
}

impl<G: Graph> Path<'_, G> {
    fn follow(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let mut faults = Vec::new();
        let mut state = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper, &state, Vec::new);
        }
        self.batch.interrupt = monitor.interrupt();
        self.batch.most = most_in_flight(&self.options.limits, 0);
        self.known.insert(hash(&state));
        loop {
            if self.violations.full() {
                return Err(Stop::Errors);
            }
            if (self.positions.len() as u64).is_multiple_of(WATCH) {
                check_limits(&self.progress(), &self.options.limits, monitor)?;
            }
            grow::alone(self.stepper, &mut state, &mut self.batch)?;
            let path = &self.positions;
            self.violations.note_all(&self.batch.faults, self.stepper, &state, || path.clone());
            let width = state.len();
            let mut successors = self.batch.states.chunks_exact(width).enumerate();
            let Some((position, next)) = successors.find(|(_, next)| self.known.insert(hash(next))) else {
                return Ok(());
            };
            self.positions.push(position as u32);
            state.copy_from_slice(next);
        }
    }

    fn progress(&self) -> Progress {
        let steps = self.positions.len() as u64;
        Progress {
            states: steps + 1,
            expanded: steps,
            transitions: steps,
            depth: steps,
            violations: self.violations.len(),
            memory: (steps + 1) * BYTES,
            ..Progress::default()
        }
    }
}

/// The hash of a state, whatever its width: wider states are widened with zeros.
fn hash(state: &[u8]) -> u64 {
    let end = state.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    BuildHasherDefault::<FxHasher>::default().hash_one(&state[..end])
}
