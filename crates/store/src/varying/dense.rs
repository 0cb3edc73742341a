//! Positions of the bits of narrow states as a table.
//!
//! *Entry point:* [`Dense`].

use super::Chunk;

/// Maximum number of words of a state, and of its packed form, for [`Dense`].
pub(super) const FROM: usize = 5;
pub(super) const TO: usize = 2;

/// Packing steps of narrow states as a table: the bits of each word that go to each packed word,
/// and their positions. Loops of constant length avoid mispredicted branches.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dense {
    pub masks: [[u64; FROM]; TO],
    pub shifts: [[u32; FROM]; TO],
}

impl Dense {
    /// The table, for narrow states in which the bits of one word in the same packed word are one
    /// chunk.
    pub fn new(chunks: &[Chunk]) -> Option<Dense> {
        let mut dense = Dense::default();
        for chunk in chunks {
            let (to, from) = (chunk.to as usize, chunk.from as usize);
            if to >= TO || from >= FROM || dense.masks[to][from] != 0 {
                return None;
            }
            (dense.masks[to][from], dense.shifts[to][from]) = (chunk.mask, chunk.shift);
        }
        Some(dense)
    }
}
