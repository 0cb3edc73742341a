//! Depth-first search: goes on from the newest state as long as it can, then back.
//!
//! Main function: [`search`]. It stores the same states as the breadth-first search, finds what lies deep
//! sooner, and needs no tree of paths: the way to the current state is its stack. The stack holds only what
//! it takes to go back ([`UndoStack`]); what is left to try in a state is found by expanding it again when
//! the search comes back to it, unless the step taken was its last. So a state is expanded at most once more
//! for each new state that it finds, and no successor waits in memory. There is no limit on depth but memory.
//!
//! A state counts as visited when the search enters it, so the order is the textbook's (R. Tarjan,
//! Depth-first search and linear graph algorithms, SIAM J. Comput. 1972). Kept: the stack, undone step by
//! step, leads from the current state back to the initial one.

use axle_step::{Batch, Successors};
use axle_store::StateSet;

use crate::grow::expand;
use crate::limits::{Options, Stop};
use crate::outcome::{Found, Memory, Outcome};
use crate::progress::{Monitor, Progress, look};
use crate::undo_stack::{Step, UndoStack};
use crate::violations::Violations;

/// Expansions between two looks at the monitor and at memory.
const WATCH: u64 = 128;

/// A search under way.
struct Search<'a, G, S> {
    stepper: &'a mut G,
    set: &'a mut S,
    options: &'a Options,
    violations: Violations<'a>,
    stack: UndoStack,
    current: Vec<u8>,
    batch: Batch,
    /// Whether the state asked for last was new; kept to reuse its memory.
    fresh: Vec<bool>,
    expanded: u64,
    transitions: u64,
    deepest: u64,
    truncated: bool,
}

/// Explores every state that `stepper` reaches, within the limits. The set must be empty and as wide as the
/// stepper's layout.
pub fn search<G: Successors, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    options: &Options,
    monitor: &mut impl Monitor,
) -> Outcome {
    let mut search = Search {
        stepper,
        set,
        options,
        violations: Violations::new(options),
        stack: UndoStack::default(),
        current: Vec::new(),
        batch: Batch::default(),
        fresh: Vec::new(),
        expanded: 0,
        transitions: 0,
        deepest: 0,
        truncated: false,
    };
    let stop = search.start().and_then(|()| search.run(monitor)).err();
    search.finish(stop)
}

impl<G: Successors, S: StateSet> Search<'_, G, S> {
    fn start(&mut self) -> Result<(), Stop> {
        let mut faults = Vec::new();
        self.current = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper.layout(), &self.current, Vec::new);
        }
        self.set.insert(&self.current, &mut self.fresh).map_err(|_| Stop::Memory)?;
        self.transitions = 1;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let mut next = 0;
        let mut entered = true;
        self.batch.most = self.options.limits.most_in_flight(self.memory().total());
        for round in 1u64.. {
            expand(self.stepper, self.set, &mut self.current, &mut self.batch)?;
            if entered {
                self.enter()?;
            }
            match self.descend(next)? {
                true => {
                    next = 0;
                    entered = true;
                }
                false => match self.stack.retreat(&mut self.current, |_| ()) {
                    Some(position) => {
                        next = position as usize + 1;
                        entered = false;
                    }
                    None => return if self.truncated { Err(Stop::Depth) } else { Ok(()) },
                },
            }
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                self.batch.most = self.options.limits.most_in_flight(self.memory().total());
            }
        }
        unreachable!("a search ends before 2^64 expansions")
    }

    /// Takes note of a state that is expanded for the first time.
    fn enter(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        self.deepest = self.deepest.max(self.stack.depth());
        if self.options.limits.depth == Some(self.stack.depth()) {
            // Only what is wrong with the state itself still counts.
            self.truncated |= !self.batch.states.is_empty();
            self.batch.states.clear();
            self.batch.faults.retain(|fault| fault.successor.is_none());
        }
        for fault in &self.batch.faults {
            let found = fault.successor.map_or(Found::State, Found::Step);
            let layout = self.stepper.layout();
            self.violations.note(fault, found, layout, &self.current, || self.stack.path());
        }
        self.transitions += (self.batch.states.len() / self.current.len()) as u64;
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        Ok(())
    }

    /// Enters the first new successor from position `next` on; false where there is none.
    fn descend(&mut self, next: usize) -> Result<bool, Stop> {
        let width = self.current.len();
        let count = self.batch.states.len() / width;
        for position in next..count {
            let state = &self.batch.states[position * width..(position + 1) * width];
            self.fresh.clear();
            self.set.insert(state, &mut self.fresh).map_err(|_| Stop::Memory)?;
            if self.fresh[0] {
                if self.options.limits.states.is_some_and(|limit| self.set.len() > limit) {
                    return Err(Stop::States);
                }
                let step = Step { position: position as u32, last: position + 1 == count };
                self.stack.push(&self.current, state, step);
                self.current.copy_from_slice(state);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = Progress {
            states: self.set.len(),
            expanded: self.expanded,
            transitions: self.transitions,
            depth: self.stack.depth(),
            violations: self.violations.len(),
            memory: self.memory().total(),
        };
        look(&progress, &self.options.limits, monitor)
    }

    fn memory(&self) -> Memory {
        Memory { states: self.set.memory(), paths: self.stack.memory() }
    }

    fn finish(self, stop: Option<Stop>) -> Outcome {
        let memory = self.memory();
        let (violations, found) = self.violations.finish();
        Outcome {
            states: self.set.len(),
            transitions: self.transitions,
            depth: self.deepest,
            violations,
            found,
            stop,
            taken: self.stepper.taken().to_vec(),
            memory,
        }
    }
}
