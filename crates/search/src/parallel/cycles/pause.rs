//! Pause: a moment at which no thread makes a step, used to write checkpoints.
//!
//! The first thread requests a pause. Each other thread arrives between two steps, deposits its
//! knowledge, and waits until the first thread ends the pause.
//!
//! *Entry points:* [`Pause::wait`] for the other threads, [`Pause::all`] for the first.
//!
//! *Invariant:* A waiting thread holds nothing that another thread may wait for, and continues when
//! the search ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::components::Part;

/// Interval at which waiting threads check for the end of the search.
const LOOK: Duration = Duration::from_millis(1);

/// Synchronisation state of pauses.
#[derive(Default, Debug)]
pub(super) struct Pause {
    wanted: AtomicBool,
    laid: Mutex<Laid>,
    over: Condvar,
}

/// Deposited knowledge and the number of the pause: the next pause may start before all threads
/// have observed the end of this one.
#[derive(Default, Debug)]
struct Laid {
    parts: Vec<Part>,
    pause: u64,
}

impl Pause {
    fn lock(&self) -> MutexGuard<'_, Laid> {
        self.laid.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Whether a pause is requested.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Waits, as one of the other threads, until the pause or the search ends.
    pub fn wait(&self, part: Part, halted: impl Fn() -> bool) {
        let mut laid = self.lock();
        if self.is_wanted() {
            laid.parts.push(part);
            let pause = laid.pause;
            while laid.pause == pause && !halted() {
                let waited = self.over.wait_timeout(laid, LOOK);
                laid = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
            }
        }
    }

    /// Waits until `others` threads have arrived, and calls `look` with their deposits; returns
    /// early if the search ends.
    pub fn all(&self, others: usize, halted: impl Fn() -> bool, look: impl FnOnce(Vec<Part>)) {
        self.lock().parts.clear();
        self.wanted.store(true, Ordering::Relaxed);
        while !halted() {
            let mut laid = self.lock();
            if laid.parts.len() == others {
                look(std::mem::take(&mut laid.parts));
                break;
            }
            drop(laid);
            std::thread::sleep(Duration::from_micros(20));
        }
        let mut laid = self.lock();
        laid.pause += 1;
        self.wanted.store(false, Ordering::Relaxed);
        self.over.notify_all();
    }
}
