//! The product of system and claim as a graph of numbered states, explored on demand with
//! lookahead.
//!
//! A depth-first search requests one state at a time and would wait for memory each time: for the
//! index, for the stored states, and for the first bytes of the next state. Therefore a request for
//! the successors of one state also expands a few dozen states that the search will enter soon, in
//! the same batches. Their successor lists are kept in a ring until the search requests them. A
//! list that the ring has overwritten is generated again.
//!
//! *Entry points:* [`Explorer::fetch`] for depth-first searches, [`Explorer::expand`] for searches
//! in batches.
//!
//! Only edges that can be on an accepting cycle are listed: edges inside a component of the claim
//! that has an edge of every acceptance set. All other states are only inserted into the set, and
//! the search expands them in order of their numbers.
//!
//! With a depth limit the graph is first explored breadth-first to that depth. States at the limit
//! are not expanded, and the search runs on that part of the graph ([`Explorer::explore_to`]).
//!
//! *Invariant:* The number of a state is its position in insertion order; `marks` has one entry per
//! state.

use axle_outcome::{Fairness, Limits, Progress, Stop};
use axle_step::{Graph, Grow};
use axle_store::Numbered;

use crate::grow::room;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::liveness::claim_components::ClaimComponents;
use crate::liveness::look_ahead::{Batches, Lists, look_ahead};
use crate::liveness::product::{Alarm, HEAD, Moves, Product, location};
use crate::liveness::ring::{Entry, Ring, entry};
use crate::liveness::weak_fairness::restride;
use crate::progress::Monitor;

/// Mark of a state that was not entered yet.
pub(crate) const UNSEEN: u32 = 0;
/// Mark of a closed state, or of one that must not be entered.
pub(crate) const DONE: u32 = u32::MAX;
/// Mark of a state in a component that cannot accept; it is expanded only.
pub(crate) const TRANSIENT: u32 = u32::MAX - 1;

/// States expanded at once where the order does not matter.
const BATCH: usize = 32;

/// Number of batches between two polls of the monitor and of memory use.
const WATCH: u64 = 16;

/// The product with numbered states.
pub(crate) struct Explorer<'a, G: Graph, S> {
    pub product: Product<'a, G>,
    pub set: &'a mut S,
    pub limits: &'a Limits,
    components: ClaimComponents,
    /// Mark of each state, by number; the search defines the meaning of the other values.
    pub marks: Vec<u32>,
    /// Whether each state was expanded, one bit per state.
    expanded: Vec<u64>,
    pub expansions: u64,
    pub transitions: u64,
    /// Number of repeated expansions, because a list was overwritten or a second search needed it.
    pub again: u64,
    sources: Vec<u8>,
    pub moves: Moves,
    /// Numbers of the successors of the last batch.
    pub numbers: Vec<u32>,
    ring: Ring,
    /// A violation on an edge of the claim: the number of the source state, and the edge.
    pub alarm: Option<(u32, Alarm)>,
    /// Atom faults: the number of the state, and the fault.
    pub faults: Vec<(u32, axle_step::AtomFault)>,
    /// Bytes of memory used by the calling search.
    pub extra: u64,
    /// Length of the current path of the search, for progress reports.
    pub depth: u64,
    rounds: u64,
    batches: Batches,
    /// First new state of the last batch that is in no successor list so far.
    first_new: u32,
    /// States from this number on are at the depth limit and are not expanded; `u32::MAX` without
    /// one.
    horizon: u32,
    /// Number of initial states.
    initial: u32,
}

impl<'a, G: Graph, S: Numbered> Explorer<'a, G, S> {
    /// An explorer without states. The set must be empty and have the width of the product.
    pub fn new(product: Product<'a, G>, set: &'a mut S, limits: &'a Limits) -> Self {
        let components = ClaimComponents::new(product.claim);
        Explorer {
            product,
            set,
            limits,
            components,
            marks: Vec::new(),
            expanded: Vec::new(),
            expansions: 0,
            transitions: 0,
            again: 0,
            sources: Vec::new(),
            moves: Moves::default(),
            numbers: Vec::new(),
            ring: Ring::new(),
            alarm: None,
            faults: Vec::new(),
            extra: 0,
            depth: 0,
            rounds: 0,
            batches: Batches::default(),
            first_new: 0,
            horizon: u32::MAX,
            initial: 0,
        }
    }

    /// Removes all states, so that they are numbered in another order.
    pub fn restart(&mut self) -> Result<(), Stop> {
        self.set.clear().map_err(|_| Stop::Memory)?;
        self.marks.clear();
        self.expanded.clear();
        self.ring.clear();
        self.batches = Batches::default();
        (self.expansions, self.transitions, self.again, self.initial) = (0, 0, 0, 0);
        self.start()
    }

    /// Inserts the initial states, unless [`Explorer::explore_to`] has done so.
    pub fn start(&mut self) -> Result<(), Stop> {
        if self.initial == 0 {
            self.limit_batches();
            self.moves.states = self.product.initial();
            self.insert()?;
            self.transitions += self.set.len();
            self.initial = self.set.len() as u32;
        }
        Ok(())
    }

    /// Inserts states, beyond which no state is expanded. The set is empty.
    pub fn start_within(&mut self, states: &[u8]) -> Result<(), Stop> {
        self.limit_batches();
        self.moves.states = states.to_vec();
        self.moves.ends = vec![(states.len() / self.product.width()) as u32];
        self.insert()?;
        (self.initial, self.horizon) = (self.len(), self.len());
        Ok(())
    }

    /// Explores all states within a number of steps, nearest first, up to the first violation by
    /// itself. The search that follows is restricted to them, and no state at that distance is
    /// expanded.
    pub fn explore_to(&mut self, depth: u64, monitor: &mut impl Monitor) -> Result<(), Stop> {
        self.start()?;
        let (mut cursor, mut batch) = (0, Vec::with_capacity(BATCH));
        for level in 0..depth {
            let end = self.len();
            if cursor == end {
                break;
            }
            self.depth = level;
            while cursor < end {
                batch.clear();
                batch.extend(cursor..end.min(cursor + BATCH as u32));
                cursor += batch.len() as u32;
                self.expand(&batch)?;
                self.watch(monitor)?;
                if self.alarm.is_some() {
                    return Ok(());
                }
            }
        }
        self.horizon = cursor;
        Ok(())
    }

    /// Whether the search has a depth limit.
    pub fn is_bounded(&self) -> bool {
        self.horizon != u32::MAX
    }

    /// Whether states at the depth limit were not expanded.
    pub fn is_truncated(&self) -> bool {
        self.horizon < self.len()
    }

    /// Expands states that cannot be on an accepting cycle, unless they are at the depth limit or
    /// were expanded before.
    pub fn expand_transient(&mut self, list: &mut Vec<u32>) -> Result<(), Stop> {
        list.retain(|&number| number < self.horizon && !self.is_expanded(number));
        if list.is_empty() { Ok(()) } else { self.expand(list) }
    }

    /// Number of known states.
    pub fn len(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Whether a state is within the depth limit.
    pub fn may_expand(&self, number: u32) -> bool {
        number < self.horizon
    }

    /// Whether a state was expanded before.
    pub fn is_expanded(&self, number: u32) -> bool {
        self.expanded[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Expands states: `moves` then holds their successors and `numbers` the numbers of these.
    pub fn expand(&mut self, list: &[u32]) -> Result<(), Stop> {
        loop {
            self.sources.clear();
            self.set.append_states(list, &mut self.sources);
            match self.product.expand(&self.sources, &mut self.moves) {
                Ok(()) => match self.moves.cut {
                    Some(cut) => return Err(cut.into()),
                    None => break,
                },
                Err(Grow { size }) => self.grow(size)?,
            }
        }
        self.insert()?;
        for (source, &number) in list.iter().enumerate() {
            if self.is_expanded(number) {
                self.again += 1;
            } else {
                self.expanded[number as usize / 64] |= 1 << (number % 64);
                self.expansions += 1;
                self.transitions += self.moves.range(source).len() as u64;
            }
        }
        if let (None, Some(alarm)) = (self.alarm, self.moves.alarms.first()) {
            self.alarm = Some((list[alarm.source as usize], *alarm));
        }
        for fault in &self.moves.faults {
            let known =
                |(_, seen): &(u32, axle_step::AtomFault)| (seen.kind, seen.atom) == (fault.kind, fault.atom);
            if !self.faults.iter().any(known) {
                self.faults.push((list[fault.source as usize], *fault));
            }
        }
        Ok(())
    }

    /// Inserts the states of `moves` into the set and extends `marks` accordingly.
    fn insert(&mut self) -> Result<(), Stop> {
        self.numbers.clear();
        let Moves { states, ends, .. } = &self.moves;
        self.set.insert_numbered(states, ends, &mut self.numbers).map_err(|_| Stop::Memory)?;
        let width = self.product.width();
        for (i, &number) in self.numbers.iter().enumerate() {
            if number as usize == self.marks.len() {
                let at = location(&self.moves.states[i * width..i * width + HEAD]);
                let mark = if self.components.accepting(at) { UNSEEN } else { TRANSIENT };
                self.marks.push(mark);
            }
        }
        self.expanded.resize(self.marks.len().div_ceil(64), 0);
        // Positions stored in marks must stay below the reserved values.
        if self.marks.len() >= TRANSIENT as usize - 1 { Err(Stop::Memory) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, size: usize) -> Result<(), Stop> {
        let size = room(size, self.set.len());
        self.product.grow(size);
        self.set.widen(self.product.width()).map_err(|_| Stop::Memory)?;
        if !self.product.labels.fits(self.product.stepper.slots()) {
            self.product.labels.widen(self.product.stepper.slots());
            // The lists contain bit sets of the old size.
            self.ring.clear();
        }
        Ok(())
    }

    /// Number of words of a bit set in a list.
    fn bit_words(&self) -> usize {
        if self.product.labels.fairness == Fairness::None { 0 } else { self.product.labels.words }
    }

    /// Replaces `list` by the edges of a state that may be on accepting cycles and, under fairness,
    /// `enabled` by the bits of the enabled processes. `waiting` holds states that the search will
    /// enter soon, the next one last; lookahead selects from them.
    pub fn fetch(
        &mut self,
        number: u32,
        waiting: &[Entry],
        list: &mut Vec<Entry>,
        enabled: &mut Vec<u64>,
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
        if number >= self.horizon {
            list.clear();
            enabled.clear();
            enabled.resize(self.bit_words(), 0);
            return Ok(());
        }
        if !self.ring.has(number) {
            let mut batches = std::mem::take(&mut self.batches);
            look_ahead(self, &mut batches, number, waiting)?;
            self.batches = batches;
            self.watch(monitor)?;
        }
        let read = self.ring.read(number, self.bit_words(), list, enabled);
        assert!(read, "the list was made last");
        Ok(())
    }

    /// Location of the claim in a state.
    pub fn claim_location(&mut self, number: u32) -> u32 {
        let mut state = Vec::new();
        self.set.append_states(&[number], &mut state);
        location(&state)
    }

    /// Location of the claim in a source of the last batch.
    fn state_location(&self, source: usize, width: usize) -> u32 {
        location(&self.sources[source * width..source * width + HEAD])
    }

    /// Whether a source of the last batch is in a component of the claim that can accept.
    pub fn is_accepting(&self, source: usize) -> bool {
        self.components.accepting(self.state_location(source, self.product.width()))
    }

    /// Whether the edge to the successor at `position` of the last batch may be on an accepting
    /// cycle.
    pub fn is_inside(&self, source: usize, position: usize) -> bool {
        let width = self.product.width();
        let to = location(&self.moves.states[position * width..position * width + HEAD]);
        self.components.inside(self.state_location(source, width), to)
    }

    /// Bytes that the search uses in addition to the set.
    pub fn memory(&self) -> u64 {
        4 * self.marks.len() as u64 + 8 * self.expanded.len() as u64 + self.ring.memory() + self.extra
    }

    /// Checks the limits at intervals.
    pub fn watch(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        self.rounds += 1;
        if !self.rounds.is_multiple_of(WATCH) {
            return Ok(());
        }
        if self.limits.states.is_some_and(|limit| self.set.len() >= limit) && self.expansions < self.set.len()
        {
            return Err(Stop::States);
        }
        self.limit_batches();
        check_limits(&self.progress(0), self.limits, monitor)
    }

    fn limit_batches(&mut self) {
        self.product.limit(most_in_flight(self.limits, self.set.memory() + self.memory()));
    }

    /// Polls the monitor during the reconstruction of a counterexample; the limits are the
    /// search's.
    pub fn ask(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        self.rounds += 1;
        if self.rounds.is_multiple_of(WATCH) {
            check_limits(&self.progress(1), &Limits::default(), monitor)
        } else {
            Ok(())
        }
    }

    /// Polls the monitor during a search for a shorter counterexample, which uses further memory: that
    /// and the limit on memory can end it.
    pub fn poll(&mut self, further: u64, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let progress = self.progress(1);
        let progress = Progress { memory: progress.memory + further, ..progress };
        check_limits(&progress, &Limits { memory: self.limits.memory, ..Limits::default() }, monitor)
    }

    fn progress(&self, violations: u64) -> Progress {
        Progress {
            states: self.set.len(),
            expanded: self.expansions,
            transitions: self.transitions,
            depth: self.depth,
            violations,
            memory: self.set.memory() + self.memory(),
            ..Progress::default()
        }
    }

    /// Converts bit sets to the current number of words.
    pub fn widened(&self, sets: &[u64], old: usize) -> Vec<u64> {
        restride(sets, old, self.product.labels.words)
    }
}

impl<G: Graph, S: Numbered> Lists for Explorer<'_, G, S> {
    type Stop = Stop;

    fn has(&self, number: u32) -> bool {
        self.ring.has(number)
    }

    fn wants(&mut self, number: u32) -> bool {
        number < self.horizon && self.marks[number as usize] == UNSEEN && !self.ring.has(number)
    }

    fn expand(&mut self, numbers: &[u32]) -> Result<(), Stop> {
        self.first_new = self.len();
        Explorer::expand(self, numbers)
    }

    fn list(&mut self, source: usize, number: u32, next: &mut Vec<u32>) -> Result<(), Stop> {
        let words = self.bit_words();
        let range = self.moves.range(source);
        let most = 1 + words + range.len();
        self.ring.make_room(most, self.marks.len());
        let width = self.product.width();
        let own = self.state_location(source, width);
        let at = self.ring.begin();
        for word in 0..words {
            self.ring.push(self.moves.enabled[source * words + word]);
        }
        let mut count = 0;
        for position in range {
            let to = location(&self.moves.states[position * width..position * width + HEAD]);
            let other = self.numbers[position];
            // Numbers are assigned in the order of the states.
            let new = other == self.first_new;
            self.first_new += u32::from(new);
            if !self.components.inside(own, to) {
                continue;
            }
            self.ring.push(entry(other, self.moves.labels[position]));
            count += 1;
            if new {
                next.push(other);
            }
        }
        self.ring.end(at, number, count);
        Ok(())
    }
}
