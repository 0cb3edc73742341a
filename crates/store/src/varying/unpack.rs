//! Unpacking: combines the varying bits of a state with the first state.
//!
//! *Entry point:* [`Varying::unpack`].

use super::Varying;
use super::dense::Dense;
use super::extract::{deposit, put, word, write_words};

impl Varying {
    /// Appends the states whose packed forms are `packed` to `out`.
    pub(crate) fn unpack(&self, packed: &[u8], out: &mut Vec<u8>) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.fast {
            // SAFETY: `fast` is only set where the processor has the instructions.
            return unsafe { self.unpack_fast(packed, out) };
        }
        self.unpack_with(deposit, packed, out);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "bmi1,bmi2,avx2")]
    fn unpack_fast(&self, packed: &[u8], out: &mut Vec<u8>) {
        self.unpack_with(|word, mask| std::arch::x86_64::_pdep_u64(word, mask), packed, out);
    }

    #[inline(always)]
    fn unpack_with(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let packed = self.packed();
        out.resize(start + from.len() / packed * self.width, 0);
        let out = &mut out[start..];
        match (&self.program.dense, self.base.len(), packed.div_ceil(8)) {
            (Some(dense), 1, _) => self.unpack_dense::<1, 1>(deposit, dense, from, out),
            (Some(dense), 2, 1) => self.unpack_dense::<2, 1>(deposit, dense, from, out),
            (Some(dense), 2, _) => self.unpack_dense::<2, 2>(deposit, dense, from, out),
            (Some(dense), 3, 1) => self.unpack_dense::<3, 1>(deposit, dense, from, out),
            (Some(dense), 3, _) => self.unpack_dense::<3, 2>(deposit, dense, from, out),
            (Some(dense), 4, 1) => self.unpack_dense::<4, 1>(deposit, dense, from, out),
            (Some(dense), 4, _) => self.unpack_dense::<4, 2>(deposit, dense, from, out),
            (Some(dense), 5, 1) => self.unpack_dense::<5, 1>(deposit, dense, from, out),
            (Some(dense), 5, _) => self.unpack_dense::<5, 2>(deposit, dense, from, out),
            (_, 1, _) => self.unpack_narrow::<1>(deposit, from, out),
            (_, 2, _) => self.unpack_narrow::<2>(deposit, from, out),
            (_, 3, _) => self.unpack_narrow::<3>(deposit, from, out),
            (_, 4, _) => self.unpack_narrow::<4>(deposit, from, out),
            (_, 5, _) => self.unpack_narrow::<5>(deposit, from, out),
            (_, 6, _) => self.unpack_narrow::<6>(deposit, from, out),
            (_, 7, _) => self.unpack_narrow::<7>(deposit, from, out),
            (_, 8, _) => self.unpack_narrow::<8>(deposit, from, out),
            (_, _, 0..=4) => self.unpack_wide::<4>(deposit, from, out),
            (_, _, 5..=16) => self.unpack_wide::<16>(deposit, from, out),
            _ => self.unpack_any(deposit, from, out),
        }
    }

    /// For states of `W` words packed into `T` words, with the table.
    #[inline(always)]
    fn unpack_dense<const W: usize, const T: usize>(
        &self,
        deposit: impl Fn(u64, u64) -> u64,
        dense: &Dense,
        from: &[u8],
        out: &mut [u8],
    ) {
        let mut base = [0; W];
        base.iter_mut().zip(&self.base).for_each(|(to, base)| *to = *base);
        let Dense { masks, shifts } = *dense;
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            let mut row = base;
            for t in 0..T {
                let bits = word(from, t);
                for i in 0..W {
                    row[i] ^= deposit(bits >> (shifts[t][i] & 63), masks[t][i]);
                }
            }
            for (i, word) in row.iter().enumerate() {
                put(state, i, *word);
            }
        }
    }

    /// For states of `W` words, in registers.
    #[inline(always)]
    fn unpack_narrow<const W: usize>(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut [u8]) {
        let mut base = [0; W];
        base.iter_mut().zip(&self.base).for_each(|(to, base)| *to = *base);
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            let mut row = base;
            let (mut at, mut bits) = (0, word(from, 0));
            for chunk in &self.chunks {
                if chunk.to != at {
                    at = chunk.to;
                    bits = word(from, at as usize);
                }
                row[chunk.from as usize % W] ^= deposit(bits >> chunk.shift, chunk.mask);
            }
            for (i, word) in row.iter().enumerate() {
                put(state, i, *word);
            }
        }
    }

    /// For wide states with packed forms of at most `K` words: the varying bits over the first
    /// state.
    #[inline(always)]
    fn unpack_wide<const K: usize>(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut [u8]) {
        let words = self.packed().div_ceil(8).min(K);
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            let mut row = [0; K];
            row[..words].iter_mut().enumerate().for_each(|(i, to)| *to = word(from, i));
            self.unpack_one(&deposit, |at| row[at % K], state);
        }
    }

    /// For all other states.
    #[inline(always)]
    fn unpack_any(&self, deposit: impl Fn(u64, u64) -> u64, from: &[u8], out: &mut [u8]) {
        for (from, state) in from.chunks_exact(self.packed()).zip(out.chunks_exact_mut(self.width)) {
            self.unpack_one(&deposit, |at| word(from, at), state);
        }
    }

    #[inline(always)]
    fn unpack_one(
        &self,
        deposit: &impl Fn(u64, u64) -> u64,
        packed: impl Fn(usize) -> u64,
        state: &mut [u8],
    ) {
        write_words(state, &self.base);
        let (whole, tail) = state.as_chunks_mut::<8>();
        let mut half = tail.first_chunk_mut::<4>();
        for chunk in &self.by_word {
            let bits = deposit(packed(chunk.to as usize) >> chunk.shift, chunk.mask);
            match (whole.get_mut(chunk.from as usize), &mut half) {
                (Some(to), _) => *to = (u64::from_le_bytes(*to) ^ bits).to_le_bytes(),
                (None, Some(to)) => **to = (u32::from_le_bytes(**to) ^ bits as u32).to_le_bytes(),
                (None, None) => {}
            }
        }
    }
}
