//! The product as one of several threads sees it: the set and the forest are everybody's, the lists
//! of successors its own.
//!
//! As [`crate::explorer`], with states expanded some way ahead of the search, in batches, and their
//! lists kept in a ring. All threads read one lock while they work. Where the set has to change, a
//! thread says so, all let go of the lock at the next step ([`Walker::poll_safepoint`]), and that
//! one changes it; an index that is to be filled anew all fill together ([`Walker::whole`]).
//!
//! *Entry points:* [`Walker::fetch`], [`Walker::expand`].
//!
//! *Invariant:* A new state is one thread's, which either has it in a list or writes down what is
//! to become of it ([`WorkQueue`]); so each is looked at.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axle_step::{Grow, Successors};
use axle_store::{OutOfMemory, SharedSet, ThreadHandle};

use super::union_find::Forest;
use crate::claim_components::ClaimComponents;
use crate::grow::room;
use crate::limits::Stop;
use crate::liveness::Fairness;
use crate::look_ahead::{Batches, Lists, look_ahead};
use crate::product::{HEAD, Moves, Product, location};
use crate::ring::{Entry, Ring, entry, target};

/// What all threads see.
pub(super) struct Space {
    pub set: SharedSet,
    pub forest: Forest,
    /// How many processes states have room for.
    pub slots: usize,
    /// How often the set has changed.
    changes: u64,
}

impl Space {
    /// A set with nothing in it, and beside it a forest that may take so many bytes.
    pub fn new(set: SharedSet, slots: usize, limit: u64) -> Result<Space, OutOfMemory> {
        let mut forest = Forest::new(limit)?;
        forest.grow(set.places())?;
        Ok(Space { set, forest, slots, changes: 0 })
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        self.set.memory() + self.forest.memory()
    }
}

/// Why a thread cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Interruption {
    /// There is no room.
    Memory,
    /// Something that one thread has to tell: what is a violation by itself, or cannot be evaluated.
    NeedsSequentialRerun,
    /// A step was too long.
    Stopped(Stop),
    /// There are more processes than a set of states has bits for.
    Bits,
}

/// What a thread has found and no list has.
#[derive(Clone, Default, Debug)]
pub(super) struct WorkQueue {
    /// States that no cycle can go through.
    pub passing: Vec<u32>,
    /// States in components of the claim that can accept, come to from outside of these.
    pub roots: Vec<u32>,
}

/// The lock on what all see.
pub(super) struct SharedSpace {
    pub space: RwLock<Space>,
    /// How many threads want it for themselves.
    wanted: AtomicU32,
    /// Whoever changes it has this. Who comes second waits here and not for the lock: once the first one has changed what all
    /// see, it fills the index with the others, and would keep the second from the lock, and from its part in that, until it is done.
    turn: Mutex<()>,
}

impl SharedSpace {
    /// A door that nobody waits at.
    pub fn new(space: Space) -> SharedSpace {
        SharedSpace { space: RwLock::new(space), wanted: AtomicU32::new(0), turn: Mutex::default() }
    }

    /// What all see.
    pub fn read(&self) -> RwLockReadGuard<'_, Space> {
        self.space.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What all see, to change it, once all others have let go.
    fn write(&self) -> RwLockWriteGuard<'_, Space> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        let space = self.space.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        space
    }
}

/// One thread's way through the product.
pub(super) struct Walker<'a, G> {
    pub product: Product<'a, G>,
    components: ClaimComponents,
    door: &'a SharedSpace,
    guard: Option<RwLockReadGuard<'a, Space>>,
    hand: ThreadHandle,
    ring: Ring,
    sources: Vec<u8>,
    moves: Moves,
    numbers: Vec<(u32, bool)>,
    batches: Batches,
    pub found: WorkQueue,
    pub expansions: u64,
    pub transitions: u64,
    /// States may have been put in that nobody will look at: where it goes on from must not be written down.
    pub lossy: bool,
}

impl<'a, G: Successors> Walker<'a, G> {
    /// A thread that works with a hand of the set.
    pub fn new(product: Product<'a, G>, door: &'a SharedSpace, hand: ThreadHandle) -> Walker<'a, G> {
        Walker {
            components: ClaimComponents::new(product.claim),
            product,
            door,
            guard: None,
            hand,
            ring: Ring::new(),
            sources: Vec::new(),
            moves: Moves::default(),
            numbers: Vec::new(),
            batches: Batches::default(),
            found: WorkQueue::default(),
            expansions: 0,
            transitions: 0,
            lossy: false,
        }
    }

    /// What all see.
    #[inline(always)]
    pub fn space(&mut self) -> &Space {
        if self.guard.is_none() {
            self.come_in();
        }
        match &self.guard {
            Some(guard) => guard,
            None => unreachable!("it was read just now"),
        }
    }

    #[cold]
    fn come_in(&mut self) {
        let guard = self.whole();
        let slots = guard.slots;
        self.guard = Some(guard);
        if slots != self.slots() {
            self.grow(slots);
        }
    }

    /// What all see, with a set that is whole: where its index is to be filled anew, whoever comes has a part in that.
    fn whole(&mut self) -> RwLockReadGuard<'a, Space> {
        loop {
            let guard = self.door.read();
            if !guard.set.work() {
                return guard;
            }
            guard.set.help(&mut self.hand);
            drop(guard);
            // Those who still fill have not let go.
            let mut space = self.door.write();
            if space.set.work() {
                let settled = space.set.settle();
                assert!(settled.is_ok(), "an index that was filled needs no more room");
            }
        }
    }

    fn slots(&self) -> usize {
        self.product.stepper.layout().slots.len()
    }

    fn grow(&mut self, slots: usize) {
        self.product.grow(slots);
        if !self.product.labels.fits(slots) {
            // What is in the lists is no more what it was.
            self.product.labels.widen(slots);
            self.ring.clear();
        }
    }

    /// States that this thread has put in.
    pub fn states(&self) -> u64 {
        self.hand.inserted()
    }

    /// Bytes that it holds.
    pub fn memory(&self) -> u64 {
        let lists = self.found.passing.capacity() + self.found.roots.capacity();
        self.ring.memory() + self.hand.memory() + 4 * lists as u64
    }

    /// Lets go of what all see.
    pub fn quiesce(&mut self) {
        if let Some(guard) = self.guard.take() {
            guard.set.quiesce(&mut self.hand, &mut Vec::new());
        }
    }

    /// Lets somebody change the set who wants to.
    #[inline]
    pub fn poll_safepoint(&mut self) {
        if self.door.wanted.load(Ordering::Relaxed) > 0 {
            self.quiesce();
        }
    }

    /// Changes what all see, unless somebody else has done so since this thread looked.
    fn change(&mut self, slots: usize) -> Result<(), Interruption> {
        let seen = self.space().changes;
        self.quiesce();
        let _turn = self.door.turn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // An index that somebody has begun to fill is filled before anything else changes.
        let space = self.whole();
        if slots <= space.slots && space.changes != seen {
            return Ok(());
        }
        drop(space);
        let mut space = self.door.write();
        let space = &mut *space;
        if slots > space.slots {
            let more = room(slots, space.forest.len() as u64);
            self.grow(more);
            space.slots = more;
            space.set.widen(self.product.width()).map_err(|_| Interruption::Memory)?;
            space.changes += 1;
        } else {
            space.changes += 1;
            space.set.change().map_err(|_| Interruption::Memory)?;
            // To fill the index anew is everybody's work, unless this is the end.
            if space.forest.grow(space.set.places()).is_err() {
                space.set.help(&mut self.hand);
                space.set.settle().map_err(|_| Interruption::Memory)?;
                return Err(Interruption::Memory);
            }
        }
        Ok(())
    }

    /// Puts the initial states in.
    pub fn start(&mut self) -> Result<(), Interruption> {
        self.space();
        self.moves.states = self.product.initial();
        self.moves.ends.clear();
        self.numbers.clear();
        self.insert()?;
        self.transitions += self.states();
        let width = self.product.width();
        for (i, &(number, new)) in self.numbers.iter().enumerate() {
            let at = location(&self.moves.states[i * width..i * width + HEAD]);
            match self.components.accepting(at) {
                _ if !new => {}
                true => self.found.roots.push(number),
                false => self.found.passing.push(number),
            }
        }
        Ok(())
    }

    /// Puts in what is in `moves` from where `numbers` ends. Where states have become wider meanwhile, it ends early.
    fn insert(&mut self) -> Result<(), Interruption> {
        loop {
            let (width, done) = (self.product.width(), self.numbers.len());
            let ends = if done == 0 { &self.moves.ends[..] } else { &[] };
            let Some(guard) = &self.guard else { unreachable!("what all see is seen") };
            let states = &self.moves.states[done * width..];
            let inserted = guard.set.insert_numbered(&mut self.hand, states, ends, &mut self.numbers);
            guard.forest.prepare(self.hand.reach());
            if inserted.is_ok() {
                return Ok(());
            }
            self.change(0)?;
            self.space();
            if self.product.width() != width {
                return Ok(());
            }
        }
    }

    /// Expands states; their successors are then in `moves`, the numbers of these in `numbers`.
    fn expand_all(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.numbers.clear();
        loop {
            self.space();
            let Some(guard) = &self.guard else { unreachable!("what all see is seen") };
            self.sources.clear();
            guard.set.read_numbered(&mut self.hand, list, &mut self.sources);
            // Some may be in already, if this is not the first time.
            let expanded = self.product.expand(&self.sources, &mut self.moves);
            let begun = !self.numbers.is_empty();
            match expanded {
                Ok(()) => match self.moves.cut.map(Stop::from) {
                    None => self.insert().inspect_err(|_| self.rescue())?,
                    Some(stop) => {
                        self.lossy |= begun;
                        return Err(if stop == Stop::Memory {
                            Interruption::Memory
                        } else {
                            Interruption::Stopped(stop)
                        });
                    }
                },
                Err(Grow { slots }) => {
                    self.change(slots).inspect_err(|_| self.lossy |= begun)?;
                    continue;
                }
            }
            // Otherwise states got wider on the way: the same successors again, in the same order.
            if self.numbers.len() as u32 == self.moves.ends.last().copied().unwrap_or(0) {
                break;
            }
        }
        if !self.moves.alarms.is_empty() || !self.moves.faults.is_empty() {
            return Err(Interruption::NeedsSequentialRerun);
        }
        Ok(())
    }

    /// Writes down which of the states that were put in are come to in no other way, where there was no room for all: when
    /// their sources are expanded again, they will not be new.
    fn rescue(&mut self) {
        let width = self.product.width();
        for (source, state) in self.sources.chunks_exact(width).enumerate() {
            let own = location(&state[..HEAD]);
            for position in self.moves.range(source) {
                let Some(&(number, new)) = self.numbers.get(position) else { return };
                let to = location(&self.moves.states[position * width..position * width + HEAD]);
                match self.components.accepting(to) {
                    _ if !new || self.components.inside(own, to) => {}
                    true => self.found.roots.push(number),
                    false => self.found.passing.push(number),
                }
            }
        }
    }

    /// Expands states that cycles may go through, and has fetched what the forest knows of their successors.
    fn expand_inside(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.expand_all(list)?;
        let Some(guard) = &self.guard else { unreachable!("what all see is seen") };
        self.numbers.iter().for_each(|&(number, _)| guard.forest.fetch(number));
        for (source, &number) in list.iter().enumerate() {
            // Others may have expanded it before.
            if guard.forest.expand(number) {
                self.expansions += 1;
                self.transitions += self.moves.range(source).len() as u64;
            }
        }
        Ok(())
    }

    /// Expands states that no cycle goes through.
    pub fn expand(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.expand_all(list)?;
        // Each is one thread's, which found it.
        self.expansions += list.len() as u64;
        self.transitions += self.numbers.len() as u64;
        for source in 0..list.len() {
            self.sort_out(source, |_, _| {});
        }
        Ok(())
    }

    /// Calls `inside` with each edge of a source of the last batch that may be on an accepting cycle: its entry, and
    /// whether the state that it leads to is new. What is new elsewhere is written down.
    fn sort_out(&mut self, source: usize, mut inside: impl FnMut(Entry, bool)) {
        let width = self.product.width();
        let own = location(&self.sources[source * width..source * width + HEAD]);
        for position in self.moves.range(source) {
            let to = location(&self.moves.states[position * width..position * width + HEAD]);
            let (number, new) = self.numbers[position];
            if self.components.inside(own, to) {
                inside(entry(number, self.moves.labels[position]), new);
            } else if new {
                match self.components.accepting(to) {
                    true => self.found.roots.push(number),
                    false => self.found.passing.push(number),
                }
            }
        }
    }

    /// Words of a set of bits in a list.
    fn bit_words(&self) -> usize {
        if self.product.labels.fairness == Fairness::None { 0 } else { self.product.labels.words }
    }

    /// Replaces `list` by the edges of a state that may be on accepting cycles and, under fairness, `enabled` by the bits of
    /// the processes that are enabled. `waiting` are states that the search will come to soon, the first last.
    pub fn fetch(
        &mut self,
        number: u32,
        waiting: &[Entry],
        list: &mut Vec<Entry>,
        enabled: &mut Vec<u64>,
    ) -> Result<(), Interruption> {
        if !self.ring.has(number) {
            let mut batches = std::mem::take(&mut self.batches);
            look_ahead(self, &mut batches, number, waiting)?;
            self.batches = batches;
        }
        let read = self.ring.read(number, self.bit_words(), list, enabled);
        assert!(read, "the list was made last");
        Ok(())
    }
}

impl<G: Successors> Lists for Walker<'_, G> {
    type Stop = Interruption;

    fn has(&self, number: u32) -> bool {
        self.ring.has(number)
    }

    fn wants(&mut self, number: u32) -> bool {
        !self.ring.has(number) && !self.space().forest.is_dead(number)
    }

    fn expand(&mut self, numbers: &[u32]) -> Result<(), Interruption> {
        self.expand_inside(numbers)
    }

    fn list(&mut self, source: usize, number: u32, next: &mut Vec<u32>) -> Result<(), Interruption> {
        let words = self.bit_words();
        if words > 1 {
            return Err(Interruption::Bits);
        }
        let most = 1 + words + self.moves.range(source).len();
        let known = self.space().forest.len();
        let mut ring = std::mem::replace(&mut self.ring, Ring::none());
        ring.make_room(most, known);
        let at = ring.begin();
        for word in 0..words {
            ring.push(self.moves.enabled[source * words + word]);
        }
        let mut count = 0;
        self.sort_out(source, |edge, new| {
            ring.push(edge);
            count += 1;
            if new {
                next.push(target(edge));
            }
        });
        ring.end(at, number, count);
        self.ring = ring;
        Ok(())
    }
}
