//! The stack of a depth-first search as undo records.
//!
//! A step changes only a few words of a state. The stack therefore stores, for each level, the old
//! values of the changed words and the position of the successor. Records are read from the end:
//! the position is last, before it the number of changed words, before that the words with their
//! offsets. Memory is allocated and released in blocks.
//!
//! *Entry points:* [`UndoStack::push`], [`UndoStack::pop`].
//!
//! *Source:* G. J. Holzmann, The Spin Model Checker, chapter 8 (undo values of single assignments).
//! This stack needs no knowledge of the statements.
//!
//! *Invariant:* Undoing also works after the state was widened by zeros at its end, because offsets
//! do not change.
//!
//! *Cost:* about ten bytes per level.

/// Bytes in a block.
const BLOCK: usize = 1 << 16;

/// A step on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Position of the successor taken.
    pub position: u32,
    /// Whether it was the last successor, so that the preceding state needs no further expansion.
    pub last: bool,
}

/// Steps from the initial state to the current state, with undo records.
#[derive(Debug, Default)]
pub struct UndoStack {
    blocks: Vec<Box<[u8]>>,
    len: usize,
    depth: u64,
}

impl UndoStack {
    /// Records the step from `before` to `after` (of equal length, a multiple of 4).
    pub fn push(&mut self, before: &[u8], after: &[u8], step: Step) {
        let mut changed = 0;
        for (word, (old, new)) in before.chunks_exact(4).zip(after.chunks_exact(4)).enumerate() {
            if old != new {
                old.iter().for_each(|&byte| self.push_byte(byte));
                self.push_number(word as u64);
                changed += 1;
            }
        }
        self.push_number(changed);
        self.push_number(u64::from(step.position) << 1 | u64::from(step.last));
        self.depth += 1;
    }

    /// Undoes the last step: `state` becomes the preceding state. `None` at the initial state.
    pub fn pop(&mut self, state: &mut [u8]) -> Option<Step> {
        if self.depth == 0 {
            return None;
        }
        let mut at = self.len;
        let step = self.step_before(&mut at);
        for _ in 0..self.number_before(&mut at) {
            let word = self.number_before(&mut at) as usize;
            at -= 4;
            for (offset, byte) in state[4 * word..4 * word + 4].iter_mut().enumerate() {
                *byte = self.byte(at + offset);
            }
        }
        self.depth -= 1;
        self.truncate(at);
        Some(step)
    }

    /// Backtracks to the nearest state with unexplored successors, and returns the position of the
    /// step taken from it; `None` if no such state exists. `leave` is called for every state left.
    pub fn retreat(&mut self, state: &mut [u8], mut leave: impl FnMut(&[u8])) -> Option<u32> {
        loop {
            leave(state);
            let step = self.pop(state)?;
            if !step.last {
                return Some(step.position);
            }
        }
    }

    /// The positions of all steps, first step first.
    pub fn path(&self) -> Vec<u32> {
        let mut at = self.len;
        let mut path = Vec::new();
        while at > 0 {
            path.push(self.step_before(&mut at).position);
            for _ in 0..self.number_before(&mut at) {
                self.number_before(&mut at);
                at -= 4;
            }
        }
        path.reverse();
        path
    }

    /// Number of steps.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Bytes of memory.
    pub fn memory(&self) -> u64 {
        (self.blocks.len() * BLOCK + self.blocks.capacity() * size_of::<Box<[u8]>>()) as u64
    }

    fn step_before(&self, at: &mut usize) -> Step {
        let number = self.number_before(at);
        Step { position: (number >> 1) as u32, last: number & 1 == 1 }
    }

    fn byte(&self, at: usize) -> u8 {
        self.blocks[at / BLOCK][at % BLOCK]
    }

    fn push_byte(&mut self, byte: u8) {
        if self.len == self.blocks.len() * BLOCK {
            self.blocks.push(vec![0; BLOCK].into_boxed_slice());
        }
        self.blocks[self.len / BLOCK][self.len % BLOCK] = byte;
        self.len += 1;
    }

    /// Encodes seven bits per byte, the lowest first. All bytes except the first carry the high
    /// bit, so that reading from the end stops at the byte without it.
    fn push_number(&mut self, number: u64) {
        self.push_byte((number & 127) as u8);
        let mut rest = number >> 7;
        while rest > 0 {
            self.push_byte((rest & 127) as u8 | 128);
            rest >>= 7;
        }
    }

    fn number_before(&self, at: &mut usize) -> u64 {
        let mut number = 0;
        loop {
            *at -= 1;
            let byte = self.byte(*at);
            number = number << 7 | u64::from(byte & 127);
            if byte & 128 == 0 {
                return number;
            }
        }
    }

    /// Releases blocks except for one spare block: a search that oscillates around a block boundary
    /// would otherwise allocate at every step.
    fn truncate(&mut self, len: usize) {
        self.len = len;
        self.blocks.truncate(len.div_ceil(BLOCK) + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn goes_back_the_way_it_came(
            walk in prop::collection::vec(
                (prop::collection::vec((0usize..40, any::<u32>()), 0..5), any::<u32>(), any::<bool>()), 0..300),
            pops in 0usize..300,
        ) {
            let mut stack = UndoStack::default();
            let mut state = vec![0u8; 160];
            let mut plain = Vec::new();
            for (changes, position, last) in walk {
                let mut next = state.clone();
                for (word, value) in changes {
                    next[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
                }
                let step = Step { position, last };
                stack.push(&state, &next, step);
                plain.push((state, step));
                state = next;
            }
            prop_assert_eq!(stack.path(), plain.iter().map(|(_, s)| s.position).collect::<Vec<_>>());
            for _ in 0..pops {
                prop_assert_eq!(stack.depth(), plain.len() as u64);
                let want = plain.pop();
                prop_assert_eq!(stack.pop(&mut state), want.as_ref().map(|(_, step)| *step));
                if let Some((before, _)) = want {
                    prop_assert_eq!(&state, &before);
                }
            }
            prop_assert_eq!(stack.path(), plain.iter().map(|(_, s)| s.position).collect::<Vec<_>>());
        }
    }

    #[test]
    fn gives_memory_back() {
        let mut stack = UndoStack::default();
        let mut state = vec![0u8; 8];
        for i in 0..100_000u64 {
            let next = i.to_le_bytes();
            stack.push(&state, &next, Step { position: 1, last: false });
            state.copy_from_slice(&next);
        }
        assert!(stack.memory() > 8 * BLOCK as u64);
        while stack.pop(&mut state).is_some() {}
        assert!(stack.memory() < 2 * BLOCK as u64);
        assert_eq!(state, [0; 8]);
    }
}
