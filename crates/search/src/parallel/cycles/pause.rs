//! A moment at which no thread makes a step, so that what they know can be written down.
//!
//! The first thread asks for it; each other comes here between two steps, lays down what it knows,
//! and waits until the first is done.
//!
//! *Entry points:* [`Pause::wait`] for the others, [`Pause::all`] for the first.
//! *Invariant:* Who waits holds nothing that another one may wait for, and goes on where the search
//! comes to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::components::Part;

/// Time between two looks whether the search has come to its end.
const LOOK: Duration = Duration::from_millis(1);

/// Where threads wait.
#[derive(Default, Debug)]
pub(super) struct Pause {
    wanted: AtomicBool,
    laid: Mutex<Laid>,
    over: Condvar,
}

/// What was laid down in this pause, and which one it is: the next may begin before all have seen that one is over.
#[derive(Default, Debug)]
struct Laid {
    parts: Vec<Part>,
    pause: u64,
}

impl Pause {
    fn laid(&self) -> MutexGuard<'_, Laid> {
        self.laid.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Whether everybody should come here.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Waits, as one of the others, until the pause is over or the search.
    pub fn wait(&self, part: Part, halted: impl Fn() -> bool) {
        let mut laid = self.laid();
        if self.is_wanted() {
            laid.parts.push(part);
            let pause = laid.pause;
            while laid.pause == pause && !halted() {
                let waited = self.over.wait_timeout(laid, LOOK);
                laid = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
            }
        }
    }

    /// Waits until so many others are here, and calls `look` with what they have laid down; not where the search ends
    /// before.
    pub fn all(&self, others: usize, halted: impl Fn() -> bool, look: impl FnOnce(Vec<Part>)) {
        self.laid().parts.clear();
        self.wanted.store(true, Ordering::Relaxed);
        while !halted() {
            let mut laid = self.laid();
            if laid.parts.len() == others {
                look(std::mem::take(&mut laid.parts));
                break;
            }
            drop(laid);
            std::thread::sleep(Duration::from_micros(20));
        }
        let mut laid = self.laid();
        laid.pause += 1;
        self.wanted.store(false, Ordering::Relaxed);
        self.over.notify_all();
    }
}
