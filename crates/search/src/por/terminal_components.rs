//! Safety search in a reduced graph that ignores processes, with a solution of the ignoring problem
//! by terminal components.
//!
//! An enabled process outside the persistent set remains enabled after every step of the set. It is
//! therefore ignored forever only in a terminal component (one that no edge leaves) in which it is
//! never selected. The search computes the components on the fly. When a terminal component is
//! complete, its first state is expanded by the processes that are enabled there and were selected
//! in none of its states. The search then continues from the new successors.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* A. Valmari, A stubborn attack on state explosion, Formal Methods in System Design
//! 1992, section 3.2: every execution is preserved up to the order of independent steps, and hence
//! every fault; infinite executions are not preserved. H. N. Gabow, Path-based depth-first search
//! for strong and biconnected components, Inf. Process. Lett. 2000.
//!
//! *Invariant:* The live states are those of incomplete components, in the order in which they were
//! entered. Every recorded path remains valid if a state on it is expanded further, because further
//! successors follow the existing ones.
//!
//! *Cost:* none for processes that are never ignored, unlike the static choice of edges in
//! `cycles.rs` of crates/reduce; but the search uses one thread and a fixed order, and traces are
//! not shortest.

use axle_outcome::{Found, Memory, Outcome, Progress, Stop};
use axle_step::{Batch, EVERYONE, ModelSite, Selective, Statistics, Successors};
use axle_store::Numbered;

use crate::grow::{expand, make_room};
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::por::reduced_graph::Reduced;
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Mark of a state that was not entered yet.
const UNSEEN: u32 = 0;
/// Mark of a state in a complete component.
const DONE: u32 = u32::MAX;
/// Number of states entered between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Its number in the set.
    number: u32,
    /// Its position among the live states.
    place: u32,
    /// Number of pending successors of the states before it on the path.
    waiting: u32,
    /// Number of its successors so far.
    successors: u32,
    /// Its position among the successors of the preceding state.
    position: u32,
}

/// A partial component on the path.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// Position of its first state among the live states.
    place: u32,
    /// The processes selected in some state of it.
    looked_at: u64,
    /// Whether an edge leaves it.
    left: bool,
}

/// State of a running search.
struct Search<'a, 'g, G, S> {
    graph: &'a mut Reduced<'g, G>,
    set: &'a mut S,
    options: &'a Options,
    violations: Violations<'a, ModelSite>,
    marks: Vec<u32>,
    live: Vec<u32>,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Pending successors: number and position, those of one state from the last to the first.
    waiting: Vec<(u32, u32)>,
    state: Vec<u8>,
    batch: Batch,
    numbers: Vec<u32>,
    entered: u64,
    transitions: u64,
    deepest: u64,
}

/// Explores every state reachable in `graph`, within the limits. The set must be empty and must
/// have the width of the layout.
pub fn search<G: Selective, S: Numbered>(
    graph: &mut Reduced<'_, G>,
    set: &mut S,
    options: &Options,
    monitor: &mut impl Monitor,
) -> Outcome {
    let mut search = Search {
        graph,
        set,
        options,
        violations: Violations::new(options),
        marks: Vec::new(),
        live: Vec::new(),
        frames: Vec::new(),
        roots: Vec::new(),
        waiting: Vec::new(),
        state: Vec::new(),
        batch: Batch::default(),
        numbers: Vec::new(),
        entered: 0,
        transitions: 1,
        deepest: 0,
    };
    let stop = search.run(monitor).err();
    let memory = search.memory();
    let Search { graph, set, violations, transitions, deepest, .. } = search;
    let (violations, found) = violations.finish();
    Outcome {
        states: set.len(),
        transitions,
        depth: deepest,
        violations,
        found,
        stop,
        taken: graph.taken().to_vec(),
        memory,
    }
}

impl<G: Selective, S: Numbered> Search<'_, '_, G, S> {
    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
        self.batch.interrupt = monitor.interrupt();
        let mut faults = Vec::new();
        let initial = self.graph.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.graph, &initial, Vec::new);
        }
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        self.numbers.clear();
        self.set.insert_numbered(&initial, &[], &mut self.numbers).map_err(|_| Stop::Memory)?;
        self.marks.push(UNSEEN);
        self.enter(0, 0)?;
        while let Some(&frame) = self.frames.last() {
            if self.waiting.len() > frame.waiting as usize
                && let Some((number, position)) = self.waiting.pop()
            {
                match self.marks[number as usize] {
                    UNSEEN => {
                        self.enter(number, position)?;
                        if self.entered.is_multiple_of(WATCH) {
                            self.watch(monitor)?;
                        }
                    }
                    DONE => self.mark_not_terminal(),
                    place => self.merge(place - 1),
                }
                continue;
            }
            let complete = self.roots.last().is_some_and(|root| root.place == frame.place);
            if complete && self.expand_ignored()? {
                continue;
            }
            self.frames.pop();
            if complete {
                self.roots.pop();
                for number in self.live.drain(frame.place as usize..) {
                    self.marks[number as usize] = DONE;
                }
                self.mark_not_terminal();
            }
        }
        Ok(())
    }

    /// Records that an edge leaves the last component on the path.
    fn mark_not_terminal(&mut self) {
        if let Some(root) = self.roots.last_mut() {
            root.left = true;
        }
    }

    /// Merges the component of the live state at `place` and all later ones, because an edge leads
    /// from the end of the path to that state.
    fn merge(&mut self, place: u32) {
        while let [.., before, last] = &mut self.roots[..]
            && last.place > place
        {
            before.looked_at |= last.looked_at;
            before.left |= last.left;
            self.roots.pop();
        }
    }

    /// Enters a state.
    fn enter(&mut self, number: u32, position: u32) -> Result<(), Stop> {
        self.entered += 1;
        self.state.clear();
        self.set.append_states(&[number], &mut self.state);
        expand(self.graph, self.set, &mut self.state, &mut self.batch)?;
        let place = self.live.len() as u32;
        self.live.push(number);
        self.marks[number as usize] = place + 1;
        let waiting = u32::try_from(self.waiting.len()).map_err(|_| Stop::Memory)?;
        self.frames.push(Frame { number, place, waiting, successors: 0, position });
        self.roots.push(Root { place, looked_at: self.graph.chosen(), left: false });
        self.deepest = self.deepest.max(self.frames.len() as u64 - 1);
        self.keep_successors()
    }

    /// If the component that starts at the last state of the path is terminal: expands the ignored
    /// processes in that state. Returns whether there are any.
    fn expand_ignored(&mut self) -> Result<bool, Stop> {
        let (Some(&Frame { number, .. }), Some(root)) = (self.frames.last(), self.roots.last_mut()) else {
            return Ok(false);
        };
        let looked_at = root.looked_at;
        if root.left || looked_at == EVERYONE {
            return Ok(false);
        }
        root.looked_at = EVERYONE;
        self.state.clear();
        self.set.append_states(&[number], &mut self.state);
        while let Err(grow) = self.graph.expand_others(&self.state, looked_at, &mut self.batch) {
            make_room(self.graph, self.set, &mut self.state, grow.size)?;
        }
        if let Some(cut) = self.batch.cut {
            return Err(cut.into());
        }
        if self.batch.states.is_empty() && self.batch.faults.is_empty() {
            return Ok(false);
        }
        self.graph.record_full_expansion(&self.state, looked_at);
        self.keep_successors()?;
        Ok(true)
    }

    /// Records the successors of the last state on the path.
    fn keep_successors(&mut self) -> Result<(), Stop> {
        let Some(last) = self.frames.last_mut() else { return Ok(()) };
        let first = last.successors;
        let count = (self.batch.states.len() / self.state.len()) as u32;
        last.successors += count;
        self.transitions += u64::from(count);
        for fault in &self.batch.faults {
            let found = fault.successor.map_or(Found::State, |position| Found::Step(position + first));
            let path = || self.frames[1..].iter().map(|frame| frame.position).collect();
            self.violations.note(fault, found, self.graph, &self.state, path);
        }
        if self.violations.full() {
            return Err(Stop::Errors);
        }
        self.numbers.clear();
        self.set.insert_numbered(&self.batch.states, &[], &mut self.numbers).map_err(|_| Stop::Memory)?;
        if self.options.limits.states.is_some_and(|limit| self.set.len() > limit) {
            return Err(Stop::States);
        }
        // Positions stored in marks must stay below the reserved values.
        let known = usize::try_from(self.set.len()).ok().filter(|known| *known < DONE as usize - 1);
        self.marks.resize(known.ok_or(Stop::Memory)?, UNSEEN);
        self.waiting.extend(self.numbers.iter().copied().zip(first..first + count).rev());
        Ok(())
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = Progress {
            states: self.set.len(),
            expanded: self.entered,
            transitions: self.transitions,
            depth: self.frames.len() as u64,
            violations: self.violations.len(),
            memory: self.memory().total(),
            ..Progress::default()
        };
        self.batch.most = most_in_flight(&self.options.limits, progress.memory);
        check_limits(&progress, &self.options.limits, monitor)?;
        // There are no levels; the states between two polls are the same in every run.
        if monitor.pause_at().is_some_and(|states| progress.states >= states) {
            return monitor.pause(&progress).map_or(Ok(()), Err);
        }
        Ok(())
    }

    fn memory(&self) -> Memory {
        let stacks = 4 * (self.marks.len() + self.live.len()) + 8 * self.waiting.len();
        let path = self.frames.len() * size_of::<Frame>() + self.roots.len() * size_of::<Root>();
        let looked_at = self.graph.memory();
        Memory { states: self.set.memory(), paths: (stacks + path) as u64 + looked_at }
    }
}
