//! State packing: only the bits in which some state differs from the first state are stored.
//!
//! A layout gives every field its declared width, but a search uses few of these bits (an `int`
//! that counts to five varies in three). Therefore the first state is stored completely, and of
//! every other state only the varying bits, concatenated: three to ten bytes per state for layouts
//! of sixteen to two hundred bytes.
//!
//! *Entry points:* [`Varying::pack`], which also reports newly varying bits, [`Varying::admit`],
//! which assigns them positions, and [`Varying::unpack`]; the loops are in `pack.rs` and
//! `unpack.rs`.
//!
//! *Source:* the collapse of constant parts in Spin and LTSmin, applied to single bits.
//!
//! *Invariant:* bits without a position equal those of the first state in every packed state. Bits
//! that get a position after all others were therefore 0 in all states before (after the exclusive
//! or with the first state), and existing packed states remain valid when padded with zeros.

mod dense;
mod extract;
mod pack;
mod unpack;

use self::extract::{fast, word};
use self::pack::Program;

/// Varying bits of one word of a state, and their position in one word of the packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Chunk {
    /// The word of the state.
    from: u32,
    /// The word of the packed state, and the lowest bit in it.
    to: u32,
    shift: u32,
    /// The bits of the word of the state.
    mask: u64,
}

/// The varying bits and their positions.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    /// Bytes of a state, a multiple of 4.
    width: usize,
    /// The first state, in words of 8 bytes, padded with zeros.
    base: Vec<u64>,
    /// The bits with a position.
    mask: Vec<u64>,
    /// Chunks in order of position.
    chunks: Vec<Chunk>,
    /// The same in order of the source word, and the start of the chunks of each word.
    by_word: Vec<Chunk>,
    first: Vec<u32>,
    /// The same as an executable program.
    program: Program,
    /// Number of bits with a position.
    bits: u32,
    /// Whether the processor has fast bit extract and deposit instructions.
    fast: bool,
}

impl Varying {
    /// No varying bits: all states equal `first`.
    pub(crate) fn new(first: &[u8]) -> Varying {
        let words = first.len().div_ceil(8);
        let base: Vec<u64> = (0..words).map(|i| word(first, i)).collect();
        let mask = vec![0; words];
        let new = Varying {
            width: first.len(),
            base,
            mask,
            chunks: Vec::new(),
            by_word: Vec::new(),
            first: Vec::new(),
            program: Program::default(),
            bits: 0,
            fast: fast(),
        };
        new.sorted()
    }

    /// Recomputes all data derived from the chunks.
    fn sorted(mut self) -> Varying {
        self.by_word = self.chunks.clone();
        self.by_word.sort_by_key(|chunk| chunk.from);
        let before = |word: usize| self.by_word.partition_point(|chunk| (chunk.from as usize) < word) as u32;
        self.first = (0..=self.base.len()).map(before).collect();
        self.program = Program::new(&self.chunks, &self.base, &self.mask, self.width);
        self
    }

    /// Bytes of a packed state, a multiple of 4.
    pub(crate) fn packed(&self) -> usize {
        packed_bytes(self.bits)
    }

    /// Number of words of a state.
    pub(crate) fn words(&self) -> usize {
        self.base.len()
    }

    /// The bits with a position.
    pub(crate) fn mask(&self) -> &[u64] {
        &self.mask
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        (20 * self.base.capacity() + 2 * size_of::<Chunk>() * self.chunks.capacity()) as u64
            + self.program.memory()
    }

    /// Widens the states to `width` bytes, padded with zeros.
    pub(crate) fn widen(&mut self, width: usize) {
        self.width = width;
        self.base.resize(width.div_ceil(8), 0);
        self.mask.resize(width.div_ceil(8), 0);
        *self = self.clone().sorted();
    }

    /// The same with the bits of `news` packed after all others.
    pub(crate) fn admit(&self, news: &[u64]) -> Varying {
        let mut more = self.clone();
        for (from, (&new, mask)) in news.iter().zip(&mut more.mask).enumerate() {
            *mask |= new;
            place(&mut more.chunks, &mut more.bits, from, new);
        }
        more.sorted()
    }

    /// The same bits in state order, which needs the fewest steps and keeps adjacent bits together.
    pub(crate) fn ordered(&self) -> Varying {
        let mut new = Varying { chunks: Vec::new(), bits: 0, ..self.clone() };
        for (from, &mask) in self.mask.iter().enumerate() {
            place(&mut new.chunks, &mut new.bits, from, mask);
        }
        new.sorted()
    }

    /// Whether packing uses the table for narrow states.
    pub(crate) fn is_dense(&self) -> bool {
        self.program.is_dense()
    }

    /// Number of packing steps.
    pub(crate) fn steps(&self) -> usize {
        self.chunks.len()
    }
}

fn packed_bytes(bits: u32) -> usize {
    bits.div_ceil(32).max(1) as usize * 4
}

/// Assigns the next positions to the bits of `mask` in word `from`.
fn place(chunks: &mut Vec<Chunk>, bits: &mut u32, from: usize, mut mask: u64) {
    while mask != 0 {
        let (to, shift) = (*bits / 64, *bits % 64);
        // As many as the current word of the packed state can hold.
        let mut now = mask;
        while now.count_ones() > 64 - shift {
            now &= !(1 << (63 - now.leading_zeros()));
        }
        chunks.push(Chunk { from: from as u32, to, shift, mask: now });
        *bits += now.count_ones();
        mask &= !now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Packs all states after admitting their bits, and returns the number of admissions.
    fn pack_all(varying: &mut Varying, states: &[u8]) -> Vec<u8> {
        let count = states.len() / varying.width;
        let mut news = vec![0; varying.words()];
        varying.pack(states, &mut vec![0; count * varying.packed()], &mut news);
        if news.iter().any(|&new| new != 0) {
            *varying = varying.admit(&news);
        }
        let mut out = vec![0; count * varying.packed()];
        let mut none = vec![0; varying.words()];
        varying.pack(states, &mut out, &mut none);
        assert!(none.iter().all(|&new| new == 0));
        out
    }

    #[test]
    fn wide_states_pack_alike() {
        for (width, step) in [(1052, 90), (1052, 5), (512, 40), (72, 8)] {
            let first = vec![1; width];
            let mut varying = Varying::new(&first);
            let states: Vec<Vec<u8>> = (0..40)
                .map(|i| {
                    let mut state = first.clone();
                    (i..width).step_by(step + i).for_each(|at| state[at] ^= 1 << (i % 8));
                    state
                })
                .collect();
            let packed = pack_all(&mut varying, &states.concat());
            let mut back = Vec::new();
            varying.unpack(&packed, &mut back);
            assert_eq!(back, states.concat(), "{width} {step}");
            let each = varying.packed();
            let (mut near, mut none) = (vec![0; packed.len()], vec![0; varying.words()]);
            varying.pack_near(
                &states[7],
                &packed[7 * each..8 * each],
                &states.concat(),
                &mut near,
                &mut none,
            );
            assert_eq!(near, packed, "{width} {step}");
            assert!(none.iter().all(|&new| new == 0));
            // A bit without a position is reported by both.
            let mut other = states[7].clone();
            let at = (width - 1) / 8;
            let free = (0..8).find(|bit| varying.mask[at] >> ((width - 1) % 8 * 8 + bit) & 1 == 0).unwrap();
            other[width - 1] ^= 1 << free;
            let mut news = none.clone();
            varying.pack_near(&states[7], &packed[7 * each..8 * each], &other, &mut vec![0; each], &mut news);
            varying.pack(&other, &mut vec![0; each], &mut none);
            assert_eq!(news, none);
            assert_eq!(news.iter().map(|new| new.count_ones()).sum::<u32>(), 1, "{width} {step}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn packing_loses_nothing(
            words in 1usize..12,
            rounds in proptest::collection::vec(proptest::collection::vec((0usize..48, any::<u8>()), 0..9), 1..20),
            fast in any::<bool>(),
        ) {
            let width = 4 * words;
            let mut varying = Varying::new(&vec![7; width]);
            varying.fast &= fast;
            let mut state = vec![7; width];
            let mut earlier: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            for writes in rounds {
                writes.iter().for_each(|&(at, byte)| state[at % width] = byte);
                let packed = pack_all(&mut varying, &state);
                prop_assert_eq!(packed.len(), varying.packed());
                let ordered = varying.ordered();
                let packed_in_order = pack_all(&mut ordered.clone(), &state);
                let mut back = Vec::new();
                ordered.unpack(&packed_in_order, &mut back);
                prop_assert_eq!(&back, &state);
                for (source, packed_source) in &earlier {
                    let mut packed_source: Vec<u8> = packed_source.clone();
                    packed_source.resize(varying.packed(), 0);
                    let (mut near, mut none) = (vec![0; varying.packed()], vec![0; varying.words()]);
                    varying.pack_near(source, &packed_source, &state, &mut near, &mut none);
                    prop_assert_eq!(&near, &packed);
                    prop_assert!(none.iter().all(|&new| new == 0));
                }
                earlier.push((state.clone(), packed));
                // Existing packed states remain valid, padded with zeros.
                for (state, packed) in &earlier {
                    let mut packed = packed.clone();
                    packed.resize(varying.packed(), 0);
                    let mut back = Vec::new();
                    varying.unpack(&packed, &mut back);
                    prop_assert_eq!(&back, state);
                }
            }
        }
    }
}
