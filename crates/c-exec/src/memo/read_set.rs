//! What a step of a thread looked at, and what it changed, written down while it is made: what
//! [`crate::memo::memoise`] learns from. A step is a function of the thread's own record, of which objects
//! there are and whether several threads run (the *class* of the state), and of the answers to the
//! questions that are written down here, in this order: each question follows from the answers to
//! those before it.
//!
//! *Entry point:* [`Machine::depends`].
//! *Invariant:* What a step looks at is its own record, the class, or a question here; whatever is
//! none of these says so with [`Machine::mark_uncacheable`].

use crate::semantics::machine::{Machine, Place, Wait};
use crate::transactions::Span;

/// Accesses that a step is remembered with; one that makes more is executed each time.
const MAX_LOGGED: usize = 96;

/// Questions, and writes, after which a step is not remembered: each is compared with those before
/// it.
const MAX_ASKED: usize = 4096;

/// A question about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependency {
    /// What are these bytes, and their tags? Object, offset, size.
    Read(u32, i32, u32),
    /// What is overwritten: tags, and bytes where a pointer is among them?
    Over(u32, i32, u32),
    /// May another thread still do what this bit of its future stands for (`locksets.rs`)?
    Future(u32),
    /// The threads that wait for the condition variable.
    Waiters(Place),
    /// Does anybody wait for it with another mutex than this?
    OtherMutex(Place, Place),
    /// Is there a thread that this object stands for, has it ended, and is it detached?
    Thread(u32),
    /// Which shape does the state have?
    ComponentShape,
}

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
    /// The thread has let others go on who may do so unnoticed: they are asked elsewhere.
    pub needs_closure: bool,
}

impl ReadSet {
    fn ask(&mut self, question: Dependency) {
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
    fn is_long(&mut self) -> bool {
        if self.asked.len() >= MAX_ASKED || self.writes.len() >= MAX_ASKED {
            self.slow = self.slow.or(Some(self.asked.len()));
            return true;
        }
        false
    }
}

impl Machine<'_> {
    /// The step looks at something.
    pub(crate) fn depends(&self, question: Dependency) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.ask(question);
        }
    }

    /// The step accesses memory.
    pub(crate) fn depends_on_memory(&self, (object, offset): Place, size: u32, write: bool) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut()
            && !read_set.is_long()
        {
            if write {
                read_set.ask(Dependency::Over(object, offset, size));
                read_set.writes.push((object, offset, size));
            } else {
                read_set.ask(Dependency::Read(object, offset, size));
            }
        }
    }

    /// The step touches shared memory.
    pub(crate) fn depends_on_access_logs(&self, span: Span) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut()
            && !read_set.access_log.contains(&span)
        {
            if read_set.access_log.len() >= MAX_LOGGED {
                read_set.slow = read_set.slow.or(Some(read_set.asked.len()));
                return;
            }
            read_set.access_log.push(span);
        }
    }

    /// The step looks at, or does, something that cannot be learnt.
    pub(crate) fn mark_uncacheable(&self) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.slow = read_set.slow.or(Some(read_set.asked.len()));
        }
    }

    /// Others may go on unnoticed after what the thread did by itself. True where they are asked
    /// elsewhere.
    pub(crate) fn leaves_others(&self) -> bool {
        match &mut *self.read_set.borrow_mut() {
            Some(read_set) => {
                read_set.needs_closure = true;
                true
            }
            None => false,
        }
    }

    /// A thread is woken that waited for a condition variable.
    pub(crate) fn wakes(&self, thread: usize) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.woken.push(thread);
        }
    }

    /// The threads that wait for a condition variable.
    pub(crate) fn waiters(&self, place: Place) -> Vec<usize> {
        self.depends(Dependency::Waiters(place));
        (0..self.state.threads.len())
            .filter(|&t| matches!(self.state.threads[t].wait, Wait::Condition { cond, .. } if cond == place))
            .collect()
    }

    /// Whether a thread waits for a condition variable with another mutex than this.
    pub(crate) fn waits_with_other(&self, place: Place, lock: Place) -> bool {
        self.depends(Dependency::OtherMutex(place, lock));
        let other =
            |wait: &Wait| matches!(wait, Wait::Condition { cond, mutex } if *cond == place && *mutex != lock);
        self.state.threads.iter().any(|thread| other(&thread.wait))
    }
}
