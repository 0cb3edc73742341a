//! What threads that search for components tell each other: which states were found to be in one component, which of
//! those still have to be looked at, what the component meets, and who has been there.
//!
//! A forest over the numbers of states, each tree a set of states that are known to be strongly connected. The root
//! holds what is known of the set: a bit for each thread that has visited it, the bits that it meets ([`crate::labels`]), and
//! a ring of its states that nobody has looked at to the end. A set whose ring is empty is a whole component, done with
//! by all. Main functions: [`Forest::claim`], [`Forest::unite`], [`Forest::pick`], [`Forest::meet`].
//!
//! Source: V. Bloemen, A. Laarman and J. van de Pol, Multi-core on-the-fly SCC decomposition, PPoPP 2016, sections 3 and 4; with a
//! lock at each root in the place of their locks on lists.
//!
//! Kept: roots change, and what a root holds changes, only under the root's lock (two sets become one under both, the
//! lower number's first); whoever has a lock has seen that its node is a root. What is all zeros is a set of one state that
//! nobody has visited.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The most threads: each has a bit in a root.
pub(super) const THREADS: usize = 16;

/// The most bits that a set can meet.
pub(super) const BITS: u32 = 48;

/// Somebody is at work on the set.
const LOCKED: u32 = 1;
/// All edges of the state were looked at.
const DONE: u32 = 2;
/// The set is a component whose states are all done.
const DEAD: u32 = 4;
/// The state was expanded by somebody.
const EXPANDED: u32 = 8;

/// No state is left in a ring.
const NONE: u32 = u32::MAX;

/// A state, and the set of states that it is the root of, if it is one. Links are one more than a number.
#[derive(Default, Debug)]
struct Node {
    /// The node above; 0 for a root.
    above: AtomicU32,
    /// The next state of the ring; 0 for the state itself.
    next: AtomicU32,
    /// Of a root: the last state of the ring, 0 for the state itself, [`NONE`] where it is empty.
    last: AtomicU32,
    flags: AtomicU32,
    /// Of a root: who has been there, below, and what the set meets, above.
    knows: AtomicU64,
}

/// What a thread finds where it comes to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// It has not been in the set before.
    New,
    /// It has: a state of the set is on its path.
    Found,
    /// The component is done with.
    Dead,
}

/// The sets of states known to be strongly connected.
#[derive(Default, Debug)]
pub(super) struct Forest(Vec<Node>);

impl Forest {
    /// Bytes a state.
    pub const BYTES: u64 = size_of::<Node>() as u64;

    /// States that there is room for.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Makes room for so many states.
    pub fn grow(&mut self, states: usize) {
        if states > self.0.len() {
            self.0.resize_with(states, Node::default);
        }
    }

    fn node(&self, number: u32) -> &Node {
        &self.0[number as usize]
    }

    fn above(&self, number: u32) -> Option<u32> {
        self.node(number).above.load(Ordering::Acquire).checked_sub(1)
    }

    /// The root above a state, which may be one no more when this returns.
    pub fn root(&self, mut number: u32) -> u32 {
        while let Some(above) = self.above(number) {
            let Some(higher) = self.above(above) else { return above };
            // Shorter ways for those who come after; whatever is written here was once above.
            self.node(number).above.store(higher + 1, Ordering::Release);
            number = higher;
        }
        number
    }

    /// Locks the root above a state.
    fn lock(&self, number: u32) -> u32 {
        let mut tries = 0u32;
        loop {
            let root = self.root(number);
            if self.try_lock(root) {
                return root;
            }
            tries += 1;
            wait(tries);
        }
    }

    /// Locks a node, if nobody else has locked it and it is a root.
    fn try_lock(&self, number: u32) -> bool {
        let node = self.node(number);
        if node.flags.fetch_or(LOCKED, Ordering::Acquire) & LOCKED != 0 {
            return false;
        }
        if node.above.load(Ordering::Acquire) != 0 {
            self.unlock(number);
            return false;
        }
        true
    }

    fn unlock(&self, root: u32) {
        self.node(root).flags.fetch_and(!LOCKED, Ordering::Release);
    }

    /// Whether two states are known to be in one component.
    pub fn same(&self, a: u32, b: u32) -> bool {
        loop {
            let (one, other) = (self.root(a), self.root(b));
            if one == other {
                return true;
            }
            // As long as the one is a root, it is no part of the other.
            if self.above(one).is_none() {
                return false;
            }
        }
    }

    /// Whether the component of a state is done with.
    pub fn is_dead(&self, number: u32) -> bool {
        self.node(self.root(number)).flags.load(Ordering::Acquire) & DEAD != 0
    }

    /// A thread comes to a state.
    pub fn claim(&self, number: u32, thread: usize) -> Claim {
        let seen = |root: u32| {
            let node = self.node(root);
            if node.flags.load(Ordering::Acquire) & DEAD != 0 {
                return Some(Claim::Dead);
            }
            (node.knows.load(Ordering::Acquire) >> thread & 1 == 1).then_some(Claim::Found)
        };
        if let Some(known) = seen(self.root(number)) {
            return known;
        }
        let root = self.lock(number);
        let claim = seen(root).unwrap_or(Claim::New);
        if claim == Claim::New {
            self.node(root).knows.fetch_or(1 << thread, Ordering::AcqRel);
        }
        self.unlock(root);
        claim
    }

    /// Two states are in one component; so are all that are known to be in theirs.
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

    /// Puts the second root, both of which are locked, below the first.
    fn join(&self, root: u32, below: u32) {
        let (top, part) = (self.node(root), self.node(below));
        let rings =
            [(root, top), (below, part)].map(|(number, node)| match node.last.load(Ordering::Relaxed) {
                0 => number,
                NONE => NONE,
                last => last - 1,
            });
        match rings {
            [_, NONE] => {}
            [NONE, last] => top.last.store(last + 1, Ordering::Relaxed),
            [one, other] => {
                let (first, second) = (self.next(one), self.next(other));
                self.node(one).next.store(second + 1, Ordering::Relaxed);
                self.node(other).next.store(first + 1, Ordering::Relaxed);
                top.last.store(other + 1, Ordering::Relaxed);
            }
        }
        top.knows.fetch_or(part.knows.load(Ordering::Acquire), Ordering::AcqRel);
        part.above.store(root + 1, Ordering::Release);
    }

    fn next(&self, number: u32) -> u32 {
        self.node(number).next.load(Ordering::Relaxed).checked_sub(1).unwrap_or(number)
    }

    /// All edges of a state were looked at, and what they lead to is dead or in its set.
    pub fn done(&self, number: u32) {
        self.node(number).flags.fetch_or(DONE, Ordering::AcqRel);
    }

    /// A state of the set that is not done, another one each time; none where there is no such state: then the set is
    /// dead from here on.
    pub fn pick(&self, number: u32) -> Option<u32> {
        let root = self.lock(number);
        let node = self.node(root);
        let picked = loop {
            let last = match node.last.load(Ordering::Relaxed) {
                NONE => {
                    node.flags.fetch_or(DEAD, Ordering::AcqRel);
                    break None;
                }
                0 => root,
                last => last - 1,
            };
            let first = self.next(last);
            if self.node(first).flags.load(Ordering::Acquire) & DONE == 0 {
                node.last.store(first + 1, Ordering::Relaxed);
                break Some(first);
            }
            if first == last {
                node.last.store(NONE, Ordering::Relaxed);
            } else {
                self.node(last).next.store(self.next(first) + 1, Ordering::Relaxed);
                // The last one is written down, as the root itself may be what has gone.
                node.last.store(last + 1, Ordering::Relaxed);
            }
        };
        self.unlock(root);
        picked
    }

    /// The set of a state meets these bits; says which it meets now.
    pub fn meet(&self, number: u32, bits: u64) -> u64 {
        let met = self.node(self.root(number)).knows.load(Ordering::Acquire) >> THREADS;
        if met & bits == bits {
            return met;
        }
        let root = self.lock(number);
        let met = self.node(root).knows.fetch_or(bits << THREADS, Ordering::AcqRel) >> THREADS | bits;
        self.unlock(root);
        met
    }

    /// Has the memory of states fetched that will be asked for soon: loads that nothing waits for, all at the same time.
    pub fn fetch(&self, numbers: impl Iterator<Item = u32>) {
        let all = numbers.fold(0, |all, number| all ^ self.node(number).above.load(Ordering::Relaxed));
        std::hint::black_box(all);
    }

    /// Whether this is the first time that a state is expanded.
    pub fn expand(&self, number: u32) -> bool {
        self.node(number).flags.fetch_or(EXPANDED, Ordering::Relaxed) & EXPANDED == 0
    }
}

/// Lets others go on: they hold a lock for some tens of steps.
fn wait(tries: u32) {
    if tries.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(states: usize) -> Forest {
        let mut forest = Forest::default();
        forest.grow(states);
        forest
    }

    /// All that a set has to offer, each once.
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
    fn threads_unite_what_one_would() {
        const STATES: u32 = 3_000;
        let forest = forest(STATES as usize);
        let work = |thread: u32| {
            for i in 0..STATES {
                let i = (i * [1, 7, 11, 13][thread as usize]) % STATES;
                // Residues modulo 5 that differ stay apart.
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
