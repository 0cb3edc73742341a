//! Cancellation of threads (POSIX 2.9.5), deferred: a thread that was asked to end does so where it
//! next comes to, or stands at, a cancellation point, unless it does not listen.
//!
//! *Entry points:* [`Machine::cancel`], [`Machine::cancelled_at`].
//!
//! A thread that ends so, or by `pthread_exit`, first calls what `pthread_cleanup_push` has asked
//! for, on top of the frames that it has, whose variables still exist (`__axle_leave` in
//! `library.c`). Waiting for a condition variable it takes the mutex before that, as it would have
//! at the end of the wait; a signal that has woken it is not lost: then it goes on, and ends at its
//! next cancellation point. Functions that print may be cancellation points or not (POSIX leaves it
//! open): both ways are followed.
//!
//! *Invariant:* In programs without cancellation this adds no visible transition.

use axle_c::library::{Cancellation, Lib};

use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply};
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::program_state::Wait;
use crate::state::value::Value;

impl<E: Execution> Machine<'_, E> {
    /// Whether a function may be where a thread ends because another has asked for it.
    pub(crate) fn may_be_cancelled_at(&self, lib: Lib) -> bool {
        self.program.cancels && lib.row().cancellation != Cancellation::Never
    }

    /// The effect of cancellation on a call by a thread that is to be cancelled; none if there is
    /// no effect.
    pub(crate) fn cancelled_at(&mut self, t: usize, lib: Lib, choice: Choice) -> Option<Reply> {
        let thread = &self.state.threads[t];
        if !thread.cancelled || thread.cancel_disabled || thread.wait != Wait::No {
            return None;
        }
        match (lib.row().cancellation, choice) {
            (Cancellation::Always, _) | (Cancellation::Possible, Choice::Take(1)) => {
                Some(self.end_cancelled(t))
            }
            (Cancellation::Possible, Choice::Ask) => Some(Ok(Called::Choices(2))),
            (Cancellation::Possible | Cancellation::Never, _) => None,
        }
    }

    /// `pthread_cancel`.
    pub(crate) fn cancel(&mut self, handle: Value) -> Reply {
        let other = self.thread_of(handle)?;
        let thread = &mut self.state.threads[other];
        if !thread.ended {
            thread.cancelled = true;
            if let Wait::Condition { mutex, .. } = thread.wait
                && !thread.cancel_disabled
            {
                thread.wait = Wait::Cancelled { mutex };
            }
        }
        Ok(Called::Value(Value::Int(0)))
    }

    /// `pthread_setcancelstate`; what it was.
    pub(crate) fn cancel_state(&mut self, t: usize, state: Value) -> Reply {
        let cancel_disabled = self.number(state)? != 0;
        let was = std::mem::replace(&mut self.state.threads[t].cancel_disabled, cancel_disabled);
        Ok(Called::Value(Value::Int(was.into())))
    }

    /// `pthread_setcanceltype`.
    pub(crate) fn cancel_type(&mut self, kind: Value) -> Reply {
        match self.number(kind)? {
            1 if self.program.cancels => Err(ErrorKind::Unsupported(
                "threads that may be cancelled anywhere (PTHREAD_CANCEL_ASYNCHRONOUS)",
            )),
            _ => Ok(Called::Value(Value::Int(0))),
        }
    }

    /// The thread ends because another has asked for it.
    pub(crate) fn end_cancelled(&mut self, t: usize) -> Reply {
        // `PTHREAD_CANCELED`.
        self.leave(t, Value::Int(u64::MAX >> (64 - 8 * self.pointer_size())))
    }

    /// The thread ends, after what it has pushed for that.
    pub(crate) fn leave(&mut self, t: usize, value: Value) -> Reply {
        let Some(code) = self.program.symbols.leave else { return self.end_here(t, value) };
        // From here on no thread can cancel it.
        self.state.threads[t].cancel_disabled = true;
        self.enter(t, code, &[value], &[], Value::Undef)?;
        Ok(Called::Gone)
    }

    /// The thread ends.
    pub(crate) fn end_here(&mut self, t: usize, value: Value) -> Reply {
        if self.state.atomic == t as u32 + 1 {
            self.state.atomic = 0;
        }
        self.leave_thread(t, value)?;
        Ok(Called::Gone)
    }
}
