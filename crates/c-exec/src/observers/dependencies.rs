//! What a step of a thread looked at, and what it changed, written down while it is executed: what
//! memoisation learns from. A step is a function of the thread's own record, of which objects there are and
//! whether several threads run (the *class* of the state), and of the answers to the questions that are
//! written down here, in this order: each question follows from the answers to those before it.
//!
//! *Entry points:* [`Recorders::depends_on_memory`] and the `depends` of the observer (`recording.rs`).
//! *Invariant:* What a step looks at is its own record, the class, or a question here; whatever is
//! none of these says so with [`Recorders::mark_uncacheable`].

use crate::observers::recorders::Recorders;
use crate::state::access::Span;
use crate::state::dependency::Dependency;
use crate::state::value::Place;

/// Accesses that a step is remembered with; one that makes more is executed each time.
const MAX_LOGGED: usize = 96;

impl Recorders {
    /// The step accesses memory.
    #[inline]
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
    #[inline]
    pub(crate) fn mark_uncacheable(&self) {
        if let Some(read_set) = &mut *self.read_set.borrow_mut() {
            read_set.slow = read_set.slow.or(Some(read_set.asked.len()));
        }
    }

    /// Whether the step is being learnt.
    #[inline]
    pub(crate) fn is_learning(&self) -> bool {
        self.read_set.borrow().is_some()
    }

    /// Whether the step is being learnt without success: it looked at something that cannot be learnt.
    pub(crate) fn is_uncacheable(&self) -> bool {
        self.read_set.borrow().as_ref().is_some_and(|read_set| read_set.slow.is_some())
    }

    /// Other threads may have invisible steps after those of this thread. True if these are executed
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
}
