//! Spanning tree of a breadth-first search in about half a byte per state.
//!
//! A parent pointer costs four to eight bytes per state. A breadth-first search needs none: states
//! are expanded in the order in which they were found, so the number of new states of each
//! expansion determines the parents. This is the level-order unary degree sequence: for each
//! expanded state a 0 for every new state, then a 1. A second bit string holds, for every state
//! found, its position among the successors of its parent, as the gap to the preceding new sibling
//! in Elias gamma code (most gaps are 0 and cost one bit). Marks at regular intervals hold the
//! positions in both strings, so that an entry is reached without reading from the start.
//!
//! *Entry points:* [`SpanningTree::record`] during the search, [`SpanningTree::path`] for a trace.
//!
//! *Source:* G. Jacobson, Space-efficient static trees and graphs, FOCS 1989.
//!
//! *Invariant:* States are numbered in the order found, starting with the initial state 0, and
//! recorded in the order of their numbers.

use crate::paths::bit_string::Bits;

/// Number of successors processed together.
const PART: usize = 64;

/// Number of states between two marks.
const STRIDE: u64 = 1024;

/// The spanning tree.
#[derive(Clone, Default, Debug)]
pub struct SpanningTree {
    /// For each expanded state in order: a 0 for each new state, then a 1.
    families: Bits,
    /// For each state found in order: the gap to its preceding sibling, in gamma code.
    gaps: Bits,
    /// For every `STRIDE`th state found, the positions of its entries.
    marks: Vec<Mark>,
    /// Number of states expanded.
    expanded: u64,
    /// Number of states found, not counting the initial state.
    found: u64,
}

/// Read position in the tree.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cursor {
    family: u64,
    gap: u64,
}

/// Positions of the entries of a state.
#[derive(Clone, Copy, Debug)]
struct Mark {
    family: u64,
    gap: u64,
    parent: u64,
    /// The first successor of the parent after the preceding sibling of the state.
    base: u32,
}

impl SpanningTree {
    /// Records the next expanded state: for each of its successors in order whether it is a new
    /// state. Returns the number of new states.
    #[inline]
    pub fn record(&mut self, fresh: &[bool]) -> u64 {
        let (mut base, mut family) = (0, 0);
        for (part, fresh) in (0..).zip(fresh.chunks(PART)) {
            // New successors are unpredictable: a loop over these is faster than a branch for each
            // successor.
            let mut left = fresh.iter().rev().fold(0, |mask, &fresh| mask << 1 | u64::from(fresh));
            let count = left.count_ones();
            while left != 0 {
                let position = part * PART as u32 + left.trailing_zeros();
                left &= left - 1;
                if self.found.is_multiple_of(STRIDE) {
                    self.mark(base, count - left.count_ones() - 1);
                }
                let value = u64::from(position - base) + 1;
                let zeros = value.ilog2();
                self.gaps.push((value & !(1 << zeros)) << (zeros + 1) | 1 << zeros, 2 * zeros + 1);
                base = position + 1;
                self.found += 1;
            }
            self.families.push(0, count);
            family += u64::from(count);
        }
        self.families.push(1, 1);
        self.expanded += 1;
        family
    }

    /// The path from the initial state to the state with this number: for each step, the position
    /// of the successor. The state must have been found.
    pub fn path(&self, state: u64) -> Vec<u32> {
        let mut path = Vec::new();
        // The block read last: a long path visits many states of each block, in order.
        let (mut number, mut block) = (u64::MAX, Vec::new());
        let mut at = state;
        while at > 0 {
            // States are numbered from 1 here, their entries from 0.
            if number != (at - 1) / STRIDE {
                number = (at - 1) / STRIDE;
                self.read_block(number, &mut block);
            }
            let (parent, position) = block[((at - 1) % STRIDE) as usize];
            path.push(position);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The tree with the bit strings of [`SpanningTree::strings`]; `None` if they are malformed.
    pub(crate) fn restore(families: Bits, gaps: Bits) -> Option<SpanningTree> {
        let mut tree = SpanningTree { families, gaps, ..SpanningTree::default() };
        let mut cursor = Cursor::default();
        let (mut end, mut base, mut known) = (0, 0, 0);
        while end < tree.families.len() {
            // Only a state found before can be expanded; otherwise a path would contain a cycle.
            if base == 0 && tree.expanded > known {
                return None;
            }
            if tree.families.window(end) & 1 == 1 {
                tree.expanded += 1;
                base = 0;
                known = tree.found;
            } else {
                if tree.found.is_multiple_of(STRIDE) {
                    tree.marks.push(Mark { family: end, gap: cursor.gap, parent: tree.expanded, base });
                }
                if cursor.gap >= tree.gaps.len() {
                    return None;
                }
                base = tree.entry(&mut cursor.gap, base)?.checked_add(1)?;
                tree.found += 1;
            }
            end += 1;
        }
        let whole = end == 0 || tree.families.window(end - 1) & 1 == 1;
        (whole && cursor.gap == tree.gaps.len()).then_some(tree)
    }

    /// The bit strings of the tree.
    pub(crate) fn strings(&self) -> [&Bits; 2] {
        [&self.families, &self.gaps]
    }

    /// Appends to `positions` the positions of the new successors of the next expanded state. The
    /// cursor must not be at the end.
    pub(crate) fn next_family(&self, cursor: &mut Cursor, positions: &mut Vec<u32>) {
        let mut base = 0;
        while self.families.window(cursor.family) & 1 == 0 && cursor.family < self.families.len() {
            let position = self.entry(&mut cursor.gap, base).unwrap_or(u32::MAX);
            positions.push(position);
            base = position.saturating_add(1);
            cursor.family += 1;
        }
        cursor.family += 1;
    }

    /// Decodes the entry at `gap`, the position of a successor at or after `base`, and advances to
    /// the next entry. `None` if the code is malformed.
    fn entry(&self, gap: &mut u64, base: u32) -> Option<u32> {
        let zeros = self.gaps.window(*gap).trailing_zeros();
        if zeros >= u32::BITS {
            return None;
        }
        let low = self.gaps.window(*gap + u64::from(zeros) + 1) & ((1 << zeros) - 1);
        *gap += 2 * u64::from(zeros) + 1;
        base.checked_add(u32::try_from((low | 1 << zeros) - 1).ok()?)
    }

    /// Parent and position of each state of a block.
    fn read_block(&self, number: u64, block: &mut Vec<(u64, u32)>) {
        block.clear();
        let count = STRIDE.min(self.found - number * STRIDE) as usize;
        let Mark { mut family, mut gap, mut parent, mut base } = self.marks[number as usize];
        while block.len() < count {
            let ends = self.families.window(family).trailing_ones();
            if ends > 0 {
                family += u64::from(ends);
                parent += u64::from(ends);
                base = 0;
                continue;
            }
            let zeros = self.gaps.window(gap).trailing_zeros();
            let low = self.gaps.window(gap + u64::from(zeros) + 1) & ((1 << zeros) - 1);
            let position = base + ((low | 1 << zeros) - 1) as u32;
            block.push((parent, position));
            gap += 2 * u64::from(zeros) + 1;
            family += 1;
            base = position + 1;
        }
    }

    /// Number of states recorded as expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Bytes of memory.
    pub fn memory(&self) -> u64 {
        self.families.memory() + self.gaps.memory() + (self.marks.capacity() * size_of::<Mark>()) as u64
    }

    /// Adds a mark for the next state; `ahead` preceding siblings are not yet written.
    #[cold]
    fn mark(&mut self, base: u32, ahead: u32) {
        let family = self.families.len() + u64::from(ahead);
        let mark = Mark { family, gap: self.gaps.len(), parent: self.expanded, base };
        self.marks.push(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Builds a tree, and the same tree with explicit parents, from a list of successor lists.
    fn both(lists: &[Vec<bool>]) -> (SpanningTree, Vec<(u64, u32)>) {
        let mut tree = SpanningTree::default();
        let mut parents = Vec::new();
        for (state, list) in lists.iter().enumerate() {
            if state > parents.len() {
                break; // no such state was found
            }
            let fresh = list.iter().enumerate().filter(|(_, f)| **f);
            let before = parents.len();
            parents.extend(fresh.map(|(position, _)| (state as u64, position as u32)));
            assert_eq!(tree.record(list), (parents.len() - before) as u64);
        }
        (tree, parents)
    }

    fn explicit_path(parents: &[(u64, u32)], state: u64) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = state;
        while at > 0 {
            let (parent, position) = parents[at as usize - 1];
            path.insert(0, position);
            at = parent;
        }
        path
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn paths_are_those_of_explicit_parents(
            lists in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.4), 0..9), 1..3000)
        ) {
            let (tree, parents) = both(&lists);
            for state in (0..=parents.len() as u64).step_by(7) {
                prop_assert_eq!(tree.path(state), explicit_path(&parents, state));
            }
        }

        #[test]
        fn is_restored_from_its_strings(
            lists in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.4), 0..90), 1..300)
        ) {
            let (tree, parents) = both(&lists);
            let [families, gaps] = tree.strings();
            let mut again = SpanningTree::restore(families.clone(), gaps.clone()).unwrap();
            prop_assert_eq!(again.expanded(), tree.expanded());
            for state in (0..=parents.len() as u64).step_by(97) {
                prop_assert_eq!(again.path(state), explicit_path(&parents, state));
            }
            let (mut cursor, mut position) = (Cursor::default(), Vec::new());
            for list in &lists[..tree.expanded() as usize] {
                position.clear();
                again.next_family(&mut cursor, &mut position);
                let fresh: Vec<u32> = (0..).zip(list).filter(|(_, fresh)| **fresh).map(|(i, _)| i).collect();
                prop_assert_eq!(&position, &fresh);
            }
            // It continues like the original.
            if again.expanded() <= parents.len() as u64 {
                again.record(&[false, true]);
                let path = again.path(parents.len() as u64 + 1);
                prop_assert_eq!(path.last(), Some(&1));
            }
        }

        #[test]
        fn no_strings_make_it_panic(families in prop::collection::vec(any::<u64>(), 0..9), gaps in prop::collection::vec(any::<u64>(), 0..9)) {
            let string = |words: &[u64]| {
                let mut bits = Bits::default();
                words.iter().for_each(|&word| bits.push(word >> 3, 61));
                bits
            };
            if let Some(tree) = SpanningTree::restore(string(&families), string(&gaps)) {
                let mut cursor = Cursor::default();
                (0..tree.expanded()).for_each(|_| tree.next_family(&mut cursor, &mut Vec::new()));
                tree.path(tree.expanded().saturating_sub(1));
            }
        }

        #[test]
        fn families_of_any_size_are_told_apart(
            sizes in prop::collection::vec((0usize..3000, any::<u64>()), 1..12)
        ) {
            let lists: Vec<Vec<bool>> = (sizes.iter())
                .map(|&(size, seed)| (0..size).map(|i| (seed >> (i % 61)) & 1 == 1).collect())
                .collect();
            let (tree, parents) = both(&lists);
            for state in 0..=parents.len() as u64 {
                prop_assert_eq!(tree.path(state), explicit_path(&parents, state));
            }
        }
    }

    #[test]
    fn a_path_of_a_million_steps_is_found() {
        let mut tree = SpanningTree::default();
        for state in 0..1_000_000u64 {
            tree.record(&[false, state % 3 == 0, state % 3 != 0]);
        }
        let path = tree.path(1_000_000);
        assert_eq!(path.len(), 1_000_000);
        assert!(path.iter().enumerate().all(|(i, &p)| p == if i % 3 == 0 { 1 } else { 2 }));
    }

    #[test]
    fn takes_about_half_a_byte_a_state() {
        let mut tree = SpanningTree::default();
        for state in 0..1_000_000usize {
            // One new state among three successors, at each position equally often.
            tree.record(&[state % 3 == 0, state % 3 == 1, state % 3 == 2]);
        }
        assert!(tree.memory() < 650_000, "{}", tree.memory());
    }
}
