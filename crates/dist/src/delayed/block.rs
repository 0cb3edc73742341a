//! Blocks of a run: some hundred states in the order of their hash values.
//!
//! The hash values are in a stream of their own, because a search for states in a run reads little else. They
//! are coded as differences to the value before, each with as many bits as the largest needs. The states are coded in
//! parts, because a search reads few of them; of a part, only those bytes are coded in which not all of its states agree.
//!
//! *Entry points:* [`encode_hashes`], [`decode_hashes`], [`encode_states`], [`States::read`].
//!
//! *Source:* differences with a common number of bits: D. Lemire and L. Boytsov, Decoding billions of integers
//! per second through vectorization, Software: Practice and Experience 45, 2015.
//!
//! *Cost:* among n states spread over 2^34 hash values, a difference has about 37 - log2(n) bits.

use crate::failure::Failure;

/// Bits of a hash value. One in sixteen states that are not among a billion has the hash value of one of these, and is
/// compared with it; with more bits, the differences would be longer.
pub(super) const HASH_BITS: u32 = 34;

/// Number of states in a part.
pub(super) const PART: usize = 64;

/// Bytes of a group of bits, which may begin within a byte: a value of [`HASH_BITS`] bits fits.
const WORD: usize = 8;

/// Appends hash values in ascending order, and the numbers of bytes of the parts of their states.
pub(super) fn encode_hashes(hashes: &[u64], parts: &[u32], out: &mut Vec<u8>) {
    debug_assert_eq!(parts.len(), hashes.len().div_ceil(PART), "each part has a number of bytes");
    parts.iter().for_each(|part| out.extend_from_slice(&part.to_le_bytes()));
    let differences = || hashes.windows(2).map(|pair| pair[1] - pair[0]);
    let bits = u64::BITS - differences().max().unwrap_or(0).leading_zeros();
    out.extend_from_slice(&hashes.first().copied().unwrap_or(0).to_le_bytes());
    out.push(bits as u8);
    let (mut word, mut used) = (0, 0);
    for difference in differences() {
        word |= difference << used;
        used += bits;
        while used >= 8 {
            out.push(word as u8);
            (word, used) = (word >> 8, used - 8);
        }
    }
    out.extend_from_slice(&word.to_le_bytes());
}

/// Replaces `hashes` by the `count` hash values of a block, and `parts` by the numbers of bytes of its parts.
pub(super) fn decode_hashes(
    bytes: &[u8],
    count: usize,
    hashes: &mut Vec<u64>,
    parts: &mut Vec<u32>,
) -> Result<(), Failure> {
    let (sizes, bytes) = bytes.split_at_checked(4 * count.div_ceil(PART)).ok_or(Failure::Corrupt)?;
    parts.clear();
    parts.extend(sizes.as_chunks::<4>().0.iter().map(|size| u32::from_le_bytes(*size)));
    let (first, rest) = bytes.split_first_chunk::<WORD>().ok_or(Failure::Corrupt)?;
    let (&bits, rest) = rest.split_first().ok_or(Failure::Corrupt)?;
    let bits = usize::from(bits);
    if bits > HASH_BITS as usize || rest.len() < count.saturating_sub(1) * bits / 8 + WORD {
        return Err(Failure::Corrupt);
    }
    let mask = (1 << bits) - 1;
    hashes.clear();
    let mut hash = u64::from_le_bytes(*first);
    hashes.push(hash);
    hashes.extend((1..count).map(|number| {
        let at = (number - 1) * bits;
        let word = rest[at / 8..].first_chunk::<WORD>().copied().unwrap_or_default();
        hash += u64::from_le_bytes(word) >> (at % 8) & mask;
        hash
    }));
    Ok(())
}

/// Appends states of `width` bytes.
pub(super) fn encode_states(states: &[u8], width: usize, out: &mut Vec<u8>) {
    let base = &states[..width];
    let mut differing = vec![0u8; width];
    for state in states.chunks_exact(width) {
        differing.iter_mut().zip(state).zip(base).for_each(|((all, new), old)| *all |= new ^ old);
    }
    let mut mask = vec![0u8; width.div_ceil(8)];
    let positions: Vec<usize> = (0..width).filter(|&at| differing[at] != 0).collect();
    positions.iter().for_each(|at| mask[at / 8] |= 1 << (at % 8));
    out.extend_from_slice(&(width as u32).to_le_bytes());
    out.extend_from_slice(&mask);
    out.extend_from_slice(base);
    for state in states.chunks_exact(width) {
        out.extend(positions.iter().map(|&at| state[at]));
    }
}

/// The states of a part of a block.
#[derive(Default)]
pub(super) struct States {
    /// Bytes of the states that vary, at these positions of a state.
    rows: Vec<u8>,
    positions: Vec<usize>,
    state: Vec<u8>,
}

impl States {
    /// Replaces the states by those of a part.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let (width, bytes) = bytes.split_first_chunk::<4>().ok_or(Failure::Corrupt)?;
        let width = u32::from_le_bytes(*width) as usize;
        let (mask, bytes) = bytes.split_at_checked(width.div_ceil(8)).ok_or(Failure::Corrupt)?;
        let (base, rows) = bytes.split_at_checked(width).ok_or(Failure::Corrupt)?;
        self.state.clear();
        self.state.extend_from_slice(base);
        self.positions.clear();
        self.positions.extend((0..width).filter(|at| mask[at / 8] >> (at % 8) & 1 == 1));
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        Ok(())
    }

    /// Appends a state, padded with zeros to `width` bytes.
    #[inline]
    pub fn append(&mut self, number: usize, width: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        let each = self.positions.len();
        let row = self.rows.get(number * each..(number + 1) * each).ok_or(Failure::Corrupt)?;
        self.positions.iter().zip(row).for_each(|(&at, &byte)| self.state[at] = byte);
        let end = out.len() + width;
        out.extend_from_slice(&self.state);
        out.resize(end, 0);
        Ok(())
    }
}
