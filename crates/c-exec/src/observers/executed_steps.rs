//! The steps of a program that a transition has executed, each once: a transition may execute a step a
//! million times.
//!
//! *Invariant:* a copy of a machine begins with an empty set, so that its steps are its own.

/// See the head of this file.
#[derive(Default, Debug)]
pub(crate) struct ExecutedSteps {
    /// The steps, and for each function a bit set of them.
    steps: Vec<(u32, u32)>,
    known: Vec<Vec<u64>>,
    /// The last step was new.
    is_last_new: bool,
}

impl Clone for ExecutedSteps {
    fn clone(&self) -> ExecutedSteps {
        ExecutedSteps::default()
    }
}

impl ExecutedSteps {
    /// Forgets all steps; the lists keep their memory.
    pub fn clear(&mut self) {
        while let Some(step) = self.steps.pop() {
            self.forget(step);
        }
        self.is_last_new = false;
    }

    fn forget(&mut self, (code, pc): (u32, u32)) {
        self.known[code as usize][pc as usize / 64] &= !(1 << (pc % 64));
    }

    /// Adds a step of a function.
    #[inline]
    pub fn add(&mut self, (code, pc): (u32, u32)) {
        let word = self.known.get(code as usize).and_then(|known| known.get(pc as usize / 64));
        self.is_last_new = word.is_none_or(|word| word >> (pc % 64) & 1 == 0);
        if self.is_last_new {
            self.add_new((code, pc));
        }
    }

    #[cold]
    fn add_new(&mut self, (code, pc): (u32, u32)) {
        let (code_at, word) = (code as usize, pc as usize / 64);
        if self.known.len() <= code_at {
            self.known.resize_with(code_at + 1, Vec::new);
        }
        if self.known[code_at].len() <= word {
            self.known[code_at].resize(word + 1, 0);
        }
        self.known[code_at][word] |= 1 << (pc % 64);
        self.steps.push((code, pc));
    }

    /// Takes back the last step, which was not executed after all.
    pub fn take_back(&mut self) {
        if std::mem::take(&mut self.is_last_new)
            && let Some(last) = self.steps.pop()
        {
            self.forget(last);
        }
    }

    /// The steps in the order of their first execution.
    pub fn each(&self) -> impl Iterator<Item = (u32, u32)> {
        self.steps.iter().copied()
    }
}
