//! Hide sets: for each token the macros that must not expand it any more ("blue paint"), from
//! Prosser's algorithm behind C's preprocessor (X3J11/86-196; C11 6.10.3.4). Sets are interned, so
//! that a token holds four bytes and equal questions are answered once.
//!
//! *Entry point:* [`HideSets`].
//! *Invariant:* a set is sorted and stands in the table once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::token::Token;

/// An interned set of macro names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct HideId(u32);

impl HideId {
    pub const EMPTY: HideId = HideId(0);
}

/// A token and the macros that must not expand it.
#[derive(Clone, Debug)]
pub(super) struct Tok {
    pub token: Token,
    pub hide: HideId,
}

/// More elements than this, all sets together, and expansion is given up: chains of thousands of
/// macros that each expand to the next.
const MOST_ELEMENTS: usize = 2_000_000;
/// The same for the elements that were looked at in making new sets.
const MOST_WORK: usize = 20_000_000;

/// The table of sets.
#[derive(Debug)]
pub(super) struct HideSets {
    sets: Vec<Rc<[u32]>>,
    index: FxHashMap<Rc<[u32]>, HideId>,
    unions: FxHashMap<(HideId, HideId), HideId>,
    meets: FxHashMap<(HideId, HideId), HideId>,
    elements: usize,
    work: usize,
}

impl HideSets {
    pub fn new() -> HideSets {
        let empty: Rc<[u32]> = Rc::from([]);
        HideSets {
            sets: vec![empty.clone()],
            index: FxHashMap::from_iter([(empty, HideId::EMPTY)]),
            unions: FxHashMap::default(),
            meets: FxHashMap::default(),
            elements: 0,
            work: 0,
        }
    }

    /// Whether the table has grown past its bound.
    pub fn is_full(&self) -> bool {
        self.elements > MOST_ELEMENTS || self.work > MOST_WORK
    }

    pub fn contains(&self, set: HideId, name: u32) -> bool {
        self.sets[set.0 as usize].binary_search(&name).is_ok()
    }

    pub fn insert(&mut self, set: HideId, name: u32) -> HideId {
        let single = self.intern(vec![name]);
        self.union(set, single)
    }

    pub fn union(&mut self, a: HideId, b: HideId) -> HideId {
        if a == b || b == HideId::EMPTY {
            return a;
        }
        if a == HideId::EMPTY {
            return b;
        }
        let key = (HideId(a.0.min(b.0)), HideId(a.0.max(b.0)));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut both = [&*self.sets[a.0 as usize], &*self.sets[b.0 as usize]].concat();
        self.work += both.len();
        both.sort_unstable();
        both.dedup();
        let id = self.intern(both);
        self.unions.insert(key, id);
        id
    }

    pub fn intersection(&mut self, a: HideId, b: HideId) -> HideId {
        if a == b {
            return a;
        }
        if a == HideId::EMPTY || b == HideId::EMPTY {
            return HideId::EMPTY;
        }
        let key = (HideId(a.0.min(b.0)), HideId(a.0.max(b.0)));
        if let Some(&known) = self.meets.get(&key) {
            return known;
        }
        let other = &self.sets[b.0 as usize];
        self.work += self.sets[a.0 as usize].len();
        let both = self.sets[a.0 as usize].iter().copied();
        let both = both.filter(|name| other.binary_search(name).is_ok()).collect();
        let id = self.intern(both);
        self.meets.insert(key, id);
        id
    }

    fn intern(&mut self, set: Vec<u32>) -> HideId {
        if let Some(&known) = self.index.get(set.as_slice()) {
            return known;
        }
        self.elements += set.len();
        let set: Rc<[u32]> = set.into();
        let id = HideId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.index.insert(set, id);
        id
    }
}
