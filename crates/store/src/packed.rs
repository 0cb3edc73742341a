//! State packing: a set that stores only the varying bits of its states, in another set.
//!
//! Packing is defined in [`crate::varying`]. Newly varying bits get positions after all others, so
//! that stored states remain valid or are widened by zero bytes. When the set has doubled, and the
//! number of bit runs has doubled too, all states are rewritten once in layout order. Successors of
//! wide states are packed by their difference to the source, which is kept from [`StateSet::take`].
//!
//! *Entry point:* [`Packed`].
//!
//! *Invariant:* the inner set holds the packed form of each state, and the packed forms are
//! distinct.

use crate::numbered::Numbered;
use crate::varying::Varying;
use crate::{OutOfMemory, StateSet};

/// A set whose states can all be replaced.
pub trait Rewrite: StateSet {
    /// Whether a rewrite is cheap enough for a small gain in speed.
    fn is_rewritten_fast(&self) -> bool;

    /// Replaces every state by the one of the same width that `map` appends for it to its second
    /// argument. `map` must be injective; the order of states and the set of taken states do not
    /// change. After an error the set is unchanged.
    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory>;
}

/// Number of states at the first review of the bit order; growth factor until the next one.
const FIRST: u64 = 64;
const TIMES: u64 = 2;

/// Maximum number of runs of bits above the minimum before the bits are reordered.
const SCATTERED: usize = 16;

/// Minimum number of words of a state at which successors are packed by their difference to the
/// source.
const WIDE: usize = 8;

/// Maximum number of taken states kept as sources.
const KEEP: usize = 1024;

/// A state set that stores the varying bits in another set.
pub struct Packed<S> {
    width: usize,
    set: S,
    /// None before the first state.
    varying: Option<Varying>,
    /// Maximum number of bytes of this and the inner set together.
    limit: u64,
    /// Buffer for packed states.
    scratch: Vec<u8>,
    /// The states taken last, with their packed forms.
    sources: Vec<u8>,
    packed_sources: Vec<u8>,
    news: Vec<u64>,
    /// Number of states at which the bit order is reviewed again.
    review: u64,
}

impl<S: Rewrite> Packed<S> {
    /// An empty set for states of `width` bytes (a multiple of 4), without a limit on memory.
    /// `make` creates the inner set from its initial width and its limit in bytes.
    pub fn new(
        width: usize,
        make: impl FnOnce(usize, u64) -> Result<S, OutOfMemory>,
    ) -> Result<Packed<S>, OutOfMemory> {
        Packed::with_limit(width, u64::MAX, make)
    }

    /// An empty set that never uses more than `limit` bytes.
    pub fn with_limit(
        width: usize,
        limit: u64,
        make: impl FnOnce(usize, u64) -> Result<S, OutOfMemory>,
    ) -> Result<Packed<S>, OutOfMemory> {
        assert!(width > 0 && width.is_multiple_of(4), "a state is a positive number of 4-byte words");
        // Temporary data is small in comparison with stored data.
        let set = make(4, limit - limit / 16)?;
        assert!(set.is_empty() && set.width() == 4, "the set inside begins empty, with the least width");
        Ok(Packed {
            width,
            set,
            varying: None,
            limit,
            scratch: Vec::new(),
            sources: Vec::new(),
            packed_sources: Vec::new(),
            news: Vec::new(),
            review: FIRST,
        })
    }

    /// The inner set of packed states.
    pub fn inner(&self) -> &S {
        &self.set
    }

    /// Width of a stored state in bytes.
    pub fn packed_width(&self) -> usize {
        self.set.width()
    }

    /// Reserves `bytes` bytes of buffers.
    fn room(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        if self.scratch.capacity() < bytes {
            self.scratch = Vec::new();
            if self.memory().saturating_add(bytes as u64) > self.limit {
                return Err(OutOfMemory);
            }
            self.scratch.try_reserve_exact(bytes).map_err(|_| OutOfMemory)?;
        }
        Ok(())
    }

    /// Discards the sources.
    fn forget(&mut self) {
        self.sources.clear();
        self.packed_sources.clear();
    }

    /// Appends the `count` states in `scratch`, unpacked, to `out`, and keeps them as the sources
    /// of the next insertions.
    fn hand_out(&mut self, count: usize, out: &mut Vec<u8>) {
        let start = out.len();
        if let Some(varying) = &self.varying {
            varying.unpack(&self.scratch, out);
            let bytes = (out.len() - start + self.scratch.len()) as u64;
            let room = self.sources.capacity() + self.packed_sources.capacity();
            if varying.words() >= WIDE
                && count <= KEEP
                && self.memory() - room as u64 + 2 * bytes <= self.limit
            {
                self.sources.extend_from_slice(&out[start..]);
                self.packed_sources.extend_from_slice(&self.scratch);
            }
        }
    }

    /// Writes the packed forms of `states` to `scratch`; those before `ends[0]` are successors of
    /// the first state taken last, and so on.
    fn pack(&mut self, states: &[u8], ends: &[u32]) -> Result<(), OutOfMemory> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        let count = states.len() / self.width;
        if self.set.len() >= self.review {
            self.reorder();
        }
        loop {
            let Some(varying) = &self.varying else {
                if count == 0 {
                    self.scratch.clear();
                    return Ok(());
                }
                let varying = Varying::new(&states[..self.width]);
                if self.memory() + varying.memory() + 8 * varying.words() as u64 > self.limit {
                    return Err(OutOfMemory);
                }
                self.varying = Some(varying);
                continue;
            };
            let packed = varying.packed();
            let words = varying.words();
            self.room(count * packed)?;
            self.scratch.resize(count * packed, 0);
            self.news.clear();
            self.news.resize(words, 0);
            let Some(varying) = &self.varying else { continue };
            let mut at = 0;
            let sources = self.sources.chunks_exact(self.width).zip(self.packed_sources.chunks_exact(packed));
            for ((source, packed_source), &end) in sources.zip(ends) {
                let end = (end as usize).clamp(at, count);
                let states = &states[at * self.width..end * self.width];
                let out = &mut self.scratch[at * packed..end * packed];
                varying.pack_near(source, packed_source, states, out, &mut self.news);
                at = end;
            }
            let (states, out) = (&states[at * self.width..], &mut self.scratch[at * packed..]);
            varying.pack(states, out, &mut self.news);
            if self.news.iter().all(|&new| new == 0) {
                return Ok(());
            }
            let more = varying.admit(&self.news);
            if more.packed() > packed {
                self.set.widen(more.packed())?;
                self.forget();
            }
            self.varying = Some(more);
        }
    }

    /// Reorders the bits by their position in the layout, if memory suffices.
    #[cold]
    fn reorder(&mut self) {
        self.review = self.set.len().saturating_mul(TIMES);
        let Some(varying) = &self.varying else { return };
        let ordered = varying.ordered();
        let scattered = varying.steps() >= (2 * ordered.steps()).min(ordered.steps() + SCATTERED);
        let slow = self.set.is_rewritten_fast() && ordered.is_dense() && !varying.is_dense();
        if !scattered && !slow {
            return;
        }
        let (mut state, mut none) = (Vec::new(), vec![0; varying.words()]);
        let mut map = |packed: &[u8], out: &mut Vec<u8>| {
            state.clear();
            varying.unpack(packed, &mut state);
            let start = out.len();
            out.resize(start + ordered.packed(), 0);
            ordered.pack(&state, &mut out[start..], &mut none);
        };
        if self.set.rewrite(&mut map).is_ok() {
            self.varying = Some(ordered);
            self.forget();
        }
    }
}

impl<S: Rewrite> StateSet for Packed<S> {
    fn width(&self) -> usize {
        self.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        self.pack(states, &[])?;
        self.set.insert(&self.scratch, fresh)
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        self.pack(states, ends)?;
        self.set.insert_successors(&self.scratch, ends, fresh)
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        self.scratch.clear();
        self.forget();
        let count = self.set.take(max, &mut self.scratch);
        self.hand_out(count, out);
        count
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        if let Some(varying) = &self.varying {
            let (mut wider, before) = (varying.clone(), varying.memory());
            wider.widen(width);
            if self.memory() - before + wider.memory() > self.limit {
                return Err(OutOfMemory);
            }
            self.varying = Some(wider);
        }
        self.width = width;
        self.forget();
        Ok(())
    }

    fn len(&self) -> u64 {
        self.set.len()
    }

    fn memory(&self) -> u64 {
        let sources = self.sources.capacity() + self.packed_sources.capacity();
        let own = sources + self.scratch.capacity() + 8 * self.news.capacity();
        self.set.memory() + own as u64 + self.varying.as_ref().map_or(0, Varying::memory)
    }
}

impl<S: Rewrite + Numbered> Numbered for Packed<S> {
    fn insert_numbered(
        &mut self,
        states: &[u8],
        ends: &[u32],
        numbers: &mut Vec<u32>,
    ) -> Result<(), OutOfMemory> {
        self.pack(states, ends)?;
        self.set.insert_numbered(&self.scratch, ends, numbers)
    }

    fn append_states(&mut self, numbers: &[u32], out: &mut Vec<u8>) {
        self.scratch.clear();
        self.forget();
        self.set.append_states(numbers, &mut self.scratch);
        self.hand_out(numbers.len(), out);
    }

    fn clear(&mut self) -> Result<(), OutOfMemory> {
        self.forget();
        self.review = FIRST;
        self.set.clear()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference_set::{self, Shape};
    use crate::{AutoSet, PlainTable, TreeTable};

    fn plain(width: usize, limit: u64) -> Result<Packed<PlainTable>, OutOfMemory> {
        Packed::with_limit(width, limit, PlainTable::with_limit)
    }

    fn tree(width: usize, limit: u64) -> Result<Packed<TreeTable>, OutOfMemory> {
        Packed::with_limit(width, limit, TreeTable::with_limit)
    }

    #[test]
    fn is_a_set_and_a_queue() {
        reference_set::random(|width| plain(width, u64::MAX).unwrap(), Shape::default());
        reference_set::random(|width| tree(width, u64::MAX).unwrap(), Shape::default());
        reference_set::random(|width| Packed::new(width, AutoSet::with_limit).unwrap(), Shape::default());
    }

    #[test]
    fn is_a_set_however_often_it_is_rewritten() {
        reference_set::random(
            |width| Packed { review: 1, ..plain(width, u64::MAX).unwrap() },
            Shape::default(),
        );
        reference_set::random(
            |width| Packed { review: 1, ..tree(width, u64::MAX).unwrap() },
            Shape::default(),
        );
    }

    #[test]
    fn bits_are_put_in_order() {
        // The bits of each word vary one by one, each time after a bit of the other word.
        let mut set = Packed { review: 1, ..plain(16, u64::MAX).unwrap() };
        for i in 0..16 {
            for word in [1u64, 0] {
                let state = [(1 << i) * (1 - word), (1 << i) * word].map(u64::to_le_bytes).concat();
                set.insert(&state, &mut Vec::new()).unwrap();
            }
        }
        let pieces = |set: &Packed<PlainTable>| set.varying.as_ref().map(Varying::steps);
        assert!(pieces(&set) > Some(2), "they are scattered");
        set.review = 1;
        set.insert(&[0; 16], &mut Vec::new()).unwrap();
        assert_eq!(pieces(&set), Some(2));
    }

    #[test]
    fn grows() {
        for width in [4, 8, 12, 64, 260] {
            reference_set::walk(&mut plain(width, u64::MAX).unwrap(), reference_set::many());
            reference_set::walk(&mut tree(width, u64::MAX).unwrap(), reference_set::many());
        }
    }

    #[test]
    fn keeps_every_limit() {
        for width in [4, 16, 132] {
            for limit in (0..40).map(|i| i * 20_000) {
                if let Ok(mut set) = plain(width, limit) {
                    reference_set::limit(&mut set, limit);
                }
                if let Ok(mut set) = tree(width, limit) {
                    reference_set::limit(&mut set, limit);
                }
            }
        }
    }

    #[test]
    fn numbers_stay_when_states_are_rewritten() {
        let mut set = Packed { review: 1, ..plain(12, u64::MAX).unwrap() };
        let state = |i: u32| [i.to_le_bytes(), (i % 7).to_le_bytes(), 5u32.to_le_bytes()].concat();
        let mut numbers = Vec::new();
        for i in 0..500 {
            set.insert_numbered(&[state(i * 3), state(i)].concat(), &[], &mut numbers).unwrap();
        }
        for (at, &number) in numbers.iter().enumerate() {
            let mut back = Vec::new();
            set.append_states(&[number], &mut back);
            let i = at as u32 / 2;
            assert_eq!(back, state(if at % 2 == 0 { i * 3 } else { i }));
        }
    }

    /// A rewrite invalidates the packed sources; packing by difference must not use them.
    #[test]
    fn a_rewrite_forgets_what_was_handed_out() {
        let mut set = Packed { review: u64::MAX, ..plain(64, u64::MAX).unwrap() };
        let of = |i: u32, word: usize| {
            let mut state = [0; 64];
            state[8 * word..][..8].copy_from_slice(&(1u64 << i).to_le_bytes());
            state
        };
        let states: Vec<_> = (0..16).flat_map(|i| [of(i, 1), of(i, 0)]).collect();
        states.iter().for_each(|state| set.insert(state, &mut Vec::new()).unwrap());
        let mut sources = Vec::new();
        assert_eq!(set.take(2, &mut sources), 2);
        assert!(!set.packed_sources.is_empty(), "they are remembered");
        set.review = 1;
        let mut fresh = Vec::new();
        // All states as successors of the second.
        set.insert_successors(&states.concat(), &[0, states.len() as u32], &mut fresh).unwrap();
        assert!(set.review > 1 && fresh.iter().all(|new| !new), "{fresh:?}");
    }

    #[test]
    fn stores_what_varies() {
        let mut set = plain(64, u64::MAX).unwrap();
        let mut state = [9; 64];
        for i in 0..40 {
            (state[0], state[40], state[63]) = (i, 100 + i % 3, 255 - i % 2);
            set.insert(&state, &mut Vec::new()).unwrap();
        }
        assert_eq!((set.len(), set.packed_width()), (40, 4));
    }
}
