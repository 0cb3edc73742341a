//! The record of what a step of a thread looked at, as questions on whose answers the step depends, and
//! of what it changed. `dependencies.rs` writes them down while the step is executed.
//!
//! *Invariant:* each question is there once; none reads only bytes that the step itself has written.

use crate::state::access::Span;
use crate::state::dependency::Dependency;

/// Questions, and writes, after which a step is not remembered: each is compared with those before
/// it.
const MAX_ASKED: usize = 4096;

/// The record of a step.
#[derive(Clone, Default, Debug)]
pub struct ReadSet {
    /// The questions, each once.
    pub asked: Vec<Dependency>,
    /// What was written: object, offset, size.
    pub writes: Vec<(u32, i32, u32)>,
    /// What of shared memory it touched: the last question is whether that conflicts with what the
    /// others have touched since their last turns (`transactions.rs`).
    pub access_log: Vec<Span>,
    /// How many of these belong to the visible step, and not to what came along with it.
    pub visible: usize,
    /// Threads that were woken from waiting for a condition variable.
    pub woken: Vec<usize>,
    /// Something was looked at that no question stands for, after so many questions.
    pub slow: Option<usize>,
    /// Other threads may have invisible steps afterwards, which are executed elsewhere.
    pub needs_closure: bool,
}

impl ReadSet {
    /// Forgets everything; the lists keep their memory.
    pub fn clear(&mut self) {
        let ReadSet { asked, writes, access_log, visible, woken, slow, needs_closure } = self;
        asked.clear();
        writes.clear();
        access_log.clear();
        woken.clear();
        (*visible, *slow, *needs_closure) = (0, None, false);
    }

    /// Adds a question.
    pub fn ask(&mut self, question: Dependency) {
        // What the step itself has written is no news.
        if let Dependency::Read(object, offset, size) = question
            && self.writes.iter().any(|&(o, at, wide)| {
                o == object
                    && at <= offset
                    && i64::from(offset) + i64::from(size) <= i64::from(at) + i64::from(wide)
            })
        {
            return;
        }
        if !self.asked.contains(&question) {
            self.asked.push(question);
        }
    }

    /// Whether the step accesses so much that it is not remembered: a library function over a long
    /// range.
    pub fn is_long(&mut self) -> bool {
        if self.asked.len() >= MAX_ASKED || self.writes.len() >= MAX_ASKED {
            self.slow = self.slow.or(Some(self.asked.len()));
            return true;
        }
        false
    }
}
