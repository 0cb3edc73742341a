//! Packing loops, which collect the varying bits of states.
//!
//! *Entry points:* [`Varying::pack`], for arbitrary states: a straight-line program; and
//! [`Varying::pack_near`], for successors of a wide state with a known packed form. Packing is
//! linear in the bits, so only differing words are processed.
//!
//! *Invariant:* Both write the same bytes.

use super::dense::Dense;
use super::extract::{extract, put, word, write_few};
use super::{Chunk, Varying};

/// One packing step: the bits under `mask` of the eight bytes at `at` go to the packed word from
/// `shift` on.
#[derive(Clone, Copy, Debug)]
struct Step {
    mask: u64,
    at: u32,
    shift: u32,
}

/// Positions of the bits of a word, for packing by difference: its first two chunks.
#[derive(Clone, Copy, Default, Debug)]
struct Turn {
    masks: [u64; 2],
    to: [u32; 2],
    shifts: [u32; 2],
    /// All other bits: of further chunks, or without a position.
    others: u64,
}

/// A state with a known packed form, and the functions that move bits and compare words.
struct Near<'a, E, D> {
    extract: E,
    differ: D,
    source: &'a [u8],
    packed: &'a [u8],
}

/// The packing program for states of one width.
#[derive(Clone, Default, Debug)]
pub(super) struct Program {
    /// In order of the packed words.
    steps: Vec<Step>,
    /// For each packed word, the end of its steps.
    ends: Vec<u32>,
    /// The packed form of the first state, combined with the result by exclusive or.
    base: Vec<u64>,
    /// Bits without a position, by word.
    fixed: Vec<u64>,
    /// For each word, the positions of its bits.
    turns: Vec<Turn>,
    pub(super) dense: Option<Dense>,
}

impl Program {
    /// The program for states of `width` bytes with the first state `base` and positioned bits
    /// `mask`.
    pub(super) fn new(chunks: &[Chunk], base: &[u64], mask: &[u64], width: usize) -> Program {
        let step = |chunk: &Chunk| {
            let at = 8 * chunk.from as usize;
            // The last half word is read together with the preceding half.
            match at + 8 <= width || width < 8 {
                true => Step { mask: chunk.mask, at: at as u32, shift: chunk.shift },
                false => Step { mask: chunk.mask << 32, at: width as u32 - 8, shift: chunk.shift },
            }
        };
        let words = chunks.last().map_or(0, |chunk| chunk.to + 1);
        // States can have millions of words: the chunks are processed once.
        let mut first = vec![0; words as usize];
        let mut turns = vec![Turn::default(); base.len()];
        for chunk in chunks {
            first[chunk.to as usize] |= extract(base[chunk.from as usize], chunk.mask) << chunk.shift;
            let turn = &mut turns[chunk.from as usize];
            if let Some(i) = turn.masks.iter().position(|&mask| mask == 0) {
                (turn.masks[i], turn.to[i], turn.shifts[i]) = (chunk.mask, chunk.to, chunk.shift);
            }
        }
        for turn in &mut turns {
            turn.others = !(turn.masks[0] | turn.masks[1]);
        }
        Program {
            turns,
            dense: Dense::new(chunks),
            steps: chunks.iter().map(step).collect(),
            ends: (0..words).map(|to| chunks.partition_point(|chunk| chunk.to <= to) as u32).collect(),
            base: first,
            fixed: mask.iter().map(|mask| !mask).collect(),
        }
    }

    /// Whether a table for narrow states exists.
    pub(super) fn is_dense(&self) -> bool {
        self.dense.is_some()
    }

    /// Bytes of memory used.
    pub(super) fn memory(&self) -> u64 {
        (size_of::<Step>() * self.steps.capacity() + 12 * self.ends.len() + 8 * self.fixed.len()) as u64
            + (size_of::<Turn>() * self.turns.len()) as u64
    }
}

impl Varying {
    /// Writes the packed forms of `states` to `out`, which must have exactly their size. Sets in
    /// `news` (of [`Varying::words`] words) the varying bits without a position; if there are any,
    /// the output is incomplete.
    pub(crate) fn pack(&self, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: `fast` is only set where the processor has the instructions.
            return unsafe { self.pack_fast(states, out, news) };
        }
        self.pack_with(extract, states, out, news);
    }

    /// Like [`Varying::pack`], for states that differ little from `source`, whose packed form is
    /// `packed_source`: equal parts are processed once. Packing is linear in the bits.
    pub(crate) fn pack_near(
        &self,
        source: &[u8],
        packed_source: &[u8],
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: as in `pack`.
            return unsafe { self.pack_near_fast(source, packed_source, states, out, news) };
        }
        self.pack_near_with(extract, differences, source, packed_source, states, out, news);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi1,bmi2,avx2")]
    fn pack_fast(&self, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        self.pack_with(|word, mask| std::arch::x86_64::_pext_u64(word, mask), states, out, news);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi1,bmi2,avx2")]
    fn pack_near_fast(&self, source: &[u8], packed: &[u8], states: &[u8], out: &mut [u8], news: &mut [u64]) {
        let extract = |word, mask| std::arch::x86_64::_pext_u64(word, mask);
        let differ = |a: &[u8], b: &[u8]| fast_differences(a, b);
        self.pack_near_with(extract, differ, source, packed, states, out, news);
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what `pack_near` is given, and the two ways to compute")]
    fn pack_near_with(
        &self,
        extract: impl Fn(u64, u64) -> u64,
        differ: impl Fn(&[u8], &[u8]) -> u64,
        source: &[u8],
        packed: &[u8],
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        // The packed form stays in registers during the changes.
        let near = Near { extract, differ, source, packed };
        match packed.len().div_ceil(8) {
            0 | 1 => self.pack_near_row::<1>(near, states, out, news),
            2 => self.pack_near_row::<2>(near, states, out, news),
            3 | 4 => self.pack_near_row::<4>(near, states, out, news),
            5..=8 => self.pack_near_row::<8>(near, states, out, news),
            _ => {
                for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(packed.len())) {
                    to.copy_from_slice(packed);
                    self.each_difference(&near.differ, source, state, |from, bits| {
                        news[from] |= bits & !self.mask[from];
                        for chunk in self.chunks_of(from) {
                            let at = chunk.to as usize;
                            put(to, at, word(to, at) ^ (near.extract)(bits, chunk.mask) << chunk.shift);
                        }
                    });
                }
            }
        }
    }

    /// For packed states of at most `K` words, a power of two.
    #[inline(always)]
    fn pack_near_row<const K: usize>(
        &self,
        near: Near<'_, impl Fn(u64, u64) -> u64, impl Fn(&[u8], &[u8]) -> u64>,
        states: &[u8],
        out: &mut [u8],
        news: &mut [u64],
    ) {
        let mut before = [0; K];
        for (i, to) in before.iter_mut().enumerate().take(near.packed.len().div_ceil(8)) {
            *to = word(near.packed, i);
        }
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(near.packed.len())) {
            let mut row = before;
            self.each_difference(&near.differ, near.source, state, |from, bits| {
                let Some(turn) = self.program.turns.get(from) else { return };
                for i in 0..2 {
                    row[turn.to[i] as usize % K] ^=
                        (near.extract)(bits, turn.masks[i]) << (turn.shifts[i] & 63);
                }
                if bits & turn.others != 0 {
                    news[from] |= bits & !self.mask[from];
                    for chunk in self.chunks_of(from).iter().skip(2) {
                        row[chunk.to as usize % K] ^= (near.extract)(bits, chunk.mask) << chunk.shift;
                    }
                }
            });
            write_few(to, &row);
        }
    }

    /// The chunks of a word.
    #[inline(always)]
    fn chunks_of(&self, from: usize) -> &[Chunk] {
        &self.by_word[self.first[from] as usize..self.first[from + 1] as usize]
    }

    /// Calls `each` with every differing word and its differing bits.
    #[inline(always)]
    fn each_difference(
        &self,
        differ: &impl Fn(&[u8], &[u8]) -> u64,
        source: &[u8],
        state: &[u8],
        mut each: impl FnMut(usize, u64),
    ) {
        for (part, (a, b)) in source.chunks(PART).zip(state.chunks(PART)).enumerate() {
            let mut differ = differ(a, b);
            while differ != 0 {
                let at = differ.trailing_zeros() as usize;
                differ &= differ - 1;
                each(part * (PART / 8) + at, word(a, at) ^ word(b, at));
            }
        }
    }

    #[inline(always)]
    fn pack_with(&self, extract: impl Fn(u64, u64) -> u64, states: &[u8], out: &mut [u8], news: &mut [u64]) {
        let new = match (self.width, &self.program.dense, self.packed() > 8) {
            (5..=8, Some(dense), false) => self.pack_dense::<1, 1>(extract, dense, states, out),
            (9..=16, Some(dense), false) => self.pack_dense::<2, 1>(extract, dense, states, out),
            (9..=16, Some(dense), true) => self.pack_dense::<2, 2>(extract, dense, states, out),
            (17..=24, Some(dense), false) => self.pack_dense::<3, 1>(extract, dense, states, out),
            (17..=24, Some(dense), true) => self.pack_dense::<3, 2>(extract, dense, states, out),
            (25..=32, Some(dense), false) => self.pack_dense::<4, 1>(extract, dense, states, out),
            (25..=32, Some(dense), true) => self.pack_dense::<4, 2>(extract, dense, states, out),
            (33..=40, Some(dense), false) => self.pack_dense::<5, 1>(extract, dense, states, out),
            (33..=40, Some(dense), true) => self.pack_dense::<5, 2>(extract, dense, states, out),
            (4, ..) => self.pack_by(extract, |state, _| u64::from(half(state)), states, out),
            _ => self.pack_by(extract, eight, states, out),
        };
        if new {
            for state in states.chunks_exact(self.width) {
                let fixed = &self.program.fixed;
                for (i, ((base, fixed), new)) in self.base.iter().zip(fixed).zip(&mut *news).enumerate() {
                    *new |= (word(state, i) ^ base) & fixed;
                }
            }
        }
    }

    /// Packs states of `W` words to `T` words with the table; returns whether bits without a
    /// position vary.
    #[inline(always)]
    fn pack_dense<const W: usize, const T: usize>(
        &self,
        extract: impl Fn(u64, u64) -> u64,
        dense: &Dense,
        states: &[u8],
        out: &mut [u8],
    ) -> bool {
        let (mut base, mut fixed, mut first) = ([0; W], [0; W], [0; T]);
        base.iter_mut().zip(&self.base).for_each(|(to, base)| *to = *base);
        fixed.iter_mut().zip(&self.program.fixed).for_each(|(to, fixed)| *to = *fixed);
        first.iter_mut().zip(&self.program.base).for_each(|(to, first)| *to = *first);
        let Dense { masks, shifts } = *dense;
        let odd = !self.width.is_multiple_of(8);
        let mut new = 0;
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(self.packed())) {
            let mut row = [0; W];
            for (i, to) in row.iter_mut().enumerate().take(W - 1) {
                *to = eight(state, 8 * i);
            }
            row[W - 1] = match odd {
                true => u64::from(half(state.get(8 * (W - 1)..).unwrap_or_default())),
                false => eight(state, 8 * (W - 1)),
            };
            let mut sums = first;
            for i in 0..W {
                new |= (row[i] ^ base[i]) & fixed[i];
                for t in 0..T {
                    sums[t] ^= extract(row[i], masks[t][i]) << (shifts[t][i] & 63);
                }
            }
            for (t, sum) in sums.iter().enumerate() {
                put(to, t, *sum);
            }
        }
        new != 0
    }

    /// Packs step by step; returns whether bits without a position vary.
    #[inline(always)]
    fn pack_by(
        &self,
        extract: impl Fn(u64, u64) -> u64,
        load: impl Fn(&[u8], usize) -> u64,
        states: &[u8],
        out: &mut [u8],
    ) -> bool {
        let Program { steps, ends, base: first, fixed, turns: _, dense: _ } = &self.program;
        let words = self.base.len();
        let (base, fixed) = (&self.base[..words], &fixed[..words]);
        let mut new = 0;
        for (state, to) in states.chunks_exact(self.width).zip(out.chunks_exact_mut(self.packed())) {
            let (whole, tail) = state.as_chunks::<8>();
            for ((word, base), fixed) in whole.iter().zip(base).zip(fixed) {
                new |= (u64::from_le_bytes(*word) ^ base) & fixed;
            }
            if !tail.is_empty() {
                new |= (u64::from(half(tail)) ^ base[words - 1]) & fixed[words - 1];
            }
            if ends.is_empty() {
                to.fill(0);
            }
            let mut start = 0;
            for (i, (&end, &first)) in ends.iter().zip(first).enumerate() {
                let mut sum = first;
                for step in &steps[start..end as usize] {
                    sum ^= extract(load(state, step.at as usize), step.mask) << (step.shift & 63);
                }
                put(to, i, sum);
                start = end as usize;
            }
        }
        new != 0
    }
}

/// The eight bytes at a position, or 0 if they are not all present.
#[inline(always)]
fn eight(state: &[u8], at: usize) -> u64 {
    state.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The first four bytes, or 0 if they are not present.
#[inline(always)]
fn half(state: &[u8]) -> u32 {
    state.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Number of bytes of a state compared at once: one bit per word.
const PART: usize = 64 * 8;

/// The words in which two parts of states differ, bit `i` for word `i`.
fn differences(a: &[u8], b: &[u8]) -> u64 {
    (0..a.len().div_ceil(8)).fold(0, |mask, i| mask | u64::from(word(a, i) != word(b, i)) << i)
}

/// The same, four words at a time.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "bmi1,bmi2,avx2")]
#[inline]
fn fast_differences(a: &[u8], b: &[u8]) -> u64 {
    use std::arch::x86_64::*;
    let (a_blocks, a_tail) = a.as_chunks::<32>();
    let (b_blocks, b_tail) = b.as_chunks::<32>();
    let mut mask = 0;
    for (i, (a, b)) in a_blocks.iter().zip(b_blocks).enumerate() {
        // SAFETY: both blocks are 32 bytes that may be read; the loads ask for no alignment.
        let (a, b) =
            unsafe { (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast())) };
        let same = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)));
        mask |= u64::from(!same as u32 & 0xf) << (4 * i);
    }
    let at = 4 * a_blocks.len();
    for i in 0..a_tail.len().div_ceil(8) {
        mask |= u64::from(word(a_tail, i) != word(b_tail, i)) << (at + i);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_wherever_they_are() {
        for width in (4..=PART).step_by(4) {
            let a: Vec<u8> = (0..width).map(|i| i as u8).collect();
            assert_eq!(differences(&a, &a), 0);
            for at in [0, 3, 4, width / 2, width - 1] {
                let mut b = a.clone();
                b[at.min(width - 1)] ^= 0x10;
                let want = 1 << (at.min(width - 1) / 8);
                assert_eq!(differences(&a, &b), want, "{width} {at}");
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                if super::super::extract::fast() {
                    // SAFETY: the processor was asked.
                    assert_eq!(unsafe { fast_differences(&a, &b) }, want, "{width} {at}");
                }
            }
        }
    }
}
