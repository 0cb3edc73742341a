//! Uncompressed state set: all states in order of insertion, with a hash index.
//!
//! Blocks of a batch pass through a software pipeline of three stages, so that no lookup waits for
//! memory: hash and prefetch the index line; find a tag and prefetch its state; compare, and append
//! new states. While one block is compared, the next is searched for tags and the one after is
//! hashed. Loops are specialised for the widths of narrow states. Growth is described in
//! [`crate::index`] and [`crate::pages`], the hash function in [`crate::hash`].
//!
//! *Entry point:* [`PlainTable::insert`].
//!
//! *Invariant:* each state of the arena is in the index exactly once, under its number. Memory for
//! a whole batch is reserved before any insertion, so a failed call changes nothing.
//!
//! *Concurrency:* [`crate::shared`] contains the version for several threads.

use crate::arena::Arena;
use crate::hash::{Multilinear, StateHash};
use crate::index::Index;
use crate::line::prefetch;
use crate::numbered::Numbered;
use crate::packed::Rewrite;
use crate::{OutOfMemory, StateSet};

/// Number of states per block; three blocks are in flight at once.
const BLOCK: usize = 16;

/// Invalid state number.
const NONE: u32 = u32::MAX;

/// Maximum number of states in one table: numbers are 32 bits wide.
pub(crate) const MOST_STATES: u64 = u32::MAX as u64;

/// A set of uncompressed states: the width plus 6 to 12 bytes per state.
pub struct PlainTable {
    table: Table<Multilinear>,
}

impl PlainTable {
    /// An empty set for states of `width` bytes (a multiple of 4), without a limit on memory.
    pub fn new(width: usize) -> Result<PlainTable, OutOfMemory> {
        PlainTable::with_limit(width, u64::MAX)
    }

    /// An empty set for states of `width` bytes (a multiple of 4) that never uses more than `limit`
    /// bytes.
    pub fn with_limit(width: usize, limit: u64) -> Result<PlainTable, OutOfMemory> {
        Ok(PlainTable { table: Table::new(width, limit)? })
    }

    /// State number `number` in order of insertion, if it exists.
    pub fn get(&self, number: u64) -> Option<&[u8]> {
        self.table.get(number)
    }

    /// The bytes of the states with these numbers.
    pub(crate) fn range(&self, numbers: std::ops::Range<u64>) -> &[u8] {
        let width = self.table.width;
        &self.table.arena.bytes()[numbers.start as usize * width..numbers.end as usize * width]
    }

    /// Minimum number of bytes of the set with `states` states.
    pub(crate) fn memory_with(&self, states: u64) -> u64 {
        let index = Index::bytes_for(usize::try_from(states).unwrap_or(usize::MAX));
        states.saturating_mul(self.table.width as u64).saturating_add(index as u64)
    }

    /// Number of states taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.table.taken as u64
    }
}

impl StateSet for PlainTable {
    fn width(&self) -> usize {
        self.table.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        self.table.insert(states, fresh)
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        self.table.take(max, out)
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        self.table.widen(width)
    }

    fn len(&self) -> u64 {
        self.table.arena.len() as u64
    }

    fn memory(&self) -> u64 {
        self.table.memory()
    }
}

impl Rewrite for PlainTable {
    fn is_rewritten_fast(&self) -> bool {
        true
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        self.table.rewrite(map)
    }
}

impl Numbered for PlainTable {
    fn insert_numbered(
        &mut self,
        states: &[u8],
        _: &[u32],
        numbers: &mut Vec<u32>,
    ) -> Result<(), OutOfMemory> {
        numbers.reserve(states.len() / self.table.width);
        self.table.insert_each(states, |number, _| numbers.push(number))
    }

    fn append_states(&mut self, numbers: &[u32], out: &mut Vec<u8>) {
        for &number in numbers {
            out.extend_from_slice(self.table.arena.get(number as usize));
        }
    }

    fn clear(&mut self) -> Result<(), OutOfMemory> {
        self.table = Table::new(self.table.width, self.table.limit)?;
        Ok(())
    }
}

/// The set, for any hash function.
struct Table<H> {
    width: usize,
    arena: Arena,
    index: Index,
    /// Number of states taken.
    taken: usize,
    limit: u64,
    hasher: H,
    /// Hashes of the current batch.
    hashes: Vec<u64>,
}

impl<H: StateHash + Default> Table<H> {
    fn new(width: usize, limit: u64) -> Result<Table<H>, OutOfMemory> {
        assert!(width > 0 && width.is_multiple_of(4), "a state is a positive number of 4-byte words");
        let mut hasher = H::default();
        if hasher.memory(width) > limit {
            return Err(OutOfMemory);
        }
        hasher.prepare(width);
        let arena = Arena::new(width, limit)?;
        Ok(Table { width, arena, index: Index::new()?, taken: 0, limit, hasher, hashes: Vec::new() })
    }

    fn memory(&self) -> u64 {
        self.arena.memory() + self.index.memory() + self.scratch()
    }

    fn scratch(&self) -> u64 {
        8 * self.hashes.capacity() as u64 + self.hasher.memory(self.width)
    }

    fn get(&self, number: u64) -> Option<&[u8]> {
        (number < self.arena.len() as u64).then(|| self.arena.get(number as usize))
    }

    /// Reserves memory for `more` further states.
    fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        let need = self.arena.len() + more;
        if need as u64 > MOST_STATES {
            return Err(OutOfMemory);
        }
        if self.hashes.capacity() < more {
            let allowance = self.limit.saturating_sub(self.memory() - 8 * self.hashes.capacity() as u64);
            if 8 * more as u64 > allowance {
                return Err(OutOfMemory);
            }
            self.hashes = Vec::new();
            self.hashes.try_reserve_exact(more).map_err(|_| OutOfMemory)?;
        }
        let memory = self.memory();
        self.arena.reserve(need, self.limit.saturating_sub(memory))?;
        if need <= self.index.capacity() {
            return Ok(());
        }
        // Doubles the capacity, so that rebuilds are rare, but not beyond the number of states that
        // the limit permits.
        let most = self.limit.saturating_sub(self.memory() - self.index.memory());
        let have = self.index.capacity();
        let want = have * 2;
        let possible = self.limit / (self.width as u64 + 6);
        let want = want.min(usize::try_from(possible).unwrap_or(usize::MAX));
        let Table { arena, index, hasher, .. } = self;
        index.grow(need, want, most, arena.len(), |number| hasher.hash(arena.get(number as usize)))
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        fresh.reserve(states.len() / self.width);
        self.insert_each(states, |_, new| fresh.push(new))
    }

    /// Inserts states and reports for each its number and whether it is new.
    fn insert_each(&mut self, states: &[u8], mut see: impl FnMut(u32, bool)) -> Result<(), OutOfMemory> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        let count = states.len() / self.width;
        self.reserve(count)?;
        macro_rules! by_width {
            ($($narrow:literal)*) => {
                match self.width {
                    $($narrow => self.insert_wide::<$narrow, _>(states, &mut see),)*
                    _ => self.insert_wide::<0, _>(states, &mut see),
                }
            };
        }
        by_width!(4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64);
        Ok(())
    }

    /// Inserts states of `W` bytes, or of any width if `W` is 0.
    fn insert_wide<const W: usize, F: FnMut(u32, bool)>(&mut self, states: &[u8], see: &mut F) {
        let width = if W == 0 { self.width } else { W };
        let count = states.len() / width;
        let mut hashes = std::mem::take(&mut self.hashes);
        if hashes.len() < count {
            hashes.resize(count, 0);
        }
        let state = |i: usize| &states[i * width..][..width];
        // Result of the second stage for the two blocks in flight: a number, or `NONE`.
        let mut guesses = [NONE; 2 * BLOCK];
        // Two additional rounds fill and drain the pipeline.
        for round in 0..count.div_ceil(BLOCK) + 2 {
            let block = |delay: usize| {
                let start = (round.wrapping_sub(delay)).saturating_mul(BLOCK).min(count);
                start..(start + BLOCK).min(count)
            };
            for i in block(0) {
                let hash = self.hasher.hash(state(i));
                self.index.prefetch(hash);
                hashes[i] = hash;
            }
            for i in block(1) {
                let (number, agrees) = self.index.guess(hashes[i]);
                // Branch-free, because the outcome is unpredictable; a superfluous prefetch is
                // cheap.
                guesses[i % (2 * BLOCK)] = if agrees { number } else { NONE };
                let at = number as usize * width;
                prefetch(self.arena.bytes(), at);
                // The state may extend into a second line; for longer states the hardware
                // prefetcher suffices.
                prefetch(self.arena.bytes(), at + width.min(128) - 1);
            }
            for i in block(2) {
                let (hash, state) = (hashes[i], state(i));
                let bytes = self.arena.bytes();
                let guess = guesses[i % (2 * BLOCK)];
                if guess != NONE && equal(&bytes[guess as usize * width..][..width], state) {
                    see(guess, false);
                    continue;
                }
                let same = |number: u32| equal(&bytes[number as usize * width..][..width], state);
                match self.index.find(hash, same) {
                    Ok(number) => see(number, false),
                    Err(place) => {
                        let number = self.arena.len() as u32;
                        self.index.fill(place, hash, number);
                        self.arena.push(state);
                        see(number, true);
                    }
                }
            }
        }
        self.hashes = hashes;
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        let count = max.min(self.arena.len() - self.taken);
        out.extend_from_slice(&self.arena.bytes()[self.taken * self.width..][..count * self.width]);
        self.taken += count;
        count
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        // The last operation that can fail.
        let index = self.index.emptied()?;
        let mut state = Vec::with_capacity(self.width);
        for number in 0..self.arena.len() {
            state.clear();
            map(self.arena.get(number), &mut state);
            self.arena.set(number, &state);
        }
        let Table { arena, hasher, .. } = self;
        self.index = index;
        self.index.refill(arena.len(), |number| hasher.hash(arena.get(number as usize)));
        Ok(())
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        let memory = self.memory() + self.hasher.memory(width) - self.hasher.memory(self.width);
        if memory > self.limit {
            return Err(OutOfMemory);
        }
        self.arena.widen(width, self.limit.saturating_sub(memory))?;
        self.hasher.prepare(width);
        self.width = width;
        Ok(())
    }
}

/// Whether two states of the same width are equal; inlined for narrow ones.
#[inline(always)]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() > 64 {
        return a == b;
    }
    let (a_words, a_tail) = a.as_chunks::<8>();
    let (b_words, b_tail) = b.as_chunks::<8>();
    let mut diff = 0;
    for (x, y) in a_words.iter().zip(b_words) {
        diff |= u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
    }
    if let (Some(x), Some(y)) = (a_tail.first_chunk::<4>(), b_tail.first_chunk::<4>()) {
        diff |= u64::from(u32::from_le_bytes(*x) ^ u32::from_le_bytes(*y));
    }
    diff == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::bad::{Four, Same};
    use crate::reference_set::{self, Shape};

    /// The table with any hash function, as a set.
    struct With<H>(Table<H>);

    impl<H: StateHash + Default> StateSet for With<H> {
        fn width(&self) -> usize {
            self.0.width
        }
        fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
            self.0.insert(states, fresh)
        }
        fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
            self.0.take(max, out)
        }
        fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
            self.0.widen(width)
        }
        fn len(&self) -> u64 {
            self.0.arena.len() as u64
        }
        fn memory(&self) -> u64 {
            self.0.memory()
        }
    }

    fn with<H: StateHash + Default>(width: usize, limit: u64) -> With<H> {
        With(Table::new(width, limit).unwrap())
    }

    #[test]
    fn is_a_set_and_a_queue() {
        reference_set::random(|width| with::<Multilinear>(width, u64::MAX), Shape::default());
    }

    #[test]
    fn is_a_set_when_all_hashes_are_equal() {
        reference_set::random(|width| with::<Same>(width, u64::MAX), Shape::default());
    }

    #[test]
    fn is_a_set_when_hashes_crowd() {
        reference_set::random(|width| with::<Four>(width, u64::MAX), Shape::default());
    }

    #[test]
    fn grows() {
        for width in [4, 8, 12, 64, 68, 260] {
            reference_set::walk(&mut with::<Multilinear>(width, u64::MAX), reference_set::many());
        }
    }

    #[test]
    fn keeps_every_limit() {
        for width in [4, 16, 132] {
            for limit in (0..60).map(|i| i * 9000) {
                if let Ok(table) = Table::<Multilinear>::new(width, limit) {
                    reference_set::limit(&mut With(table), limit);
                }
            }
        }
    }

    #[test]
    fn equal_looks_at_every_byte() {
        for width in (4..140).step_by(4) {
            let a = vec![3u8; width];
            assert!(equal(&a, &a.clone()));
            for i in 0..width {
                let mut b = a.clone();
                b[i] ^= 0x40;
                assert!(!equal(&a, &b), "width {width} byte {i}");
            }
        }
    }

    #[test]
    fn states_can_be_asked_for_by_number() {
        let mut set = PlainTable::new(4).unwrap();
        set.insert(&[1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0], &mut Vec::new()).unwrap();
        assert_eq!(set.get(1), Some(&[2u8, 0, 0, 0][..]));
        assert_eq!(set.get(2), None);
    }
}
