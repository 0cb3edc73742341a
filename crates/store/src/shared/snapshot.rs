//! Serialisation of the states of a [`SharedSet`], and preparation of a set to insert them again.
//!
//! A [`Snapshot`] defines the format: the varying bits of each state in layout order, independently
//! of the order in which the set stores them. States of an uncompressed set are written in order of
//! their numbers ([`SharedSet::numbers`]), those of a compressed set in the order of the root
//! table.
//!
//! *Entry points:* [`SharedSet::each`], [`SharedSet::each_of`]; [`SharedSet::admit_bits`].
//!
//! *Invariant:* Every state is written once. In particular, the unused rest of an open block is
//! skipped.

use std::ops::Range;

use super::table::{BLOCK, Open, without};
use super::tree::{OVERFLOW, Rows};
use super::{FRONTIER, Kind, Segment, SharedSet};
use crate::OutOfMemory;
use crate::varying::Varying;

/// Number of states unpacked together.
const TOGETHER: usize = BLOCK as usize;

/// Serialisation format of states.
#[derive(Clone, Debug)]
pub struct Snapshot(Varying);

impl Snapshot {
    /// The format of states of the width of `first` that differ from it in the bits of `mask`;
    /// `None` if the mask does not fit.
    pub fn new(first: &[u8], mask: &[u64]) -> Option<Snapshot> {
        let varying = Varying::new(first);
        let half = first.len() % 8 == 4;
        let outside = half && mask.last().is_some_and(|last| last >> 32 != 0);
        (mask.len() == varying.words() && !outside).then(|| Snapshot(varying.admit(mask)))
    }

    /// The varying bits.
    pub fn mask(&self) -> &[u64] {
        self.0.mask()
    }

    /// Number of bytes of a serialised state.
    pub fn row(&self) -> usize {
        self.0.packed()
    }

    /// Deserialises states and appends them to `out`.
    pub fn read(&self, rows: &[u8], out: &mut Vec<u8>) {
        self.0.unpack(rows, out);
    }
}

/// State numbers in ascending order, mapped to consecutive ranks.
#[derive(Clone, Debug)]
pub struct Numbers(Vec<(Range<u32>, u32)>);

impl Numbers {
    /// The number of state numbers.
    pub fn len(&self) -> u32 {
        self.0.last().map_or(0, |(range, before)| before + (range.end - range.start))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|(range, _)| range.clone())
    }

    /// Rank of a state number.
    pub fn before(&self, number: u32) -> u32 {
        let at = self.0.partition_point(|(range, _)| range.end <= number);
        let (range, before) = &self.0[at];
        before + (number - range.start)
    }
}

impl SharedSet {
    /// The serialisation format of this set.
    pub fn sheet(&self) -> Snapshot {
        Snapshot(self.varying.ordered())
    }

    /// Whether no change is incomplete. All handles must be quiescent.
    pub fn is_whole(&self) -> bool {
        !self.work() && self.moving.is_none() && self.former.is_none()
    }

    /// The numbers of all states of an uncompressed set. All handles must be quiescent.
    pub fn numbers(&self) -> Numbers {
        let mut before = 0;
        let ranges = match &self.kind {
            Kind::Flat(table) => without(0..table.claimed(), &self.holes()),
            Kind::Tree(_) => Vec::new(),
        };
        let ranges = ranges.into_iter().filter(|range| !range.is_empty()).map(|range| {
            let start = before;
            before += range.end - range.start;
            (range, start)
        });
        Numbers(ranges.collect())
    }

    /// Numbers of a table that belong to no state.
    pub(super) fn holes(&self) -> Vec<Open> {
        self.open_blocks().iter().map(|opens| opens[FRONTIER]).chain(self.dead.iter().copied()).collect()
    }

    /// Calls `take` with all serialised states in several parts. No change may be incomplete, and
    /// all handles must be quiescent.
    pub fn each<E>(&self, sheet: &Snapshot, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        assert!(self.is_whole(), "nothing is half done");
        match &self.kind {
            Kind::Flat(table) => {
                for numbers in without(0..table.claimed(), &self.holes()) {
                    self.rows(sheet, numbers, &mut take)?;
                }
            }
            Kind::Tree(tree) => {
                let holes: Vec<Open> = self.open_blocks().iter().map(|opens| opens[OVERFLOW]).collect();
                let (mut rows, mut packed, mut pairs) = (Rows::default(), Vec::new(), Vec::new());
                let mut writer = Writer::new(self, sheet);
                let mut some = |pairs: &mut Vec<(u32, u32)>| {
                    packed.clear();
                    let count = pairs.len();
                    tree.read_pairs(&mut rows, (count, pairs.drain(..)), self.varying.packed(), &mut packed);
                    take(writer.write(&packed))
                };
                tree.each_root(&holes, |pair| {
                    pairs.push(pair);
                    if pairs.len() < TOGETHER { Ok(()) } else { some(&mut pairs) }
                })?;
                some(&mut pairs)?;
            }
        }
        Ok(())
    }

    /// Like [`SharedSet::each`] for the states of a segment.
    pub fn each_of<E>(
        &self,
        sheet: &Snapshot,
        segment: Segment,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        assert!(segment.generation == self.generation, "a segment of this set");
        self.rows(sheet, segment.from..segment.to, &mut take)
    }

    fn rows<E>(
        &self,
        sheet: &Snapshot,
        numbers: Range<u32>,
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        assert!(self.former.is_none(), "states are not being rewritten");
        let mut writer = Writer::new(self, sheet);
        let (mut rows, mut packed) = (Rows::default(), Vec::new());
        for start in numbers.clone().step_by(TOGETHER) {
            let some = start..numbers.end.min(start + TOGETHER as u32);
            match &self.kind {
                Kind::Flat(table) => take(writer.write(table.rows(some)))?,
                Kind::Tree(tree) => {
                    packed.clear();
                    tree.read(&mut rows, some, self.varying.packed(), &mut packed);
                    take(writer.write(&packed))?;
                }
            }
        }
        Ok(())
    }

    /// Assigns positions to bits before any state differs in them, which avoids a change of the set
    /// for each. All handles must be quiescent; work may be pending afterwards, as after
    /// [`SharedSet::change`].
    pub fn admit_bits(&mut self, mask: &[u64]) -> Result<(), OutOfMemory> {
        let news = self.news.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (new, (bits, known)) in news.iter_mut().zip(mask.iter().zip(self.varying.mask())) {
            *new |= bits & !known;
        }
        self.change()
    }
}

/// Converts packed forms of a set to the serialisation format.
struct Writer<'a> {
    set: &'a SharedSet,
    sheet: &'a Snapshot,
    states: Vec<u8>,
    rows: Vec<u8>,
    none: Vec<u64>,
}

impl<'a> Writer<'a> {
    fn new(set: &'a SharedSet, sheet: &'a Snapshot) -> Writer<'a> {
        Writer { set, sheet, states: Vec::new(), rows: Vec::new(), none: vec![0; set.varying.words()] }
    }

    fn write(&mut self, packed: &[u8]) -> &[u8] {
        self.states.clear();
        self.set.varying.unpack(packed, &mut self.states);
        self.rows.clear();
        self.rows.resize(self.states.len() / self.set.width * self.sheet.row(), 0);
        self.sheet.0.pack(&self.states, &mut self.rows, &mut self.none);
        debug_assert!(self.none.iter().all(|&new| new == 0), "the sheet is one of this set");
        &self.rows
    }
}

impl Segment {
    /// The parts of the first segments that are not in the others; all belong to one set.
    pub fn minus(all: &[Segment], others: &[Segment]) -> Vec<Segment> {
        let holes: Vec<Open> = others.iter().map(|other| Open { next: other.from, end: other.to }).collect();
        let rest = all.iter().flat_map(|&segment| {
            let ranges = without(segment.from..segment.to, &holes);
            ranges.into_iter().map(move |range| Segment { from: range.start, to: range.end, ..segment })
        });
        rest.filter(|segment| !segment.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::shared::ThreadHandle;

    /// States of three words, the last of which takes three values only.
    fn state(i: u32) -> [u8; 12] {
        let mut state = [7; 12];
        state[..4].copy_from_slice(&i.wrapping_mul(2_654_435_761).to_le_bytes());
        state[4..8].copy_from_slice(&((i % 509) << 9).to_le_bytes());
        state[8] = (i % 3) as u8;
        state
    }

    fn settle(set: &mut SharedSet, hand: &mut ThreadHandle) {
        while set.work() {
            set.help(hand);
            set.settle().unwrap();
        }
    }

    fn put(set: &mut SharedSet, hand: &mut ThreadHandle, states: &[u8]) -> Vec<Segment> {
        let mut segments = Vec::new();
        for some in states.chunks(12 * 1000) {
            while set.insert(hand, some, &[]).is_err() {
                set.quiesce(hand, &mut segments);
                set.change().unwrap();
                settle(set, hand);
            }
        }
        set.quiesce(hand, &mut segments);
        segments
    }

    fn all(set: &SharedSet, sheet: &Snapshot) -> Vec<u8> {
        let mut rows = Vec::new();
        set.each(sheet, |some| {
            rows.extend_from_slice(some);
            Ok::<(), Infallible>(())
        })
        .unwrap();
        let mut states = Vec::new();
        sheet.read(&rows, &mut states);
        states
    }

    fn sorted(states: &[u8]) -> Vec<&[u8]> {
        let mut list: Vec<&[u8]> = states.chunks(12).collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn every_state_is_written_down_once() {
        let mut set = SharedSet::new(&state(0), 2, u64::MAX).unwrap();
        let mut hands = [set.hand(0), set.hand(1)];
        let states: Vec<u8> = (0..40_000).flat_map(state).collect();
        for (number, some) in states.chunks(12 * 777).enumerate() {
            put(&mut set, &mut hands[number % 2], some);
        }
        let sheet = set.sheet();
        assert!(sheet.row() < 12 && Snapshot::new(&state(0), sheet.mask()).unwrap().row() == sheet.row());
        assert!(
            Snapshot::new(&state(0), &sheet.mask()[1..]).is_none()
                && Snapshot::new(&state(0), &[0, 1 << 40]).is_none()
        );
        assert_eq!(sorted(&all(&set, &sheet)), sorted(&states));
        let numbers = set.numbers();
        assert_eq!(numbers.len(), 40_000);
        assert!(numbers.iter().enumerate().all(|(i, number)| numbers.before(number) == i as u32));
        // Repeat with trees, and with a set that is filled again.
        set.compress().unwrap();
        settle(&mut set, &mut hands[0]);
        set.carry_over(&mut hands[0], &[]).unwrap();
        assert!(set.is_tree());
        assert_eq!(sorted(&all(&set, &sheet)), sorted(&states));
        let mut again = SharedSet::new(&state(0), 1, u64::MAX).unwrap();
        let mut hand = again.hand(0);
        again.admit_bits(sheet.mask()).unwrap();
        settle(&mut again, &mut hand);
        assert_eq!(again.packed_width(), sheet.row());
        put(&mut again, &mut hand, &all(&set, &sheet));
        assert_eq!(hand.inserted(), 40_000);
        assert_eq!(sorted(&all(&again, &again.sheet())), sorted(&states));
    }

    #[test]
    fn what_is_done_is_taken_from_a_level() {
        let segment = |from, to| Segment { generation: 3, from, to };
        let rest = Segment::minus(
            &[segment(0, 10), segment(20, 30)],
            &[segment(4, 6), segment(20, 30), segment(9, 10)],
        );
        assert_eq!(rest, [segment(0, 4), segment(6, 9)]);
    }
}
