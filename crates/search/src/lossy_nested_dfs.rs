//! Nested depth-first search over a set that may take a new state for a known one: properties over
//! runs where states are fingerprints or bits.
//!
//! The search of [`crate::nested_dfs`], without numbers for states. The first, *blue*, search
//! enters every state that the set takes for new. Over an accepting edge whose end it leaves, or
//! has left before, a second, *red*, search starts there; if that comes upon a state of the blue
//! path there is a cycle through the edge. States of the red search are the same states with a bit
//! of their own set, in the same set.
//!
//! *Entry point:* [`search`].
//!
//! Each search keeps its current state and what it takes to go back ([`UndoStack`]); the blue path
//! is known by a hash of each of its states, beside the set, and whenever a cycle seems to close,
//! the run is walked again and the states at both of its ends are compared, byte for byte.
//!
//! Sources: as of [`crate::nested_dfs`]; with bits for states G. J. Holzmann, An analysis of
//! bitstate hashing, Formal Methods in System Design 13, 1998, section 4.
//!
//! *Invariant:* A run that is found is one. With an exact set nothing is missed; with another one
//! what is behind a state that was taken for known may be, so that a search without a finding
//! proves nothing.

use std::hash::Hasher;

use axle_step::{Grow, Observe, Successors};
use axle_store::StateSet;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::claim::Claim;
use crate::claim_components::ClaimComponents;
use crate::grow::room;
use crate::lasso::{Lasso, LassoStep, Prefix};
use crate::limits::{Limits, Stop};
use crate::liveness::{Algorithm, AtomFault, Fairness, Finding, LivenessOptions, LivenessOutcome, Refused};
use crate::outcome::Memory;
use crate::product::{HEAD, Moves, Product, location};
use crate::progress::{Monitor, Progress, look};
use crate::undo_stack::{Step, UndoStack};

/// Expansions between two looks at the monitor and at memory.
const WATCH: u64 = 128;

/// In the location of the claim: the state is one of the red search.
const RED: u8 = 0x80;

/// Bytes that a state of the blue path takes in the table of hashes.
const PATH_ENTRY: u64 = 2 * (size_of::<(u64, u64)>() + 1) as u64;

/// A depth-first walk: where it is, how it came there, and what follows.
#[derive(Default)]
struct Walk {
    stack: UndoStack,
    current: Vec<u8>,
    moves: Moves,
}

impl Walk {
    /// Begins at a state, where the walk before has come back to its start.
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

    /// Goes to a successor of the current state.
    fn enter(&mut self, position: usize) {
        let last = position + 1 == self.count();
        let width = self.current.len();
        let state = &self.moves.states[position * width..(position + 1) * width];
        self.stack.push(&self.current, state, Step { position: position as u32, last });
        self.current.copy_from_slice(state);
    }
}

/// Which of the two searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    Blue,
    Red,
}

/// A way from an initial state, as positions among the product's successors.
#[derive(Clone, Debug)]
struct Path {
    start: u32,
    positions: Vec<u32>,
}

/// What breaks the claim.
enum Broken {
    /// An edge of the claim, taken at the end of a way; whether its assertion fails.
    Alarm(Path, u32, bool),
    Cycle(Lasso),
}

/// How the blue search went on.
enum Next {
    Deeper,
    /// Back to a state with steps left from this position on.
    Back(usize),
    Over,
    Found(Broken),
}

struct Nested<'a, 'p, G, S> {
    product: Product<'p, G>,
    components: ClaimComponents,
    set: &'a mut S,
    limits: &'a Limits,
    blue: Walk,
    red: Walk,
    /// What follows a state of a run that is walked again.
    again: Moves,
    /// The claim's location where the blue path begins.
    start: u32,
    /// For each state of the blue path by its hash, how many steps lead there; the first of those with equal hashes.
    path: FxHashMap<u64, u64>,
    /// For each step of the blue path whether it accepts.
    accepting: Vec<bool>,
    faults: Vec<(axle_step::AtomFault, Path)>,
    /// States that the blue search has entered.
    states: u64,
    transitions: u64,
    expanded: u64,
    deepest: u64,
    seen: Seen,
}

/// Memory to ask the set in.
#[derive(Default)]
struct Seen {
    fresh: Vec<bool>,
    marked: Vec<u8>,
}

impl Seen {
    /// Puts a state into the set, for one of the searches; whether it was new to that.
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

/// What came of a search.
pub struct Searched {
    /// Where the search ended by itself `stop` is none, whatever the set may have missed.
    pub outcome: LivenessOutcome,
    /// The longest path walked.
    pub depth: u64,
}

/// Searches for a run of the system that the claim describes, which may have one acceptance set at most; no fairness is assumed.
/// `set` must be empty and as wide as [`crate::liveness::width`] says.
pub fn search<G: Successors, S: StateSet>(
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
        seen: Seen::default(),
    };
    let searched = nested.run(monitor);
    Ok(nested.finish(searched))
}

/// A hash of a state; words of zeros at its end, which come when it gets wider, do not count.
fn print(state: &[u8]) -> u64 {
    let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last / 4 * 4 + 4);
    let mut hasher = FxHasher::default();
    hasher.write(&state[..used]);
    hasher.finish()
}

impl<G: Successors, S: StateSet> Nested<'_, '_, G, S> {
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

    /// Counts a state that the blue search enters.
    fn count(&mut self) -> Result<(), Stop> {
        self.states += 1;
        match self.limits.states.is_some_and(|limit| self.states > limit) {
            true => Err(Stop::States),
            false => Ok(()),
        }
    }

    /// Works out what follows the current state of a search.
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
                Err(Grow { slots }) => self.grow(slots)?,
            }
        }
    }

    /// Says how many successors there is room for.
    fn limit(&mut self) {
        self.product.limit(self.limits.most_in_flight(self.memory().total()));
    }

    #[cold]
    fn grow(&mut self, slots: usize) -> Result<(), Stop> {
        self.product.grow(room(slots, self.states));
        let width = self.product.width();
        self.set.widen(width).map_err(|_| Stop::Memory)?;
        for walk in [&mut self.blue, &mut self.red] {
            if !walk.current.is_empty() {
                walk.current.resize(width, 0);
            }
        }
        Ok(())
    }

    /// Whether the step to a successor may be one of a cycle that breaks the claim.
    fn is_inside(&self, walk: &Walk, position: usize) -> bool {
        self.components.inside(location(&walk.current), location(walk.successor(position)))
    }

    /// Whether it accepts, too.
    fn accepts(&self, walk: &Walk, position: usize) -> bool {
        self.product.labels.accepts(walk.moves.labels[position]) && self.is_inside(walk, position)
    }

    /// The blue search, from an initial state.
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
                    return Ok(Some(Broken::Alarm(self.way(), alarm.edge, alarm.assertion)));
                }
            }
            match self.go_on(from, monitor)? {
                Next::Deeper => (from, entered) = (0, true),
                Next::Back(position) => (from, entered) = (position, false),
                Next::Over => return Ok(None),
                Next::Found(broken) => return Ok(Some(broken)),
            }
        }
    }

    /// The way to the current state of the blue search.
    fn way(&self) -> Path {
        Path { start: self.start, positions: self.blue.stack.path() }
    }

    fn note_faults(&mut self) {
        for index in 0..self.blue.moves.faults.len() {
            let fault = self.blue.moves.faults[index];
            if !self.faults.iter().any(|(seen, _)| (seen.kind, seen.atom) == (fault.kind, fault.atom)) {
                let way = self.way();
                self.faults.push((fault, way));
            }
        }
    }

    /// Enters the first new successor from a position on, or goes back.
    fn go_on(&mut self, from: usize, monitor: &mut impl Monitor) -> Result<Next, Stop> {
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
        self.go_back(monitor)
    }

    /// Goes back to the nearest state with something left to try.
    fn go_back(&mut self, monitor: &mut impl Monitor) -> Result<Next, Stop> {
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

    /// The red search, from a state to which the accepting step at `by` leads from the end of the blue path.
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
            for position in from..self.red.count() {
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

    /// The run that goes along the blue path and then these steps to `state`, if that is on the path.
    fn closes(&mut self, state: &[u8], steps: &[u32]) -> Result<Option<Lasso>, Stop> {
        let Some(&depth) = self.path.get(&print(state)) else { return Ok(None) };
        let Path { start, mut positions } = self.way();
        positions.extend_from_slice(steps);
        let depth = depth as usize;
        let walked = self.walk_again(&Path { start, positions }, depth);
        self.limit();
        let Some((steps, [then, now])) = walked else { return Ok(None) };
        Ok((then == now).then(|| {
            let mut prefix = steps;
            let cycle = prefix.split_off(depth);
            Lasso { start, prefix, cycle }
        }))
    }

    /// Walks a way again: its steps, the state after `depth` of them, and the one at the end. None where it cannot be walked.
    fn walk_again(&mut self, way: &Path, depth: usize) -> Option<(Vec<LassoStep>, [Vec<u8>; 2])> {
        // These were all expanded before.
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
        };
        look(&progress, self.limits, monitor)
    }

    fn memory(&self) -> Memory {
        let path = self.path.capacity() as u64 * PATH_ENTRY + self.accepting.capacity() as u64;
        let stacks = self.blue.stack.memory() + self.red.stack.memory();
        Memory { states: self.set.memory(), paths: stacks + path }
    }

    fn prefix(&mut self, way: &Path) -> Option<Prefix> {
        let (steps, _) = self.walk_again(way, usize::MAX)?;
        Some(Prefix { start: way.start, steps })
    }

    fn finish(mut self, searched: Result<Option<Broken>, Stop>) -> Searched {
        let memory = self.memory();
        let (stop, finding) = match searched {
            Err(stop) => (Some(stop), None),
            Ok(None) => (None, None),
            Ok(Some(Broken::Cycle(lasso))) => (None, Some(Finding::Cycle(lasso))),
            Ok(Some(Broken::Alarm(way, edge, assertion))) => {
                let told = self.prefix(&way).map(|prefix| match assertion {
                    true => Finding::ClaimAssertion(prefix, edge),
                    false => Finding::ClaimEnd(prefix, edge),
                });
                // A way that cannot be walked again is no reason to say that there is none.
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
