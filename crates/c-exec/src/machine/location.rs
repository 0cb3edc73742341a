//! Where a thread is in its program, and an error that happens there.
//!
//! *Entry points:* [`Machine::stand`], [`Machine::error_site`].

use crate::machine::{Execution, Machine};
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::ErrorSite;

impl<E: Execution> Machine<'_, E> {
    /// The function and the step of a thread, if it still exists.
    #[inline]
    pub(crate) fn stand(&self, t: usize) -> (u32, u32) {
        let frame = self.state.threads.get(t).and_then(|thread| thread.frames.last());
        frame.map_or((0, 0), |frame| (frame.code, frame.pc))
    }

    pub(crate) fn error_site(&self, t: usize, error: ErrorKind) -> ErrorSite {
        self.error_at(t, error, self.stand(t))
    }

    /// An error of a thread at a step that it has begun, or has made before.
    pub(crate) fn error_at(&self, t: usize, error: ErrorKind, (code, pc): (u32, u32)) -> ErrorSite {
        let user = self.user_step(t, (code, pc));
        ErrorSite { error, thread: self.visible_number(t), code, pc, accesses: None, during: None, user }
    }

    /// A step of a thread as the user sees it: a step of the library stands for the call of it.
    pub(crate) fn user_step(&self, t: usize, step: (u32, u32)) -> Option<(u32, u32)> {
        let is_user = |code: u32| self.program.codes.get(code as usize).is_some_and(|code| !code.ours);
        if is_user(step.0) {
            return Some(step);
        }
        let frames = &self.state.threads.get(t)?.frames;
        frames.iter().rev().find(|frame| is_user(frame.code)).map(|frame| (frame.code, frame.pc))
    }

    /// A thread's number among those that still exist.
    pub(crate) fn visible_number(&self, t: usize) -> u32 {
        if self.settings.stable_threads {
            return t as u32;
        }
        let before = self.state.threads.iter().take(t);
        let gone = before.filter(|thread| thread.ended && thread.object == 0).count();
        (t - gone) as u32
    }

    /// The thread that has this number.
    pub(crate) fn of_visible_number(&self, number: u32) -> usize {
        let stable = self.settings.stable_threads;
        let threads = self.state.threads.iter().enumerate();
        let mut exist = threads.filter(|(_, thread)| stable || !(thread.ended && thread.object == 0));
        exist.nth(number as usize).map_or(0, |(t, _)| t)
    }
}
