//! Queue of root pairs of states to expand: first in, first out, compactly encoded.
//!
//! Chunks of fixed size are filled one after the other. The halves of the pairs in a chunk have as
//! many bits as the numbers had when the chunk was started; a pair that does not fit starts a new
//! chunk. Empty chunks are reused.
//!
//! *Entry points:* [`Queue::push`] and [`Queue::pop`].

use crate::OutOfMemory;
use std::collections::VecDeque;

/// Bytes per chunk.
const CHUNK: usize = 16 << 10;

/// Pairs in one encoding.
struct Chunk {
    bytes: Box<[u8]>,
    /// Number of bits of the left half, and of both halves.
    left_bits: u32,
    bits: u32,
    /// Number of bytes read and written.
    read: usize,
    written: usize,
}

impl Chunk {
    /// Number of bytes per pair.
    fn size(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

/// The queue.
#[derive(Default)]
pub(crate) struct Queue {
    chunks: VecDeque<Chunk>,
    spare: Vec<Box<[u8]>>,
    len: usize,
}

fn bits(largest: u32) -> u32 {
    (32 - largest.leading_zeros()).max(1)
}

impl Queue {
    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory used.
    pub(crate) fn memory(&self) -> u64 {
        let lists = self.chunks.capacity() * size_of::<Chunk>() + self.spare.capacity() * 16;
        ((self.chunks.len() + self.spare.len()) * CHUNK + lists) as u64
    }

    /// Number of spare chunks required for `more` pairs, plus one for the unused rest of the last
    /// chunk and one for a change of the encoding.
    fn chunks_for(more: usize) -> usize {
        more.div_ceil(CHUNK / 8) + 2
    }

    /// Whether memory for `more` pairs is reserved.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        Queue::chunks_for(more) <= self.spare.len()
    }

    /// Reserves memory for `more` pairs with at most `allowance` further bytes. The reservation
    /// suffices if the number of bits changes at most once.
    pub(crate) fn reserve(&mut self, more: usize, allowance: u64) -> Result<(), OutOfMemory> {
        let chunks = Queue::chunks_for(more);
        let missing = chunks.saturating_sub(self.spare.len());
        if missing == 0 {
            return Ok(());
        }
        // The lists may double.
        let lists = (self.chunks.len() + chunks).saturating_mul(2 * (size_of::<Chunk>() + 16));
        if (missing * CHUNK + lists) as u64 > allowance {
            return Err(OutOfMemory);
        }
        self.chunks.try_reserve(chunks).map_err(|_| OutOfMemory)?;
        self.spare.try_reserve(missing).map_err(|_| OutOfMemory)?;
        for _ in 0..missing {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(CHUNK).map_err(|_| OutOfMemory)?;
            bytes.resize(CHUNK, 0);
            self.spare.push(bytes.into_boxed_slice());
        }
        Ok(())
    }

    /// Appends a pair; memory must be reserved. `most` are the expected bounds of the following
    /// pairs.
    #[inline(always)]
    pub(crate) fn push(&mut self, left: u32, right: u32, most: (u32, u32)) {
        let fits = self.chunks.back().is_some_and(|chunk| {
            let room = chunk.written + chunk.size().max(8) <= CHUNK;
            room && u64::from(left) < 1 << chunk.left_bits
                && u64::from(right) < 1 << (chunk.bits - chunk.left_bits)
        });
        if !fits {
            self.begin((most.0.max(left), most.1.max(right)));
        }
        if let Some(chunk) = self.chunks.back_mut() {
            let key = u64::from(left) | u64::from(right) << chunk.left_bits;
            // Eight bytes are always written; the excess is overwritten by the next pair.
            chunk.bytes[chunk.written..chunk.written + 8].copy_from_slice(&key.to_le_bytes());
            chunk.written += chunk.size();
            self.len += 1;
        }
    }

    #[cold]
    fn begin(&mut self, most: (u32, u32)) {
        let bytes = self.spare.pop().unwrap_or_else(|| vec![0; CHUNK].into_boxed_slice());
        let left_bits = bits(most.0);
        self.chunks.push_back(Chunk {
            bytes,
            left_bits,
            bits: left_bits + bits(most.1),
            read: 0,
            written: 0,
        });
    }

    /// Removes the oldest pair.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        loop {
            let chunk = self.chunks.front_mut()?;
            if chunk.read < chunk.written {
                let pair = read(chunk, chunk.read);
                chunk.read += chunk.size();
                self.len -= 1;
                return Some(pair);
            }
            let chunk = self.chunks.pop_front()?;
            // A few chunks are kept for reuse.
            if self.spare.len() < 4 {
                self.spare.push(chunk.bytes);
            }
        }
    }

    /// All pairs, oldest first, without removing them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.chunks.iter().flat_map(|chunk| {
            (chunk.read..chunk.written).step_by(chunk.size()).map(move |at| read(chunk, at))
        })
    }
}

#[inline(always)]
fn read(chunk: &Chunk, at: usize) -> (u32, u32) {
    let mut key = [0; 8];
    key.copy_from_slice(&chunk.bytes[at..at + 8]);
    let key = u64::from_le_bytes(key);
    let key = if chunk.bits == 64 { key } else { key & ((1 << chunk.bits) - 1) };
    let right = if chunk.left_bits == 64 { 0 } else { key >> chunk.left_bits };
    ((key & ((1 << chunk.left_bits) - 1)) as u32, right as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out_in_every_format() {
        let mut queue = Queue::default();
        let (mut next, mut expected) = (0u32, 0u32);
        // Numbers of all sizes, growing and shrinking.
        let make = |i: u32| {
            let shift = (i / 700) % 33;
            let high = |x: u32| if shift == 0 { 0 } else { x | u32::MAX << 31 >> (32 - shift) };
            (high(i), i.wrapping_mul(77) % 1000)
        };
        let most = if cfg!(miri) { 1500 } else { 40_000 };
        while expected < most {
            queue.reserve(100, u64::MAX).unwrap();
            for _ in 0..100 {
                let (left, right) = make(next);
                queue.push(left, right, (left, right));
                next += 1;
            }
            assert_eq!(queue.iter().next(), Some(make(expected)));
            assert_eq!(queue.iter().count(), queue.len());
            for _ in 0..if next < most / 2 { 60 } else { 140 } {
                if let Some(pair) = queue.pop() {
                    assert_eq!(pair, make(expected));
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn the_largest_numbers_fit() {
        let mut queue = Queue::default();
        queue.reserve(2, u64::MAX).unwrap();
        queue.push(u32::MAX, u32::MAX, (0, 0));
        queue.push(0, u32::MAX, (0, 0));
        assert_eq!(queue.iter().collect::<Vec<_>>(), [(u32::MAX, u32::MAX), (0, u32::MAX)]);
        assert_eq!(queue.pop(), Some((u32::MAX, u32::MAX)));
        assert_eq!(queue.pop(), Some((0, u32::MAX)));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn small_numbers_take_few_bytes() {
        let mut queue = Queue::default();
        for i in 0..100_000u32 {
            queue.reserve(1, u64::MAX).unwrap();
            queue.push(i % 4000, i % 4000, (4000, 4000));
        }
        assert!(queue.memory() < 330_000 + 4 * CHUNK as u64, "{}", queue.memory());
    }

    #[test]
    fn an_allowance_is_kept() {
        let mut queue = Queue::default();
        for allowance in (0..30).map(|i| i * 5000) {
            let before = queue.memory();
            // It may fail: only what it takes is tested.
            let _ = queue.reserve(8000, allowance);
            assert!(queue.memory() <= before + allowance);
        }
    }
}
