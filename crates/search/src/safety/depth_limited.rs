//! Depth-limited depth-first search that is complete within its bound.
//!
//! Truncating a depth-first search at a bound is incomplete: a state first reached at the end of a
//! long path is known from then on, so its successors are not explored although a shorter path may
//! reach it. Therefore each state is stored with the least depth at which it was entered, and is
//! entered again when a shorter path reaches it. Hence every state within the bound is expanded.
//!
//! *Entry points:* [`search`], and `improve` for [`crate::safety::shorten`].
//!
//! *Source:* G. J. Holzmann, Logic Model Checking, lecture 15, "depth-limited search" (Spin's
//! option REACH).
//!
//! *Invariant:* At the end, the stored depth of every state within the bound is its distance from
//! the initial state. States and transitions are counted once, independently of the number of
//! visits.
//!
//! *Cost:* a state may be visited once for each smaller depth at which it is reached.

use axle_model::ProcId;
use axle_outcome::{Found, Memory, Outcome, Progress, Stop, Violation};
use axle_step::{Batch, Fault, FaultSite, Graph};
use axle_store::Numbered;

use crate::grow::expand;
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::paths::undo_stack::{Step, UndoStack};
use crate::progress::Monitor;
use crate::safety::violations::Violations;

/// Number of expansions between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// Maximum depth; larger depths are not distinguished, because no such stack fits in memory.
const DEEPEST: u64 = (1 << 30) - 1;

/// Data of a state: its least depth so far, whether it was visited, and whether it was expanded.
#[derive(Clone, Copy)]
struct Visit(u32);

impl Visit {
    const SEEN: u32 = 1 << 30;
    const EXPANDED: u32 = 1 << 31;

    fn depth(self) -> u64 {
        u64::from(self.0 & (Visit::SEEN - 1))
    }

    fn at(self, depth: u64) -> Visit {
        Visit(self.0 & !(Visit::SEEN - 1) | depth.min(DEEPEST) as u32)
    }

    fn is(self, what: u32) -> bool {
        self.0 & what != 0
    }
}

/// Violations whose traces are to be shortened.
struct Wanted<I> {
    best: Vec<Violation<I>>,
    /// Whether any other violation may replace the one in the list.
    any: bool,
}

/// State of a running search.
struct Search<'a, G: Graph, S> {
    stepper: &'a mut G,
    set: &'a mut S,
    options: &'a Options<G::Site>,
    violations: Violations<'a, G::Site>,
    wanted: Option<Wanted<G::Site>>,
    /// States at this depth are not expanded.
    bound: u64,
    stack: UndoStack,
    visits: Vec<Visit>,
    current: Vec<u8>,
    number: u32,
    batch: Batch<G::Site>,
    numbers: Vec<u32>,
    expanded: u64,
    transitions: u64,
    deepest: u64,
    /// Number of states with successors that were not explored.
    cut: u64,
}

/// Explores every state within the depth limit. The set must be empty and must have the width of
/// the stepper's layout.
pub fn search<G: Graph, S: Numbered>(
    stepper: &mut G,
    set: &mut S,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let bound = options.limits.depth.unwrap_or(u64::MAX);
    run(stepper, set, options, bound, None, monitor)
}

/// Searches for shorter traces of violations, of the same ones or, if permitted, of any. The
/// outcome holds the shortest traces found, in the given order.
pub(crate) fn improve<G: Graph, S: Numbered>(
    stepper: &mut G,
    set: &mut S,
    options: &Options<G::Site>,
    known: &[Violation<G::Site>],
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let wanted = Wanted { best: known.to_vec(), any: options.limits.errors == Some(1) };
    let bound = options.limits.depth.unwrap_or(u64::MAX).min(wanted.bound());
    let free = Options { limits: crate::Limits { errors: None, ..options.limits }, ..options.clone() };
    run(stepper, set, &free, bound, Some(wanted), monitor)
}

fn run<G: Graph, S: Numbered>(
    stepper: &mut G,
    set: &mut S,
    options: &Options<G::Site>,
    bound: u64,
    wanted: Option<Wanted<G::Site>>,
    monitor: &mut impl Monitor,
) -> Outcome<G::Site> {
    let mut search = Search {
        stepper,
        set,
        options,
        violations: Violations::new(options),
        wanted,
        bound,
        stack: UndoStack::default(),
        visits: Vec::new(),
        current: Vec::new(),
        number: 0,
        batch: Batch::default(),
        numbers: Vec::new(),
        expanded: 0,
        transitions: 0,
        deepest: 0,
        cut: 0,
    };
    let stop = search.start().and_then(|()| search.run(monitor)).err();
    search.finish(stop)
}

impl<I: FaultSite> Wanted<I> {
    /// Maximum number of steps of a trace that is an improvement.
    fn bound(&self) -> u64 {
        self.best.iter().map(Violation::depth).max().unwrap_or(0).saturating_sub(1)
    }

    /// Records a fault at the given depth; returns whether its trace is the shortest so far.
    fn take(
        &mut self,
        fault: &Fault<I>,
        found: Found,
        proc: Option<ProcId>,
        depth: u64,
        path: impl FnOnce() -> Vec<u32>,
    ) -> bool {
        let depth = depth + u64::from(matches!(found, Found::Step(_)));
        let Fault { site, pid, .. } = *fault;
        let key = (site, proc.ok_or(pid));
        let any = self.any;
        let same = |old: &&mut Violation<I>| any || old.key() == key;
        let Some(old) = self.best.iter_mut().find(same) else { return false };
        if depth >= old.depth() {
            return false;
        }
        *old = Violation { site, pid, proc, path: path(), found, count: old.count };
        true
    }
}

impl<G: Graph, S: Numbered> Search<'_, G, S> {
    fn start(&mut self) -> Result<(), Stop> {
        let mut faults = Vec::new();
        self.current = self.stepper.initial(&mut faults);
        for fault in &faults {
            self.violations.note(fault, Found::Start, self.stepper, &self.current, Vec::new);
        }
        self.set.insert_numbered(&self.current, &[], &mut self.numbers).map_err(|_| Stop::Memory)?;
        self.visits.push(Visit(0));
        self.transitions = 1;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let (mut next, mut entered) = (0, true);
        self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
        self.batch.interrupt = monitor.interrupt();
        for round in 1u64.. {
            expand(self.stepper, self.set, &mut self.current, &mut self.batch)?;
            if entered {
                self.enter()?;
            }
            match self.descend(next)? {
                true => (next, entered) = (0, true),
                false => match self.stack.retreat(&mut self.current, |_| ()) {
                    Some(position) => (next, entered) = (position as usize + 1, false),
                    None => return if self.cut > 0 { Err(Stop::Depth) } else { Ok(()) },
                },
            }
            if round.is_multiple_of(WATCH) {
                self.watch(monitor)?;
                self.batch.most = most_in_flight(&self.options.limits, self.memory().total());
            }
        }
        unreachable!("a search ends before 2^64 expansions")
    }

    /// Processes a state entered for the first time or by a shorter path than before.
    fn enter(&mut self) -> Result<(), Stop> {
        let depth = self.stack.depth();
        self.deepest = self.deepest.max(depth);
        let visit = self.visits[self.number as usize];
        let successors = (self.batch.states.len() / self.current.len()) as u64;
        let at_bound = depth >= self.bound;
        for fault in &self.batch.faults {
            let found = fault.successor.map_or(Found::State, Found::Step);
            if fault.successor.is_some() && at_bound {
                continue;
            }
            if let Some(wanted) = &mut self.wanted {
                let is_asked = !self.options.ignores(&fault.site);
                let proc = self.stepper.process_type(&self.current, fault.pid);
                if is_asked && wanted.take(fault, found, proc, depth, || self.stack.path()) {
                    self.bound = self.bound.min(wanted.bound());
                }
                continue;
            }
            let reported = visit.is(if fault.successor.is_some() { Visit::EXPANDED } else { Visit::SEEN });
            if !reported {
                self.violations.note(fault, found, self.stepper, &self.current, || self.stack.path());
            }
        }
        let mut now = Visit(visit.0 | Visit::SEEN).at(depth);
        if at_bound {
            self.cut += u64::from(!visit.is(Visit::SEEN) && successors > 0);
        } else if !visit.is(Visit::EXPANDED) {
            self.cut -= u64::from(visit.is(Visit::SEEN) && successors > 0);
            self.expanded += 1;
            self.transitions += successors;
            now = Visit(now.0 | Visit::EXPANDED);
        }
        self.visits[self.number as usize] = now;
        if self.violations.full() { Err(Stop::Errors) } else { Ok(()) }
    }

    /// Enters the first successor at or after position `next` that is new, or known only at a
    /// greater depth; returns false if none exists.
    fn descend(&mut self, next: usize) -> Result<bool, Stop> {
        let depth = self.stack.depth() + 1;
        if depth > self.bound {
            return Ok(false);
        }
        if depth > DEEPEST {
            return Err(Stop::Memory);
        }
        let width = self.current.len();
        let count = self.batch.states.len() / width;
        for position in next..count {
            let state = &self.batch.states[position * width..(position + 1) * width];
            self.numbers.clear();
            self.set.insert_numbered(state, &[], &mut self.numbers).map_err(|_| Stop::Memory)?;
            let number = self.numbers[0] as usize;
            if number < self.visits.len() {
                if self.visits[number].depth() <= depth {
                    continue;
                }
            } else {
                if self.options.limits.states.is_some_and(|limit| self.set.len() > limit) {
                    return Err(Stop::States);
                }
                self.visits.push(Visit(0));
            }
            self.visits[number] = self.visits[number].at(depth);
            let step = Step { position: position as u32, last: position + 1 == count };
            self.stack.push(&self.current, state, step);
            self.current.copy_from_slice(state);
            self.number = number as u32;
            return Ok(true);
        }
        Ok(false)
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = Progress {
            states: self.set.len(),
            expanded: self.expanded,
            transitions: self.transitions,
            depth: self.stack.depth(),
            violations: self.violations.len() + self.wanted.as_ref().map_or(0, |w| w.best.len() as u64),
            memory: self.memory().total(),
            ..Progress::default()
        };
        check_limits(&progress, &self.options.limits, monitor)
    }

    fn memory(&self) -> Memory {
        let depths = (self.visits.capacity() * size_of::<Visit>()) as u64;
        Memory { states: self.set.memory(), paths: self.stack.memory() + depths }
    }

    fn finish(self, stop: Option<Stop>) -> Outcome<G::Site> {
        let memory = self.memory();
        let (mut violations, found) = self.violations.finish();
        if let Some(wanted) = self.wanted {
            violations = wanted.best;
        }
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
