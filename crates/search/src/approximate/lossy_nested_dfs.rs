//! Nested depth-first search over a lossy set: liveness checking with hash compaction or bitstate
//! hashing.
//!
//! This is the search of `crate::liveness::nested_dfs` without state numbers. The outer, *blue*, search
//! enters every state that the set reports as new. For each accepting edge whose target is left, an
//! inner, *red*, search starts at the target; if it reaches a state of the blue path, an accepting
//! cycle exists. The red search stores its states in the same set, distinguished by a bit.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* as for `crate::liveness::nested_dfs`; for bitstate hashing G. J. Holzmann, An analysis of
//! bitstate hashing, Formal Methods in System Design 13, 1998, section 4.
//!
//! *Invariant:* Every reported execution exists: when a cycle seems to close, the execution is
//! replayed and the states at both ends are compared byte by byte. With an exact set the search is
//! complete. With a lossy set, successors of a state wrongly reported as known may be missed, so a
//! search without a counterexample proves nothing.
//!
//! *Cost:* each search keeps its current state and undo records ([`UndoStack`]); the blue path is
//! represented by one hash per state, in addition to the set.

use axle_outcome::{
    Algorithm, AtomFault, Claim, Fairness, Finding, Lasso, LassoStep, Limits, LivenessOutcome, Memory,
    Prefix, Progress, Stop,
};
use std::hash::Hasher;

use axle_step::{Graph, Grow, Observe};
use axle_store::StateSet;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::grow::room;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::liveness::claim_components::ClaimComponents;
use crate::liveness::options::{LivenessOptions, Refused};
use crate::liveness::product::{HEAD, Moves, Product, location};
use crate::paths::undo_stack::{Step, UndoStack};
use crate::progress::Monitor;

/// Number of expansions between two polls of the monitor and of memory use.
const WATCH: u64 = 128;

/// Bit in the claim's location: the state belongs to the red search.
const RED: u8 = 0x80;

/// Bytes per state of the blue path in the hash table.
const PATH_ENTRY: u64 = 2 * (size_of::<(u64, u64)>() + 1) as u64;

/// A depth-first walk: current state, undo stack and successors.
#[derive(Default)]
struct Walk {
    stack: UndoStack,
    current: Vec<u8>,
    moves: Moves,
}

impl Walk {
    /// Starts at a state after the preceding walk has backtracked to its start.
    fn begin(&mut self, state: &[u8]) {
        self.current.clear();
        self.current.extend_from_slice(state);
    }

    fn count(&self) -> usize {
        self.moves.labels.len()
    }

    fn successor(&self, position: usize) -> &[u8] {
        let width = self.current.len();
        &self.moves.states[position * width..(position + 1) * width]
    }

    /// Enters a successor of the current state.
    fn enter(&mut self, position: usize) {
        let last = position + 1 == self.count();
        let width = self.current.len();
        let state = &self.moves.states[position * width..(position + 1) * width];
        self.stack.push(&self.current, state, Step { position: position as u32, last });
        self.current.copy_from_slice(state);
    }
}

/// The outer or the inner search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    Blue,
    Red,
}

/// A path from an initial state, as positions among the successors in the product.
#[derive(Clone, Debug)]
struct Path {
    start: u32,
    positions: Vec<u32>,
}

/// A counterexample.
enum Broken {
    /// An edge of the claim at the end of a path; whether its assertion fails.
    Alarm(Path, u32, bool),
    Cycle(Lasso),
}

/// Result of a step of the blue search.
enum Next {
    Deeper,
    /// Backtracked to a state with successors left from this position on.
    Back(usize),
    Over,
    Found(Broken),
}

struct Nested<'a, 'p, G: Graph, S> {
    product: Product<'p, G>,
    components: ClaimComponents,
    set: &'a mut S,
    limits: &'a Limits,
    blue: Walk,
    red: Walk,
    /// Successors of a state during a replay.
    again: Moves,
    /// Location of the claim at the start of the blue path.
    start: u32,
    /// For the hash of each state of the blue path, its depth; the least one for equal hashes.
    path: FxHashMap<u64, u64>,
    /// For each step of the blue path, whether it is accepting.
    accepting: Vec<bool>,
    faults: Vec<(axle_step::AtomFault, Path)>,
    /// Number of states entered by the blue search.
    states: u64,
    transitions: u64,
    expanded: u64,
    deepest: u64,
    /// Whether a path was cut off at the depth limit.
    truncated: bool,
    seen: Seen,
}

/// Buffers for set lookups.
#[derive(Default)]
struct Seen {
    fresh: Vec<bool>,
    marked: Vec<u8>,
}

impl Seen {
    /// Inserts a state for one of the searches; returns whether it is new to that search.
    fn is_new(&mut self, set: &mut impl StateSet, search: Search, state: &[u8]) -> Result<bool, Stop> {
        self.fresh.clear();
        let state = match search {
            Search::Blue => state,
            Search::Red => {
                self.marked.clear();
                self.marked.extend_from_slice(state);
                self.marked[HEAD - 1] |= RED;
                &self.marked
            }
        };
        set.insert(state, &mut self.fresh).map_err(|_| Stop::Memory)?;
        Ok(self.fresh[0])
    }
}

/// Result of a search.
pub struct Searched {
    /// Outcome; `stop` is `None` if the search ended by itself, even if the set was lossy, or
    /// [`Stop::Depth`] if paths were truncated.
    pub outcome: LivenessOutcome,
    /// Length of the longest path.
    pub depth: u64,
}

/// Searches for an execution of the system that the claim accepts. The claim may have at most one
/// acceptance set; fairness is not supported. `set` must be empty and have the width
/// [`crate::liveness::width`].
pub fn search<G: Graph, S: StateSet>(
    stepper: &mut G,
    observer: &mut dyn Observe,
    claim: &Claim,
    set: &mut S,
    limits: &Limits,
    monitor: &mut impl Monitor,
) -> Result<Searched, Refused> {
    let question = LivenessOptions { algorithm: Algorithm::NestedDfs, ..LivenessOptions::default() };
    question.check(stepper, observer, claim)?;
    let mut product = Product::new(stepper, observer, claim, Fairness::None);
    product.ask(monitor.interrupt());
    let mut nested = Nested {
        product,
        components: ClaimComponents::new(claim),
        set,
        limits,
        blue: Walk::default(),
        red: Walk::default(),
        again: Moves::default(),
        start: 0,
        path: FxHashMap::default(),
        accepting: Vec::new(),
        faults: Vec::new(),
        states: 0,
        transitions: 0,
        expanded: 0,
        deepest: 0,
        truncated: false,
        seen: Seen::default(),
    };
    let searched = nested.run(monitor);
    Ok(nested.finish(searched))
}

/// A hash of a state, independent of zero words at its end, which appear when states are widened.
fn print(state: &[u8]) -> u64 {
    let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last / 4 * 4 + 4);
    let mut hasher = FxHasher::default();
    hasher.write(&state[..used]);
    hasher.finish()
}

impl<G: Graph, S: StateSet> Nested<'_, '_, G, S> {
    fn run(&mut self, monitor: &mut impl Monitor) -> Result<Option<Broken>, Stop> {
        let width = self.product.width();
        let initial = self.product.initial();
        let different: FxHashSet<&[u8]> = initial.chunks_exact(width).collect();
        self.transitions = different.len() as u64;
        for state in initial.chunks_exact(width) {
            let mut state = state.to_vec();
            state.resize(self.product.width(), 0);
            if self.seen.is_new(self.set, Search::Blue, &state)? {
                self.count()?;
                if let Some(broken) = self.search_from(&state, monitor)? {
                    return Ok(Some(broken));
                }
            }
        }
        Ok(None)
    }

    /// Counts a state entered by the blue search.
    fn count(&mut self) -> Result<(), Stop> {
        self.states += 1;
        match self.limits.states.is_some_and(|limit| self.states > limit) {
            true => Err(Stop::States),
            false => Ok(()),
        }
    }

    /// Generates the successors of the current state of a search.
    fn expand(&mut self, search: Search, monitor: &mut impl Monitor) -> Result<(), Stop> {
        if self.expanded.is_multiple_of(WATCH) {
            self.watch(monitor)?;
            self.limit();
        }
        self.expanded += 1;
        loop {
            let walk = match search {
                Search::Blue => &mut self.blue,
                Search::Red => &mut self.red,
            };
            match self.product.expand(&walk.current, &mut walk.moves) {
                Ok(()) => return walk.moves.cut.map_or(Ok(()), |cut| Err(cut.into())),
                Err(Grow { size }) => self.grow(size)?,
            }
        }
    }

    /// Limits the number of successors to the available memory.
    fn limit(&mut self) {
        self.product.limit(most_in_flight(self.limits, self.memory().total()));
    }

    #[cold]
    fn grow(&mut self, size: usize) -> Result<(), Stop> {
        self.product.grow(room(size, self.states));
        let width = self.product.width();
        self.set.widen(width).map_err(|_| Stop::Memory)?;
        for walk in [&mut self.blue, &mut self.red] {
            if !walk.current.is_empty() {
                walk.current.resize(width, 0);
            }
        }
        Ok(())
    }

    /// Whether the step to a successor may be on an accepting cycle.
    fn is_inside(&self, walk: &Walk, position: usize) -> bool {
        self.components.inside(location(&walk.current), location(walk.successor(position)))
    }

    /// Whether the step is also accepting.
    fn accepts(&self, walk: &Walk, position: usize) -> bool {
        self.product.labels.accepts(walk.moves.labels[position]) && self.is_inside(walk, position)
    }

    /// Blue search from an initial state.
    fn search_from(&mut self, root: &[u8], monitor: &mut impl Monitor) -> Result<Option<Broken>, Stop> {
        self.start = location(root);
        self.blue.begin(root);
        self.path.insert(print(root), 0);
        let (mut from, mut entered) = (0, true);
        loop {
            self.expand(Search::Blue, monitor)?;
            if entered {
                self.transitions += self.blue.count() as u64;
                self.deepest = self.deepest.max(self.blue.stack.depth());
                self.note_faults();
                if let Some(alarm) = self.blue.moves.alarms.first() {
                    return Ok(Some(Broken::Alarm(self.blue_path(), alarm.edge, alarm.assertion)));
                }
            }
            match self.advance(from, monitor)? {
                Next::Deeper => (from, entered) = (0, true),
                Next::Back(position) => (from, entered) = (position, false),
                Next::Over => return Ok(None),
                Next::Found(broken) => return Ok(Some(broken)),
            }
        }
    }

    /// Path to the current state of the blue search.
    fn blue_path(&self) -> Path {
        Path { start: self.start, positions: self.blue.stack.path() }
    }

    fn note_faults(&mut self) {
        for index in 0..self.blue.moves.faults.len() {
            let fault = self.blue.moves.faults[index];
            if !self.faults.iter().any(|(seen, _)| (seen.kind, seen.atom) == (fault.kind, fault.atom)) {
                let way = self.blue_path();
                self.faults.push((fault, way));
            }
        }
    }

    /// Enters the first new successor at or after a position, or backtracks.
    fn advance(&mut self, from: usize, monitor: &mut impl Monitor) -> Result<Next, Stop> {
        if self.at_limit() {
            return self.backtrack(monitor);
        }
        for position in from..self.blue.count() {
            let accepts = self.accepts(&self.blue, position);
            if self.seen.is_new(self.set, Search::Blue, self.blue.successor(position))? {
                self.count()?;
                self.blue.enter(position);
                self.accepting.push(accepts);
                self.path.entry(print(&self.blue.current)).or_insert(self.blue.stack.depth());
                return Ok(Next::Deeper);
            }
            if !accepts {
                continue;
            }
            let state = self.blue.successor(position).to_vec();
            let found = match self.closes(&state, &[position as u32])? {
                Some(lasso) => Some(Broken::Cycle(lasso)),
                None => self.search_red(&state, position as u32, monitor)?,
            };
            if let Some(broken) = found {
                return Ok(Next::Found(broken));
            }
        }
        self.backtrack(monitor)
    }

    /// Whether the current path is as long as the depth limit allows.
    fn at_limit(&mut self) -> bool {
        let depth = self.blue.stack.depth() + self.red.stack.depth();
        let at_limit = self.limits.depth.is_some_and(|limit| depth >= limit);
        self.truncated |= at_limit;
        at_limit
    }

    /// Backtracks to the nearest state with unexplored successors.
    fn backtrack(&mut self, monitor: &mut impl Monitor) -> Result<Next, Stop> {
        loop {
            let (key, depth) = (print(&self.blue.current), self.blue.stack.depth());
            if self.path.get(&key) == Some(&depth) {
                self.path.remove(&key);
            }
            let accepting = self.accepting.pop().unwrap_or(false);
            let left = if accepting { self.blue.current.clone() } else { Vec::new() };
            let Some(step) = self.blue.stack.pop(&mut self.blue.current) else { return Ok(Next::Over) };
            if accepting && let Some(broken) = self.search_red(&left, step.position, monitor)? {
                return Ok(Next::Found(broken));
            }
            if !step.last {
                return Ok(Next::Back(step.position as usize + 1));
            }
        }
    }

    /// Red search from the target of the accepting step at position `by` from the end of the blue
    /// path.
    fn search_red(
        &mut self,
        root: &[u8],
        by: u32,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Broken>, Stop> {
        if !self.seen.is_new(self.set, Search::Red, root)? {
            return Ok(None);
        }
        self.red.begin(root);
        let mut from = 0;
        loop {
            self.expand(Search::Red, monitor)?;
            let mut entered = false;
            let count = if self.at_limit() { 0 } else { self.red.count() };
            for position in from..count {
                if !self.is_inside(&self.red, position) {
                    continue;
                }
                if self.path.contains_key(&print(self.red.successor(position))) {
                    let state = self.red.successor(position).to_vec();
                    let mut steps = vec![by];
                    steps.extend(self.red.stack.path());
                    steps.push(position as u32);
                    if let Some(lasso) = self.closes(&state, &steps)? {
                        return Ok(Some(Broken::Cycle(lasso)));
                    }
                }
                if self.seen.is_new(self.set, Search::Red, self.red.successor(position))? {
                    self.red.enter(position);
                    entered = true;
                    break;
                }
            }
            match entered {
                true => from = 0,
                false => match self.red.stack.retreat(&mut self.red.current, |_| ()) {
                    Some(position) => from = position as usize + 1,
                    None => return Ok(None),
                },
            }
        }
    }

    /// The execution composed of the blue path and these steps to `state`, if `state` is on the
    /// blue path.
    fn closes(&mut self, state: &[u8], steps: &[u32]) -> Result<Option<Lasso>, Stop> {
        let Some(&depth) = self.path.get(&print(state)) else { return Ok(None) };
        let Path { start, mut positions } = self.blue_path();
        positions.extend_from_slice(steps);
        let depth = depth as usize;
        let walked = self.replay(&Path { start, positions }, depth);
        self.limit();
        let Some((steps, [then, now])) = walked else { return Ok(None) };
        Ok((then == now).then(|| {
            let mut prefix = steps;
            let cycle = prefix.split_off(depth);
            Lasso { start, prefix, cycle }
        }))
    }

    /// Replays a path: returns its steps, the state after `depth` of them and the last state.
    /// `None` if the path cannot be replayed.
    fn replay(&mut self, way: &Path, depth: usize) -> Option<(Vec<LassoStep>, [Vec<u8>; 2])> {
        // All of these states were expanded before.
        self.product.limit(None);
        let width = self.product.width();
        let initial = self.product.initial();
        let mut state = initial.chunks_exact(width).find(|state| location(state) == way.start)?.to_vec();
        let (mut steps, mut then) = (Vec::with_capacity(way.positions.len()), Vec::new());
        for (at, &position) in way.positions.iter().enumerate() {
            if at == depth {
                then.clone_from(&state);
            }
            self.product.expand(&state, &mut self.again).ok()?;
            steps.push(self.again.step(0, position));
            let from = position as usize * width;
            state.copy_from_slice(self.again.states.get(from..from + width)?);
        }
        Some((steps, [then, state]))
    }

    fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = Progress {
            states: self.states,
            expanded: self.expanded,
            transitions: self.transitions,
            depth: self.blue.stack.depth() + self.red.stack.depth(),
            violations: self.faults.len() as u64,
            memory: self.memory().total(),
            ..Progress::default()
        };
        check_limits(&progress, self.limits, monitor)
    }

    fn memory(&self) -> Memory {
        let path = self.path.capacity() as u64 * PATH_ENTRY + self.accepting.capacity() as u64;
        let stacks = self.blue.stack.memory() + self.red.stack.memory();
        Memory { states: self.set.memory(), paths: stacks + path }
    }

    fn prefix(&mut self, way: &Path) -> Option<Prefix> {
        let (steps, _) = self.replay(way, usize::MAX)?;
        Some(Prefix { start: way.start, steps })
    }

    fn finish(mut self, searched: Result<Option<Broken>, Stop>) -> Searched {
        let memory = self.memory();
        let (stop, finding) = match searched {
            Err(stop) => (Some(stop), None),
            Ok(None) => (self.truncated.then_some(Stop::Depth), None),
            Ok(Some(Broken::Cycle(lasso))) => (None, Some(Finding::Cycle(lasso))),
            Ok(Some(Broken::Alarm(way, edge, assertion))) => {
                let told = self.prefix(&way).map(|prefix| match assertion {
                    true => Finding::ClaimAssertion(prefix, edge),
                    false => Finding::ClaimEnd(prefix, edge),
                });
                // A failed replay does not prove that no counterexample exists.
                (told.is_none().then_some(Stop::Approximate), told)
            }
        };
        let mut faults = Vec::new();
        for (fault, way) in std::mem::take(&mut self.faults) {
            faults.extend(self.prefix(&way).map(|prefix| AtomFault {
                kind: fault.kind,
                atom: fault.atom,
                prefix,
            }));
        }
        let outcome = LivenessOutcome {
            finding,
            faults,
            states: self.states,
            transitions: self.transitions,
            coverage: self.product.coverage.clone(),
            stop,
            taken: self.product.taken(),
            memory,
        };
        Searched { outcome, depth: self.deepest }
    }
}
