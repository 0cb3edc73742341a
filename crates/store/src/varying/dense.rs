//! The places of the bits of narrow states as a table.
//!
//! *Entry point:* [`Dense`].

use super::Chunk;

/// The most words of a state, and of its packed form, that [`Dense`] is for.
pub(super) const FROM: usize = 5;
pub(super) const TO: usize = 2;

/// The steps for narrow states as a table: which bits of each word go to each packed word, and where to. Without
/// a loop whose length depends on the states there is no branch to predict.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dense {
    pub masks: [[u64; FROM]; TO],
    pub shifts: [[u32; FROM]; TO],
}

impl Dense {
    /// The table, where states are narrow and the bits of a word that go to the same packed word are one chunk.
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
