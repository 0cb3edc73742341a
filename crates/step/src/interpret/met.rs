//! The states inside uninterrupted sequences that were met already, so that paths which meet are
//! followed once.
//!
//! An `atomic` of thirty choices between two values has a thousand million paths and some sixty
//! states. A state is known by all that decides what comes after it and what is told of it: who
//! goes on and how, who has moved so far, and its bytes.
//!
//! *Entry point:* [`Met`], a set of states with what each led to; main function: [`Met::meet`].
//!
//! *Invariant:* entries with equal hashes form a chain, and no two entries have equal keys.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

/// No entry.
const NONE: u32 = u32::MAX;

/// States that were met, and what they led to.
#[derive(Clone, Default, Debug)]
pub(crate) struct Met {
    /// For each hash the last entry that has it.
    heads: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    /// Key after key.
    keys: Vec<u8>,
    /// The key that is being looked up.
    key: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The entry before it with the same hash.
    next: u32,
    /// Where its key begins; it ends where that of the next entry begins.
    start: usize,
    led: Led,
}

/// What a state inside a sequence led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Led {
    /// It is on the path that is being followed.
    OnPath,
    /// To this successor first, or to none.
    To(Option<u32>),
}

/// What is said of a state when it is met.
pub(crate) enum Meeting {
    /// It is new, and has this number from now on.
    New(u32),
    /// It was met before.
    Again(Led),
}

impl Met {
    /// Forgets all and keeps the memory.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.entries.clear();
        self.keys.clear();
    }

    /// How many states it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes that it takes, more or less.
    pub fn memory(&self) -> usize {
        self.keys.capacity() + self.entries.capacity() * size_of::<Entry>() + self.heads.capacity() * 24
    }

    /// Meets the state in which process `pid` goes on, in a deterministic sequence or not, after these have moved
    /// since the sequence began.
    pub fn meet(&mut self, pid: u32, deterministic: bool, movers: &[u32], state: &[u8]) -> Meeting {
        self.key.clear();
        self.key.extend_from_slice(&pid.to_le_bytes());
        self.key.push(deterministic.into());
        // As long as the states are of one width, no two lists of movers give one key.
        self.key.extend_from_slice(state);
        movers.iter().for_each(|mover| self.key.extend_from_slice(&mover.to_le_bytes()));
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(&self.key);
        let head = self.heads.entry(hash).or_insert(NONE);
        let mut at = *head;
        while at != NONE {
            let Entry { next, start, led } = self.entries[at as usize];
            let end = self.entries.get(at as usize + 1).map_or(self.keys.len(), |entry| entry.start);
            if self.keys[start..end] == self.key {
                return Meeting::Again(led);
            }
            at = next;
        }
        let number = self.entries.len() as u32;
        self.entries.push(Entry { next: *head, start: self.keys.len(), led: Led::OnPath });
        self.keys.extend_from_slice(&self.key);
        *head = number;
        Meeting::New(number)
    }

    /// All that comes after a state is known.
    pub fn leave(&mut self, number: u32, first: Option<u32>) {
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.led = Led::To(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_once() {
        let mut met = Met::default();
        let numbers: Vec<u32> = (0..100u32)
            .map(|n| match met.meet(n % 3, n % 2 == 0, &[n / 50], &n.to_le_bytes()) {
                Meeting::New(number) => number,
                Meeting::Again(_) => panic!("{n} is new"),
            })
            .collect();
        assert_eq!(numbers, (0..100).collect::<Vec<_>>());
        met.leave(7, Some(3));
        for n in 0..100u32 {
            let wanted = if n == 7 { Led::To(Some(3)) } else { Led::OnPath };
            let again = met.meet(n % 3, n % 2 == 0, &[n / 50], &n.to_le_bytes());
            assert!(matches!(again, Meeting::Again(led) if led == wanted), "{n}");
        }
        assert!(matches!(met.meet(0, true, &[1], &0u32.to_le_bytes()), Meeting::New(100)), "others moved");
        assert!(matches!(met.meet(0, false, &[0], &0u32.to_le_bytes()), Meeting::New(101)), "another kind");
        assert!(matches!(met.meet(1, true, &[0], &0u32.to_le_bytes()), Meeting::New(102)), "another process");
        assert!(matches!(met.meet(0, true, &[0, 1], &0u32.to_le_bytes()), Meeting::New(103)), "more moved");
        met.clear();
        assert!(met.len() == 0 && matches!(met.meet(0, true, &[0], &[]), Meeting::New(0)));
    }
}
