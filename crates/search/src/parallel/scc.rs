//! The search by strongly connected components, as one thread of a parallel search executes it.
//!
//! Each thread explores depth-first, in an order of its own, and keeps its path as in
//! [`crate::liveness::scc`]. It shares its knowledge of components through the [`super::union_find`]: an edge
//! back to a set that it has visited unites all later sets on its path. Before it leaves the first
//! state of a set, it takes over states of the set that are not done. If none remain, the set is a
//! complete component, dead for all threads.
//!
//! *Entry point:* [`Search::from`].
//!
//! *Source:* V. Bloemen and J. van de Pol, Multi-core SCC-based LTL model checking, HVC 2016. In
//! the paper a thread first takes over states of the set and backtracks later. Here it first
//! completes its own path, so that a single thread expands no state twice.
//!
//! *Invariant:* When a state is done, each of its edges was processed by one thread, which found
//! the target either dead or in the set of the state, and then recorded the marks of the edge in
//! the set. Hence the last edge of a component sees all marks of the component, and an accepting
//! component is detected at that edge at the latest.

use axle_outcome::Fairness;
use axle_step::Graph;

use super::union_find::{BITS, Claim};
use super::walker::{Interruption, Walker};
use crate::liveness::ring::{Entry, label, target};

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: u32,
    /// Marks of the edge that leads to it from the preceding state.
    arc: u64,
    /// Number of pending edges of the states before it on the path.
    waiting: u32,
}

/// The first state on the path of a set, as far as this thread knows the sets.
#[derive(Clone, Copy, Debug)]
struct Root {
    state: u32,
    /// Its position on the path.
    place: u32,
}

/// Result of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The search continues.
    More,
    /// Everything reachable is dead.
    End,
    /// A component meets all marks: a counterexample exists.
    Cycle,
}

/// Search state of a thread.
pub(super) struct Search {
    /// Number of the thread.
    thread: usize,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Pending edges.
    waiting: Vec<Entry>,
    /// For each state, one bit: whether it is on the path.
    on_path: Vec<u64>,
    list: Vec<Entry>,
    enabled: Vec<u64>,
    /// Random number generator for the order of successors.
    lot: u64,
}

impl Search {
    /// A search with an empty path.
    pub fn new(thread: usize) -> Search {
        Search {
            thread,
            frames: Vec::new(),
            roots: Vec::new(),
            waiting: Vec::new(),
            on_path: Vec::new(),
            list: Vec::new(),
            enabled: Vec::new(),
            lot: thread as u64,
        }
    }

    /// Number of states on the path.
    pub fn depth(&self) -> u64 {
        self.frames.len() as u64
    }

    /// First state of the path.
    pub fn first(&self) -> Option<u32> {
        self.frames.first().map(|frame| frame.state)
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let path = size_of::<Frame>() * self.frames.len() + size_of::<Root>() * self.roots.len();
        (path + 8 * (self.waiting.len() + self.on_path.len())) as u64
    }

    /// A state at which another thread may start: one that this thread will reach late.
    pub fn offer(&mut self) -> Option<u32> {
        let late = self.waiting.len().div_ceil(2);
        let one = self.random() as usize % late.max(1);
        self.waiting.get(one).copied().map(target)
    }

    /// The next pseudo-random number of a linear congruential generator.
    fn random(&mut self) -> u64 {
        self.lot = self.lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.lot >> 33
    }

    /// Starts at a state, with an empty path.
    pub fn from<G: Graph>(&mut self, walker: &mut Walker<'_, G>, state: u32) -> Result<Next, Interruption> {
        match walker.space().forest.claim(state, self.thread) {
            Claim::Dead | Claim::Found => Ok(Next::End),
            Claim::New => self.enter(walker, state, 0, true),
        }
    }

    /// Executes one step.
    pub fn step<G: Graph>(&mut self, walker: &mut Walker<'_, G>) -> Result<Next, Interruption> {
        let Some(&frame) = self.frames.last() else { return Ok(Next::End) };
        if self.waiting.len() > frame.waiting as usize
            && let Some(edge) = self.waiting.pop()
        {
            return match walker.space().forest.claim(target(edge), self.thread) {
                Claim::Dead => Ok(Next::More),
                Claim::Found => self.back(walker, frame.state, edge),
                Claim::New => {
                    let met = self.met(walker, label(edge));
                    self.enter(walker, target(edge), met, true)
                }
            };
        }
        let place = self.frames.len() as u32 - 1;
        let forest = &walker.space().forest;
        let is_root = self.roots.last().is_some_and(|root| root.place == place);
        if is_root && forest.done_alone(frame.state) {
            // A trivial component: no edge to it is inside.
            self.roots.pop();
            self.leave(frame.state);
            return Ok(Next::More);
        }
        if is_root {
            forest.done(frame.state);
            // Another thread may have united it with the set below.
            let below = self.roots.len().checked_sub(2).map(|at| self.roots[at].state);
            if below.is_some_and(|below| forest.same(below, frame.state)) {
                self.roots.pop();
            } else {
                match forest.pick(frame.state) {
                    None => drop(self.roots.pop()),
                    // All sets between are united with it too.
                    Some(busy) if self.is_on_path(busy) => self.merge(walker, frame.state, 1)?,
                    Some(busy) => return self.enter(walker, busy, 0, false),
                }
            }
        } else {
            forest.done(frame.state);
        }
        self.leave(frame.state);
        let met = match self.frames.last() {
            // The set meets all marks of edges inside it.
            Some(before) => self.record_marks(walker, before.state, frame.state, frame.arc),
            None => false,
        };
        Ok(if met { Next::Cycle } else { Next::More })
    }

    fn leave(&mut self, state: u32) {
        self.frames.pop();
        self.on_path[state as usize / 64] &= !(1 << (state % 64));
    }

    fn is_on_path(&self, state: u32) -> bool {
        self.on_path.get(state as usize / 64).is_some_and(|word| word >> (state % 64) & 1 == 1)
    }

    /// The marks that edges with this label meet.
    fn met<G: Graph>(&self, walker: &Walker<'_, G>, label: u32) -> u64 {
        walker.product.labels.met(label)[0]
    }

    /// Enters a state, as the first of a set or as a member of the last set, and adds its edges as
    /// pending.
    fn enter<G: Graph>(
        &mut self,
        walker: &mut Walker<'_, G>,
        state: u32,
        arc: u64,
        first: bool,
    ) -> Result<Next, Interruption> {
        let (mut list, mut enabled) = (std::mem::take(&mut self.list), std::mem::take(&mut self.enabled));
        let fetched = walker.fetch(state, &self.waiting, &mut list, &mut enabled);
        let place = self.frames.len() as u32;
        let goal = goal(walker)?;
        if fetched.is_ok() {
            let word = state as usize / 64;
            if self.on_path.len() <= word {
                self.on_path.resize((word + 1).max(walker.space().forest.len().div_ceil(64)), 0);
            }
            self.on_path[word] |= 1 << (state % 64);
            self.frames.push(Frame { state, arc, waiting: self.waiting.len() as u32 });
            if first {
                self.roots.push(Root { state, place });
            }
            if let Some(&enabled) = enabled.first() {
                // A process that is disabled in some state of a component is treated fairly there.
                let free = goal & !enabled & !walker.product.labels.marks();
                walker.space().forest.meet(state, free);
            }
            self.mix(&mut list);
            self.waiting.append(&mut list);
        }
        (self.list, self.enabled) = (list, enabled);
        fetched?;
        // The number exceeds the range of a frame's counter.
        if u32::try_from(self.waiting.len()).is_err() { Err(Interruption::Memory) } else { Ok(Next::More) }
    }

    /// Shuffles edges with the thread's generator; the first thread keeps the sequential order.
    fn mix(&mut self, list: &mut [Entry]) {
        match self.thread {
            0 => {}
            1 => list.reverse(),
            _ => {
                for last in (1..list.len()).rev() {
                    let other = self.random() as usize % (last + 1);
                    list.swap(last, other);
                }
            }
        }
    }

    /// Processes an edge from the last state of the path into a set that the thread has visited.
    fn back<G: Graph>(
        &mut self,
        walker: &mut Walker<'_, G>,
        from: u32,
        edge: Entry,
    ) -> Result<Next, Interruption> {
        self.merge(walker, target(edge), 0)?;
        let met = self.met(walker, label(edge));
        Ok(if self.record_marks(walker, from, target(edge), met) { Next::Cycle } else { Next::More })
    }

    /// Unites all sets on the path from the set of a state on; the set is sought below the last
    /// `above` sets. Each set leads to the next one, and the last one to the state.
    ///
    /// A live set that this thread has visited is on its path. If it is not, what the threads share is
    /// not to be trusted, and one thread repeats the search.
    fn merge<G: Graph>(
        &mut self,
        walker: &mut Walker<'_, G>,
        state: u32,
        above: usize,
    ) -> Result<(), Interruption> {
        let forest = &walker.space().forest;
        let to = self.roots.iter().rev().skip(above).position(|root| forest.same(root.state, state));
        let to = to.ok_or(Interruption::NeedsSequentialRerun)?;
        let keep = self.roots.len() - above - to;
        let bottom = self.roots[keep - 1];
        for root in self.roots.drain(keep..) {
            forest.unite(root.state, bottom.state);
            // The edge that leads to it is now inside the set.
            forest.meet(root.state, self.frames[root.place as usize].arc);
        }
        Ok(())
    }

    /// Records the marks of an edge inside a set; returns whether the set then meets all marks.
    fn record_marks<G: Graph>(&self, walker: &mut Walker<'_, G>, from: u32, to: u32, bits: u64) -> bool {
        let goal = goal(walker).unwrap_or(u64::MAX);
        let forest = &walker.space().forest;
        forest.same(from, to) && goal & !forest.meet(to, bits) == 0
    }
}

/// The marks that an accepting component must meet.
pub(super) fn goal<G: Graph>(walker: &Walker<'_, G>) -> Result<u64, Interruption> {
    let labels = &walker.product.labels;
    let processes = walker.product.stepper.slots();
    let (bits, goal) = match labels.fairness {
        Fairness::None => (walker.product.claim.sets, labels.marks()),
        Fairness::Weak => (walker.product.claim.sets + processes as u32, (1 << BITS) - 1),
        // Strong fairness cannot be expressed by marks.
        Fairness::Strong => return Err(Interruption::Bits),
    };
    if bits <= BITS && labels.words == 1 { Ok(goal) } else { Err(Interruption::Bits) }
}
