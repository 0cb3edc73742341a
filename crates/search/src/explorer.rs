//! The product as a graph of numbers, explored on demand and some way ahead.
//!
//! A depth-first search asks for one state after the other, and each time would wait for memory:
//! for the index, for the states that hashes lead to, for the first bytes of what it goes to next.
//! So this looks ahead. When the successors of a state are asked for, a few dozen states around it
//! that the search is about to enter are expanded in the same batches, and their lists of
//! successors are kept in a ring until the search comes by. A list that the ring has lost by then
//! is made again.
//!
//! *Entry points:* [`Explorer::fetch`] for a search that goes deep, [`Explorer::expand`] for one
//! that goes by batches.
//!
//! Only what can be on an accepting cycle is listed: edges inside a component of the claim that has
//! an edge of every acceptance set. All other states are only put into the set, and whoever
//! searches expands them in order of their numbers.
//!
//! *Invariant:* The number of a state is its place in order of insertion; `marks` has an entry a
//! state.

use axle_step::{Grow, Successors};
use axle_store::Numbered;

use crate::claim_components::ClaimComponents;
use crate::grow::room;
use crate::limits::{Limits, Stop};
use crate::liveness::Fairness;
use crate::look_ahead::{Batches, Lists, look_ahead};
use crate::product::{Alarm, HEAD, Moves, Product, location};
use crate::progress::{Monitor, Progress, look};
use crate::ring::{Entry, Ring, entry};
use crate::weak_fairness::restride;

/// In `marks`: not entered yet.
pub(crate) const UNSEEN: u32 = 0;
/// In `marks`: done with, or never to be entered.
pub(crate) const DONE: u32 = u32::MAX;
/// In `marks`: in no component that could accept; to be expanded, and that is all.
pub(crate) const TRANSIENT: u32 = u32::MAX - 1;

/// Batches between two looks at the monitor and at memory.
const WATCH: u64 = 16;

/// The product, numbered.
pub(crate) struct Explorer<'a, G, S> {
    pub product: Product<'a, G>,
    pub set: &'a mut S,
    pub limits: &'a Limits,
    components: ClaimComponents,
    /// What the search has to say about each state, by number.
    pub marks: Vec<u32>,
    /// Whether a state was expanded, a bit each.
    expanded: Vec<u64>,
    pub expansions: u64,
    pub transitions: u64,
    /// States that were expanded once more, because their list was lost or a second search came by.
    pub again: u64,
    sources: Vec<u8>,
    pub moves: Moves,
    /// The numbers of the successors of the last batch.
    pub numbers: Vec<u32>,
    ring: Ring,
    /// What was found that is a violation by itself: the number of the source, and the edge.
    pub alarm: Option<(u32, Alarm)>,
    /// Atoms at fault: the number of the state, and which.
    pub faults: Vec<(u32, axle_step::AtomFault)>,
    /// Bytes that the search holds besides.
    pub extra: u64,
    /// The length of the current path of the search, for those who watch.
    pub depth: u64,
    rounds: u64,
    batches: Batches,
    /// The first new state of the last batch that is in no list so far.
    first_new: u32,
}

impl<'a, G: Successors, S: Numbered> Explorer<'a, G, S> {
    /// An explorer that has seen nothing. The set must be empty and as wide as the product.
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
        }
    }

    /// Puts the initial states into the set; how many there are.
    pub fn start(&mut self) -> Result<u32, Stop> {
        self.limit_batches();
        self.moves.states = self.product.initial();
        self.insert()?;
        self.transitions += self.set.len();
        Ok(self.set.len() as u32)
    }

    /// How many states are known.
    pub fn len(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Whether a state was expanded before.
    pub fn is_expanded(&self, number: u32) -> bool {
        self.expanded[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Expands states: their successors are then in `moves`, the numbers of these in `numbers`.
    pub fn expand(&mut self, list: &[u32]) -> Result<(), Stop> {
        loop {
            self.sources.clear();
            self.set.append_states(list, &mut self.sources);
            match self.product.expand(&self.sources, &mut self.moves) {
                Ok(()) => match self.moves.cut {
                    Some(cut) => return Err(cut.into()),
                    None => break,
                },
                Err(Grow { slots }) => self.grow(slots)?,
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

    /// Puts the states of `moves` into the set and keeps `marks` as long as the set.
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
        // A mark has to tell every place from what else it says.
        if self.marks.len() >= TRANSIENT as usize - 1 { Err(Stop::Memory) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, slots: usize) -> Result<(), Stop> {
        let slots = room(slots, self.set.len());
        self.product.grow(slots);
        self.set.widen(self.product.width()).map_err(|_| Stop::Memory)?;
        if !self.product.labels.fits(slots) {
            self.product.labels.widen(slots);
            // The lists have sets of bits in them.
            self.ring.clear();
        }
        Ok(())
    }

    /// Words of a set of bits in a list.
    fn bit_words(&self) -> usize {
        if self.product.labels.fairness == Fairness::None { 0 } else { self.product.labels.words }
    }

    /// Replaces `list` by the edges of a state that may be on accepting cycles and, under fairness, `enabled` by
    /// the bits of the processes that are enabled. `waiting` are states that the search will enter soon, the first
    /// last, from among which it looks ahead.
    pub fn fetch(
        &mut self,
        number: u32,
        waiting: &[Entry],
        list: &mut Vec<Entry>,
        enabled: &mut Vec<u64>,
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
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

    /// The location of a source of the last batch.
    fn state_location(&self, source: usize, width: usize) -> u32 {
        location(&self.sources[source * width..source * width + HEAD])
    }

    /// Whether an edge, to the successor at `position` of the last batch, may be on an accepting cycle.
    pub fn is_inside(&self, source: usize, position: usize) -> bool {
        let width = self.product.width();
        let to = location(&self.moves.states[position * width..position * width + HEAD]);
        self.components.inside(self.state_location(source, width), to)
    }

    /// Bytes that the search holds besides the set.
    pub fn memory(&self) -> u64 {
        4 * self.marks.len() as u64 + 8 * self.expanded.len() as u64 + self.ring.memory() + self.extra
    }

    /// Looks at the limits now and then.
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
        look(&self.progress(0), self.limits, monitor)
    }

    fn limit_batches(&mut self) {
        self.product.limit(self.limits.most_in_flight(self.set.memory() + self.memory()));
    }

    /// Asks whether to go on with working out what was found; the limits are the search's.
    pub fn ask(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        self.rounds += 1;
        if self.rounds.is_multiple_of(WATCH) {
            look(&self.progress(1), &Limits::default(), monitor)
        } else {
            Ok(())
        }
    }

    fn progress(&self, violations: u64) -> Progress {
        Progress {
            states: self.set.len(),
            expanded: self.expansions,
            transitions: self.transitions,
            depth: self.depth,
            violations,
            memory: self.set.memory() + self.memory(),
        }
    }

    /// Sets of bits have got more words.
    pub fn widened(&self, sets: &[u64], old: usize) -> Vec<u64> {
        restride(sets, old, self.product.labels.words)
    }
}

impl<G: Successors, S: Numbered> Lists for Explorer<'_, G, S> {
    type Stop = Stop;

    fn has(&self, number: u32) -> bool {
        self.ring.has(number)
    }

    fn wants(&mut self, number: u32) -> bool {
        self.marks[number as usize] == UNSEEN && !self.ring.has(number)
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
            // Numbers are given out in the order in which states come.
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
