//! Depth-first search: extends the current path by a new successor while one exists, then
//! backtracks.
//!
//! It stores the same states as breadth-first search, finds deep violations sooner and needs no
//! spanning tree: the trace of the current state is the stack. The stack holds only the undo
//! records needed for backtracking ([`UndoStack`]). After backtracking, a state is expanded again
//! to find its remaining successors, unless the transition taken was its last. Hence each new state
//! causes at most one additional expansion, and no successor waits in memory. Depth is limited by
//! memory only.
//!
//! The search is determined by the successor entered at each choice. Where checkpoints are enabled
//! ([`crate::checkpoint`]), these choices are recorded in Elias gamma code: 1 for no successor,
//! otherwise 2 plus the number of successors skipped.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1972. A
//! state is marked as visited when it is entered, so the order is that of the textbook.
//!
//! *Invariant:* Undoing the stack step by step leads from the current state back to the initial
//! state.
//!
//! *Cost:* at most one re-expansion for each stored state.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, Graph};
use axle_store::StateSet;

use crate::checkpoint::{Checkpoint, Contents, Known, Past};
use crate::grow::expand;
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::paths::bit_string::Bits;
use crate::paths::undo_stack::{Step, UndoStack};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of expansions between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// State of a running search.
struct Search<'a, G: Graph, S> {
    stepper: &'a mut G,
    set: &'a mut S,
    options: &'a Options<G::Site>,
    violations: Violations<'a, G::Site>,
    stack: UndoStack,
    current: Vec<u8>,
    batch: Batch<G::Site>,
    /// Insertion result of the last lookup; a field so that its memory is reused.
    fresh: Vec<bool>,
    expanded: u64,
    transitions: u64,
    deepest: u64,
    truncated: bool,
    /// Number of states entered so far.
    found: u64,
    /// Choices recorded so far, if recording is enabled; during a replay, those of the checkpoint.
    choices: Option<Bits>,
    /// Number of bits of `choices` that were replayed.
    followed: u64,
    /// Counts at the last choice.
    settled: Counts,
    /// Counts that must be reached at the end of the replay; `None` without a replay or after it.
    awaited: Option<Counts>,
}

/// Number of states entered, and number of transitions from the expanded ones.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Counts {
    states: u64,
    transitions: u64,
}

/// Explores every state reachable through `stepper`, within the limits. The set must be empty and
/// must have the width of the stepper's layout.
pub fn search<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
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
        choices: monitor.checkpoints().and_then(|kept| kept.keeper()).map(|_| Bits::default()),
        followed: 0,
        settled: Counts { states: 1, transitions: 1 },
        awaited: None,
    };
    let begun = search.resume(monitor.checkpoints().and_then(|kept| kept.past()));
    let stop = begun.and_then(|()| search.start()).and_then(|()| search.run(monitor)).err();
    if stop.is_some_and(Stop::can_go_on) {
        search.keep(monitor, false);
    }
    search.finish(stop)
}

impl<G: Graph, S: StateSet> Search<'_, G, S> {
    /// Resumes from the choices of a checkpoint.
    fn resume(&mut self, past: Option<Past>) -> Result<(), Stop> {
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
            self.violations.note(fault, Found::Start, self.stepper, &self.current, Vec::new);
        }
        self.set.insert(&self.current, &mut self.fresh).map_err(|_| Stop::Memory)?;
        self.transitions = 1;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let mut next = 0;
        let mut entered = true;
        self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
        self.batch.interrupt = monitor.interrupt();
        self.record_counts()?;
        for round in 1u64.. {
            expand(self.stepper, self.set, &mut self.current, &mut self.batch)?;
            if entered {
                self.enter()?;
            }
            let chosen = if self.awaited.is_some() { self.replay_choice(next)? } else { self.descend(next)? };
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
                        self.record_counts()?;
                        return match (self.awaited, self.truncated) {
                            (Some(_), _) => Err(Stop::Checkpoint),
                            (None, true) => Err(Stop::Depth),
                            (None, false) => Ok(()),
                        };
                    }
                },
            }
            self.record_counts()?;
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
                self.keep(monitor, true);
            }
        }
        unreachable!("a search ends before 2^64 expansions")
    }

    /// Records the counts between two choices and detects the end of a replay.
    #[inline]
    fn record_counts(&mut self) -> Result<(), Stop> {
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

    /// Writes a checkpoint; with `asked`, only if the monitor requests one. During a replay the
    /// existing checkpoint remains valid and none is written.
    fn keep(&self, monitor: &mut impl Monitor, asked: bool) {
        let (Some(keeper), Some(choices)) =
            (monitor.checkpoints().and_then(|kept| kept.keeper()), &self.choices)
        else {
            return;
        };
        if self.awaited.is_none() && (!asked || keeper.due()) {
            let Counts { states, transitions } = self.settled;
            let nothing = Bits::default();
            let contents = Contents::Log([choices, &nothing]);
            keeper.keep(&Checkpoint { about: "", states, transitions, contents });
        }
    }

    /// Records the first expansion of a state.
    fn enter(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        self.deepest = self.deepest.max(self.stack.depth());
        if self.options.limits.depth == Some(self.stack.depth()) {
            self.truncated |= self.batch.without_steps();
        }
        self.violations.note_all(&self.batch.faults, self.stepper, &self.current, || self.stack.path());
        self.transitions += (self.batch.states.len() / self.current.len()) as u64;
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        Ok(())
    }

    /// Enters the first new successor at or after position `next`; returns false if none exists.
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

    /// Enters the successor at `position` of `count` if it is new.
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

    /// Replays the choice recorded in the checkpoint, in place of [`Search::descend`].
    fn replay_choice(&mut self, next: usize) -> Result<bool, Stop> {
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
            ..Progress::default()
        };
        check_limits(&progress, &self.options.limits, monitor)
    }

    fn memory(&self) -> Memory {
        let choices = self.choices.as_ref().map_or(0, Bits::memory);
        Memory { states: self.set.memory(), paths: self.stack.memory() + choices }
    }

    fn finish(self, stop: Option<Stop>) -> Outcome<G::Site> {
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
