//! Packs a state into the bits that vary among the states of a certificate. The certificate names
//! these bits; a state that differs from the reference state in any other bit is detected, so
//! soundness does not depend on the claim.
//!
//! *Entry points:* [`Packing::pack`], [`Packing::unpacked`], and [`Packing::pack_near`] for a state
//! similar to another. The packed form is the exclusive or of the packed forms of its words, so
//! only words that differ are packed.
//! *Invariant:* different states have different packed forms, and bit 0 of the first word is always
//! 1.

/// Bits that are adjacent in a state and in its packed form.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The word of the state, and the lowest bit in it.
    from: u32,
    low: u32,
    /// The word of the packed form, and the lowest bit in it.
    to: u32,
    at: u32,
    /// A mask of this many ones.
    ones: u64,
}

/// The varying bits and their positions in the packed form.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    base: Vec<u64>,
    mask: Vec<u64>,
    /// In order of the words of the state, and the index of the first run of each word.
    runs: Vec<Run>,
    starts: Vec<usize>,
    width: usize,
    words: usize,
}

fn word(bytes: &[u8], index: usize) -> u64 {
    let mut word = [0; 8];
    let end = bytes.len().min(8 * index + 8);
    word[..end - 8 * index].copy_from_slice(&bytes[8 * index..end]);
    u64::from_le_bytes(word)
}

impl Packing {
    /// All states differ from `base` only in bits of `mask`; both have the width of a state.
    pub(crate) fn new(base: &[u8], mask: &[u8]) -> Packing {
        let length = base.len().div_ceil(8);
        let all = |bytes: &[u8]| (0..length).map(|index| word(bytes, index)).collect::<Vec<u64>>();
        let (base_words, mask_words) = (all(base), all(mask));
        let mut runs: Vec<Run> = Vec::new();
        let (mut place, mut starts) = (1u32, Vec::new());
        for (from, &varying) in mask_words.iter().enumerate() {
            starts.push(runs.len());
            let mut left = varying;
            while left != 0 {
                let low = left.trailing_zeros();
                let side_by_side = (left >> low).trailing_ones();
                let bits = side_by_side.min(64 - place % 64);
                let ones = u64::MAX >> (64 - bits);
                runs.push(Run { from: from as u32, low, to: place / 64, at: place % 64, ones });
                left &= !(ones << low);
                place += bits;
            }
        }
        starts.push(runs.len());
        let words = place.div_ceil(64) as usize;
        Packing { base: base_words, mask: mask_words, runs, starts, width: base.len(), words }
    }

    /// Words per packed state.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Bytes per state.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Packs a state into `out`; false if it differs in a constant bit.
    pub(crate) fn pack(&self, state: &[u8], out: &mut [u64]) -> bool {
        out.fill(0);
        out[0] = 1;
        (0..self.base.len()).all(|index| self.differs(index, word(state, index) ^ self.base[index], out))
    }

    /// The varying bits among the selected bits of a state, in packed form.
    pub(crate) fn project(&self, bits: &[u64]) -> Vec<u64> {
        let mut out = vec![0; self.words];
        for run in &self.runs {
            out[run.to as usize] |= ((bits[run.from as usize] >> run.low) & run.ones) << run.at;
        }
        out
    }

    /// Packs a state into `out`, which contains the packed form of `near`; false if it differs in a
    /// constant bit.
    pub(crate) fn pack_near(&self, near: &[u8], state: &[u8], out: &mut [u64]) -> bool {
        // Compared as words, because a comparison of eight-byte slices is a function call.
        let (before, after) = (near.as_chunks::<8>().0, state.as_chunks::<8>().0);
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            let bits = u64::from_le_bytes(*before) ^ u64::from_le_bytes(*after);
            if bits != 0 && !self.differs(index, bits, out) {
                return false;
            }
        }
        match self.width % 8 {
            0 => true,
            _ => {
                let last = self.base.len() - 1;
                self.differs(last, word(near, last) ^ word(state, last), out)
            }
        }
    }

    /// Applies the difference of one word to a packed form; false if a constant bit differs.
    #[inline]
    fn differs(&self, index: usize, bits: u64, out: &mut [u64]) -> bool {
        for run in &self.runs[self.starts[index]..self.starts[index + 1]] {
            out[run.to as usize] ^= ((bits >> run.low) & run.ones) << run.at;
        }
        bits & !self.mask[index] == 0
    }

    /// The state with this packed form.
    pub(crate) fn unpacked(&self, packed: &[u64]) -> Vec<u8> {
        let mut words = self.base.clone();
        for run in &self.runs {
            words[run.from as usize] ^= ((packed[run.to as usize] >> run.at) & run.ones) << run.low;
        }
        let mut state: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        state.truncate(self.width);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing_and_tells_strangers_apart() {
        let width = 44;
        let base: Vec<u8> = (0..width).map(|i| (i * 37) as u8).collect();
        for dense in [1, 3, 7, 50] {
            let mask: Vec<u8> =
                (0..width).map(|i| if i % dense == 0 { (i * 89 + 129) as u8 } else { 0 }).collect();
            let packing = Packing::new(&base, &mask);
            let (mut before, mut near) = (base.clone(), vec![0; packing.words()]);
            near[0] = 1;
            for number in 0..200u32 {
                let differs = |i: usize| (number.wrapping_mul(2_654_435_761).rotate_left(i as u32 * 5)) as u8;
                let state: Vec<u8> = (0..width).map(|i| base[i] ^ (differs(i) & mask[i])).collect();
                let mut packed = vec![9; packing.words()];
                assert!(packing.pack(&state, &mut packed));
                assert!(packing.pack_near(&before, &state, &mut near));
                assert_eq!(near, packed);
                before.clone_from(&state);
                assert_eq!(packed[0] & 1, 1);
                assert_eq!(packing.unpacked(&packed), state);
                let at = (number as usize * 13) % width;
                if mask[at] != 0xff {
                    let mut strange = state.clone();
                    strange[at] ^= 1 << mask[at].trailing_ones();
                    assert!(!packing.pack(&strange, &mut packed));
                    assert!(!packing.pack_near(&before, &strange, &mut near.clone()));
                }
            }
        }
    }
}
