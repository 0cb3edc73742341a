//! Clock values that are stored and may never be read. A function of
//! [`Program::timers`](axle_c::Program::timers) may store the result of `time` anywhere; the clock matters
//! only if a step reads a part of such a value.
//!
//! *Entry points:* [`Machine::observe_clock`], [`Machine::cut_clock`].
//!
//! Time stands still in these programs, so a stored clock value is a word with the bits of that time. A
//! word with these bits and another origin only makes the verdict unknown without need.
//! *Invariant:* while [`Machine::clock_read`] is unset, each stored clock value that memory holds is whole,
//! and no step has read a byte of one. Two executions with other results of `time` therefore differ in
//! these words only.

use crate::machine::{Execution, Machine};
use crate::state::settings::NOW;

impl<E: Execution> Machine<'_, E> {
    /// Before bytes of the state are read: notes whether a part of a clock value is among them.
    #[inline]
    pub fn observe_clock(&mut self, at: usize, size: usize) {
        if self.program.stores_clock && !self.clock_read {
            let is_read = self.clock_words(at, size).next().is_some();
            self.clock_read = is_read;
        }
    }

    /// Before bytes of the state are overwritten or copied: notes whether a clock value is not within
    /// them as a whole.
    #[inline]
    pub fn cut_clock(&mut self, at: usize, size: usize) {
        if self.program.stores_clock && !self.clock_read {
            let word = self.pointer_size();
            let is_cut = |start: usize| start < at || start + word > at + size;
            let cuts = self.clock_words(at, size).any(is_cut);
            self.clock_read = cuts;
        }
    }

    /// Where words with the bits of the time begin that have a byte in a range.
    fn clock_words(&self, at: usize, size: usize) -> impl Iterator<Item = usize> {
        // `time_t` has the size of a pointer.
        let word = self.pointer_size();
        let now = NOW.to_le_bytes();
        let is_clock = move |start: &usize| self.state.bytes.get(*start..*start + word) == Some(&now[..word]);
        ((at + 1).saturating_sub(word)..at + size).filter(is_clock)
    }
}
