//! Concurrent union-find structure by which the threads of a component search share their results:
//! partial components, their states that are not done, their acceptance marks, and the threads that
//! have visited them.
//!
//! The structure is a forest over state numbers. Each tree is a set of states known to be strongly
//! connected. The root holds the data of the set: one bit per thread that has visited it, the marks
//! that it meets ([`crate::liveness::weak_fairness`]), and a cyclic list of its states that are not done. A
//! set with an empty list is a complete component, dead for all threads.
//!
//! *Entry points:* [`Forest::claim`], [`Forest::unite`], [`Forest::pick`], [`Forest::meet`].
//!
//! *Source:* V. Bloemen, A. Laarman and J. van de Pol, Multi-core on-the-fly SCC decomposition,
//! PPoPP 2016, sections 3 and 4; with a lock at each root instead of locks on lists.
//!
//! *Invariant:* A set and its list change only under the locks of the roots; a union holds both
//! locks, acquired in ascending order of the state numbers. While a root is locked, no other part
//! of its first word changes, except the flags of single states. An operation that locks a node, or
//! changes the data of a set, observes in the same atomic step that the node is a root. The
//! all-zero word is a set of one state that no thread has visited.
//!
//! *Cost:* two words per state. The first holds the flags, visiting threads and marks; the second
//! holds links. Nearly all states remain singleton sets, for which each operation is one
//! compare-and-swap of the first word.

use std::sync::atomic::{AtomicU64, Ordering};

use axle_store::{OutOfMemory, SharedWords};

/// Maximum number of threads: each has a bit in a root.
pub(super) const THREADS: usize = 16;

/// Maximum number of marks of a set.
pub(super) const BITS: u32 = 42;

/// The set is locked.
const LOCKED: u64 = 1;
/// All edges of the state were processed.
const DONE: u64 = 2;
/// The set is a complete component: all of its states are done.
const DEAD: u64 = 4;
/// A thread has expanded the state.
const EXPANDED: u64 = 8;
/// The state is not a root, permanently: its link leads to its parent.
const BELOW: u64 = 16;
/// Root of a set of several states: its link is the last state of the list, or [`NONE`].
const SEVERAL: u64 = 32;
/// Shift of the bits of visiting threads; the marks follow above them.
const VISITS: u32 = 6;
const MET: u32 = VISITS + THREADS as u32;
const VISITORS: u64 = ((1 << THREADS) - 1) << VISITS;
const _: () = assert!(MET + BITS == u64::BITS);

/// Empty list.
const NONE: u32 = u32::MAX;

/// Result of a claim by a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The thread has not visited the set before.
    New,
    /// The thread has visited the set: a state of the set is on its path.
    Found,
    /// The component is complete.
    Dead,
}

/// Data of a state, for checkpoints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// All edges of the state were processed.
    pub done: bool,
    /// A thread has expanded the state.
    pub expanded: bool,
    /// Its component is complete.
    pub dead: bool,
    /// The root of its set: itself or a lower number.
    pub root: u32,
    /// Marks that its set meets.
    pub met: u64,
}

/// The sets of states known to be strongly connected.
pub(super) struct Forest {
    words: SharedWords,
    /// Low half: the link. High half: the next state of the list plus 1, or 0 for the state itself.
    /// A separate array, so that the system commits no memory for links of singleton sets.
    links: SharedWords,
}

impl Forest {
    /// A forest without states that may use `limit` bytes.
    pub fn new(limit: u64) -> Result<Forest, OutOfMemory> {
        Ok(Forest { words: SharedWords::new(limit / 2)?, links: SharedWords::new(limit / 2)? })
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        self.words.memory() + self.links.memory()
    }

    /// Number of states for which memory is reserved.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Reserves memory for this number of states.
    pub fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.links.grow(states)?;
        self.words.grow(states)
    }

    /// Commits the memory of the states below a number, which will be used soon.
    pub fn prepare(&self, states: u32) {
        self.words.prepare(states as usize);
    }

    /// Flags, visiting threads and marks of a state.
    #[inline(always)]
    fn word(&self, number: u32) -> &AtomicU64 {
        self.words.at(number as usize)
    }

    #[inline(always)]
    fn links(&self, number: u32) -> &AtomicU64 {
        self.links.at(number as usize)
    }

    fn link(&self, number: u32) -> u32 {
        self.links(number).load(Ordering::Acquire) as u32
    }

    fn set_link(&self, number: u32, link: u32) {
        let set = |links: u64| Some(links >> 32 << 32 | u64::from(link));
        // Other threads compress paths at any time; the next-state half must be preserved.
        // The update is never refused, and the links before it do not matter.
        let _ = self.links(number).fetch_update(Ordering::AcqRel, Ordering::Relaxed, set);
    }

    fn next(&self, number: u32) -> u32 {
        ((self.links(number).load(Ordering::Acquire) >> 32) as u32).checked_sub(1).unwrap_or(number)
    }

    fn set_next(&self, number: u32, next: u32) {
        let set = |links: u64| Some(links & u64::from(u32::MAX) | (u64::from(next) + 1) << 32);
        let _ = self.links(number).fetch_update(Ordering::AcqRel, Ordering::Relaxed, set);
    }

    fn above(&self, number: u32) -> Option<u32> {
        let below = self.word(number).load(Ordering::Acquire) & BELOW != 0;
        below.then(|| self.link(number))
    }

    /// The root of a state; it may cease to be a root before the function returns.
    pub fn root(&self, mut number: u32) -> u32 {
        while let Some(above) = self.above(number) {
            let Some(higher) = self.above(above) else { return above };
            // Path compression: every value written here is an ancestor.
            self.set_link(number, higher);
            number = higher;
        }
        number
    }

    /// The root of a state, and its word at a moment when it was an unlocked root.
    #[inline(always)]
    fn idle(&self, number: u32) -> (u32, u64) {
        let mut tries = 0u32;
        loop {
            let root = self.root(number);
            let word = self.word(root).load(Ordering::Acquire);
            if word & (BELOW | LOCKED) == 0 {
                return (root, word);
            }
            tries += 1;
            wait(tries);
        }
    }

    /// Changes the word of a root by compare-and-swap.
    #[inline(always)]
    fn swap(&self, root: u32, old: u64, new: u64) -> bool {
        self.word(root).compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Locks the root of a state.
    fn lock(&self, number: u32) -> u32 {
        loop {
            let (root, word) = self.idle(number);
            if self.swap(root, word, word | LOCKED) {
                return root;
            }
        }
    }

    /// Locks a node if it is an unlocked root.
    fn try_lock(&self, number: u32) -> bool {
        let word = self.word(number).load(Ordering::Acquire);
        word & (BELOW | LOCKED) == 0 && self.swap(number, word, word | LOCKED)
    }

    fn unlock(&self, root: u32) {
        self.word(root).fetch_and(!LOCKED, Ordering::AcqRel);
    }

    /// Whether two states are known to be in the same component.
    pub fn same(&self, a: u32, b: u32) -> bool {
        loop {
            let (one, other) = (self.root(a), self.root(b));
            if one == other {
                return true;
            }
            // `one` is still a root, so the sets were different at this moment.
            if self.above(one).is_none() {
                return false;
            }
        }
    }

    /// Whether the component of a state is complete.
    pub fn is_dead(&self, number: u32) -> bool {
        self.word(self.root(number)).load(Ordering::Acquire) & DEAD != 0
    }

    /// Claims a state for a thread.
    pub fn claim(&self, number: u32, thread: usize) -> Claim {
        let visit = 1 << (VISITS as usize + thread);
        let mut tries = 0u32;
        loop {
            let root = self.root(number);
            let word = self.word(root).load(Ordering::Acquire);
            if word & BELOW == 0 {
                if word & DEAD != 0 {
                    return Claim::Dead;
                }
                if word & visit != 0 {
                    return Claim::Found;
                }
                if word & LOCKED == 0 && self.swap(root, word, word | visit) {
                    return Claim::New;
                }
            }
            tries += 1;
            wait(tries);
        }
    }

    /// Unites the sets of two states.
    pub fn unite(&self, a: u32, b: u32) {
        let mut tries = 0u32;
        loop {
            let (one, other) = (self.root(a), self.root(b));
            if one == other {
                return;
            }
            let (low, high) = (one.min(other), one.max(other));
            if self.try_lock(low) {
                if self.try_lock(high) {
                    self.join(low, high);
                    self.unlock(low);
                    self.unlock(high);
                    return;
                }
                self.unlock(low);
            }
            tries += 1;
            wait(tries);
        }
    }

    /// The last state of the list of a locked root; [`NONE`] if all of several states are done.
    fn last(&self, root: u32) -> u32 {
        match self.word(root).load(Ordering::Relaxed) & SEVERAL {
            0 => root,
            _ => self.link(root),
        }
    }

    /// Links the second root below the first; both are locked.
    ///
    /// The root has the marks of both sets before they are one, so that none is missed, and the visiting
    /// threads afterwards: a thread that finds itself there finds the set on its path. Until then the
    /// lock prevents claims.
    fn join(&self, root: u32, below: u32) {
        let last = match [self.last(root), self.last(below)] {
            [last, NONE] | [NONE, last] => last,
            [one, other] => {
                let (first, second) = (self.next(one), self.next(other));
                self.set_next(one, second);
                self.set_next(other, first);
                other
            }
        };
        self.set_link(root, last);
        let known = self.word(below).load(Ordering::Acquire);
        self.word(root).fetch_or(known >> MET << MET | SEVERAL, Ordering::AcqRel);
        self.set_link(below, root);
        self.word(below).fetch_or(BELOW, Ordering::AcqRel);
        self.word(root).fetch_or(known & VISITORS, Ordering::AcqRel);
    }

    /// Marks a state as done: all of its edges were processed and lead to dead states or into its
    /// set.
    pub fn done(&self, number: u32) {
        self.word(number).fetch_or(DONE, Ordering::AcqRel);
    }

    /// Marks a singleton set as done and dead; returns false without effect for other sets.
    pub fn done_alone(&self, number: u32) -> bool {
        loop {
            let word = self.word(number).load(Ordering::Acquire);
            if word & (LOCKED | BELOW | SEVERAL) != 0 {
                return false;
            }
            if self.swap(number, word, word | DONE | DEAD) {
                return true;
            }
        }
    }

    /// A state of the set that is not done, a different one for each call. `None` if no such state
    /// exists; the set is then dead.
    pub fn pick(&self, number: u32) -> Option<u32> {
        let root = self.lock(number);
        let is_done = |number: u32| self.word(number).load(Ordering::Acquire) & DONE != 0;
        let picked = loop {
            let last = self.last(root);
            if last == NONE || (last == root && self.next(root) == root && is_done(root)) {
                self.word(root).fetch_or(DEAD, Ordering::AcqRel);
                break None;
            }
            let first = self.next(last);
            if !is_done(first) {
                // A singleton has no list: setting a link would mark the set as one of several
                // states.
                if first != last {
                    self.set_link(root, first);
                }
                break Some(first);
            }
            if first == last {
                self.set_link(root, NONE);
            } else {
                self.set_next(last, self.next(first));
            }
        };
        self.unlock(root);
        picked
    }

    /// Adds marks to the set of a state; returns the marks that it meets now.
    pub fn meet(&self, number: u32, bits: u64) -> u64 {
        let mut tries = 0u32;
        loop {
            let root = self.root(number);
            let word = self.word(root).load(Ordering::Acquire);
            let met = word >> MET;
            if word & BELOW == 0 {
                if met & bits == bits {
                    return met;
                }
                if word & LOCKED == 0 && self.swap(root, word, word | bits << MET) {
                    return met | bits;
                }
            }
            tries += 1;
            wait(tries);
        }
    }

    /// Prefetches the data of a state.
    #[inline(always)]
    pub fn fetch(&self, number: u32) {
        self.words.prefetch(number as usize);
    }

    /// Data of a state while no thread modifies the forest.
    pub fn state(&self, number: u32) -> State {
        let own = self.word(number).load(Ordering::Acquire);
        let root = self.root(number);
        let word = self.word(root).load(Ordering::Acquire);
        let (done, expanded) = (own & DONE != 0, own & EXPANDED != 0);
        State { done, expanded, dead: word & DEAD != 0, root, met: word >> MET }
    }

    /// Restores a state from a checkpoint. Lower numbers were restored before, and no thread has
    /// visited the forest.
    pub fn restore(&self, number: u32, State { done, expanded, dead, root, met }: State) {
        let flag = |is, flag| if is { flag } else { 0 };
        let done = flag(done, DONE);
        let expanded = flag(expanded, EXPANDED);
        self.word(number).store(done | expanded | flag(dead, DEAD) | met << MET, Ordering::Release);
        if root != number {
            self.unite(root, number);
        }
    }

    /// Marks a state as expanded; returns whether this is its first expansion.
    pub fn expand(&self, number: u32) -> bool {
        self.word(number).fetch_or(EXPANDED, Ordering::Relaxed) & EXPANDED == 0
    }
}

/// Backs off: locks are held for some tens of instructions.
fn wait(tries: u32) {
    if tries.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(states: usize) -> Forest {
        let mut forest = Forest::new(1 << 30).unwrap();
        forest.grow(states).unwrap();
        forest
    }

    /// All states that a set offers, each once.
    fn busy(forest: &Forest, number: u32) -> Vec<u32> {
        let mut all: Vec<u32> = Vec::new();
        while let Some(next) = forest.pick(number) {
            if all.contains(&next) {
                break;
            }
            all.push(next);
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn a_set_offers_what_is_not_done_and_dies_with_the_last() {
        let forest = forest(10);
        for (a, b) in [(1, 2), (3, 4), (4, 2), (7, 1)] {
            forest.unite(a, b);
        }
        assert!(forest.same(7, 3) && !forest.same(7, 5));
        assert_eq!(busy(&forest, 3), [1, 2, 3, 4, 7]);
        [4, 1].iter().for_each(|&number| forest.done(number));
        assert_eq!(busy(&forest, 1), [2, 3, 7]);
        forest.unite(5, 1);
        [2, 7, 3].iter().for_each(|&number| forest.done(number));
        assert_eq!(busy(&forest, 4), [5]);
        assert!(!forest.is_dead(4));
        forest.done(5);
        assert_eq!(forest.pick(2), None);
        assert!(forest.is_dead(5) && forest.claim(5, 1) == Claim::Dead && !forest.is_dead(6));
    }

    #[test]
    fn a_set_knows_who_was_there_and_what_it_meets() {
        let forest = forest(4);
        assert_eq!(
            [forest.claim(0, 3), forest.claim(0, 3), forest.claim(0, 2)],
            [Claim::New, Claim::Found, Claim::New]
        );
        assert_eq!(forest.claim(1, 5), Claim::New);
        assert_eq!(forest.meet(1, 0b10), 0b10);
        forest.unite(1, 0);
        assert_eq!(
            [3, 2, 5, 4].map(|thread| forest.claim(1, thread)),
            [Claim::Found, Claim::Found, Claim::Found, Claim::New]
        );
        assert_eq!(forest.meet(0, 0b100), 0b110);
    }

    #[test]
    fn what_was_known_is_known_again() {
        let old = forest(12);
        for (a, b) in [(1, 2), (4, 2), (7, 1), (5, 6), (11, 9)] {
            old.unite(a, b);
        }
        [1, 4, 5, 6, 9, 3].iter().for_each(|&number| old.done(number));
        assert!([1, 2, 9].iter().all(|&number| old.expand(number)));
        assert_eq!((old.meet(4, 0b101), old.meet(8, 0b10), old.pick(5)), (0b101, 0b10, None));
        assert!(old.done_alone(0) && old.claim(7, 3) == Claim::New);
        let new = forest(12);
        for number in 0..12 {
            new.restore(number, old.state(number));
        }
        for number in 0..12 {
            assert_eq!(new.state(number), old.state(number), "{number}");
        }
        assert_eq!((busy(&new, 7), busy(&new, 9)), (vec![2, 7], vec![11]));
        assert_eq!([6, 0, 7].map(|number| new.claim(number, 3)), [Claim::Dead, Claim::Dead, Claim::New]);
        assert_eq!(
            (new.meet(2, 0), new.meet(8, 0), new.expand(2), new.expand(7)),
            (0b101, 0b10, false, true)
        );
    }

    /// A thread finds that it has visited a set only after the set was united with one that it has
    /// visited.
    #[test]
    fn visits_are_seen_with_the_union() {
        const PAIRS: u32 = 400_000;
        let forest = forest(2 * PAIRS as usize);
        for pair in 0..PAIRS {
            assert_eq!(forest.claim(2 * pair + 1, 0), Claim::New);
        }
        std::thread::scope(|scope| {
            scope.spawn(|| (0..PAIRS).for_each(|pair| forest.unite(2 * pair, 2 * pair + 1)));
            for pair in 0..PAIRS {
                // A thread of the search would be at an edge that leads there.
                while forest.root(2 * pair + 1) == 2 * pair + 1 {
                    let visit = 1 << VISITS;
                    if forest.word(2 * pair).load(Ordering::Acquire) & visit != 0 {
                        assert!(forest.same(2 * pair, 2 * pair + 1), "pair {pair}");
                    }
                }
                assert_eq!(forest.claim(2 * pair, 0), Claim::Found, "pair {pair}");
            }
        });
    }

    #[test]
    fn threads_unite_what_one_would() {
        const STATES: u32 = 3_000;
        let forest = forest(STATES as usize);
        let work = |thread: u32| {
            for i in 0..STATES {
                let i = (i * [1, 7, 11, 13][thread as usize]) % STATES;
                // States with different residues modulo 5 remain separate.
                forest.unite(i, (i + 5) % STATES);
                forest.unite(i, (i * 6) % STATES);
                forest.meet(i, 1 << (i % 7));
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || work(thread)))));
        for i in 0..STATES {
            assert!(forest.same(i, i % 5) && !forest.same(i, (i + 1) % 5));
        }
        for part in 0..5 {
            assert_eq!(forest.meet(part, 0), 0b111_1111);
            assert_eq!(busy(&forest, part).len(), STATES as usize / 5);
        }
    }
}
