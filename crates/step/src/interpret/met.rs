//! Visited states inside atomic sequences, so that converging paths are explored once.
//!
//! An `atomic` sequence of thirty binary choices has 2^30 paths and about sixty states. A state is
//! identified by everything that determines its continuation and its report: the process in
//! control, its kind of control, the processes executed so far, and the bytes of the state.
//!
//! *Entry point:* [`Met`], a set of states with their results; main function: [`Met::meet`].
//!
//! *Invariant:* entries with equal hashes form a chain, and no two entries have equal keys.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

/// No entry.
const NONE: u32 = u32::MAX;

/// Visited states and their results.
#[derive(Clone, Default, Debug)]
pub(crate) struct Met {
    /// For each hash, the last entry with it.
    heads: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    /// All keys, one after the other.
    keys: Vec<u8>,
    /// The key being looked up.
    key: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The preceding entry with the same hash.
    next: u32,
    /// Start of its key; the key ends at the start of the next one.
    start: usize,
    led: Led,
}

/// Result of a state inside a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Led {
    /// The state is on the current path.
    OnPath,
    /// The first successor that it leads to, if any.
    To(Option<u32>),
}

/// Result of a visit.
pub(crate) enum Meeting {
    /// The state is new, and is assigned this number.
    New(u32),
    /// The state was visited before.
    Again(Led),
}

impl Met {
    /// Discards all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.entries.clear();
        self.keys.clear();
    }

    /// Approximate number of bytes used.
    pub fn memory(&self) -> usize {
        self.keys.capacity() + self.entries.capacity() * size_of::<Entry>() + self.heads.capacity() * 24
    }

    /// Visits the state in which process `pid` continues, in a deterministic sequence or not, after
    /// the processes `movers` were executed in the sequence.
    pub fn meet(&mut self, pid: u32, deterministic: bool, movers: &[u32], state: &[u8]) -> Meeting {
        self.key.clear();
        self.key.extend_from_slice(&pid.to_le_bytes());
        self.key.push(deterministic.into());
        // For states of the same width, different lists of processes have different keys.
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

    /// Records the result of a state whose continuations were all explored.
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
        assert!(met.entries.is_empty() && matches!(met.meet(0, true, &[0], &[]), Meeting::New(0)));
    }
}
