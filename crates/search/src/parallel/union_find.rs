//! What threads that search for components tell each other: which states were found to be in one
//! component, which of those still have to be looked at, what the component meets, and who has been
//! there.
//!
//! A forest over the numbers of states, each tree a set of states that are known to be strongly
//! connected. The root holds what is known of the set: a bit for each thread that has visited it,
//! the bits that it meets ([`crate::labels`]), and a ring of its states that nobody has looked at
//! to the end. A set whose ring is empty is a whole component, done with by all.
//!
//! *Entry points:* [`Forest::claim`], [`Forest::unite`], [`Forest::pick`], [`Forest::meet`].
//!
//! *Source:* V. Bloemen, A. Laarman and J. van de Pol, Multi-core on-the-fly SCC decomposition,
//! PPoPP 2016, sections 3 and 4; with a lock at each root in the place of their locks on lists.
//!
//! Two words a state. In the first all that decides: flags, who has been there, what the set meets.
//! Nearly all states are sets of their own for ever; for these each deed is one compare-and-swap of
//! that word. The other word holds links.
//!
//! *Invariant:* A set grows, and its ring changes, only under the locks of the roots (two sets
//! become one under both, the lower number's first); nothing else of the first word of a root
//! changes while it is locked, but for the flags that states have of their own; whoever locks a
//! node or changes what its set knows has seen in the same moment that it is a root. What is all
//! zeros is a set of one state that nobody has visited.

use std::sync::atomic::{AtomicU64, Ordering};

use axle_store::{OutOfMemory, SharedWords};

/// The most threads: each has a bit in a root.
pub(super) const THREADS: usize = 16;

/// The most bits that a set can meet.
pub(super) const BITS: u32 = 42;

/// Somebody is at work on the set.
const LOCKED: u64 = 1;
/// All edges of the state were looked at.
const DONE: u64 = 2;
/// The set is a component whose states are all done.
const DEAD: u64 = 4;
/// The state was expanded by somebody.
const EXPANDED: u64 = 8;
/// The state is no root: its link leads to the node above, for ever.
const BELOW: u64 = 16;
/// The root of a set of several states: its link is the last state of the ring, or [`NONE`].
const SEVERAL: u64 = 32;
/// Who has been in the set, above the flags, and what it meets, above that.
const VISITS: u32 = 6;
const MET: u32 = VISITS + THREADS as u32;
const _: () = assert!(MET + BITS == u64::BITS);

/// No state is left in a ring.
const NONE: u32 = u32::MAX;

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

/// What is known of a state, for whoever writes it down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// All edges of the state were looked at.
    pub done: bool,
    /// It was expanded by somebody.
    pub expanded: bool,
    /// Its set is done with.
    pub dead: bool,
    /// The root of its set, itself or one with a lower number.
    pub root: u32,
    /// What its set meets.
    pub met: u64,
}

/// The sets of states known to be strongly connected.
pub(super) struct Forest {
    words: SharedWords,
    /// The link, below, and one more than the next state of the ring, above; there 0 stands for the state itself. Apart, so that the
    /// system finds no memory for links of states that stay alone.
    links: SharedWords,
}

impl Forest {
    /// A forest without states that may take so many bytes.
    pub fn new(limit: u64) -> Result<Forest, OutOfMemory> {
        Ok(Forest { words: SharedWords::new(limit / 2)?, links: SharedWords::new(limit / 2)? })
    }

    /// Bytes held.
    pub fn memory(&self) -> u64 {
        self.words.memory() + self.links.memory()
    }

    /// States that there is room for.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Makes room for so many states.
    pub fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.links.grow(states)?;
        self.words.grow(states)
    }

    /// States below a number will be asked for soon.
    pub fn prepare(&self, states: u32) {
        self.words.prepare(states as usize);
    }

    /// Flags and knowledge.
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
        // Ways are shortened by others at any time: what is next must not be lost.
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

    /// The root above a state, which may be one no more when this returns.
    pub fn root(&self, mut number: u32) -> u32 {
        while let Some(above) = self.above(number) {
            let Some(higher) = self.above(above) else { return above };
            // Shorter ways for those who come after; whatever is written here was once above.
            self.set_link(number, higher);
            number = higher;
        }
        number
    }

    /// The root above a state, and its word at a moment when it was one and nobody was at work on it.
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

    /// Changes the word of a root, unless it has changed meanwhile.
    #[inline(always)]
    fn swap(&self, root: u32, old: u64, new: u64) -> bool {
        self.word(root).compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Locks the root above a state.
    fn lock(&self, number: u32) -> u32 {
        loop {
            let (root, word) = self.idle(number);
            if self.swap(root, word, word | LOCKED) {
                return root;
            }
        }
    }

    /// Locks a node, if nobody else has locked it and it is a root.
    fn try_lock(&self, number: u32) -> bool {
        let word = self.word(number).load(Ordering::Acquire);
        word & (BELOW | LOCKED) == 0 && self.swap(number, word, word | LOCKED)
    }

    fn unlock(&self, root: u32) {
        self.word(root).fetch_and(!LOCKED, Ordering::AcqRel);
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
        self.word(self.root(number)).load(Ordering::Acquire) & DEAD != 0
    }

    /// A thread comes to a state.
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

    /// The last state of the ring of a root, which is locked; [`NONE`] where all of several states were done.
    fn last(&self, root: u32) -> u32 {
        match self.word(root).load(Ordering::Relaxed) & SEVERAL {
            0 => root,
            _ => self.link(root),
        }
    }

    /// Puts the second root, both of which are locked, below the first.
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
        let known = self.word(below).load(Ordering::Acquire) >> VISITS << VISITS;
        self.word(root).fetch_or(known | SEVERAL, Ordering::AcqRel);
        self.set_link(below, root);
        self.word(below).fetch_or(BELOW, Ordering::AcqRel);
    }

    /// All edges of a state were looked at, and what they lead to is dead or in its set.
    pub fn done(&self, number: u32) {
        self.word(number).fetch_or(DONE, Ordering::AcqRel);
    }

    /// The same, where the state is a set by itself, which is dead then; otherwise nothing happens, and the answer is no.
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

    /// A state of the set that is not done, another one each time; none where there is no such state: then the set is
    /// dead from here on.
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
                // Of one state only there is nothing to write down; a link would say that it has several.
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

    /// The set of a state meets these bits; says which it meets now.
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

    /// Has the memory of a state fetched that will be asked for soon.
    #[inline(always)]
    pub fn fetch(&self, number: u32) {
        self.words.prefetch(number as usize);
    }

    /// What is known of a state while nobody is at work.
    pub fn state(&self, number: u32) -> State {
        let own = self.word(number).load(Ordering::Acquire);
        let root = self.root(number);
        let word = self.word(root).load(Ordering::Acquire);
        let (done, expanded) = (own & DONE != 0, own & EXPANDED != 0);
        State { done, expanded, dead: word & DEAD != 0, root, met: word >> MET }
    }

    /// A state is known again that was written down; those with lower numbers are, and nobody has been in any of them.
    pub fn restore(&self, number: u32, State { done, expanded, dead, root, met }: State) {
        let flag = |is, flag| if is { flag } else { 0 };
        let done = flag(done, DONE);
        let expanded = flag(expanded, EXPANDED);
        self.word(number).store(done | expanded | flag(dead, DEAD) | met << MET, Ordering::Release);
        if root != number {
            self.unite(root, number);
        }
    }

    /// Whether this is the first time that a state is expanded.
    pub fn expand(&self, number: u32) -> bool {
        self.word(number).fetch_or(EXPANDED, Ordering::Relaxed) & EXPANDED == 0
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
        let mut forest = Forest::new(1 << 30).unwrap();
        forest.grow(states).unwrap();
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
