//! Packing a state to the bits that vary: what all states so far have in common is stored once.
//!
//! A layout gives every field the width that was declared; the states of a search use few of these
//! bits (an `int` that counts to five varies in three). So the first state is kept whole, and of
//! every other one only the bits in which some state has differed from it, one behind the other:
//! three to ten bytes a state where layouts take sixteen to two hundred. The idea is that of
//! LTSmin's and Spin's collapse of constant parts, taken to single bits.
//!
//! *Entry points:* [`Varying::pack`], which also says which bits vary for the first time,
//! [`Varying::admit`], which gives these a place, and [`Varying::unpack`]; the loops are in
//! `pack.rs` and `unpack.rs`.
//!
//! *Invariant:* bits without a place are the first state's in every state that was packed. So bits
//! that get a place behind all others were 0 (after the exclusive or with the first state) in every
//! state before, and what was packed before stays right with zeros at its end.

mod dense;
mod extract;
mod pack;
mod unpack;

use self::extract::{fast, word};
use self::pack::Program;

/// Where some varying bits of one word of a state go: to bits of one word of the packed state.
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

/// Which bits vary, and where each of them goes.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    /// Bytes of a state, a multiple of 4.
    width: usize,
    /// The first state, in words of 8 bytes, zeros at its end.
    base: Vec<u64>,
    /// The bits that have a place.
    mask: Vec<u64>,
    /// In order of place.
    chunks: Vec<Chunk>,
    /// The same in order of the word that they come from, and where those of each word begin.
    by_word: Vec<Chunk>,
    first: Vec<u32>,
    /// The same, ready to be followed.
    program: Program,
    /// Bits that have a place.
    bits: u32,
    /// Whether the processor extracts and deposits bits fast.
    fast: bool,
}

impl Varying {
    /// Nothing varies yet: all states are `first`.
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

    /// The same with all that follows from the chunks made anew.
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

    /// Words of a state.
    pub(crate) fn words(&self) -> usize {
        self.base.len()
    }

    /// The bits that have a place.
    pub(crate) fn mask(&self) -> &[u64] {
        &self.mask
    }

    /// Bytes that are held.
    pub(crate) fn memory(&self) -> u64 {
        (20 * self.base.capacity() + 2 * size_of::<Chunk>() * self.chunks.capacity()) as u64
            + self.program.memory()
    }

    /// States are `width` bytes wide from now on, with zeros at their end so far.
    pub(crate) fn widen(&mut self, width: usize) {
        self.width = width;
        self.base.resize(width.div_ceil(8), 0);
        self.mask.resize(width.div_ceil(8), 0);
        *self = self.clone().sorted();
    }

    /// The same with the bits of `news` packed too, behind all others.
    pub(crate) fn admit(&self, news: &[u64]) -> Varying {
        let mut more = self.clone();
        for (from, (&new, mask)) in news.iter().zip(&mut more.mask).enumerate() {
            *mask |= new;
            place(&mut more.chunks, &mut more.bits, from, new);
        }
        more.sorted()
    }

    /// The same bits in the order of the state, which takes the fewest steps and leaves neighbours together.
    pub(crate) fn ordered(&self) -> Varying {
        let mut new = Varying { chunks: Vec::new(), bits: 0, ..self.clone() };
        for (from, &mask) in self.mask.iter().enumerate() {
            place(&mut new.chunks, &mut new.bits, from, mask);
        }
        new.sorted()
    }

    /// Whether packing takes no loop.
    pub(crate) fn is_dense(&self) -> bool {
        self.program.is_dense()
    }

    /// How many steps packing takes.
    pub(crate) fn steps(&self) -> usize {
        self.chunks.len()
    }
}

fn packed_bytes(bits: u32) -> usize {
    bits.div_ceil(32).max(1) as usize * 4
}

/// Gives the bits of `mask` in word `from` the next places.
fn place(chunks: &mut Vec<Chunk>, bits: &mut u32, from: usize, mut mask: u64) {
    while mask != 0 {
        let (to, shift) = (*bits / 64, *bits % 64);
        // As many as the word of the packed state has room for.
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

    /// Packs all states after admitting what they need, and says how often something was admitted.
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
            // A bit without a place is told by both.
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
                // What was packed before is still right, with zeros at its end.
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
