//! The product as seen by one thread of a parallel search: set and forest are shared, the successor
//! lists are local.
//!
//! As in [`crate::liveness::explorer`], states are expanded ahead of the search in batches, and their lists
//! are kept in a ring. All threads hold the read lock during their work. To change the set, a
//! thread requests the write lock; all others release theirs at their next safepoint
//! ([`Walker::poll_safepoint`]). An index rebuild is executed by all threads together
//! ([`Walker::read_consistent`]).
//!
//! *Entry points:* [`Walker::fetch`], [`Walker::expand`].
//!
//! *Invariant:* Each new state belongs to one thread, which either has it in a list or records it
//! in its [`WorkQueue`]. Hence every state is processed.

use axle_outcome::{Fairness, Stop};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axle_step::{Graph, Grow};
use axle_store::{OutOfMemory, SharedSet, ThreadHandle};

use super::union_find::Forest;
use crate::grow::room;
use crate::liveness::claim_components::ClaimComponents;
use crate::liveness::look_ahead::{Batches, Lists, look_ahead};
use crate::liveness::product::{HEAD, Moves, Product, location};
use crate::liveness::ring::{Entry, Ring, entry, target};

/// Data shared by all threads.
pub(super) struct Space {
    pub set: SharedSet,
    pub forest: Forest,
    /// Size of the states.
    pub size: usize,
    /// Number of changes of the set.
    changes: u64,
}

impl Space {
    /// An empty set with a forest that may use `limit` bytes.
    pub fn new(set: SharedSet, size: usize, limit: u64) -> Result<Space, OutOfMemory> {
        let mut forest = Forest::new(limit)?;
        forest.grow(set.places())?;
        Ok(Space { set, forest, size, changes: 0 })
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        self.set.memory() + self.forest.memory()
    }
}

/// Reason why a thread cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Interruption {
    /// Out of memory.
    Memory,
    /// A violation on a claim edge or an atom fault, which a sequential search must report.
    NeedsSequentialRerun,
    /// An expansion was cancelled.
    Stopped(Stop),
    /// There are more processes than bits in a mark set.
    Bits,
}

/// Work found by a thread that is in no successor list.
#[derive(Clone, Default, Debug)]
pub(super) struct WorkQueue {
    /// States in components of the claim that cannot accept.
    pub passing: Vec<u32>,
    /// States in components of the claim that can accept, entered from outside these components.
    pub roots: Vec<u32>,
}

/// The lock on the shared data.
pub(super) struct SharedSpace {
    pub space: RwLock<Space>,
    /// Number of threads that request the write lock.
    wanted: AtomicU32,
    /// Held by the thread that changes the data. A second writer waits here and not for the lock.
    /// After its change the first writer rebuilds the index together with the others; a waiting
    /// writer would block the lock, and could not take part.
    turn: Mutex<()>,
}

impl SharedSpace {
    /// A lock without waiting threads.
    pub fn new(space: Space) -> SharedSpace {
        SharedSpace { space: RwLock::new(space), wanted: AtomicU32::new(0), turn: Mutex::default() }
    }

    /// Acquires the read lock.
    pub fn read(&self) -> RwLockReadGuard<'_, Space> {
        self.space.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Acquires the write lock after all other threads have released theirs.
    fn write(&self) -> RwLockWriteGuard<'_, Space> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        let space = self.space.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        space
    }
}

/// Traversal of the product by one thread.
pub(super) struct Walker<'a, G: Graph> {
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
    /// Whether inserted states may have been lost to the search. A checkpoint must then not be
    /// written.
    pub lossy: bool,
}

impl<'a, G: Graph> Walker<'a, G> {
    /// A traversal that uses the thread handle `hand` of the set.
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

    /// The shared data.
    #[inline(always)]
    pub fn space(&mut self) -> &Space {
        if self.guard.is_none() {
            self.resume();
        }
        match &self.guard {
            Some(guard) => guard,
            None => unreachable!("the lock was just acquired"),
        }
    }

    /// Adopts the set after another thread had exclusive access to it.
    #[cold]
    fn resume(&mut self) {
        let guard = self.read_consistent();
        let size = guard.size;
        self.guard = Some(guard);
        if size != self.size() {
            self.grow(size);
        }
    }

    /// Acquires the read lock on a consistent set; takes part in a pending rebuild of the index.
    fn read_consistent(&mut self) -> RwLockReadGuard<'a, Space> {
        loop {
            let guard = self.door.read();
            if !guard.set.work() {
                return guard;
            }
            guard.set.help(&mut self.hand);
            drop(guard);
            // Threads that take part in the rebuild have not released their locks.
            let mut space = self.door.write();
            if space.set.work() {
                let settled = space.set.settle();
                assert!(settled.is_ok(), "an index that was filled needs no more room");
            }
        }
    }

    fn size(&self) -> usize {
        self.product.stepper.size()
    }

    fn grow(&mut self, size: usize) {
        self.product.grow(size);
        if !self.product.labels.fits(self.product.stepper.slots()) {
            // The lists contain labels and bit sets of the old size.
            self.product.labels.widen(self.product.stepper.slots());
            self.ring.clear();
        }
    }

    /// Number of states inserted by this thread.
    pub fn states(&self) -> u64 {
        self.hand.inserted()
    }

    /// Bytes of memory used by this thread.
    pub fn memory(&self) -> u64 {
        let lists = self.found.passing.capacity() + self.found.roots.capacity();
        self.ring.memory() + self.hand.memory() + 4 * lists as u64
    }

    /// Releases the read lock.
    pub fn quiesce(&mut self) {
        if let Some(guard) = self.guard.take() {
            guard.set.quiesce(&mut self.hand, &mut Vec::new());
        }
    }

    /// Releases and reacquires the read lock if another thread requests the write lock.
    #[inline]
    pub fn poll_safepoint(&mut self) {
        if self.door.wanted.load(Ordering::Relaxed) > 0 {
            self.quiesce();
        }
    }

    /// Changes the shared data, unless another thread has done so since this thread's last read.
    fn change(&mut self, size: usize) -> Result<(), Interruption> {
        let seen = self.space().changes;
        self.quiesce();
        let _turn = self.door.turn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A pending rebuild of the index is completed before any other change.
        let space = self.read_consistent();
        if size <= space.size && space.changes != seen {
            return Ok(());
        }
        drop(space);
        let mut space = self.door.write();
        let space = &mut *space;
        if size > space.size {
            let more = room(size, space.forest.len() as u64);
            self.grow(more);
            space.size = more;
            space.set.widen(self.product.width()).map_err(|_| Interruption::Memory)?;
            space.changes += 1;
        } else {
            space.changes += 1;
            space.set.change().map_err(|_| Interruption::Memory)?;
            // The rebuild of the index is shared by all threads, unless the search ends here.
            if space.forest.grow(space.set.places()).is_err() {
                space.set.help(&mut self.hand);
                space.set.settle().map_err(|_| Interruption::Memory)?;
                return Err(Interruption::Memory);
            }
        }
        Ok(())
    }

    /// Inserts the initial states.
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

    /// Inserts the states of `moves` from the end of `numbers` on. Stops early if the layout has
    /// grown.
    fn insert(&mut self) -> Result<(), Interruption> {
        loop {
            let (width, done) = (self.product.width(), self.numbers.len());
            let ends = if done == 0 { &self.moves.ends[..] } else { &[] };
            let Some(guard) = &self.guard else { unreachable!("the read lock is held") };
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

    /// Expands states: `moves` then holds their successors and `numbers` the numbers of these.
    fn expand_all(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.numbers.clear();
        loop {
            self.space();
            let Some(guard) = &self.guard else { unreachable!("the read lock is held") };
            self.sources.clear();
            guard.set.read_numbered(&mut self.hand, list, &mut self.sources);
            // After the first iteration, some successors may be in the set already.
            let expanded = self.product.expand(&self.sources, &mut self.moves);
            let begun = !self.numbers.is_empty();
            match expanded {
                Ok(()) => match self.moves.cut.map(Stop::from) {
                    None => self.insert().inspect_err(|_| self.record_orphans())?,
                    Some(stop) => {
                        self.lossy |= begun;
                        return Err(if stop == Stop::Memory {
                            Interruption::Memory
                        } else {
                            Interruption::Stopped(stop)
                        });
                    }
                },
                Err(Grow { size }) => {
                    self.change(size).inspect_err(|_| self.lossy |= begun)?;
                    continue;
                }
            }
            // Otherwise the layout has grown: generate the same successors again, in the same
            // order.
            if self.numbers.len() as u32 == self.moves.ends.last().copied().unwrap_or(0) {
                break;
            }
        }
        if !self.moves.alarms.is_empty() || !self.moves.faults.is_empty() {
            return Err(Interruption::NeedsSequentialRerun);
        }
        Ok(())
    }

    /// Records the inserted states that are reachable in no other way after a failed insertion.
    /// When their sources are expanded again, these states are no longer new.
    fn record_orphans(&mut self) {
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

    /// Expands states in accepting components and prefetches the forest data of their successors.
    fn expand_inside(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.expand_all(list)?;
        let Some(guard) = &self.guard else { unreachable!("the read lock is held") };
        self.numbers.iter().for_each(|&(number, _)| guard.forest.fetch(number));
        for (source, &number) in list.iter().enumerate() {
            // Another thread may have expanded it before.
            if guard.forest.expand(number) {
                self.expansions += 1;
                self.transitions += self.moves.range(source).len() as u64;
            }
        }
        Ok(())
    }

    /// Expands states in components that cannot accept.
    pub fn expand(&mut self, list: &[u32]) -> Result<(), Interruption> {
        self.expand_all(list)?;
        // Each state belongs to the thread that found it.
        self.expansions += list.len() as u64;
        self.transitions += self.numbers.len() as u64;
        for source in 0..list.len() {
            self.classify_edges(source, |_, _| {});
        }
        Ok(())
    }

    /// Calls `inside` for each edge of a source of the last batch that may be on an accepting
    /// cycle, with its entry and whether its target is new. New states elsewhere are recorded in
    /// the work queue.
    fn classify_edges(&mut self, source: usize, mut inside: impl FnMut(Entry, bool)) {
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

    /// Number of words of a bit set in a list.
    fn bit_words(&self) -> usize {
        if self.product.labels.fairness == Fairness::None { 0 } else { self.product.labels.words }
    }

    /// Replaces `list` by the edges of a state that may be on accepting cycles and, under fairness,
    /// `enabled` by the bits of the enabled processes. `waiting` holds states that the search will
    /// enter soon, the next one last.
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

impl<G: Graph> Lists for Walker<'_, G> {
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
        self.classify_edges(source, |edge, new| {
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
