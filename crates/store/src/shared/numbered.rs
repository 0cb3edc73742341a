//! State numbers of an uncompressed [`SharedSet`], for searches that store data per state.
//!
//! A number is the position of a state in the table. It never changes and is below
//! [`SharedSet::places`]. Some positions are unused, because each thread fills its own blocks.
//!
//! *Entry points:* [`SharedSet::insert_numbered`], [`SharedSet::read_numbered`].

use super::table::{Open, Table};
use super::{Change, FRONTIER, Kind, SharedSet, ThreadHandle, WIDE, cut, flat};

impl SharedSet {
    /// Inserts states and appends for each its number and whether it is new. If the set must change
    /// first, the remaining states must be inserted again. `ends` is a hint as in
    /// [`SharedSet::insert`].
    pub fn insert_numbered(
        &self,
        hand: &mut ThreadHandle,
        states: &[u8],
        ends: &[u32],
        numbers: &mut Vec<(u32, bool)>,
    ) -> Result<(), Change> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        let table = self.table();
        assert!(!self.work(), "the set is whole");
        self.resume(hand);
        self.pack(hand, states, ends)?;
        let ThreadHandle { generation, opens, first, done, lost, scratch, hashes, .. } = hand;
        let claim = |open: &mut Open| {
            cut(*generation, first, done, open.next);
            table.claim(open)?;
            *first = open.next;
            Ok(())
        };
        let note = |number, new| numbers.push((number, new));
        let open = &mut opens[FRONTIER];
        match flat::insert((table, &self.hasher), open, scratch, hashes, claim, note, lost) {
            Ok(new) => {
                hand.inserted += new;
                Ok(())
            }
            Err((new, super::Full)) => {
                hand.inserted += new;
                Err(Change)
            }
        }
    }

    /// Appends the states with these numbers to `out`, and keeps them as the sources of the next
    /// insertions. The insertion of each state must happen before this call.
    pub fn read_numbered(&self, hand: &mut ThreadHandle, numbers: &[u32], out: &mut Vec<u8>) {
        assert!(self.former.is_none(), "states are not being rewritten");
        let start = out.len();
        let look = self.table().look();
        hand.sources.clear();
        hand.packed_sources.clear();
        hand.epoch = self.epoch;
        for &number in numbers {
            hand.packed_sources.extend_from_slice(look.row::<0>(number));
        }
        self.varying.unpack(&hand.packed_sources, out);
        if self.varying.words() >= WIDE {
            hand.sources.extend_from_slice(&out[start..]);
        } else {
            hand.packed_sources.clear();
        }
    }

    /// Upper bound (exclusive) of all numbers assigned before the set changes.
    pub fn places(&self) -> usize {
        self.table().places()
    }

    fn table(&self) -> &Table {
        match &self.kind {
            Kind::Flat(table) => table,
            Kind::Tree(_) => unreachable!("a set whose states have numbers is never compressed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inserts words, changing the set as often as necessary.
    fn put(set: &mut SharedSet, hand: &mut ThreadHandle, words: &[u32]) -> Vec<(u32, bool)> {
        let states: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut numbers = Vec::new();
        while set.insert_numbered(hand, &states[4 * numbers.len()..], &[], &mut numbers).is_err() {
            set.quiesce(hand, &mut Vec::new());
            set.change().unwrap();
            while set.work() {
                set.help(hand);
                set.settle().unwrap();
            }
        }
        numbers
    }

    #[test]
    fn every_state_keeps_the_number_that_it_got() {
        let mut set = SharedSet::new(&0u32.to_le_bytes(), 1, u64::MAX).unwrap();
        let mut hand = set.hand(0);
        let words: Vec<u32> = (0..50_000).map(|i| i * 7_919 % 1_000_003).collect();
        let first = put(&mut set, &mut hand, &words);
        assert!(first.iter().all(|(number, new)| *new && (*number as usize) < set.places()));
        let again = put(&mut set, &mut hand, &words);
        assert!(again.iter().all(|(_, new)| !new));
        assert_eq!(
            first.iter().map(|one| one.0).collect::<Vec<_>>(),
            again.iter().map(|one| one.0).collect::<Vec<_>>()
        );
        let (mut out, numbers) = (Vec::new(), [again[7].0, again[40_000].0]);
        set.read_numbered(&mut hand, &numbers, &mut out);
        assert_eq!(out, [words[7].to_le_bytes(), words[40_000].to_le_bytes()].concat());
    }
}
