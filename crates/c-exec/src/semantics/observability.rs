//! Accesses that another thread can observe.
//!
//! *Entry point:* [`Machine::is_seen`].
//! *Invariant:* an access that is not observable commutes with every step of every other thread.

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::state::dependency::Dependency;
use crate::state::program_state::Frame;

impl<E: Execution> Machine<'_, E> {
    /// Whether another thread can notice when the thread accesses the object now; see
    /// `locksets.rs`.
    #[inline]
    pub(crate) fn is_seen(&self, t: usize, object: u32, write: bool) -> bool {
        if !self.is_shared(object) {
            return false;
        }
        let futures = &self.program.futures;
        let Some(index) = futures.index(object).filter(|_| self.settings.locksets) else { return true };
        if !self.others_may(t, index, 0, write) {
            return false;
        }
        let free = |(at, &lock): (usize, &(u32, i32))| {
            self.owns(t, lock) && !self.others_may(t, index, at + 1, write)
        };
        !futures.locks.iter().enumerate().any(free)
    }

    /// Whether another thread may still access the variable in a way that conflicts, not holding
    /// the lock.
    fn others_may(&self, t: usize, index: usize, lock: usize, write: bool) -> bool {
        self.others_do(t, index, lock, true) || write && self.others_do(t, index, lock, false)
    }

    /// Whether another thread may still write it, or read it.
    fn others_do(&self, t: usize, index: usize, lock: usize, write: bool) -> bool {
        let futures = &self.program.futures;
        self.observer.depends(Dependency::Future(futures.bit(index, lock, write) as u32));
        self.state.threads.iter().enumerate().any(|(u, thread)| {
            let last = thread.frames.len().wrapping_sub(1);
            // Below the top, the call under way is in the sets of the frames above.
            let may = |(depth, frame): (usize, &Frame)| {
                let pc = frame.pc + u32::from(depth != last);
                futures.may(frame.code, pc, index, lock, write)
            };
            u != t && !thread.ended && thread.frames.iter().enumerate().any(may)
        })
    }
}
