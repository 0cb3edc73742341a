//! Depth-first search: goes on from the newest state as long as it can, then back.
//!
//! It stores the same states as the breadth-first search, finds what lies deep sooner, and needs no
//! tree of paths: the way to the current state is its stack. The stack holds only what it takes to
//! go back ([`UndoStack`]); what is left to try in a state is found by expanding it again when the
//! search comes back to it, unless the step taken was its last. So a state is expanded at most once
//! more for each new state that it finds, and no successor waits in memory. There is no limit on
//! depth but memory.
//!
//! *Entry point:* [`search`].
//!
//! All that decides how it goes on is which successor it enters each time that it looks for a new
//! one. Where checkpoints are kept ([`crate::checkpoint`]) these choices are written down: 1 for
//! none, otherwise 2 and how many it passed over, in Elias' gamma code.
//!
//! A state counts as visited when the search enters it, so the order is the textbook's (R. Tarjan,
//! Depth-first search and linear graph algorithms, SIAM J. Comput. 1972).
//!
//! *Invariant:* The stack, undone step by step, leads from the current state back to the initial
//! one.

use axle_step::{Batch, Successors};
use axle_store::StateSet;

use crate::bits::Bits;
use crate::checkpoint::{Checkpoint, Contents, Known, Past};
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
    /// States entered so far.
    found: u64,
    /// The choices so far, where they are written down; while the search catches up with a checkpoint, those until then.
    choices: Option<Bits>,
    /// How many bits of them were followed.
    followed: u64,
    /// Where the search is, as of the last choice.
    settled: Counts,
    /// Where it has to be when it has caught up; none where it has, or began at the beginning.
    awaited: Option<Counts>,
}

/// States entered, and transitions of those expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Counts {
    states: u64,
    transitions: u64,
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
        found: 1,
        choices: monitor.keeper().map(|_| Bits::default()),
        followed: 0,
        settled: Counts { states: 1, transitions: 1 },
        awaited: None,
    };
    let begun = search.go_on_from(monitor.past());
    let stop = begun.and_then(|()| search.start()).and_then(|()| search.run(monitor)).err();
    if stop.is_some_and(Stop::can_go_on) {
        search.keep(monitor, false);
    }
    search.finish(stop)
}

impl<G: Successors, S: StateSet> Search<'_, G, S> {
    /// Takes over the choices of a checkpoint.
    fn go_on_from(&mut self, past: Option<Past>) -> Result<(), Stop> {
        let Some(Past { states, transitions, contents, .. }) = past else { return Ok(()) };
        let Known::Log([choices, _]) = contents else { return Err(Stop::Checkpoint) };
        self.choices = Some(choices);
        self.awaited = Some(Counts { states, transitions });
        Ok(())
    }

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
        self.batch.interrupt = monitor.interrupt();
        self.settle()?;
        for round in 1u64.. {
            expand(self.stepper, self.set, &mut self.current, &mut self.batch)?;
            if entered {
                self.enter()?;
            }
            let chosen = if self.awaited.is_some() { self.follow(next)? } else { self.descend(next)? };
            match chosen {
                true => {
                    next = 0;
                    entered = true;
                }
                false => match self.stack.retreat(&mut self.current, |_| ()) {
                    Some(position) => {
                        next = position as usize + 1;
                        entered = false;
                    }
                    None => {
                        self.settle()?;
                        return match (self.awaited, self.truncated) {
                            (Some(_), _) => Err(Stop::Checkpoint),
                            (None, true) => Err(Stop::Depth),
                            (None, false) => Ok(()),
                        };
                    }
                },
            }
            self.settle()?;
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                self.batch.most = self.options.limits.most_in_flight(self.memory().total());
                self.keep(monitor, true);
            }
        }
        unreachable!("a search ends before 2^64 expansions")
    }

    /// Notes where the search is between two choices, and whether it has caught up.
    #[inline]
    fn settle(&mut self) -> Result<(), Stop> {
        self.settled = Counts { states: self.found, transitions: self.transitions };
        if let Some(awaited) = self.awaited
            && self.choices.as_ref().is_none_or(|choices| choices.len() == self.followed)
        {
            if awaited != self.settled {
                return Err(Stop::Checkpoint);
            }
            self.awaited = None;
        }
        Ok(())
    }

    /// Has a checkpoint written; `asked`: only if someone wants one now. While the search catches up with one, that one
    /// is as good.
    fn keep(&self, monitor: &mut impl Monitor, asked: bool) {
        let (Some(keeper), Some(choices)) = (monitor.keeper(), &self.choices) else { return };
        if self.awaited.is_none() && (!asked || keeper.due()) {
            let Counts { states, transitions } = self.settled;
            let nothing = Bits::default();
            let contents = Contents::Log([choices, &nothing]);
            keeper.keep(&Checkpoint { about: "", states, transitions, contents });
        }
    }

    /// Takes note of a state that is expanded for the first time.
    fn enter(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        self.deepest = self.deepest.max(self.stack.depth());
        if self.options.limits.depth == Some(self.stack.depth()) {
            self.truncated |= self.batch.without_steps();
        }
        let layout = self.stepper.layout();
        self.violations.note_all(&self.batch.faults, layout, &self.current, || self.stack.path());
        self.transitions += (self.batch.states.len() / self.current.len()) as u64;
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        Ok(())
    }

    /// Enters the first new successor from position `next` on; false where there is none.
    fn descend(&mut self, next: usize) -> Result<bool, Stop> {
        let count = self.batch.states.len() / self.current.len();
        for position in next..count {
            if self.enter_if_new(position, count)? {
                self.write_choice((position - next) as u64 + 2);
                return Ok(true);
            }
        }
        self.write_choice(1);
        Ok(false)
    }

    /// Enters a successor, of so many, if it is new.
    #[inline]
    fn enter_if_new(&mut self, position: usize, count: usize) -> Result<bool, Stop> {
        let width = self.current.len();
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
            self.found += 1;
        }
        Ok(self.fresh[0])
    }

    #[inline]
    fn write_choice(&mut self, choice: u64) {
        if let Some(choices) = &mut self.choices {
            let zeros = choice.ilog2();
            choices.push((choice & !(1 << zeros)) << (zeros + 1) | 1 << zeros, 2 * zeros + 1);
        }
    }

    /// Does what was chosen before the checkpoint, in the place of [`Search::descend`].
    fn follow(&mut self, next: usize) -> Result<bool, Stop> {
        let choices = self.choices.as_ref().ok_or(Stop::Checkpoint)?;
        let zeros = choices.window(self.followed).trailing_zeros();
        if zeros >= u32::BITS {
            return Err(Stop::Checkpoint);
        }
        let low = choices.window(self.followed + u64::from(zeros) + 1) & ((1 << zeros) - 1);
        self.followed += 2 * u64::from(zeros) + 1;
        let choice = low | 1 << zeros;
        if choice == 1 {
            return Ok(false);
        }
        let count = self.batch.states.len() / self.current.len();
        let position = usize::try_from(next as u64 + choice - 2).map_err(|_| Stop::Checkpoint)?;
        match position < count && self.enter_if_new(position, count)? {
            true => Ok(true),
            false => Err(Stop::Checkpoint),
        }
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
        let choices = self.choices.as_ref().map_or(0, Bits::memory);
        Memory { states: self.set.memory(), paths: self.stack.memory() + choices }
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
