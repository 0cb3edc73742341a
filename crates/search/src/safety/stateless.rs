//! Stateless search: depth-first exploration that stores only the states on the stack.
//!
//! A state is entered again on every path that reaches it, unless it is on the current path. The
//! search therefore terminates. If no path was truncated by the depth limit, it has explored every
//! path without repeated states and thus every reachable state.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* G. J. Holzmann, Logic Model Checking, lecture 15, "stateless search"; the term is from
//! P. Godefroid, Model checking for programming languages using VeriSoft, POPL 1997.
//!
//! *Invariant:* The set holds exactly the states of the current path, uncompressed.
//!
//! *Cost:* memory proportional to the depth; the number of visits may be exponential in the number
//! of states.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph, Grow};
use rustc_hash::FxHashSet;

use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::paths::undo_stack::{Step, UndoStack};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of expansions between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// Bytes per state of the path in addition to the state itself.
const ENTRY: usize = 48;

/// State of a running search.
struct Search<'a, G: Graph> {
    stepper: &'a mut G,
    options: &'a Options<G::Site>,
    violations: Violations<'a, G::Site>,
    stack: UndoStack,
    on_path: FxHashSet<Box<[u8]>>,
    current: Vec<u8>,
    batch: Batch<G::Site>,
    visits: u64,
    transitions: u64,
    deepest: u64,
    truncated: bool,
}

/// Explores every path without repeated states, within the limits. [`Outcome::states`] and the
/// limit on states count visits.
pub fn search<G: Graph>(
    stepper: &mut G,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let mut search = Search {
        stepper,
        options,
        violations: Violations::new(options),
        stack: UndoStack::default(),
        on_path: FxHashSet::default(),
        current: Vec::new(),
        batch: Batch::default(),
        visits: 0,
        transitions: 0,
        deepest: 0,
        truncated: false,
    };
    let stop = search.start().and_then(|()| search.run(monitor)).err();
    search.finish(stop)
}

impl<G: Graph> Search<'_, G> {
    fn start(&mut self) -> Result<(), Stop> {
        let mut faults = Vec::new();
        self.current = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper, &self.current, Vec::new);
        }
        self.on_path.insert(self.current.clone().into_boxed_slice());
        self.transitions = 1;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let (mut next, mut entered) = (0, true);
        self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
        self.batch.interrupt = monitor.interrupt();
        for round in 1u64.. {
            while let Err(Grow { size }) = self.stepper.expand(&self.current, &mut self.batch) {
                self.grow(size);
            }
            if let Some(cut) = self.batch.cut {
                return Err(cut.into());
            }
            if entered {
                self.enter()?;
            }
            match self.descend(next)? {
                true => (next, entered) = (0, true),
                false => match self.retreat() {
                    Some(position) => (next, entered) = (position as usize + 1, false),
                    None => return if self.truncated { Err(Stop::Depth) } else { Ok(()) },
                },
            }
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
            }
        }
        unreachable!("a search ends before 2^64 expansions")
    }

    fn enter(&mut self) -> Result<(), Stop> {
        self.visits += 1;
        self.deepest = self.deepest.max(self.stack.depth());
        if self.options.limits.depth == Some(self.stack.depth()) {
            self.truncated |= self.batch.without_steps();
        }
        self.violations.note_all(&self.batch.faults, self.stepper, &self.current, || self.stack.path());
        self.transitions += (self.batch.states.len() / self.current.len()) as u64;
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        if self.options.limits.states.is_some_and(|limit| self.visits > limit) {
            return Err(Stop::States);
        }
        Ok(())
    }

    /// Enters the first successor at or after position `next` that is not on the path; returns
    /// false if none exists.
    fn descend(&mut self, next: usize) -> Result<bool, Stop> {
        if self.options.limits.depth == Some(self.stack.depth()) {
            return Ok(false);
        }
        let width = self.current.len();
        let count = self.batch.states.len() / width;
        for position in next..count {
            let state = &self.batch.states[position * width..(position + 1) * width];
            if !self.on_path.contains(state) {
                self.on_path.insert(state.into());
                let step = Step { position: position as u32, last: position + 1 == count };
                self.stack.push(&self.current, state, step);
                self.current.copy_from_slice(state);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Backtracks to the nearest state with unexplored successors; returns the step taken from it.
    fn retreat(&mut self) -> Option<u32> {
        let on_path = &mut self.on_path;
        self.stack.retreat(&mut self.current, |left| {
            on_path.remove(left);
        })
    }

    #[cold]
    fn grow(&mut self, size: usize) {
        self.stepper.grow(size);
        let width = self.stepper.width();
        self.current.resize(width, 0);
        let wide = |state: Box<[u8]>| {
            let mut state = state.into_vec();
            state.resize(width, 0);
            state.into_boxed_slice()
        };
        self.on_path = std::mem::take(&mut self.on_path).into_iter().map(wide).collect();
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = Progress {
            states: self.visits,
            expanded: self.visits,
            transitions: self.transitions,
            depth: self.stack.depth(),
            violations: self.violations.len(),
            memory: self.memory().total(),
            ..Progress::default()
        };
        check_limits(&progress, &self.options.limits, monitor)
    }

    fn memory(&self) -> Memory {
        let path = self.on_path.len() * (self.current.len() + ENTRY);
        Memory { states: 0, paths: path as u64 + self.stack.memory() }
    }

    fn finish(self, stop: Option<Stop>) -> Outcome<G::Site> {
        let memory = self.memory();
        let (violations, found) = self.violations.finish();
        Outcome {
            states: self.visits,
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
