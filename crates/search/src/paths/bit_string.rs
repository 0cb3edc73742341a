//! Bit string that grows at its end and supports random access. It is stored in blocks, so that
//! growth never copies and allocates at most one block in advance.

/// Number of words in a block (64 KiB).
pub(crate) const BLOCK: usize = 8192;

/// A growing bit string.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits {
    blocks: Vec<Box<[u64]>>,
    /// The last bits, not yet in a block.
    word: u64,
    /// Total number of bits.
    len: u64,
}

impl Bits {
    /// Appends the low `count` bits of `value` (the rest must be 0), lowest first; `count` is at
    /// most 64.
    #[inline]
    pub fn push(&mut self, value: u64, count: u32) {
        let used = (self.len % 64) as u32;
        self.word |= value << used;
        self.len += u64::from(count);
        if used + count >= 64 {
            self.flush();
            // The upper part of the value; for `used == 0`, the shift amount would be 64.
            self.word = if used == 0 { 0 } else { value >> (64 - used) };
        }
    }

    /// Total number of bits.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Bytes of memory.
    pub fn memory(&self) -> u64 {
        (self.blocks.len() * 8 * BLOCK + self.blocks.capacity() * size_of::<Box<[u64]>>()) as u64
    }

    /// All bits in words, lowest first; the last word is padded with zeros.
    pub fn words(&self) -> impl Iterator<Item = &[u64]> {
        let full = (self.len / 64) as usize;
        let blocks = self.blocks.iter().enumerate();
        let blocks = blocks.map(move |(block, words)| &words[..(full - block * BLOCK).min(BLOCK)]);
        let rest = if self.len.is_multiple_of(64) { &[][..] } else { std::slice::from_ref(&self.word) };
        blocks.chain(std::iter::once(rest))
    }

    /// The 64 bits from `at` on; bits past the end are 0.
    pub fn window(&self, at: u64) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        let low = self.word_at(word) >> shift;
        if shift == 0 { low } else { low | self.word_at(word + 1) << (64 - shift) }
    }

    fn word_at(&self, index: u64) -> u64 {
        let full = self.len / 64;
        match index.cmp(&full) {
            std::cmp::Ordering::Less => self.blocks[index as usize / BLOCK][index as usize % BLOCK],
            std::cmp::Ordering::Equal => self.word,
            std::cmp::Ordering::Greater => 0,
        }
    }

    #[cold]
    fn open_block(&mut self) {
        self.blocks.push(vec![0; BLOCK].into_boxed_slice());
    }

    /// Appends the full word to its block; `len` already counts it.
    #[inline]
    fn flush(&mut self) {
        let index = (self.len / 64 - 1) as usize;
        let (block, offset) = (index / BLOCK, index % BLOCK);
        if block == self.blocks.len() {
            self.open_block();
        }
        self.blocks[block][offset] = self.word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_back_what_was_pushed(pieces in prop::collection::vec((any::<u64>(), 0u32..=64), 0..100)) {
            let mut bits = Bits::default();
            let mut plain: Vec<bool> = Vec::new();
            for (value, count) in pieces {
                let value = if count == 64 { value } else { value & ((1 << count) - 1) };
                bits.push(value, count);
                plain.extend((0..count).map(|i| value >> i & 1 == 1));
            }
            prop_assert_eq!(bits.len(), plain.len() as u64);
            for at in 0..plain.len() {
                let want = (plain[at..].iter().take(64).enumerate()).fold(0, |w, (i, &b)| w | u64::from(b) << i);
                prop_assert_eq!(bits.window(at as u64), want);
            }
        }
    }

    #[test]
    fn goes_on_in_the_next_block() {
        let mut bits = Bits::default();
        for i in 0..3 * BLOCK as u64 {
            bits.push(i, 63);
        }
        for i in [0, 1, BLOCK as u64, BLOCK as u64 + 200, 3 * BLOCK as u64 - 1] {
            assert_eq!(bits.window(63 * i) & (u64::MAX >> 1), i);
        }
        assert_eq!(bits.memory() / 65536, 3);
    }
}
