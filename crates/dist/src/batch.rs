//! Batches of states in messages between workers and in the level log.
//!
//! A state is encoded as its difference to the preceding one of the batch: a mask of the groups of
//! eight bytes that differ, for each of these a mask of its bytes that differ, and those bytes. The
//! successors of a state, and the states of a level in order of discovery, differ in few bytes.
//!
//! *Entry points:* [`Encoder::push`], [`decode`].
//!
//! *Source:* the incremental state vectors of G. Behrmann, T. Hune and F. Vaandrager, Distributing timed
//! model checking, CAV 2000; the difference code is that of G. J. Holzmann, State compression in Spin,
//! SPIN 1997, without its masks of constants.
//!
//! *Invariant:* the states of a batch have the width and the size that its header states, and belong to
//! the level that it states. Bytes that no encoder produced are an error.

use crate::failure::Failure;
use crate::wire::{Reader, Writer};

/// The kind of a message with states.
pub(crate) const STATES: u8 = 1;

/// Bytes of a group.
const GROUP: usize = 8;

/// Collects the states of a batch.
#[derive(Debug)]
pub(crate) struct Encoder {
    /// The level of the states.
    level: u64,
    /// Bytes of a state, and its size in the unit of the engine.
    width: usize,
    size: usize,
    count: u64,
    /// The last state, in groups.
    last: Vec<u64>,
    code: Vec<u8>,
}

impl Encoder {
    /// An empty batch of states of a level.
    pub fn new(level: u64, width: usize, size: usize) -> Encoder {
        Encoder { level, width, size, count: 0, last: vec![0; width.div_ceil(GROUP)], code: Vec::new() }
    }

    /// Number of states.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a state of this level and width belongs into this batch.
    pub fn admits(&self, level: u64, width: usize) -> bool {
        (self.level, self.width) == (level, width)
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        (GROUP * self.last.capacity() + self.code.capacity()) as u64
    }

    /// Appends a state.
    pub fn push(&mut self, state: &[u8]) {
        debug_assert_eq!(state.len(), self.width, "states of a batch have one width");
        // Room for a state of which every byte differs: bytes are then written without a test for room for each.
        let begin = self.code.len();
        let masks = self.last.len().div_ceil(8);
        self.code.resize(begin + masks + (GROUP + 1) * self.last.len() + GROUP, 0);
        let code = &mut self.code[begin..];
        let mut end = masks;
        let (words, rest) = state.as_chunks::<GROUP>();
        let mut tail = [0; GROUP];
        tail[..rest.len()].copy_from_slice(rest);
        let tail = if rest.is_empty() { None } else { Some(&tail) };
        for (number, (new, old)) in words.iter().chain(tail).zip(&mut self.last).enumerate() {
            let word = u64::from_le_bytes(*new);
            let differing = word ^ *old;
            if differing == 0 {
                continue;
            }
            *old = word;
            code[number / 8] |= 1 << (number % 8);
            let mask = bytes_of(differing);
            code[end] = mask;
            end += 1;
            // Which bytes differ is not predictable, so every byte is written, and the next one over those that
            // are equal.
            let room = &mut code[end..end + GROUP];
            let mut kept = 0;
            for (at, byte) in new.iter().enumerate() {
                room[kept & 7] = *byte;
                kept += usize::from(mask >> at & 1);
            }
            end += kept;
        }
        self.code.truncate(begin + end);
        self.count += 1;
    }

    /// The batch as a message. The encoder is then empty.
    pub fn take(&mut self) -> Vec<u8> {
        let mut writer = Writer::new(STATES);
        writer.number(self.level);
        writer.number(self.width as u64);
        writer.number(self.size as u64);
        writer.number(self.count);
        writer.bytes(&self.code);
        self.count = 0;
        self.code.clear();
        self.last.fill(0);
        writer.end()
    }
}

/// The states of a batch.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Decoded {
    /// Level of the states.
    pub level: u64,
    /// Bytes of a state.
    pub width: usize,
    /// Size of a state, in the unit of the engine.
    pub size: usize,
    /// The states, one after the other.
    pub states: Vec<u8>,
}

impl Decoded {
    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len() / self.width.max(1)
    }

    /// Pads all states with zeros to a greater width.
    pub fn widen(&mut self, width: usize) {
        if width <= self.width || self.width == 0 {
            return;
        }
        let mut wide = Vec::with_capacity(self.len() * width);
        for state in self.states.chunks_exact(self.width) {
            wide.extend_from_slice(state);
            wide.resize(wide.len() + width - self.width, 0);
        }
        (self.states, self.width) = (wide, width);
    }
}

/// The states of a batch whose states are not wider than `most` bytes.
pub(crate) fn decode(message: &[u8], most: usize) -> Result<Decoded, Failure> {
    let mut reader = Reader::new(STATES, message)?;
    let level = reader.number()?;
    let [width, size, count] = [reader.number()?, reader.number()?, reader.number()?];
    let code = reader.bytes()?;
    reader.end()?;
    let small = |number: u64| usize::try_from(number).map_err(|_| Failure::Corrupt);
    let [width, size, count] = [small(width)?, small(size)?, small(count)?];
    let masks = width.div_ceil(GROUP).div_ceil(8);
    // Each state takes at least its masks, so that no allocation is larger than the message justifies.
    let is_possible = (4..=most).contains(&width)
        && width.is_multiple_of(4)
        && count.checked_mul(masks).is_some_and(|least| least <= code.len());
    if !is_possible {
        return Err(Failure::Corrupt);
    }
    let mut states = Vec::with_capacity(count * width);
    let mut last = vec![0; width];
    let mut rest = code;
    for _ in 0..count {
        let (groups, after) = rest.split_at_checked(masks).ok_or(Failure::Corrupt)?;
        rest = after;
        apply(groups, &mut rest, &mut last)?;
        states.extend_from_slice(&last);
    }
    if rest.is_empty() { Ok(Decoded { level, width, size, states }) } else { Err(Failure::Corrupt) }
}

/// The bytes of a word that are not 0, as bits.
fn bytes_of(word: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of each byte that is not 0; the product moves these bits to the highest byte.
    let highest = ((word & LOW).wrapping_add(LOW) | word) & !LOW;
    ((highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The positions of the bits that are set, in ascending order.
fn ones(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}

/// Changes the bytes of a state as its code says.
fn apply(groups: &[u8], rest: &mut &[u8], state: &mut [u8]) -> Result<(), Failure> {
    for (number, group) in groups.iter().enumerate() {
        for bit in ones(*group) {
            let (mask, bytes) = rest.split_first().ok_or(Failure::Corrupt)?;
            let start = (number * 8 + bit) * GROUP;
            let count = mask.count_ones() as usize;
            match (state.get_mut(start..start + GROUP), bytes.first_chunk::<GROUP>()) {
                // Which bytes differ is not predictable: all are chosen without a branch.
                (Some(word), Some(code)) => {
                    let mut used = 0;
                    for (at, byte) in word.iter_mut().enumerate() {
                        let differs = mask >> at & 1;
                        *byte = if differs == 1 { code[used & 7] } else { *byte };
                        used += usize::from(differs);
                    }
                }
                _ => {
                    for (at, byte) in ones(*mask).zip(bytes) {
                        *state.get_mut(start + at).ok_or(Failure::Corrupt)? = *byte;
                    }
                }
            }
            *rest = bytes.get(count..).ok_or(Failure::Corrupt)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// States of one width of which each is like the one before or another.
    fn states() -> impl Strategy<Value = (usize, Vec<u8>)> {
        (1..70usize, prop::collection::vec((any::<u16>(), any::<u8>(), any::<bool>()), 1..60)).prop_map(
            |(words, changes)| {
                let width = 4 * words;
                let mut state = vec![0; width];
                let mut all = Vec::new();
                for (at, byte, is_new) in changes {
                    if is_new {
                        state.iter_mut().enumerate().for_each(|(i, b)| *b = byte.wrapping_mul(i as u8));
                    }
                    state[usize::from(at) % width] = byte;
                    all.extend_from_slice(&state);
                }
                (width, all)
            },
        )
    }

    fn encoded(width: usize, states: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::new(5, width, 3);
        states.chunks_exact(width).for_each(|state| encoder.push(state));
        encoder.take()
    }

    proptest! {
        #[test]
        fn each_byte_of_a_word_has_its_bit(word: u64, zero: u8) {
            let kept = (0..8).filter(|at| zero >> at & 1 == 0).fold(0, |kept, at| kept | word & 0xff << (8 * at));
            let wanted = (0..8).filter(|at| kept >> (8 * at) & 0xff != 0).fold(0u8, |mask, at| mask | 1 << at);
            prop_assert_eq!(bytes_of(kept), wanted);
        }

        #[test]
        fn states_are_read_back((width, states) in states()) {
            let message = encoded(width, &states);
            let decoded = decode(&message, width).unwrap();
            prop_assert_eq!(&decoded, &Decoded { level: 5, width, size: 3, states });
            prop_assert_eq!(decode(&message, width - 4), Err(Failure::Corrupt));
        }

        #[test]
        fn an_encoder_is_reusable((width, states) in states()) {
            let mut encoder = Encoder::new(5, width, 3);
            for _ in 0..2 {
                states.chunks_exact(width).for_each(|state| encoder.push(state));
                prop_assert_eq!(encoder.len() as usize, states.len() / width);
                prop_assert_eq!(encoder.take(), encoded(width, &states));
                prop_assert!(encoder.is_empty());
            }
        }

        #[test]
        fn wider_states_end_with_zeros((width, states) in states(), more in 1..9usize) {
            let mut decoded = decode(&encoded(width, &states), width).unwrap();
            let wide = width + 4 * more;
            decoded.widen(wide);
            prop_assert_eq!(decoded.states.len() / wide, states.len() / width);
            for (new, old) in decoded.states.chunks_exact(wide).zip(states.chunks_exact(width)) {
                prop_assert_eq!(&new[..width], old);
                prop_assert!(new[width..].iter().all(|&byte| byte == 0));
            }
        }

        #[test]
        fn a_changed_byte_is_detected((width, states) in states(), at in any::<u16>(), flip in 1..=255u8) {
            let mut message = encoded(width, &states);
            let at = usize::from(at) % message.len();
            message[at] ^= flip;
            prop_assert_eq!(decode(&message, width), Err(Failure::Corrupt));
        }

        #[test]
        fn no_contents_make_it_panic(numbers in prop::collection::vec(0..100u64, 4), code in prop::collection::vec(any::<u8>(), 0..90)) {
            let mut writer = Writer::new(STATES);
            numbers.iter().for_each(|&number| writer.number(number));
            writer.bytes(&code);
            // Only what it takes without a panic is tested; some of these are batches.
            let _ = decode(&writer.end(), 64);
        }
    }

    #[test]
    fn a_short_message_is_an_error() {
        let message = encoded(8, &[1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 9]);
        for end in 0..message.len() {
            assert_eq!(decode(&message[..end], 8), Err(Failure::Corrupt));
        }
    }

    #[test]
    fn similar_states_take_few_bytes() {
        let mut encoder = Encoder::new(0, 28, 1);
        for number in 0..1000u32 {
            let mut state = [0; 28];
            state[..4].copy_from_slice(&number.to_le_bytes());
            state[20] = (number % 7) as u8;
            encoder.push(&state);
        }
        let message = encoder.take();
        assert!(message.len() < 6 * 1000, "{} bytes", message.len());
    }
}
